//! `palanca bots`.

use super::Listing;
use clap::{Args, Subcommand};

#[derive(Args)]
#[command(after_help = "Examples:\n  palanca bots list\n  palanca bots show ana\n  palanca bots check")]
pub struct Bots {
    #[command(subcommand)]
    pub what: BotsCommand,
}

#[derive(Subcommand)]
pub enum BotsCommand {
    /// Ids, names, models and what they are for
    List(Listing),
    /// One bot: what it has of its own, its files, its tools, its system prompt
    Show {
        /// The bot's id
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Build every bot, and report what is wrong with each
    Check,
}
