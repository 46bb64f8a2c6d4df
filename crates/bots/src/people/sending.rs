//! What goes out: a message until it is sent or never will be, and what jobs have said to its chats.

use super::chat::Work;
use super::line::Line;
use palanca_channels::{Button, Sent, Trouble};
use palanca_core::call::ChatId;
use palanca_host::workspace::disk;
use palanca_store::JobInbox;
use std::sync::Arc;
use std::time::Duration;

/// The first pause after a failure; each further one is twice as long.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Waits longer each time.
pub(super) struct Pauses(Duration);

impl Pauses {
    pub(super) const fn new() -> Self {
        Self(PAUSE)
    }

    pub(super) fn next(&mut self) -> Duration {
        let next = (self.0 * 2).min(LONGEST_PAUSE);
        std::mem::replace(&mut self.0, next)
    }
}

/// Why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsent {
    /// It never will be.
    Never,
    /// The line ends first.
    Later,
}

impl Line {
    /// Sends a text that is short enough, however long it takes.
    pub(super) async fn send(&self, chat: &ChatId, text: &str, buttons: &[Vec<Button>]) -> Result<Sent, Unsent> {
        let mut pauses = Pauses::new();
        let mut is_said = false;
        loop {
            let trouble = match self.messenger.send(chat, text, buttons).await {
                Ok(sent) => return Ok(sent),
                Err(trouble) => trouble,
            };
            let pause = match &trouble {
                Trouble::Never(_) => {
                    self.wrong(&trouble.message());
                    return Err(Unsent::Never);
                }
                Trouble::Refused(_) => return Err(Unsent::Later),
                Trouble::Busy(time) => *time,
                Trouble::Away(_) | Trouble::Shared(_) => {
                    if !std::mem::replace(&mut is_said, true) {
                        self.wrong(&trouble.message());
                    }
                    pauses.next()
                }
            };
            if self.stop.is_cancelled() {
                return Err(Unsent::Later);
            }
            self.rest(pause).await;
        }
    }

    /// Hands what jobs have said to their chats.
    pub(super) fn bring_jobs(self: &Arc<Self>) {
        let terms = self.terms();
        let (Some(database), true) = (self.database(), self.me.get().is_some() && !self.stop.is_cancelled()) else {
            return;
        };
        let Ok(workspace) = disk::here(&terms.bot.config) else { return };
        match database.job_messages(&workspace, &terms.bot.id, JobInbox::UnseenAt(self.messenger.channel())) {
            Ok(said) => {
                for message in said.into_iter().filter(|message| self.jobs.lock().insert(message.id)) {
                    self.hand(&ChatId::new(message.words.chat.as_str()), Work::Job(message));
                }
            }
            Err(error) => self.wrong(&error.message()),
        }
    }

    /// What a job has said is sent, or never will be.
    pub(super) fn job_is_over(&self, job: i64) {
        self.jobs.lock().remove(&job);
    }
}
