//! Programs that run without a question: they write nothing of the workspace, and nothing of it runs.

use crate::space::{Space, text};
use palanca_core::call::Launch;
use palanca_sandbox::Level;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

/// Changes, each of which leaves a trace.
const CHANGES: [&str; 9] = [
    "echo x > new",
    "echo x >> kept",
    "mkdir new",
    "rm kept",
    "mv kept new",
    "ln kept new",
    "ln -s kept new",
    "chmod 600 kept",
    "mkfifo new",
];

/// The door asks for every launch: a text with the word in it only reads.
fn space() -> Space {
    Space::with(|settings| {
        settings.only_reads = Some(Arc::new(|launch: &Launch| launch.command.to_string().contains("ONLY=reads")));
        settings.reading_variables = vec![("NEUTRAL".into(), "yes".into())];
    })
}

#[test]
fn what_only_reads_changes_and_starts_nothing_and_the_next_program_does() {
    let space = space();
    if space.door().level() == Level::None {
        return;
    }
    let trace = || {
        let about = |name: &str| fs::symlink_metadata(space.path("ws").join(name)).ok();
        let kept = about("kept").map(|kept| (kept.len(), kept.permissions().mode()));
        (about("new").is_some(), kept)
    };
    let prepare = || {
        // ignored: most changes leave no such file.
        let _ = fs::remove_file(space.path("ws/new")).or_else(|_| fs::remove_dir(space.path("ws/new")));
        fs::write(space.path("ws/kept"), "kept").unwrap();
        fs::set_permissions(space.path("ws/kept"), fs::Permissions::from_mode(0o644)).unwrap();
    };
    fs::write(space.path("ws/tool"), "#!/bin/sh\necho ran $NEUTRAL\n").unwrap();
    fs::set_permissions(space.path("ws/tool"), fs::Permissions::from_mode(0o755)).unwrap();
    for change in CHANGES {
        prepare();
        let before = trace();
        // A helper may wait for either of them.
        let seen = space.sh(&format!("ONLY=reads; {change}"));
        assert_eq!(trace(), before, "{change}: {}", text(&seen.stderr));
        assert!(seen.written.changed.is_empty(), "{change}: {:?}", seen.written);
        let seen = space.sh(change);
        let modes = space.door().level() == Level::Full || space.door().supervises();
        assert!(trace() != before || !modes, "{change}: {}", text(&seen.stderr));
        assert_eq!(text(&space.sh("ONLY=reads; ./tool; /proc/self/cwd/tool; cp tool $TMPDIR/t; $TMPDIR/t").stdout), "");
        assert_eq!(text(&space.sh("./tool").stdout), "ran\n");
    }
    let seen = space.sh("ONLY=reads; echo x > $TMPDIR/own && cat $TMPDIR/own kept; echo $NEUTRAL");
    assert!(text(&seen.stdout).starts_with("x\n") && text(&seen.stdout).ends_with("yes\n"), "{}", text(&seen.stdout));
}
