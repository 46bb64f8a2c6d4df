//! Snapshots of one step's files, before and after, as far as contents are still available.

use super::entry::{Entry, Stamp};
use super::record::{Act, Kept, Named, only_attributes, parse_hash};
use super::{Journal, JournalError, StepNumber};
use crate::disk::Disk;
use crate::writes::join;
use palanca_core::call::{CanonicalPath, Root, SessionId};
use palanca_core::ports::{ContentHash, Files};
use std::io::Read;
use std::path::PathBuf;

/// One file of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub path: CanonicalPath,
    /// Its other name before, where the step moved it.
    pub moved_from: Option<CanonicalPath>,
    /// What was there before.
    pub before: Side,
    /// What was there afterwards.
    pub after: Side,
}

/// A file at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// Not there, or no file.
    Absent,
    /// This content.
    Content(Vec<u8>),
    /// A content that is not kept anywhere.
    Unknown,
}

impl Journal {
    /// The files of one step; links, folders and modes have no picture. `disk` helps with contents that are still there.
    ///
    /// # Errors
    /// When there is no such step, or the index cannot be read.
    pub fn pictures(&self, disk: &Disk, session: &SessionId, step: StepNumber) -> Result<Vec<Picture>, JournalError> {
        let lines = self.lines(session)?;
        let line = step.0.checked_sub(1).and_then(|at| lines.get(at));
        let line =
            line.ok_or_else(|| JournalError::NoSuchStep { session: session.to_string(), step, steps: lines.len() })?;
        let (mut pictures, mut arrived) = (Vec::new(), Vec::new());
        let later: Vec<&Act> = lines.iter().skip(step.0).flat_map(|line| &line.acts).collect();
        let later = Later { journal: self, disk, acts: &later };
        for act in &line.acts {
            let kept = |kept: &Kept, path: &Named| self.side(disk, kept.digest(), path);
            let one = |path: &Named, before: Side, after: Side| Picture {
                path: canonical(path),
                moved_from: None,
                before,
                after,
            };
            match act {
                Act::Write { path, before, after } => {
                    let before = before.as_ref().map_or(Side::Absent, |before| kept(before, path));
                    let after = parse_hash(after);
                    let known = self.side(disk, after, path);
                    let after = match (known, after) {
                        (Side::Unknown, Some(hash)) => {
                            later.find(path, |_, content| ContentHash::of_bytes(content) == hash)
                        }
                        (known, _) => known,
                    };
                    pictures.push(one(path, before, after));
                }
                Act::Delete { path, before } => pictures.push(one(path, kept(before, path), Side::Absent)),
                Act::DeleteTree { files, .. } => {
                    pictures
                        .extend(files.iter().map(|file| one(&file.path, kept(&file.kept, &file.path), Side::Absent)));
                }
                Act::Move { from, to } => pictures.push(Picture {
                    path: canonical(to),
                    moved_from: Some(canonical(from)),
                    before: Side::Unknown,
                    after: Side::Unknown,
                }),
                Act::Turn { was: Entry::File(was), now, .. } if only_attributes(was, now.as_ref()) => {}
                Act::Turn { path, was: Entry::File(Kept { moved: Some(to), .. }), now: Some(Entry::Absent) } => {
                    arrived.push(canonical(to));
                    pictures.push(Picture {
                        path: canonical(to),
                        moved_from: Some(canonical(path)),
                        before: Side::Unknown,
                        after: Side::Unknown,
                    });
                }
                Act::Turn { path, was, now } => {
                    let before = match was {
                        Entry::File(was) => self.kept(was, super::MOST_KEPT).map_or(Side::Unknown, Side::Content),
                        _ => Side::Absent,
                    };
                    let after = match now {
                        Some(Entry::File(now)) => {
                            later.find(path, |stamp, _| now.stamp.is_some_and(|now| now.is(stamp)))
                        }
                        None => Side::Unknown,
                        Some(_) => Side::Absent,
                    };
                    if (&before, &after) != (&Side::Absent, &Side::Absent) {
                        pictures.push(one(path, before, after));
                    }
                }
                Act::MakeDirectory { .. } | Act::Link { .. } | Act::Mode { .. } => {}
            }
        }
        // What only moved is shown once.
        pictures.retain(|picture| picture.moved_from.is_some() || !arrived.contains(&picture.path));
        Ok(pictures)
    }

    fn side(&self, disk: &Disk, hash: Option<ContentHash>, path: &Named) -> Side {
        let Some(hash) = hash else { return Side::Unknown };
        let on_disk = || {
            let mut content = Vec::new();
            disk.open(&canonical(path)).ok()?.content.take(super::MOST_KEPT).read_to_end(&mut content).ok()?;
            (ContentHash::of_bytes(&content) == hash).then_some(content)
        };
        self.content(&hash).or_else(on_disk).map_or(Side::Unknown, Side::Content)
    }
}

/// What came after a step.
struct Later<'a> {
    journal: &'a Journal,
    disk: &'a Disk,
    acts: &'a [&'a Act],
}

impl Later<'_> {
    /// The content that a step left at a name: what the next one that replaced it has kept, or what is still there.
    fn find(&self, path: &Named, is_it: impl Fn(&Stamp, &[u8]) -> bool) -> Side {
        let mut path = PathBuf::from(path);
        for act in self.acts {
            let kept = match act {
                Act::Turn { path: at, was: Entry::File(kept), .. } if PathBuf::from(at) == path => kept,
                Act::Write { path: at, before: Some(kept), .. } | Act::Delete { path: at, before: kept }
                    if PathBuf::from(at) == path =>
                {
                    kept
                }
                Act::Move { from, to } => {
                    if let Ok(rest) = path.strip_prefix(PathBuf::from(from)) {
                        path = join(&PathBuf::from(to), rest);
                    }
                    continue;
                }
                _ => continue,
            };
            if let Some((_, to)) = act.moved() {
                path = to.into();
                continue;
            }
            let content = self.journal.kept(kept, super::MOST_KEPT);
            let content = content.filter(|content| kept.stamp.is_some_and(|stamp| is_it(&stamp, content)));
            return content.map_or(Side::Unknown, Side::Content);
        }
        self.still_there(&canonical(&Named::from(&path)), is_it).map_or(Side::Unknown, Side::Content)
    }

    fn still_there(&self, path: &CanonicalPath, is_it: impl Fn(&Stamp, &[u8]) -> bool) -> Option<Vec<u8>> {
        let (_, stat) = self.disk.look(path).ok()?;
        let mut content = Vec::new();
        self.disk.open(path).ok()?.content.take(super::MOST_KEPT + 1).read_to_end(&mut content).ok()?;
        let is_whole = u64::try_from(content.len()).is_ok_and(|length| length <= super::MOST_KEPT);
        (is_whole && is_it(&Stamp::of(&stat), &content)).then_some(content)
    }
}

fn canonical(path: &Named) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, path.into())
}
