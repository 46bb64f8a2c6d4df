//! Judges every path of a commit and finds out how its changes build on each other.

use super::Start;
use crate::disk::Disk;
use palanca_core::call::{Access, CanonicalPath};
use palanca_core::ports::{Change, FileError, FileErrorKind, Files};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// What the changes so far leave at a path.
#[derive(Clone, Copy)]
enum Left<'a> {
    Nothing,
    Moved(&'a CanonicalPath),
    /// Content or a directory of this commit: not to be touched again.
    Made,
}

/// The start of each change's first and second path.
pub(super) fn check<'a>(disk: &Disk, changes: &'a [Change]) -> Result<Vec<(Start<'a>, Start<'a>)>, FileError> {
    let mut left: HashMap<&CanonicalPath, Left<'a>> = HashMap::new();
    let mut trees: Vec<(usize, &CanonicalPath)> = Vec::new();
    let mut emptied: HashSet<&Path> = HashSet::new();
    let mut starts = Vec::with_capacity(changes.len());
    for (number, change) in changes.iter().enumerate() {
        for path in change.paths() {
            disk.judge(path, Access::Write)?;
        }
        starts.push(match change {
            Change::Write { path, .. } => {
                not_the_root(path, "a directory cannot be written")?;
                let start = match start(&left, path)? {
                    Start::AsIs if emptied.contains(path.relative()) => Start::Emptied,
                    start => start,
                };
                left.insert(path, Left::Made);
                (start, Start::AsIs)
            }
            Change::Delete { path, .. } => {
                not_the_root(path, "the workspace itself cannot be removed")?;
                untouched(&left, path)?;
                left.insert(path, Left::Nothing);
                emptied.extend(path.relative().ancestors().skip(1));
                trees.push((number, path));
                (Start::AsIs, Start::AsIs)
            }
            Change::Move { from, to } => {
                not_the_root(from, "the workspace itself cannot be moved")?;
                not_the_root(to, "the workspace is there already")?;
                if from != to && to.is_within(from) {
                    return Err(invalid(to, "a directory cannot be moved into itself"));
                }
                untouched(&left, from)?;
                let start = start(&left, to)?;
                if matches!(start, Start::MovedFrom(_)) {
                    return Err(fight(to));
                }
                left.insert(from, Left::Nothing);
                left.insert(to, Left::Moved(from));
                trees.extend([(number, from), (number, to)]);
                (Start::AsIs, start)
            }
            Change::MakeDirectory { path } => {
                untouched(&left, path)?;
                left.insert(path, Left::Made);
                (Start::AsIs, Start::AsIs)
            }
        });
    }
    apart(changes, &trees)?;
    Ok(starts)
}

fn start<'a>(left: &HashMap<&CanonicalPath, Left<'a>>, path: &CanonicalPath) -> Result<Start<'a>, FileError> {
    match left.get(path) {
        None => Ok(Start::AsIs),
        Some(Left::Nothing) => Ok(Start::Gone),
        Some(Left::Moved(from)) => Ok(Start::MovedFrom(from)),
        Some(Left::Made) => Err(fight(path)),
    }
}

fn untouched(left: &HashMap<&CanonicalPath, Left<'_>>, path: &CanonicalPath) -> Result<(), FileError> {
    if left.contains_key(path) { Err(fight(path)) } else { Ok(()) }
}

/// No change lies inside a tree that another one moves or removes: their order would decide what is meant. What is written
/// below a name that was removed before needs a file to have been there.
fn apart(changes: &[Change], trees: &[(usize, &CanonicalPath)]) -> Result<(), FileError> {
    for (number, tree) in trees {
        let removed = matches!(changes.get(*number), Some(Change::Delete { .. }));
        let below =
            |(other, change): &(usize, &Change)| removed && other > number && matches!(change, Change::Write { .. });
        let others = changes.iter().enumerate().filter(|change| !below(change)).flat_map(|(_, change)| change.paths());
        if let Some(path) = others.into_iter().find(|path| path != tree && path.is_within(tree)) {
            return Err(in_removed(path));
        }
    }
    Ok(())
}

pub(super) fn in_removed(path: &CanonicalPath) -> FileError {
    invalid(path, "it lies in a directory that the same commit moves or removes; commit twice")
}

/// The folders in which the new contents of a commit wait, in order: never below what the same commit removes.
pub(crate) fn waiting_rooms(changes: &[Change]) -> Vec<&Path> {
    let mut removed: HashSet<&Path> = HashSet::new();
    let mut rooms = Vec::new();
    for change in changes {
        match change {
            Change::Delete { path, .. } => {
                removed.insert(path.relative());
            }
            Change::Write { path, .. } => {
                let topmost = path.relative().ancestors().skip(1).filter(|above| removed.contains(above)).last();
                rooms.push(topmost.unwrap_or(path.relative()).parent().unwrap_or(Path::new("")));
            }
            Change::Move { .. } | Change::MakeDirectory { .. } => {}
        }
    }
    rooms
}

fn not_the_root(path: &CanonicalPath, why: &str) -> Result<(), FileError> {
    if path.relative().as_os_str().is_empty() { Err(invalid(path, why)) } else { Ok(()) }
}

fn fight(path: &CanonicalPath) -> FileError {
    invalid(path, "the same commit changes it twice; join both changes")
}

fn invalid(path: &CanonicalPath, why: &str) -> FileError {
    FileError::new(FileErrorKind::Invalid, path.to_string()).detail(why)
}
