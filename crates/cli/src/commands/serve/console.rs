//! The console as a part of the process: where it listens, and how its person gets in.

use super::{Part, Served};
use crate::args::serve::Serve;
use crate::exit::Failure;
use crate::say;
use crate::wire::settings;
use palanca_console::{Console, ConsoleParts};
use palanca_core::Message;
use palanca_host::Notices as _;
use palanca_host::session::desk::who;
use palanca_net::listen::{ListenErrorKind, ListenOptions, Listener, Place};
use std::io::IsTerminal as _;
use std::sync::Arc;

/// Where it listens unless somebody says otherwise.
const PORT: u16 = 8750;

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
        cancel: served.cancel.clone(),
    })?;
    let bound = match args.listen {
        Some(address) => Listener::bind(ListenOptions::at(Place::Tcp(address))).await,
        None => match Listener::bind(ListenOptions::local(PORT)).await {
            // Another server of this machine has it.
            Err(error) if error.kind == ListenErrorKind::Taken => Listener::bind(ListenOptions::local(0)).await,
            bound => bound,
        },
    };
    let listener = bound.map_err(|error| Failure::said(&error.message()))?;
    tell(served, &console, &listener).await?;
    let stop = served.cancel.clone();
    Ok(Some(Box::pin(async move {
        console.serve(listener, stop).await;
        Ok(())
    })))
}

/// Says where it is. A terminal is shown a link that logs in, once; what may be written to a file is not.
async fn tell(served: &Served, console: &Console, listener: &Listener) -> Result<(), Failure> {
    let Some(address) = listener.address() else { return Ok(()) };
    let notices = settings::notices(&served.global);
    let message = if std::io::stderr().is_terminal() {
        let key = console.link(&who()).await?;
        Message::new("console-link").with("address", format!("http://{address}/login#{key}"))
    } else {
        Message::new("console-at").with("address", format!("http://{address}"))
    };
    notices.note(&message);
    Ok(())
}
