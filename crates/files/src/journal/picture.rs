//! One step as pictures of its files: before and after, as far as contents are still to be had.

use super::entry::{Entry, Stamp};
use super::record::{Act, Kept, Named, only_attributes, parse_hash};
use super::{Journal, JournalError, StepNumber};
use crate::disk::Disk;
use palanca_core::call::{CanonicalPath, Root, SessionId};
use palanca_core::ports::{ContentHash, Files};
use std::io::Read;

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
                    pictures.push(one(path, before, self.side(disk, parse_hash(after), path)));
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
                        Some(Entry::File(now)) => still_there(disk, now, path),
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

/// The content that a program left, if nobody has changed it since.
fn still_there(disk: &Disk, left: &Kept, path: &Named) -> Side {
    let path = canonical(path);
    let same = |stat: &rustix::fs::Stat| left.stamp.is_some_and(|left| left.is(&Stamp::of(stat)));
    let mut content = Vec::new();
    let read = || -> Option<()> {
        disk.look(&path).ok().filter(|(_, stat)| same(stat))?;
        disk.open(&path).ok()?.content.take(super::MOST_KEPT).read_to_end(&mut content).ok()?;
        Some(())
    };
    if { read }().is_some() { Side::Content(content) } else { Side::Unknown }
}

fn canonical(path: &Named) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, path.into())
}
