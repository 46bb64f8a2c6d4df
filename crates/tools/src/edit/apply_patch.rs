//! Applying a unified diff or an envelope to the workspace: every file of it, or none.
//!
//! A patch that deletes a file is a deletion and needs the operator's leave, as `delete_file` does; a rename is not.

use super::diff::{self, Stat};
use super::patch::{self, FileChange, FileMode, FileOperation, HunkReport, Note, ParsedPatch, PlannedFile};
use super::words;
use crate::files::{Delta, Found, MARK, Plan, TextForm, binary, commit, disabled, find, shown, too_large};
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{CanonicalPath, Claim, Claims, Effect, ErrorKind, WriteKind};
use palanca_core::ports::{Change, Expect, FileError, FileErrorKind, FilesHandle};
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};
use serde_json::json;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

pub(crate) struct ApplyPatch<'a> {
    pub(crate) patch: &'a str,
    /// The one file that the patch is for, whatever its headers say.
    pub(crate) path: Option<&'a str>,
    pub(crate) options: &'a ToolOptions,
}

pub(super) struct Report {
    pub(super) files: Vec<PlannedFile>,
    pub(super) fates: Vec<Fate>,
    pub(super) notes: Vec<Note>,
}

/// What became of one file.
pub(super) enum Fate {
    Created(CanonicalPath),
    Changed(CanonicalPath),
    Deleted(CanonicalPath),
    Renamed(CanonicalPath, CanonicalPath),
}

/// Where the patch has a file's byte order mark.
#[derive(Clone, Copy)]
enum Marks {
    InText,
    InForm,
}

/// How a file gets another name and nothing else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Renames {
    AsMoves,
    /// Where names lie in one another: everything that goes, goes first.
    AsContent,
}

/// A file as the patch found it.
struct Before {
    path: CanonicalPath,
    expect: Expect,
    form: Option<TextForm>,
    mode: u32,
}

impl Operation for ApplyPatch<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        let parsed = self.parsed()?;
        let deletes = |change: &FileChange| matches!(change, FileChange::Delete { .. });
        if !self.options.allow_delete && parsed.files.iter().any(|file| deletes(&file.change)) {
            return Err(disabled());
        }
        Ok(parsed.files.iter().flat_map(|file| effects(&file.change)).collect())
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        Ok(Some(self.plan(files)?.preview()))
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let plan = commit(cx.files(), || self.plan(cx.files()))?;
        let report = &plan.report;
        let data = json!({
            "files": report.fates.iter().map(Fate::to_json).collect::<Vec<_>>(),
            "hunks": report.files.iter().map(|file| json!({"path": file.path, "hunks": file.hunks})).collect::<Vec<_>>(),
            "added": report.files.iter().map(|file| file.added).sum::<usize>(),
            "removed": report.files.iter().map(|file| file.removed).sum::<usize>(),
            "notes": report.notes,
        });
        Ok(Output::text(words::summary(report)).with_data(data).with_diff(plan.diff))
    }
}

impl ApplyPatch<'_> {
    fn parsed(&self) -> Result<ParsedPatch<'_>, ToolError> {
        patch::parse(self.patch, self.path).map_err(|error| words::unreadable(&error))
    }

    fn plan(&self, files: &FilesHandle) -> Result<Plan<Report>, ToolError> {
        let parsed = self.parsed()?;
        let seen = RefCell::new(HashMap::new());
        // Models do not see byte order marks; `git diff` prints them.
        let marks = if self.patch.contains(MARK) { Marks::InText } else { Marks::InForm };
        let leaving: HashSet<CanonicalPath> =
            parsed.files.iter().filter_map(|file| files.locate_entry(leaves(&file.change)?).ok()).collect();
        let moved: HashSet<&str> = parsed.files.iter().flat_map(|file| names(&file.change)).collect();
        let planned = patch::plan(&parsed, |path| {
            // The gate judged these names themselves: a link there is not followed.
            let located = files.locate(path);
            let located = if moved.contains(path) {
                let entry = files.locate_entry(path)?;
                if located.ok().as_ref() != Some(&entry) {
                    let link = Message::new("patch-link").with("path", shown(&entry));
                    return Err(ToolError::new(ErrorKind::InvalidArguments, link));
                }
                entry
            } else {
                located?
            };
            let (text, before) = self.read(files, located, marks, &leaving)?;
            seen.borrow_mut().insert(path.to_owned(), before);
            Ok(text)
        })
        .map_err(|error| words::unfit(files, error))?;
        let seen = seen.into_inner();
        let mut plan = Plan {
            changes: Vec::with_capacity(planned.operations.len()),
            diff: String::new(),
            deltas: Vec::with_capacity(planned.operations.len()),
            report: Report { files: planned.files, fates: Vec::new(), notes: parsed.notes },
        };
        let mut touched = HashSet::new();
        let renames = if nest(&planned.operations, &seen) { Renames::AsContent } else { Renames::AsMoves };
        for operation in planned.operations {
            add(&mut plan, operation, &seen, renames)?;
        }
        if renames == Renames::AsContent {
            deletions_first(&mut plan);
        }
        for path in plan.changes.iter().flat_map(Change::paths) {
            if !touched.insert(path) {
                return Err(ToolError::new(
                    ErrorKind::InvalidArguments,
                    Message::new("patch-same-file").with("path", shown(path)),
                ));
            }
        }
        Ok(plan)
    }

    fn read(
        &self,
        files: &FilesHandle,
        canonical: CanonicalPath,
        marks: Marks,
        leaving: &HashSet<CanonicalPath>,
    ) -> Result<(Option<String>, Before), ToolError> {
        let limit = self.options.max_edit_bytes;
        let found = match find(files, &canonical, limit) {
            Err(error) if makes_room(error.kind, &canonical, leaving) => Found::Nothing,
            found => found?,
        };
        let expect = found.expect();
        let mut before = Before { path: canonical, expect, form: None, mode: 0 };
        let text = match found {
            Found::Nothing => None,
            Found::Text { text, form, mode, .. } => {
                let (text, form) = match marks {
                    Marks::InText => form.with_mark_in(text),
                    Marks::InForm => (text, form),
                };
                before.form = Some(form);
                before.mode = mode;
                Some(text)
            }
            Found::Binary { bytes } => return Err(binary(&before.path, bytes.len() as u64)),
            Found::TooLarge { size } => return Err(too_large(&before.path, size, limit)),
        };
        Ok((text, before))
    }
}

/// What one section of the patch would do.
fn effects(change: &FileChange) -> Vec<Claim> {
    let write = |path: &String, kind| Effect::WriteFile { path: path.clone(), kind };
    match change {
        FileChange::Create { path } => vec![write(path, WriteKind::Replace)],
        FileChange::Modify { path } => vec![write(path, WriteKind::Edit)],
        FileChange::Delete { path } => vec![Effect::Delete(path.clone())],
        FileChange::Rename { from, to } => vec![Effect::Move { from: from.clone(), to: to.clone() }],
        FileChange::Copy { from, to } => vec![Effect::ReadFile(from.clone()), write(to, WriteKind::Replace)],
    }
}

/// The names that a section takes away, gives or copies.
fn names(change: &FileChange) -> Vec<&str> {
    match change {
        FileChange::Delete { path } => vec![path],
        FileChange::Rename { from, to } => vec![from, to],
        FileChange::Copy { from, .. } => vec![from],
        FileChange::Create { .. } | FileChange::Modify { .. } => Vec::new(),
    }
}

/// The path that a section takes away.
fn leaves(change: &FileChange) -> Option<&str> {
    match change {
        FileChange::Delete { path } | FileChange::Rename { from: path, .. } => Some(path),
        _ => None,
    }
}

/// Whether nothing will stand at a path once the patch took away what it does: a file above it, or the files of a folder.
fn makes_room(error: FileErrorKind, path: &CanonicalPath, leaving: &HashSet<CanonicalPath>) -> bool {
    match error {
        FileErrorKind::NotADirectory => leaving.iter().any(|gone| path.is_within(gone)),
        FileErrorKind::IsDirectory => leaving.iter().any(|gone| gone != path && gone.is_within(path)),
        _ => false,
    }
}

/// Whether one path of these operations lies in another: a file becomes a folder, or a folder a file.
fn nest(operations: &[FileOperation], seen: &HashMap<String, Before>) -> bool {
    let named = |operation: &FileOperation| match operation {
        FileOperation::Create { path, .. }
        | FileOperation::Modify { path, .. }
        | FileOperation::Delete { path, .. } => [Some(path.clone()), None],
        FileOperation::Rename { from, to, .. } => [Some(from.clone()), Some(to.clone())],
    };
    let names: Vec<String> = operations.iter().flat_map(named).flatten().collect();
    let paths: HashSet<&Path> = names.iter().filter_map(|name| Some(seen.get(name)?.path.relative())).collect();
    paths.iter().any(|path| path.ancestors().skip(1).any(|above| paths.contains(above)))
}

/// What goes makes room for what comes.
fn deletions_first(plan: &mut Plan<Report>) {
    let deltas = std::mem::take(&mut plan.deltas);
    let mut changes: Vec<_> = std::mem::take(&mut plan.changes).into_iter().zip(deltas).collect();
    changes.sort_by_key(|(change, _)| !matches!(change, Change::Delete { .. }));
    (plan.changes, plan.deltas) = changes.into_iter().unzip();
}

/// Turns one operation into changes, their diff, and what is said about them.
fn add(
    plan: &mut Plan<Report>,
    operation: FileOperation,
    seen: &HashMap<String, Before>,
    renames: Renames,
) -> Result<(), ToolError> {
    let before = |path: &str| seen.get(path).ok_or_else(|| FileError::new(FileErrorKind::NotFound, path));
    match operation {
        FileOperation::Create { path, text, mode, like } => {
            let there = before(&path)?;
            let like = like.as_deref().map(before).transpose()?;
            let mode = match (like, mode) {
                (Some(like), Some(mode)) => Some(like.bits(mode)),
                (Some(like), None) => Some(like.mode),
                (None, mode) => mode.filter(|mode| *mode == FileMode::Executable).map(|_| 0o755),
            };
            let shown = diff::unified_with_modes(&path, None, Some((&text, mode.unwrap_or(0o644))));
            plan.diff.push_str(&shown.text);
            plan.deltas.push(Delta::of(shown.stat));
            plan.report.fates.push(Fate::Created(there.path.clone()));
            plan.changes.push(Change::Write {
                path: there.path.clone(),
                content: match like {
                    Some(like) => like.encode(&text)?,
                    None => text.into_bytes(),
                },
                expect: Expect::Absent,
                mode,
            });
        }
        FileOperation::Modify { path, before: old, after, mode, like } => {
            let there = before(&path)?;
            let like = like.as_deref().map(before).transpose()?;
            let form = like.unwrap_or(there);
            let mode = mode.map(|mode| form.bits(mode)).or_else(|| like.map(|like| like.mode));
            let bits = (there.mode, mode.unwrap_or(there.mode));
            let shown = diff::unified_with_modes(&path, Some((&old, bits.0)), Some((&after, bits.1)));
            plan.diff.push_str(&shown.text);
            plan.deltas.push(Delta::of(shown.stat));
            plan.report.fates.push(Fate::Changed(there.path.clone()));
            plan.changes.push(Change::Write {
                path: there.path.clone(),
                content: form.encode(&after)?,
                expect: there.expect,
                mode,
            });
        }
        FileOperation::Delete { path, before: old } => {
            let there = before(&path)?;
            let shown = diff::unified_with_modes(&path, Some((&old, there.mode)), None);
            plan.diff.push_str(&shown.text);
            plan.deltas.push(Delta::of(shown.stat));
            plan.report.fates.push(Fate::Deleted(there.path.clone()));
            plan.changes.push(Change::Delete { path: there.path.clone(), expect: there.expect });
        }
        FileOperation::Rename { from, to, before: old, after, mode } => {
            let (source, target) = (before(&from)?, before(&to)?);
            let bits = mode.map_or(source.mode, |mode| source.bits(mode));
            let shown = diff::unified_rename(&from, &to, (&old, source.mode), (&after, bits));
            let fate = Fate::Renamed(source.path.clone(), target.path.clone());
            plan.diff.push_str(&shown.text);
            plan.report.fates.push(fate);
            let content = source.encode(&after)?;
            if old == after && mode.is_none() && renames == Renames::AsMoves {
                plan.deltas.push(Delta { moved: Some(content), ..Delta::default() });
                plan.changes.push(Change::Move { from: source.path.clone(), to: target.path.clone() });
                return Ok(());
            }
            plan.deltas.extend([Delta::of(shown.stat), Delta::of(Stat::default())]);
            plan.changes.push(Change::Write {
                path: target.path.clone(),
                content,
                expect: Expect::Absent,
                mode: Some(bits),
            });
            plan.changes.push(Change::Delete { path: source.path.clone(), expect: source.expect });
        }
    }
    Ok(())
}

impl Before {
    fn encode(&self, text: &str) -> Result<Vec<u8>, ToolError> {
        match &self.form {
            Some(form) => form.encode(text, &self.path),
            None => Ok(text.as_bytes().to_vec()),
        }
    }

    /// The file's permission bits with or without leave to execute it: read permission gives execute permission.
    const fn bits(&self, mode: FileMode) -> u32 {
        match mode {
            FileMode::Executable => self.mode | (self.mode & 0o444) >> 2,
            FileMode::Regular => self.mode & !0o111,
        }
    }
}

impl Fate {
    fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Created(path) => json!({"path": path.to_string(), "did": "created"}),
            Self::Changed(path) => json!({"path": path.to_string(), "did": "changed"}),
            Self::Deleted(path) => json!({"path": path.to_string(), "did": "deleted"}),
            Self::Renamed(from, to) => {
                json!({"path": to.to_string(), "from": from.to_string(), "did": "renamed"})
            }
        }
    }
}

/// A hunk that did not simply fit where its header says.
pub(super) fn is_remarkable(hunk: &HunkReport) -> bool {
    hunk.offset != 0
        || hunk.others > 0
        || hunk.whitespace > patch::Whitespace::LineEnds
        || hunk.reindented == patch::Reindented::Yes
}
