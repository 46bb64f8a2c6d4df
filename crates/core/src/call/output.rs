//! A tool's output, and its preview of changes.

use super::CanonicalPath;
use crate::message::{Message, Text, on_one_line};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::path::Path;

/// Where the text of an output comes from: foreign text is marked before a model reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Our own words.
    Ours,
    /// Files of the workspace.
    #[default]
    Workspace,
    /// The network, a foreign tool, a message.
    External,
}

/// Who decided how much the text shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The tool: a conversation may shorten it to its allowance.
    #[default]
    Open,
    /// The call, which named a range or a page: a conversation shows all of it as long as there is room.
    Chosen,
}

/// A tool's success.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// For the model.
    pub text: Text,
    /// The same as JSON, where a program may want it.
    pub data: Option<Value>,
    /// A unified diff of what changed.
    pub diff: Option<String>,
    /// Whether something was left out of the text.
    pub truncated: bool,
    /// What the model must know beside a text that is JSON; shown after it, a line each.
    pub notes: Vec<Message>,
    /// Who decided how much is in the text.
    pub extent: Extent,
    /// Where the text comes from.
    pub provenance: Provenance,
    /// The same in a few words of our own, for the mark around foreign text; the tool's name unless set.
    pub source: Option<String>,
}

impl Output {
    /// An output of this text and nothing else.
    #[must_use]
    pub fn text(text: impl Into<Text>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds the result as JSON.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Adds the diff of what changed.
    #[must_use]
    pub fn with_diff(mut self, diff: impl Into<String>) -> Self {
        self.diff = Some(diff.into());
        self
    }

    /// Says that the text is not ours: it is marked before a model reads it. `source` names where it comes from.
    #[must_use]
    pub fn foreign(mut self, source: impl Into<String>) -> Self {
        self.provenance = Provenance::External;
        self.source = Some(source.into());
        self
    }

    /// Adds notes to a text that is JSON. Elsewhere they are lines of the text.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = Message>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Says that the call chose how much is shown.
    #[must_use]
    pub fn chosen(mut self) -> Self {
        self.extent = Extent::Chosen;
        self
    }

    /// Says that part of the text was left out.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        self.truncated = true;
        self
    }
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
impl From<&str> for Output {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}
impl From<Message> for Output {
    fn from(message: Message) -> Self {
        Self::text(message)
    }
}

/// Folders that git and build tools fill by themselves.
const OF_TOOLS: [&str; 13] = [
    ".git",
    ".gradle",
    ".mypy_cache",
    ".next",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".venv",
    "__pycache__",
    "dist",
    "node_modules",
    "target",
    "venv",
];

/// Whether a path lies where git or a build tool keeps what it makes, so that a program that changes it edits nothing.
#[must_use]
pub fn is_of_tools(path: &Path) -> bool {
    path.iter().any(|name| OF_TOOLS.iter().any(|known| name == *known))
}

/// One file as it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDelta {
    /// The file; a folder where it only got another name.
    pub path: CanonicalPath,
    /// The name that a program took from it. Neither content is given then.
    pub from: Option<CanonicalPath>,
    /// Lines that would be added. Of contents too large to be given, an estimate by their size.
    pub added: usize,
    /// Lines that would be removed.
    pub removed: usize,
    /// The content that was there: of changes that programs made. None where nothing was, and in a preview, whose diff
    /// says it.
    pub before: Option<Vec<u8>>,
    /// The content that would result; none when the file would be gone.
    pub after: Option<Vec<u8>>,
}

impl FileDelta {
    /// Whether somebody's own file changed, and not only what git or a build tool keeps.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        self.names().any(|path| !is_of_tools(path.relative()))
    }

    /// Every name that is different now.
    pub fn names(&self) -> impl Iterator<Item = &CanonicalPath> {
        self.from.iter().chain([&self.path])
    }
}

/// `A new.txt`, `M changed.txt`, `D gone.txt`, `R old.txt -> new.txt`, on one line whatever the names are.
impl fmt::Display for FileDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In a list, no name reads as several.
        let shown = |path: &CanonicalPath| match path.to_string() {
            name if name.contains([',', '"']) || name.contains(" -> ") => format!("{name:?}"),
            name => on_one_line(&name),
        };
        let letter = match (&self.from, &self.before, &self.after) {
            (Some(from), ..) => return write!(f, "R {} -> {}", shown(from), shown(&self.path)),
            (None, None, Some(_)) => 'A',
            (None, Some(_), None) => 'D',
            _ => 'M',
        };
        write!(f, "{letter} {}", shown(&self.path))
    }
}

/// What a call would change: for questions, for dry runs, for rules on content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The change as a unified diff.
    pub diff: String,
    /// The files it touches.
    pub files: Vec<FileDelta>,
}
