//! Which messages are dropped when the conversation no longer fits.
//!
//! Whole groups are dropped, oldest first: an assistant's message and the results of its calls are one group, so a provider
//! never sees a result without its call. The system prompt, the first and the current task, the
//! summary and the newest group stay. Much is dropped at once and then nothing for long, because every drop costs the provider's cache.

use super::History;
use palanca_models::Message;

impl History {
    /// Marks the messages that leave so that at most `target` characters remain, if that can be had.
    pub(super) fn leaving(&self, target: usize) -> Vec<bool> {
        let mut leaving = vec![false; self.messages.len()];
        let groups = self.groups();
        let mut size = self.size;
        for group in groups.iter().take(groups.len().saturating_sub(1)) {
            if size <= target {
                break;
            }
            if group.clone().any(|at| self.is_pinned(at)) {
                continue;
            }
            for at in group.clone() {
                size -= self.sizes.get(at).copied().unwrap_or(0);
                if let Some(mark) = leaving.get_mut(at) {
                    *mark = true;
                }
            }
        }
        leaving
    }

    /// Ranges of messages that may only leave together.
    fn groups(&self) -> Vec<std::ops::Range<usize>> {
        let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
        for (at, message) in self.messages.iter().enumerate() {
            match (message, groups.last_mut()) {
                (Message::Tool { .. }, Some(group)) => group.end = at + 1,
                _ => groups.push(at..at + 1),
            }
        }
        groups
    }
}
