//! Directories below a directory, as far as three levels, in path order. Ignored directories and those that the operator
//! set aside (`.git`) are left out.

use super::{directory, output, start};
use crate::operation::Operation;
use crate::options::ToolOptions;
use crate::search::unreadable;
use palanca_core::call::{CanonicalPath, Claims, Effect};
use palanca_core::ports::{EntryKind, Flow, Visit, WalkEntry, WalkOptions};
use palanca_core::{Output, ToolCx, ToolError};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(crate) struct ListDirs<'a> {
    pub(crate) path: &'a str,
    /// Levels below it, from 1.
    pub(crate) depth: usize,
    pub(crate) limit: usize,
    pub(crate) options: &'a ToolOptions,
}

impl Operation for ListDirs<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        Ok(Effect::ReadTree(start(self.path).to_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let path = directory(cx.files(), self.path)?;
        // One more than is shown, as proof that there is more.
        let first: Mutex<BTreeMap<PathBuf, usize>> = Mutex::default();
        let visit = |entry: &WalkEntry<'_>| {
            if cx.cancel().is_cancelled() {
                return Flow::Stop;
            }
            if entry.kind != EntryKind::Directory {
                return Flow::Continue;
            }
            let name = entry.path.file_name().unwrap_or_default();
            if self.options.skipped_directories.iter().any(|skipped| name == skipped.as_str()) {
                return Flow::Skip;
            }
            let mut first = first.lock();
            first.insert(entry.path.to_owned(), entry.depth);
            if first.len() > self.limit.saturating_add(1) {
                first.pop_last();
            }
            Flow::Continue
        };
        let walk = WalkOptions { max_depth: self.depth, ignore_files: Visit::Hide, hidden: Visit::Show };
        let end = cx.files().walk(&path, walk, &visit)?;
        let first = first.into_inner();
        let truncated = first.len() > self.limit;
        let dirs: Vec<Value> = first
            .into_iter()
            .take(self.limit)
            .map(|(dir, depth)| json!({"path": CanonicalPath::new(path.root(), dir).to_string(), "depth": depth}))
            .collect();
        let found = output(json!({"dirs": dirs, "truncated": truncated})).with_notes(unreadable(&end.unreadable));
        Ok(if truncated { found.truncated() } else { found })
    }
}
