//! Remembers a tree before programs run in it, so that what they change can be taken back like any other step.
//!
//! It covers what the file door could write: no secrets, no protected files, nothing that git ignores, no packages, caches
//! or git objects, no file beyond 64 MiB, nothing outside the workspace. The surprising decision: contents are kept *before*
//! the program runs, all of them, because afterwards they are gone; files whose numbers did not move since the last time
//! are known to be kept and cost one look each.

mod contents;
mod known;
mod manifest;
mod scan;
mod settle;

use crate::disk::Disk;
use crate::journal::Journal;
use contents::Shelves;
use known::Known;
use manifest::{Held, Manifest};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{ChangeOrigin, ContentHash, FileError, Files};
use rustix::fs::FileType;
use scan::{Key, Scan};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

pub use scan::SnapshotLimits;
pub use settle::Altered;

/// What could be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every file of the roots.
    Whole,
    /// All but some; the first few of them, by name.
    Without(Vec<String>),
    /// The tree is beyond the limits: nothing.
    TooLarge(SnapshotLimits),
    /// Nothing: why.
    Nothing(String),
}

/// Takes snapshots of the same trees, again and again.
#[derive(Debug)]
pub struct Snapshotter {
    disk: Arc<Disk>,
    roots: Vec<CanonicalPath>,
    limits: SnapshotLimits,
    known: Mutex<Option<Known>>,
}

/// What stood at one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    File {
        #[serde(with = "hex")]
        hash: ContentHash,
        size: u64,
        mode: u32,
    },
    Link {
        target: PathBufBytes,
    },
    Directory,
}

mod hex {
    use palanca_core::ports::ContentHash;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(hash: &ContentHash, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hash.to_hex())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ContentHash, D::Error> {
        let text = String::deserialize(from)?;
        crate::journal::record::parse_hash(&text).ok_or_else(|| D::Error::custom("no hash"))
    }
}

/// A link's target, which may be any bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PathBufBytes(Vec<u8>);

impl PathBufBytes {
    fn path(&self) -> PathBuf {
        std::ffi::OsString::from_vec(self.0.clone()).into()
    }
}

type States = BTreeMap<PathBuf, State>;

/// How things were before a program ran. Dropped without [`Taken::settle`], it is settled when the workspace is next opened.
#[derive(Debug)]
pub struct Taken {
    snapshotter: Arc<Snapshotter>,
    before: Manifest,
    held: Held,
}

impl Snapshotter {
    /// Snapshots of these folders of the workspace, kept in the door's journal.
    ///
    /// # Errors
    /// A root that leads out of the workspace.
    pub fn new(disk: Arc<Disk>, roots: &[String], limits: SnapshotLimits) -> Result<Self, FileError> {
        let mut located: Vec<CanonicalPath> = Vec::new();
        for root in roots {
            let path = disk.locate(root)?;
            if !located.iter().any(|known| path.is_within(known)) {
                located.retain(|known| !known.is_within(&path));
                located.push(path);
            }
        }
        Ok(Self { disk, roots: located, limits, known: Mutex::default() })
    }

    /// What could be taken back now: looks at every name, reads no content.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        if self.disk.journal().is_none() {
            return Coverage::Nothing(String::new());
        }
        match scan::scan(&self.disk, &self.roots, self.limits) {
            Err(error) => Coverage::Nothing(error.to_string()),
            Ok(Err(scan::TooLarge)) => Coverage::TooLarge(self.limits),
            Ok(Ok(scan)) if scan.left_out.is_empty() => Coverage::Whole,
            Ok(Ok(scan)) => Coverage::Without(scan.left_out),
        }
    }

    /// Remembers how things are. None where nothing is covered, or where the journal cannot be written.
    #[must_use]
    pub fn before(self: &Arc<Self>, origin: &ChangeOrigin) -> Option<Taken> {
        let journal = self.disk.journal()?;
        let stamp = scan::stamp();
        let scan = scan::scan(&self.disk, &self.roots, self.limits).ok()?.ok()?;
        let states = self.states(journal, &scan, stamp).ok()?;
        let before = Manifest::new(self.disk.workspace(), origin, stamp, (states, scan.inodes()));
        let held = before.hold(journal).ok()?;
        Some(Taken { snapshotter: Arc::clone(self), before, held })
    }

    /// Settles what earlier processes left when they died while a program ran in this workspace. Returns how many.
    pub fn recover(&self) -> usize {
        let Some(journal) = self.disk.journal() else { return 0 };
        let left = manifest::left_behind(journal, self.disk.workspace());
        let settled = left.into_iter().filter(|(before, held)| self.settle(before).is_ok() && held.done(journal));
        settled.count()
    }

    /// The state of everything that was found, contents kept.
    fn states(&self, journal: &Journal, scan: &Scan, stamp: (i64, i64)) -> std::io::Result<States> {
        let mut guard = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let name = self.list();
        let known = guard.get_or_insert_with(|| Known::read(&journal.contents, &name));
        let (mut states, mut unknown) = (States::new(), Vec::new());
        for (path, key) in &scan.entries {
            let state = match key.kind() {
                FileType::Directory => Some(State::Directory),
                FileType::Symlink => self.link(path),
                _ => match known.hash(key) {
                    Some(hash) => Some(file(&hash, key)),
                    None => {
                        unknown.push(CanonicalPath::new(palanca_core::call::Root::Workspace, path.clone()));
                        None
                    }
                },
            };
            states.extend(state.map(|state| (path.clone(), state)));
        }
        if unknown.is_empty() {
            return Ok(states);
        }
        let stored = Shelves::new(journal).keep(&self.disk, &unknown)?;
        for (path, stored) in unknown.iter().zip(stored) {
            let Some(stored) = stored else { continue };
            states.insert(path.relative().to_owned(), file(&stored.hash, &stored.key));
            if stored.steady && stored.key.changed < stamp {
                known.insert(stored.key, stored.hash);
            }
        }
        let inodes = scan.inodes();
        known.retain(|key| inodes.contains(&(key.device, key.inode)));
        // ignored: without the list every file is read again.
        let _ = known.write(&journal.contents, &name);
        Ok(states)
    }

    fn link(&self, path: &std::path::Path) -> Option<State> {
        let path = CanonicalPath::new(palanca_core::call::Root::Workspace, path.to_owned());
        crate::journal::links::target(&self.disk, &path)
            .map(|target| State::Link { target: PathBufBytes(target.into_os_string().into_vec()) })
    }

    /// The name of this workspace's list of known contents.
    fn list(&self) -> String {
        use std::os::unix::ffi::OsStrExt;
        let hash = ContentHash::of_bytes(self.disk.workspace().as_os_str().as_bytes()).to_hex();
        format!("seen-{}", hash.get(..16).unwrap_or_default())
    }
}

fn file(hash: &ContentHash, key: &Key) -> State {
    State::File { hash: *hash, size: key.size, mode: key.permissions() }
}

impl Taken {
    /// Compares, and writes down what changed as one step of the session. What cannot be read is left out. When the journal
    /// cannot be written, the comparison is left for later.
    #[must_use]
    pub fn settle(self) -> Vec<Altered> {
        let Some(journal) = self.snapshotter.disk.journal() else { return Vec::new() };
        match self.snapshotter.settle(&self.before) {
            Ok(altered) => {
                self.held.done(journal);
                altered
            }
            Err(_) => Vec::new(),
        }
    }
}
