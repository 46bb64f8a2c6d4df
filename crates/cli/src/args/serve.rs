//! `palanca serve`.

use clap::Args;
#[cfg(feature = "console")]
use core::net::{IpAddr, SocketAddr};
#[cfg(feature = "console")]
use palanca_net::listen::IpNet;
#[cfg(feature = "console")]
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca serve\n  palanca serve --drain 60\n  palanca serve --listen 127.0.0.1:9000\n  palanca serve --listen 0.0.0.0:8443 --host console.example:8443 --tls-cert chain.pem --tls-key key.pem"
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
    /// Where the console listens; port 0 takes a free one. Beyond this machine, it needs a certificate or a proxy, and a host
    /// [default: 127.0.0.1:8750, or a free port where that one is taken]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// Encrypt with this certificate, and those up to its authority (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["listen", "tls_key"])]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's key (PEM, without a password)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// A proxy that encrypts for the console, by its address or network, such as 10.0.0.5 or 10.0.0.0/8; may be given more than once
    #[arg(long, value_name = "ADDRESS", requires = "listen", value_parser = network)]
    pub trusted_proxy: Vec<IpNet>,
    /// A name that the console is opened by, as in an address: console.example or console.example:8443; may be given more than once
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub host: Vec<String>,
    /// Serve no console
    #[arg(long, conflicts_with = "listen")]
    pub no_console: bool,
}

/// One address, or a network.
#[cfg(feature = "console")]
fn network(text: &str) -> Result<IpNet, String> {
    let one = |_| text.parse::<IpAddr>().map(IpNet::from);
    text.parse()
        .or_else(one)
        .map_err(|_| "write an address such as 10.0.0.5, or a network such as 10.0.0.0/8".to_owned())
}
