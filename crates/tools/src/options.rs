//! What the operator may set about the built-in tools. Plain values: whoever wires the house fills them in from its
//! configuration, so this room does not know that one exists.

use std::time::Duration;

/// Settings of the built-in tools, the same for every call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOptions {
    /// Whether `delete_file` may delete anything (`workspace.allow_delete`). Off unless set.
    pub allow_delete: bool,
    /// The `file_pattern` of searches that do not give one (`search.default_file_pattern`). Unset, each toolset has its
    /// own: none in `palanca`, `*.py` for `search_code` in `architect`.
    pub default_file_pattern: Option<String>,
    /// Bytes of a file that one `read_file` shows; the rest is there by paging. 128 KiB unless set.
    pub max_read_bytes: usize,
    /// The largest file that is changed in place, in bytes. 64 MiB unless set.
    pub max_edit_bytes: u64,
    /// The longest search; what was found until then is shown. 20 s unless set.
    pub search_time: Duration,
    /// Names of directories that a recursive search or listing does not enter, beside what ignore files say.
    pub skipped_directories: Vec<String>,
}

impl Default for ToolOptions {
    fn default() -> Self {
        Self {
            allow_delete: false,
            default_file_pattern: None,
            max_read_bytes: 128 << 10,
            max_edit_bytes: 64 << 20,
            search_time: Duration::from_secs(20),
            skipped_directories: vec![".git".to_owned()],
        }
    }
}
