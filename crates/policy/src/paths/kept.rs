//! What programs may neither change nor make in a workspace: files that some other program obeys the moment they appear.

/// Relative to the workspace, in the spelling that the obeying program looks for. A place that is not there yet is kept
/// closed while a program runs; the many further protected files are only kept from being changed where they are, because
/// every closed place shows in a listing.
pub const NEVER_MADE: &[&str] = &[
    ".git/hooks",
    ".git/config",
    ".git/commondir",
    ".gitmodules",
    ".mcp.json",
    ".vscode",
    ".idea",
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".palanca",
    "palanca.yaml",
    "palanca.yml",
    "palanca.toml",
    "palanca.json",
];

/// What of a repository decides what `git` runs, below its `.git`; the rest of it is git's own work.
pub const OF_A_REPOSITORY: &[&str] = &["hooks", "config", "config.worktree", "commondir", "info/attributes"];

/// Where repositories lie inside a `.git`: those of submodules, and what other working directories have of their own.
pub const OTHER_REPOSITORIES: &[&str] = &["modules", "worktrees"];

/// A folder in which all of these are is a repository to `git`, whose `config` it obeys once the `.git` beside it is
/// damaged. One that is not there must not be made. `HEAD` comes last: while it is there, `git diff HEAD` is ambiguous.
pub const BARE_REPOSITORY: &[&str] = &["refs", "objects", "HEAD"];

/// Stands for `refs` and `objects`, which may lie elsewhere.
pub const ELSEWHERE: &str = "commondir";
