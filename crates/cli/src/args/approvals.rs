//! `palanca approvals`.

use crate::args::Listing;
use clap::{Args, Subcommand};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca approvals list\n  palanca approvals answer 0199f1c2-… yes\n  palanca approvals answer 0199f1c2-… no use the copy instead\n  palanca approvals answer 0199f1c2-… yes --resume\n  palanca approvals answer 0199f1c2-… always 1\n  palanca approvals rules\n  palanca approvals revoke 0199f1c5-…"
)]
pub struct Approvals {
    #[command(subcommand)]
    pub what: ApprovalsCommand,
}

#[derive(Subcommand)]
pub enum ApprovalsCommand {
    /// List open questions, newest first
    List(Rows),
    /// Show one question: what would run, why it is asked, and its state
    Show {
        /// The question's id, or a unique prefix
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Answer a question that another process asks
    Answer {
        /// The question's id, or a unique prefix
        id: String,
        /// y (yes), n (no) with the reason after it, a (abort: end everything), or `always` and the number of a rule from
        /// `show`: yes, and create that rule. The number alone is enough, and so is `always` if there is only one rule
        #[arg(required = true, num_args = 1.., value_name = "ANSWER")]
        answer: Vec<String>,
        /// Continue the session that waits for this answer
        #[arg(long)]
        resume: bool,
    },
    /// List rules created by answering "always", with author and expiry
    Rules(Rows),
    /// Revoke a rule
    Revoke {
        /// The rule's id, or a unique prefix
        id: String,
    },
}

#[derive(Args)]
pub struct Rows {
    /// Include answered, expired and revoked ones
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub listing: Listing,
}
