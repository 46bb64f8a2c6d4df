//! Contents that are known to be kept, by the numbers of their files: what makes the second snapshot of a tree cheap.
//!
//! The list lies among the contents, so that whoever removes those removes it too. It is a guess that costs nothing when
//! it is lost or torn: every file is read again then.

use super::scan::Key;
use crate::atomic::Temporary;
use crate::state::StateDirectory;
use palanca_core::ports::ContentHash;
use rustix::fs::{self, Mode, OFlags};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;

const MAGIC: &[u8; 8] = b"PLNCSNP1";
/// Device, inode, size, two times of two numbers each, mode, hash.
const RECORD: usize = 8 * 8 + 32;
/// A longer list is not read: a million files.
const MOST: u64 = 1_000_000 * 96;

/// The list of one workspace.
#[derive(Debug, Default)]
pub(super) struct Known {
    files: HashMap<(u64, u64), (Key, ContentHash)>,
}

impl Known {
    pub(super) fn read(contents: &StateDirectory, name: &str) -> Self {
        read(contents, name).and_then(|bytes| Self::parse(&bytes)).unwrap_or_default()
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sum, records) = rest.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != checksum(records) || records.len() % RECORD != 0 {
            return None;
        }
        let mut files = HashMap::with_capacity(records.len() / RECORD);
        for record in records.chunks_exact(RECORD) {
            let number = |at: usize| {
                let bytes = record.get(at * 8..at * 8 + 8).and_then(|bytes| bytes.try_into().ok());
                bytes.map(u64::from_le_bytes)
            };
            let signed = |at| number(at).map(u64::cast_signed);
            let key = Key {
                device: number(0)?,
                inode: number(1)?,
                size: number(2)?,
                modified: (signed(3)?, signed(4)?),
                changed: (signed(5)?, signed(6)?),
                mode: u32::try_from(number(7)?).ok()?,
            };
            let hash: [u8; 32] = record.get(64..)?.try_into().ok()?;
            files.insert((key.device, key.inode), (key, ContentHash::from_bytes(hash)));
        }
        Some(Self { files })
    }

    pub(super) fn hash(&self, key: &Key) -> Option<ContentHash> {
        self.files.get(&(key.device, key.inode)).filter(|(known, _)| known == key).map(|(_, hash)| *hash)
    }

    pub(super) fn insert(&mut self, key: Key, hash: ContentHash) {
        self.files.insert((key.device, key.inode), (key, hash));
    }

    /// Forgets what is no longer there.
    pub(super) fn retain(&mut self, still: impl Fn(&Key) -> bool) {
        self.files.retain(|_, (key, _)| still(key));
    }

    pub(super) fn write(&self, contents: &StateDirectory, name: &str) -> std::io::Result<()> {
        let mut records = Vec::with_capacity(self.files.len() * RECORD);
        for (key, hash) in self.files.values() {
            let numbers = [
                key.device,
                key.inode,
                key.size,
                key.modified.0.cast_unsigned(),
                key.modified.1.cast_unsigned(),
                key.changed.0.cast_unsigned(),
                key.changed.1.cast_unsigned(),
                u64::from(key.mode),
            ];
            numbers.iter().for_each(|number| records.extend(number.to_le_bytes()));
            records.extend(hash.as_bytes());
        }
        let mut temporary = Temporary::create(contents.handle(), Mode::RUSR | Mode::WUSR)?;
        temporary.write(MAGIC)?;
        temporary.write(&checksum(&records).to_le_bytes())?;
        temporary.write(&records)?;
        fs::renameat(contents.handle(), temporary.name(), contents.handle(), name)?;
        temporary.disarm();
        Ok(())
    }
}

fn read(contents: &StateDirectory, name: &str) -> Option<Vec<u8>> {
    let file = fs::openat(contents.handle(), name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let mut bytes = Vec::new();
    File::from(file).take(MOST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Sees what a power failure leaves; nobody forges a list in our own folder.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |sum, chunk| {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(chunk) {
            *to = *from;
        }
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_list_is_read_back_and_a_torn_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let contents = StateDirectory::open(folder.path()).unwrap();
        let key = |inode| Key { device: 1, inode, size: 3, modified: (5, 6), changed: (-7, 8), mode: 0o100_644 };
        let hash = ContentHash::of_bytes(b"x");
        let mut known = Known::default();
        (0..10).for_each(|inode| known.insert(key(inode), hash));
        known.write(&contents, "seen").unwrap();
        let read = Known::read(&contents, "seen");
        assert_eq!((read.hash(&key(3)), read.hash(&key(30))), (Some(hash), None));
        assert_eq!(read.hash(&Key { size: 4, ..key(3) }), None);
        let mut bytes = std::fs::read(folder.path().join("seen")).unwrap();
        for place in [0, 9, 20, bytes.len() - 1] {
            bytes[place] ^= 1;
            std::fs::write(folder.path().join("seen"), &bytes).unwrap();
            assert_eq!(Known::read(&contents, "seen").hash(&key(3)), None, "{place}");
            bytes[place] ^= 1;
        }
    }
}
