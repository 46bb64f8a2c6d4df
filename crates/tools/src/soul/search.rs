//! `memory_search`: passages of a bot's notes that answer a question, best first.
//!
//! The files are the truth. The index beside them is brought up to date by each search, file by file where something changed, so it
//! does not matter who changed it and when; a file is read again unless its time and size are those of before.

use crate::files::TextForm;
use crate::operation::{Operation, ToolOptions};
use crate::options::MemorySearchOptions;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};
use palanca_core::call::{CanonicalPath, Claims, Digest, Effect, ErrorKind};
use palanca_core::ports::{
    EntryContent, EntryKind, FileError, FilesHandle, Flow, FoundPassage, IndexFault, IndexedSource, MemoryIndex,
    MemoryIndexHandle, NewPassage, NewSource, Visit, WalkOptions,
};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use palanca_memory::{Candidate, Corpus, LONGEST_QUERY, Query, Stems, passages, score};
use parking_lot::Mutex;
use serde_json::json;
use std::collections::HashMap;
use std::io::Read as _;
use std::time::{Duration, SystemTime};

/// Bytes of a file that is searched.
const LARGEST: u64 = 8 << 20;
/// Folders below `memory` in which notes lie.
const DEPTH: usize = 3;
/// Passages that are scored.
const CANDIDATES: usize = 200;
/// Bytes of files that are taken up in one step.
const STEP: u64 = 4 << 20;
/// Within this time after a change a file may change again without another time of change.
const UNSURE: Duration = Duration::from_secs(2);
/// Files that are named when they could not be searched.
const NAMED: usize = 5;

pub(crate) struct MemorySearch<'a> {
    pub(crate) query: &'a str,
    pub(crate) most: Option<u32>,
    pub(crate) least: Option<f64>,
    pub(crate) options: &'a ToolOptions,
}

/// A passage with its score.
struct Hit {
    score: f64,
    found: FoundPassage,
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
        let mut aside = None;
        let (hits, left_out) = match self.search(&notes, &indexes, &query) {
            Err(IndexFault::Damaged) => {
                aside = Some(indexes.set_aside(&folder).map_err(|fault| failed(fault, &folder))?);
                self.search(&notes, &indexes, &query)
            }
            searched => searched,
        }
        .map_err(|fault| failed(fault, &folder))?;
        Ok(said(&hits, &left_out, aside))
    }
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

    fn search(
        &self,
        notes: &Notes<'_>,
        indexes: &MemoryIndexHandle,
        query: &Query,
    ) -> Result<(Vec<Hit>, Vec<String>), IndexFault> {
        let mut index = indexes.open(notes.folder)?;
        let left_out = notes.refresh(&mut *index)?;
        let MemorySearchOptions { max_results, min_score, .. } = self.options.soul.search;
        let most = self.most.unwrap_or(max_results) as usize;
        let least = self.least.unwrap_or(min_score);
        let forms: Vec<&[String]> = query.terms().iter().map(|term| &*term.forms).collect();
        let counts = index.counts(&forms)?;
        let corpus = Corpus { passages: counts.passages, mean_words: counts.mean_words, with: counts.with };
        let today = self.today(notes.cx);
        let scored = index.find(&query.expression(), CANDIDATES)?.into_iter().map(|found| {
            let FoundPassage { source, passage } = &found;
            let age = today.and_then(|today| age(source, today));
            let candidate = Candidate { stems: &passage.stems, words: passage.words, age };
            Hit { score: score(query, &corpus, &candidate), found }
        });
        let mut hits: Vec<Hit> = scored.filter(|hit| hit.score >= least).collect();
        // Of equal ones the later note is first.
        hits.sort_by(|one, other| {
            let place = |hit: &Hit| (hit.found.source.clone(), hit.found.passage.first);
            other.score.total_cmp(&one.score).then_with(|| place(other).cmp(&place(one)))
        });
        hits.truncate(most);
        Ok((hits, left_out))
    }

    fn today(&self, cx: &ToolCx) -> Option<Date> {
        let zone = TimeZone::get(&self.options.datetime.timezone).unwrap_or(TimeZone::UTC);
        Some(Timestamp::try_from(cx.clock().now()).ok()?.to_zoned(zone).date())
    }
}

/// Days since the date that a log has in its name.
fn age(source: &str, today: Date) -> Option<f64> {
    let name = source.rsplit('/').next()?.strip_suffix(".md")?;
    let date = Date::strptime("%Y-%m-%d", name).or_else(|_| Date::strptime("%Y%m%d", name)).ok()?;
    (today - date).total((Unit::Day, today)).ok()
}

fn said(hits: &[Hit], left_out: &[String], aside: Option<String>) -> Output {
    let mut text = Text::new();
    for (number, Hit { score, found: FoundPassage { source, passage } }) in (1_u64..).zip(hits) {
        if number > 1 {
            text = text.then("\n\n---\n\n");
        }
        let heading = Message::new("memory-hit")
            .with("number", number)
            .with("path", source.as_str())
            .with("first", passage.first)
            .with("last", passage.last)
            .with("score", format!("{score:.2}"));
        text = text.then(heading).then("\n").then(passage.text.as_str());
    }
    if hits.is_empty() {
        text = Message::new("memory-nothing").into();
    }
    if !left_out.is_empty() {
        let names = left_out.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = left_out.len().saturating_sub(NAMED);
        text = text.line(Message::new("memory-left-out").with("names", names).with("more", more));
    }
    if let Some(path) = aside {
        text = text.line(Message::new("memory-index-aside").with("path", path));
    }
    let results: Vec<_> = hits
        .iter()
        .map(|Hit { score, found: FoundPassage { source, passage } }| {
            let (first, last) = (passage.first, passage.last);
            json!({"path": source, "first": first, "last": last, "score": score, "via": "keyword", "text": passage.text})
        })
        .collect();
    Output::text(text).with_data(json!({"results": results, "not_searched": left_out}))
}

/// What a bot has noted.
struct Notes<'a> {
    cx: &'a ToolCx,
    dir: &'a str,
    folder: &'a CanonicalPath,
}

/// What is to be changed in the index.
#[derive(Default)]
struct Step {
    changed: Vec<NewSource>,
    bytes: u64,
}

/// A refresh under way.
struct Refresh<'i> {
    index: &'i mut dyn MemoryIndex,
    known: HashMap<String, IndexedSource>,
    stems: Stems,
    step: Step,
    left_out: Vec<String>,
    /// The first error ends it.
    fault: Option<IndexFault>,
}

impl Notes<'_> {
    /// Brings the index up to date; says which files it could not read.
    fn refresh(&self, index: &mut dyn MemoryIndex) -> Result<Vec<String>, IndexFault> {
        let known = index.sources()?.into_iter().map(|source| (source.name.clone(), source)).collect();
        let (stems, step, left_out) = (Stems::default(), Step::default(), Vec::new());
        let refresh = Mutex::new(Refresh { index, known, stems, step, left_out, fault: None });
        if let Some(content) = self.long_term(self.cx.files()) {
            refresh.lock().take_up("MEMORY.md", content, self.cx.clock().now());
        }
        let options = WalkOptions { max_depth: DEPTH, ignore_files: Visit::Show, hidden: Visit::Hide };
        let walked = self.cx.files().walk(self.folder, options, &|entry| {
            let is_note = entry.kind == EntryKind::File && entry.path.extension().is_some_and(|kind| kind == "md");
            let within = entry.path.strip_prefix(self.folder.relative()).unwrap_or(entry.path);
            if is_note && let Some(path) = within.to_str() {
                refresh.lock().take_up(&format!("memory/{path}"), entry.open(), self.cx.clock().now());
            }
            let ends = self.cx.cancel().is_cancelled() || refresh.lock().fault.is_some();
            if ends { Flow::Stop } else { Flow::Continue }
        });
        let refresh = refresh.into_inner();
        // Without the folder there are no notes; unread, they are not gone.
        let is_whole = !self.cx.cancel().is_cancelled() && walked.is_ok_and(|end| end.unreadable.is_empty());
        refresh.end(if is_whole || !self.is_there() { Gone::Unseen } else { Gone::Nothing })
    }

    fn is_there(&self) -> bool {
        self.cx.files().info(self.folder).is_ok()
    }

    /// `MEMORY.md` beside the folder, unless it is a link.
    fn long_term(&self, files: &FilesHandle) -> Option<Result<EntryContent, FileError>> {
        let path = files.locate(&format!("{}/MEMORY.md", self.dir)).ok()?;
        if path != files.locate(self.dir).ok()?.join("MEMORY.md") || files.info(&path).is_err() {
            return None;
        }
        Some(files.open(&path).map(|open| EntryContent { info: open.info, content: open.content }))
    }
}

/// Which sources the index forgets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gone {
    Unseen,
    Nothing,
}

impl Refresh<'_> {
    fn take_up(&mut self, name: &str, opened: Result<EntryContent, FileError>, now: SystemTime) {
        let before = self.known.remove(name);
        match opened.map_err(drop).and_then(|content| self.read(name, before.as_ref(), content, now)) {
            Ok(None) => {}
            Ok(Some(new)) => {
                self.step.changed.push(new);
                if self.step.bytes >= STEP {
                    self.flush(&[]);
                }
            }
            Err(()) => {
                self.left_out.push(name.to_owned());
                // What may not be read now is not found either.
                if before.is_some() {
                    self.flush(&[name.to_owned()]);
                }
            }
        }
    }

    /// What is new of a file; nothing where nothing is.
    fn read(
        &mut self,
        name: &str,
        before: Option<&IndexedSource>,
        content: EntryContent,
        now: SystemTime,
    ) -> Result<Option<NewSource>, ()> {
        let size = content.info.size;
        let stamp = content.info.modified.filter(|at| *at + UNSURE < now).map(|at| (at, size));
        if stamp.is_some() && before.is_some_and(|before| before.stamp == stamp) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let read = content.content.take(LARGEST + 1).read_to_end(&mut bytes).map_err(drop)?;
        if read as u64 > LARGEST {
            return Err(());
        }
        let hash = Digest::of_bytes(&bytes);
        let source = IndexedSource { name: name.to_owned(), hash, stamp };
        if before.is_some_and(|before| before.hash == hash) {
            return Ok(Some(NewSource { source, passages: None }));
        }
        self.step.bytes += read as u64;
        let (text, _) = TextForm::decode(&bytes).ok_or(())?;
        let passages = passages(&text).into_iter().map(|passage| {
            let (stems, words) = self.stems.of(&passage.text);
            NewPassage { first: passage.first, last: passage.last, text: passage.text, stems, words }
        });
        Ok(Some(NewSource { source, passages: Some(passages.collect()) }))
    }

    fn flush(&mut self, gone: &[String]) {
        let Step { changed, .. } = std::mem::take(&mut self.step);
        let is_needed = !changed.is_empty() || !gone.is_empty();
        if is_needed && self.fault.is_none() {
            self.fault = self.index.update(gone, &changed).err();
        }
    }

    fn end(mut self, gone: Gone) -> Result<Vec<String>, IndexFault> {
        let unseen = match gone {
            Gone::Unseen => std::mem::take(&mut self.known).into_keys().collect(),
            Gone::Nothing => Vec::new(),
        };
        self.flush(&unseen);
        self.fault.map_or(Ok(self.left_out), Err)
    }
}
