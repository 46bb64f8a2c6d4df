//! Asks a messenger for what comes in, again and again, until the line ends or is turned away.

use super::inbox::Inbox;
use super::line::{Line, unkept};
use super::sending::Pauses;
use crate::registry::Bots;
use palanca_channels::{Incoming, Person, Trouble};
use palanca_core::Message;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An answer without news that comes sooner is asked for again only then.
const IDLE: Duration = Duration::from_secs(1);
/// Somebody else who listens may be an earlier process of ours that is about to end: so many times within this time are too many.
const CONFLICTS: usize = 3;
const CONFLICT_TIME: Duration = Duration::from_secs(300);
/// Empty answers, of most of a minute each, after which a messenger's numbers may begin anew.
const QUIET: u32 = 60;
impl Line {
    /// Asks the messenger for what comes in, until the line ends.
    pub(super) async fn ask_for_more(self: &Arc<Self>, inbox: &Inbox) -> Result<(), Message> {
        let (mut after, mut quiet, mut conflicts, mut pauses) = (None, 0, Vec::new(), Pauses::new());
        let (mut is_away, mut is_full, mut is_asked_back) = (false, false, false);
        loop {
            if inbox.is_full() {
                // The messenger keeps what is not asked for.
                if !std::mem::replace(&mut is_full, true) {
                    self.wrong(&Message::new("people-inbox-full"));
                }
                self.rest(IDLE).await;
                if self.stop.is_cancelled() {
                    return Ok(());
                }
                continue;
            }
            is_full = false;
            let began = Instant::now();
            let came = tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(()),
                came = self.messenger.listen(after) => came,
            };
            let pause = match came {
                Ok(came) => {
                    pauses = Pauses::new();
                    is_away = false;
                    quiet = if came.is_empty() { quiet + 1 } else { 0 };
                    let last = came.iter().map(Incoming::number).max();
                    match self.sort(inbox, came) {
                        Ok(news) => {
                            // In the order in which they were pressed.
                            for press in news.iter().flatten() {
                                self.pressed(press).await;
                            }
                            after = if quiet >= QUIET { None } else { last.or(after) };
                            // A messenger that repeats itself or does not wait is not asked without end.
                            let is_idle = news.is_none() && began.elapsed() < IDLE;
                            if is_idle { IDLE } else { Duration::ZERO }
                        }
                        Err(error) => {
                            self.wrong(&unkept(&error));
                            pauses.next()
                        }
                    }
                }
                Err(Trouble::Refused(why)) => return Err(why),
                Err(Trouble::Shared(why)) => {
                    // Its messages may have been brought to us before.
                    let end = Bots::delivery_path(&self.terms().bot.id);
                    let was_asked = std::mem::replace(&mut is_asked_back, true);
                    if !was_asked && self.messenger.bring_no_more(&end).await == Ok(true) {
                        continue;
                    }
                    conflicts.retain(|at: &Instant| at.elapsed() < CONFLICT_TIME);
                    conflicts.push(Instant::now());
                    if conflicts.len() >= CONFLICTS {
                        return Err(why);
                    }
                    pauses.next()
                }
                Err(Trouble::Busy(time)) => time,
                Err(trouble @ (Trouble::Away(_) | Trouble::Never(_))) => {
                    if !std::mem::replace(&mut is_away, true) {
                        self.wrong(&trouble.message());
                    }
                    pauses.next()
                }
            };
            self.rest(pause).await;
        }
    }

    /// Who the bot is at the messenger; none where the line ends first.
    pub(super) async fn introduce(&self) -> Result<Option<Person>, Message> {
        let (mut pauses, mut is_away) = (Pauses::new(), false);
        loop {
            let me = tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(None),
                me = self.messenger.me() => me,
            };
            let pause = match me {
                Ok(me) => return Ok(Some(me)),
                Err(Trouble::Refused(why) | Trouble::Shared(why) | Trouble::Never(why)) => return Err(why),
                Err(Trouble::Busy(time)) => time,
                Err(Trouble::Away(why)) => {
                    if !std::mem::replace(&mut is_away, true) {
                        self.wrong(&why);
                    }
                    pauses.next()
                }
            };
            self.rest(pause).await;
        }
    }
}
