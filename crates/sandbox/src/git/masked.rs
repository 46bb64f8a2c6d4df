//! Masked files, for a git that writes: their masks must not be stored as changes.
//!
//! Attributes give every masked file a filter that answers with what the index holds, so git finds the file as it was,
//! whatever form asks: `add`, `commit -a`, `stash`. A file that the index does not hold is ignored, and where it is added all
//! the same the filter fails, and git with it. Nothing of this is written anywhere. Files in a masked folder seem to be gone,
//! which no filter can answer for: their removal is left out or refused.

use super::closed::{Refused, refused};
use super::neutral::Pair;
use super::{Git, closed};
use rustix::fs::MemfdFlags;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::process::Stdio;

/// The filter's name in the attributes.
const FILTER: &str = "palanca-masked";
/// Where masks come from in the root of our own, as the kernel lists them: a file and a folder without a name.
const SOURCES: [&str; 2] = ["/.file//deleted", "/.directory//deleted"];

/// What is masked of one repository, relative to its top.
#[derive(Debug, Default)]
pub(super) struct Masked {
    top: PathBuf,
    files: Vec<Vec<u8>>,
    folders: Vec<Vec<u8>>,
}

impl Masked {
    /// Of the repository that this git works on.
    pub(super) fn of(git: &Git) -> Self {
        let mounts = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
        let masks = listed(&mounts);
        if masks.is_empty() {
            return Self::default();
        }
        let Some(top) = closed::top(git) else { return Self::default() };
        let mut masked = Self { top, ..Self::default() };
        for (source, path) in masks {
            let Ok(below) = path.strip_prefix(&masked.top) else { continue };
            let list = if source == SOURCES[0] { &mut masked.files } else { &mut masked.folders };
            list.push(below.as_os_str().as_bytes().to_vec());
        }
        masked
    }

    /// The settings that keep the masked files as they are, and the two files that these name: they stay open for git.
    /// `own` are the person's attributes for all their repositories, which stand where these have to.
    pub(super) fn pairs(&self, real: &str, own: &str) -> std::io::Result<(Vec<Pair>, Vec<OwnedFd>)> {
        let place = |file: &OwnedFd| format!("/proc/self/fd/{}", file.as_raw_fd());
        if self.files.is_empty() && own.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        if self.files.is_empty() {
            let file = open_file(own.as_bytes())?;
            return Ok((vec![("core.attributesFile".to_owned(), place(&file))], vec![file]));
        }
        let attributes =
            |path: &Vec<u8>| [b"\"/", &*quoted(path), b"\" filter=", FILTER.as_bytes(), b" -text -ident\n"].concat();
        let ignored = |path: &Vec<u8>| [b"/", &*escaped(path), b"\n"].concat();
        let own = own.bytes().chain(*b"\n");
        let attributes = open_file(&own.chain(self.files.iter().flat_map(attributes)).collect::<Vec<_>>())?;
        let ignored = open_file(&self.files.iter().flat_map(ignored).collect::<Vec<_>>())?;
        let clean = format!(
            "{real} cat-file blob :0:%f 2>/dev/null || \
             {{ echo palanca: %f is closed, so its content cannot be added >&2; exit 1; }}"
        );
        let pairs = [
            ("core.attributesFile".to_owned(), place(&attributes)),
            ("core.excludesFile".to_owned(), place(&ignored)),
            (format!("filter.{FILTER}.clean"), clean),
            (format!("filter.{FILTER}.smudge"), "cat".to_owned()),
            (format!("filter.{FILTER}.required"), "true".to_owned()),
        ];
        Ok((pairs.to_vec(), vec![attributes, ignored]))
    }

    /// The filters that the repository itself names for masked files, which go before ours: what they store would be made of
    /// what stands in the place of a file, so they fail.
    pub(super) fn other_filters(&self, git: &Git) -> Vec<Pair> {
        if self.files.is_empty() {
            return Vec::new();
        }
        let words = ["check-attr", "-z", "filter", "--"].map(OsString::from).into_iter();
        let words: Vec<_> =
            words.chain(self.files.iter().map(|path| self.top.join(OsStr::from_bytes(path)).into())).collect();
        let told = git.command(&words).stdin(Stdio::null()).stderr(Stdio::null()).output();
        let told = told.map(|output| output.stdout).unwrap_or_default();
        let fields: Vec<_> = told.split(|byte| *byte == 0).collect();
        let filters = fields.chunks_exact(3).filter_map(|field| std::str::from_utf8(field.get(2)?).ok());
        let filters = filters.filter(|name| ![FILTER, "unspecified", "unset", "set"].contains(name));
        let failing = |name: &str| {
            [
                (format!("filter.{name}.clean"), "false".to_owned()),
                (format!("filter.{name}.process"), String::new()),
                (format!("filter.{name}.required"), "true".to_owned()),
            ]
        };
        filters.flat_map(failing).collect()
    }

    /// The words of a form that stores nothing of the masked folders.
    ///
    /// # Errors
    /// It cannot be kept from that.
    pub(super) fn without_folders(&self, git: &Git, rest: &[OsString]) -> Result<Vec<OsString>, Refused> {
        let form = rest.first().and_then(|word| word.to_str()).unwrap_or_default();
        if self.folders.is_empty() || !["add", "stage", "commit", "stash"].contains(&form) {
            return Ok(rest.to_vec());
        }
        let folders = self.folders.iter().map(|path| top_literal(path));
        let words: Vec<_> =
            ["ls-files", "-z", "--full-name", "--"].map(OsString::from).into_iter().chain(folders).collect();
        let tracked = output(git, &words);
        let tracked: Vec<&[u8]> = tracked.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
        let Some(first) = tracked.first() else { return Ok(rest.to_vec()) };
        let excluded = || {
            self.folders.iter().map(|path| OsString::from_vec([b":(top,exclude,literal)", path.as_slice()].concat()))
        };
        let wrong = |instead: &str| {
            let first = String::from_utf8_lossy(first).escape_debug().to_string();
            Err(refused(&format!("this would store that {first}, which lies in a closed folder, is gone: {instead}")))
        };
        match form {
            "stash" => match rest.get(1).and_then(|word| word.to_str()) {
                Some("list" | "show" | "pop" | "apply" | "drop" | "branch" | "clear") => Ok(rest.to_vec()),
                _ => wrong("commit the other files instead"),
            },
            "commit" => {
                let asked = ["commit", "--dry-run", "--porcelain", "-z"].map(OsString::from);
                let words: Vec<_> = asked.into_iter().chain(rest.iter().skip(1).cloned()).collect();
                let told = output(git, &words);
                let removed = told.split(|byte| *byte == 0).filter_map(|line| line.strip_prefix(b"D")?.get(2..));
                match removed.into_iter().any(|name| tracked.contains(&name)) {
                    true => wrong("stage the other files with git add, then commit without -a and without paths"),
                    false => Ok(rest.to_vec()),
                }
            }
            _ if rest.len() == 1 => Ok(rest.to_vec()),
            _ => Ok(rest.iter().cloned().chain(excluded()).collect()),
        }
    }
}

fn output(git: &Git, words: &[OsString]) -> Vec<u8> {
    let output = git.command(words).stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| output.stdout).unwrap_or_default()
}

fn top_literal(path: &[u8]) -> OsString {
    OsString::from_vec([b":(top,literal)", path].concat())
}

/// The masks among mounts, as `proc_pid_mountinfo(5)` lists them: the source of each, and where it stands.
fn listed(mounts: &[u8]) -> Vec<(&'static str, PathBuf)> {
    let mask = |line: &[u8]| {
        let mut fields = line.split(|byte| *byte == b' ').skip(3);
        let source = fields.next()?;
        let source = SOURCES.into_iter().find(|known| known.as_bytes() == source)?;
        Some((source, PathBuf::from(OsString::from_vec(unescaped(fields.next()?)))))
    };
    mounts.split(|byte| *byte == b'\n').filter_map(mask).collect()
}

/// `\040` is a space.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let [byte, after @ ..] = rest {
        let octal = after.get(..3).filter(|_| *byte == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                plain.push(byte);
                rest = after.get(3..).unwrap_or_default();
            }
            None => {
                plain.push(*byte);
                rest = after;
            }
        }
    }
    plain
}

/// As a pattern that means this very path, in a line of its own: a line break is any character.
fn escaped(path: &[u8]) -> Vec<u8> {
    let escape = |byte: &u8| match byte {
        b'\n' | b'\r' => vec![b'?'],
        b'*' | b'?' | b'[' | b'\\' | b' ' | b'\t' => vec![b'\\', *byte],
        _ => vec![*byte],
    };
    path.iter().flat_map(escape).collect()
}

/// The same within the quotes that attributes know.
fn quoted(path: &[u8]) -> Vec<u8> {
    let quote = |byte: &u8| match byte {
        b'"' | b'\\' => vec![b'\\', *byte],
        _ => vec![*byte],
    };
    escaped(path).iter().flat_map(quote).collect()
}

/// A file without a name that whatever git starts finds open, too.
fn open_file(content: &[u8]) -> std::io::Result<OwnedFd> {
    let file = rustix::fs::memfd_create("git", MemfdFlags::empty())?;
    let mut file = std::fs::File::from(file);
    file.write_all(content)?;
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

    use super::*;

    #[test]
    fn masks_are_told_from_other_mounts() {
        let mounts = b"26 25 0:23 / / rw - tmpfs tmpfs rw\n\
            40 26 0:23 /.file//deleted /ws/a\\040b/.env\\012x ro,nosuid - tmpfs tmpfs rw\n\
            41 26 0:23 /.directory//deleted /ws/.ssh ro - tmpfs tmpfs rw\n\
            42 26 0:23 /.palanca/git /ws/git ro - tmpfs tmpfs rw\n\n";
        let found = listed(mounts);
        let wanted = [(SOURCES[0], PathBuf::from("/ws/a b/.env\nx")), (SOURCES[1], PathBuf::from("/ws/.ssh"))];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_path_is_a_pattern_that_means_it() {
        for (path, pattern, attribute) in [
            ("a/.env", "a/.env", "a/.env"),
            ("a b*", "a\\ b\\*", "a\\\\ b\\\\*"),
            ("a\n[\"x\"]", "a?\\[\"x\"]", "a?\\\\[\\\"x\\\"]"),
            ("\\", "\\\\", "\\\\\\\\"),
        ] {
            assert_eq!(escaped(path.as_bytes()), pattern.as_bytes(), "{path}");
            assert_eq!(quoted(path.as_bytes()), attribute.as_bytes(), "{path}");
        }
        assert_eq!(unescaped(b"\\134\\x\\9"), b"\\\\x\\9");
    }
}
