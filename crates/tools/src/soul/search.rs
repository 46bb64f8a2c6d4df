//! `memory_search`: passages of a bot's notes and conversations that answer a question, best first.
//!
//! Notes and conversations are the truth. The index beside them is brought up to date by each search where something changed, so it
//! does not matter who changed it and when; a file is read again unless its time and size are those of before.

mod conversations;
mod notes;
mod refresh;

use crate::operation::{Operation, ToolOptions};
use crate::options::MemorySearchOptions;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};
use notes::Notes;
use palanca_core::call::{CanonicalPath, Claims, Effect, ErrorKind};
use palanca_core::ports::{ConversationsHandle, FoundPassage, IndexFault, MemoryIndexHandle, NewPassage};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use palanca_memory::{Candidate, Corpus, LONGEST_QUERY, Query, score};
use refresh::Refresh;
use serde_json::{Value, json};

/// Passages that are scored.
const CANDIDATES: usize = 200;
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

/// A passage with its score.
struct Hit {
    score: f64,
    found: FoundPassage,
    date: Option<Date>,
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
        let found = match self.search(&notes, &indexes, &query) {
            Err(IndexFault::Damaged) => {
                let aside = indexes.set_aside(&folder).map_err(|fault| failed(fault, &folder))?;
                self.search(&notes, &indexes, &query).map(|found| Found { aside: Some(aside), ..found })
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

    fn search(&self, notes: &Notes<'_>, indexes: &MemoryIndexHandle, query: &Query) -> Result<Found, IndexFault> {
        let mut index = indexes.open(notes.folder)?;
        let (mut refresh, conversations) = (Refresh::of(&mut *index)?, notes.cx.door::<ConversationsHandle>());
        notes.refresh(&mut refresh);
        let mut silent = conversations::refresh(notes.cx, &conversations, &mut refresh).err();
        let left_out = refresh.end()?;
        let is_here = conversations::here(&conversations).map_err(|why| silent = Some(why)).ok();
        let MemorySearchOptions { max_results, min_score, .. } = self.options.soul.search;
        let most = self.most.unwrap_or(max_results) as usize;
        let least = self.least.unwrap_or(min_score);
        let forms: Vec<&[String]> = query.terms().iter().map(|term| &*term.forms).collect();
        let counts = index.counts(&forms)?;
        let corpus = Corpus { passages: counts.passages, mean_words: counts.mean_words, with: counts.with };
        let today = self.today(notes.cx);
        let scored = index.find(&query.expression(), CANDIDATES)?.into_iter().map(|found| {
            let FoundPassage { source, passage } = &found;
            let date = passage.at_ms.map_or_else(|| named_date(source), |at| self.date(at));
            let age = today.zip(date).and_then(|(today, date)| age(date, today));
            let candidate = Candidate { stems: &passage.stems, words: passage.words, age };
            Hit { score: score(query, &corpus, &candidate), found, date }
        });
        let is_new = |Hit { found: FoundPassage { source, passage }, .. }: &Hit| match &is_here {
            Some(is_here) => !is_here(source, passage.last),
            // What was said a moment ago is not told apart.
            None => conversations::shown(source).is_none(),
        };
        let is_wanted = |hit: &Hit| self.foreign == Foreign::Found || !hit.found.passage.foreign;
        let mut hits: Vec<Hit> = scored.filter(|hit| hit.score >= least && is_new(hit) && is_wanted(hit)).collect();
        // Of equal ones the later note is first.
        hits.sort_by(|one, other| {
            let place = |hit: &Hit| (hit.found.source.clone(), hit.found.passage.first);
            other.score.total_cmp(&one.score).then_with(|| place(other).cmp(&place(one)))
        });
        hits.truncate(most);
        Ok(Found { hits, left_out, silent, aside: None })
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

impl Hit {
    /// The path that is shown.
    fn path(&self) -> &str {
        conversations::shown(&self.found.source).unwrap_or(&self.found.source)
    }

    fn heading(&self, number: u64) -> Message {
        let NewPassage { first, last, .. } = self.found.passage;
        let (path, score) = (self.path(), format!("{:.2}", self.score));
        match (conversations::shown(&self.found.source), self.date) {
            (None, _) => Message::new("memory-hit")
                .with("number", number)
                .with("path", path)
                .with("first", first)
                .with("last", last)
                .with("score", score),
            (Some(_), date) => Message::new("memory-hit-said")
                .with("number", number)
                .with("path", path)
                .with("first", first)
                .with("last", last)
                .with("score", score)
                .with("date", date.map(|date| date.to_string()).unwrap_or_default()),
        }
    }

    fn data(&self) -> Value {
        let NewPassage { first, last, text, foreign, .. } = &self.found.passage;
        let kind = if conversations::shown(&self.found.source).is_some() { "session" } else { "memory" };
        json!({
            "path": self.path(), "kind": kind, "first": first, "last": last, "score": self.score, "via": "keyword",
            "date": self.date.map(|date| date.to_string()), "foreign": foreign, "text": text,
        })
    }
}

fn said(Found { hits, left_out, silent, aside }: &Found) -> Output {
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
    if let Some(path) = aside {
        text = text.line(Message::new("memory-index-aside").with("path", path.as_str()));
    }
    let results: Vec<Value> = hits.iter().map(Hit::data).collect();
    let output = Output::text(text).with_data(json!({"results": results, "not_searched": left_out}));
    if hits.iter().any(|hit| hit.found.passage.foreign) { output.foreign(SOURCE) } else { output }
}
