//! Indexes over what bots remember, for search. Their notes and conversations stay the truth: an index can be deleted at any time, and
//! is then made again by whoever searches next.

use crate::call::{BotId, CanonicalPath, Digest, Effect};
use crate::message::Message;
use std::sync::Arc;
use std::time::SystemTime;

/// One index for each bot and folder, which knows nothing of the others.
pub trait MemoryIndexes: Send + Sync {
    /// The index of this owner, empty if there was none.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn open(&self, owner: &IndexOwner<'_>) -> Result<Box<dyn MemoryIndex>, IndexFault>;

    /// Puts a damaged index aside, so that the next one opened is empty; says where it is now.
    ///
    /// # Errors
    /// Why it stays where it is.
    fn set_aside(&self, owner: &IndexOwner<'_>) -> Result<String, IndexFault>;
}

/// Whose index it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexOwner<'a> {
    /// The bot, whose conversations are in it. Bots may share a folder.
    pub bot: Option<&'a BotId>,
    /// The folder of notes.
    pub folder: &'a CanonicalPath,
}

/// An open index. All methods block.
pub trait MemoryIndex: Send {
    /// What it has read of the sources whose names begin so.
    ///
    /// # Errors
    /// As all methods: it is damaged, or cannot be used now.
    fn sources(&self, beginning: &str) -> Result<Vec<IndexedSource>, IndexFault>;

    /// Up to which mark it has taken up conversations.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn mark(&self) -> Result<Option<String>, IndexFault>;

    /// Has another mark in place of the one that was read. Where somebody else was faster with a different one, it has none: of two
    /// at once, one may have taken up what the other has seen go.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn set_mark(&mut self, before: Option<&str>, mark: &str) -> Result<(), IndexFault>;

    /// Forgets sources, then takes up others in place of what was known of them: all of it or nothing.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn update(&mut self, gone: &[String], changed: &[NewSource]) -> Result<(), IndexFault>;

    /// How many passages there are, and how many have at least one of these forms, for each list of forms.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn counts(&self, forms: &[&[String]]) -> Result<PassageCounts, IndexFault>;

    /// Passages that satisfy an FTS5 expression, at most `most`, roughly the best ones.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn find(&self, expression: &str, most: usize) -> Result<Vec<FoundPassage>, IndexFault>;

    /// Keeps vectors of this space from now on; those of another are forgotten.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn measure(&mut self, space: &str) -> Result<(), IndexFault>;

    /// Texts of passages that have no vector, each once, at most `most`, and how many there are.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn unmeasured(&self, most: usize) -> Result<(Vec<UnmeasuredText>, u64), IndexFault>;

    /// Keeps vectors of texts that have none yet, packed as the caller likes, if the index still is of this space.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn keep(&mut self, space: &str, vectors: &[(Digest, Vec<u8>)]) -> Result<(), IndexFault>;

    /// Every vector with a number by which [`Self::measured`] finds its passages.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn vectors(&self, each: &mut dyn FnMut(i64, &[u8])) -> Result<(), IndexFault>;

    /// The passages that have one of these vectors, each with its vector's number.
    ///
    /// # Errors
    /// As [`Self::sources`].
    fn measured(&self, vectors: &[i64]) -> Result<Vec<(i64, FoundPassage)>, IndexFault>;
}

/// A text without a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmeasuredText {
    /// Of the text.
    pub hash: Digest,
    /// The text.
    pub text: String,
}

/// A file, or a part of a conversation, as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedSource {
    /// Its name, from the bot's folder.
    pub name: String,
    /// Of its content.
    pub hash: Digest,
    /// When it had been changed and how many bytes or rows it had; none where it might have changed since within the same moment.
    pub stamp: Option<(SystemTime, u64)>,
    /// Of a conversation: whether foreign text came before its end.
    pub overheard: bool,
}

/// A source that is read, with what is found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSource {
    /// The source.
    pub source: IndexedSource,
    /// Its passages; none where only the stamp is new.
    pub passages: Option<Vec<NewPassage>>,
}

/// Some lines of a file, or rows of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPassage {
    /// The number of its first line, from 1.
    pub first: u64,
    /// The number of its last line.
    pub last: u64,
    /// The lines.
    pub text: String,
    /// The words under which it is found, with spaces between them.
    pub stems: String,
    /// How many words the lines have.
    pub words: u32,
    /// When that was said, in milliseconds since 1970, where it is known.
    pub at_ms: Option<u64>,
    /// Whether it is foreign text, or may repeat some.
    pub foreign: bool,
}

/// Such lines, found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPassage {
    /// Its source.
    pub source: String,
    /// The lines.
    pub passage: NewPassage,
}

/// What scores need to know of all passages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassageCounts {
    /// How many there are.
    pub passages: u64,
    /// The words of one, on average.
    pub mean_words: f64,
    /// How many have one of the forms, for each list.
    pub with: Vec<u64>,
}

/// Why an index did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexFault {
    /// Its file is damaged: it has to be put aside.
    Damaged,
    /// Anything else.
    Failed(Message),
}

super::doors::handle! {
    /// The index as one call may use it: of a folder that the permit lets it read as a whole.
    pub struct MemoryIndexHandle: dyn MemoryIndexes
}

impl MemoryIndexHandle {
    /// See [`MemoryIndexes::open`].
    ///
    /// # Errors
    /// As there; for any folder that was not judged, and where the gate has no indexes.
    pub fn open(&self, folder: &CanonicalPath) -> Result<Box<dyn MemoryIndex>, IndexFault> {
        self.of(folder)?.open(&self.owner(folder))
    }

    /// See [`MemoryIndexes::set_aside`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn set_aside(&self, folder: &CanonicalPath) -> Result<String, IndexFault> {
        self.of(folder)?.set_aside(&self.owner(folder))
    }

    const fn owner<'a>(&'a self, folder: &'a CanonicalPath) -> IndexOwner<'a> {
        IndexOwner { bot: self.grant.scope().bot.as_ref(), folder }
    }

    fn of(&self, folder: &CanonicalPath) -> Result<&Arc<dyn MemoryIndexes>, IndexFault> {
        if !self.grant.holds(|effect| matches!(effect, Effect::ReadTree(judged) if judged == folder)) {
            let message = Message::new("memory-index-not-granted").with("folder", folder.to_string());
            return Err(IndexFault::Failed(message));
        }
        self.port.as_ref().ok_or_else(|| IndexFault::Failed(Message::new("memory-no-index")))
    }
}
