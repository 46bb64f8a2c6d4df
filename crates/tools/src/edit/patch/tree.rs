//! The part of the tree that a patch touches, in memory, from section to section.
//!
//! It owns what a rename, a copy or a deletion means when other sections name the same files; the surprising cases are
//! those of `git apply`: a copy of a changed file is a copy of what it was before.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::apply::apply;
use super::parsed::{FileChange, FileMode, FilePatch, Language, ParsedPatch};
use super::plan::{FileFailure, FileOperation, PlannedFile};

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
    origin: Origin,
}

/// Where a file's mode and encoding come from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    Nowhere,
    CopyOf(String),
    /// It is the file that had this path before the patch.
    Was(String),
}

impl Origin {
    fn path(self) -> Option<String> {
        match self {
            Self::Nowhere => None,
            Self::CopyOf(path) | Self::Was(path) => Some(path),
        }
    }
}

#[derive(Debug)]
struct Entry {
    before: Option<Rc<String>>,
    now: Option<State>,
    /// An earlier section took the name although the section that takes the first file away is still to come.
    displaced: bool,
}

/// The part of the tree that the patch has touched so far.
pub(super) struct Tree<'p, R> {
    read: R,
    language: Language,
    files: HashMap<String, Entry>,
    order: Vec<String>,
    /// How many sections to come take a path away.
    leaving: HashMap<&'p str, usize>,
}

impl<'p, E, R: FnMut(&str) -> Result<Option<String>, E>> Tree<'p, R> {
    pub(super) fn of(patch: &'p ParsedPatch<'_>, read: R) -> Self {
        let mut leaving: HashMap<&str, usize> = HashMap::new();
        for path in patch.files.iter().filter_map(leaves) {
            *leaving.entry(path).or_default() += 1;
        }
        Self { read, language: patch.language, files: HashMap::new(), order: Vec::new(), leaving }
    }

    /// Carries out one section and counts it as done, whether it fails or not.
    pub(super) fn step(&mut self, file: &'p FilePatch<'_>) -> Result<PlannedFile, FileFailure<E>> {
        let planned = self.section(file);
        if let Some(count) = leaves(file).and_then(|path| self.leaving.get_mut(path)) {
            *count -= 1;
        }
        planned
    }

    fn entry(&mut self, path: &str) -> Result<&mut Entry, FileFailure<E>> {
        if !self.files.contains_key(path) {
            let failed = |error| FileFailure::Read { path: path.to_owned(), error };
            let before = (self.read)(path).map_err(failed)?.map(Rc::new);
            let origin = Origin::Was(path.to_owned());
            let now = before.clone().map(|text| State { text, mode: None, origin });
            self.files.insert(path.to_owned(), Entry { before, now, displaced: false });
            self.order.push(path.to_owned());
        }
        self.files.get_mut(path).ok_or_else(|| missing(path))
    }

    fn section(&mut self, file: &FilePatch<'_>) -> Result<PlannedFile, FileFailure<E>> {
        match &file.change {
            FileChange::Create { path } => self.create(path, file, None),
            FileChange::Modify { path } => self.modify(path, file),
            FileChange::Delete { path } => self.delete(path, file),
            FileChange::Rename { from, to } => {
                let state = self.moved(from)?;
                self.create(to, file, Some(state))
            }
            FileChange::Copy { from, to } => {
                let state = self.original(from)?;
                self.create(to, file, Some(State { origin: Origin::CopyOf(from.clone()), ..state }))
            }
        }
    }

    fn delete(&mut self, path: &str, file: &FilePatch<'_>) -> Result<PlannedFile, FileFailure<E>> {
        let entry = self.entry(path)?;
        let text = if std::mem::take(&mut entry.displaced) {
            entry.before.clone()
        } else {
            entry.now.take().map(|state| state.text)
        };
        let text = text.ok_or_else(|| missing(path))?;
        if self.language == Language::Envelope {
            let removed = text.lines().count();
            return Ok(PlannedFile { path: path.to_owned(), hunks: Vec::new(), added: 0, removed });
        }
        let (left, planned) = applied(path, &text, file)?;
        match left.lines().count() {
            0 => Ok(planned),
            lines => Err(FileFailure::NotEmptied { path: path.to_owned(), lines }),
        }
    }

    /// What a copy or a rename starts from: the file before the patch, if there was one.
    fn original(&mut self, path: &str) -> Result<State, FileFailure<E>> {
        let before =
            |text: &Rc<String>| State { text: Rc::clone(text), mode: None, origin: Origin::Was(path.to_owned()) };
        let entry = self.entry(path)?;
        entry.before.as_ref().map(before).or_else(|| entry.now.clone()).ok_or_else(|| missing(path))
    }

    /// Takes a file away to be moved. A file that another section put in its place, or changed, stays there.
    fn moved(&mut self, path: &str) -> Result<State, FileFailure<E>> {
        if self.language == Language::Envelope {
            return self.entry(path)?.now.take().ok_or_else(|| missing(path));
        }
        let state = self.original(path)?;
        let entry = self.entry(path)?;
        entry.displaced = false;
        let same = |now: &mut State| Rc::ptr_eq(&now.text, &state.text) && now.mode == state.mode;
        entry.now.take_if(same);
        Ok(state)
    }

    fn create(&mut self, path: &str, file: &FilePatch<'_>, from: Option<State>) -> Result<PlannedFile, FileFailure<E>> {
        let base = from.unwrap_or_else(|| State { text: Rc::default(), mode: None, origin: Origin::Nowhere });
        let (text, planned) = applied(path, &base.text, file)?;
        let leaves_later = self.leaving.get(path).is_some_and(|count| *count > 0);
        let entry = self.entry(path)?;
        if let Some(there) = &entry.now {
            if !leaves_later {
                let path = path.to_owned();
                let same = *there.text == text;
                return Err(if same { FileFailure::AlreadyCreated { path } } else { FileFailure::Exists { path } });
            }
            entry.displaced = true;
        }
        entry.now = Some(State { text: Rc::new(text), mode: file.mode.or(base.mode), origin: base.origin });
        Ok(planned)
    }

    fn modify(&mut self, path: &str, file: &FilePatch<'_>) -> Result<PlannedFile, FileFailure<E>> {
        let Some(state) = self.entry(path)?.now.as_mut() else {
            // A diff against nothing that forgot to say /dev/null.
            let from_nothing = file.hunks.iter().all(|hunk| {
                hunk.old_count() == 0 && hunk.stated.is_none_or(|stated| stated.old_start == 0 || stated.old_count == 0)
            });
            if from_nothing && file.hunks.len() == 1 && self.language == Language::Diff {
                return self.create(path, file, None);
            }
            return Err(missing(path));
        };
        let (text, planned) = applied(path, &state.text, file)?;
        state.text = Rc::new(text);
        state.mode = file.mode.or(state.mode);
        Ok(planned)
    }

    /// The difference between before and now.
    pub(super) fn operations(self) -> Vec<FileOperation> {
        let Self { mut files, order, .. } = self;
        // Where each vanished file went: the first target that held none before.
        let mut moved: BTreeMap<String, String> = BTreeMap::new();
        for path in &order {
            let Some(Entry { before: None, now: Some(State { origin: Origin::Was(from), .. }), .. }) = files.get(path)
            else {
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
                (None, Some(State { text, mode, origin }), _) => {
                    Some(FileOperation::Create { path, text: owned(text), mode, like: origin.path() })
                }
                (Some(before), Some(State { text: after, mode, origin }), _) => {
                    let like = origin.path().filter(|like| *like != path);
                    let (before, after) = (owned(before), owned(after));
                    let changed = before != after || mode.is_some() || like.is_some();
                    changed.then_some(FileOperation::Modify { path, before, after, mode, like })
                }
                _ => None,
            });
        }
        operations
    }
}

fn missing<E>(path: &str) -> FileFailure<E> {
    FileFailure::Missing { path: path.to_owned() }
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
