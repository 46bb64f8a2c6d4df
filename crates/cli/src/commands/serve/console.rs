//! The console as a part of the process: where it listens, and how its person gets in.

use super::{Part, Served};
use crate::args::serve::{Console as Arguments, Serve};
use crate::exit::Failure;
use crate::say;
use crate::wire::settings;
use core::net::SocketAddr;
use palanca_console::{Console, ConsoleParts, Reach};
use palanca_core::Message;
use palanca_files::read_text;
use palanca_host::session::desk::who;
use palanca_host::{Fault, Notices as _};
use palanca_net::listen::{Certificate, Exposure, ListenErrorKind, ListenOptions, Listener, Place};
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

/// Where it listens unless somebody says otherwise.
const PORT: u16 = 8750;
/// Bytes of a certificate or its key.
const LARGEST: u64 = 1 << 20;

/// None where it is not wanted. It listens when this returns.
pub async fn console(served: &Served, Serve { console: args, .. }: &Serve) -> Result<Option<Part>, Failure> {
    if args.no_console {
        return Ok(None);
    }
    let console = Console::new(ConsoleParts {
        host: Arc::clone(&served.host),
        bots: Arc::clone(&served.bots),
        config: Arc::clone(&served.config),
        locale: say::catalogue().locale(),
        reach: if is_encrypted(args) { Reach::Encrypted } else { Reach::Plain },
        cancel: served.cancel.clone(),
    })?;
    let bound = match args.listen {
        Some(address) => Listener::bind(options(address, args)?).await,
        None => match Listener::bind(ListenOptions::local(PORT)).await {
            // Another server of this machine has it.
            Err(error) if error.kind == ListenErrorKind::Taken => Listener::bind(ListenOptions::local(0)).await,
            bound => bound,
        },
    };
    let listener = bound.map_err(|error| Failure::said(&error.message()))?;
    tell(served, &console, address(&listener, args)).await?;
    let stop = served.cancel.clone();
    Ok(Some(Box::pin(async move {
        console.serve(listener, stop).await;
        Ok(())
    })))
}

/// Whether browsers reach it by `https`: by itself, or by its proxy.
const fn is_encrypted(args: &Arguments) -> bool {
    args.tls_cert.is_some() || !args.trusted_proxy.is_empty()
}

/// Beyond this machine only where the address says so.
fn options(address: SocketAddr, args: &Arguments) -> Result<ListenOptions, Failure> {
    let read = |path: &Path| {
        read_text(path, LARGEST).map(String::into_bytes).map_err(|error| Failure::from(Fault::from(error)))
    };
    let certificate = match args.tls_cert.as_deref().zip(args.tls_key.as_deref()) {
        Some((chain, key)) => Some(Certificate { chain: read(chain)?, key: read(key)? }),
        None => None,
    };
    let is_here = address.ip().to_canonical().is_loopback();
    Ok(ListenOptions {
        exposure: if is_here { Exposure::Local } else { Exposure::Open },
        certificate,
        proxies: args.trusted_proxy.clone(),
        hosts: args.host.clone(),
        ..ListenOptions::at(Place::Tcp(address))
    })
}

/// Where people open it: by its first name, else by the address that was taken.
fn address(listener: &Listener, args: &Arguments) -> Option<String> {
    let scheme = if is_encrypted(args) { "https" } else { "http" };
    let name = args.host.first().cloned().or_else(|| Some(listener.address()?.to_string()))?;
    Some(format!("{scheme}://{name}"))
}

/// Says where it is. A terminal is shown a link that logs in, once; what may be written to a file is not.
async fn tell(served: &Served, console: &Console, address: Option<String>) -> Result<(), Failure> {
    let Some(address) = address else { return Ok(()) };
    let notices = settings::notices(&served.global);
    let message = if std::io::stderr().is_terminal() {
        let key = console.link(&who()).await?;
        Message::new("console-link").with("address", format!("{address}/login#{key}"))
    } else {
        Message::new("console-at").with("address", address)
    };
    notices.note(&message);
    Ok(())
}
