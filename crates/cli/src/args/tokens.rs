//! `palanca tokens`.

use super::Listing;
use clap::{Args, Subcommand};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca tokens create ana\n  palanca tokens create backup-script --days 30\n  palanca tokens list\n  palanca tokens revoke 01a1fe0c"
)]
pub struct Tokens {
    #[command(subcommand)]
    pub what: TokensCommand,
}

#[derive(Subcommand)]
pub enum TokensCommand {
    /// Make a token and print it: this once, since only its hash is kept
    Create {
        /// Whose it is: answers and messages with it are this person's
        name: String,
        /// Days for which it can be used
        #[arg(long, value_name = "DAYS", default_value_t = 365, value_parser = clap::value_parser!(u16).range(1..=3650))]
        days: u16,
    },
    /// List tokens, newest first
    List {
        /// Include revoked and expired ones
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a token, and log out whoever logged in with it
    Revoke {
        /// The token's id, or a unique prefix
        id: String,
    },
}
