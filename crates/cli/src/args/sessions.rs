//! `palanca sessions`.

use super::run::RunFlags;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions list\n  palanca sessions show latest --diff\n  palanca sessions resume latest\n  palanca sessions resume 0199f1c2 \"Now fix the tests\"\n  palanca sessions export latest --as markdown\n  palanca sessions undo latest --dry-run\n  palanca sessions clean --older-than 30"
)]
pub struct Sessions {
    #[command(subcommand)]
    pub what: SessionsCommand,
}

#[derive(Subcommand)]
pub enum SessionsCommand {
    /// List sessions, newest first
    List(SessionsList),
    /// Show one session: every step and call with time, verdict and cost, its changes, and which of them can be undone
    Show(SessionsShow),
    /// Resume a session: after a crash, a limit or an interruption, or with a new prompt
    Resume(Box<SessionsResume>),
    /// Export a session for programs, for people, or for replay
    Export(SessionsExport),
    /// Delete old sessions and their undo data
    Clean(SessionsClean),
    /// Undo a session's changes; the undo is itself a step that can be undone
    Undo(SessionsUndo),
}

#[derive(Args)]
pub struct SessionsList {
    /// Only the newest N; 0 means all [default: 20, with --json all]
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SessionsShow {
    /// The session's id, a unique prefix, or `latest`: the newest of this workspace
    #[arg(value_name = "ID")]
    pub id: String,
    /// Show the diff of each step
    #[arg(long)]
    pub diff: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "With the global option --dry-run the diff is shown and nothing is changed.")]
pub struct SessionsUndo {
    /// The session's id, a unique prefix, or `latest`: the newest of this workspace that changed something
    #[arg(value_name = "ID")]
    pub id: String,
    /// Keep the steps up to this one; 0 undoes all
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub to: usize,
    /// Overwrite files that were changed since; the replaced content becomes a step that can be undone
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions resume latest\n  palanca sessions resume 0199f1c2 \"Now fix the tests\" --budget 2.50\n\nAgent, mode, model, toolset, workspace and limits are the session's unless you set them again."
)]
pub struct SessionsResume {
    /// The session's id, a unique prefix, or `latest`: the newest of this workspace
    #[arg(value_name = "ID")]
    pub id: String,
    /// What to do next, `-` to read it from stdin [default: continue pending work]
    pub prompt: Option<String>,
    #[command(flatten)]
    pub flags: RunFlags,
}

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// One JSON object per line: every event as stored
    Jsonl,
    /// A readable page
    Markdown,
    /// The model's answers, for --model replay:FILE
    Replay,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions export latest > session.jsonl\n  palanca sessions export latest --as markdown > session.md\n  palanca sessions export 0199f1c2 --as replay > again.jsonl && palanca run \"Again\" --model replay:again.jsonl"
)]
pub struct SessionsExport {
    /// The session's id, a unique prefix, or `latest`: the newest of this workspace
    #[arg(value_name = "ID")]
    pub id: String,
    /// The format
    #[arg(long = "as", value_enum, default_value = "jsonl", value_name = "FORM")]
    pub form: ExportForm,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions clean --older-than 30\n  palanca sessions clean --older-than 7 --dry-run"
)]
pub struct SessionsClean {
    /// Sessions unchanged for this many days [default: sessions.cleanup_after_days]
    #[arg(long, value_name = "DAYS")]
    pub older_than: Option<u32>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
