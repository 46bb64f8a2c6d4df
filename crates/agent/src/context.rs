//! The conversation and its size: what is sent with every step, and what is dropped when it grows too long.
//!
//! It refuses to hold a call without its result or a result without its call, because providers refuse the whole request
//! then; a history truncated by a crash is repaired when it is resumed. Messages are sent in place: no step copies them.
//!
//! Room is made in two ways: older steps become one summary, which stays in its place and is rewritten when more
//! follow; and if that is not enough, the oldest messages are dropped. Both handle whole groups.

mod allowance;
mod compact;
mod conversation;
mod mend;
mod shorten;
mod summary;
mod window;

pub(crate) use allowance::Allowance;
pub(crate) use compact::Older;
pub(crate) use conversation::Calls;
pub use conversation::Conversation;

use palanca_core::call::Part;
use palanca_core::message::{Catalogue, Message};
use palanca_models::{Message as Said, ProviderState, estimate_parts};

/// Characters that a message costs beside its text.
const PER_MESSAGE: usize = 16;
/// Characters for one token.
const PER_TOKEN: usize = 4;
/// Above this share of the context, in percent, messages leave; a run whose context stays above it ends.
const FULL_PERCENT: usize = 95;
/// Messages leave until this share, in percent, is reached; above it, older steps are summarised.
const ROOMY_PERCENT: usize = 75;

/// How long a conversation may grow. Tokens are estimated at four characters each; 0 switches a limit off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextLimits {
    /// Tokens of the whole conversation. 80,000 unless set.
    pub max_context_tokens: usize,
    /// Tokens of one tool result; the middle of a longer one is left out, unless the call named a range. 2,000 unless set.
    pub max_tool_result_tokens: usize,
    /// Steps from which on older ones are summarised when three quarters of the context are used. 8 unless set.
    pub summarize_after_steps: usize,
    /// The newest steps, which are never summarised. 4 unless set; the very last one always stays.
    pub keep_recent_steps: usize,
}

impl Default for ContextLimits {
    fn default() -> Self {
        Self {
            max_context_tokens: 80_000,
            max_tool_result_tokens: 2_000,
            summarize_after_steps: 8,
            keep_recent_steps: 4,
        }
    }
}

/// Whether the conversation fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// As it is.
    Fits,
    /// After so many messages have left.
    Windowed(usize),
    /// Not even after everything that can leave has left.
    Full,
}

/// A conversation.
#[derive(Clone, Debug)]
pub struct History {
    messages: Vec<Said>,
    sizes: Vec<usize>,
    size: usize,
    limits: ContextLimits,
    /// The present task.
    task: Option<usize>,
    /// What stands for the steps that were summarised.
    summary: Option<usize>,
    summarised: usize,
    left_out: usize,
    /// Bytes of the first user message without the note on what was left out.
    first_words: Option<usize>,
}

impl History {
    /// An empty conversation.
    #[must_use]
    pub const fn new(limits: ContextLimits) -> Self {
        Self {
            messages: Vec::new(),
            sizes: Vec::new(),
            size: 0,
            limits,
            task: None,
            summary: None,
            summarised: 0,
            left_out: 0,
            first_words: None,
        }
    }

    /// A conversation that goes on. Calls that have no result get one that says so, and results without a call are left out.
    #[must_use]
    pub fn resumed(limits: ContextLimits, messages: Vec<Said>, catalogue: &dyn Catalogue) -> Self {
        let mut history = Self::new(limits);
        for message in mend::mend(messages, catalogue) {
            history.push(message);
        }
        history
    }

    /// What the model is sent next, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Said] {
        &self.messages
    }

    /// The estimate of its tokens.
    #[must_use]
    pub const fn tokens(&self) -> usize {
        self.size.div_ceil(PER_TOKEN)
    }

    /// How many messages have left without a trace.
    #[must_use]
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// How many messages the summary stands for.
    #[must_use]
    pub const fn summarised(&self) -> usize {
        self.summarised
    }

    /// Sets the instructions.
    pub(crate) fn instruct(&mut self, system: String) {
        let system = Said::System { text: system };
        let size = size_of(&system);
        match (self.messages.first_mut(), self.sizes.first_mut()) {
            (Some(first @ Said::System { .. }), Some(first_size)) => {
                self.size = self.size - *first_size + size;
                *first_size = size;
                *first = system;
            }
            // Some providers refuse empty instructions.
            _ if size == PER_MESSAGE => {}
            _ => {
                self.insert(0, system);
            }
        }
    }

    /// Adds the task that the run is about from here on, and what was sent with it.
    pub(crate) fn ask(&mut self, task: &str, parts: Vec<Part>) {
        self.push(Said::User { text: task.to_owned(), parts });
        self.task = Some(self.messages.len() - 1);
    }

    /// Adds a message that is kept already, between two runs.
    pub fn hear(&mut self, message: Said) {
        self.push(message);
    }

    /// Adds a message.
    pub(crate) fn push(&mut self, message: Said) {
        let size = size_of(&message);
        self.size += size;
        self.sizes.push(size);
        self.messages.push(message);
    }

    fn insert(&mut self, at: usize, message: Said) {
        let size = size_of(&message);
        self.size += size;
        self.sizes.insert(at, size);
        self.messages.insert(at, message);
        for mark in [&mut self.task, &mut self.summary].into_iter().flatten() {
            *mark += usize::from(*mark >= at);
        }
    }

    /// Makes room where room is needed.
    pub(crate) fn fit(&mut self, catalogue: &dyn Catalogue) -> Fit {
        if !self.is_full() {
            return Fit::Fits;
        }
        let room = self.limits.max_context_tokens.saturating_mul(PER_TOKEN);
        let leaving = self.leaving(room / 100 * ROOMY_PERCENT);
        let count = self.leave(&leaving, catalogue);
        if self.is_full() { Fit::Full } else { Fit::Windowed(count) }
    }

    /// Lets about half of the conversation leave; returns how many messages did.
    pub(crate) fn halve(&mut self, catalogue: &dyn Catalogue) -> usize {
        let leaving = self.leaving(self.size / 2);
        self.leave(&leaving, catalogue)
    }

    fn is_full(&self) -> bool {
        let limit = self.limits.max_context_tokens;
        limit > 0 && self.tokens().saturating_mul(100) >= limit.saturating_mul(FULL_PERCENT)
    }

    /// Takes the marked messages out and says so in the first user message: a message of its own there would put two
    /// user messages side by side, which some models' templates refuse.
    fn leave(&mut self, leaving: &[bool], catalogue: &dyn Catalogue) -> usize {
        let count = self.take_out(leaving);
        if count > 0 {
            self.left_out += count;
            self.note(catalogue);
            self.size = self.sizes.iter().sum();
        }
        count
    }

    /// Takes the marked messages out; returns how many they are.
    fn take_out(&mut self, leaving: &[bool]) -> usize {
        let count = leaving.iter().filter(|leaves| **leaves).count();
        if count == 0 {
            return 0;
        }
        let before = |at: usize| leaving.iter().take(at).filter(|leaves| **leaves).count();
        for mark in [&mut self.task, &mut self.summary].into_iter().flatten() {
            *mark -= before(*mark);
        }
        let mut marks = leaving.iter();
        self.messages.retain(|_| !marks.next().copied().unwrap_or(false));
        let mut marks = leaving.iter();
        self.sizes.retain(|_| !marks.next().copied().unwrap_or(false));
        self.size = self.sizes.iter().sum();
        count
    }

    fn note(&mut self, catalogue: &dyn Catalogue) {
        let note = catalogue.render(&Message::new("agent-context-left-out").with("count", self.left_out));
        let first =
            self.messages.iter_mut().zip(&mut self.sizes).find(|(message, _)| matches!(message, Said::User { .. }));
        if let Some((message, size)) = first {
            if let Said::User { text, .. } = message {
                text.truncate(*self.first_words.get_or_insert(text.len()));
                text.push_str("\n\n");
                text.push_str(&note);
            }
            *size = size_of(message);
        }
    }

    /// Whether a message never leaves: the instructions, the first task, the present one, the summary.
    fn is_pinned(&self, at: usize) -> bool {
        Some(at) == self.task
            || Some(at) == self.summary
            || Some(at) == self.first_user()
            || (at == 0 && matches!(self.messages.first(), Some(Said::System { .. })))
    }

    fn first_user(&self) -> Option<usize> {
        self.messages.iter().position(|message| matches!(message, Said::User { .. }))
    }
}

fn size_of(message: &Said) -> usize {
    let characters = |text: &str| text.chars().count();
    PER_MESSAGE
        + match message {
            Said::System { text } => characters(text),
            Said::User { text, parts } => characters(text) + size_of_parts(parts),
            Said::Assistant { text, calls, provider_state } => {
                characters(text)
                    + provider_state.as_ref().map_or(0, ProviderState::bytes)
                    + calls.iter().map(|call| characters(&call.name) + characters(&call.arguments)).sum::<usize>()
            }
            Said::Tool { content, parts, .. } => characters(content) + size_of_parts(parts),
        }
}

/// As many characters as there are tokens in it.
fn size_of_parts(parts: &[Part]) -> usize {
    usize::try_from(estimate_parts(parts)).unwrap_or(usize::MAX).saturating_mul(PER_TOKEN)
}

#[cfg(test)]
mod tests;
