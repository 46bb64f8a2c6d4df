//! How every writing tool changes files: first a plan, then the same plan is shown or committed.
//!
//! A preview and a run share the planning, so what a person agreed to is what happens. Each planned change expects the
//! content that it was planned on; when another process was faster, the plan is made again.

use crate::edit::diff::Stat;
use palanca_core::ports::{Change, FileErrorKind, FilesHandle};
use palanca_core::tool::FileDelta;
use palanca_core::{Preview, ToolError};

/// Plans that may be overtaken by other processes before the tool gives up.
const ATTEMPTS: usize = 5;

/// What a tool would do to the workspace.
#[derive(Debug)]
pub(crate) struct Plan<R> {
    /// The changes; none when everything is as wanted already.
    pub(crate) changes: Vec<Change>,
    /// The same as a unified diff.
    pub(crate) diff: String,
    /// What each change means in lines, in the order of the changes; may end early.
    pub(crate) deltas: Vec<Delta>,
    /// What the tool wants to say about it.
    pub(crate) report: R,
}

/// One change in lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta {
    /// Lines that come.
    pub(crate) added: usize,
    /// Lines that go.
    pub(crate) removed: usize,
    /// The content of a file that only gets another name.
    pub(crate) moved: Option<Vec<u8>>,
}

impl Delta {
    pub(crate) const fn of(stat: Stat) -> Self {
        Self { added: stat.added, removed: stat.removed, moved: None }
    }
}

impl<R> Plan<R> {
    /// The plan as something to show.
    pub(crate) fn preview(self) -> Preview {
        let mut deltas = self.deltas.into_iter();
        let mut files = Vec::with_capacity(self.changes.len());
        for change in self.changes {
            let Delta { added, removed, moved } = deltas.next().unwrap_or_default();
            let delta = |path, after| FileDelta { path, from: None, added, removed, before: None, after };
            match change {
                Change::Write { path, content, .. } => files.push(delta(path, Some(content))),
                Change::Delete { path, .. } => files.push(delta(path, None)),
                Change::Move { from, to } => {
                    files.push(delta(from, None));
                    files.push(delta(to, moved));
                }
                Change::MakeDirectory { .. } => {}
            }
        }
        Preview { diff: self.diff, files }
    }
}

/// Makes the plan and carries it out; again, when a file changed in between.
pub(crate) fn commit<R>(
    files: &FilesHandle,
    plan: impl Fn() -> Result<Plan<R>, ToolError>,
) -> Result<Plan<R>, ToolError> {
    let mut attempt = 1;
    loop {
        let planned = plan()?;
        if planned.changes.is_empty() {
            return Ok(planned);
        }
        match files.commit(&planned.changes) {
            Ok(_) => return Ok(planned),
            Err(error) if error.kind == FileErrorKind::Changed && attempt < ATTEMPTS => {
                attempt += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
