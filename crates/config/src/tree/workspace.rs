//! Where tools work and what they may take at once: `workspace`, `files`, `search`, `logging`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::section::section;

section! {
    /// The folder that tools work in.
    WorkspaceSettings {
        /// The workspace folder; relative to where the program was started.
        root: String = ".".to_owned(),
        /// Whether `delete_file` may delete.
        allow_delete: bool = false,
        /// Absolute folders outside the workspace that tools may read, never write.
        readable_roots: Vec<String> = Vec::new(),
        /// Whether you answer for all text in the workspace, as if you had written it: then reading it does not taint. Leave
        /// it at `false` where others write, too: dependencies, issues, pull requests.
        vouched: bool = false,
    }
}

section! {
    /// Limits of the file tools.
    FileLimits {
        /// Largest part of a file that one read returns, in bytes; more is paged.
        #[schemars(range(min = 1024, max = 16_777_216))]
        max_read_bytes: u64 = 131_072,
    }
}

section! {
    /// Defaults of the search tools.
    SearchSettings {
        /// Glob of file names that `search_code` and `grep` look into when the call names none. Unset: the toolset's own
        /// default (`*.py` for `search_code` of the architect toolset, every file otherwise).
        default_file_pattern: Option<String> = None,
    }
}

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Everything, for developers.
    Debug,
    /// Steps and decisions, for operators.
    Info,
    /// What the agent does, for people.
    Human,
    /// Only what needs attention.
    Warn,
    /// Only failures.
    Error,
}

section! {
    /// Logs on stderr and in a file.
    LoggingSettings {
        /// How much is said on stderr.
        level: LogLevel = LogLevel::Human,
        /// A file for JSON lines with everything. Unset: no file.
        file: Option<String> = None,
        /// Like `-v`, `-vv`, `-vvv`.
        #[schemars(range(max = 3))]
        verbose: u8 = 0,
    }
}
