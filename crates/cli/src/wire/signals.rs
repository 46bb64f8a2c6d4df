//! Ctrl-C, `SIGTERM` and `SIGHUP`: the first cancels everything, the second ends the process. A `SIGHUP` that `nohup` keeps
//! away stays away.

use crate::exit::Exit;
use crate::render::stderr;
use futures_util::future::select_all;
use palanca_core::Message;
use palanca_core::tool::Cancel;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens from now on. Must be called inside the runtime.
pub fn cancel_on_interrupt(cancel: &Cancel) {
    let hangup = Some(SignalKind::hangup()).filter(|hangup| !palanca_sandbox::is_ignored(hangup.as_raw_value()));
    let heard = [SignalKind::interrupt(), SignalKind::terminate()].into_iter().chain(hangup);
    let Ok(mut signals) = heard.map(signal).collect::<Result<Vec<Signal>, _>>() else {
        stderr::warn(&Message::new("cli-signals-unwatched"));
        return;
    };
    let cancel = cancel.clone();
    tokio::spawn(async move {
        let mut asked = false;
        loop {
            select_all(signals.iter_mut().map(|signal| Box::pin(signal.recv()))).await;
            if asked {
                std::process::exit(i32::from(Exit::Interrupted.number()));
            }
            asked = true;
            stderr::warn(&Message::new("cli-ending"));
            cancel.cancel();
        }
    });
}
