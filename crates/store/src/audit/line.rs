//! One line: `{"hash":"…","seq":1,…}`. The hash covers the line itself, with the hash of the line before it in its own place.
//!
//! So a line proves all lines before it without repeating a hash. A line without a `kind` is the record of a call: its
//! outcome, and the stages that it passed since its last record as letters; only a stage that says more is an object. A line is
//! serialised outside the lock; only its position in the chain is added under the lock.

use data_encoding::HEXLOWER;
use palanca_core::call::{Digest, Stage};
use palanca_core::ports::{Record, StageDecision, StageRecord};
use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};
use std::io::Write as _;

/// Before the hash, and after it.
const BEFORE: &str = "{\"hash\":\"";
const AFTER: &str = "\",";
/// Hexadecimal digits of a hash.
const HEX: usize = 64;

/// The letters of stages that have nothing more to say.
const LETTERS: [(char, Stage, StageDecision); 8] = [
    ('r', Stage::Resolve, StageDecision::Allow),
    ('v', Stage::Validate, StageDecision::Allow),
    ('g', Stage::Guardrails, StageDecision::Allow),
    ('h', Stage::PreHooks, StageDecision::Allow),
    ('c', Stage::Confirm, StageDecision::Allow),
    ('d', Stage::DryRun, StageDecision::Allow),
    ('x', Stage::Execute, StageDecision::Begin),
    ('p', Stage::PostHooks, StageDecision::Allow),
];

/// The stage and the verdict that a letter stands for.
pub(super) fn meaning(letter: char) -> Option<(Stage, StageDecision)> {
    LETTERS.iter().find(|(known, ..)| *known == letter).map(|(_, stage, verdict)| (*stage, *verdict))
}

fn letter(record: &StageRecord<'_>) -> Option<char> {
    let is_plain = record.rule.is_none() && record.evidence.is_none();
    let found = LETTERS.iter().find(|(_, stage, verdict)| (*stage, *verdict) == (record.stage, record.verdict));
    found.filter(|_| is_plain).map(|(letter, ..)| *letter)
}

/// The hash of a line, as hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash([u8; HEX]);

impl Hash {
    /// The hash before the very first line.
    pub(super) const GENESIS: Self = Self([b'0'; HEX]);

    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut digits = [0; HEX];
        HEXLOWER.encode_mut(Digest::of_bytes(bytes).as_bytes(), &mut digits);
        Self(digits)
    }

    /// None for text that cannot be a hash. Only its length is checked: a wrong one matches no line.
    pub(super) fn parse(text: &str) -> Option<Self> {
        text.as_bytes().try_into().ok().map(Self)
    }

    pub(super) fn as_str(&self) -> &str {
        // Always text: `of` produces digits, and `parse` accepts text.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// How a line changes the number of unfinished runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    One,
    None,
    Closes,
}

/// The bodies of lines, concatenated, without their positions in the chain.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// JSON objects with a comma for their opening brace.
    json: Vec<u8>,
    /// Where each ends, and what it opens.
    each: Vec<(usize, Opens)>,
}

/// The stages that a call passed since its last record.
#[derive(Serialize)]
struct Passed<'a> {
    #[serde(skip_serializing_if = "Stages::is_empty")]
    stages: Stages<'a>,
    /// A run that begins names its process, so that an interrupted run can be distinguished from a running one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<u64>,
}

/// A call that has not ended.
#[derive(Serialize)]
struct Open<'a> {
    at_ms: u64,
    session: &'a str,
    call: &'a str,
    tool: &'a str,
    #[serde(flatten)]
    passed: Passed<'a>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    effects: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
}

/// A call that has ended, and where it ran.
#[derive(Serialize)]
struct Ended<'a> {
    #[serde(flatten)]
    record: &'a Record<'a>,
    #[serde(flatten)]
    passed: Passed<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace: Option<&'a str>,
}

/// Letters, as many as follow each other in one text, and objects.
struct Stages<'a>(&'a [StageRecord<'a>]);

/// What a stage says that no letter stands for.
#[derive(Serialize)]
struct Said<'a> {
    stage: Stage,
    verdict: StageDecision,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
}

impl Stages<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Stages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(None)?;
        let mut letters = String::new();
        for record in self.0 {
            if let Some(letter) = letter(record) {
                letters.push(letter);
                continue;
            }
            if !letters.is_empty() {
                items.serialize_element(&std::mem::take(&mut letters))?;
            }
            let StageRecord { stage, verdict, rule, evidence, .. } = *record;
            items.serialize_element(&Said { stage, verdict, rule, evidence })?;
        }
        if !letters.is_empty() {
            items.serialize_element(&letters)?;
        }
        items.end()
    }
}

impl<'a> Passed<'a> {
    fn of(stages: &'a [StageRecord<'a>]) -> Self {
        let process = begun(stages).map(|_| super::orphans::ourselves());
        Self { stages: Stages(stages), pid: process.map(|(pid, _)| pid), started: process.map(|(_, started)| started) }
    }
}

/// The stage at which the run itself begins.
pub(super) fn begun<'a>(stages: &'a [StageRecord<'a>]) -> Option<&'a StageRecord<'a>> {
    stages.iter().find(|stage| stage.verdict == StageDecision::Begin)
}

/// An event of the log itself.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Note<'a> {
    /// The file before this one, and the hash of its last line.
    Rotated { file: &'a str, after: &'a str },
    /// The line before this one is incomplete.
    Torn { bytes: u64 },
    /// Lines without a head were found; this many bytes of them are in the current file.
    HeadLost { bytes: u64 },
    /// Closed files that are kept no longer, up to this one.
    Removed { file: &'a str },
    /// A run whose process died.
    Interrupted { session: &'a str, call: &'a str, tool: &'a str },
}

impl Bodies {
    pub(super) fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.json.clear();
        self.each.clear();
    }

    /// Every body, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], Opens)> {
        let mut start = 0;
        self.each.iter().filter_map(move |(end, opens)| {
            let body = self.json.get(std::mem::replace(&mut start, *end)..*end)?;
            Some((body, *opens))
        })
    }

    /// Stages of a call that goes on.
    pub(super) fn open(&mut self, stages: &[StageRecord<'_>]) {
        let Some(&StageRecord { at_ms, session, call, tool, .. }) = stages.first() else { return };
        let begun = begun(stages);
        let opens = if begun.is_some() { Opens::One } else { Opens::None };
        let (effects, digest) = begun.map_or((&[] as &[_], None), |begun| (begun.effects, begun.digest));
        self.push(&Open { at_ms, session, call, tool, passed: Passed::of(stages), effects, digest }, opens);
    }

    /// The outcome of a call, and the stages since its last record.
    pub(super) fn ended(&mut self, stages: &[StageRecord<'_>], record: &Record<'_>, place: Option<&str>, opens: Opens) {
        self.push(&Ended { record, passed: Passed::of(stages), workspace: place }, opens);
    }

    pub(super) fn note(&mut self, note: &Note<'_>) {
        let opens = if matches!(note, Note::Interrupted { .. }) { Opens::Closes } else { Opens::None };
        self.push(note, opens);
    }

    fn push(&mut self, fields: &impl Serialize, opens: Opens) {
        let brace = self.json.len();
        // ignored: writing to memory cannot fail, and every part of a record is JSON.
        let _ = serde_json::to_writer(&mut self.json, fields);
        // The object continues after its place in the chain.
        if let Some(first) = self.json.get_mut(brace) {
            *first = b',';
        }
        self.each.push((self.json.len(), opens));
    }
}

/// Appends the line with this body to `lines` and returns its hash.
pub(super) fn chain(body: &[u8], prev: Hash, seq: u64, lines: &mut Vec<u8>) -> Hash {
    let start = lines.len();
    // ignored: writing to memory cannot fail.
    let _ = write!(lines, "{BEFORE}{}{AFTER}\"seq\":{seq}", prev.as_str());
    lines.extend_from_slice(body);
    let line = lines.get_mut(start..).unwrap_or_default();
    let hash = Hash::of(line);
    if let Some(place) = line.get_mut(BEFORE.len()..BEFORE.len() + HEX) {
        place.copy_from_slice(&hash.0);
    }
    lines.push(b'\n');
    hash
}

/// A line's stated hash, and what follows it.
pub(super) fn hash_of(line: &str) -> Option<(Hash, &str)> {
    let rest = line.strip_prefix(BEFORE)?;
    Some((Hash::parse(rest.get(..HEX)?)?, rest.get(HEX..)?.strip_prefix(AFTER)?))
}

/// The hash that a line must have after one with the hash `prev`.
pub(super) fn hash_after(prev: Hash, rest: &str) -> Hash {
    Hash::of(format!("{BEFORE}{}{AFTER}{rest}", prev.as_str()).as_bytes())
}
