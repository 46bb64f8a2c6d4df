//! Changing one piece of a file: the piece must be there exactly, and once unless all are meant.

use super::diff;
use super::nearest::{NearMiss, Why};
use super::replace::{Occurrence, ReplaceError, Replaced, replace};
use crate::files::{Delta, Found, Plan, binary, commit, find, shown, too_large, with_help};
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{CanonicalPath, Claims, Effect, ErrorKind, WriteKind};
use palanca_core::ports::{Change, FileError, FileErrorKind, FilesHandle};
use palanca_core::{Message, Output, Preview, Text, ToolCx, ToolError};
use serde_json::json;

pub(crate) struct EditFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) occurrence: Occurrence,
    pub(crate) words: Words,
    pub(crate) options: &'a ToolOptions,
}

/// The names of the arguments as errors have them, and the sentences that differ.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) old: &'static str,
    pub(crate) new: &'static str,
    /// The argument that means every occurrence, where there is one.
    pub(crate) all: Option<&'static str>,
    /// Said when there is nothing to look for.
    pub(crate) empty_old: &'static str,
    /// Said when it is done.
    pub(crate) done: &'static str,
    /// The line above the diff.
    pub(crate) heading: Option<&'static str>,
}

struct Report {
    path: CanonicalPath,
    count: usize,
    first_line: usize,
    stat: diff::Stat,
}

impl Operation for EditFile<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        Ok(Effect::WriteFile { path: self.path.to_owned(), kind: WriteKind::Edit }.into())
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        Ok(Some(self.plan(files)?.preview()))
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let plan = commit(cx.files(), || self.plan(cx.files()))?;
        Ok(self.say(plan))
    }
}

impl EditFile<'_> {
    fn plan(&self, files: &FilesHandle) -> Result<Plan<Report>, ToolError> {
        let path = files.locate(self.path)?;
        let found = find(files, &path, self.options.max_edit_bytes).map_err(|error| with_help(files, &path, error))?;
        let expect = found.expect();
        let (text, form) = match found {
            Found::Text { text, form, .. } => (text, form),
            Found::Nothing => {
                let error = FileError::new(FileErrorKind::NotFound, path.to_string());
                return Err(with_help(files, &path, error));
            }
            Found::Binary { bytes } => return Err(binary(&path, bytes.len() as u64)),
            Found::TooLarge { size } => {
                return Err(too_large(&path, size, self.options.max_edit_bytes));
            }
        };
        let Replaced { text: after, count, first_line } =
            replace(&text, self.old, self.new, self.occurrence).map_err(|error| self.explain(&shown(&path), error))?;
        let changed = diff::unified(&path.to_string(), Some(&text), Some(&after));
        let content = form.encode(&after, &path)?;
        Ok(Plan {
            changes: vec![Change::Write { path: path.clone(), content, expect, mode: None }],
            diff: changed.text,
            deltas: vec![Delta::of(changed.stat)],
            report: Report { path, count, first_line, stat: changed.stat },
        })
    }

    fn say(&self, plan: Plan<Report>) -> Output {
        let Report { path, count, first_line, stat } = plan.report;
        let done = Text::from(
            Message::new(self.words.done).with("path", shown(&path)).with("count", count).with("line", first_line),
        );
        let text = match self.words.heading {
            Some(heading) => done.paragraph(Message::new(heading)).line(plan.diff.as_str()),
            None => done.paragraph(plan.diff.as_str()),
        };
        let data = json!({
            "path": path.to_string(),
            "replacements": count,
            "first_line": first_line,
            "added": stat.added,
            "removed": stat.removed,
        });
        Output::text(text).with_data(data).with_diff(plan.diff)
    }

    fn explain(&self, path: &str, error: ReplaceError) -> ToolError {
        let Words { old, new, all, empty_old, .. } = self.words;
        let says = |key| Message::new(key).with("path", path).with("old", old);
        let invalid = |message| ToolError::new(ErrorKind::InvalidArguments, message);
        let conflict = |message| ToolError::new(ErrorKind::Conflict, message);
        match error {
            ReplaceError::EmptyOld => invalid(says(empty_old)),
            ReplaceError::NoChange => invalid(says("edit-no-change").with("new", new)),
            ReplaceError::NotFound { nearest: None } => conflict(says("edit-not-found")),
            ReplaceError::NotFound { nearest: Some(NearMiss { line, text, why, .. }) } => {
                conflict(says("edit-not-found-near").with("line", line).with("why", difference(why)).with("text", text))
            }
            ReplaceError::NotUnique { count, lines } => {
                let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
                let message = match all {
                    Some(all) => says("edit-not-unique-or-all").with("all", all),
                    None => says("edit-not-unique"),
                };
                conflict(message.with("count", count).with("lines", lines.join(", ")))
            }
        }
    }
}

/// The variant that the catalogue's sentence chooses by.
const fn difference(why: Why) -> &'static str {
    match why {
        Why::Whitespace => "whitespace",
        Why::Indentation => "indentation",
        Why::Case => "case",
        Why::Lookalikes => "lookalikes",
        Why::LineNumbers => "line-numbers",
        Why::Escapes => "escapes",
        Why::Several => "several",
        Why::Wording => "wording",
    }
}
