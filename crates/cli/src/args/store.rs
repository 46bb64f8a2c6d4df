//! `palanca store`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca store check\n  palanca store backup ~/palanca-monday.db\n  palanca store restore ~/palanca-monday.db"
)]
pub struct Store {
    #[command(subcommand)]
    pub what: StoreCommand,
}

#[derive(Subcommand)]
pub enum StoreCommand {
    /// Verify the whole database and list its problems: exit code 1 if there are any
    #[command(after_help = "Example:\n  palanca store check --json")]
    Check {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Copy the database to a new file; other processes may keep writing
    #[command(after_help = "Example:\n  palanca store backup ~/palanca-monday.db")]
    Backup {
        /// The copy; must not exist yet
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Remove what is older than the configuration keeps it: sessions, long outputs, questions, closed files of the audit log
    #[command(after_help = "Examples:\n  palanca store clean --dry-run\n  palanca store clean --json")]
    Clean {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Replace the database by a backup; the old one is kept under another name
    #[command(after_help = "Examples:\n  palanca store restore ~/palanca-monday.db\n  palanca store restore --empty")]
    Restore {
        /// A copy made by `palanca store backup`
        #[arg(value_name = "FILE", required_unless_present = "empty", conflicts_with = "empty")]
        file: Option<PathBuf>,
        /// Start with an empty database
        #[arg(long)]
        empty: bool,
    },
}
