//! `palanca approvals`.

use crate::args::Listing;
use clap::{Args, Subcommand};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca approvals list\n  palanca approvals answer 0199f1c2-… yes\n  palanca approvals answer 0199f1c2-… always 1\n  palanca approvals rules\n  palanca approvals revoke 0199f1c5-…"
)]
pub struct Approvals {
    #[command(subcommand)]
    pub what: ApprovalsCommand,
}

#[derive(Subcommand)]
pub enum ApprovalsCommand {
    /// Questions that wait for an answer, newest first
    List(Rows),
    /// One question: what would run, why it is asked, what became of it
    Show {
        /// The question's id, or the beginning of it
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Answer a question that another process asks
    Answer {
        /// The question's id, or the beginning of it
        id: String,
        /// y (yes), n (no), a (abort, end everything), or `always` and the number of a rule that `show` lists: yes, and no
        /// more questions for what that rule covers. The number is enough; `always` is enough where there is one rule
        #[arg(required = true, num_args = 1..=2, value_name = "ANSWER")]
        answer: Vec<String>,
    },
    /// Rules that were made by answering "always", with who made them and until when they hold
    Rules(Rows),
    /// Take a rule back
    Revoke {
        /// The rule's id, or the beginning of it
        id: String,
    },
}

#[derive(Args)]
pub struct Rows {
    /// Answered, expired and revoked ones, too
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub listing: Listing,
}
