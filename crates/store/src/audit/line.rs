//! One line: `{"hash":"…","prev":"…","seq":1,"kind":"…",…}`. The hash is that of everything after it, to the end of the line.

use palanca_core::call::Digest;
use palanca_core::ports::{Record, StageRecord};
use serde::Serialize;

/// Before the hash, and between it and what it covers.
const BEFORE: &str = "{\"hash\":\"";
const AFTER: &str = "\",";
/// Hexadecimal digits of a hash.
pub(super) const HEX: usize = 64;
/// What the first line of all names as the hash before it.
pub(super) const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// How a line changes the number of runs that have begun and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    One,
    None,
    Closes,
}

/// What a line says, without its place in the chain.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// A JSON object without its first brace.
    json: String,
    pub(super) opens: Opens,
}

/// A run that begins says whose it is, so that one that never ends can be told from one that is under way.
#[derive(Serialize)]
struct Begun<'a> {
    #[serde(flatten)]
    record: &'a StageRecord<'a>,
    pid: u32,
    started: u64,
}

/// What the log says of itself.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Note<'a> {
    /// The file before this one.
    Rotated { file: &'a str },
    /// The line before this one is not whole.
    Torn { bytes: u64 },
    /// A run whose process died.
    Interrupted { session: &'a str, call: &'a str, tool: &'a str },
}

impl Body {
    pub(super) fn stage(record: &StageRecord<'_>) -> Self {
        if record.verdict == "begin" {
            let (pid, started) = super::orphans::ourselves();
            return Self { json: tagged("stage", &Begun { record, pid, started }), opens: Opens::One };
        }
        Self { json: tagged("stage", record), opens: Opens::None }
    }

    /// The outcome. Only that of a call that came to its run closes one.
    pub(super) fn outcome(record: &Record<'_>, opens: Opens) -> Self {
        Self { json: tagged("outcome", record), opens }
    }

    pub(super) fn note(note: &Note<'_>) -> Self {
        let opens = if matches!(note, Note::Interrupted { .. }) { Opens::Closes } else { Opens::None };
        let json = serde_json::to_string(note).unwrap_or_default();
        Self { json: json.get(1..).unwrap_or("}").to_owned(), opens }
    }

    /// Appends the line to `text` and returns its hash.
    pub(super) fn chain(&self, prev: &str, seq: u64, text: &mut String) -> String {
        let covered = format!("\"prev\":\"{prev}\",\"seq\":{seq},{}", self.json);
        let hash = Digest::of_bytes(covered.as_bytes()).to_hex();
        text.reserve(BEFORE.len() + HEX + AFTER.len() + covered.len() + 1);
        text.extend([BEFORE, &hash, AFTER, &covered, "\n"]);
        hash
    }
}

fn tagged(kind: &str, record: &impl Serialize) -> String {
    let json = serde_json::to_string(record).unwrap_or_default();
    format!("\"kind\":\"{kind}\",{}", json.get(1..).unwrap_or("}"))
}

/// A line's hash, and whether it is that of the line.
pub(super) fn hash_of(line: &str) -> Option<(&str, bool)> {
    let rest = line.strip_prefix(BEFORE)?;
    let (hash, covered) = (rest.get(..HEX)?, rest.get(HEX..)?.strip_prefix(AFTER)?);
    Some((hash, Digest::of_bytes(covered.as_bytes()).to_hex() == hash))
}
