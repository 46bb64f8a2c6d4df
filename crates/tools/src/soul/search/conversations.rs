//! A bot's conversations as the index knows them. Their rows are never changed, so a part of so many rows that is full is read once; only
//! the last part of a conversation is read again when something was added to it.

use super::refresh::{Gone, Refresh};
use palanca_core::call::Digest;
use palanca_core::ports::{
    Conversation, ConversationsHandle, EventNumber, Extent, IndexedSource, NewPassage, NewSource, News, Stretch,
    Utterance,
};
use palanca_core::{Message, ToolCx};
use palanca_memory::{Passage, Stems, passages};
use std::time::{Duration, UNIX_EPOCH};

/// What the names of their sources begin with.
const FOLDER: &str = "sessions/";
/// Rows of one part.
const PART: u64 = 128;

/// The path of a conversation as it is shown; none for a note.
pub(super) fn shown(source: &str) -> Option<&str> {
    source.strip_prefix(FOLDER).map(|_| source.rsplit_once('/').map_or(source, |(path, _)| path))
}

/// What is found in the call's own conversation although its model still sees it: whether a passage is that.
pub(super) fn here(conversations: &ConversationsHandle) -> Result<impl Fn(&str, u64) -> bool + use<>, Message> {
    let (session, left) = conversations.here()?;
    let own = format!("{FOLDER}{session}");
    Ok(move |source: &str, last: u64| last > left.0 && shown(source) == Some(&*own))
}

/// Takes up what was said since a mark; says up to which one everything is taken up, where that is everything.
pub(super) fn refresh(
    cx: &ToolCx,
    conversations: &ConversationsHandle,
    since: Option<&str>,
    refresh: &mut Refresh<'_>,
) -> Result<Option<String>, Message> {
    let News { conversations: changed, extent, mark } = conversations.news(since)?;
    if extent == Extent::All {
        refresh.look_at(FOLDER);
    }
    for conversation in changed {
        if extent == Extent::Changed {
            refresh.look_at(&format!("{FOLDER}{}/", conversation.session));
        }
        let mut overheard = false;
        for part in 0..conversation.last.0.div_ceil(PART) {
            if cx.cancel().is_cancelled() || refresh.has_failed() {
                return Ok(None);
            }
            let part = Part { conversation: &conversation, number: part };
            let before = refresh.known(&part.name());
            if let Some(before) = before.as_ref().filter(|before| part.is_known(before)) {
                overheard = before.overheard;
                continue;
            }
            let rows = Stretch {
                after: EventNumber(part.number * PART),
                most: usize::try_from(PART).unwrap_or(usize::MAX),
                overheard,
            };
            let said = conversations.said(&conversation.session, rows)?;
            overheard = said.overheard;
            let new = part.read(&said.all, before.as_ref(), &mut refresh.stems);
            refresh.add(Some(NewSource { source: IndexedSource { overheard, ..new.source }, ..new }));
        }
    }
    refresh.forget(Gone::Unseen);
    Ok(Some(mark))
}

struct Part<'a> {
    conversation: &'a Conversation,
    number: u64,
}

impl Part<'_> {
    fn name(&self) -> String {
        format!("{FOLDER}{}/{}", self.conversation.session, self.number)
    }

    /// The rows up to its end, as they are now.
    fn rows(&self) -> u64 {
        self.conversation.last.0.min((self.number + 1) * PART)
    }

    fn is_known(&self, before: &IndexedSource) -> bool {
        before.stamp.is_some_and(|(_, rows)| rows == self.rows())
    }

    fn read(&self, said: &[Utterance], before: Option<&IndexedSource>, stems: &mut Stems) -> NewSource {
        let mut whole = Vec::new();
        for one in said {
            whole.extend(format!("{}\0{}\0{}\0{}\0", one.row.0, one.by, one.foreign, one.text).into_bytes());
        }
        let changed = UNIX_EPOCH + Duration::from_millis(self.conversation.updated_ms);
        let (hash, stamp) = (Digest::of_bytes(&whole), Some((changed, self.rows())));
        let source = IndexedSource { name: self.name(), hash, stamp, overheard: false };
        if before.is_some_and(|before| before.hash == hash) {
            return NewSource { source, passages: None };
        }
        let exchanges = said.chunk_by(|one, next| next.by == ASSISTANT && one.foreign == next.foreign);
        NewSource { source, passages: Some(exchanges.flat_map(|said| exchange(said, stems)).collect()) }
    }
}

/// How the bot itself is called where it speaks.
const ASSISTANT: &str = "assistant";

/// The passages of a question and its answer.
fn exchange(said: &[Utterance], stems: &mut Stems) -> Vec<NewPassage> {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for one in said {
        for (number, line) in one.text.lines().enumerate() {
            if number == 0 {
                text.extend([one.by.lines().next().unwrap_or_default(), ": "]);
            }
            text.extend([line, "\n"]);
            rows.push(one);
        }
    }
    let row = |line: u64| usize::try_from(line).ok().and_then(|line| rows.get(line.checked_sub(1)?));
    let made = passages(&text).into_iter().filter_map(|Passage { first, last, text }| {
        let (first, last) = (row(first)?, row(last)?);
        let (stems, words) = stems.of(&words(&text));
        let foreign = first.foreign;
        Some(NewPassage { first: first.row.0, last: last.row.0, text, stems, words, at_ms: Some(first.at_ms), foreign })
    });
    made.collect()
}

/// Without who said it, which is in every passage.
fn words(text: &str) -> String {
    let plain = |line: &str| ["user: ", "assistant: "].iter().find_map(|who| line.strip_prefix(who)).map(str::to_owned);
    text.lines().map(|line| plain(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}
