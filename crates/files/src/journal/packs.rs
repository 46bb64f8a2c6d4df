//! Pack files of small contents, written by earlier versions: read-only here.
//!
//! The end of a pack has the offset of each content; contents are checked against their hash when they are read, like all
//! others.

use crate::state::StateDirectory;
use palanca_core::ports::ContentHash;
use parking_lot::Mutex;
use rustix::fs::{self, Mode, OFlags};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

const FOLDER: &str = "packs";
const MAGIC: &[u8; 8] = b"PLNCPAK1";
/// Hash, offset, length.
const RECORD: usize = 32 + 8 + 8;

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
        let mut loaded = self.0.lock();
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
                // ignored: the caller reports missing contents.
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

    /// As earlier versions wrote them.
    fn pack(contents: &StateDirectory, texts: &[Vec<u8>]) {
        let folder = contents.directory(FOLDER).unwrap();
        let (mut bytes, mut index) = (Vec::new(), Vec::new());
        for text in texts {
            index.extend(ContentHash::of_bytes(text).as_bytes());
            index.extend((bytes.len() as u64).to_le_bytes());
            index.extend((text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text);
        }
        let at = bytes.len() as u64;
        bytes.extend(index);
        bytes.extend(at.to_le_bytes());
        bytes.extend(MAGIC);
        let name = format!("{}.pack", ContentHash::of_bytes(&bytes).to_hex());
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }

    #[test]
    fn contents_are_found_again_and_torn_packs_hold_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let contents = StateDirectory::open(folder.path()).unwrap();
        let packs = Packs::default();
        let texts: Vec<Vec<u8>> = (0..500).map(|at| format!("{at}").repeat(at * 10).into_bytes()).collect();
        for half in texts.chunks(250) {
            assert_eq!(packs.find(&contents, &ContentHash::of_bytes(&half[9])), None);
            pack(&contents, half);
            half.iter()
                .for_each(|text| assert_eq!(packs.find(&contents, &ContentHash::of_bytes(text)).as_ref(), Some(text)));
        }
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
