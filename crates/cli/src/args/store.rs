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
    /// Read the whole database and name what is wrong with it: exit code 1 then
    #[command(after_help = "Example:\n  palanca store check --json")]
    Check {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Copy the database to a new file, as it is at this moment, while others go on writing
    #[command(after_help = "Example:\n  palanca store backup ~/palanca-monday.db")]
    Backup {
        /// The copy; must not be there yet
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Put a backup in the place of the database; the old one is kept under another name
    #[command(after_help = "Examples:\n  palanca store restore ~/palanca-monday.db\n  palanca store restore --empty")]
    Restore {
        /// A copy that `palanca store backup` made
        #[arg(value_name = "FILE", required_unless_present = "empty", conflicts_with = "empty")]
        file: Option<PathBuf>,
        /// Begin anew, without any
        #[arg(long)]
        empty: bool,
    },
}
