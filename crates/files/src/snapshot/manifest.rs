//! What was there before a program ran, written down before it runs: when this process dies meanwhile, the next one that
//! opens the workspace compares instead.

use super::States;
use crate::atomic::Temporary;
use crate::journal::Journal;
use crate::journal::record::Named;
use crate::state::StateDirectory;
use palanca_core::call::{CallId, SessionId};
use palanca_core::ports::ChangeOrigin;
use rustix::fs::{self, AtFlags, FlockOperation, Mode, OFlags};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Where they lie, among the contents that they name.
const FOLDER: &str = "pending";
/// A longer one is no manifest.
const MOST: u64 = 1 << 30;

/// A tree before a program ran.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) workspace: Named,
    session: String,
    call: String,
    /// The kernel's clock when it was taken.
    pub(super) stamp: (i64, i64),
    entries: Vec<(Named, super::State)>,
    #[serde(skip)]
    pub(super) states: States,
    /// Which files there were: one that was moved is none of those that came from elsewhere.
    pub(super) inodes: HashSet<(u64, u64)>,
}

impl Manifest {
    pub(super) fn new(
        workspace: &Path,
        origin: &ChangeOrigin,
        stamp: (i64, i64),
        (states, inodes): (States, HashSet<(u64, u64)>),
    ) -> Self {
        let entries = states.iter().map(|(path, state)| (path.into(), state.clone())).collect();
        let (session, call) = (origin.session.as_str().to_owned(), origin.call.as_str().to_owned());
        Self { workspace: workspace.into(), session, call, stamp, entries, states, inodes }
    }

    pub(super) fn origin(&self) -> ChangeOrigin {
        ChangeOrigin { session: SessionId::new(self.session.as_str()), call: CallId::new(self.call.as_str()) }
    }

    /// Writes it down. The lock lasts as long as this process.
    pub(super) fn hold(&self, journal: &Journal) -> std::io::Result<Held> {
        let folder = folder(journal)?;
        let mut temporary = Temporary::create(folder.handle(), Mode::RUSR | Mode::WUSR)?;
        temporary.write(&serde_json::to_vec(self)?)?;
        let mut name = temporary.name().to_owned();
        name.push(".manifest");
        fs::renameat(folder.handle(), temporary.name(), folder.handle(), &*name)?;
        temporary.disarm();
        let lock = temporary.file().map(File::try_clone).transpose()?;
        Ok(Held { name, _lock: lock })
    }
}

fn folder(journal: &Journal) -> std::io::Result<StateDirectory> {
    journal.contents.directory(FOLDER).map_err(std::io::Error::other)
}

/// A manifest on the disk, and the lock that says that somebody still works on it.
#[derive(Debug)]
pub(super) struct Held {
    name: OsString,
    _lock: Option<File>,
}

impl Held {
    /// It has been compared.
    pub(super) fn done(&self, journal: &Journal) -> bool {
        folder(journal).is_ok_and(|folder| fs::unlinkat(folder.handle(), &*self.name, AtFlags::empty()).is_ok())
    }
}

/// Those of this workspace whose processes are dead.
pub(super) fn left_behind(journal: &Journal, workspace: &Path) -> Vec<(Manifest, Held)> {
    let Ok(folder) = folder(journal) else { return Vec::new() };
    let names = folder.names().unwrap_or_default();
    let mut found: Vec<(Manifest, Held)> = names
        .into_iter()
        .filter(|name| name.ends_with(".manifest"))
        .filter_map(|name| {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = File::from(fs::openat(folder.handle(), &*name, flags, Mode::empty()).ok()?);
            fs::flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
            let mut bytes = Vec::new();
            (&file).take(MOST).read_to_end(&mut bytes).ok()?;
            let mut manifest: Manifest = serde_json::from_slice(&bytes).ok()?;
            if PathBuf::from(&manifest.workspace) != workspace {
                return None;
            }
            manifest.states = manifest.entries.iter().map(|(path, state)| (path.into(), state.clone())).collect();
            Some((manifest, Held { name: name.into(), _lock: Some(file) }))
        })
        .collect();
    found.sort_by_key(|(manifest, _)| manifest.stamp);
    found
}
