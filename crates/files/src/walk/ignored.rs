//! What ignore files hide: `.ignore` before `.gitignore` before `.git/info/exclude`, the deepest file first, as ripgrep
//! does. A `.gitignore` counts whether or not a `.git` is in sight, because the workspace is often part of a repository
//! whose top lies above it.
//!
//! The surprising decision: a matcher knows nothing of where its file lies. Paths are cut to the file's directory before
//! they are matched, so the hundreds of equal ignore files in a tree of packages are compiled once.

use super::directory::{Listing, open_beneath};
use super::opener::regular;
use crate::beneath::READ;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use palanca_core::ports::EntryKind;
use parking_lot::Mutex;
use rustix::fd::{AsFd, BorrowedFd};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// Longer ignore files are not read: real ones have a few kilobytes.
const LARGEST_FILE: u64 = 1 << 20;
/// Levels of ignore files above one entry that count: each is asked for each entry.
const MOST_LEVELS: usize = 100;

const OWN: &str = ".ignore";
const GIT: &str = ".gitignore";
const EXCLUDE: &str = ".git/info/exclude";

/// The ignore files of one directory, and those above it.
pub(super) struct Level {
    above: Option<Arc<Level>>,
    /// How many levels there are with this one.
    height: usize,
    /// Bytes of the directory's path with the slash at its end.
    from: usize,
    own: Option<Arc<Gitignore>>,
    git: Option<Arc<Gitignore>>,
    exclude: Option<Arc<Gitignore>>,
}

/// What the ignore files say to one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Say {
    /// Nothing.
    Nothing,
    /// Leave it out.
    Hide,
    /// Show it, even if its name starts with a dot.
    Show,
}

impl Level {
    /// Asks this level and all above. `path` is relative to the root, without a slash at its end.
    pub fn say(&self, path: &[u8], kind: EntryKind) -> Say {
        let [mut own, mut git, mut exclude] = [Say::Nothing; 3];
        let mut level = Some(self);
        while let Some(here) = level {
            let path = Path::new(OsStr::from_bytes(path.get(here.from..).unwrap_or_default()));
            for (said, matcher) in [(&mut own, &here.own), (&mut git, &here.git), (&mut exclude, &here.exclude)] {
                if let (Say::Nothing, Some(matcher)) = (*said, matcher) {
                    *said = ask(matcher, path, kind);
                }
            }
            // Nothing outranks `.ignore`, so the rest of the way up cannot change the answer.
            if own != Say::Nothing {
                return own;
            }
            level = here.above.as_deref();
        }
        [git, exclude].into_iter().find(|said| *said != Say::Nothing).unwrap_or(Say::Nothing)
    }
}

fn ask(matcher: &Gitignore, path: &Path, kind: EntryKind) -> Say {
    match matcher.matched(path, kind == EntryKind::Directory) {
        Match::None => Say::Nothing,
        Match::Ignore(_) => Say::Hide,
        Match::Whitelist(_) => Say::Show,
    }
}

/// The ignore files that are in a directory, by their names.
#[derive(Clone, Copy)]
pub(super) struct Present {
    own: bool,
    git: bool,
    repository: bool,
}

impl Present {
    /// Any of them may be there.
    pub const MAYBE: Self = Self { own: true, git: true, repository: true };

    /// Those among the names of a directory.
    pub fn among(listing: &Listing) -> Self {
        let mut present = Self { own: false, git: false, repository: false };
        for item in listing.items() {
            match (listing.bytes(item), item.kind) {
                (b".ignore", EntryKind::File) => present.own = true,
                (b".gitignore", EntryKind::File) => present.git = true,
                (b".git", EntryKind::Directory) => present.repository = true,
                _ => {}
            }
        }
        present
    }
}

/// The compiled ignore files of one walk, by content.
#[derive(Default)]
pub(super) struct Matchers(Mutex<HashMap<Vec<u8>, Option<Arc<Gitignore>>>>);

impl Matchers {
    /// The level of a directory: `above` itself when it has no ignore files of its own.
    pub fn level(
        &self,
        above: Option<Arc<Level>>,
        directory: BorrowedFd<'_>,
        (from, present): (usize, Present),
    ) -> Option<Arc<Level>> {
        let height = above.as_ref().map_or(1, |above| above.height.saturating_add(1));
        if !(present.own || present.git || present.repository) || height > MOST_LEVELS {
            return above;
        }
        let read = |there: bool, name: &str| there.then(|| self.matcher(directory, name)).flatten();
        let own = read(present.own, OWN);
        let git = read(present.git, GIT);
        let exclude = read(present.repository, EXCLUDE);
        if own.is_none() && git.is_none() && exclude.is_none() {
            return above;
        }
        Some(Arc::new(Level { above, height, from, own, git, exclude }))
    }

    /// The levels of the directories from the root to the one that holds the start.
    pub fn levels_above(&self, root: BorrowedFd<'_>, prefix: &Path) -> Option<Arc<Level>> {
        let mut level = None;
        let mut ancestors: Vec<&Path> = prefix.ancestors().skip(1).collect();
        ancestors.reverse();
        for directory in ancestors {
            let length = directory.as_os_str().len();
            if length == 0 {
                level = self.level(level, root, (0, Present::MAYBE));
            } else if let Ok(fd) = super::directory::reopen(root, directory) {
                level = self.level(level, fd.as_fd(), (length.saturating_add(1), Present::MAYBE));
            }
        }
        level
    }

    /// Nothing when the file is not there, is no regular file, hides nothing, or cannot be compiled: an ignore file that
    /// is wrong shows too much, never too little.
    fn matcher(&self, directory: BorrowedFd<'_>, name: &str) -> Option<Arc<Gitignore>> {
        let fd = open_beneath(directory, Path::new(name), READ).ok()?;
        let info = regular(&fd).ok()??;
        if info.size > LARGEST_FILE {
            return None;
        }
        let mut content = Vec::with_capacity(usize::try_from(info.size).unwrap_or_default());
        File::from(fd).take(LARGEST_FILE).read_to_end(&mut content).ok()?;
        let known = self.0.lock().get(&content).cloned();
        known.unwrap_or_else(|| {
            let matcher = compile(&content).map(Arc::new);
            self.0.lock().insert(content, matcher.clone());
            matcher
        })
    }
}

fn compile(content: &[u8]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    for line in content.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Ok(line) = std::str::from_utf8(line) {
            // A line that is no glob hides nothing; the others still count.
            let _ = builder.add_line(None, line);
        }
    }
    builder.build().ok().filter(|matcher| !matcher.is_empty())
}
