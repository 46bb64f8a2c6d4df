//! What people decided about made tools: one growing file a tool, in the state directory. The last line counts.

use super::now;
use crate::fault::{Fault, unusable};
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_dynamic::Manifest;
use palanca_files::StateDirectory;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder in the state directory.
const FOLDER: &str = "dynamic-tools";
/// Bytes of one tool's decisions: some hundred approvals.
const LARGEST: u64 = 16 << 20;
/// Digits of the store's place in a file's name.
const DIGITS: usize = 16;

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decided {
    /// It may run, as it was then.
    Approved,
    /// It may not.
    Rejected,
    /// A person changed it, so that it has to be approved again.
    Changed,
    /// It was removed: what comes under its name is another tool.
    Deleted,
}

impl Decided {
    /// The word in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }
}

/// A decision about a tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// When, in ISO 8601.
    pub at: String,
    /// What.
    pub what: Decided,
    /// Of what, as a hash.
    pub digest: String,
    /// Who decided, as the front end knows people.
    pub by: String,
    /// Why, for a rejection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// The source that was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Decision {
    pub(super) fn new(what: Decided, digest: &str, by: &str) -> Self {
        Self { at: now(), what, digest: digest.to_owned(), by: by.to_owned(), note: None, manifest: None, source: None }
    }
}

/// The decisions about the tools of one store. Without a state directory nothing was decided, and nothing can be.
#[derive(Clone)]
pub(super) struct Approvals {
    state: Option<Arc<Path>>,
    /// Names the store.
    place: Arc<str>,
}

impl Approvals {
    pub(super) fn new(state: Option<&Path>, store: &Path) -> Self {
        let place: PathBuf = store.components().collect();
        let digits = Digest::of_bytes(place.as_os_str().as_encoded_bytes()).to_hex();
        Self { state: state.map(Into::into), place: digits.get(..DIGITS).unwrap_or(&digits).into() }
    }

    fn name(&self, id: &str) -> String {
        format!("{}-{id}", self.place)
    }

    /// Those about one tool, the oldest first.
    ///
    /// # Errors
    /// The file is there and cannot be read in full: nothing that it says counts then.
    pub(super) fn of(&self, id: &str) -> Result<Vec<Decision>, Message> {
        let Some(state) = &self.state else { return Ok(Vec::new()) };
        let read = StateDirectory::open(state).and_then(|state| state.directory(FOLDER)?.read(&self.name(id), LARGEST));
        let text = match read {
            Ok(text) => text,
            Err(error) if error.is_not_found() => return Ok(Vec::new()),
            Err(error) => return Err(unusable(&error)),
        };
        let lines: Result<Vec<Decision>, _> = text.lines().map(serde_json::from_str).collect();
        lines.map_err(|error| {
            let path = state.join(FOLDER).join(self.name(id)).display().to_string();
            Message::new("dynamic-unreadable").with("path", path).with("reason", error.to_string())
        })
    }

    /// # Errors
    /// There is no state directory, or it cannot be written.
    pub(super) fn add(&self, id: &str, decision: &Decision) -> Result<(), Fault> {
        let state = self.state.as_ref().ok_or_else(|| Fault::said(Message::new("dynamic-no-state")))?;
        let log = StateDirectory::open(state)?.directory(FOLDER)?.log(&self.name(id))?;
        let line = serde_json::to_string(decision).map_err(Fault::usage)? + "\n";
        log.append(line.as_bytes()).map_err(Fault::usage)
    }
}
