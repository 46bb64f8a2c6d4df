//! A dry run's changes as programs see them.

use crate::space::{Space, at, commit, delete, write};
use palanca_core::ports::{Change, Expect};
use palanca_files::{DiskLayer, Overlay};
use rustix::fs::Mode;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::sync::Arc;

/// What the kernel leaves in a layer is made by hand here; `cli: dry_run` has the kernel make it.
#[test]
fn a_layer_shows_the_overlay_and_gives_back_what_programs_do() {
    let space = Space::new();
    for (path, text) in [
        ("README.md", "disk\n"),
        ("docs/guide.md", "guide\n"),
        ("deep/x/y/z.txt", "z\n"),
        ("sub/in.txt", "in\n"),
        ("sub/beside.txt", "beside\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("kept/a", "a\n"),
        ("turned", "turned\n"),
        ("target/CACHEDIR.TAG", "tag\n"),
    ] {
        space.put(path, text);
    }
    symlink("README.md", space.ws().join("link")).unwrap();
    let before = space.inside();
    let base = tempfile::tempdir().unwrap();
    let disk = Arc::new(space.disk());
    let overlay = Overlay::new(Arc::clone(&disk) as _);
    let of = |path: &str| at(&overlay, path);
    let moved = Change::Move { from: of("kept/a"), to: of("kept/b") };
    commit(&overlay, &[write(&of("README.md"), "tool\n", Expect::Anything), delete(&of("docs")), moved]).unwrap();
    commit(&overlay, &[Change::MakeDirectory { path: of("empty") }]).unwrap();
    commit(&overlay, &[write(&of("made/by/tool"), "tool\n", Expect::Absent)]).unwrap();
    let mut layer = DiskLayer::create(Arc::clone(&disk), base.path()).unwrap();
    let upper = layer.upper();
    let read = |path: &str| std::fs::read_to_string(upper.join(path)).unwrap();
    let is_gone = |path: &str| std::fs::symlink_metadata(upper.join(path)).unwrap().file_type().is_char_device();
    layer.bring_in(&overlay).unwrap();
    assert_eq!(
        (read("README.md"), read("kept/b"), read("made/by/tool")),
        ("tool\n".into(), "a\n".into(), "tool\n".into())
    );
    assert!(is_gone("docs") && is_gone("kept/a") && upper.join("empty").is_dir() && !upper.join("src").exists());
    assert_eq!(layer.bring_back(&overlay).unwrap(), [""; 0]);
    assert_eq!(overlay.changes().unwrap().len(), 5, "nothing was done");

    // A program: it changes, removes, makes, turns, and leaves links that lead out.
    let gone = |path: &str| {
        let path = upper.join(path);
        let _ = std::fs::remove_file(&path);
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::CharacterDevice, Mode::empty(), 0).unwrap();
    };
    std::fs::write(upper.join("README.md"), "program\n").unwrap();
    gone("deep");
    std::fs::create_dir_all(upper.join("sub/in.txt")).unwrap();
    std::fs::write(upper.join("sub/in.txt/x"), "x").unwrap();
    std::fs::create_dir(upper.join("src")).unwrap();
    std::fs::write(upper.join("src/main.rs"), "fn main() {}\n").unwrap();
    std::fs::set_permissions(upper.join("src/main.rs"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_dir_all(upper.join("made")).unwrap();
    std::fs::create_dir(upper.join(".git")).unwrap();
    std::fs::write(upper.join(".git/HEAD"), "other\n").unwrap();
    std::fs::create_dir(upper.join("target")).unwrap();
    std::fs::write(upper.join("target/built"), "built\n").unwrap();
    std::fs::create_dir(upper.join("turned")).unwrap();
    rustix::fs::setxattr(upper.join("turned"), "user.overlay.opaque", b"y", rustix::fs::XattrFlags::empty()).unwrap();
    symlink("README.md", upper.join("link")).unwrap();
    symlink(space.path("outside"), upper.join("out")).unwrap();
    std::fs::write(upper.join(OsStr::from_bytes(b"no\xfftext\n")), "x").unwrap();
    std::fs::File::create(upper.join("large")).unwrap().set_len((64 << 20) + 1).unwrap();
    let Err(_) = UnixListener::bind(upper.join("no/such")) else { panic!() };
    let _socket = UnixListener::bind(upper.join("socket")).unwrap();
    assert_eq!(layer.bring_back(&overlay).unwrap(), ["large", "out", "socket"]);
    assert_eq!(layer.bring_back(&overlay).unwrap(), [""; 0], "named once");
    let changed: Vec<_> = overlay.changes().unwrap().iter().map(|changed| changed.path.relative().to_owned()).collect();
    let text: Vec<_> = changed.iter().filter_map(|path| path.to_str()).collect();
    let expected = [
        "README.md",
        "deep/x/y/z.txt",
        "docs/guide.md",
        "kept/a",
        "kept/b",
        "src/main.rs",
        "sub/in.txt",
        "sub/in.txt/x",
        "turned",
    ];
    assert_eq!((text, changed.len()), (expected.to_vec(), expected.len() + 1));

    // What a tool does next goes into the layer, and not through a program's link.
    commit(&overlay, &[write(&of("out/plain.txt"), "kept in\n", Expect::Absent)]).unwrap();
    commit(&overlay, &[delete(&of("sub")), write(&of("sub/new"), "new\n", Expect::Absent)]).unwrap();
    let outside = space.outside();
    layer.bring_in(&overlay).unwrap();
    assert_eq!(
        (read("out/plain.txt"), read("sub/new"), read(".git/HEAD")),
        ("kept in\n".into(), "new\n".into(), "other\n".into())
    );
    assert!(!upper.join("sub/in.txt").exists());
    assert_eq!((space.outside(), space.inside()), (outside, before));
    std::fs::set_permissions(upper.join("sub"), std::fs::Permissions::from_mode(0o0)).unwrap();
    drop(layer);
    assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
}
