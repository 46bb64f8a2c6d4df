//! What is known about a file without reading it, and whether that is enough to tell that it is as it was.

use super::EntryKind;
use std::time::{Duration, SystemTime};

/// What is known about a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// File, directory, link, or special file.
    pub kind: EntryKind,
    /// Bytes.
    pub size: u64,
    /// The last change of its content.
    pub modified: Option<SystemTime>,
    /// The last change of anything about it, which nobody can set; none where the door has no such time.
    pub changed: Option<SystemTime>,
    /// Its number in its file system: another one after the file was replaced. Zero where there are none.
    pub inode: u64,
    /// Permission bits (`0o755`).
    pub mode: u32,
}

/// Within this time after a change a file may change again without another time of change.
const UNSURE: Duration = Duration::from_secs(2);

impl Metadata {
    /// Of what has no times.
    #[must_use]
    pub const fn timeless(kind: EntryKind, size: u64, mode: u32) -> Self {
        Self { kind, size, modified: None, changed: None, inode: 0, mode }
    }

    /// Whether any later change shows in the metadata.
    #[must_use]
    pub fn is_settled(&self, now: SystemTime) -> bool {
        self.changed.or(self.modified).is_some_and(|at| at + UNSURE < now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_rests_is_settled() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let plain = Metadata::timeless(EntryKind::File, 7, 0o644);
        let (seen, back) = (Metadata { modified: Some(at(10)), ..plain }, Metadata { modified: Some(at(1)), ..plain });
        // Its content's time may be set back; the other one may not.
        let back = Metadata { changed: Some(at(10)), ..back };
        for (info, now, expected) in [
            (plain, 99, false),
            (seen, 11, false),
            (seen, 12, false),
            (seen, 13, true),
            (back, 12, false),
            (back, 13, true),
            (seen, 5, false),
        ] {
            assert_eq!(info.is_settled(at(now)), expected, "{info:?} at {now}");
        }
    }
}
