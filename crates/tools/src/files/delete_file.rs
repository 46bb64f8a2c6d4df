//! Deleting a file, and a directory with all that is in it when that is asked for.
//!
//! Whether anything may be deleted at all is asked before anything else, so that the refusal is the same for a path that
//! exists and one that does not. A link is deleted itself; what it names stays.

use super::change::{self, Delta, Plan};
use super::content::find;
use super::missing::with_help;
use super::shown::shown;
use crate::edit::diff;
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{CanonicalPath, Claims, Effect, ErrorKind};
use palanca_core::ports::{Change, EntryKind, Expect, FileErrorKind, FilesHandle, Flow, Visit, WalkOptions};
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};
use parking_lot::Mutex;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files of a deleted directory that a preview names.
const NAMED: usize = 200;

/// What a directory with content means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directories {
    /// It is not deleted.
    Refuse,
    /// It is deleted with all that is in it.
    WithContent,
}

pub(crate) struct DeleteFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) directories: Directories,
    pub(crate) options: &'a ToolOptions,
}

struct Report {
    path: CanonicalPath,
    kind: EntryKind,
    /// Files that go: 1, or those in the directory.
    files: usize,
}

/// The error that says that deleting is switched off.
pub(crate) fn disabled() -> ToolError {
    ToolError::new(ErrorKind::Disabled, Message::new("delete-disabled-reason"))
        .with_output(Message::new("delete-disabled"))
}

impl Operation for DeleteFile<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        if !self.options.allow_delete {
            return Err(disabled());
        }
        Ok(Effect::Delete(self.path.to_owned()).into())
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        Ok(Some(self.plan(files)?.preview()))
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let plan = change::commit(cx.files(), || self.plan(cx.files()))?;
        let Report { path, kind, files } = plan.report;
        let text = match kind {
            EntryKind::Directory => {
                Message::new("delete-done-directory").with("path", shown(&path)).with("files", files)
            }
            _ => Message::new("delete-done").with("path", shown(&path)),
        };
        let data = json!({"path": path.to_string(), "kind": kind, "files": files});
        Ok(Output::text(text).with_data(data).with_diff(plan.diff))
    }
}

impl DeleteFile<'_> {
    fn plan(&self, files: &FilesHandle) -> Result<Plan<Report>, ToolError> {
        let path = files.locate_entry(self.path)?;
        if path.relative().as_os_str().is_empty() {
            return Err(ToolError::new(ErrorKind::Protected, Message::new("delete-workspace")));
        }
        let info = files.info(&path).map_err(|error| with_help(files, &path, error))?;
        match info.kind {
            EntryKind::Directory => self.directory(files, path),
            EntryKind::File => self.file(files, path),
            EntryKind::Link | EntryKind::Special => Ok(alone(path, info.kind, Expect::Anything)),
        }
    }

    fn file(&self, files: &FilesHandle, path: CanonicalPath) -> Result<Plan<Report>, ToolError> {
        let found = find(files, &path, self.options.max_edit_bytes)?;
        let mut plan = alone(path, EntryKind::File, found.expect());
        if let Some(text) = found.text() {
            let gone = diff::unified(&plan.report.path.to_string(), Some(text), None);
            plan.diff = gone.text;
            plan.deltas = vec![Delta::of(gone.stat)];
        }
        Ok(plan)
    }

    fn directory(&self, files: &FilesHandle, path: CanonicalPath) -> Result<Plan<Report>, ToolError> {
        if self.directories == Directories::Refuse {
            let error = palanca_core::ports::FileError::new(FileErrorKind::IsDirectory, path.to_string());
            return Err(with_help(files, &path, error));
        }
        let (count, first) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
        let everything = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Show, hidden: Visit::Show };
        files.walk(&path, everything, &|entry| {
            if entry.kind != EntryKind::Directory {
                count.fetch_add(1, Ordering::Relaxed);
                let mut first = first.lock();
                first.insert(entry.path.display().to_string());
                if first.len() > NAMED {
                    first.pop_last();
                }
            }
            Flow::Continue
        })?;
        let mut plan = alone(path, EntryKind::Directory, Expect::Anything);
        plan.report.files = count.into_inner();
        plan.diff = first
            .into_inner()
            .iter()
            .map(|name| format!("--- a/{}\n+++ /dev/null\n", super::shown::one_line(name)))
            .collect();
        Ok(plan)
    }
}

fn alone(path: CanonicalPath, kind: EntryKind, expect: Expect) -> Plan<Report> {
    Plan {
        changes: vec![Change::Delete { path: path.clone(), expect }],
        diff: String::new(),
        deltas: Vec::new(),
        report: Report { path, kind, files: 1 },
    }
}
