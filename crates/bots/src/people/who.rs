//! Who may talk to a bot, what speaks to it, and what stops it.

use palanca_channels::{Addressed, Audience, Heard, Person};
use palanca_config::{Bot, BufferSettings};
use palanca_core::Message;
use palanca_core::call::Speaker;
use regex::{Regex, RegexBuilder};
use std::time::Duration;

/// Everybody else, as strangers.
const ANYONE: &str = "*";
/// Bytes that a compiled pattern may take.
const PATTERN_BYTES: usize = 1 << 20;
/// Messages that end an answer under way.
const STOPS: [&str; 6] = ["/stop", "stop", "/parar", "parar", "para", "alto"];

/// What a person is to a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// On the list: their words are the user's, and they answer questions.
    Listed,
    /// Let in with everybody: their words are foreign text.
    Anyone,
    /// Nobody to it.
    Nobody,
}

/// How a bot listens.
#[derive(Clone, Debug)]
pub(super) struct Manners {
    allowed: Vec<String>,
    patterns: Vec<Regex>,
    /// How long messages are waited for, before and after an answer.
    pub(super) silence: [Duration; 2],
    /// Messages that are answered together.
    pub(super) together: usize,
}

/// What a message asks of the process itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Greet,
    Stop,
}

/// What calls a bot in a group, beside its name.
///
/// # Errors
/// A pattern that is none, and why.
pub fn mention_patterns(bot: &Bot) -> Result<Vec<Regex>, Message> {
    let pattern = |text: &String| {
        let compiled = RegexBuilder::new(text).case_insensitive(true).size_limit(PATTERN_BYTES).build();
        compiled.map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().last().unwrap_or_default().trim().to_owned();
            Message::new("people-bad-pattern").with("pattern", text).with("reason", reason)
        })
    };
    bot.mention_patterns.iter().map(pattern).collect()
}

impl Manners {
    /// # Errors
    /// A pattern that is none.
    pub(super) fn new(bot: &Bot, buffer: &BufferSettings) -> Result<Self, Message> {
        let name = |name: &String| name.trim().trim_start_matches('@').to_lowercase();
        let [before, after] = [buffer.inbound_debounce_ms, buffer.queue_debounce_ms].map(Duration::from_millis);
        Ok(Self {
            allowed: bot.allowed_users.iter().map(name).filter(|name| !name.is_empty()).collect(),
            patterns: mention_patterns(bot)?,
            silence: [before, after],
            together: buffer.queue_cap.max(1) as usize,
        })
    }

    pub(super) fn standing(&self, person: &Person) -> Standing {
        let (id, username) = (person.id.to_string(), person.username.as_deref().map(str::to_lowercase));
        // Nobody is called `*`.
        let is_named = |name: &String| *name == id || Some(name) == username.as_ref();
        match () {
            () if self.allowed.iter().any(is_named) => Standing::Listed,
            () if self.are_open() || self.allowed.iter().any(|name| name == ANYONE) => Standing::Anyone,
            () => Standing::Nobody,
        }
    }

    /// That of whoever wrote it. A bot is a stranger, whoever is listed.
    pub(super) fn standing_of(&self, heard: &Heard) -> Standing {
        if heard.exchange.is_some() { Standing::Anyone } else { self.standing(&heard.from) }
    }

    /// Whether everybody is let in, because nobody is named.
    pub(super) fn are_open(&self) -> bool {
        self.allowed.is_empty()
    }

    /// Whether a message speaks to the bot.
    pub(super) fn concern(&self, heard: &Heard) -> bool {
        heard.audience == Audience::Private
            || heard.addressed == Addressed::ToMe
            || self.patterns.iter().any(|pattern| pattern.is_match(&heard.text))
    }

    /// Whose words they are.
    pub(super) fn speaker(&self, heard: &Heard) -> Speaker {
        let name = named(&heard.from);
        match (self.standing_of(heard), &heard.forwarded, heard.audience) {
            (_, Some(whose), _) => Speaker::Stranger { name: format!("{whose}, passed on by {name}") },
            (Standing::Listed, None, Audience::Private) => Speaker::User,
            (Standing::Listed, None, Audience::Group) => Speaker::Trusted { name },
            (Standing::Anyone | Standing::Nobody, None, _) => Speaker::Stranger { name },
        }
    }
}

/// What others call somebody.
pub(super) fn named(person: &Person) -> String {
    if person.name.is_empty() { person.id.to_string() } else { person.name.clone() }
}

/// Who somebody is, for records.
pub(super) fn signed(person: &Person) -> String {
    let username = person.username.as_ref().map(|name| format!("@{name}, ")).unwrap_or_default();
    format!("{} ({username}{})", named(person), person.id)
}

/// The words as a model is told them: in a group with the name of who wrote them. Files without words are named.
pub(super) fn told(heard: &Heard) -> String {
    let words = match heard.text.trim() {
        "" => heard.files.iter().map(|file| format!("[{}]", file.name)).collect::<Vec<_>>().join(" "),
        _ => heard.text.clone(),
    };
    match heard.audience {
        Audience::Private => words,
        Audience::Group => format!("[{}] {words}", named(&heard.from)),
    }
}

/// What a message asks of the process: the whole message, a mention of the bot aside.
pub(super) fn order(heard: &Heard, me: &Person) -> Option<Order> {
    if heard.forwarded.is_some() || !heard.files.is_empty() {
        return None;
    }
    let own = me.username.as_ref().map(|name| format!("@{}", name.to_lowercase())).unwrap_or_default();
    let text = heard.text.to_lowercase();
    let text = if own.is_empty() { text } else { text.replace(&own, " ") };
    let mut words = text.split_whitespace();
    match (words.next(), words.next()) {
        (Some("/start"), _) => Some(Order::Greet),
        (Some(word), None) => STOPS.contains(&word.trim_end_matches(['.', '!'])).then_some(Order::Stop),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
