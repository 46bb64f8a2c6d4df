//! `memory_search`: passages of a bot's notes and conversations that answer a question, best first.
//!
//! Notes and conversations are the truth. The index beside them is brought up to date by each search where something changed, so it
//! does not matter who changed it and when; a file is read again unless its time and size are those of before.

mod conversations;
mod hits;
mod meaning;
mod notes;
mod refresh;

use crate::operation::{Operation, ToolOptions};
use crate::options::MemorySearchOptions;
use hits::{By, Hit, Hits};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};
use notes::Notes;
use palanca_core::call::{CanonicalPath, Claims, Effect, ErrorKind};
use palanca_core::ports::{ConversationsHandle, FoundPassage, IndexFault, MemoryIndex, MemoryIndexHandle, NewPassage};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use palanca_memory::{Candidate, Corpus, LONGEST_QUERY, Query, aged, score};
use refresh::Refresh;
use serde_json::{Value, json};

/// Passages that are scored by words: more than by meaning, since little words decide among those that have the same others.
const CANDIDATES: usize = 500;
/// Passages that are scored by meaning.
const NEAR: usize = 200;
/// Files that are named when they could not be searched.
const NAMED: usize = 5;
/// What is said to be the source of a result with foreign text in it.
const SOURCE: &str = "conversations remembered";

pub(crate) struct MemorySearch<'a> {
    pub(crate) query: &'a str,
    pub(crate) most: Option<u32>,
    pub(crate) least: Option<f64>,
    pub(crate) foreign: Foreign,
    pub(crate) options: &'a ToolOptions,
}

/// What becomes of passages that are foreign text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    Found,
    LeftOut,
}

impl Operation for MemorySearch<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        self.question()?;
        let dir = &self.options.soul.dir;
        Ok([Effect::ReadTree(format!("{dir}/memory")), Effect::ReadFile(format!("{dir}/MEMORY.md"))]
            .into_iter()
            .collect())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let (query, indexes) = (self.question()?, cx.door::<MemoryIndexHandle>());
        let folder = cx.files().locate(&format!("{}/memory", self.options.soul.dir))?;
        let notes = Notes { cx, dir: &self.options.soul.dir, folder: &folder };
        let found = match self.search(&notes, &indexes, &query).await {
            Err(IndexFault::Damaged) => {
                let aside = indexes.set_aside(&folder).map_err(|fault| failed(fault, &folder))?;
                self.search(&notes, &indexes, &query).await.map(|found| Found { aside: Some(aside), ..found })
            }
            searched => searched,
        };
        Ok(said(&found.map_err(|fault| failed(fault, &folder))?))
    }
}

/// What was found, and what was not searched.
struct Found {
    hits: Vec<Hit>,
    /// Files.
    left_out: Vec<String>,
    /// Why there are no conversations.
    silent: Option<Message>,
    /// What search by meaning left out.
    meaning: Option<Message>,
    /// Where a damaged index is now.
    aside: Option<String>,
}

fn failed(fault: IndexFault, folder: &CanonicalPath) -> ToolError {
    let message = match fault {
        IndexFault::Failed(message) => message,
        IndexFault::Damaged => Message::new("memory-index-damaged").with("folder", folder.to_string()),
    };
    ToolError::new(ErrorKind::Failed, message)
}

impl MemorySearch<'_> {
    fn question(&self) -> Result<Query, ToolError> {
        let invalid = |message| ToolError::new(ErrorKind::InvalidArguments, message);
        if self.query.chars().nth(LONGEST_QUERY).is_some() {
            return Err(invalid(Message::new("memory-query-too-long").with("longest", LONGEST_QUERY)));
        }
        Query::new(self.query).ok_or_else(|| invalid(Message::new("memory-query-empty")))
    }

    async fn search(&self, notes: &Notes<'_>, indexes: &MemoryIndexHandle, query: &Query) -> Result<Found, IndexFault> {
        let mut index = indexes.open(notes.folder)?;
        let conversations = notes.cx.door::<ConversationsHandle>();
        let (left_out, mut silent) = refreshed(notes, &conversations, &mut *index)?;
        let meaning = meaning::ready(notes.cx, &mut index, self.query).await?;
        let is_here = conversations::here(&conversations).map_err(|why| silent = Some(why)).ok();
        let is_wanted = |FoundPassage { source, passage }: &FoundPassage| {
            let is_new = match &is_here {
                Some(is_here) => !is_here(source, passage.last),
                // What was said a moment ago is not told apart.
                None => conversations::shown(source).is_none(),
            };
            is_new && (self.foreign == Foreign::Found || !passage.foreign)
        };
        let MemorySearchOptions { max_results, min_score, .. } = self.options.soul.search;
        let forms: Vec<&[String]> = query.terms().iter().map(|term| &*term.forms).collect();
        let counts = index.counts(&forms)?;
        let corpus = Corpus { passages: counts.passages, mean_words: counts.mean_words, with: counts.with };
        let today = self.today(notes.cx);
        let mut hits = Hits::new(self.least.unwrap_or(min_score));
        for found in index.find(&query.expression(), CANDIDATES)?.into_iter().filter(&is_wanted) {
            let (date, age) = self.dated(&found, today);
            let NewPassage { stems, words, .. } = &found.passage;
            let score = score(query, &corpus, &Candidate { stems, words: *words, age });
            hits.add(By::Words, score, found, date);
        }
        for (score, found) in meaning.near(&*index, NEAR)?.into_iter().filter(|(_, found)| is_wanted(found)) {
            let (date, age) = self.dated(&found, today);
            hits.add(By::Meaning, aged(score, age), found, date);
        }
        let hits = hits.best(self.most.unwrap_or(max_results) as usize);
        Ok(Found { hits, left_out, silent, meaning: meaning.said, aside: None })
    }

    /// When a passage was written or said, and how many days ago that is.
    fn dated(
        &self,
        FoundPassage { source, passage }: &FoundPassage,
        today: Option<Date>,
    ) -> (Option<Date>, Option<f64>) {
        let date = passage.at_ms.map_or_else(|| named_date(source), |at| self.date(at));
        (date, today.zip(date).and_then(|(today, date)| age(date, today)))
    }

    fn today(&self, cx: &ToolCx) -> Option<Date> {
        Some(Timestamp::try_from(cx.clock().now()).ok()?.to_zoned(self.zone()).date())
    }

    fn date(&self, at_ms: u64) -> Option<Date> {
        let at = Timestamp::from_millisecond(i64::try_from(at_ms).ok()?).ok()?;
        Some(at.to_zoned(self.zone()).date())
    }

    fn zone(&self) -> TimeZone {
        TimeZone::get(&self.options.datetime.timezone).unwrap_or(TimeZone::UTC)
    }
}

/// The date that a log has in its name.
fn named_date(source: &str) -> Option<Date> {
    let name = source.rsplit('/').next()?.strip_suffix(".md")?;
    Date::strptime("%Y-%m-%d", name).or_else(|_| Date::strptime("%Y%m%d", name)).ok()
}

/// In days.
fn age(date: Date, today: Date) -> Option<f64> {
    (today - date).total((Unit::Day, today)).ok()
}

/// Brings the index up to date; says which files it has not, and why it has no conversations.
fn refreshed(
    notes: &Notes<'_>,
    conversations: &ConversationsHandle,
    index: &mut dyn MemoryIndex,
) -> Result<(Vec<String>, Option<Message>), IndexFault> {
    let before = index.mark()?;
    let mut refresh = Refresh::of(index);
    notes.refresh(&mut refresh);
    let taken_up = conversations::refresh(notes.cx, conversations, before.as_deref(), &mut refresh);
    let left_out = refresh.end()?;
    if let Ok(Some(mark)) = &taken_up
        && before.as_ref() != Some(mark)
    {
        index.set_mark(before.as_deref(), mark)?;
    }
    Ok((left_out, taken_up.err()))
}

fn said(Found { hits, left_out, silent, meaning, aside }: &Found) -> Output {
    let mut text = Text::new();
    for (number, hit) in (1_u64..).zip(hits) {
        if number > 1 {
            text = text.then("\n\n---\n\n");
        }
        text = text.then(hit.heading(number)).then("\n").then(hit.found.passage.text.as_str());
    }
    if hits.is_empty() {
        text = Message::new("memory-nothing").into();
    }
    if !left_out.is_empty() {
        let names = left_out.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = left_out.len().saturating_sub(NAMED);
        text = text.line(Message::new("memory-left-out").with("names", names).with("more", more));
    }
    if let Some(reason) = silent {
        text = text.line(Message::new("memory-silent").with("reason", reason.clone()));
    }
    if let Some(meaning) = meaning {
        text = text.line(meaning.clone());
    }
    if let Some(path) = aside {
        text = text.line(Message::new("memory-index-aside").with("path", path.as_str()));
    }
    let results: Vec<Value> = hits.iter().map(Hit::data).collect();
    let output = Output::text(text).with_data(json!({"results": results, "not_searched": left_out}));
    if hits.iter().any(|hit| hit.found.passage.foreign) { output.foreign(SOURCE) } else { output }
}
