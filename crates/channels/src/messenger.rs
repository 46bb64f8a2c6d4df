//! What a messenger is to bots that talk there: messages in, messages out, buttons. It holds no conversation and decides nothing.
//!
//! Whatever a messenger says of a person or a text was written by others; whoever passes it on shows it as such.

mod split;

pub use split::{split, units};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::ChatId;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a messenger can do. What it cannot is left out by whoever uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// The longest message, in UTF-16 code units.
    pub longest: usize,
    /// Whether a message may have buttons; without them no question is asked there.
    pub buttons: bool,
    /// Whether a message can be changed after it was sent.
    pub edits: bool,
    /// How long "is typing" is shown; none where it is not.
    pub typing: Option<Duration>,
    /// Bytes of the largest file that can be fetched.
    pub file_bytes: usize,
}

/// Somebody, as the messenger knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// A number that stays theirs.
    pub id: i64,
    /// The name that they are addressed by, without `@`. It may be somebody else's tomorrow.
    pub username: Option<String>,
    /// What they call themselves.
    pub name: String,
}

/// Who hears what is said in a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// One person.
    Private,
    /// Several.
    Group,
}

/// Whether a message speaks to the bot, by the messenger's own signs: a mention, a reply, a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Addressed {
    /// It does.
    ToMe,
    /// It does not say so.
    ToNobody,
}

/// A message that came in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// Its number for this bot: the same message has the same one whenever it is delivered again.
    pub number: i64,
    /// Where it was said; the answer goes there.
    pub chat: ChatId,
    /// Who else hears it.
    pub audience: Audience,
    /// Who said it.
    pub from: Person,
    /// The words, also those below a picture. Empty where it has none.
    pub text: String,
    /// What came with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Attached>,
    /// The album that it is a part of: messages that were sent as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub album: Option<String>,
    /// Whether it speaks to the bot.
    pub addressed: Addressed,
    /// Whose words it passes on, if they are not the sender's own.
    pub forwarded: Option<String>,
    /// For words of another of our bots, which no messenger delivers: how they go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

/// What two bots say to each other in a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The id of the bot that speaks.
    pub bot: String,
    /// How many answers may follow, of both together.
    pub answers: u32,
}

/// Something that came with a message, and can be fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// Its name for [`Messenger::fetch`]; none for what nobody here can read, such as a sticker.
    pub id: Option<String>,
    /// What it is called, on one line: `photo.jpg`.
    pub name: String,
    /// Its size in bytes, as far as the messenger says.
    pub bytes: Option<u64>,
}

/// A button that was pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// Its name, for [`Messenger::notice`].
    pub id: String,
    /// Who pressed it.
    pub from: Person,
    /// In which chat; none where the messenger does not say.
    pub chat: Option<ChatId>,
    /// What the button holds. A client may send anything.
    pub holds: String,
}

/// What came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// A message.
    Message(Heard),
    /// A press of a button, with the number of its delivery.
    Press(i64, Press),
    /// Anything else, with the number of its delivery.
    Other(i64),
}

impl Incoming {
    /// The number of its delivery: asking for what comes after it says that it has arrived.
    #[must_use]
    pub const fn number(&self) -> i64 {
        match self {
            Self::Message(heard) => heard.number,
            Self::Press(number, _) | Self::Other(number) => *number,
        }
    }
}

/// A button below a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What stands on it.
    pub label: String,
    /// What it holds, at most 64 bytes.
    pub holds: String,
}

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The token is not accepted.
    Refused(Message),
    /// Somebody else listens with the same token.
    Shared(Message),
    /// Too much at once: it can be tried again after this time.
    Busy(Duration),
    /// It cannot be reached, or answers nonsense; another try may succeed. It may have been done.
    Away(Message),
    /// It will not do this, however often it is asked.
    Never(Message),
}

impl Trouble {
    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Refused(message) | Self::Shared(message) | Self::Away(message) | Self::Never(message) => {
                message.clone()
            }
            Self::Busy(time) => Message::new("messenger-busy").with("seconds", time.as_secs()),
        }
    }
}

/// A message that was sent, for [`Messenger::edit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent(pub i64);

/// A bot's line to people.
pub trait Messenger: Send + Sync {
    /// The channel's name in sessions and rules.
    fn channel(&self) -> &'static str;

    /// What it can do.
    fn abilities(&self) -> Abilities;

    /// Who the bot is there. Must have succeeded once before [`listen`](Self::listen), which needs it to know what speaks to the bot.
    fn me(&self) -> BoxFuture<'_, Result<Person, Trouble>>;

    /// Waits for what comes in after this delivery, up to some seconds; without a number, for whatever has not arrived. Asking says
    /// that everything up to the number has: it is not delivered again. What is not understood is left out or [other](Incoming::Other).
    fn listen(&self, after: Option<i64>) -> BoxFuture<'_, Result<Vec<Incoming>, Trouble>>;

    /// From now on deliveries are brought to this address, and [`listen`](Self::listen) gets none.
    fn bring<'a>(&'a self, address: &'a str) -> BoxFuture<'a, Result<(), Trouble>>;

    /// Has nothing brought any more to an address that ends so. Returns whether it was.
    fn bring_no_more<'a>(&'a self, end: &'a str) -> BoxFuture<'a, Result<bool, Trouble>>;

    /// The word that comes with every delivery that it brings, and that nobody else knows.
    fn word(&self) -> String;

    /// A delivery that was brought; none where it is not this messenger's.
    fn read(&self, body: &[u8], me: &Person) -> Option<Incoming>;

    /// Fetches what came with a message, by its name there, unless it has more than `most` bytes: that never succeeds.
    fn fetch<'a>(&'a self, file: &'a str, most: usize) -> BoxFuture<'a, Result<Bytes, Trouble>>;

    /// Sends a text of at most [`Abilities::longest`], once.
    fn send<'a>(
        &'a self,
        chat: &'a ChatId,
        text: &'a str,
        buttons: &'a [Vec<Button>],
    ) -> BoxFuture<'a, Result<Sent, Trouble>>;

    /// Replaces the text of a message, and takes its buttons away.
    fn edit<'a>(&'a self, chat: &'a ChatId, sent: &'a Sent, text: &'a str) -> BoxFuture<'a, Result<(), Trouble>>;

    /// Shows for a moment that an answer is coming.
    fn typing<'a>(&'a self, chat: &'a ChatId) -> BoxFuture<'a, Result<(), Trouble>>;

    /// Answers a press, with a short text for the person who pressed, at most 200 characters.
    fn notice<'a>(&'a self, press: &'a str, text: &'a str) -> BoxFuture<'a, Result<(), Trouble>>;
}
