//! Listing a directory, or the tree below it. Links are shown and never followed; hidden names are shown.
//!
//! One directory is listed as it is. A tree is listed without what ignore files exclude, unless that is asked for, and
//! never from inside the directories that the operator set aside (`.git`): they are shown as one entry.

use super::missing::with_help;
use super::pattern::Pattern;
use super::shown::{one_line, shown};
use crate::operation::Operation;
use crate::options::ToolOptions;
use crate::toolsets::Face;
use palanca_core::call::{CanonicalPath, Claims, Effect};
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, FilesHandle, Flow, Visit, WalkOptions};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Entries that are remembered before sorting; a larger tree is listed in part, and that is said.
const REMEMBERED: usize = 200_000;

/// How far down to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The directory itself.
    One,
    /// Everything below it.
    Tree,
}

pub(crate) struct ListFiles<'a> {
    pub(crate) path: &'a str,
    pub(crate) pattern: Option<&'a str>,
    pub(crate) depth: Depth,
    pub(crate) ignored: Visit,
    pub(crate) limit: usize,
    pub(crate) face: Face,
    pub(crate) options: &'a ToolOptions,
}

/// What was met, by path in its tree.
#[derive(Default)]
struct Listed {
    entries: Vec<(PathBuf, EntryKind)>,
    /// Whether there was more than is remembered.
    overflow: bool,
    unreadable: Vec<String>,
}

impl Operation for ListFiles<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        self.pattern.map(Pattern::new).transpose()?;
        Ok(Effect::ReadTree(self.path.to_owned()).into())
    }

    fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let files = cx.files();
        let path = files.locate(self.path)?;
        let pattern = self.pattern.map(Pattern::new).transpose()?;
        let looks_below = pattern.as_ref().is_some_and(Pattern::looks_below);
        let listed = if self.depth == Depth::Tree || looks_below {
            self.tree(files, &path, pattern.as_ref(), cx)
        } else {
            directory(files, &path, pattern.as_ref())
        };
        let mut listed = listed.map_err(|error| not_a_directory(files, &path, error))?;
        listed.entries.sort_unstable();
        Ok(self.say(&path, listed))
    }
}

impl ListFiles<'_> {
    fn tree(
        &self,
        files: &FilesHandle,
        path: &CanonicalPath,
        pattern: Option<&Pattern>,
        cx: &ToolCx,
    ) -> Result<Listed, FileError> {
        let listed = Mutex::new(Listed::default());
        let options = WalkOptions { max_depth: usize::MAX, ignore_files: self.ignored, hidden: Visit::Show };
        let end = files.walk(path, options, &|entry| {
            if cx.cancel().is_cancelled() {
                return Flow::Stop;
            }
            let below = entry.path.strip_prefix(path.relative()).unwrap_or(entry.path);
            let name = below.file_name().unwrap_or_default();
            let set_aside = entry.kind == EntryKind::Directory
                && self.options.skipped_directories.iter().any(|skipped| name == skipped.as_str());
            if pattern.is_none_or(|pattern| pattern.matches(below)) {
                let mut listed = listed.lock().unwrap_or_else(PoisonError::into_inner);
                if listed.entries.len() == REMEMBERED {
                    listed.overflow = true;
                    return Flow::Stop;
                }
                listed.entries.push((entry.path.to_owned(), entry.kind));
            }
            if set_aside { Flow::Skip } else { Flow::Continue }
        })?;
        let mut listed = listed.into_inner().unwrap_or_else(PoisonError::into_inner);
        listed.unreadable = end.unreadable;
        Ok(listed)
    }

    fn say(&self, path: &CanonicalPath, listed: Listed) -> Output {
        let total = listed.entries.len();
        let kept = listed.entries.get(..self.limit).unwrap_or(&listed.entries);
        let lines: Vec<String> = kept
            .iter()
            .map(|(relative, kind)| {
                let full = CanonicalPath::new(path.root(), relative.clone()).to_string();
                line(self.face, &one_line(&full), *kind)
            })
            .collect();
        let left_out = total - kept.len();
        let mut text = Text::new();
        if self.face == Face::Architect {
            text = text.line(Message::new("list-header").with("path", shown(path))).line("");
        }
        if lines.is_empty() {
            text = text.line(match self.pattern {
                None => Message::new("list-empty").with("path", shown(path)),
                Some(pattern) => Message::new("list-no-match").with("path", shown(path)).with("pattern", pattern),
            });
        } else {
            text = text.line(lines.join("\n"));
        }
        if self.face == Face::Architect {
            text = text.line("").line(Message::new("list-total").with("count", total));
        }
        if left_out > 0 || listed.overflow {
            text = text.line(Message::new("list-more").with("shown", kept.len()).with("total", total));
        }
        for unreadable in &listed.unreadable {
            text = text.line(Message::new("search-unreadable").with("reason", one_line(unreadable).as_ref()));
        }
        let data = json!({
            "path": path.to_string(),
            "entries": kept.iter().map(|(relative, kind)| json!({
                "path": CanonicalPath::new(path.root(), relative.clone()).to_string(),
                "kind": kind,
            })).collect::<Vec<_>>(),
            "total": total,
        });
        let output = Output::text(text).with_data(data);
        if left_out > 0 || listed.overflow { output.truncated() } else { output }
    }
}

fn directory(files: &FilesHandle, path: &CanonicalPath, pattern: Option<&Pattern>) -> Result<Listed, FileError> {
    let entries = files.entries(path)?;
    let entries = entries
        .into_iter()
        .filter(|entry| pattern.is_none_or(|pattern| pattern.matches(entry.name.as_ref())))
        .map(|entry| (path.relative().join(entry.name), entry.kind))
        .collect();
    Ok(Listed { entries, ..Listed::default() })
}

fn line(face: Face, name: &str, kind: EntryKind) -> String {
    match face {
        Face::Palanca => {
            let mark = match kind {
                EntryKind::File => "",
                EntryKind::Directory => "/",
                EntryKind::Link => "@",
                EntryKind::Special => "|",
            };
            format!("{name}{mark}")
        }
        Face::Architect => {
            let kind = match kind {
                EntryKind::File => "FILE",
                EntryKind::Directory => "DIR ",
                EntryKind::Link => "LINK",
                EntryKind::Special => "SPEC",
            };
            format!("{kind} {name}")
        }
    }
}

/// A walk cannot start at a file: what the door says then depends on the system, so it is looked at.
fn not_a_directory(files: &FilesHandle, path: &CanonicalPath, error: FileError) -> ToolError {
    match files.info(path) {
        Ok(info) if info.kind != EntryKind::Directory => {
            FileError::new(FileErrorKind::NotADirectory, path.to_string()).into()
        }
        _ => with_help(files, path, error),
    }
}
