//! Ctrl-C, `SIGTERM` and `SIGHUP`: the first cancels everything, the second ends the process. A `SIGHUP` that `nohup` keeps
//! away stays away.

use crate::exit::Exit;
use crate::render::stderr;
use futures_util::future::select_all;
use palanca_core::Message;
use palanca_core::tool::Cancel;
use parking_lot::Mutex;
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Notify;

/// In the order in which they are listened for: Ctrl-C is the first.
fn signals() -> Option<Vec<Signal>> {
    let hangup = Some(SignalKind::hangup()).filter(|hangup| !palanca_sandbox::is_ignored(hangup.as_raw_value()));
    let heard = [SignalKind::interrupt(), SignalKind::terminate()].into_iter().chain(hangup);
    heard.map(signal).collect::<Result<_, _>>().ok().or_else(|| {
        stderr::warn(&Message::new("cli-signals-unwatched"));
        None
    })
}

/// The next one: its place in the list.
async fn next(signals: &mut [Signal]) -> usize {
    select_all(signals.iter_mut().map(|signal| Box::pin(signal.recv()))).await.1
}

fn end_at_once() -> ! {
    std::process::exit(i32::from(Exit::Interrupted.number()));
}

/// Listens from now on. Must be called inside the runtime.
pub fn cancel_on_interrupt(cancel: &Cancel) {
    let Some(mut signals) = signals() else { return };
    let cancel = cancel.clone();
    tokio::spawn(async move {
        let mut asked = false;
        loop {
            next(&mut signals).await;
            if asked {
                end_at_once();
            }
            asked = true;
            stderr::warn(&Message::new("cli-ending"));
            cancel.cancel();
        }
    });
}

/// One turn of a conversation at a time, which Ctrl-C ends alone. The other signals end the whole.
#[derive(Clone, Default)]
pub struct Underway(Arc<Inner>);

#[derive(Default)]
struct Inner {
    turn: Mutex<Turn>,
    /// Ctrl-C while nothing was under way.
    idle: Notify,
}

/// The last that began.
#[derive(Default)]
struct Turn {
    cancel: Cancel,
    is_under_way: bool,
}

impl Underway {
    /// Listens from now on. Must be called inside the runtime.
    pub fn listen(&self, whole: &Cancel) {
        let Some(mut signals) = signals() else { return };
        let (underway, whole) = (self.clone(), whole.clone());
        tokio::spawn(async move {
            loop {
                let is_interrupt = next(&mut signals).await == 0;
                let turn = underway.under_way();
                let ended = if is_interrupt { turn } else { Some(whole.clone()) };
                match ended {
                    Some(ended) if ended.is_cancelled() => end_at_once(),
                    Some(ended) => {
                        stderr::warn(&Message::new(if is_interrupt { "chat-ending" } else { "cli-ending" }));
                        ended.cancel();
                    }
                    None => underway.0.idle.notify_one(),
                }
            }
        });
    }

    /// A turn begins, with this to end it.
    pub fn begin(&self, whole: &Cancel) -> Cancel {
        let turn = whole.child_token();
        *self.0.turn.lock() = Turn { cancel: turn.clone(), is_under_way: true };
        turn
    }

    /// The turn is over.
    pub fn end(&self) {
        self.0.turn.lock().is_under_way = false;
    }

    fn under_way(&self) -> Option<Cancel> {
        let turn = self.0.turn.lock();
        turn.is_under_way.then(|| turn.cancel.clone())
    }

    /// Whether a person has ended the turn, which may be over by now: a question of it is taken back a moment later.
    pub fn is_ended(&self) -> bool {
        self.0.turn.lock().cancel.is_cancelled()
    }

    /// Waits for Ctrl-C while nothing is under way.
    pub async fn idle(&self) {
        self.0.idle.notified().await;
    }
}
