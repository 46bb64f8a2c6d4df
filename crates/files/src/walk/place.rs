//! A directory's position in the tree, as a chain of names: a waiting directory costs one name, not one path, so a tree
//! of many thousand levels needs memory in proportion to its depth and not to its square.

use std::ffi::{CStr, CString};
use std::sync::Arc;

/// One directory on the way down.
pub(super) struct Place {
    above: Option<Arc<Place>>,
    /// The last component; for the start, its whole path relative to the root.
    name: CString,
    /// Bytes of the full path with a slash at its end; 0 for the root.
    length: usize,
    /// Components below the start.
    pub depth: usize,
}

impl Place {
    /// Where the walk starts.
    pub fn start(prefix: CString) -> Self {
        let bytes = prefix.as_bytes().len();
        let length = if bytes == 0 { 0 } else { bytes.saturating_add(1) };
        Self { above: None, name: prefix, length, depth: 0 }
    }

    /// A directory in `above`.
    pub fn below(above: &Arc<Self>, name: &CStr) -> Self {
        let name = name.to_owned();
        let length = above.length.saturating_add(name.as_bytes().len()).saturating_add(1);
        Self { above: Some(Arc::clone(above)), name, length, depth: above.depth.saturating_add(1) }
    }

    /// The name to open it by, in its parent.
    pub fn name(&self) -> &CStr {
        &self.name
    }

    /// Bytes of its path with the slash at its end.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Replaces `path` by the path relative to the root, with a slash at its end unless it is the root.
    pub fn write_to(&self, path: &mut Vec<u8>) {
        path.clear();
        path.resize(self.length, b'/');
        let mut place = self;
        loop {
            let name = place.name.as_bytes();
            // The byte before `length` is the slash that `resize` left there.
            let end = place.length.saturating_sub(1);
            if let Some(part) = path.get_mut(end.saturating_sub(name.len())..end) {
                part.copy_from_slice(name);
            }
            match &place.above {
                Some(above) => place = above,
                None => return,
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // The default would recurse once a level and end on the guard page in a hostile tree.
        let mut above = self.above.take();
        while let Some(mut place) = above.and_then(Arc::into_inner) {
            above = place.above.take();
        }
    }
}
