//! What in `/etc` is not for everybody. A program started by root would read it, because the kernel knows files by their
//! owner and root owns them, with or without capabilities; and a member of a group reads what the group may.

use rustix::fs::Access;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where settings lie; keys may lie deep.
const SETTINGS: [&str; 3] = ["/etc", "/usr/local/etc", "/opt"];
/// Levels below each. What lies in `/opt` is whole programs, and their settings are at the top.
const DEPTH: [u8; 3] = [8, 8, 1];

/// How long what was found is believed: a directory tells when something in it was made, removed or renamed, but not when
/// the mode of a file in it changed.
const BELIEVED: Duration = Duration::from_secs(5);

/// Everything in those directories that this process could read and others could not.
pub(crate) fn private_settings() -> Vec<PathBuf> {
    Look::new().found
}

/// What was found, for those who start one program after the other.
#[derive(Debug, Default)]
pub(crate) struct PrivateSettings(Mutex<Option<Look>>);

impl PrivateSettings {
    /// As it is now, or was a moment ago.
    pub(crate) fn found(&self) -> Vec<PathBuf> {
        let mut look = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(look) = look.as_ref().filter(|look| look.holds()) {
            return look.found.clone();
        }
        look.insert(Look::new()).found.clone()
    }
}

#[derive(Debug)]
struct Look {
    at: Instant,
    /// Where it was looked, and when each of them changed last.
    directories: Vec<(PathBuf, Changed)>,
    found: Vec<PathBuf>,
}

/// Seconds and nanoseconds; nothing for a directory that is not there.
type Changed = Option<(i64, i64)>;

impl Look {
    fn new() -> Self {
        let mut look = Self { at: Instant::now(), directories: Vec::new(), found: Vec::new() };
        for (directory, depth) in SETTINGS.iter().zip(DEPTH) {
            look.look_in(Path::new(directory), depth);
        }
        look
    }

    fn look_in(&mut self, directory: &Path, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        // Before it is read: what changes meanwhile is noticed later.
        self.directories.push((directory.to_owned(), changed(directory)));
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            let wanted = if about.is_dir() { 0o005 } else { 0o004 };
            let private = !about.is_symlink() && about.mode() & wanted != wanted;
            if !private && about.is_dir() {
                self.look_in(&entry.path(), depth);
            }
            if private && rustix::fs::access(entry.path(), Access::READ_OK).is_ok() {
                self.found.push(entry.path());
            }
        }
    }

    fn holds(&self) -> bool {
        self.at.elapsed() < BELIEVED && self.directories.iter().all(|(path, when)| changed(path) == *when)
    }
}

fn changed(directory: &Path) -> Changed {
    std::fs::metadata(directory).ok().map(|about| (about.ctime(), about.ctime_nsec()))
}

#[cfg(test)]
mod tests;
