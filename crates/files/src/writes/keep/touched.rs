//! What stood at each name before a program first changed it, and the record from which the next process learns it when
//! this one is killed.
//!
//! Names are those of the time: when a folder that the program did not make gets another name, a new part begins, in
//! which names below that folder are the new ones. A folder that the program made takes its names along instead.

use crate::journal::batch::Number;
use crate::journal::entry::{Entry, Id};
use crate::journal::record::Named;
use palanca_core::ports::ChangeOrigin;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The first line of a record.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) workspace: Named,
    session: String,
    call: String,
}

impl Header {
    pub(super) fn new(workspace: &Path, origin: &ChangeOrigin) -> Self {
        let (session, call) = (origin.session.as_str().to_owned(), origin.call.as_str().to_owned());
        Self { workspace: workspace.into(), session, call }
    }

    pub(super) fn origin(&self) -> ChangeOrigin {
        ChangeOrigin { session: self.session.as_str().into(), call: self.call.as_str().into() }
    }
}

/// How a content is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Content {
    /// There is none: an empty file.
    Empty,
    /// The file itself, under a further name: it must not be written.
    Linked(Number),
    /// A copy.
    Copied(Number),
}

/// One thing that is learnt while a program runs.
// Each lives for a moment.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Event {
    /// What stands at a name that is about to change for the first time.
    Before(Named, Entry),
    /// A file's content from before.
    Content(Id, Content),
    /// A folder that was there before gets another name.
    Moved(Named, Named),
    /// So does one that the program made.
    Taken(Named, Named),
    /// The move before this one failed, and the last one only says so.
    Failed,
    /// Nothing was made at a name that was to be new.
    NotMade(Named),
}

/// The most common event, a new name, is written without JSON.
const NEW: u8 = b'+';
const OTHER: u8 = b'=';

impl Event {
    pub(super) fn absent(path: &Path) -> Self {
        Self::Before(path.into(), Entry::Absent)
    }

    /// Adds it to a record: kind, length, content.
    pub(super) fn write(&self, to: &mut Vec<u8>) -> std::io::Result<()> {
        let start = to.len();
        to.extend([0; 5]);
        let kind = match self {
            Self::Before(path, Entry::Absent) => {
                to.extend(PathBuf::from(path).as_os_str().as_bytes());
                NEW
            }
            event => {
                serde_json::to_writer(&mut *to, event)?;
                OTHER
            }
        };
        let length = u32::try_from(to.len() - start - 5).map_err(std::io::Error::other)?;
        if let Some([first, rest @ ..]) = to.get_mut(start..start + 5) {
            *first = kind;
            rest.copy_from_slice(&length.to_le_bytes());
        }
        Ok(())
    }

    /// The first one of a record, and what follows it. None at the end, and where a kill tore it.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let ([kind, length @ ..], rest) = bytes.split_first_chunk::<5>()?;
        let (content, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        let event = match *kind {
            NEW => Self::absent(Path::new(OsStr::from_bytes(content))),
            _ => serde_json::from_slice(content).ok()?,
        };
        Some((event, rest))
    }
}

/// The names between two moves of folders.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// In the order of bytes, so that what lies in a folder follows it together.
    pub(super) before: BTreeMap<OsString, Entry>,
    /// The folder that got another name at its end: from, to.
    pub(super) then: Option<(PathBuf, PathBuf)>,
}

type Known = Vec<(OsString, Option<Entry>)>;

/// Everything that a program changed.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// The current one is last.
    parts: Vec<Part>,
    /// Whether what was learnt last is that a folder moves which was there before.
    moved: bool,
    /// A folder that the program made and moved last, to and from, and what was known of the names before.
    taken: Option<(PathBuf, PathBuf, Known)>,
    pub(super) contents: HashMap<Id, Content>,
}

impl Touched {
    /// From a record. A folder whose move was announced and did not happen is where it was: `folder` tells
    /// whether one is there.
    pub(super) fn read(mut bytes: &[u8], folder: impl Fn(&Path) -> bool) -> Self {
        let mut events = Vec::new();
        while let Some((event, rest)) = Event::read(bytes) {
            events.push(event);
            bytes = rest;
        }
        if let Some(Event::Moved(from, to) | Event::Taken(from, to)) = events.last()
            && !folder(&PathBuf::from(to))
            && folder(&PathBuf::from(from))
        {
            events.pop();
        }
        let mut touched = Self::default();
        events.into_iter().for_each(|event| touched.learn(event));
        touched
    }

    pub(super) fn learn(&mut self, event: Event) {
        let (taken, moved) = (self.taken.take(), std::mem::take(&mut self.moved));
        match event {
            Event::Before(path, entry) => {
                self.current().before.entry(PathBuf::from(&path).into_os_string()).or_insert(entry);
            }
            Event::Content(id, content) => {
                self.contents.insert(id, content);
            }
            Event::Moved(from, to) => self.moved((&from).into(), (&to).into(), moved),
            Event::Failed => {}
            Event::NotMade(path) => self.forget_new(&PathBuf::from(&path)),
            Event::Taken(from, to) => {
                let (from, to) = (PathBuf::from(&from), PathBuf::from(&to));
                let before = &mut self.current().before;
                match taken.filter(|(there, here, _)| (there, here) == (&from, &to)) {
                    // It failed, or is moved back at once.
                    Some((.., known)) => {
                        for (name, was) in known.into_iter().rev() {
                            match was {
                                Some(was) => before.insert(name, was),
                                None => before.remove(&name),
                            };
                        }
                    }
                    None => {
                        let known = take_along(before, &from, &to);
                        self.taken = Some((to, from, known));
                    }
                }
            }
        }
    }

    /// A name that was new is gone again: nothing is different there. Programs make and remove names by the million.
    pub(super) fn forget_new(&mut self, path: &Path) {
        (self.taken, self.moved) = (None, false);
        let before = &mut self.current().before;
        if before.get(path.as_os_str()).is_some_and(Entry::is_absent) {
            before.remove(path.as_os_str());
        }
    }

    /// What fails is moved back at once: then it is no move.
    fn moved(&mut self, from: PathBuf, to: PathBuf, right_after_another: bool) {
        if let ([.., earlier, part], true) = (&mut *self.parts, right_after_another)
            && earlier.then.as_ref().is_some_and(|(there, here)| (here, there) == (&from, &to))
            && part.before.is_empty()
        {
            earlier.then = None;
            self.parts.pop();
            return;
        }
        self.current().then = Some((from, to));
        self.parts.push(Part::default());
        self.moved = true;
    }

    fn current(&mut self) -> &mut Part {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        let last = self.parts.len() - 1;
        // The list is not empty.
        #[allow(clippy::indexing_slicing)]
        &mut self.parts[last]
    }

    /// Whether it is known what stood at a name, under the name that it had then.
    pub(super) fn knows(&self, path: &Path) -> bool {
        let mut path = std::borrow::Cow::Borrowed(path);
        for (at, part) in self.parts.iter().rev().enumerate() {
            if let Some((from, to)) = part.then.as_ref().filter(|_| at > 0) {
                match path.strip_prefix(to) {
                    Ok(rest) => path = std::borrow::Cow::Owned(join(from, rest)),
                    // Something new where the folder was.
                    Err(_) if path.starts_with(from) => return false,
                    Err(_) => {}
                }
            }
            if part.before.contains_key(path.as_os_str()) {
                return true;
            }
        }
        false
    }

    /// The same since a folder moved last.
    pub(super) fn knows_since_a_move(&self, path: &Path) -> bool {
        self.parts.last().is_some_and(|part| part.before.contains_key(path.as_os_str()))
    }

    /// Whether a folder that was moved has this name from its move.
    pub(super) fn arrived(&self, path: &Path) -> bool {
        let mut path = path.to_owned();
        for (from, to) in self.parts.iter().rev().filter_map(|part| part.then.as_ref()) {
            match path.strip_prefix(to) {
                Ok(rest) if rest.as_os_str().is_empty() => return true,
                Ok(rest) => path = join(from, rest),
                Err(_) if path.starts_with(from) => return false,
                Err(_) => {}
            }
        }
        false
    }

    /// What stood at a name of this part when a later part was about to change it again.
    pub(super) fn later(&self, part: usize, path: &Path) -> Option<&Entry> {
        let mut path = path.to_owned();
        for (part, next) in self.parts.iter().zip(self.parts.iter().skip(1)).skip(part) {
            let (from, to) = part.then.as_ref()?;
            match path.strip_prefix(from) {
                Ok(rest) => path = join(to, rest),
                // It made room for the folder.
                Err(_) if path.starts_with(to) => return None,
                Err(_) => {}
            }
            if let Some(entry) = next.before.get(path.as_os_str()) {
                return Some(entry);
            }
        }
        None
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Where a name of this part leads to at the end.
    pub(super) fn at_last(&self, part: usize, path: &Path) -> Option<PathBuf> {
        let mut path = path.to_owned();
        for (from, to) in self.parts.iter().skip(part).filter_map(|part| part.then.as_ref()) {
            match path.strip_prefix(from) {
                Ok(rest) => path = join(to, rest),
                // It made room for the folder.
                Err(_) if path.starts_with(to) => return None,
                Err(_) => {}
            }
        }
        Some(path)
    }
}

pub(crate) fn join(folder: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { folder.to_owned() } else { folder.join(rest) }
}

/// What is new below one name is new below the other. What stood there before stays known under its own name.
fn take_along(before: &mut BTreeMap<OsString, Entry>, from: &PathBuf, to: &Path) -> Known {
    let bytes = from.as_os_str().as_bytes();
    let bound = |end: u8| OsString::from_vec([bytes, &[end]].concat());
    let below = before.range(bound(b'/')..bound(b'/' + 1)).map(|(path, _)| path.clone());
    let names: Vec<OsString> = below.chain([from.clone().into_os_string()]).collect();
    let mut known = Known::new();
    for name in names {
        if let Ok(rest) = Path::new(&name).strip_prefix(from) {
            let name = join(to, rest).into_os_string();
            if let std::collections::btree_map::Entry::Vacant(free) = before.entry(name) {
                known.push((free.key().clone(), None));
                free.insert(Entry::Absent);
            }
        }
        if before.get(&name).is_some_and(Entry::is_absent) {
            known.push((name.clone(), before.remove(&name)));
        }
    }
    known
}
