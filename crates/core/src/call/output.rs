//! A tool's output, and its preview of changes.

use super::CanonicalPath;
use super::part::{Part, PartError};
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
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::Output;
///
/// let output = Output::text("3 lines").with_data(serde_json::json!({"lines": 3}));
/// let page = Output::text("a page of the web").foreign("https://example.com");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// For the model.
    pub text: Text,
    /// The same as JSON, for programs.
    pub data: Option<Value>,
    /// Images, audio, links and resources beside the text, in order. See [`Part::MOST`] and [`Part::MAX_ALL`].
    pub parts: Vec<Part>,
    /// A unified diff of what changed.
    pub diff: Option<String>,
    /// Whether something was left out of the text.
    pub truncated: bool,
    /// Remarks about a text that is JSON; shown after it, one line each.
    pub notes: Vec<Message>,
    /// Who decided how much is in the text.
    pub extent: Extent,
    /// Where the text comes from.
    pub provenance: Provenance,
    /// The source in a few words of our own, for the mark around foreign text; the tool's name unless set.
    pub source: Option<String>,
}

impl Output {
    /// An output of only this text.
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

    /// Adds an image, audio, a link or a resource.
    #[must_use]
    pub fn with_part(mut self, part: impl Into<Part>) -> Self {
        self.parts.push(part.into());
        self
    }

    /// Adds a part that somebody else made; if it is none, a note says why, and the rest of the output stays.
    #[must_use]
    pub fn with_part_or_note(self, part: Result<Part, PartError>) -> Self {
        match part {
            Ok(part) => self.with_part(part),
            Err(error) => self.with_notes([error.message()]),
        }
    }

    /// Adds the diff of what changed.
    #[must_use]
    pub fn with_diff(mut self, diff: impl Into<String>) -> Self {
        self.diff = Some(diff.into());
        self
    }

    /// Declares the text foreign, so that it is marked before a model reads it. `source` names its origin.
    #[must_use]
    pub fn foreign(mut self, source: impl Into<String>) -> Self {
        self.provenance = Provenance::External;
        self.source = Some(source.into());
        self
    }

    /// Adds notes to a text that is JSON. For other texts, add lines to the text.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = Message>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Declares that the call chose how much is shown.
    #[must_use]
    pub fn chosen(mut self) -> Self {
        self.extent = Extent::Chosen;
        self
    }

    /// Declares that part of the text was left out.
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

/// Folders that git and build tools fill.
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

/// Whether a path belongs to git or a build tool, so that changing it does not count as an edit.
#[must_use]
pub fn is_of_tools(path: &Path) -> bool {
    path.iter().any(|name| OF_TOOLS.iter().any(|known| name == *known))
}

/// One file as it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDelta {
    /// The file; a folder if it was only renamed.
    pub path: CanonicalPath,
    /// The old name, if a program renamed it. Neither content is given then.
    pub from: Option<CanonicalPath>,
    /// Lines that would be added. For contents too large to be included, an estimate by their size.
    pub added: usize,
    /// Lines that would be removed.
    pub removed: usize,
    /// The previous content, for changes made by programs. None if nothing existed, and in a preview, whose diff shows
    /// it.
    pub before: Option<Vec<u8>>,
    /// The resulting content; none if the file would be removed.
    pub after: Option<Vec<u8>>,
}

impl FileDelta {
    /// Whether a file changed that does not belong to git or a build tool.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        self.names().any(|path| !is_of_tools(path.relative()))
    }

    /// Every name that is different now.
    pub fn names(&self) -> impl Iterator<Item = &CanonicalPath> {
        self.from.iter().chain([&self.path])
    }
}

/// `A new.txt`, `M changed.txt`, `D gone.txt`, `R old.txt -> new.txt`, always on one line.
impl fmt::Display for FileDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In a list, no name may look like several.
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
///
/// Returned by [`Tool::preview`](crate::Tool::preview), and shown in the question of the example
/// [`asker.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/asker.rs).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The change as a unified diff.
    pub diff: String,
    /// The files it touches.
    pub files: Vec<FileDelta>,
}
