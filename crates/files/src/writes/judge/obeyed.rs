//! Files that a person's git runs or obeys because its configuration names them: a hooks folder, included files, scripts of
//! filters. They may have any name, so a program does not change them unasked.

use super::Touch;
use crate::disk::Disk;
use crate::errors::io_error;
use crate::places::places;
use palanca_core::ports::{FileError, PathRules};
use rustix::io::Errno;
use std::collections::HashMap;
use std::fs::Metadata;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// By working tree: those on the way to what changed, and the one that the workspace lies in.
    known: HashMap<PathBuf, Known>,
    around: Option<PathBuf>,
}

/// What a working tree's configuration names, and the files that said so: a person may change one while a program runs.
#[derive(Debug, Default)]
struct Known {
    named: Vec<Named>,
    read: Vec<(PathBuf, State)>,
}

/// Number, time of change and length of a file, if it is there.
type State = Option<(u64, i64, i64, u64)>;

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
        // What we cannot read, our git cannot either.
        let general = general.into_iter().flatten().chain([PathBuf::from("/etc/gitconfig")]);
        let general = general.filter(|file| read(file).is_ok()).collect();
        let (rules, workspace) = (disk.rules_handle(), disk.workspace().to_owned());
        let mut found = Self { rules, workspace, home, general, known: HashMap::new(), around: None };
        let above = found.workspace.ancestors().skip(1).find(|folder| folder.join(".git").exists());
        found.around = above.map(Path::to_owned);
        found
    }

    /// The key that names this path, a folder above it, or, where the name itself changes, something below it.
    ///
    /// # Errors
    /// A configuration, or what it names, cannot be seen.
    pub(super) fn key(&mut self, path: &Path, touch: Touch) -> Result<Option<String>, FileError> {
        let rules = Arc::clone(&self.rules);
        let below = |path: &Path, top: &Path| rules.git().lies_below(path, top);
        let meets = |named: &&Named| below(path, &named.path) || (touch == Touch::Name && below(&named.path, path));
        let inside = path.ancestors().skip(1).map(|tree| self.workspace.join(tree));
        let trees: Vec<PathBuf> = inside.chain(self.around.clone()).collect();
        for tree in trees {
            if let Some(named) = self.known(tree)?.iter().find(meets) {
                return Ok(Some(named.key.clone()));
            }
        }
        Ok(None)
    }

    fn known(&mut self, tree: PathBuf) -> Result<&[Named], FileError> {
        let holds = |known: &Known| known.read.iter().all(|(file, then)| state(file).is_ok_and(|now| now == *then));
        if !self.known.get(&tree).is_some_and(holds) {
            let known = self.named_by(&tree)?;
            self.known.insert(tree.clone(), known);
        }
        Ok(self.known.get(&tree).map_or(&[], |known| &known.named))
    }

    /// What the configuration of a working tree, and those that count everywhere, name in the workspace.
    fn named_by(&self, tree: &Path) -> Result<Known, FileError> {
        let Some(git) = git_folder(tree)? else { return Ok(Known::default()) };
        let common = read(&git.join("commondir"))?.map_or_else(
            || git.clone(),
            |told| git.join(PathBuf::from(String::from_utf8_lossy(&told).trim_end().to_owned())),
        );
        let mut files: Vec<PathBuf> = vec![common.join("config"), git.join("config.worktree")];
        let (mut found, mut states) = (Vec::new(), Vec::new());
        // Under their own names they are judged by what they hold.
        for led in files.iter().chain([&common.join("hooks")]).filter(|file| file.is_symlink()) {
            self.add(led, "git.link", &mut found)?;
        }
        files.extend(self.general.iter().cloned());
        let mut at = 0;
        while let Some(file) = files.get(at).cloned().filter(|_| at < MOST_FILES) {
            at += 1;
            // Before it is read: what changes meanwhile is noticed later.
            states.push((file.clone(), state(&file)?));
            for (key, value) in self.rules.git().obeyed(&read(&file)?.unwrap_or_default()) {
                if key.starts_with("include") {
                    let included = self.absolute(&value, file.parent().unwrap_or(tree));
                    self.add(&included, &key, &mut found)?;
                    files.push(included);
                } else if key == "core.hookspath" || key == "core.attributesfile" || key == "init.templatedir" {
                    self.add(&self.absolute(&value, tree), &key, &mut found)?;
                } else {
                    for word in words(&value) {
                        let path = self.absolute(&word, tree);
                        // A folder among the words is data: nothing runs a folder.
                        if path.is_file() || (word.contains('/') && !path.is_dir()) {
                            self.add(&path, &key, &mut found)?;
                        }
                    }
                }
            }
        }
        Ok(Known { named: found, read: states })
    }

    fn absolute(&self, value: &str, base: &Path) -> PathBuf {
        match (value.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => base.join(value),
        }
    }

    /// Every link on the way counts, and the end.
    fn add(&self, path: &Path, key: &str, found: &mut Vec<Named>) -> Result<(), FileError> {
        about(path)?;
        let inside = places(path).unwrap_or_default();
        let inside = inside.iter().filter_map(|place| place.strip_prefix(&self.workspace).ok());
        let inside = inside.filter(|path| !path.as_os_str().is_empty());
        found.extend(inside.map(|path| Named { path: path.to_owned(), key: key.to_owned() }));
        Ok(())
    }
}

fn state(file: &Path) -> Result<State, FileError> {
    Ok(about(file)?.map(|about| (about.ino(), about.ctime(), about.ctime_nsec(), about.len())))
}

/// What a path leads to; none where nothing is.
fn about(path: &Path) -> Result<Option<Metadata>, FileError> {
    match std::fs::metadata(path) {
        Ok(about) => Ok(Some(about)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(io_error(&error, path.display())),
    }
}

/// Nothing is there, for nobody.
fn is_absence(error: &std::io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG))
}

/// The words of a command but for a program that is looked up in the PATH.
fn words(command: &str) -> Vec<String> {
    let cut = |letter: char| letter.is_whitespace() || "'\";|&()<>=!$`".contains(letter);
    let mut words = command.trim_start_matches('!').split(cut).filter(|word| !word.is_empty()).map(str::to_owned);
    let program = words.next().filter(|program| program.contains('/'));
    program.into_iter().chain(words).filter(|word| !word.starts_with('-')).collect()
}

/// The `.git` of a working tree, also where a file leads to it.
fn git_folder(tree: &Path) -> Result<Option<PathBuf>, FileError> {
    let git = tree.join(".git");
    let is_folder = about(&git)?.is_some_and(|about| about.is_dir());
    if is_folder {
        return Ok(Some(git));
    }
    let told = read(&git)?;
    let told = told.as_deref().and_then(|told| told.strip_prefix(b"gitdir:"));
    Ok(told.map(|told| tree.join(String::from_utf8_lossy(told).trim())))
}

/// A regular file that is not too long; none where there is no such file.
fn read(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    let is_file = about(path)?.is_some_and(|about| about.is_file());
    if !is_file {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(io_error(&error, path.display())),
    }
}
