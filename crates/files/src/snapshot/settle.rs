//! What changed between two looks at a tree, as one step of the session.

use super::manifest::Manifest;
use super::scan::{self, Key, Scan};
use super::{Snapshotter, State, States};
use crate::errors::io_error;
use crate::journal::Journal;
use crate::journal::record::{Act, Kept, Kind, Line};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::FileError;
use rustix::fs::{self, AtFlags, StatxFlags};
use std::path::{Path, PathBuf};

/// Contents up to here are given back whole; of larger files only the change is told.
const SHOWN: u64 = 1 << 20;
/// Bytes of contents that are given back for one step.
const SHOWN_IN_ALL: u64 = 16 << 20;

/// One file that a program changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Altered {
    /// The file.
    pub path: CanonicalPath,
    /// Its content before; none when it was not there. Empty where it is too large to be shown.
    pub before: Option<Vec<u8>>,
    /// Its content now; none when it is gone. Empty where it is too large to be shown.
    pub after: Option<Vec<u8>>,
}

impl Snapshotter {
    pub(super) fn settle(&self, before: &Manifest) -> Result<Vec<Altered>, FileError> {
        let Some(journal) = self.disk.journal() else { return Ok(Vec::new()) };
        let stamp = scan::stamp();
        // A tree that outgrew the limits meanwhile: what is new stays, what was there is compared all the same.
        let mut scan = scan::scan(&self.disk, &self.roots, self.limits)?.unwrap_or_default();
        self.add_hidden(&mut scan, &before.states);
        self.drop_foreign(&mut scan, before);
        let failed = |error: std::io::Error| io_error(&error, "the undo journal");
        let now = self.states(journal, &scan, stamp).map_err(failed)?;
        let acts = acts(&before.states, &now);
        if acts.is_empty() {
            return Ok(Vec::new());
        }
        let origin = before.origin();
        let line = Line { without: scan.left_out, ..Line::new(self.disk.workspace(), acts) };
        journal.append(&origin, &line)?;
        Ok(altered(journal, &before.states, &now))
    }

    /// What was there before counts, even when an ignore file hides it now or a limit ended the walk.
    fn add_hidden(&self, scan: &mut Scan, before: &States) {
        let missing: Vec<&PathBuf> = before.keys().filter(|path| !scan.entries.contains_key(*path)).collect();
        for path in missing {
            if let Ok((_, stat)) = self.disk.look(&canonical(path)) {
                scan.entries.insert(path.clone(), Key::of(&stat));
            }
        }
    }

    /// What is older than the snapshot and was not in it came from where nothing is covered: to take it back would be to
    /// lose it.
    fn drop_foreign(&self, scan: &mut Scan, before: &Manifest) {
        let top = canonical(Path::new(""));
        let Ok((root, _)) = self.disk.tree(&top) else { return };
        scan.entries.retain(|path, key| {
            // A file that the snapshot could not read is not known to be the same.
            if before.states.contains_key(path) {
                return true;
            }
            let born = fs::statx(root, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BTIME).ok();
            let born = born.filter(|told| StatxFlags::from_bits_retain(told.stx_mask).contains(StatxFlags::BTIME));
            let born = born.map(|told| (told.stx_btime.tv_sec, i64::from(told.stx_btime.tv_nsec)));
            born.is_none_or(|born| born >= before.stamp) || before.inodes.contains(&(key.device, key.inode))
        });
    }
}

fn canonical(path: &Path) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, path.to_owned())
}

/// In the order in which a program could have done it; taken back, the last comes first.
fn acts(before: &States, now: &States) -> Vec<Act> {
    let mut acts = Vec::new();
    // Gone, or something else by now. Children come before their folders.
    for (path, was) in before.iter().rev() {
        let is = now.get(path);
        match (was, is) {
            (State::File { .. }, Some(State::File { .. })) | (State::Link { .. }, Some(State::Link { .. })) => {}
            (State::File { .. }, _) => acts.extend(kept(was).map(|before| Act::Delete { path: path.into(), before })),
            (State::Link { target }, _) => {
                acts.push(Act::Link { path: path.into(), before: Some((&target.path()).into()), after: None })
            }
            (State::Directory, Some(State::Directory)) => {}
            (State::Directory, _) => acts.push(Act::DeleteTree {
                path: path.into(),
                kind: Kind::Directory,
                files: Vec::new(),
                directories: Vec::new(),
                lost: 0,
            }),
        }
    }
    // New, or changed. Folders come before their children.
    for (path, is) in now {
        let was = before.get(path);
        match (was, is) {
            (Some(State::Directory), State::Directory) => {}
            (_, State::Directory) => acts.push(Act::MakeDirectory { path: path.into() }),
            (Some(State::Link { target: was }), State::Link { target }) if was == target => {}
            (was, State::Link { target }) => {
                let before = match was {
                    Some(State::Link { target }) => Some((&target.path()).into()),
                    _ => None,
                };
                acts.push(Act::Link { path: path.into(), before, after: Some((&target.path()).into()) });
            }
            (Some(State::File { hash: was, mode, .. }), State::File { hash, mode: mode_now, .. }) if was == hash => {
                if mode != mode_now {
                    let before = kept(is).map(|kept| Kept { mode: *mode, ..kept });
                    acts.extend(before.map(|before| Act::Mode { path: path.into(), before, after: *mode_now }));
                }
            }
            (was, State::File { hash, .. }) => {
                let before = was.and_then(kept);
                acts.push(Act::Write { path: path.into(), before, after: hash.to_hex() });
            }
        }
    }
    acts
}

fn kept(state: &State) -> Option<Kept> {
    match state {
        State::File { hash, size, mode } => {
            Some(Kept { hash: Some(hash.to_hex()), size: *size, mode: *mode, kept: true })
        }
        _ => None,
    }
}

fn altered(journal: &Journal, before: &States, now: &States) -> Vec<Altered> {
    let mut left = SHOWN_IN_ALL;
    let mut content = |state: Option<&State>| match state {
        Some(State::File { hash, size, .. }) if *size <= SHOWN && *size <= left => {
            left -= size;
            Some(journal.content(hash).unwrap_or_default())
        }
        Some(State::File { .. }) => Some(Vec::new()),
        _ => None,
    };
    let paths: std::collections::BTreeSet<&PathBuf> = before.keys().chain(now.keys()).collect();
    let mut altered = Vec::new();
    for path in paths {
        let (was, is) = (before.get(path), now.get(path));
        let is_file = |state: Option<&State>| matches!(state, Some(State::File { .. }));
        if was != is && (is_file(was) || is_file(is)) {
            altered.push(Altered { path: canonical(path), before: content(was), after: content(is) });
        }
    }
    altered
}
