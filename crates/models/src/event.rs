//! The events of a streamed answer.

use crate::message::ToolCall;
use crate::provider_state::StatePlace;
use palanca_core::Message as Sentence;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One piece of an answer. [`ModelEvent::Usage`] and then [`ModelEvent::Done`] come once each, last, unless the stream ends
/// with an error.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    /// More of the text.
    TextDelta(String),
    /// More of the model's reasoning; not part of the answer.
    ReasoningDelta(String),
    /// **All text of this answer so far was reasoning**: a tag that ends thoughts came without one that begins them.
    TextWasReasoning,
    /// A complete tool call.
    ToolCall(ToolCall),
    /// The end of the text was meant as tool calls but cannot be read. It is in no [`ModelEvent::TextDelta`].
    Misread(Misread),
    /// What the provider wants back with the answer, or with the next call. Its place in the answer is where this comes.
    State {
        /// The model that it belongs to.
        model: String,
        /// Where the wire has it.
        place: StatePlace,
        /// The JSON.
        json: String,
    },
    /// A notice for the user.
    Notice(Notice),
    /// Another model than the one that was asked answers from here on, as `--model` names it.
    AnsweredBy(String),
    /// The token usage of the answer.
    Usage(Usage),
    /// The end.
    Done {
        /// Why it ended.
        stop: Stop,
    },
}

/// Tool calls in a text that cannot be read. None of them was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The text from the first call marker to the end of the answer.
    pub text: String,
    /// What is wrong.
    pub cause: MisreadCause,
    /// The apparent form of the calls.
    pub form: &'static str,
    /// A call in this form, with `NAME`, `KEY` and `VALUE` to be filled in.
    pub example: &'static str,
}

/// Why calls in a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MisreadCause {
    /// The text ends in the middle.
    CutOff,
    /// The text is not in the form that its markers announce.
    Unreadable,
    /// No tool of this name was offered.
    UnknownTool(String),
}

impl Misread {
    /// The catalogue's sentence, saying what is wrong.
    #[must_use]
    pub fn message(&self) -> Sentence {
        match &self.cause {
            MisreadCause::CutOff => Sentence::new("model-misread-cut-off").with("form", self.form),
            MisreadCause::Unreadable => Sentence::new("model-misread-unreadable").with("form", self.form),
            MisreadCause::UnknownTool(name) => {
                Sentence::new("model-misread-unknown").with("form", self.form).with("name", name)
            }
        }
    }
}

/// Why an answer ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The model was finished.
    #[default]
    Answer,
    /// The model waits for its tool calls.
    ToolCalls,
    /// The answer, or the whole conversation, reached a length limit: text and arguments may be cut off.
    Length,
    /// The provider withheld the answer.
    Filtered,
    /// A provider-specific reason.
    Other(String),
}

/// Tokens of one exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens, cached or not.
    pub input: u64,
    /// The part of `input` that came from the provider's cache.
    pub cached: u64,
    /// The part of `input` that the provider wrote to its cache.
    #[serde(default)]
    pub cache_written: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// The part of `output` that was reasoning.
    pub reasoning: u64,
    /// Who counted.
    pub basis: UsageBasis,
}

/// Who counted the tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageBasis {
    /// The provider.
    #[default]
    Reported,
    /// This program, because the provider did not report it.
    // Older sessions distinguish what a tokenizer counted.
    #[serde(alias = "counted")]
    Estimated,
}

/// A notice for the user about how the answer is produced.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// The exchange failed and is retried after a pause.
    Retrying {
        /// The attempt that failed, from 1.
        attempt: u32,
        /// The pause.
        wait: Duration,
        /// What happened.
        reason: String,
    },
    /// A model cannot be reached; another one answers.
    FellBack {
        /// Which model.
        from: String,
        /// The one that answers.
        to: String,
        /// What happened.
        reason: Sentence,
    },
    /// The server ignores the tools on offer; from now on the model must answer in a JSON form in which it can name
    /// one. **Text of this answer that came before this notice is void.**
    ToolsIgnored {
        /// Which model.
        model: String,
        /// How this is known.
        sign: Sign,
    },
    /// The server read too few tokens for the tools on offer, and no call was made.
    ToolsUnread {
        /// Which model.
        model: String,
    },
}

/// How it is known that a server ignores tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// The caller declared it.
    Told,
    /// It refuses requests that offer tools.
    Refused,
}

impl Notice {
    /// Whether the text of this answer so far is void.
    #[must_use]
    pub const fn voids_text(&self) -> bool {
        matches!(self, Self::ToolsIgnored { .. })
    }

    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Sentence {
        match self {
            Self::Retrying { attempt, wait, reason } => Sentence::new("model-retrying")
                .with("attempt", *attempt)
                .with("seconds", format!("{:.1}", wait.as_secs_f64()))
                .with("reason", reason),
            Self::FellBack { from, to, reason } => {
                Sentence::new("model-fell-back").with("from", from).with("to", to).with("reason", reason.clone())
            }
            Self::ToolsUnread { model } => Sentence::new("model-tools-unread").with("model", model),
            Self::ToolsIgnored { model, sign } => Sentence::new(match sign {
                Sign::Told => "model-tools-ignored-told",
                Sign::Refused => "model-tools-ignored-refused",
            })
            .with("model", model),
        }
    }
}
