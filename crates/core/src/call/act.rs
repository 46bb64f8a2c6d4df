//! What a call does through doors of other rooms: servers of others, memory, schedules, other bots, the telephone.
//!
//! The gate consults none of these doors before a call runs, so all that it and the guards need to know of a kind is one row
//! of the table below. A further kind is a row here, its words in `effect-act`, and a door that performs it.

use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of an [`Act`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActKind {
    /// Calls a tool of a server that is not ours. The target is `SERVER/TOOL`, the content its arguments.
    Foreign,
    /// Adds to what later sessions are told. The target says whose memory it is.
    Remember,
    /// Changes what the agent is told of itself in later sessions. The target is the part that changes.
    ChangeSelf,
    /// Makes, changes or removes a job. The target is the job, the content when it is due and what it does.
    Schedule,
    /// Calls a telephone number. The content is what is said.
    PhoneCall,
    /// Asks another bot, which has a conversation and guards of its own. The target is the bot.
    AskBot,
    /// Makes, changes or removes a tool. The target is its name, the content what it runs.
    MakeTool,
    /// Makes, changes or removes a contact, whose number may be called by that name. The target is the name, the content
    /// the number; nothing where the contact goes.
    ChangeContact,
}

/// Where the content of an act goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Out, as that of a message.
    Out,
    /// Out, and foreign text comes back.
    Exchange,
    /// Nowhere, but later sessions act on it.
    Lasts,
}

/// What is known of a kind.
#[derive(Clone, Copy, Debug)]
struct Facts {
    kind: ActKind,
    /// In rules and records.
    name: &'static str,
    /// For records, which are English.
    verb: &'static str,
    direction: Direction,
    /// Whether the mode `confirm-sensitive` asks.
    sensitive: bool,
    /// Whether a person can be offered to allow it again with other contents.
    repeats: bool,
}

#[rustfmt::skip]
const TABLE: [Facts; 8] = {
    use {ActKind::*, Direction::*};
    const fn row(kind: ActKind, name: &'static str, verb: &'static str, direction: Direction, sensitive: bool, repeats: bool) -> Facts {
        Facts { kind, name, verb, direction, sensitive, repeats }
    }
    [
        //  kind           name              verb              direction sensitive repeats
        row(Foreign,       "foreign",        "call",           Exchange, true,     true),
        row(Remember,      "remember",       "remember",       Lasts,    false,    true),
        row(ChangeSelf,    "change_self",    "change",         Lasts,    true,     false),
        row(Schedule,      "schedule",       "schedule",       Lasts,    true,     true),
        row(PhoneCall,     "phone_call",     "phone",          Out,      true,     true),
        row(AskBot,        "ask_bot",        "ask",            Exchange, true,     true),
        row(MakeTool,      "make_tool",      "make tool",      Lasts,    true,     false),
        row(ChangeContact, "change_contact", "change contact", Lasts,    true,     false),
    ]
};

impl ActKind {
    /// Every kind, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|facts| facts.kind)
    }

    const fn facts(self) -> &'static Facts {
        // The table has a row for each, in the order of the type; a test holds it to that.
        #[allow(clippy::indexing_slicing, reason = "as many rows as kinds")]
        &TABLE[self as usize]
    }

    /// Its name in rules and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Where the content goes.
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.facts().direction
    }

    /// Whether data leaves this process and its files.
    #[must_use]
    pub const fn sends(self) -> bool {
        !matches!(self.direction(), Direction::Lasts)
    }

    /// Whether the mode `confirm-sensitive` asks a person first.
    #[must_use]
    pub const fn is_sensitive(self) -> bool {
        self.facts().sensitive
    }

    /// Whether a person can be offered to allow it again, whatever the content.
    #[must_use]
    pub const fn repeats(self) -> bool {
        self.facts().repeats
    }
}

/// One such act: this one value is judged, shown, hashed and performed.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::call::{Act, ActKind, Claims, Effect};
///
/// let act = Act::new(ActKind::Remember, "ana", "prefers short answers");
/// let claims: Claims = Effect::Act(Box::new(act)).into();
/// assert!(!claims.is_read_only() && !claims.sends());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Act {
    /// What is done.
    pub kind: ActKind,
    /// On what, or with whom; see [`ActKind`].
    pub target: String,
    /// The text that is handed over.
    pub content: String,
}

impl Act {
    /// An act.
    #[must_use]
    pub fn new(kind: ActKind, target: impl Into<String>, content: impl Into<String>) -> Self {
        Self { kind, target: target.into(), content: content.into() }
    }

    /// The server, memory, bot or number that it is done with: acts on the same one keep the order of their calls.
    #[must_use]
    pub fn party(&self) -> &str {
        self.parts().0
    }

    /// The party, and what the target says beyond it.
    #[must_use]
    pub fn parts(&self) -> (&str, Option<&str>) {
        self.target.split_once('/').map_or((self.target.as_str(), None), |(party, rest)| (party, Some(rest)))
    }

    /// For people, in their language.
    #[must_use]
    pub fn message(&self) -> Message {
        Message::new("effect-act")
            .with("kind", self.kind.name())
            .with("target", self.target.as_str())
            .with("content", format!("{:?}", self.content))
    }
}

/// As records say it.
impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {:?}", self.kind.facts().verb, self.target, self.content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_kind_under_its_own_name() {
        for (number, facts) in TABLE.iter().enumerate() {
            assert_eq!((facts.kind as usize, facts.kind.name()), (number, facts.name));
            assert_eq!(serde_json::to_value(facts.kind).unwrap(), facts.name);
        }
    }
}
