//! Workspaces and journals on other file systems than usual: what programs replace is kept all the same, or stays.

use crate::space::Space;
use crate::system::{mounted, small_disk};
use crate::undone::{Kept, LIMITS, kept_with};
use palanca_core::ports::{FileErrorKind, NotKept};
use palanca_testkit::until;
use std::path::Path;

/// On an overlay the first change of a file in the lower layer that has several names makes another file of that name.
#[test]
fn files_with_several_names_in_the_lower_layer_of_an_overlay_come_back() {
    let (space, layers) = (Space::new(), tempfile::tempdir().unwrap());
    let (ws, state) = (space.ws(), layers.path().join("state"));
    for name in ["written", "replaced", "removed", "closed", "moved"] {
        space.put(name, format!("{name}\n"));
        std::fs::hard_link(ws.join(name), ws.join(format!("{name} too"))).unwrap();
    }
    let layer = |name: &str| {
        std::fs::create_dir(layers.path().join(name)).unwrap();
        layers.path().join(name).display().to_string()
    };
    let options = format!("lowerdir={},upperdir={},workdir={}", ws.display(), layer("upper"), layer("work"));
    let Some(overlay) = mounted("overlay", &options, &ws) else { return };
    let kept = kept_with(space, (&state, &state), LIMITS);
    let before = kept.space.inside();
    kept.program(|program| {
        program.write("written", "x\n").unwrap();
        program.rename("src/lib.rs", "replaced").unwrap();
        program.remove("removed").unwrap();
        program.mode("closed", 0o600).unwrap();
        program.rename("moved", "gone").unwrap();
    });
    kept.undo(0).unwrap();
    assert_eq!(before, kept.space.inside());
    // What is still held would keep it mounted.
    let Kept { space, journal, disk, writes } = kept;
    drop((writes, disk, journal));
    drop(overlay);
    drop(space);
}

/// A piece of a line that no longer fitted would hide all that follows from whoever makes up for a killed process.
#[test]
fn a_record_that_met_a_full_disk_stays_readable() {
    let (folder, database) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let Some(_small) = small_disk(folder.path()) else { return };
    let kept = kept_with(Space::new(), (folder.path(), database.path()), LIMITS);
    let before = kept.tree();
    let mut program = kept.start();
    program.write("first", "1").unwrap();
    let filler = folder.path().join("filler");
    let block = |at: u8| std::fs::write(folder.path().join(format!("filler{at}")), [at; 4096]);
    std::fs::write(&filler, [0; 16 << 12]).unwrap();
    assert!((0..=u8::MAX).any(|at| block(at).is_err()), "the disk is full");
    let long = |at: usize| format!("{at:-<200}");
    let refused = (0..100).find_map(|at| Some((at, program.write(long(at), "x").err()?)));
    let (at, error) = refused.unwrap();
    assert_eq!((error.kind, error.path), (FileErrorKind::NotKept(NotKept::DiskFull), long(at)));
    assert!(error.detail.contains("batches"), "{}", error.detail);
    assert!(!kept.space.exists(&long(at)));
    std::fs::remove_file(&filler).unwrap();
    program.write("README.md", "changed\n").unwrap();
    program.write(Path::new("last"), "2").unwrap();
    drop(program);
    // A process that another test starts at this moment holds a copy of the lock until it has become its program.
    until("it is made up for", || kept.writes.recover() > 0);
    (0..=u8::MAX).for_each(|at| _ = std::fs::remove_file(folder.path().join(format!("filler{at}"))));
    kept.undo(0).unwrap();
    assert_eq!(before, kept.tree());
}
