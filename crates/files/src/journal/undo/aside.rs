//! What matters little to a person who takes work back: what build tools keep for themselves, and what ignore files hide.
//!
//! Git's own files are never left aside: a repository half taken back may miss what its newer commits need.

use crate::beneath::READ;
use crate::disk::Disk;
use crate::journal::undo::rehearse::canonical;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use palanca_core::call::is_of_tools;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longer ignore files are not read.
const LARGEST_FILE: u64 = 1 << 20;

/// The ignore files of a workspace, read when they are asked for.
#[derive(Debug)]
pub(super) struct Aside {
    disk: Arc<Disk>,
    folders: Mutex<HashMap<PathBuf, Arc<[Gitignore]>>>,
}

impl Aside {
    pub(super) fn new(disk: &Arc<Disk>) -> Self {
        Self { disk: Arc::clone(disk), folders: Mutex::default() }
    }

    /// Whether a file of this name may be left as it is when something else changed it, and the rest be taken back.
    pub(super) fn may_stay(&self, path: &Path) -> bool {
        !is_of_git(path) && self.is_minor(path)
    }

    /// Whether it is not worth a diff.
    pub(super) fn is_minor(&self, path: &Path) -> bool {
        is_of_tools(path) || self.is_ignored(path)
    }

    /// The deepest folder that has a word on it decides.
    fn is_ignored(&self, path: &Path) -> bool {
        let said = path.ancestors().skip(1).find_map(|folder| {
            let within = path.strip_prefix(folder).ok()?;
            self.of(folder).iter().find_map(|file| match file.matched_path_or_any_parents(within, false) {
                Match::None => None,
                Match::Ignore(_) => Some(true),
                Match::Whitelist(_) => Some(false),
            })
        });
        said.unwrap_or(false)
    }

    fn of(&self, folder: &Path) -> Arc<[Gitignore]> {
        if let Some(known) = self.folders.lock().get(folder) {
            return Arc::clone(known);
        }
        let files = [".gitignore", ".git/info/exclude"].into_iter().filter_map(|name| self.read(&folder.join(name)));
        let files: Arc<[Gitignore]> = files.collect();
        self.folders.lock().insert(folder.to_owned(), Arc::clone(&files));
        files
    }

    fn read(&self, path: &Path) -> Option<Gitignore> {
        let file = File::from(self.disk.open_beneath(&canonical(path), READ).ok()?);
        // A FIFO of this name opens at once, and has no length.
        let is_whole = file.metadata().is_ok_and(|found| found.is_file() && found.len() <= LARGEST_FILE);
        let mut text = Vec::new();
        file.take(LARGEST_FILE).read_to_end(&mut text).ok().filter(|_| is_whole)?;
        let mut builder = GitignoreBuilder::new("");
        for line in String::from_utf8_lossy(&text).lines() {
            // ignored: a line that is no pattern hides nothing, as with git.
            let _ = builder.add_line(None, line);
        }
        builder.build().ok()
    }
}

fn is_of_git(path: &Path) -> bool {
    path.iter().any(|name| name == ".git")
}
