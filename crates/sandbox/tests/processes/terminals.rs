//! Programs with a terminal.

use crate::space::{Space, limits, living, marker, owner, script, text, wait};
use palanca_core::call::{CallId, Launch, TerminalSize};
use palanca_core::ports::{By, Exit, Processes};
use palanca_testkit::{PATIENCE, until};
use std::time::Duration;

fn terminal(command: &str) -> Launch {
    let mut launch = script(command);
    launch.terminal = Some(TerminalSize { rows: 33, columns: 101 });
    launch
}

#[test]
fn it_is_one() {
    let space = Space::new();
    let check = |command: &str, expected: &str| {
        let finished = space.run(&terminal(command), limits(PATIENCE)).unwrap();
        assert_eq!((finished.exit, text(&finished.stdout).as_str()), (Exit::Code(0), expected), "{command}");
        assert_eq!(finished.stderr.total_bytes(), 0);
    };
    check("test -t 0 && test -t 1 && test -t 2 && echo yes", "yes\r\n");
    check("stty size", "33 101\r\n");
    check("echo $TERM", "xterm\r\n");
    check("echo err >&2; echo out", "err\r\nout\r\n");
    // It is the controlling one.
    check("echo through >/dev/tty", "through\r\n");
    let plain = space.sh("test -t 0 || test -t 1 || echo none; (echo x >/dev/tty) 2>/dev/null || echo no tty");
    assert_eq!(text(&plain.stdout), "none\nno tty\n");
    // Nobody types: the limit ends it.
    let finished = space.run(&terminal("read line"), limits(Duration::from_millis(300))).unwrap();
    assert_eq!(finished.exit, Exit::TimedOut);
}

#[test]
fn it_is_typed_into() {
    let space = Space::new();
    let marker = marker("typed");
    let (owner, call) = (owner("one"), CallId::new("call"));
    let launch = terminal(&format!("read line; echo \"got $line\"; sleep 1000; : {marker}"));
    let id = wait(space.door().start(&launch, By { owner: &owner, call: &call, session: None })).unwrap().id;
    let read = std::cell::RefCell::new(String::new());
    let wait_for = |wanted: &str| {
        until(wanted, || {
            read.borrow_mut().push_str(&text(&space.door().poll(&owner, &id).unwrap().output));
            read.borrow().contains(wanted)
        });
    };
    assert_eq!(wait(space.door().write(&owner, &id, b"hello\r")), Ok(6));
    wait_for("got hello\r\n");
    assert_eq!(*read.borrow(), "hello\r\ngot hello\r\n");
    // Ctrl-C reaches the program as it would a person's. The shell may miss one that comes while it starts a program.
    until("it is interrupted", || {
        let _ = wait(space.door().write(&owner, &id, b"\x03"));
        space.door().list(&owner)[0].exit.is_some()
    });
    let exit = space.door().list(&owner)[0].exit;
    assert!(matches!(exit, Some(Exit::Signal(2) | Exit::Code(130))), "{exit:?}");
    assert_eq!(living(&marker), [0; 0]);
}
