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
    /// Every call with its outcome, oldest first; with --stages also what each stage said
    Show(AuditShow),
    /// Whether the log is what was written: exit code 1 when a line was changed, taken out or put in
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub struct AuditShow {
    /// Only this session: its id, the beginning of it, or `latest`
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Only this call: its id or the beginning of it
    #[arg(long, value_name = "ID")]
    pub call: Option<String>,
    /// What each stage said, too; the same as -v
    #[arg(long)]
    pub stages: bool,
    /// Only this many lines, the newest; 0 means all
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub last: usize,
    /// Print every line as it is kept, stages included, one JSON object a line
    #[arg(long)]
    pub json: bool,
}
