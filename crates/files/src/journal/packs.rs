//! Many small contents in one file: a first snapshot keeps thousands of them, and making a file costs far more than
//! writing its bytes.
//!
//! A pack is written under a temporary name and put in place whole. Its end says where each content lies; contents are
//! checked against their hash when they are read, like all others.

use crate::atomic::Temporary;
use crate::state::StateDirectory;
use palanca_core::ports::ContentHash;
use rustix::fs::{self, Mode, OFlags};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

const FOLDER: &str = "packs";
const MAGIC: &[u8; 8] = b"PLNCPAK1";
/// Hash, offset, length.
const RECORD: usize = 32 + 8 + 8;
/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 20;

/// A pack that is being written. Dropped without [`Writer::finish`], it leaves nothing.
pub(crate) struct Writer {
    folder: StateDirectory,
    temporary: Temporary,
    buffer: Vec<u8>,
    /// Where the next content begins.
    at: u64,
    index: Vec<u8>,
}

impl Writer {
    pub(crate) fn create(contents: &StateDirectory) -> io::Result<Self> {
        let folder = contents.directory(FOLDER).map_err(io::Error::other)?;
        let temporary = Temporary::create(folder.handle(), Mode::RUSR | Mode::WUSR)?;
        Ok(Self { folder, temporary, buffer: Vec::with_capacity(2 * BUFFER), at: 0, index: Vec::new() })
    }

    pub(crate) fn add(&mut self, hash: &ContentHash, content: &[u8]) -> io::Result<()> {
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        self.index.extend(hash.as_bytes());
        self.index.extend(self.at.to_le_bytes());
        self.index.extend(length.to_le_bytes());
        self.at = self.at.saturating_add(length);
        self.buffer.extend_from_slice(content);
        if self.buffer.len() >= BUFFER {
            self.temporary.write(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.index.is_empty() {
            return Ok(());
        }
        self.buffer.append(&mut self.index);
        self.buffer.extend(self.at.to_le_bytes());
        self.buffer.extend(MAGIC);
        self.temporary.write(&self.buffer)?;
        let mut name = self.temporary.name().to_owned();
        name.push(".pack");
        fs::renameat(self.folder.handle(), self.temporary.name(), self.folder.handle(), &*name)?;
        self.temporary.disarm();
        Ok(())
    }
}

/// Where each packed content lies, read when the first one is asked for.
#[derive(Debug, Default)]
pub(crate) struct Packs(Mutex<Loaded>);

#[derive(Debug, Default)]
struct Loaded {
    packs: HashSet<String>,
    contents: HashMap<ContentHash, (Arc<File>, u64, u64)>,
}

impl Packs {
    /// The bytes that a pack holds for this hash, unchecked.
    pub(crate) fn find(&self, contents: &StateDirectory, hash: &ContentHash) -> Option<Vec<u8>> {
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !loaded.contents.contains_key(hash) {
            loaded.look_again(contents);
        }
        let (file, offset, length) = loaded.contents.get(hash)?;
        let mut content = vec![0; usize::try_from(*length).ok()?];
        file.read_exact_at(&mut content, *offset).ok()?;
        Some(content)
    }
}

impl Loaded {
    /// Reads the packs that are new. One that is torn holds nothing.
    fn look_again(&mut self, contents: &StateDirectory) {
        let Ok(folder) = contents.directory(FOLDER) else { return };
        for name in folder.names().unwrap_or_default() {
            if !name.ends_with(".pack") || self.packs.contains(&name) {
                continue;
            }
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            if let Ok(file) = fs::openat(folder.handle(), &*name, flags, Mode::empty()) {
                // ignored: what is not found is named by whoever wanted it.
                let _ = self.read(Arc::new(File::from(file)));
            }
            self.packs.insert(name);
        }
    }

    fn read(&mut self, file: Arc<File>) -> io::Result<()> {
        let torn = || io::Error::from(io::ErrorKind::InvalidData);
        let size = file.metadata()?.len();
        let mut end = [0; 16];
        file.read_exact_at(&mut end, size.checked_sub(16).ok_or_else(torn)?)?;
        let (at, magic) = end.split_first_chunk::<8>().ok_or_else(torn)?;
        let at = u64::from_le_bytes(*at);
        let length = size.saturating_sub(16).checked_sub(at).ok_or_else(torn)?;
        if magic != MAGIC || length % u64::try_from(RECORD).unwrap_or(1) != 0 {
            return Err(torn());
        }
        let mut index = Vec::new();
        let mut from = &*file;
        io::Seek::seek(&mut from, io::SeekFrom::Start(at))?;
        from.take(length).read_to_end(&mut index)?;
        for record in index.chunks_exact(RECORD) {
            let Some((hash, rest)) = record.split_first_chunk::<32>() else { continue };
            let Some((offset, rest)) = rest.split_first_chunk::<8>() else { continue };
            let Some((length, _)) = rest.split_first_chunk::<8>() else { continue };
            let (offset, length) = (u64::from_le_bytes(*offset), u64::from_le_bytes(*length));
            if offset.checked_add(length).is_some_and(|end| end <= at) {
                self.contents.insert(ContentHash::from_bytes(*hash), (Arc::clone(&file), offset, length));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn contents_are_found_again_and_torn_packs_hold_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let contents = StateDirectory::open(folder.path()).unwrap();
        let packs = Packs::default();
        let texts: Vec<Vec<u8>> = (0..500).map(|at| format!("{at}").repeat(at * 10).into_bytes()).collect();
        for half in texts.chunks(250) {
            let mut writer = Writer::create(&contents).unwrap();
            half.iter().for_each(|text| writer.add(&ContentHash::of_bytes(text), text).unwrap());
            assert_eq!(packs.find(&contents, &ContentHash::of_bytes(&half[9])), None);
            writer.finish().unwrap();
            half.iter()
                .for_each(|text| assert_eq!(packs.find(&contents, &ContentHash::of_bytes(text)).as_ref(), Some(text)));
        }
        drop(Writer::create(&contents).unwrap());
        let names = contents.directory(FOLDER).unwrap().names().unwrap();
        assert_eq!(names.len(), 2);
        let path = folder.path().join(FOLDER).join(&names[0]);
        let whole = std::fs::read(&path).unwrap();
        for cut in [0, 1, 15, 16, 17, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let _ = Packs::default().find(&contents, &ContentHash::of_bytes(&texts[300])).unwrap_or_default();
        }
    }
}
