//! Which files of the workspace, and of the folders beside it, are hidden from programs: all that the rules call secret, in
//! the whole tree, build folders included. Names are bytes, links are not followed, and unreadable folders are hidden as a
//! whole.
//!
//! A program may start at any moment, so a repeated scan must be cheap: a folder with the same inode and change time is not
//! read again. A secret is also known by its identity (file system, number, time of birth), so that
//! another name opens nothing: a hard link, or the name that it was moved to.

mod beside;
mod folder;
mod kept;
mod tree;

pub(crate) use beside::Beside;
use folder::{Folder, Look, Mark, Visibility, Why};
use kept::Kept;
use palanca_core::ports::PathRules;
use parking_lot::{Mutex, RwLock};
use rustix::fd::BorrowedFd;
use rustix::fs::{self, AtFlags, FileType, StatxFlags};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
pub(crate) use tree::Tree;
use tree::in_parallel;

/// Files whose identity is remembered; more are closed by their names alone.
const MOST_IDENTITIES: usize = 100_000;

/// File system and number.
pub(crate) type Identity = (u64, u64);

/// What is known of one tree. It is asked by many threads.
#[derive(Debug, Default)]
pub(crate) struct Closed {
    looked: Mutex<Looked>,
    names: Arc<RwLock<HashMap<Identity, Name>>>,
    kept: Option<Kept>,
}

/// As the tree was last time.
#[derive(Debug, Default)]
struct Looked {
    folders: Vec<Folder>,
    /// Files whose other names were looked for everywhere.
    searched: HashSet<Identity>,
    times: u64,
    /// Folders that the last look read anew.
    read: usize,
}

/// A closed name of a file.
#[derive(Clone, Debug)]
struct Name {
    path: PathBuf,
    why: Why,
    /// Tells a file from a later one with the same number, where the file system has such a time.
    born: Option<(i64, u32)>,
    /// The look at its tree that saw it last.
    seen: u64,
}

/// A file as it stands at a marked name.
struct Stood {
    identity: Identity,
    born: Option<(i64, u32)>,
    names: u32,
}

impl Closed {
    /// Kept in this directory for the next process, as long as the rules are the same in these words.
    pub(crate) fn kept_in(directory: PathBuf, rules: &str) -> Self {
        Self { kept: Some(Kept::new(directory, rules)), ..Self::default() }
    }

    /// For another tree, with the same secret files known.
    pub(crate) fn beside(&self) -> Self {
        Self { names: Arc::clone(&self.names), ..Self::default() }
    }

    /// Looks through a tree. Tells which of its secret files have names that were not met.
    ///
    /// # Errors
    /// There are too few handles; nothing is known then.
    pub(crate) fn look(&self, tree: Tree<'_>, rules: &dyn PathRules) -> io::Result<HashSet<Identity>> {
        self.look_at(tree, rules, now())
    }

    fn look_at(&self, tree: Tree<'_>, rules: &dyn PathRules, now: i128) -> io::Result<HashSet<Identity>> {
        let mut looked = self.looked.lock();
        if looked.times == 0
            && let Some(kept) = &self.kept
        {
            *looked = kept.load(tree.path);
        }
        let secret = self.secret_numbers(&looked.searched);
        let look = Look { tree, rules, secret: &secret, now };
        // Where it fails, everything is looked at anew next time.
        let (folders, read) = look.through(std::mem::take(&mut looked.folders))?;
        *looked = Looked { folders, read, times: looked.times + 1, searched: std::mem::take(&mut looked.searched) };
        self.remember(tree, &mut looked)
    }

    /// What programs must not read, absolute, as it was seen by the last look: files, and folders as a whole; the tree's top
    /// where it is gone or cannot be looked into. `unmet` are secret files with names that no tree has shown until now.
    ///
    /// # Errors
    /// There are too few handles.
    pub(crate) fn masks(&self, tree: Tree<'_>, unmet: &HashSet<Identity>) -> io::Result<Vec<PathBuf>> {
        let mut looked = self.looked.lock();
        let looked = &mut *looked;
        if !unmet.is_subset(&looked.searched) {
            search(tree, &mut looked.folders, unmet)?;
            looked.searched.extend(unmet);
            self.remember(tree, looked)?;
        }
        if let Some(kept) = &self.kept {
            let read = std::mem::take(&mut looked.read);
            // ignored: without it, the next process looks for itself.
            let _ = kept.save(tree.path, looked, read);
        }
        Ok(masks(tree, &looked.folders))
    }

    /// The secret or protected name of a file, when it was found under one: `at` an open file, or a name in a folder.
    pub(crate) fn name_of(&self, identity: Identity, at: (BorrowedFd<'_>, &Path)) -> Option<PathBuf> {
        let names = self.names.read();
        let name = names.get(&identity)?;
        let born = stand(at.0, at.1)?.born;
        let seen = || names.values().map(|name| name.seen).max() == Some(name.seen);
        (born == name.born && (born.is_some() || seen())).then(|| name.path.clone())
    }

    fn secret_numbers(&self, searched: &HashSet<Identity>) -> HashSet<u64> {
        let names = self.names.read();
        let secret = names.iter().filter(|(_, name)| name.why == Why::Secret).map(|(identity, _)| identity);
        secret.chain(searched).map(|(_, number)| *number).collect()
    }

    /// Notes which files stand at the marked names, takes back marks that were wrong, and tells which secret files have
    /// names that were not met.
    fn remember(&self, tree: Tree<'_>, looked: &mut Looked) -> io::Result<HashSet<Identity>> {
        let Looked { folders, searched, times, .. } = looked;
        let marks = |(at, folder): (usize, &Folder)| {
            folder.marks.iter().cloned().map(move |mark| (at, mark)).collect::<Vec<_>>()
        };
        let mut marked: Vec<(usize, Mark)> = folders.iter().enumerate().flat_map(marks).collect();
        // What is known by its name goes first: the others are judged by it.
        marked.sort_by_key(|(_, mark)| mark.why);
        let stood = in_parallel(&marked, |(at, mark)| {
            let folder = folders.get(*at).map_or(Path::new(""), |folder| &folder.path);
            Ok(stand(tree.handle, &folder.join(&mark.name)))
        })?;
        let mut names = self.names.write();
        let mut met: HashMap<Identity, (u32, u32)> = HashMap::new();
        for ((at, mark), stood) in marked.iter().zip(&stood) {
            let (Some(stood), Some(folder)) = (stood, folders.get_mut(*at)) else { continue };
            let secret = names.get(&stood.identity).filter(|name| name.why == Why::Secret && name.born == stood.born);
            match mark.why {
                Why::OtherName if secret.is_none() => {
                    folder.marks.retain(|other| other != mark);
                    searched.remove(&stood.identity);
                    continue;
                }
                Why::OtherName => {}
                Why::Protected if secret.is_some() => continue,
                Why::Secret | Why::Protected => {
                    if names.len() < MOST_IDENTITIES || names.contains_key(&stood.identity) {
                        let path = folder.path.join(&mark.name);
                        names.insert(stood.identity, Name { path, why: mark.why, born: stood.born, seen: *times });
                    }
                }
            }
            if mark.why != Why::Protected {
                met.entry(stood.identity).or_insert((0, stood.names)).0 += 1;
            }
        }
        Ok(met.into_iter().filter(|(_, (met, all))| met < all).map(|(identity, _)| identity).collect())
    }
}

/// Marks every name that one of these files has.
fn search(tree: Tree<'_>, folders: &mut [Folder], wanted: &HashSet<Identity>) -> io::Result<()> {
    let numbers: HashSet<u64> = wanted.iter().map(|(_, number)| *number).collect();
    let found = in_parallel(folders, |folder| {
        if folder.shut || folder.visibility == Visibility::Closed {
            Ok(Vec::new())
        } else {
            tree.named(&folder.path, &numbers)
        }
    })?;
    for (folder, names) in folders.iter_mut().zip(found) {
        for name in names {
            if folder.marks.iter().all(|mark| mark.name != name || mark.why == Why::Protected) {
                folder.marks.push(Mark { name, why: Why::OtherName });
            }
        }
    }
    Ok(())
}

/// The outermost closed folders, and the closed files beside them.
fn masks(tree: Tree<'_>, folders: &[Folder]) -> Vec<PathBuf> {
    let mut masks = Vec::new();
    if folders.first().is_none_or(|top| top.shut) {
        masks.push(tree.path.to_owned());
    }
    for folder in folders {
        let path = tree.path.join(&folder.path);
        for inner in folders.get(folder.below.clone()).unwrap_or_default() {
            if folder.visibility == Visibility::Open && (inner.shut || inner.visibility == Visibility::Closed) {
                masks.push(tree.path.join(&inner.path));
            }
        }
        if folder.visibility == Visibility::Open {
            let secret = folder.marks.iter().filter(|mark| mark.why != Why::Protected);
            masks.extend(secret.map(|mark| path.join(&mark.name)));
        }
    }
    masks
}

/// The regular file at a path, or behind a handle where the path is empty.
fn stand(directory: BorrowedFd<'_>, path: &Path) -> Option<Stood> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH;
    let about = fs::statx(directory, path, flags, StatxFlags::BASIC_STATS | StatxFlags::BTIME).ok()?;
    if FileType::from_raw_mode(about.stx_mode.into()) != FileType::RegularFile {
        return None;
    }
    let born = StatxFlags::from_bits_retain(about.stx_mask).contains(StatxFlags::BTIME);
    Some(Stood {
        identity: (fs::makedev(about.stx_dev_major, about.stx_dev_minor), about.stx_ino),
        born: born.then_some((about.stx_btime.tv_sec, about.stx_btime.tv_nsec)),
        names: about.stx_nlink,
    })
}

fn now() -> i128 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i128::try_from(now.as_nanos()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
