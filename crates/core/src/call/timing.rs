//! Where a call's time went.

use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a call spends time on, from its submission to its result.
///
/// The stages that only compute are one phase; what a call waits for is several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is read and judged: resolve, validate, guardrails.
    Judge,
    /// A hook before it.
    PreHook,
    /// A person is asked.
    Question,
    /// Earlier calls of its turn that conflict with it.
    Order,
    /// Other calls that use the same files, or the whole workspace.
    Lane,
    /// What must be stored before it goes on.
    Store,
    /// The tool itself.
    Run,
    /// A hook after it.
    PostHook,
}

impl Phase {
    /// Whether the call only waits meanwhile, for people or for other calls.
    #[must_use]
    pub const fn is_wait(self) -> bool {
        matches!(self, Self::Question | Self::Order | Self::Lane)
    }
}

/// A phase that took a millisecond or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// The phase.
    pub phase: Phase,
    /// The hook, or the rule that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Microseconds from the call's submission to its beginning.
    pub from_us: u64,
    /// Microseconds that it took.
    pub took_us: u64,
}

impl Timing {
    /// Shorter ones are not kept.
    pub const LEAST: Duration = Duration::from_millis(1);
    /// How many a call keeps.
    pub const MOST: usize = 64;

    /// Microseconds from the call's submission to its end.
    #[must_use]
    pub const fn until_us(&self) -> u64 {
        self.from_us.saturating_add(self.took_us)
    }

    /// The phase and its time, for people.
    #[must_use]
    pub fn message(&self) -> Message {
        let key = match self.phase {
            Phase::Judge => "timing-judge",
            Phase::PreHook => "timing-pre-hook",
            Phase::Question => "timing-question",
            Phase::Order => "timing-order",
            Phase::Lane => "timing-lane",
            Phase::Store => "timing-store",
            Phase::Run => "timing-run",
            Phase::PostHook => "timing-post-hook",
        };
        Message::new(key).with("name", self.name.as_deref().unwrap_or_default()).with("time", shown_time(self.took_us))
    }
}

/// Microseconds for people: `740 ms`, `3.2 s`.
///
/// ```
/// # use palanca_core::call::shown_time;
/// assert_eq!((shown_time(999_999), shown_time(3_249_000)), ("999 ms".to_owned(), "3.2 s".to_owned()));
/// ```
#[must_use]
pub fn shown_time(micros: u64) -> String {
    match micros / 1000 {
        millis if millis < 1000 => format!("{millis} ms"),
        millis => format!("{:.1} s", millis as f64 / 1000.0),
    }
}
