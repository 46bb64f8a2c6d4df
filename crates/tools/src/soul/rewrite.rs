//! The change of one text file, of whatever is in it now.

use crate::edit::diff;
use crate::files::{Delta, Found, Plan, binary, commit, find, too_large, with_help};
use crate::operation::Operation;
use palanca_core::call::{Claims, Effect, WriteKind};
use palanca_core::ports::{Change, Expect, FilesHandle};
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};
use serde_json::json;

/// Bytes of such a file: what is longer is not read into a prompt either.
const LARGEST: u64 = 1 << 20;

pub(crate) struct Rewrite<F> {
    /// The file, from the workspace.
    pub(crate) path: String,
    /// Where its content is kept before.
    pub(crate) version: Option<String>,
    /// A folder that is read for it.
    pub(crate) reads: Option<String>,
    pub(crate) kind: WriteKind,
    /// The new text, and what is said of it.
    pub(crate) change: F,
}

impl<F> Rewrite<F>
where
    F: Fn(&FilesHandle, Option<&str>) -> Result<(String, Message), ToolError> + Send + Sync,
{
    fn plan(&self, files: &FilesHandle) -> Result<Plan<Message>, ToolError> {
        let path = files.locate(&self.path)?;
        let found = find(files, &path, LARGEST).map_err(|error| with_help(files, &path, error))?;
        let expect = found.expect();
        let before = match found {
            Found::Nothing => None,
            Found::Text { text, .. } => Some(text),
            Found::Binary { bytes } => return Err(binary(&path, bytes.len() as u64)),
            Found::TooLarge { size } => return Err(too_large(&path, size, LARGEST)),
        };
        let (after, report) = (self.change)(files, before.as_deref())?;
        if after.len() as u64 > LARGEST {
            return Err(too_large(&path, after.len() as u64, LARGEST));
        }
        if before.as_ref() == Some(&after) {
            return Ok(Plan { changes: Vec::new(), diff: String::new(), deltas: Vec::new(), report });
        }
        let shown = diff::unified(&path.to_string(), before.as_deref(), Some(&after));
        let mut changes = vec![Change::Write { path, content: after.into_bytes(), expect, mode: None }];
        if let (Some(version), Some(before)) = (&self.version, before) {
            let path = files.locate(version)?;
            changes.push(Change::Write { path, content: before.into_bytes(), expect: Expect::Absent, mode: None });
        }
        Ok(Plan { changes, diff: shown.text, deltas: vec![Delta::of(shown.stat)], report })
    }
}

impl<F> Operation for Rewrite<F>
where
    F: Fn(&FilesHandle, Option<&str>) -> Result<(String, Message), ToolError> + Send + Sync,
{
    fn claims(&self) -> Result<Claims, ToolError> {
        let write = |path: &String, kind| Effect::WriteFile { path: path.clone(), kind };
        let own = std::iter::once(write(&self.path, self.kind));
        let version = self.version.iter().map(|path| write(path, WriteKind::Replace));
        Ok(own.chain(version).chain(self.reads.iter().cloned().map(Effect::ReadTree)).collect())
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        Ok(Some(self.plan(files)?.preview()))
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let plan = commit(cx.files(), || self.plan(cx.files()))?;
        Ok(Output::text(plan.report).with_data(json!({"path": self.path})).with_diff(plan.diff))
    }
}
