//! Links of the repository, followed as in a workspace: only inside it, and only when a path is located.
//!
//! After a missing name, the rest of the path is taken literally. If names cannot be fetched, locating fails and says why:
//! nothing follows a link later.

use super::session::Session;
use super::tree::{Node, NodeKind};
use palanca_core::ports::{FileError, FileErrorKind, lexical};
use std::collections::VecDeque;
use std::path::PathBuf;

/// The number of links that the kernel follows in one lookup.
const MOST_LINKS: usize = 40;
/// The longest target, in bytes.
const LONGEST_TARGET: u64 = 4095;

/// The path to which `given` leads.
pub(super) fn resolve(session: &Session, given: &str) -> Result<PathBuf, FileError> {
    let refused = |kind, why: &str| FileError::new(kind, given).detail(why);
    match lexical(given) {
        Ok(path) if path.as_os_str().is_empty() => return Ok(path),
        // Through a link it may climb higher than it does lexically.
        Err(error) if error.kind != FileErrorKind::Outside || given.starts_with('/') => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let mut pending: VecDeque<String> = given.split('/').map(str::to_owned).collect();
    let mut names: Vec<String> = Vec::new();
    let mut links = 0;
    let mut known = true;
    while let Some(name) = pending.pop_front() {
        match name.as_str() {
            "" | "." => {}
            ".." => {
                names.pop().ok_or_else(|| refused(FileErrorKind::Outside, ""))?;
            }
            _ => {
                names.push(name);
                if !known {
                    continue;
                }
                let path = names.join("/");
                let node = match session.node(&path) {
                    Ok(node) => node,
                    Err(error) if error.kind == FileErrorKind::NotFound => {
                        known = false;
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                if node.kind != NodeKind::Link {
                    continue;
                }
                let Some(target) = target(session, &path, &node)? else {
                    known = false;
                    continue;
                };
                links += 1;
                if links > MOST_LINKS {
                    return Err(refused(FileErrorKind::Invalid, "its symbolic links form a loop"));
                }
                if target.starts_with('/') {
                    return Err(refused(FileErrorKind::Outside, "a link in it is absolute"));
                }
                names.pop();
                target.split('/').rev().for_each(|name| pending.push_front(name.to_owned()));
            }
        }
    }
    match names.is_empty() {
        true => Ok(PathBuf::new()),
        // Checked lexically again: a target may contain parts that a path may not.
        false => lexical(&names.join("/")).map_err(|error| FileError { path: given.to_owned(), ..error }),
    }
}

/// The lexical target of a link; none for one that no file system would accept.
pub(super) fn target(session: &Session, path: &str, link: &Node) -> Result<Option<String>, FileError> {
    if link.size > LONGEST_TARGET {
        return Ok(None);
    }
    let target = session.content(path, link)?;
    Ok(String::from_utf8(target.to_vec()).ok().filter(|target| !target.is_empty()))
}
