//! Reading the log, oldest line first.

use super::line::meaning;
use super::{AuditError, CURRENT};
use palanca_core::ports::StageDecision;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Longer lines are not read: lines of this log are far shorter.
const MOST_BYTES: u64 = 4 << 20;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A stage's verdict.
    Stage,
    /// How a call ended.
    Outcome,
    /// A run whose process died before it ended.
    Interrupted,
    /// The line before is incomplete.
    Torn,
    /// The file before this one was rotated.
    Rotated,
    /// Closed files were removed because they are kept no longer.
    Removed,
    /// The head of the chain was missing: the last lines before this one may be lost.
    HeadLost,
}

impl Kind {
    /// The word in the line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stage => "stage",
            Self::Outcome => "outcome",
            Self::Interrupted => "interrupted",
            Self::Torn => "torn",
            Self::Rotated => "rotated",
            Self::Removed => "removed",
            Self::HeadLost => "head_lost",
        }
    }
}

/// One thing that was recorded. The record of a call gives one for each stage and one for its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The number of its line.
    pub seq: u64,
    /// What was recorded.
    pub kind: Kind,
    /// All other fields, by name.
    pub fields: Map<String, Value>,
}

impl Entry {
    /// A field that is text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }
}

/// One line, as far as it can be read.
#[derive(Deserialize)]
pub(super) struct Line {
    /// Its number.
    pub(super) seq: u64,
    /// The hash of the line before, which earlier versions repeated in each line.
    pub(super) prev: Option<String>,
    /// None for a call's record. Earlier versions wrote a line for each stage.
    pub(super) kind: Option<Kind>,
    /// All other fields, by name.
    #[serde(flatten)]
    pub(super) fields: Map<String, Value>,
}

impl Line {
    pub(super) fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }

    /// A field that is text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    /// What the line records, in order.
    pub(super) fn each(self, mut each: impl FnMut(Entry)) {
        let Self { seq, kind, mut fields, .. } = self;
        if let Some(kind) = kind {
            return each(Entry { seq, kind, fields });
        }
        let stages = fields.shift_remove("stages");
        let process = picked(&fields, &["pid", "started"]);
        fields.retain(|name, _| !process.contains_key(name));
        for said in stages.iter().filter_map(Value::as_array).flatten().flat_map(said) {
            let mut stage = picked(&fields, &["hash", "at_ms", "call", "session", "tool"]);
            stage.extend(said);
            if stage.get("verdict").and_then(Value::as_str) == Some(StageDecision::Begin.name()) {
                stage.extend(picked(&fields, &["effects", "digest"]));
                stage.extend(process.clone());
            }
            each(Entry { seq, kind: Kind::Stage, fields: stage });
        }
        if fields.contains_key("outcome") {
            let none = [("effects", json!([])), ("dry_run", json!(false))];
            for (name, value) in none.into_iter().chain(["digest", "code", "detail"].map(|name| (name, Value::Null))) {
                fields.entry(name).or_insert(value);
            }
            each(Entry { seq, kind: Kind::Outcome, fields });
        }
    }
}

fn picked(fields: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    names.iter().filter_map(|name| Some(((*name).to_owned(), fields.get(*name)?.clone()))).collect()
}

/// The fields of one stage, or of each stage that a letter stands for.
fn said(item: &Value) -> Vec<Map<String, Value>> {
    let letters = item.as_str().unwrap_or_default().chars().filter_map(meaning);
    let passed = letters.map(|(stage, verdict)| {
        [("stage", stage.name()), ("verdict", verdict.name())].map(|(name, word)| (name.to_owned(), word.into()))
    });
    passed.map(Map::from_iter).chain(item.as_object().cloned()).collect()
}

/// A raw line and its position.
pub(super) struct Raw {
    pub(super) file: PathBuf,
    pub(super) number: u64,
    pub(super) line: String,
    pub(super) whole: bool,
}

/// The rotated files, oldest first.
pub(super) fn put_aside(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("audit.")?.strip_suffix(".jsonl"));
        if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
            files.push(directory.join(name));
        }
    }
    files.sort();
    Ok(files)
}

/// The same; none if there is no such directory.
pub(super) fn put_aside_if_any(directory: &Path) -> Result<Vec<PathBuf>, AuditError> {
    match put_aside(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        files => files.map_err(|source| AuditError::new("read", directory, source)),
    }
}

/// A file of the log by its name alone.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Each line with its line break, if it has one. A line that is too long comes in pieces.
pub(super) fn lines_of(mut reader: impl BufRead, mut each: impl FnMut(&[u8])) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    while reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes)? > 0 {
        each(&bytes);
        bytes.clear();
    }
    Ok(())
}

/// Every line of every file, in order.
pub(super) fn raw(directory: &Path, mut each: impl FnMut(Raw)) -> Result<usize, AuditError> {
    let failed = |path: &Path, source| AuditError::new("read", path, source);
    let mut files = put_aside_if_any(directory)?;
    let current = directory.join(CURRENT);
    if current.exists() {
        files.push(current);
    }
    for path in &files {
        let file = File::open(path).map_err(|source| failed(path, source))?;
        let mut number = 0;
        lines_of(BufReader::new(file), |bytes| {
            number += 1;
            let line = bytes.strip_suffix(b"\n");
            let whole = line.is_some();
            let line = String::from_utf8_lossy(line.unwrap_or(bytes)).into_owned();
            each(Raw { file: path.clone(), number, line, whole });
        })
        .map_err(|source| failed(path, source))?;
    }
    Ok(files.len())
}

/// Every line that can be read, oldest first.
///
/// # Errors
/// A file that cannot be read at all. Invalid lines are left out: [`verify`](super::verify()) names them.
pub fn entries(directory: &Path, mut each: impl FnMut(Entry)) -> Result<(), AuditError> {
    raw(directory, |raw| {
        if let Some(line) = Line::read(&raw.line) {
            line.each(&mut each);
        }
    })
    .map(drop)
}
