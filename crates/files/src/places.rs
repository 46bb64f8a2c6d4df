//! The places that a path goes through on disk: every symbolic link on the way, and its end. Changing any of them changes
//! what the path means, so all of them are needed to protect one of the user's files.

use palanca_core::ports::ContentHash;
use rustix::fs;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

/// As the kernel: more links than this are a loop.
const MAX_LINKS: usize = 40;
/// A larger file is not hashed.
const MOST_HASHED: u64 = 256 << 20;

/// The links on the way of `path` (absolute, or relative to the current folder) and then its end, all absolute and free of
/// links and `..` above their last name. What does not exist yet is taken as it is spelled. Of a loop of links, as far as
/// it was followed.
///
/// # Errors
/// A relative path where there is no current folder.
pub fn places(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut rest: VecDeque<OsString> = parts(&std::path::absolute(path)?);
    let (mut here, mut found, mut links) = (PathBuf::from("/"), Vec::new(), 0);
    while let Some(name) = rest.pop_front() {
        if name == ".." {
            here.pop();
            continue;
        }
        let next = here.join(&name);
        match fs::readlink(&next, Vec::new()) {
            Ok(target) if links < MAX_LINKS => {
                links += 1;
                found.push(next);
                let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                if target.is_absolute() {
                    here = PathBuf::from("/");
                }
                for part in parts(&target).into_iter().rev() {
                    rest.push_front(part);
                }
            }
            _ => here = next,
        }
    }
    found.push(here);
    Ok(found)
}

/// Whether a path leads to a file, through links too.
#[must_use]
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether a path leads to a directory, through links too.
#[must_use]
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

/// Whether anything stands at a path; links are followed.
#[must_use]
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// The names in a directory that the operator named, sorted.
///
/// # Errors
/// When it cannot be read.
pub fn names(path: &Path) -> std::io::Result<Vec<OsString>> {
    let mut names =
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().filter_map(part).collect()
}

/// The hash of a regular file's content; none of anything else, or of what is larger than 256 MiB.
#[must_use]
pub fn content_hash(path: &Path) -> Option<ContentHash> {
    if !is_file(path) {
        return None;
    }
    let mut content = Vec::new();
    std::fs::File::open(path).ok()?.take(MOST_HASHED + 1).read_to_end(&mut content).ok()?;
    (u64::try_from(content.len()).ok()? <= MOST_HASHED).then(|| ContentHash::of_bytes(&content))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

    use super::places;
    use std::os::unix::fs::symlink;

    #[test]
    fn every_link_on_the_way_is_told_and_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("ws/deep")).unwrap();
        symlink("ws", top.join("lnk")).unwrap();
        symlink(top.join("lnk/deep"), top.join("abs")).unwrap();
        symlink("round", top.join("round")).unwrap();
        let check = |input: &str, expected: &[&str]| {
            let expected: Vec<_> = expected.iter().map(|path| top.join(path)).collect();
            assert_eq!(places(&top.join(input)).unwrap(), expected, "{input}");
        };
        check("ws/deep/x", &["ws/deep/x"]);
        check("lnk/not/yet", &["lnk", "ws/not/yet"]);
        check("abs/../y", &["abs", "lnk", "ws/y"]);
        check("ws/./deep/../z", &["ws/z"]);
        assert_eq!(places(&top.join("round/x")).unwrap().last().unwrap(), &top.join("round/x"));
    }
}
