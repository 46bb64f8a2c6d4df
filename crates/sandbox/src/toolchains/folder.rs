//! Facts about one folder: its entries, who can write it, which Python it is made from. It decides nothing.

use rustix::process::getegid;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folder of the interpreter that a Python environment was made from; none for what is no environment.
pub(super) fn base(environment: &Path) -> Option<PathBuf> {
    let file = environment.join("pyvenv.cfg");
    let is_short = std::fs::metadata(&file).is_ok_and(|about| about.is_file() && about.len() < 1 << 16);
    let text = std::fs::read_to_string(file).ok().filter(|_| is_short)?;
    let mut keys = text.lines().filter_map(|line| line.split_once('='));
    let home = keys.find(|(key, _)| key.trim() == "home").map(|(_, home)| PathBuf::from(home.trim()));
    Some(home.filter(|home| home.is_absolute()).unwrap_or_default())
}

/// Whether another user could put a program there, or another folder in its place.
pub(super) fn is_writable_by_others(folder: &Path) -> bool {
    folder.ancestors().enumerate().any(|(level, folder)| {
        let Ok(about) = std::fs::metadata(folder) else { return true };
        let (mode, is_ours) = (about.mode(), about.gid() == 0 || about.gid() == getegid().as_raw());
        let writable = mode & 0o002 != 0 || mode & 0o020 != 0 && !is_ours;
        // In a sticky folder, users cannot replace each other's files.
        writable && (level == 0 || mode & 0o1000 == 0)
    })
}

pub(super) fn entries(folder: &Path) -> impl Iterator<Item = std::fs::DirEntry> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().flatten()
}
