//! What is kept of every call.

use crate::call::{Origin, Scope};
use serde::Serialize;
use serde_json::Value;

/// One ended call, as it is kept: one record a call, whatever happened.
#[derive(Debug, Serialize)]
pub struct Record<'a> {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The call's id.
    pub call: &'a str,
    /// The tool as asked for.
    pub tool: &'a str,
    /// Who asked.
    pub origin: &'a Origin,
    /// Where the call belongs.
    #[serde(flatten)]
    pub scope: &'a Scope,
    /// The arguments that ran; long strings are cut at 200 characters with their length.
    pub arguments: &'a Value,
    /// What it would do, as text.
    pub effects: &'a [String],
    /// SHA-256 of the checked arguments.
    pub digest: Option<String>,
    /// `done`, `refused`, `failed`, `stopped`, `parked`.
    pub outcome: &'static str,
    /// The error's code or the rule's id.
    pub code: Option<&'a str>,
    /// What only the operator may see of a failure.
    pub detail: Option<&'a str>,
    /// Bytes of text given back.
    pub output_bytes: usize,
    /// Whether nothing was really changed.
    pub dry_run: bool,
    /// From submission to return, in microseconds.
    pub duration_us: u64,
}

/// Keeps records.
pub trait Recorder: Send + Sync {
    /// Keeps one. A recorder that cannot write reports through [`Recorder::healthy`]; the call still ends.
    fn record(&self, record: &Record<'_>);

    /// Whether everything so far was kept.
    fn healthy(&self) -> bool {
        true
    }
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    fn record(&self, _record: &Record<'_>) {}
}
