//! System files that are not world-readable. A program started by root would read them, because the kernel checks the owner
//! and root owns them, with or without capabilities; and a member of a group reads what the group may.
//!
//! `/etc`, `/opt` and `/usr/local` are small as a rule and looked through in every process. All of `/usr` is not: what was
//! found there is kept in a file, believed for some minutes, and then only folders that changed are read again. A folder
//! tells when something in it was made, removed or renamed, but not when the mode of a file in it changed; so everything is
//! read again now and then. Whoever believes what was found needs few of the folders: they are a file of their own.
//!
//! Reading all of `/usr` takes the kernel a few microseconds for each file, and hundreds of thousands are usual. Several
//! threads share the work; nothing tells that a file need not be asked for its mode.

mod kept;

use parking_lot::Mutex;
use rustix::fs::Access;
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// Where settings and whole programs lie; the last one holds the one before.
const PLACES: [&str; 4] = ["/etc", "/opt", "/usr/local", "/usr"];
/// A place with more folders is large.
const LARGE: usize = 1_000;
/// How long the modes of files in a small place are believed.
const MODES: Duration = Duration::from_secs(5);
/// How long everything that was found in a large place is believed, and then its modes alone.
const LARGE_PLACE: [Duration; 2] = [Duration::from_secs(300), Duration::from_secs(3_600)];
/// More threads would wait for each other in the kernel.
const MOST_THREADS: usize = 8;
/// Folders that a thread takes at a time.
const RUN: usize = 16;

/// What was found, for those who start one program after the other.
#[derive(Debug, Default)]
pub(crate) struct PrivateSettings {
    looks: Mutex<HashMap<&'static str, Look>>,
    /// Where large places are remembered for the next process.
    kept: Option<PathBuf>,
}

impl PrivateSettings {
    /// Remembering large places in files of this directory.
    pub(crate) fn kept_in(directory: Option<PathBuf>) -> Self {
        Self { kept: directory, ..Self::default() }
    }

    /// Everything in those places that this process could read and others could not, as it is now or was a moment ago.
    pub(crate) fn found(&self) -> Vec<PathBuf> {
        let mut looks = self.looks.lock();
        let mut found = Vec::new();
        for place in PLACES {
            let look = looks.remove(place).unwrap_or_else(|| self.load(place));
            let look = if look.holds() { look } else { self.look(look) };
            found.extend(look.found.iter().cloned());
            looks.insert(place, look);
        }
        found
    }

    fn look(&self, old: Look) -> Look {
        let whole = self.kept.as_ref().filter(|_| old.is_part()).and_then(|kept| kept::load_whole(kept, &old.place));
        let look = Look::again(whole.unwrap_or(old));
        if let Some(kept) = self.kept.as_ref().filter(|_| look.is_large()) {
            // ignored: without it, the next process looks for itself.
            let _ = kept::save(kept, &look);
        }
        look
    }

    fn load(&self, place: &'static str) -> Look {
        let kept = self.kept.as_ref().and_then(|kept| kept::load(kept, Path::new(place)));
        kept.unwrap_or_else(|| Look::never(place))
    }
}

/// A folder as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Folder {
    changed: Changed,
    private: Vec<OsString>,
    below: Vec<OsString>,
}

/// File system, number, and the seconds and nanoseconds of its last change; nothing for a folder that is not there.
type Changed = Option<(u64, u64, i64, i64)>;

#[derive(Debug, PartialEq, Eq)]
struct Look {
    place: PathBuf,
    /// When folders were compared, and when all modes were read.
    at: [SystemTime; 2],
    /// All of them, or those that tell whether what was found is believed.
    folders: HashMap<PathBuf, Folder>,
    /// How many the place has.
    count: usize,
    found: Vec<PathBuf>,
}

impl Look {
    fn never(place: impl Into<PathBuf>) -> Self {
        let at = [SystemTime::UNIX_EPOCH; 2];
        Self { place: place.into(), at, folders: HashMap::new(), count: 0, found: Vec::new() }
    }

    fn is_large(&self) -> bool {
        self.count > LARGE
    }

    fn is_part(&self) -> bool {
        self.folders.len() < self.count
    }

    /// Of a large place, the folders that tell soonest: another system, or a package that was installed, shows at the top.
    fn top(&self) -> impl Iterator<Item = (&PathBuf, &Folder)> {
        let below = self.folders.get(&self.place).map(|top| top.below.as_slice()).unwrap_or_default();
        let top = std::iter::once(self.place.clone()).chain(below.iter().map(|name| self.place.join(name)));
        top.filter_map(|path| self.folders.get_key_value(&path))
    }

    /// A clock that was put back makes everything old.
    fn is_younger(&self, which: usize, than: Duration) -> bool {
        self.at.get(which).and_then(|at| at.elapsed().ok()).is_some_and(|age| age < than)
    }

    fn holds(&self) -> bool {
        let [all, _] = LARGE_PLACE;
        let same = |(path, folder): (&PathBuf, &Folder)| changed(path) == folder.changed;
        if self.is_large() {
            return self.is_younger(0, all) && self.top().all(same);
        }
        self.is_younger(1, MODES) && self.folders.iter().all(same)
    }

    /// Looks through the place, and reads no folder that is as it was while its modes are believed.
    fn again(old: Self) -> Self {
        let [_, modes] = LARGE_PLACE;
        let believed = old.is_large() && old.is_younger(1, modes);
        let now = SystemTime::now();
        let read = if believed { old.at[1] } else { now };
        let Self { place, folders: known, .. } = old;
        let mut look = Self { at: [now, read], ..Self::never(place) };
        let mut folders = vec![look.place.clone()];
        while !folders.is_empty() {
            let read = in_parallel(folders, |path| Folder::again(path, known.get(path).filter(|_| believed)));
            folders = Vec::new();
            for (path, folder) in read {
                look.found.extend(folder.private.iter().map(|name| path.join(name)));
                folders.extend(folder.below.iter().map(|name| path.join(name)).filter(|path| !look.is_another(path)));
                look.folders.insert(path, folder);
            }
        }
        // Threads end in any order, and a room that waits for a program fits only the same list.
        look.found.sort_unstable();
        look.count = look.folders.len();
        look
    }

    fn is_another(&self, path: &Path) -> bool {
        self.place != path && PLACES.iter().any(|place| path == Path::new(place))
    }
}

impl Folder {
    /// The old one, if it has not changed.
    fn again(path: &Path, old: Option<&Self>) -> Self {
        // Before it is read: what changes meanwhile is noticed later.
        let changed = changed(path);
        let old = old.filter(|old| changed.is_some() && old.changed == changed);
        old.cloned().unwrap_or_else(|| Self::read(path, changed))
    }

    fn read(path: &Path, changed: Changed) -> Self {
        let mut folder = Self { changed, ..Self::default() };
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            let wanted = if about.is_dir() { 0o005 } else { 0o004 };
            let private = !about.is_symlink() && about.mode() & wanted != wanted;
            if !private && about.is_dir() {
                folder.below.push(entry.file_name());
            }
            if private && rustix::fs::access(entry.path(), Access::READ_OK).is_ok() {
                folder.private.push(entry.file_name());
            }
        }
        folder
    }
}

/// Each folder with what is made of it, in any order; by several threads where there are many.
fn in_parallel<T: Send>(folders: Vec<PathBuf>, each: impl Fn(&Path) -> T + Sync) -> Vec<(PathBuf, T)> {
    let most = thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
    let others = most.min(folders.len() / RUN).saturating_sub(1);
    let done = Mutex::new(Vec::with_capacity(folders.len()));
    let waiting = Mutex::new(folders.into_iter());
    let next = || -> Vec<_> { waiting.lock().by_ref().take(RUN).collect() };
    let work = || {
        for run in std::iter::repeat_with(next).take_while(|run| !run.is_empty()) {
            let made: Vec<_> = run.iter().map(|path| each(path)).collect();
            done.lock().extend(run.into_iter().zip(made));
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            // ignored: where a thread does not start, this one does its part. After a panic of one the scope panics, too.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    done.into_inner()
}

fn changed(folder: &Path) -> Changed {
    let about = std::fs::symlink_metadata(folder).ok()?;
    Some((about.dev(), about.ino(), about.ctime(), about.ctime_nsec()))
}

#[cfg(test)]
mod tests;
