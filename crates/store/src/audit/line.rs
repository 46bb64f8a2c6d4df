//! One line: `{"hash":"…","prev":"…","seq":1,"kind":"…",…}`. The hash covers everything after it, to the end of the
//! line.
//!
//! A line is serialised outside the lock; only its position in the chain is added under the lock. Buffers are reused,
//! because a call writes six lines and takes only microseconds.

use data_encoding::HEXLOWER;
use palanca_core::call::Digest;
use palanca_core::ports::{Record, StageRecord};
use serde::Serialize;
use std::io::Write as _;

/// Before the hash, and between it and what it covers.
const BEFORE: &str = "{\"hash\":\"";
const AFTER: &str = "\",";
/// Hexadecimal digits of a hash.
const HEX: usize = 64;

/// The hash of a line, as hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash([u8; HEX]);

impl Hash {
    /// The previous hash in the very first line.
    pub(super) const GENESIS: Self = Self([b'0'; HEX]);

    fn of(bytes: &[u8]) -> Self {
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
    /// JSON objects without their opening braces.
    json: Vec<u8>,
    /// Where each ends, and what it opens.
    each: Vec<(usize, Opens)>,
}

/// A run that begins names its process, so that an interrupted run can be distinguished from a running one.
#[derive(Serialize)]
struct Begun<'a> {
    #[serde(flatten)]
    record: &'a StageRecord<'a>,
    pid: u32,
    started: u64,
}

/// An outcome, and where the call ran.
#[derive(Serialize)]
struct Placed<'a> {
    #[serde(flatten)]
    record: &'a Record<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace: Option<&'a str>,
}

/// An event of the log itself.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Note<'a> {
    /// The file before this one.
    Rotated { file: &'a str },
    /// The line before this one is incomplete.
    Torn { bytes: u64 },
    /// Lines without a head were found; this many bytes of them are in the current file.
    HeadLost { bytes: u64 },
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

    /// `opens` counts at the beginning of a run if its end is in a later write.
    pub(super) fn stage(&mut self, record: &StageRecord<'_>, opens: Opens) {
        if super::begins(record) {
            let (pid, started) = super::orphans::ourselves();
            self.push("stage", &Begun { record, pid, started }, opens);
        } else {
            self.push("stage", record, Opens::None);
        }
    }

    /// The outcome. Only a call that began to run closes a run.
    pub(super) fn outcome(&mut self, record: &Record<'_>, workspace: Option<&str>, opens: Opens) {
        self.push("outcome", &Placed { record, workspace }, opens);
    }

    pub(super) fn note(&mut self, note: &Note<'_>) {
        let (kind, opens) = match note {
            Note::Rotated { .. } => ("rotated", Opens::None),
            Note::Torn { .. } => ("torn", Opens::None),
            Note::HeadLost { .. } => ("head_lost", Opens::None),
            Note::Interrupted { .. } => ("interrupted", Opens::Closes),
        };
        self.push(kind, note, opens);
    }

    fn push(&mut self, kind: &str, fields: &impl Serialize, opens: Opens) {
        self.json.extend_from_slice(b"\"kind\":\"");
        self.json.extend_from_slice(kind.as_bytes());
        self.json.push(b'"');
        let brace = self.json.len();
        // ignored: writing to memory cannot fail, and every part of a record is JSON.
        let _ = serde_json::to_writer(&mut self.json, fields);
        // The object continues after the kind.
        if let Some(first) = self.json.get_mut(brace) {
            *first = b',';
        }
        self.each.push((self.json.len(), opens));
    }
}

/// Appends the line with this body to `lines` and returns its hash.
pub(super) fn chain(body: &[u8], prev: Hash, seq: u64, lines: &mut Vec<u8>) -> Hash {
    lines.extend_from_slice(BEFORE.as_bytes());
    let place = lines.len();
    lines.extend_from_slice(&Hash::GENESIS.0);
    lines.extend_from_slice(AFTER.as_bytes());
    let covered = lines.len();
    // ignored: writing to memory cannot fail.
    let _ = write!(lines, "\"prev\":\"{}\",\"seq\":{seq},", prev.as_str());
    lines.extend_from_slice(body);
    let hash = Hash::of(lines.get(covered..).unwrap_or_default());
    if let Some(place) = lines.get_mut(place..place + HEX) {
        place.copy_from_slice(&hash.0);
    }
    lines.push(b'\n');
    hash
}

/// A line's stated hash, and whether it is correct.
pub(super) fn hash_of(line: &str) -> Option<(Hash, bool)> {
    let rest = line.strip_prefix(BEFORE)?;
    let (hash, covered) = (Hash::parse(rest.get(..HEX)?)?, rest.get(HEX..)?.strip_prefix(AFTER)?);
    Some((hash, Hash::of(covered.as_bytes()) == hash))
}
