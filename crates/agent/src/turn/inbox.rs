//! Words that reach a run while it works.

use super::course::Course;
use palanca_core::call::Speaker;
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio::sync::Notify;

/// Words for a run that goes on: the model reads them with its next request. Calls of its last answer that have not begun are put off
/// when these words are the user's or of somebody whom the user trusts. What comes while the model gives its last answer is left
/// here, for another run. To stop the run, cancel its token.
///
/// ```
/// use palanca_agent::Inbox;
/// use palanca_core::call::Speaker;
///
/// let inbox = Inbox::default();
/// inbox.say(Speaker::User, "Only the tests, please.", None);
/// assert_eq!(inbox.waiting(), 1);
/// ```
#[derive(Debug, Default)]
pub struct Inbox {
    words: Mutex<VecDeque<Said>>,
    came: Notify,
}

#[derive(Debug)]
struct Said {
    speaker: Speaker,
    words: String,
    /// Which message of a channel they are.
    message: Option<String>,
}

impl Inbox {
    /// Says something to the agent. `message` is which message of a channel it is, kept with it.
    pub fn say(&self, speaker: Speaker, words: impl Into<String>, message: Option<String>) {
        self.words.lock().push_back(Said { speaker, words: words.into(), message });
        self.came.notify_one();
    }

    /// How many are not heard yet. After a run they are the last ones that were said.
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
        self.words.lock().iter().any(|said| said.speaker.is_trusted())
    }

    fn next(&self) -> Option<Said> {
        self.words.lock().pop_front()
    }
}

impl Course<'_> {
    /// Passes on what was said meanwhile.
    pub(super) fn hear_inbox(&mut self) {
        let Some(inbox) = self.turn.inbox else { return };
        while let Some(Said { speaker, words, message }) = inbox.next() {
            self.turn.gate.hear(&self.turn.settings.scope, &speaker, &words);
            self.ask_for(&speaker, &words, message);
        }
    }
}
