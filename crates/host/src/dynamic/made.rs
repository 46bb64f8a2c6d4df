//! One made tool, as it is and as people decided about it.

use super::approvals::{Decided, Decision};
use palanca_core::{Catalogue, Message};
use palanca_dynamic::{Analysis, Manifest, Parameters, analyse};
use palanca_tools::edit::diff;
use serde::Deserialize;
use serde_json::{Value, json};

/// Where a made tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has decided.
    Pending,
    /// It runs.
    Approved,
    /// A person said no.
    Rejected,
    /// It is other than what was approved: it does not run.
    Changed,
}

impl Standing {
    /// The word in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Changed => "changed",
        }
    }
}

/// A made tool.
#[derive(Clone, Debug)]
pub struct MadeTool {
    /// What its file says.
    pub manifest: Manifest,
    /// Its source.
    pub source: String,
    /// The hash of all that is approved.
    pub digest: String,
    /// Where it stands.
    pub standing: Standing,
    /// What was decided about it, the oldest first, since a tool of this name was last deleted.
    pub history: Vec<Decision>,
}

/// All made tools.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The oldest first.
    pub tools: Vec<MadeTool>,
    /// Folders that hold no tool that can be read, and why.
    pub unreadable: Vec<(String, Message)>,
}

/// What a person changes of a tool; what is None stays.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// Its description.
    pub description: Option<String>,
    /// Its source.
    pub source: Option<String>,
    /// Its parameters, as `create_tool` takes them.
    pub parameters: Option<Value>,
    /// Who has it.
    pub scope: Option<String>,
}

impl Patch {
    /// The source afterwards.
    pub(super) fn apply(self, manifest: &mut Manifest, source: &str) -> Result<String, Message> {
        if let Some(parameters) = &self.parameters {
            manifest.parameters = Parameters::read(parameters)?;
        }
        manifest.description = self.description.unwrap_or_else(|| manifest.description.clone());
        manifest.scope = self.scope.unwrap_or_else(|| manifest.scope.clone());
        Ok(self.source.unwrap_or_else(|| source.to_owned()))
    }
}

impl MadeTool {
    pub(super) fn new(manifest: Manifest, source: String, mut history: Vec<Decision>) -> Self {
        if let Some(last) = history.iter().rposition(|decision| decision.what == Decided::Deleted) {
            history.drain(..=last);
        }
        let digest = manifest.digest(&source).to_hex();
        let standing = match last_word(&history) {
            None => Standing::Pending,
            Some(last) if last.what == Decided::Rejected => Standing::Rejected,
            Some(last) if last.digest == digest => Standing::Approved,
            Some(_) => Standing::Changed,
        };
        Self { manifest, source, digest, standing, history }
    }

    /// What its source shows.
    #[must_use]
    pub fn analysis(&self) -> Analysis {
        analyse(&self.manifest, &self.source)
    }

    /// How often it was approved.
    #[must_use]
    pub fn version(&self) -> usize {
        self.history.iter().filter(|decision| decision.what == Decided::Approved).count()
    }

    /// What is other now than what was approved last, as a unified diff; all of it where nothing was.
    #[must_use]
    pub fn diff(&self) -> String {
        let approved = self.history.iter().rev().find(|decision| decision.what == Decided::Approved);
        let before = approved.and_then(|decision| decision.manifest.as_ref().zip(decision.source.as_ref()));
        let told = |manifest: &Manifest| format!("{:#}\n", manifest.approved());
        let (meta, source) = (before.map(|(manifest, _)| told(manifest)), before.map(|(_, source)| source.as_str()));
        let name = |file: &str| format!("{}/{file}", self.manifest.id);
        let meta = diff::unified(&name("meta.json"), meta.as_deref(), Some(&told(&self.manifest))).text;
        meta + &diff::unified(&name(self.manifest.kind.file()), source, Some(&self.source)).text
    }

    /// Why it is not called.
    #[must_use]
    pub fn why_not(&self) -> Option<Message> {
        let key = match self.standing {
            Standing::Approved => return None,
            Standing::Pending => "dynamic-is-pending",
            Standing::Rejected => "dynamic-is-rejected",
            Standing::Changed => "dynamic-is-changed",
        };
        let note = last_word(&self.history).and_then(|decision| decision.note.as_deref()).unwrap_or_default();
        Some(Message::new(key).with("name", self.manifest.name.as_str()).with("note", note))
    }

    /// The documented fields, with source, digest, standing, analysis, history and what has changed. Sentences are those of the catalogue.
    #[must_use]
    pub fn to_json(&self, catalogue: &dyn Catalogue) -> Value {
        let mut shown = serde_json::to_value(&self.manifest).unwrap_or_default();
        let Analysis { refused, findings } = self.analysis();
        let say = |message: &Message| catalogue.render(message);
        let history = self.history.iter().map(|Decision { at, what, digest, by, note, .. }| {
            json!({"at": at, "what": what, "digest": digest, "by": by, "note": note})
        });
        let status = match self.standing {
            Standing::Changed => Standing::Pending,
            other => other,
        };
        if let Some(shown) = shown.as_object_mut() {
            // What the file says of itself decides nothing.
            shown.insert("status".into(), status.name().into());
            shown.insert("standing".into(), self.standing.name().into());
            shown.insert("version".into(), self.version().into());
            shown.insert("digest".into(), self.digest.as_str().into());
            shown.insert("source".into(), self.source.as_str().into());
            shown.insert("refused".into(), refused.as_ref().map(say).into());
            shown.insert("analysis".into(), findings.iter().map(say).collect());
            shown.insert("history".into(), history.collect());
            shown.insert("diff".into(), self.diff().into());
        }
        shown
    }
}

/// The last yes or no; a change is neither.
fn last_word(history: &[Decision]) -> Option<&Decision> {
    history.iter().rev().find(|decision| decision.what != Decided::Changed)
}
