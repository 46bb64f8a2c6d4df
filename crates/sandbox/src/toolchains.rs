//! The user's own programs, as far as commands may use them: which folders of `PATH` are searched inside, and which trees
//! are shown for them, read-only.
//!
//! Shown are the known trees of known tools ([`table`]), Python and Conda environments, and any other folder of `PATH` itself
//! without the folders in it; never the home, never what is secret by name. Nothing that a workspace says shows more than a
//! known tool's tree: its links and `pyvenv.cfg` are followed no further.

mod folder;
mod table;

use crate::enter::reaches_as_the_program;
use crate::isolation::root::is_shown;
use crate::settings::SYSTEM_PATH;
use folder::{base, entries, is_writable_by_others};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::ReadDir;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use table::{FOLDERS, INSTALLATION, OF_THE_WORKSPACE, ROWS, Row, VERSIONS};

/// Programs of one folder whose links are followed.
const PROGRAMS: usize = 4096;
/// Levels of a tree that are looked at for secrets: settings lie near its top, packages below.
const DEPTH: u8 = 4;
/// Where people keep the environment of a project, in the workspace.
const ENVIRONMENTS: [&str; 3] = [".venv", "venv", "env"];
/// Where the homes of other people are.
const HOMES: &str = "/home";
/// Of the kernel, and private inside.
const NEVER: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Whether a path, relative to the home or else to `/`, is secret by its name.
pub type IsSecret<'a> = &'a dyn Fn(&Path) -> bool;

/// The person's programs, found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toolchains {
    /// The folders of `PATH` that are searched inside, in the person's order; canonical.
    pub path: Vec<PathBuf>,
    /// The trees that they need; canonical.
    pub readable: Vec<PathBuf>,
    /// Those of them to which programs add, each for itself.
    pub growing: Vec<PathBuf>,
    /// What in them is hidden.
    pub masked: Vec<PathBuf>,
    /// Variables by which the tools find their trees.
    pub variables: BTreeMap<OsString, OsString>,
    /// The tools, by their names.
    pub names: BTreeSet<&'static str>,
    /// The folders of `PATH` that are not searched inside.
    pub left_out: Vec<(PathBuf, LeftOut)>,
}

/// Why a folder of `PATH` is not searched inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It is relative: it means another folder in every folder.
    Relative,
    /// It holds the home or the workspace, or is no place for programs.
    TooWide,
    /// It is secret by its name.
    Secret,
    /// Other users can write it.
    Writable,
    /// The user as whom commands run cannot reach it.
    Unreachable,
}

impl LeftOut {
    /// The word for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::TooWide => "too_wide",
            Self::Secret => "secret",
            Self::Writable => "writable",
            Self::Unreachable => "unreachable",
        }
    }
}

/// Whose word a link is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Person,
    Workspace,
}

impl Toolchains {
    /// Looks for them by the variables of the person, for commands in this workspace (canonical) that see these trees anyway.
    #[must_use]
    pub fn find(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        (workspace, granted): (&Path, &[PathBuf]),
        is_secret: IsSecret<'_>,
    ) -> Self {
        let variables: BTreeMap<_, _> = variables.into_iter().collect();
        let variable =
            |name: &str| variables.get(OsStr::new(name)).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = variable("HOME").and_then(|home| home.canonicalize().ok());
        let rows = ROWS.iter().filter_map(|row| {
            let given = variable(row.variable);
            let folder = given.or_else(|| home.as_ref().map(|home| home.join(row.folder)));
            Some((row, folder?.canonicalize().ok()?))
        });
        let rows: Vec<_> = rows.collect();
        let granted = granted.iter().filter_map(|tree| tree.canonicalize().ok()).collect();
        let mut search = Search { workspace, granted, home, rows: Vec::new(), is_secret, found: Self::default() };
        let is_kept = |folder: &Path| !search.is_too_wide(folder) && !folder.starts_with(workspace);
        search.rows = rows.into_iter().filter(|(_, folder)| is_kept(folder)).collect();
        for folder in
            std::env::split_paths(variables.get(OsStr::new("PATH")).map_or(OsStr::new(""), OsString::as_os_str))
        {
            search.folder(&folder);
        }
        for name in ENVIRONMENTS {
            search.links(&workspace.join(name).join("bin"), By::Workspace);
        }
        search.variables(&variables);
        let Search { mut found, .. } = search;
        found.uncover();
        found.readable.sort();
        found.readable.dedup_by(|inner, outer| inner.starts_with(outer));
        found
    }

    /// A program of this name that the person's `PATH` has and the one inside has not, and the folder that would have to be
    /// shown for it. `is_seen` knows what is shown besides.
    #[must_use]
    pub fn out_of_sight(
        &self,
        name: &str,
        path: &OsStr,
        is_seen: impl Fn(&Path) -> bool,
    ) -> Option<(PathBuf, PathBuf)> {
        let is_name = !name.is_empty() && !name.contains('/');
        for folder in std::env::split_paths(path).filter(|folder| is_name && folder.is_absolute()) {
            let program = folder.join(name);
            let (Ok(folder), Ok(real)) = (folder.canonicalize(), program.canonicalize()) else { continue };
            if !std::fs::metadata(&real).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0) {
                continue;
            }
            if !self.path.contains(&folder) && !SYSTEM_PATH.iter().any(|system| Path::new(system) == folder) {
                return Some((program, folder));
            }
            let seen = is_shown(&real) || self.shows(&real) || is_seen(&real);
            return real.parent().filter(|_| !seen).map(|folder| (program, folder.to_owned()));
        }
        None
    }

    /// A tree that is shown may lie in a folder that is hidden: then what is beside it is hidden.
    fn uncover(&mut self) {
        let mut hidden = std::mem::take(&mut self.masked);
        while let Some(path) = hidden.pop() {
            let shown = || self.readable.iter().filter(|shown| shown.starts_with(&path));
            match shown().any(|shown| *shown != path) {
                _ if self.readable.contains(&path) => {}
                true => hidden.extend(entries(&path).map(|entry| entry.path())),
                false => self.masked.push(path),
            }
        }
    }

    fn shows(&self, path: &Path) -> bool {
        self.readable.iter().any(|tree| path.starts_with(tree))
            && !self.masked.iter().any(|masked| path.starts_with(masked))
    }
}

/// Whether something of this name lies in a folder of `PATH` that a workspace holds. The folders are those of now.
pub fn programs_of(workspace: &Path, path: &OsStr) -> impl Fn(&str) -> bool + use<> {
    let folders = std::env::split_paths(path).filter_map(|folder| folder.canonicalize().ok());
    let inside: Vec<PathBuf> = folders.filter(|folder| folder.starts_with(workspace)).collect();
    move |name| {
        let is_name = !matches!(name, "" | "." | "..") && !name.contains('/');
        is_name && inside.iter().any(|folder| folder.join(name).symlink_metadata().is_ok())
    }
}

struct Search<'a> {
    workspace: &'a Path,
    /// What is shown anyway; canonical.
    granted: Vec<PathBuf>,
    home: Option<PathBuf>,
    /// With where they are; canonical.
    rows: Vec<(&'static Row, PathBuf)>,
    is_secret: IsSecret<'a>,
    found: Toolchains,
}

impl Search<'_> {
    /// One folder of `PATH`.
    fn folder(&mut self, given: &Path) {
        if !given.is_absolute() {
            return self.found.left_out.push((given.to_owned(), LeftOut::Relative));
        }
        // What is not there is in many people's PATH, and nothing is lost.
        let Ok(folder) = given.canonicalize() else { return };
        if !folder.is_dir() || self.found.path.contains(&folder) {
            return;
        }
        let by = if folder.starts_with(self.workspace) { By::Workspace } else { By::Person };
        if by == By::Person {
            if let Some(why) = self.refuses(&folder) {
                return self.found.left_out.push((given.to_owned(), why));
            }
            if !self.known(&folder) && !self.sees(&folder) && !self.installation(folder.parent()) {
                self.only(&folder);
            }
        }
        self.found.path.push(folder.clone());
        self.links(&folder, by);
    }

    fn refuses(&self, folder: &Path) -> Option<LeftOut> {
        match () {
            () if self.sees(folder) => None,
            () if self.is_too_wide(folder) || self.holds_a_tool(folder) => Some(LeftOut::TooWide),
            () if self.is_secret(folder) => Some(LeftOut::Secret),
            () if is_writable_by_others(folder) => Some(LeftOut::Writable),
            () if !reaches_as_the_program(self.workspace, folder) => Some(LeftOut::Unreachable),
            () => None,
        }
    }

    /// Whether programs see it already.
    fn sees(&self, path: &Path) -> bool {
        is_shown(path) || self.granted.iter().any(|tree| path.starts_with(tree)) || self.found.shows(path)
    }

    fn is_too_wide(&self, folder: &Path) -> bool {
        let holds = |inner: &Path| inner.starts_with(folder);
        folder.components().count() < 3
            || folder.parent() == Some(Path::new(HOMES))
            || NEVER.iter().any(|never| folder.starts_with(never))
            || holds(self.workspace)
            || self.home.as_deref().is_some_and(holds)
    }

    /// Settings and logins lie beside what is shown of a tool.
    fn holds_a_tool(&self, folder: &Path) -> bool {
        let is_whole = |row: &Row| row.parts().any(str::is_empty);
        self.rows.iter().any(|(row, root)| root.starts_with(folder) && !(is_whole(row) && root == folder))
    }

    fn is_secret(&self, path: &Path) -> bool {
        let home = self.home.as_deref().and_then(|home| path.strip_prefix(home).ok());
        (self.is_secret)(home.unwrap_or_else(|| path.strip_prefix("/").unwrap_or(path)))
    }

    /// Shows the tool that this lies in; whether there is one.
    fn known(&mut self, path: &Path) -> bool {
        let below = |row: &Row, folder: &Path| {
            row.parts()
                .any(|part| path.starts_with(if part.is_empty() { folder.to_owned() } else { folder.join(part) }))
        };
        let Some(name) = self.rows.iter().find(|(row, folder)| below(row, folder)).map(|(row, _)| row.name) else {
            return false;
        };
        if self.found.names.insert(name) {
            let rows: Vec<_> = self.rows.iter().filter(|(row, _)| row.name == name).cloned().collect();
            for (row, folder) in rows {
                self.parts(&folder, row.shown, DEPTH);
                self.parts(&folder, row.packages, 0);
                let before = self.found.readable.len();
                self.parts(&folder, row.growing, 0);
                self.found.growing.extend_from_slice(self.found.readable.get(before..).unwrap_or_default());
                if !row.variable.is_empty() {
                    self.found.variables.insert(row.variable.into(), folder.into());
                }
            }
        }
        true
    }

    /// Shows a Python or Conda environment, or a Python of its own; whether it is one.
    fn installation(&mut self, folder: Option<&Path>) -> bool {
        let Some(folder) = folder.filter(|folder| !self.is_too_wide(folder) && !folder.starts_with(self.workspace))
        else {
            return false;
        };
        let has_python = || {
            let names = entries(&folder.join("lib")).map(|entry| entry.file_name());
            folder.join("bin/python3").exists()
                && names.into_iter().any(|name| name.as_encoded_bytes().starts_with(b"python3"))
        };
        let base = base(folder);
        if base.is_none() && !folder.join("conda-meta").is_dir() && !has_python() {
            return false;
        }
        if self.found.readable.contains(&folder.join("bin")) {
            return true;
        }
        self.parts(folder, INSTALLATION, 2);
        self.links(&folder.join("bin"), By::Person);
        // A copied interpreter needs the library of the one that it was copied from.
        if let Some(base) = base.and_then(|base| base.canonicalize().ok()).filter(|base| self.refuses(base).is_none()) {
            let _ = self.known(&base) || self.sees(&base) || self.installation(base.parent());
        }
        true
    }

    /// Programs that are links: shows what they lead to, where it is known.
    fn links(&mut self, folder: &Path, by: By) {
        if is_shown(folder) && !folder.starts_with("/usr/local") && !folder.starts_with("/opt") {
            return;
        }
        for entry in
            entries(folder).take(PROGRAMS).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
        {
            let Ok(target) = entry.path().canonicalize() else { continue };
            if self.sees(&target)
                || target.starts_with(self.workspace)
                || !target.is_file()
                || self.known(&target)
                || by == By::Workspace
            {
                continue;
            }
            self.installation(target.parent().and_then(Path::parent));
        }
    }

    /// Shows a folder of which nothing is known, without the folders in it.
    fn only(&mut self, folder: &Path) {
        self.parts(folder, &[""], 1);
        let inner = entries(folder).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        self.found.masked.extend(inner.map(|entry| entry.path()));
    }

    /// Shows these parts of a folder, and hides secrets so many levels deep. What leads out of the folder is not shown.
    fn parts(&mut self, folder: &Path, parts: &[&str], depth: u8) {
        for part in parts {
            let tree = if part.is_empty() { folder.to_owned() } else { folder.join(part) };
            let stays = tree.canonicalize().is_ok_and(|real| real == tree);
            // What cannot be looked into is not shown: secrets in it could not be hidden.
            let listed = tree.is_dir().then(|| std::fs::read_dir(&tree));
            if !stays || self.sees(&tree) || matches!(listed, Some(Err(_))) || self.refuses(&tree).is_some() {
                continue;
            }
            if let Some(Ok(entries)) = listed {
                self.hide(entries, depth);
            }
            self.found.readable.push(tree);
        }
    }

    fn hide(&mut self, entries: ReadDir, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_symlink() {
                continue;
            }
            let path = entry.path();
            if self.is_secret(&path) {
                self.found.masked.push(path);
            } else if kind.is_dir() {
                match std::fs::read_dir(&path) {
                    Ok(entries) => self.hide(entries, depth),
                    Err(_) => self.found.masked.push(path),
                }
            }
        }
    }

    fn variables(&mut self, given: &BTreeMap<OsString, OsString>) {
        for name in FOLDERS {
            let folder = given.get(OsStr::new(name)).and_then(|value| Path::new(value).canonicalize().ok());
            let Some(folder) = folder.filter(|folder| folder.is_dir()) else { continue };
            let is_seen = match folder.starts_with(self.workspace) {
                true => OF_THE_WORKSPACE.contains(name),
                false => self.sees(&folder) || self.found.readable.iter().any(|tree| tree.starts_with(&folder)),
            };
            if is_seen {
                self.found.variables.insert(name.into(), folder.into());
            }
        }
        for name in VERSIONS {
            let is_plain = |value: &&OsString| {
                let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+_:".contains(byte);
                value.len() < 100 && value.as_encoded_bytes().iter().all(plain)
            };
            if let Some(value) = given.get(OsStr::new(name)).filter(is_plain) {
                self.found.variables.insert(name.into(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests;
