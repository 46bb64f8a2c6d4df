//! Ctrl-C: the first cancels everything, the second ends the process.

use crate::exit::Exit;
use crate::render::stderr;
use palanca_core::Message;
use palanca_core::tool::Cancel;
use tokio::signal::unix::{SignalKind, signal};

/// Listens from now on. Must be called inside the runtime.
pub fn cancel_on_interrupt(cancel: &Cancel) {
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        stderr::warn(&Message::new("cli-signals-unwatched"));
        return;
    };
    let cancel = cancel.clone();
    tokio::spawn(async move {
        let mut asked = false;
        loop {
            tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
            if asked {
                std::process::exit(i32::from(Exit::Interrupted.number()));
            }
            asked = true;
            stderr::warn(&Message::new("cli-ending"));
            cancel.cancel();
        }
    });
}
