//! Reads a session back from its rows.
//!
//! It begins with the row where the conversation was last shortened, so a long session costs only the rest; rows are read a
//! page at a time, and only the parts needed for the conversation stay in memory.

use super::event::{Answered, Entry, RunEnded};
use super::state::{Progress, State, Totals};
use crate::budget::Source;
use crate::report::Costs;
use palanca_core::call::{Part, SessionId};
use palanca_core::message::Message;
use palanca_core::ports::{EventNumber, Past, Sessions, StoreFault, StoredEvent, StoredSession};
use palanca_models::Message as Said;

/// Rows read at a time.
const PAGE: usize = 256;
/// Bytes of what was read that guards are told again; they remember less than that.
const MOST_READ: usize = 1 << 20;

/// Why a session cannot be taken up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The store says so: there is none, another process has it, it cannot be read.
    #[error(transparent)]
    Store(#[from] StoreFault),
    /// A row is not what its kind says.
    #[error("event {number} ({kind}) of session {session} cannot be read: {reason}")]
    Row {
        /// The session.
        session: String,
        /// The row.
        number: u64,
        /// Its kind.
        kind: String,
        /// What is wrong.
        reason: String,
    },
}

impl RestoreError {
    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Store(fault) => fault.message(),
            Self::Row { session, number, kind, reason } => Message::new("session-row-unreadable")
                .with("session", session)
                .with("number", *number)
                .with("kind", kind)
                .with("reason", reason),
        }
    }
}

/// A session as it was left.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// How it began and stood.
    pub kept: StoredSession,
    /// What its rows add up to.
    pub state: State,
    /// Its last row.
    pub last: EventNumber,
}

impl Restored {
    /// Reads a session.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is none, and what cannot be read.
    pub async fn read(store: &dyn Sessions, id: &SessionId) -> Result<Self, RestoreError> {
        let missing = || StoreFault::Missing { what: format!("session {id}") };
        let kept = store.session(id).await?.ok_or_else(missing)?;
        let mut state = State::default();
        let mut last = EventNumber::default();
        if let Some(event) = store.last_of(id, Entry::COMPACTED).await? {
            last = event.number;
            take(&mut state, id, &event)?;
        }
        let mut events = Events::after(store, id, last);
        while let Some(event) = events.next().await? {
            last = event.number;
            take(&mut state, id, &event)?;
        }
        Ok(Self { kept, state, last })
    }

    /// What guards must know to go on where they were.
    #[must_use]
    pub fn past(&self) -> Past {
        let Totals { told, files, lines, commands, foreign, overheard, .. } = &self.state.totals;
        let open: Vec<&Said> = self
            .state
            .open
            .iter()
            .filter_map(|open| match &open.progress {
                Progress::Ended(said) => Some(said),
                _ => None,
            })
            .collect();
        let mut past = Past {
            told: told.clone(),
            files: files.iter().cloned().collect(),
            lines: *lines,
            commands: *commands,
            ..Past::default()
        };
        let mut read = 0;
        for message in self.state.conversation.messages.iter().chain(open).rev() {
            match message {
                Said::Tool { call_id, content, parts, .. } if foreign.contains(call_id) => {
                    past.foreign.extend(texts(content, parts));
                }
                Said::Tool { content, parts, .. } if read < MOST_READ => {
                    for text in texts(content, parts) {
                        read += text.len();
                        past.read.push(text);
                    }
                }
                _ => {}
            }
        }
        // As they came: what was read last is remembered longest.
        past.foreign.reverse();
        past.read.reverse();
        if *overheard || (past.foreign.is_empty() && !foreign.is_empty()) {
            // It has left the conversation; what was made of it has not.
            past.foreign.push(String::new());
        }
        past
    }

    /// Everything that was used so far, by agents that worked for it, too: what they cost is rows of this session.
    #[must_use]
    pub fn costs(&self) -> Costs {
        self.state.totals.costs.clone()
    }
}

/// What was said, and what was beside it.
fn texts<'a>(content: &'a str, parts: &'a [Part]) -> impl Iterator<Item = String> + 'a {
    parts.iter().rev().flat_map(Part::texts).chain([content]).map(str::to_owned)
}

fn take(state: &mut State, id: &SessionId, event: &StoredEvent) -> Result<(), RestoreError> {
    if let Some(entry) = entry(id, event)? {
        state.add(entry);
    }
    Ok(())
}

/// The last words of a session, where they came over a channel as a message.
#[derive(Clone, Debug, PartialEq)]
pub struct LastMessage {
    /// The message, or the last one of those words, as its channel names it.
    pub message: String,
    /// How the run that they began ended, if it has.
    pub ended: Option<RunEnded>,
    /// The whole answer of a run that had nothing more to do, and was killed before it could say so.
    pub answered: Option<String>,
}

impl LastMessage {
    /// Reads it; none where the last words came another way.
    ///
    /// # Errors
    /// What cannot be read.
    pub async fn read(store: &dyn Sessions, id: &SessionId) -> Result<Option<Self>, RestoreError> {
        let Some(words) = store.last_of(id, Entry::PROMPT).await? else { return Ok(None) };
        let Some(Entry::Prompt(prompt)) = entry(id, &words)? else { return Ok(None) };
        let Some(message) = prompt.message else { return Ok(None) };
        let ended = match store.last_of(id, Entry::ENDED).await? {
            Some(row) if row.number > words.number => entry(id, &row)?,
            _ => None,
        };
        let ended = if let Some(Entry::Ended(ended)) = ended { Some(ended) } else { None };
        let answered = if ended.is_none() { answered(store, id, words.number).await? } else { None };
        Ok(Some(Self { message, ended, answered }))
    }
}

/// An answer without calls that is the last thing said after this row.
async fn answered(store: &dyn Sessions, id: &SessionId, words: EventNumber) -> Result<Option<String>, RestoreError> {
    let Some(row) = store.last_of(id, Entry::ANSWERED).await?.filter(|row| row.number > words) else { return Ok(None) };
    let later = store.last_of(id, Entry::APPENDED).await?.is_some_and(|later| later.number > row.number);
    let Some(Entry::Answered(Answered { source: Source::Agent, message: Some(said), cut: false, .. })) =
        entry(id, &row)?.filter(|_| !later)
    else {
        return Ok(None);
    };
    Ok(match said {
        Said::Assistant { text, calls, .. } if calls.is_empty() && !text.trim().is_empty() => Some(text),
        _ => None,
    })
}

/// The entry of a row; none for a kind that is not known here.
///
/// # Errors
/// A body that is not what its kind says.
pub fn entry(session: &SessionId, event: &StoredEvent) -> Result<Option<Entry>, RestoreError> {
    Entry::read(event).map_err(|error| RestoreError::Row {
        session: session.to_string(),
        number: event.number.0,
        kind: event.kind.clone(),
        reason: error.to_string(),
    })
}

/// The rows of a session in order, a page at a time.
pub struct Events<'a> {
    store: &'a dyn Sessions,
    id: &'a SessionId,
    after: EventNumber,
    page: std::vec::IntoIter<StoredEvent>,
    over: bool,
}

impl<'a> Events<'a> {
    /// Those after this one.
    #[must_use]
    pub fn after(store: &'a dyn Sessions, id: &'a SessionId, after: EventNumber) -> Self {
        Self { store, id, after, page: Vec::new().into_iter(), over: false }
    }
}

impl Events<'_> {
    /// The next one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn next(&mut self) -> Result<Option<StoredEvent>, StoreFault> {
        if self.page.as_slice().is_empty() && !self.over {
            let page = self.store.events(self.id, self.after, PAGE).await?;
            self.over = page.len() < PAGE;
            self.page = page.into_iter();
        }
        let event = self.page.next();
        self.after = event.as_ref().map_or(self.after, |event| event.number);
        Ok(event)
    }
}
