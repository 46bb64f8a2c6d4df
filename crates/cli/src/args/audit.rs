//! `palanca audit`.

use clap::{Args, Subcommand};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca audit show --last 20\n  palanca audit show --call call_7 --stages\n  palanca audit show --session 0199f1c2 --json\n  palanca audit verify"
)]
pub struct Audit {
    #[command(subcommand)]
    pub what: AuditCommand,
}

#[derive(Subcommand)]
pub enum AuditCommand {
    /// Show every call with its outcome, oldest first; with --stages also the verdict of each stage
    Show(AuditShow),
    /// Verify that the log is unchanged: exit code 1 if a line was changed, removed or inserted
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub struct AuditShow {
    /// Only this session: its id, a unique prefix, or `latest`
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Only this call: its id or a prefix
    #[arg(long, value_name = "ID")]
    pub call: Option<String>,
    /// Also show the verdict of each stage; the same as -v
    #[arg(long)]
    pub stages: bool,
    /// Only the newest N lines; 0 means all
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub last: usize,
    /// Print every stage and outcome with all its fields, one JSON object per line
    #[arg(long)]
    pub json: bool,
}
