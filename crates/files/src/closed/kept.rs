//! Scan results, cached in a file for the next process: NUL-separated fields, so that every name fits. An unreadable cache,
//! or one made under other rules, is ignored.

use super::folder::{Folder, Mark, Stamp, Visibility, Why};
use super::{Identity, Looked};
use crate::atomic;
use data_encoding::HEXLOWER;
use rustix::fs::{self, Mode, OFlags};
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Changes with the form.
const VERSION: &str = "palanca closed files 1";
/// Smaller trees are looked through sooner than a file is read.
const WORTH: usize = 500;
/// Folders that were read anew before it is worth to write them down.
const CHANGED: usize = 100;
const VISIBILITIES: [Visibility; 2] = [Visibility::Open, Visibility::Closed];
const REASONS: [Why; 3] = [Why::Secret, Why::Protected, Why::OtherName];

/// Where it is kept.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    directory: PathBuf,
    /// The rules, in words that differ when they do.
    rules: String,
}

impl Kept {
    /// Another build may have other rules by itself.
    pub(super) fn new(directory: PathBuf, rules: &str) -> Self {
        let build = std::fs::metadata("/proc/self/exe").ok();
        let build = build.map(|about| (about.len(), about.mtime(), about.mtime_nsec()));
        Self { directory, rules: format!("{build:?} {rules}") }
    }

    fn name(tree: &Path) -> String {
        let hash = Sha256::digest(tree.as_os_str().as_bytes());
        format!("closed-{:.24}", HEXLOWER.encode(&hash))
    }

    pub(super) fn load(&self, tree: &Path) -> Looked {
        std::fs::read(self.directory.join(Self::name(tree))).ok().and_then(|text| self.parse(&text)).unwrap_or_default()
    }

    /// `read` folders are not as they were when this was saved last.
    ///
    /// # Errors
    /// What the system reports; the old file is whole then.
    pub(super) fn save(&self, tree: &Path, looked: &Looked, read: usize) -> io::Result<()> {
        if looked.folders.len() < WORTH || read < CHANGED {
            return Ok(());
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = Arc::new(fs::open(&self.directory, flags, Mode::empty())?);
        atomic::replace(&directory, OsStr::new(&Self::name(tree)), &self.text(looked), Mode::RUSR | Mode::WUSR)
    }

    fn text(&self, looked: &Looked) -> Vec<u8> {
        let mut text = Vec::new();
        // ignored: writing to memory does not fail.
        let _ = write!(text, "{VERSION}\0{}\0", self.rules);
        for (device, inode) in &looked.searched {
            let _ = write!(text, "{device} {inode}\0");
        }
        text.push(0);
        for folder in &looked.folders {
            text.extend_from_slice(folder.path.as_os_str().as_bytes());
            let stamp = folder.stamp.unwrap_or(Stamp { device: 0, inode: 0, changed: (0, 0) });
            let Stamp { device, inode, changed } = stamp;
            let visibility = u8::from(folder.visibility == Visibility::Closed);
            let below = (folder.below.start, folder.below.end);
            let _ =
                write!(text, "\0{device} {inode} {} {} {visibility} {} {}\0", changed.0, changed.1, below.0, below.1);
            for mark in &folder.marks {
                let why = REASONS.iter().position(|why| *why == mark.why).unwrap_or_default();
                let _ = write!(text, "{why}");
                text.extend_from_slice(mark.name.as_bytes());
                text.push(0);
            }
            text.push(0);
        }
        text
    }

    fn parse(&self, text: &[u8]) -> Option<Looked> {
        let mut fields = text.strip_suffix(b"\0")?.split(|byte| *byte == 0);
        if fields.next()? != VERSION.as_bytes() || fields.next()? != self.rules.as_bytes() {
            return None;
        }
        let mut looked = Looked::default();
        loop {
            match fields.next()? {
                b"" => break,
                identity => looked
                    .searched
                    .insert(numbers::<2, u64>(identity).map(|[device, inode]| -> Identity { (device, inode) })?),
            };
        }
        while let Some(path) = fields.next() {
            let [device, inode, seconds, nanoseconds, visibility, start, end] = numbers::<7, i128>(fields.next()?)?;
            let stamp = Stamp {
                device: device.try_into().ok()?,
                inode: inode.try_into().ok()?,
                changed: (seconds.try_into().ok()?, nanoseconds.try_into().ok()?),
            };
            let mut folder = Folder {
                path: PathBuf::from(OsString::from_vec(path.to_vec())),
                // No file has the number 0.
                stamp: (inode > 0).then_some(stamp),
                visibility: *VISIBILITIES.get(usize::try_from(visibility).ok()?)?,
                below: start.try_into().ok()?..end.try_into().ok()?,
                ..Folder::default()
            };
            loop {
                match fields.next()? {
                    [] => break,
                    [why, name @ ..] => folder.marks.push(Mark {
                        name: OsString::from_vec(name.to_vec()),
                        why: *REASONS.get(usize::from(why.checked_sub(b'0')?))?,
                    }),
                }
            }
            looked.folders.push(folder);
        }
        Some(looked)
    }
}

fn numbers<const N: usize, T: std::str::FromStr>(field: &[u8]) -> Option<[T; N]> {
    let numbers: Result<Vec<T>, _> = std::str::from_utf8(field).ok()?.split(' ').map(str::parse).collect();
    numbers.ok()?.try_into().ok()
}
