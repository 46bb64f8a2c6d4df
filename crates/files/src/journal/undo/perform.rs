//! Makes on the disk what a rehearsal came to: at once, or in two commits where a file and a directory change places.

use super::{UndoPlan, Undone};
use crate::journal::{Journal, JournalError, links};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{Change, ChangeOrigin, ContentHash, EntryKind, Expect, Files};
use std::collections::BTreeSet;
use std::path::PathBuf;

pub(super) fn perform(journal: &Journal, plan: &UndoPlan, origin: &ChangeOrigin) -> Result<Undone, JournalError> {
    let (disk, overlay) = (&plan.disk, &plan.overlay);
    let mut undone = Undone::default();
    let (mut removing, mut restoring) = (Vec::new(), Vec::new());
    let (mut cut, mut tied) = (Vec::new(), Vec::new());
    for (path, target) in plan.links() {
        cut.extend(links::target(disk, &path).map(|now| (path.clone(), now)));
        match target {
            Some(target) => tied.push((path, target)),
            None => undone.removed.push(path),
        }
    }
    for changed in overlay.changes()? {
        let before = changed.before.as_deref().map(ContentHash::of_bytes);
        let (path, expect) = (changed.path, before.map_or(Expect::Absent, Expect::Content));
        match changed.after {
            Some(content) => {
                undone.restored.push(path.clone());
                restoring.push(Change::Write { path, content, expect, mode: changed.mode });
            }
            None => {
                undone.removed.push(path.clone());
                removing.push(Change::Delete { path, expect });
            }
        }
    }
    let is_directory =
        |door: &dyn Files, path: &CanonicalPath| door.info(path).is_ok_and(|info| info.kind == EntryKind::Directory);
    let parents_of_links: BTreeSet<CanonicalPath> = tied.iter().filter_map(|(path, _)| parents(path).next()).collect();
    let missing = plan.made.union(&parents_of_links).cloned();
    let missing = missing.filter(|path| is_directory(overlay, path) && !is_directory(&**disk, path));
    restoring.splice(0..0, missing.map(|path| Change::MakeDirectory { path }));
    let turned = restoring
        .iter()
        .flat_map(Change::paths)
        .chain(tied.iter().map(|(path, _)| path))
        .any(|path| undone.removed.iter().any(|removed| path.is_within(removed)) || is_directory(&**disk, path));
    let vanished: BTreeSet<CanonicalPath> =
        undone.removed.iter().flat_map(parents).chain(plan.emptied.iter().cloned()).collect();
    let clear = |undone: &mut Undone| {
        // Only what is empty by now: others may use a directory that the session made or moved.
        for path in vanished.iter().rev().filter(|path| !is_directory(overlay, path)) {
            let change = Change::Delete { path: path.clone(), expect: Expect::Anything };
            if is_directory(&**disk, path)
                && disk.entries(path).is_ok_and(|entries| entries.is_empty())
                && disk.commit(&[change], origin).is_ok()
            {
                undone.removed.push(path.clone());
            }
        }
    };
    let commit = |changes: &[Change]| match changes {
        [] => Ok(Vec::new()),
        changes => disk.commit(changes, origin),
    };
    links::remove((journal, disk), &cut, origin)?;
    if turned {
        commit(&removing)?;
        clear(&mut undone);
        commit(&restoring)?;
    } else {
        removing.extend(restoring);
        commit(&removing)?;
        clear(&mut undone);
    }
    links::make((journal, disk), &tied, origin)?;
    undone.restored.extend(tied.into_iter().map(|(path, _): (CanonicalPath, PathBuf)| path));
    Ok(undone)
}

fn parents(path: &CanonicalPath) -> impl Iterator<Item = CanonicalPath> + use<'_> {
    let parents = path.relative().ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    parents.map(|parent| CanonicalPath::new(path.root(), parent.to_owned()))
}
