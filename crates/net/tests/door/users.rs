//! The same again as an ordinary user.

use palanca_testkit::{again, skipped};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Nobody: owns nothing and may do nothing special.
const NOBODY: u32 = 65_534;

#[test]
fn as_an_ordinary_user() {
    if unsafe { libc::geteuid() } != 0 {
        // Already an ordinary user.
        return;
    }
    let home = tempfile::tempdir().unwrap();
    chown(home.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    // The binary may lie where an ordinary user cannot look. Another program copies it: a file that this one had open for
    // writing, a child forked meanwhile by another test still holds, and it cannot be run ("text file busy").
    let copied = Command::new("install")
        .args(["-m", "755"])
        .arg(std::env::current_exe().unwrap())
        .arg(home.path().join("door"))
        .status();
    assert!(copied.unwrap().success());
    let mut command = Command::new(home.path().join("door"));
    command.current_dir(home.path()).env("TMPDIR", home.path()).env("HOME", home.path()).uid(NOBODY).gid(NOBODY);
    let output = again("as an ordinary user", &mut command, &["corpus::", "names::", "slow::", "together::"]);
    let (text, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("7 passed"), "{text}");
    if told.contains("SKIPPED") {
        skipped("the door as an ordinary user", "no namespace can be made");
    }
}

/// Runs this in a thread that is an ordinary user's. Whoever is one already goes on as himself.
pub fn as_user(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let ran = scope.spawn(|| unsafe {
            // The library's own function would change every thread.
            let keep = libc::c_long::from(-1);
            if libc::geteuid() == 0 {
                assert_eq!(libc::syscall(libc::SYS_setresgid, keep, libc::c_long::from(NOBODY), keep), 0);
                assert_eq!(libc::syscall(libc::SYS_setresuid, keep, libc::c_long::from(NOBODY), keep), 0);
            }
            run();
        });
        if let Err(panic) = ran.join() {
            std::panic::resume_unwind(panic);
        }
    });
}
