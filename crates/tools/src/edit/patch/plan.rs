//! From a parsed patch to file operations: every section applied in memory, all of them or none.
//!
//! The surprising decision: sections compose, and the plan shows only the difference between before and after. A file
//! that two sections change is modified once, one that is created and deleted again does not occur, and swapped names
//! are two modifications. So the operations touch different paths and may be carried out in any order.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

use serde::Serialize;

use super::apply::{HunkReport, apply};
use super::failure::ApplyError;
use super::parsed::{FileChange, FileMode, FilePatch, ParsedPatch};

/// What has to be done, and how the hunks fitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Operations on different paths, in the patch's order of first mention.
    pub operations: Vec<FileOperation>,
    /// One report for each section.
    pub files: Vec<PlannedFile>,
}

/// One thing to do. Texts are whole files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum FileOperation {
    /// Write a file where none is.
    Create {
        /// Where.
        path: String,
        /// Its content.
        text: String,
        /// The mode it shall have; `None` leaves the usual one.
        mode: Option<FileMode>,
    },
    /// Replace the content of a file, or only its mode when the texts are equal.
    Modify {
        /// Where.
        path: String,
        /// Its content now.
        before: String,
        /// Its content then.
        after: String,
        /// The mode it shall have; `None` keeps it.
        mode: Option<FileMode>,
    },
    /// Remove a file.
    Delete {
        /// Where.
        path: String,
        /// Its content now.
        before: String,
    },
    /// Move a file to where none is, possibly changing it.
    Rename {
        /// Where it is.
        from: String,
        /// Where it shall be.
        to: String,
        /// Its content now.
        before: String,
        /// Its content then.
        after: String,
        /// The mode it shall have; `None` keeps it.
        mode: Option<FileMode>,
    },
}

/// How one section of the patch fitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedFile {
    /// The file, by its new name.
    pub path: String,
    /// Its hunks.
    pub hunks: Vec<HunkReport>,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// Why one section cannot be carried out. `E` is the reader's error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileFailure<E> {
    /// Hunks do not fit.
    Apply(ApplyError),
    /// The file cannot be read.
    Read {
        /// Which.
        path: String,
        /// Why.
        error: E,
    },
    /// The file to change, delete, move or copy is not there.
    Missing {
        /// Which.
        path: String,
    },
    /// The file to create is there, with another content.
    Exists {
        /// Which.
        path: String,
    },
    /// The file to create is there with just this content: the patch is already applied.
    AlreadyCreated {
        /// Which.
        path: String,
    },
    /// The patch deletes the file but does not take away all of it.
    NotEmptied {
        /// Which.
        path: String,
        /// Lines that would remain.
        lines: usize,
    },
}

/// Why a patch cannot be carried out; nothing is to be done then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError<E> {
    /// Sections of the patch.
    pub files: usize,
    /// Those that fail; a section that builds on a failed one is not tried.
    pub failures: Vec<FileFailure<E>>,
}

/// Applies a patch to what `read` gives (`None`: no such file) and says what has to be done.
///
/// Each path is read at most once.
///
/// # Errors
/// Every section that fails.
pub fn plan<E>(
    patch: &ParsedPatch<'_>,
    read: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<Plan, PlanError<E>> {
    let mut tree =
        Tree { read, files: HashMap::new(), order: Vec::new(), displaced: HashMap::new(), leaving: HashMap::new() };
    for path in patch.files.iter().filter_map(leaves) {
        *tree.leaving.entry(path).or_default() += 1;
    }
    let mut files = Vec::with_capacity(patch.files.len());
    let mut failures = Vec::new();
    let mut broken: HashSet<&str> = HashSet::new();
    for file in &patch.files {
        let touched = [Some(file.change.path()), file.change.source()];
        if touched.into_iter().flatten().any(|path| broken.contains(path)) {
            continue;
        }
        match tree.section(file) {
            Ok(planned) => files.push(planned),
            Err(failure) => {
                broken.extend(touched.into_iter().flatten());
                failures.push(failure);
            }
        }
        if let Some(count) = leaves(file).and_then(|path| tree.leaving.get_mut(path)) {
            *count -= 1;
        }
    }
    if failures.is_empty() {
        Ok(Plan { operations: tree.operations(), files })
    } else {
        Err(PlanError { files: patch.files.len(), failures })
    }
}

/// The path that has no file any more after this section.
fn leaves<'p>(file: &'p FilePatch<'_>) -> Option<&'p str> {
    match &file.change {
        FileChange::Delete { path } => Some(path),
        FileChange::Rename { from, .. } => Some(from),
        _ => None,
    }
}

/// A file at some moment of the patch.
#[derive(Debug, Clone)]
struct State {
    text: Rc<String>,
    mode: Option<FileMode>,
    /// The path whose file this is, when it was moved here.
    moved_from: Option<String>,
}

#[derive(Debug)]
struct Entry {
    before: Option<Rc<String>>,
    now: Option<State>,
}

/// The part of the tree that the patch has touched so far.
struct Tree<'p, R> {
    read: R,
    files: HashMap<String, Entry>,
    order: Vec<String>,
    /// Files whose name was taken by an earlier section although theirs, which moves them away, is still to come.
    displaced: HashMap<String, State>,
    /// How many sections to come take a path away.
    leaving: HashMap<&'p str, usize>,
}

impl<E, R: FnMut(&str) -> Result<Option<String>, E>> Tree<'_, R> {
    fn entry(&mut self, path: &str) -> Result<&mut Entry, FileFailure<E>> {
        if !self.files.contains_key(path) {
            let failed = |error| FileFailure::Read { path: path.to_owned(), error };
            let before = (self.read)(path).map_err(failed)?.map(Rc::new);
            let now = before.clone().map(|text| State { text, mode: None, moved_from: Some(path.to_owned()) });
            self.files.insert(path.to_owned(), Entry { before, now });
            self.order.push(path.to_owned());
        }
        self.files.get_mut(path).ok_or_else(|| FileFailure::Missing { path: path.to_owned() })
    }

    fn section(&mut self, file: &FilePatch<'_>) -> Result<PlannedFile, FileFailure<E>> {
        match &file.change {
            FileChange::Create { path } => self.create(path, file, None),
            FileChange::Modify { path } => self.modify(path, file),
            FileChange::Delete { path } => {
                let state = self.take(path)?;
                let (text, planned) = applied(path, &state.text, file)?;
                if !text.is_empty() {
                    return Err(FileFailure::NotEmptied { path: path.clone(), lines: text.lines().count() });
                }
                Ok(planned)
            }
            FileChange::Rename { from, to } => {
                let state = self.take(from)?;
                self.create(to, file, Some(state))
            }
            FileChange::Copy { from, to } => {
                let displaced = self.displaced.get(from).cloned();
                let state = match displaced {
                    Some(state) => Some(state),
                    None => self.entry(from)?.now.clone(),
                };
                let state = state.ok_or_else(|| FileFailure::Missing { path: from.clone() })?;
                self.create(to, file, Some(State { moved_from: None, ..state }))
            }
        }
    }

    /// Takes a file away, to be deleted or moved.
    fn take(&mut self, path: &str) -> Result<State, FileFailure<E>> {
        if let Some(state) = self.displaced.remove(path) {
            return Ok(state);
        }
        self.entry(path)?.now.take().ok_or_else(|| FileFailure::Missing { path: path.to_owned() })
    }

    fn create(&mut self, path: &str, file: &FilePatch<'_>, from: Option<State>) -> Result<PlannedFile, FileFailure<E>> {
        let base = from.unwrap_or_else(|| State { text: Rc::default(), mode: None, moved_from: None });
        let (text, planned) = applied(path, &base.text, file)?;
        let leaves_later = self.leaving.get(path).is_some_and(|count| *count > 0);
        let entry = self.entry(path)?;
        if let Some(there) = entry.now.take() {
            if !leaves_later {
                let same = *there.text == text;
                entry.now = Some(there);
                let path = path.to_owned();
                return Err(if same { FileFailure::AlreadyCreated { path } } else { FileFailure::Exists { path } });
            }
            entry.now = None;
            self.displaced.insert(path.to_owned(), there);
        }
        let state = State { text: Rc::new(text), mode: file.mode.or(base.mode), moved_from: base.moved_from };
        self.entry(path)?.now = Some(state);
        Ok(planned)
    }

    fn modify(&mut self, path: &str, file: &FilePatch<'_>) -> Result<PlannedFile, FileFailure<E>> {
        let Some(state) = self.entry(path)?.now.as_mut() else {
            // A diff against nothing that forgot to say /dev/null.
            let from_nothing = file.hunks.iter().all(|hunk| {
                hunk.old_count() == 0 && hunk.stated.is_none_or(|stated| stated.old_start == 0 || stated.old_count == 0)
            });
            if from_nothing && file.hunks.len() == 1 {
                return self.create(path, file, None);
            }
            return Err(FileFailure::Missing { path: path.to_owned() });
        };
        let (text, planned) = applied(path, &state.text, file)?;
        state.text = Rc::new(text);
        state.mode = file.mode.or(state.mode);
        Ok(planned)
    }

    /// The difference between before and now.
    fn operations(self) -> Vec<FileOperation> {
        let Self { mut files, order, .. } = self;
        // Where each vanished file went: the first target that held none before.
        let mut moved: BTreeMap<String, String> = BTreeMap::new();
        for path in &order {
            let Some(Entry { before: None, now: Some(State { moved_from: Some(from), .. }) }) = files.get(path) else {
                continue;
            };
            if files.get(from).is_some_and(|old| old.now.is_none() && old.before.is_some()) {
                moved.entry(from.clone()).or_insert_with(|| path.clone());
            }
        }
        let targets: HashSet<String> = moved.values().cloned().collect();
        let mut operations = Vec::with_capacity(order.len());
        for path in order {
            if targets.contains(&path) {
                continue;
            }
            let target = moved.get(&path).and_then(|to| Some((to.clone(), files.remove(to)?.now?)));
            let Some(entry) = files.remove(&path) else { continue };
            operations.extend(match (entry.before, entry.now, target) {
                (Some(before), None, Some((to, State { text: after, mode, .. }))) => {
                    let (before, after) = (owned(before), owned(after));
                    Some(FileOperation::Rename { from: path, to, before, after, mode })
                }
                (Some(before), None, None) => Some(FileOperation::Delete { path, before: owned(before) }),
                (None, Some(State { text, mode, .. }), _) => {
                    Some(FileOperation::Create { path, text: owned(text), mode })
                }
                (Some(before), Some(State { text: after, mode, .. }), _) if before != after || mode.is_some() => {
                    Some(FileOperation::Modify { path, before: owned(before), after: owned(after), mode })
                }
                _ => None,
            });
        }
        operations
    }
}

/// The text itself when nothing else needs it, else a copy.
fn owned(text: Rc<String>) -> String {
    Rc::try_unwrap(text).unwrap_or_else(|shared| (*shared).clone())
}

fn applied<E>(path: &str, text: &str, file: &FilePatch<'_>) -> Result<(String, PlannedFile), FileFailure<E>> {
    let applied = apply(path, text, &file.hunks).map_err(FileFailure::Apply)?;
    let planned =
        PlannedFile { path: path.to_owned(), hunks: applied.hunks, added: applied.added, removed: applied.removed };
    Ok((applied.text, planned))
}

impl<E: fmt::Display> fmt::Display for FileFailure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Apply(error) => error.fmt(f),
            Self::Read { path, error } => write!(f, "{path} cannot be read: {error}"),
            Self::Missing { path } => {
                write!(f, "{path} does not exist; to create it, start its diff with \"--- /dev/null\"")
            }
            Self::Exists { path } => {
                write!(f, "{path} already exists; the patch creates it, so send a diff against the file as it is")
            }
            Self::AlreadyCreated { path } => {
                write!(f, "the patch is already applied to {path}: the file exists with this content")
            }
            Self::NotEmptied { path, lines } => write!(
                f,
                "the patch deletes {path} but {lines} of its lines would remain; remove every line, or delete the file instead"
            ),
        }
    }
}

impl<E: fmt::Display> fmt::Display for PlanError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.files > 1 {
            writeln!(f, "{} of {} files of the patch fail; no file was changed", self.failures.len(), self.files)?;
        }
        for (number, failure) in self.failures.iter().enumerate() {
            let gap = if number > 0 { "\n" } else { "" };
            write!(f, "{gap}{failure}")?;
        }
        Ok(())
    }
}

impl<E: fmt::Display + fmt::Debug> std::error::Error for PlanError<E> {}
