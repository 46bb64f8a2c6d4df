//! `palanca serve`.

use clap::Args;
#[cfg(feature = "console")]
use core::net::SocketAddr;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca serve\n  palanca serve --drain 60\n  palanca serve --listen 127.0.0.1:9000"
)]
pub struct Serve {
    /// Seconds that answers and calls under way have when it is asked to end; what takes longer is cut off and can be resumed
    #[arg(long, value_name = "SECONDS", default_value_t = palanca_host::GRACE.as_secs(), value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub drain: u64,
    #[cfg(feature = "console")]
    #[command(flatten)]
    pub console: Console,
}

/// The console of a server.
#[cfg(feature = "console")]
#[derive(Args, Clone)]
pub struct Console {
    /// Where the console listens, on this machine alone; port 0 takes a free one [default: 127.0.0.1:8750, or a free port where
    /// that one is taken]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// Serve no console
    #[arg(long, conflicts_with = "listen")]
    pub no_console: bool,
}
