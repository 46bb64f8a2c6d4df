//! Files that a person's git runs or obeys because its configuration names them: a hooks folder, included files, scripts of
//! filters. They may have any name, so a program does not change them unasked.

use super::Touch;
use crate::disk::Disk;
use crate::places::places;
use palanca_core::ports::PathRules;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Files that include each other are followed this far.
const MOST_FILES: usize = 20;
/// Of each file.
const MOST_BYTES: u64 = 1 << 20;

/// What configurations name in the workspace, read when a file near them first changes.
pub(super) struct Obeyed {
    rules: Arc<dyn PathRules>,
    workspace: PathBuf,
    home: Option<PathBuf>,
    /// Of the person and of the machine.
    general: Vec<PathBuf>,
    /// By working tree, relative to the workspace.
    known: HashMap<PathBuf, Vec<Named>>,
    /// The state of the workspace's own configuration when it was read.
    read: Option<(SystemTime, u64)>,
    /// What a repository names that the workspace lies in.
    around: Vec<Named>,
}

/// A place in the workspace, and the key that names it.
#[derive(Clone, Debug)]
struct Named {
    path: PathBuf,
    key: String,
}

impl std::fmt::Debug for Obeyed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Obeyed").field("known", &self.known).finish_non_exhaustive()
    }
}

impl Obeyed {
    pub(super) fn new(disk: &Disk) -> Self {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = variable("HOME");
        let personal = variable("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
        let of_home = home.as_ref().map(|home| home.join(".gitconfig"));
        let general = [of_home, personal.map(|path| path.join("git/config")), variable("GIT_CONFIG_GLOBAL")];
        let general = general.into_iter().flatten().chain([PathBuf::from("/etc/gitconfig")]).collect();
        let (rules, workspace) = (disk.rules_handle(), disk.workspace().to_owned());
        let mut found = Self { rules, workspace, home, general, known: HashMap::new(), read: None, around: Vec::new() };
        let above = found.workspace.ancestors().skip(1).find(|folder| folder.join(".git").exists());
        found.around = above.map(Path::to_owned).map(|tree| found.named_by(&tree)).unwrap_or_default();
        found
    }

    /// The key that names this path, a folder above it, or, where the name itself changes, something below it.
    pub(super) fn key(&mut self, path: &Path, touch: Touch) -> Option<String> {
        let state = std::fs::metadata(self.workspace.join(".git/config")).ok();
        let state = state.and_then(|state| Some((state.modified().ok()?, state.len())));
        if state != self.read {
            self.known.clear();
            self.read = state;
        }
        let rules = Arc::clone(&self.rules);
        let below = |path: &Path, top: &Path| rules.git().lies_below(path, top);
        let meets = |named: &&Named| below(path, &named.path) || (touch == Touch::Name && below(&named.path, path));
        if let Some(named) = self.around.iter().find(meets) {
            return Some(named.key.clone());
        }
        path.ancestors().skip(1).find_map(|tree| {
            if !self.known.contains_key(tree) {
                let named = self.named_by(&self.workspace.join(tree));
                self.known.insert(tree.to_owned(), named);
            }
            self.known.get(tree)?.iter().find(meets).map(|named| named.key.clone())
        })
    }

    /// What the configuration of a working tree, and those that count everywhere, name in the workspace.
    fn named_by(&self, tree: &Path) -> Vec<Named> {
        let Some(git) = git_folder(tree) else { return Vec::new() };
        let common = read(&git.join("commondir")).map_or_else(
            || git.clone(),
            |told| git.join(PathBuf::from(String::from_utf8_lossy(&told).trim_end().to_owned())),
        );
        let mut files: Vec<PathBuf> = vec![common.join("config"), git.join("config.worktree")];
        let mut found = Vec::new();
        // Under their own names they are judged by what they hold.
        for led in files.iter().chain([&common.join("hooks")]).filter(|file| file.is_symlink()) {
            self.add(led, "git.link", &mut found);
        }
        files.extend(self.general.iter().cloned());
        let mut at = 0;
        while let Some(file) = files.get(at).cloned().filter(|_| at < MOST_FILES) {
            at += 1;
            for (key, value) in self.rules.git().obeyed(&read(&file).unwrap_or_default()) {
                if key.starts_with("include") {
                    let included = self.absolute(&value, file.parent().unwrap_or(tree));
                    self.add(&included, &key, &mut found);
                    files.push(included);
                } else if key == "core.hookspath" || key == "core.attributesfile" || key == "init.templatedir" {
                    self.add(&self.absolute(&value, tree), &key, &mut found);
                } else {
                    for word in words(&value) {
                        let path = self.absolute(&word, tree);
                        // A folder among the words is data: nothing runs a folder.
                        if path.is_file() || (word.contains('/') && !path.is_dir()) {
                            self.add(&path, &key, &mut found);
                        }
                    }
                }
            }
        }
        found
    }

    fn absolute(&self, value: &str, base: &Path) -> PathBuf {
        match (value.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => base.join(value),
        }
    }

    /// Every link on the way counts, and the end.
    fn add(&self, path: &Path, key: &str, found: &mut Vec<Named>) {
        let inside = places(path).unwrap_or_default();
        let inside = inside.iter().filter_map(|place| place.strip_prefix(&self.workspace).ok());
        let inside = inside.filter(|path| !path.as_os_str().is_empty());
        found.extend(inside.map(|path| Named { path: path.to_owned(), key: key.to_owned() }));
    }
}

/// The words of a command but for a program that is looked up in the PATH.
fn words(command: &str) -> Vec<String> {
    let cut = |letter: char| letter.is_whitespace() || "'\";|&()<>=!$`".contains(letter);
    let mut words = command.trim_start_matches('!').split(cut).filter(|word| !word.is_empty()).map(str::to_owned);
    let program = words.next().filter(|program| program.contains('/'));
    program.into_iter().chain(words).filter(|word| !word.starts_with('-')).collect()
}

/// The `.git` of a working tree, also where a file leads to it.
fn git_folder(tree: &Path) -> Option<PathBuf> {
    let git = tree.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let told = read(&git)?;
    let told = OsString::from(String::from_utf8_lossy(told.strip_prefix(b"gitdir:")?).trim().to_owned());
    Some(tree.join(told))
}

/// A regular file that is not too long.
fn read(path: &Path) -> Option<Vec<u8>> {
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
