//! What is different at the end: only names that the program changed are looked at, and contents are read only to show a
//! few of them.

use super::touched::{Content, Touched};
use crate::beneath::file_type;
use crate::disk::Disk;
use crate::errors::{file_error, says_absent};
use crate::journal::Journal;
use crate::journal::batch::{Batch, Number};
use crate::journal::entry::{Entry, Id, Stamp};
use crate::journal::record::{Act, Kept, Line, Named, arrived, only_attributes};
use crate::opened::Opened;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{ChangeOrigin, FileError};
use palanca_core::tool::FileDelta;
use rustix::fd::OwnedFd;
use rustix::fs::{self, Access, AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// Contents up to here are given back whole; of larger files only the change is told.
const SHOWN: u64 = 1 << 20;
/// Bytes of contents that are given back for one program.
const SHOWN_IN_ALL: u64 = 16 << 20;
/// Files whose contents are given back for one program.
const SHOWN_FILES: usize = 256;
/// Bytes that count as a line of what is not given back.
const LINE: u64 = 64;

const READ: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// What still runs in the workspace when a program is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Nothing,
    /// Other programs, which may have been handed a descriptor of this one: what it opened for writing is kept, so that a
    /// later change is not taken for nobody's.
    Others,
}

/// Writes the step into the journal, and lets go of what it does not need. Where the journal cannot be written, the record
/// stays and is settled by the next process.
pub(super) fn settle(
    (disk, journal): (&Disk, &Journal),
    (touched, left): (&Touched, Left),
    (batch, origin): (Batch, &ChangeOrigin),
) -> (Vec<FileDelta>, Result<(), FileError>) {
    let looking = Looking { disk, folder: None, opened: Opened::default() };
    let mut settling = Settling { journal, looking, touched, left, batch: &batch, needed: BTreeSet::new() };
    let acts = settling.acts();
    let (acts, at_last): (Vec<Act>, Vec<Option<PathBuf>>) = acts.into_iter().unzip();
    let mut shown = Shown { settling: &mut settling, bytes: SHOWN_IN_ALL, files: SHOWN_FILES };
    let arrived = arrived(&acts);
    let deltas = acts.iter().zip(&at_last).filter_map(|(act, at_last)| match act {
        Act::Turn { path, was: Entry::Absent, .. } if arrived.contains(path) => None,
        act => shown.delta(act, at_last.as_deref()),
    });
    let deltas: Vec<FileDelta> = deltas.collect();
    let needed = settling.needed;
    if !acts.is_empty()
        && let Err(error) = journal.append(origin, &Line::new(disk.workspace(), acts))
    {
        return (deltas, Err(error));
    }
    batch.close(journal, &needed);
    (deltas, Ok(()))
}

struct Settling<'a> {
    journal: &'a Journal,
    looking: Looking<'a>,
    touched: &'a Touched,
    left: Left,
    batch: &'a Batch,
    needed: BTreeSet<Number>,
}

/// A name that the program changed, and the name that it has now.
struct Turned<'a> {
    path: PathBuf,
    at_last: Option<PathBuf>,
    was: &'a Entry,
    now: Option<Entry>,
}

/// Names of the workspace, looked at one after the other.
struct Looking<'a> {
    disk: &'a Disk,
    /// The last folder; none inside if it cannot be opened.
    folder: Option<(PathBuf, Option<OwnedFd>)>,
    opened: Opened,
}

impl Looking<'_> {
    /// None where no such folder is.
    fn folder(&mut self, path: &Path) -> Result<Option<&OwnedFd>, FileError> {
        let parent = path.parent().unwrap_or(Path::new(""));
        if self.folder.as_ref().is_none_or(|(known, _)| known != parent) {
            let folder = CanonicalPath::new(Root::Workspace, parent.to_owned());
            let look = || {
                let handle = self.disk.open_beneath(&folder, OFlags::PATH | OFlags::DIRECTORY)?;
                // A handle alone may be had of what cannot be entered.
                fs::accessat(&handle, ".", Access::EXEC_OK, AtFlags::EACCESS)
                    .map_err(|errno| file_error(errno, folder.relative().display()))?;
                Ok(handle)
            };
            let handle = match self.opened.or_open((self.disk, Some(parent)), look) {
                Err(error) if says_absent(&error) => None,
                handle => Some(handle?),
            };
            self.folder = Some((parent.to_owned(), handle));
        }
        Ok(self.folder.as_ref().and_then(|(_, handle)| handle.as_ref()))
    }

    /// None where that cannot be seen.
    fn entry(&mut self, path: &Path) -> Option<Entry> {
        let Some(name) = path.file_name() else { return Some(Entry::Absent) };
        let Some(folder) = self.folder(path).ok()? else { return Some(Entry::Absent) };
        let stat = match fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT | Errno::NOTDIR) => return Some(Entry::Absent),
            stat => stat.ok()?,
        };
        let entry = Entry::of(&stat, || {
            let target = fs::readlinkat(folder, name, Vec::new()).ok()?;
            Some(Named::from(Path::new(&OsString::from_vec(target.into_bytes()))))
        });
        Some(match (entry, self.opened.mode(&stat)) {
            (Entry::Folder { .. }, Some(mode)) => Entry::Folder { mode },
            (entry, _) => entry,
        })
    }

    /// A regular file's content.
    fn read(&mut self, path: &Path) -> Option<Vec<u8>> {
        let name = path.file_name()?;
        let file = fs::openat(self.folder(path).ok()??, name, READ, Mode::empty()).ok()?;
        let stat = fs::fstat(&file).ok()?;
        if file_type(&stat) != FileType::RegularFile {
            return None;
        }
        whole(File::from(file))
    }
}

fn whole(file: File) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    file.take(SHOWN + 1).read_to_end(&mut content).ok()?;
    (u64::try_from(content.len()).ok()? <= SHOWN).then_some(content)
}

impl Settling<'_> {
    /// In the order of names, and of folders that moved; each with the name that it has now.
    fn acts(&mut self) -> Vec<(Act, Option<PathBuf>)> {
        let mut turns: Vec<Vec<Turned<'_>>> = Vec::new();
        // New names of files that were there before, each in the part that made it.
        let mut names: HashMap<(usize, Id), (PathBuf, Stamp)> = HashMap::new();
        let touched = self.touched;
        for (number, part) in touched.parts().iter().enumerate() {
            let mut turned = Vec::new();
            for (path, was) in &part.before {
                let path = PathBuf::from(path);
                let later = touched.later(number, &path);
                let at_last = if later.is_some() { None } else { touched.at_last(number, &path) };
                let now = later.cloned().or_else(|| self.looking.entry(at_last.as_deref()?));
                if let (Entry::Absent, Some(Entry::File(Kept { stamp: Some(now), .. }))) = (was, &now)
                    && touched.contents.contains_key(&now.id())
                {
                    names.insert((number, now.id()), (path.clone(), *now));
                }
                turned.push(Turned { path, at_last, was, now });
            }
            turns.push(turned);
        }
        let mut acts: Vec<(Act, Option<PathBuf>)> = Vec::new();
        for (number, (part, turned)) in touched.parts().iter().zip(turns).enumerate() {
            for Turned { path, at_last, was, now } in turned {
                if let Some(was) = self.was(was, now.as_ref(), |id| names.get(&(number, id)))
                    && !self.same(&was, now.as_ref())
                {
                    let act = Act::Turn { path: (&path).into(), was, now };
                    let at_last = match act.moved() {
                        Some((_, to)) => touched.at_last(number, &PathBuf::from(to)),
                        None => at_last,
                    };
                    acts.push((act, at_last));
                }
            }
            let Some((from, to)) = &part.then else { continue };
            match acts.last() {
                Some((Act::Move { from: to_then, to: from_then }, _))
                    if PathBuf::from(to_then) == *to && PathBuf::from(from_then) == *from =>
                {
                    acts.pop();
                }
                _ => acts.push((Act::Move { from: from.into(), to: to.into() }, None)),
            }
        }
        for (act, _) in &acts {
            let Act::Turn { was: Entry::File(Kept { place: Some(_), stamp: Some(stamp), .. }), .. } = act else {
                continue;
            };
            let content = touched.contents.get(&stamp.id());
            if let Some(Content::Linked(number) | Content::Copied(number)) = content
                && self.needed.insert(*number)
            {
                if matches!(content, Some(Content::Linked(_))) {
                    self.batch.detach(*number);
                }
                self.batch.dated(*number, stamp.modified);
            }
        }
        acts
    }

    /// What was there, and where its content is. None for what somebody else changed.
    fn was<'n>(
        &self,
        was: &Entry,
        now: Option<&Entry>,
        name: impl FnOnce(Id) -> Option<&'n (PathBuf, Stamp)>,
    ) -> Option<Entry> {
        let Entry::File(kept) = was else { return Some(was.clone()) };
        let stamp = kept.stamp?;
        let content = self.touched.contents.get(&stamp.id());
        let moved = name(stamp.id()).filter(|(_, now)| match content {
            // Nothing of ours holds an empty file: when it is gone, a new one may get its number.
            Some(Content::Linked(_) | Content::Empty) => stamp.is(now),
            _ => false,
        });
        let gone = !matches!(now, Some(Entry::File(Kept { stamp: Some(now), .. })) if now.id() == stamp.id());
        Some(Entry::File(match (content, moved) {
            (Some(_), Some((name, _))) if gone && kept.names.is_none() => {
                Kept { kept: true, moved: Some(name.into()), ..kept.clone() }
            }
            (Some(Content::Empty), _) => Kept { kept: true, ..kept.clone() },
            (Some(Content::Linked(number) | Content::Copied(number)), _) => {
                Kept { kept: true, place: Some(self.batch.place(*number)), ..kept.clone() }
            }
            // Only its attributes were to be changed, so another content is not the program's.
            (None, _) if gone && now.is_some() => return None,
            (None, _) => kept.clone(),
        }))
    }

    fn same(&self, was: &Entry, now: Option<&Entry>) -> bool {
        let Some(now) = now else { return false };
        match (was, now) {
            (Entry::Absent, Entry::Absent) | (Entry::Special, Entry::Special) => true,
            (Entry::Folder { mode: was }, Entry::Folder { mode })
            | (Entry::Fifo { mode: was }, Entry::Fifo { mode }) => was == mode,
            (Entry::Link { target: was }, Entry::Link { target }) => was == target,
            (Entry::File(kept), Entry::File(now)) if kept.mode == now.mode => {
                let (Some(was), Some(is)) = (kept.stamp, now.stamp) else { return false };
                let opened = match self.touched.contents.get(&was.id()) {
                    Some(Content::Copied(_)) => self.left == Left::Others || was.changed != is.changed,
                    Some(Content::Empty) => self.left == Left::Others,
                    _ => false,
                };
                was.is(&is) && !opened
            }
            _ => false,
        }
    }

    /// A small content that was kept.
    fn content(&mut self, kept: &Kept) -> Option<Vec<u8>> {
        match (&kept.place, &kept.moved) {
            (Some(place), _) => whole(self.journal.open_batched(place, kept)?),
            // Under the name that it had before folders moved: then it is not shown.
            (None, Some(moved)) => self.looking.read(&PathBuf::from(moved)),
            (None, None) => (kept.kept && kept.size == 0).then(Vec::new),
        }
    }
}

/// What is shown of a step.
struct Shown<'a, 's> {
    settling: &'s mut Settling<'a>,
    bytes: u64,
    files: usize,
}

impl Shown<'_, '_> {
    /// Of one act; lines are counted by whoever knows how, but of what is too large to be given.
    fn delta(&mut self, act: &Act, at_last: Option<&Path>) -> Option<FileDelta> {
        let canonical = |path: PathBuf| CanonicalPath::new(Root::Workspace, path);
        let moved = act.moved().map(|(from, to)| (from, at_last.map_or_else(|| to.into(), Path::to_owned)));
        let moved = moved.or_else(|| match act {
            Act::Move { from, to } => Some((from, to.into())),
            _ => None,
        });
        if let Some((from, to)) = moved {
            let from = Some(canonical(from.into()));
            return Some(FileDelta { path: canonical(to), from, added: 0, removed: 0, before: None, after: None });
        }
        let (Act::Turn { was, now: Some(now), .. }, Some(at_last)) = (act, at_last) else { return None };
        let path = canonical(at_last.to_owned());
        let other_mode = match (was, now) {
            (Entry::File(was), Entry::File(now)) => was.mode != now.mode,
            _ => false,
        };
        if matches!(was, Entry::File(was) if only_attributes(was, Some(now))) {
            let same = FileDelta { path, from: None, added: 0, removed: 0, before: None, after: None };
            return other_mode.then_some(same);
        }
        let sizes = [size(was), size(now)];
        if sizes == [None, None] {
            return None;
        }
        let [old, new] = sizes.map(Option::unwrap_or_default);
        if old.saturating_add(new) > SHOWN.min(self.bytes) || self.files == 0 {
            let [removed, added] = [old, new].map(|size| usize::try_from(size.div_ceil(LINE)).unwrap_or(usize::MAX));
            let [before, after] = sizes.map(|size| size.map(|_| Vec::new()));
            return Some(FileDelta { path, from: None, added, removed, before, after });
        }
        self.bytes = self.bytes.saturating_sub(old.saturating_add(new));
        self.files -= 1;
        let before = match was {
            Entry::File(kept) => Some(self.settling.content(kept).unwrap_or_default()),
            other => target(other),
        };
        let after = match now {
            Entry::File(_) => Some(self.settling.looking.read(at_last).unwrap_or_default()),
            other => target(other),
        };
        // Written again with the same content.
        if before == after && !other_mode && is_file(was) == is_file(now) {
            return None;
        }
        Some(FileDelta { path, from: None, added: 0, removed: 0, before, after })
    }
}

/// Bytes of what stands at a name; none for folders and for nothing.
fn size(entry: &Entry) -> Option<u64> {
    match entry {
        Entry::File(kept) => Some(kept.size),
        Entry::Link { .. } | Entry::Fifo { .. } | Entry::Special => Some(0),
        Entry::Absent | Entry::Folder { .. } => None,
    }
}

/// Of what is no file: where a link leads.
fn target(entry: &Entry) -> Option<Vec<u8>> {
    match entry {
        Entry::Link { target } => Some(PathBuf::from(target).into_os_string().into_vec()),
        entry => size(entry).map(|_| Vec::new()),
    }
}

fn is_file(entry: &Entry) -> bool {
    matches!(entry, Entry::File(_))
}
