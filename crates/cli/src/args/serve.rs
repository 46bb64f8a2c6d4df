//! `palanca serve`.

use clap::Args;

#[derive(Args)]
#[command(after_help = "Examples:\n  palanca serve\n  palanca serve --drain 60")]
pub struct Serve {
    /// Seconds that answers and calls under way have when it is asked to end; what takes longer is cut off and can be resumed
    #[arg(long, value_name = "SECONDS", default_value_t = palanca_host::GRACE.as_secs(), value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub drain: u64,
}
