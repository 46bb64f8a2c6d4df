//! Where tools work, and their limits: `workspace`, `files`, `search`, `logging`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::section::section;

section! {
    /// The folder that tools work in.
    WorkspaceSettings {
        /// The workspace folder; relative to the current folder.
        root: String = ".".to_owned(),
        /// Whether `delete_file` may delete.
        allow_delete: bool = false,
        /// Absolute folders outside the workspace that tools may read, never write.
        readable_roots: Vec<String> = Vec::new(),
        /// Whether you vouch for all text in the workspace as if you had written it: then reading it does not taint.
        /// Leave it at `false` if others write there, too: dependencies, issues, pull requests.
        vouched: bool = false,
    }
}

section! {
    /// Limits of the file tools.
    FileLimits {
        /// Maximum bytes of a file that one read returns; longer files are paged.
        #[schemars(range(min = 1024, max = 16_777_216))]
        max_read_bytes: u64 = 131_072,
    }
}

section! {
    /// Defaults of the search tools.
    SearchSettings {
        /// Glob of file names that `search_code` and `grep` search, unless the call sets one. Unset: the toolset's own
        /// default (`*.py` for `search_code` of the architect toolset, every file otherwise).
        default_file_pattern: Option<String> = None,
    }
}

/// The log level on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Everything, for developers.
    Debug,
    /// Steps and decisions, for operators.
    Info,
    /// The agent's actions, for people.
    Human,
    /// Only what needs attention.
    Warn,
    /// Only failures.
    Error,
}

section! {
    /// Logs on stderr and in a file.
    LoggingSettings {
        /// The log level on stderr.
        level: LogLevel = LogLevel::Human,
        /// A file for JSON lines with everything. Unset: no file.
        file: Option<String> = None,
        /// Like `-v`, `-vv`, `-vvv`.
        #[schemars(range(max = 3))]
        verbose: u8 = 0,
    }
}
