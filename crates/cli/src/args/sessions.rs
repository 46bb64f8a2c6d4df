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
    /// What happened, the newest first
    List(SessionsList),
    /// One session: every step and call with its time, verdict and cost; what it changed, and what of it can be taken back
    Show(SessionsShow),
    /// Go on with a session as it was left: after a crash, a limit, an interruption, or with a new prompt
    Resume(Box<SessionsResume>),
    /// A session for other programs, for people, or to be played again
    Export(SessionsExport),
    /// Forget old sessions and what could be undone of them
    Clean(SessionsClean),
    /// Take back what a session changed; the undo is a step too, so it can be taken back
    Undo(SessionsUndo),
}

#[derive(Args)]
pub struct SessionsList {
    /// Only this many; 0 means all [default: 20, with --json all]
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SessionsShow {
    /// The session's id, the beginning of it, or `latest`: the newest of this workspace
    #[arg(value_name = "ID")]
    pub id: String,
    /// Show what each step changed in its files
    #[arg(long)]
    pub diff: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "With the global option --dry-run the diff is shown and nothing is changed.")]
pub struct SessionsUndo {
    /// The session's id, the beginning of it, or `latest`: the newest of this workspace that changed something
    #[arg(value_name = "ID")]
    pub id: String,
    /// Keep the steps up to this one; 0 takes all back
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub to: usize,
    /// Overwrite files that somebody changed since; what they changed becomes a step that can be taken back
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions resume latest\n  palanca sessions resume 0199f1c2 \"Now fix the tests\" --budget 2.50\n\nAgent, mode, model, toolset, workspace and limits are the session's unless they are given anew."
)]
pub struct SessionsResume {
    /// The session's id, the beginning of it, or `latest`: the newest of this workspace
    #[arg(value_name = "ID")]
    pub id: String,
    /// What to do next, `-` to read it from stdin; without it the agent does what is still pending
    pub prompt: Option<String>,
    #[command(flatten)]
    pub flags: RunFlags,
}

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// One JSON object a line: every event as it is kept
    Jsonl,
    /// A page to read
    Markdown,
    /// The model's answers, for --model replay:FILE
    Replay,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions export latest > session.jsonl\n  palanca sessions export latest --as markdown > session.md\n  palanca sessions export 0199f1c2 --as replay > again.jsonl && palanca run \"Again\" --model replay:again.jsonl"
)]
pub struct SessionsExport {
    /// The session's id, the beginning of it, or `latest`: the newest of this workspace
    #[arg(value_name = "ID")]
    pub id: String,
    /// The form
    #[arg(long = "as", value_enum, default_value = "jsonl", value_name = "FORM")]
    pub form: ExportForm,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions clean --older-than 30\n  palanca sessions clean --older-than 7 --dry-run"
)]
pub struct SessionsClean {
    /// Sessions that have not changed for so many days [default: sessions.cleanup_after_days]
    #[arg(long, value_name = "DAYS")]
    pub older_than: Option<u32>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
