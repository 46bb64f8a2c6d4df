#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::call::Access;
use palanca_core::ports::{PathRefusal, PathRules};
use rustix::fs::{Mode, OFlags};
use std::path::{Path, PathBuf};

struct Open;

impl PathRules for Open {
    fn refuse(&self, _relative: &Path, _access: Access) -> Option<PathRefusal> {
        None
    }
}

/// What happens on file systems that cannot exchange names, such as FAT.
#[test]
fn replacing_without_exchange() {
    for fails_later in [false, true] {
        let top = tempfile::tempdir().unwrap();
        std::fs::write(top.path().join("f"), "old").unwrap();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let directory = Arc::new(fs::open(top.path(), flags, Mode::empty()).unwrap());
        let disk = Disk::open(top.path(), &[], Arc::new(Open)).unwrap();
        let identity = identity(&directory).unwrap();
        let place = Directory { handle: Arc::clone(&directory), path: PathBuf::new(), identity, pending: None };
        let path = CanonicalPath::new(Root::Workspace, "f".into());
        let identity = Identity::of(&fs::statat(&directory, "f", AtFlags::empty()).unwrap());
        let mut temporary = Temporary::create(&directory, Mode::RUSR).unwrap();
        temporary.write(b"new").unwrap();
        let mut executing = Executing { disk: &disk, back: Vec::new(), aside: Vec::new() };
        executing.replace_linked(&path, &place, (OsStr::new("f"), &mut temporary), identity).unwrap();
        assert_eq!(std::fs::read(top.path().join("f")).unwrap(), b"new");
        if fails_later {
            let error = executing.take_back(&mut [], changed(&path, "later"));
            assert_eq!(error, changed(&path, "later"));
            assert_eq!(std::fs::read(top.path().join("f")).unwrap(), b"old");
        } else {
            let aside = executing.aside.pop().unwrap();
            assert_eq!(std::fs::read(top.path().join(&*aside.name)).unwrap(), b"old");
            remove::entry(directory.as_fd(), &aside.name).unwrap();
        }
        drop(temporary);
        assert_eq!(std::fs::read_dir(top.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_name_is_only_given_where_nothing_is() {
    let top = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        std::fs::write(top.path().join(name), name).unwrap();
    }
    let directory = fs::open(top.path(), OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap();
    let rename = |old: &str, new: &str| rename_to_free((&directory, OsStr::new(old)), (&directory, OsStr::new(new)));
    assert_eq!(rename("a", "b"), Err(Errno::EXIST));
    assert_eq!(rename("none", "c"), Err(Errno::NOENT));
    assert_eq!(rename("a", "c"), Ok(()));
}
