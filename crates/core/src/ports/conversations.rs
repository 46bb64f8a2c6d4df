//! What was said in a bot's conversations, for search in them. A call reaches those of its own bot alone: whose it is stands in its
//! scope, which no argument changes.

use super::sessions::EventNumber;
use crate::call::{BotId, Effect, SessionId};
use crate::message::Message;

/// The conversations of the bots of a workspace. All methods block.
pub trait Conversations: Send + Sync {
    /// Those of this bot, and of no other, in which something happened since a mark.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn news(&self, bot: &BotId, since: Option<&str>) -> Result<News, Message>;

    /// What was said in some rows of one of them; nothing where the conversation is not this bot's.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn said(&self, bot: &BotId, session: &SessionId, rows: Stretch) -> Result<Utterances, Message>;

    /// The last row that has left what the model of this conversation is sent; zero where none has.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn left(&self, session: &SessionId) -> Result<EventNumber, Message>;
}

/// A conversation as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Its session.
    pub session: SessionId,
    /// Its last row. Rows are never changed.
    pub last: EventNumber,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: u64,
}

/// What is new in conversations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// In no order.
    pub conversations: Vec<Conversation>,
    /// How many of them these are.
    pub extent: Extent,
    /// By which what happens after this is asked for. Nobody else can read it.
    pub mark: String,
}

/// Which conversations were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All: there was no mark, it is not known here, or a conversation is gone since.
    #[default]
    All,
    /// Those in which something happened; the others are as they were.
    Changed,
}

/// Some rows of a conversation.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The row before them.
    pub after: EventNumber,
    /// How many.
    pub most: usize,
    /// Whether foreign text came before them.
    pub overheard: bool,
}

/// What was said there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Utterances {
    /// In order.
    pub all: Vec<Utterance>,
    /// Whether foreign text came before their end.
    pub overheard: bool,
}

/// Somebody's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// The row.
    pub row: EventNumber,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Who: `user`, `assistant`, or the name of somebody else.
    pub by: String,
    /// The words.
    pub text: String,
    /// Whether they are foreign text, or may repeat some.
    pub foreign: bool,
}

super::doors::handle! {
    /// The conversations as one call may reach them: those of its bot, for a call that may search what the bot remembers.
    pub struct ConversationsHandle: dyn Conversations
}

impl ConversationsHandle {
    /// Those of the call's bot; none where the call is no bot's, reads no folder, or the gate has none.
    ///
    /// # Errors
    /// See [`Conversations::news`].
    pub fn news(&self, since: Option<&str>) -> Result<News, Message> {
        self.reached().map_or_else(|| Ok(News::default()), |(all, bot)| all.news(bot, since))
    }

    /// See [`Conversations::said`].
    ///
    /// # Errors
    /// As there.
    pub fn said(&self, session: &SessionId, rows: Stretch) -> Result<Utterances, Message> {
        self.reached().map_or_else(|| Ok(Utterances::default()), |(all, bot)| all.said(bot, session, rows))
    }

    /// The call's own session, and the last of its rows that its model no longer sees.
    ///
    /// # Errors
    /// See [`Conversations::left`].
    pub fn here(&self) -> Result<(&SessionId, EventNumber), Message> {
        let session = &self.grant.scope().session;
        let left = self.reached().map_or_else(|| Ok(EventNumber::default()), |(all, _)| all.left(session));
        Ok((session, left?))
    }

    fn reached(&self) -> Option<(&dyn Conversations, &BotId)> {
        let may_search = self.grant.holds(|effect| matches!(effect, Effect::ReadTree(_)));
        let bot = self.grant.scope().bot.as_ref().filter(|_| may_search)?;
        Some((&**self.port.as_ref()?, bot))
    }
}
