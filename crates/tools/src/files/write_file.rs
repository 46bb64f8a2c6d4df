//! Writing a whole file, or adding to its end.
//!
//! An existing text file keeps its encoding, its byte order mark and, when all its lines end in CRLF and the new content
//! has LF only, its line ends: a model that read the file never saw them. Everything else is written as given.

use super::change::{self, Delta, Plan};
use super::content::{Found, TextForm, find, too_large};
use super::missing::with_help;
use super::shown::shown;
use crate::edit::diff;
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{CanonicalPath, Claims, Effect, WriteKind};
use palanca_core::ports::{Change, FileErrorKind, FilesHandle};
use palanca_core::{Message, Output, Preview, Text, ToolCx, ToolError};
use serde_json::json;
use std::borrow::Cow;

/// What happens to content that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, palanca_derive::Args)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WriteMode {
    // It is replaced.
    Overwrite,
    // It stays, and the new content follows it.
    Append,
}

pub(crate) struct WriteFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) content: &'a str,
    pub(crate) mode: WriteMode,
    pub(crate) sentences: Sentences,
    pub(crate) options: &'a ToolOptions,
}

/// What is said of a file that was written as a whole, and of one that was as wanted.
#[derive(Clone, Copy)]
pub(crate) struct Sentences {
    /// Unset, the same as of any other: what the mode says.
    pub(crate) created: Option<&'static str>,
    pub(crate) overwritten: &'static str,
    pub(crate) appended: &'static str,
    pub(crate) unchanged: Unchanged,
}

/// How it is said that nothing was to be done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unchanged {
    /// Not at all: it reads as if it had been done.
    Hidden,
    /// In place of what was done.
    Instead,
    /// Below it.
    Below,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Did {
    Created,
    Overwrote,
    Appended,
    Nothing,
}

struct Report {
    path: CanonicalPath,
    did: Did,
    /// Bytes that were written: of the whole file, or those that were added.
    written: usize,
    /// Bytes of the whole file.
    size: usize,
}

impl Operation for WriteFile<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        let kind = match self.mode {
            WriteMode::Overwrite => WriteKind::Replace,
            WriteMode::Append => WriteKind::Append,
        };
        Ok(Effect::WriteFile { path: self.path.to_owned(), kind }.into())
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        Ok(Some(self.plan(files)?.preview()))
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let plan = change::commit(cx.files(), || self.plan(cx.files()))?;
        Ok(self.say(plan))
    }
}

impl WriteFile<'_> {
    fn plan(&self, files: &FilesHandle) -> Result<Plan<Report>, ToolError> {
        let path = files.locate(self.path)?;
        let limit = self.options.max_edit_bytes;
        let given = self.content.len() as u64;
        if given > limit {
            return Err(too_large(&path, given, limit));
        }
        let before = match find(files, &path, limit) {
            Ok(found) => found,
            Err(error) if error.kind == FileErrorKind::IsDirectory => {
                return Err(with_help(files, &path, error));
            }
            Err(error) => return Err(error.into()),
        };
        let addition = self.in_the_form_of(&before, &path)?;
        let added = addition.len();
        let content = match (self.mode, &before) {
            (WriteMode::Overwrite, _) | (_, Found::Nothing) => addition,
            (WriteMode::Append, Found::TooLarge { size }) => {
                return Err(too_large(&path, *size, limit));
            }
            (WriteMode::Append, found) => Cow::Owned([found.bytes().unwrap_or_default(), &addition].concat()),
        };
        let did = match (self.mode, &before) {
            (_, Found::Nothing) => Did::Created,
            (_, found) if found.bytes() == Some(&*content) => Did::Nothing,
            (WriteMode::Overwrite, _) => Did::Overwrote,
            (WriteMode::Append, _) => Did::Appended,
        };
        let written = if did == Did::Appended { added } else { content.len() };
        let shown_diff = self.diff(&path, &before, &content);
        let report = Report { written, size: content.len(), did, path: path.clone() };
        let expect = before.expect();
        // Large files: the old content goes before the new one is copied.
        drop(before);
        let changes = match did {
            Did::Nothing => Vec::new(),
            _ => vec![Change::Write { path, content: content.into_owned(), expect, mode: None }],
        };
        Ok(Plan { changes, deltas: vec![Delta::of(shown_diff.stat)], diff: shown_diff.text, report })
    }

    /// The content as bytes of the file's form. Nothing is lost for the form's sake: a whole content that the file's
    /// encoding cannot hold makes the file UTF-8.
    fn in_the_form_of(&self, before: &Found, path: &CanonicalPath) -> Result<Cow<'_, [u8]>, ToolError> {
        let as_given = || Cow::Borrowed(self.content.as_bytes());
        match (before.form(), self.mode) {
            (None, _) => Ok(as_given()),
            (Some(form), WriteMode::Overwrite) => Ok(form.encode_whole(self.content).unwrap_or_else(as_given)),
            (Some(form), WriteMode::Append) => form.encode_piece(self.content, path).map(Cow::Owned),
        }
    }

    /// What is not text, or too large to compare, has no diff.
    fn diff(&self, path: &CanonicalPath, before: &Found, after: &[u8]) -> diff::Diff {
        let name = path.to_string();
        let after = TextForm::decode(after).map(|(text, _)| text);
        match (before.text(), after) {
            (Some(before), Some(after)) => diff::unified(&name, Some(before), Some(&after)),
            (None, Some(after)) if matches!(before, Found::Nothing) => diff::unified(&name, None, Some(&after)),
            _ => diff::Diff::default(),
        }
    }

    fn say(&self, plan: Plan<Report>) -> Output {
        let Report { path, did, written, size } = plan.report;
        let name = shown(&path);
        let Sentences { created, overwritten, appended, unchanged } = self.sentences;
        let key = match (did, self.mode, created) {
            (Did::Created, _, Some(created)) => created,
            (Did::Nothing, _, _) if unchanged == Unchanged::Instead => "write-unchanged",
            (_, WriteMode::Append, _) => appended,
            (_, WriteMode::Overwrite, _) => overwritten,
        };
        let message = |key| Message::new(key).with("path", &name).with("bytes", written);
        let mut text = Text::from(message(key));
        if did == Did::Nothing && unchanged == Unchanged::Below {
            text = text.line(message("write-unchanged"));
        }
        let data = json!({
            "path": path.to_string(),
            "bytes": written,
            "size": size,
            "created": did == Did::Created,
            "changed": did != Did::Nothing,
        });
        Output::text(text).with_data(data).with_diff(plan.diff)
    }
}
