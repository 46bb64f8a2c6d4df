//! Words that reach a run while it works.

use super::course::Course;
use palanca_core::call::Speaker;
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio::sync::Notify;

/// Words for a run that goes on: the model reads them with its next request, and does not finish before it has. Calls of its last
/// answer that have not begun are put off when these words are the user's or of somebody whom the user trusts. To stop the run,
/// cancel its token.
///
/// ```
/// use palanca_agent::Inbox;
/// use palanca_core::call::Speaker;
///
/// let inbox = Inbox::default();
/// inbox.say(Speaker::User, "Only the tests, please.");
/// assert_eq!(inbox.waiting(), 1);
/// ```
#[derive(Debug, Default)]
pub struct Inbox {
    words: Mutex<VecDeque<(Speaker, String)>>,
    came: Notify,
}

impl Inbox {
    /// Says something to the agent.
    pub fn say(&self, speaker: Speaker, words: impl Into<String>) {
        self.words.lock().push_back((speaker, words.into()));
        self.came.notify_one();
    }

    /// How many are not heard yet. Those of a run that has ended are for the next one.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.words.lock().len()
    }

    /// Ends when there is something to hear.
    pub(super) async fn news(&self) {
        while self.waiting() == 0 {
            self.came.notified().await;
        }
    }

    /// Whether the user, or somebody whom the user trusts, has said something.
    pub(super) fn has_orders(&self) -> bool {
        self.words.lock().iter().any(|(speaker, _)| speaker.is_trusted())
    }

    fn next(&self) -> Option<(Speaker, String)> {
        self.words.lock().pop_front()
    }
}

impl Course<'_> {
    /// Passes on what was said meanwhile.
    pub(super) fn hear_inbox(&mut self) {
        let Some(inbox) = self.turn.inbox else { return };
        while let Some((speaker, words)) = inbox.next() {
            self.turn.gate.hear(&self.turn.settings.scope, &speaker, &words);
            self.ask_for(&speaker, &words, None);
        }
    }

    pub(super) fn has_words(&self) -> bool {
        self.turn.inbox.is_some_and(|inbox| inbox.waiting() > 0)
    }
}
