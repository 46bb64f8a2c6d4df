//! `palanca sessions`.

use clap::{Args, Subcommand};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca sessions list\n  palanca sessions show latest --diff\n  palanca sessions undo latest --dry-run\n  palanca sessions undo 0199f1c2 --to 3"
)]
pub struct Sessions {
    #[command(subcommand)]
    pub what: SessionsCommand,
}

#[derive(Subcommand)]
pub enum SessionsCommand {
    /// What happened, the newest first
    List(SessionsList),
    /// The steps of one session: what each changed, and what of it can be taken back
    Show(SessionsShow),
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
    /// The session's id, the beginning of it, or `latest`
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
    /// The session's id, the beginning of it, or `latest`: the last one that changed something
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
