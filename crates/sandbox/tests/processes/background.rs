//! Programs in the background: listed, read, written to, ended, forgotten; and only by their owner.

use crate::space::{Space, living, marker, owner, script, text, wait};
use palanca_core::call::{CallId, Launch, ProcessId};
use palanca_core::ports::{By, Exit, Owner, ProcessError, ProcessErrorKind as K, ProcessStatus, Processes};
use palanca_testkit::{PATIENCE, until};
use std::collections::HashSet;
use std::time::Duration;

fn start_as(space: &Space, owner: &Owner, launch: &Launch) -> Result<ProcessStatus, ProcessError> {
    wait(space.door().start(launch, By { owner, call: &CallId::new("call"), session: None }))
}

fn start(space: &Space, command: &str) -> ProcessId {
    start_as(space, &owner("one"), &script(command)).unwrap().id
}

fn write(space: &Space, id: &ProcessId, input: &[u8]) -> Result<usize, K> {
    wait(space.door().write(&owner("one"), id, input)).map_err(|error| error.kind)
}

fn status(space: &Space, id: &ProcessId) -> Option<ProcessStatus> {
    space.door().list(&owner("one")).into_iter().find(|status| status.id == *id)
}

fn ended(space: &Space, id: &ProcessId) -> Exit {
    until("it ends", || status(space, id).unwrap().exit.is_some());
    status(space, id).unwrap().exit.unwrap()
}

/// All that comes until it contains this.
fn read_until(space: &Space, id: &ProcessId, wanted: &str) -> String {
    let read = std::cell::RefCell::new(String::new());
    until(wanted, || {
        let polled = space.door().poll(&owner("one"), id).unwrap();
        read.borrow_mut().push_str(&text(&polled.output));
        read.borrow().contains(wanted)
    });
    read.into_inner()
}

#[test]
fn a_program_is_spoken_to() {
    let space = Space::new();
    let launch = script("while read line; do echo \"got $line\"; echo \"err $line\" >&2; done");
    let started = start_as(&space, &owner("one"), &launch).unwrap();
    assert!(started.id.as_str().starts_with("proc_") && started.id.as_str().len() == 17, "{}", started.id);
    assert_eq!((started.exit, started.command.as_str()), (None, launch.command.to_string().as_str()));
    assert_eq!(write(&space, &started.id, b"a\nb\n"), Ok(4));
    // In the order in which it came, whichever stream it came on.
    assert_eq!(read_until(&space, &started.id, "err b\n"), "got a\nerr a\ngot b\nerr b\n");
    assert_eq!(text(&space.door().poll(&owner("one"), &started.id).unwrap().output), "");
    assert_eq!(space.door().spoken(&owner("one"), &started.id), Some((launch, "a\nb\n".into())));
    assert_eq!(space.door().clear(&owner("one"), &started.id).unwrap_err().kind, K::Running);
    let killed = wait(space.door().kill(&owner("one"), &started.id)).unwrap();
    assert_eq!(killed.exit, Some(Exit::Killed));
    assert_eq!(write(&space, &started.id, b"x"), Err(K::Ended));
    assert_eq!(space.door().spoken(&owner("one"), &started.id), None);
    // Again is no harm.
    assert_eq!(wait(space.door().kill(&owner("one"), &started.id)).unwrap().exit, Some(Exit::Killed));
    space.door().clear(&owner("one"), &started.id).unwrap();
    assert_eq!(space.door().poll(&owner("one"), &started.id).unwrap_err().kind, K::Unknown);
    assert_eq!(space.door().list(&owner("one")), []);
}

#[test]
fn what_ended_keeps_its_words() {
    let space = Space::new();
    let id = start(&space, "echo last words; exit 7");
    assert_eq!(ended(&space, &id), Exit::Code(7));
    let polled = space.door().poll(&owner("one"), &id).unwrap();
    assert_eq!((polled.status.exit, text(&polled.output).as_str()), (Some(Exit::Code(7)), "last words\n"));
    let id = start(&space, "kill -SEGV $$");
    assert_eq!(ended(&space, &id), Exit::Signal(11));
    let polled = wait(async { space.door().kill(&owner("one"), &id).await }).unwrap();
    assert_eq!(polled.exit, Some(Exit::Signal(11)));
}

#[test]
fn much_output_is_bounded_and_counted() {
    let space = Space::new();
    let id = start(&space, "seq 1 1000000; echo end");
    ended(&space, &id);
    let output = space.door().poll(&owner("one"), &id).unwrap().output;
    assert_eq!((output.head.len(), output.tail.len()), (50_000, 150_000));
    assert_eq!(output.total_bytes(), 6_888_896 + 4);
    assert!(output.head.starts_with(b"1\n2\n") && output.tail.ends_with(b"1000000\nend\n"));
}

#[test]
fn a_full_pipe_waits_and_a_deaf_program_does_not_hold_us() {
    let space = Space::new();
    let id = start(&space, "sleep 0.3; wc -c | head -c 100 & exec cat >/dev/null");
    let large = vec![b'x'; 1 << 20];
    assert_eq!(write(&space, &id, &large), Ok(1 << 20));
    let id = start(&space, "exec 0<&-; sleep 1000");
    until("its input is closed", || write(&space, &id, b"x") == Err(K::Ended));
    let id = start(&space, "sleep 1000");
    let one = owner("one");
    let both = async {
        tokio::join!(space.door().write(&one, &id, &large), async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            space.door().kill(&one, &id).await
        })
    };
    let (written, killed) = wait(async { tokio::time::timeout(PATIENCE, both).await }).unwrap();
    assert_eq!((written.unwrap_err().kind, killed.unwrap().exit), (K::Ended, Some(Exit::Killed)));
}

#[test]
fn a_stranger_sees_nothing() {
    let space = Space::new();
    let id = start(&space, "sleep 1000");
    let stranger = owner("two");
    assert_eq!(space.door().list(&stranger), []);
    assert_eq!(space.door().spoken(&stranger, &id), None);
    let errors = [
        space.door().poll(&stranger, &id).unwrap_err(),
        wait(space.door().write(&stranger, &id, b"x")).unwrap_err(),
        wait(space.door().kill(&stranger, &id)).unwrap_err(),
        space.door().clear(&stranger, &id).unwrap_err(),
    ];
    let unknown = space.door().poll(&owner("one"), &ProcessId::new("proc_aaaaaaaaaaaa")).unwrap_err();
    for error in errors {
        assert_eq!((error.kind, error.what, error.detail), (K::Unknown, id.to_string(), unknown.detail.clone()));
    }
    assert_eq!(status(&space, &id).unwrap().exit, None);
}

#[test]
fn there_is_a_limit_for_each_owner() {
    let space = Space::with(|settings| settings.background.programs = 3);
    let ids: Vec<ProcessId> = (0..3).map(|_| start(&space, "sleep 1000")).collect();
    let error = start_as(&space, &owner("one"), &script("sleep 1000")).unwrap_err();
    assert_eq!((error.kind, error.what.as_str(), error.detail.as_str()), (K::TooMany, "sleep 1000", "3"));
    start_as(&space, &owner("two"), &script("sleep 1000")).unwrap();
    wait(space.door().kill(&owner("one"), &ids[1])).unwrap();
    let id = start(&space, "sleep 1000");
    let listed: Vec<ProcessId> = space.door().list(&owner("one")).into_iter().map(|status| status.id).collect();
    assert_eq!(listed, [ids[0].clone(), ids[1].clone(), ids[2].clone(), id]);
    // At once: not one more than allowed.
    let owner = owner("three");
    let started = wait(async {
        let call = CallId::new("call");
        let launch = script("sleep 1000");
        let starts = (0..8).map(|_| space.door().start(&launch, By { owner: &owner, call: &call, session: None }));
        futures_util::future::join_all(starts).await.into_iter().filter(Result::is_ok).count()
    });
    assert_eq!(started, 3);
    // A start that failed gives its place back.
    let mut none = script("");
    none.command = palanca_core::call::CommandLine::Program(vec!["no-such-program".into()]);
    let four = crate::space::owner("four");
    for _ in 0..5 {
        assert_eq!(start_as(&space, &four, &none).unwrap_err().kind, K::NoProgram);
    }
    start_as(&space, &four, &script("sleep 1000")).unwrap();
}

#[test]
fn what_ended_is_forgotten_in_time() {
    let space = Space::with(|settings| settings.background.kept = Duration::from_millis(50));
    let id = start(&space, "echo x");
    let running = start(&space, "sleep 1000");
    until("it is forgotten", || status(&space, &id).is_none());
    assert_eq!(space.door().poll(&owner("one"), &id).unwrap_err().kind, K::Unknown);
    assert_eq!(status(&space, &running).unwrap().exit, None);
    // However many end, the table stays small.
    let space = Space::new();
    let ids: Vec<ProcessId> = (0..60)
        .map(|_| {
            let id = start(&space, "true");
            ended(&space, &id);
            id
        })
        .collect();
    let listed = space.door().list(&owner("one"));
    assert_eq!(listed.last().unwrap().id, ids[59]);
    assert!(listed.len() <= 51, "{}", listed.len());
}

#[test]
fn what_was_said_is_remembered_from_a_line_start() {
    let space = Space::new();
    let id = start(&space, "cat >/dev/null");
    let lines: String = (0..2000).map(|number| format!("line number {number} of the input\n")).collect();
    assert_eq!(write(&space, &id, lines.as_bytes()), Ok(lines.len()));
    let (_, spoken) = space.door().spoken(&owner("one"), &id).unwrap();
    assert!(spoken.len() <= 32 << 10 && spoken.len() > (32 << 10) - 64, "{}", spoken.len());
    assert!(spoken.starts_with("line number ") && lines.ends_with(&spoken));
    // A line longer than all that is remembered is not remembered by its end alone.
    assert_eq!(write(&space, &id, &vec![b'x'; 40 << 10]), Ok(40 << 10));
    assert_eq!(space.door().spoken(&owner("one"), &id).unwrap().1, "");
}

#[test]
fn two_hundred_at_once() {
    let space = Space::with(|settings| settings.background.programs = 200);
    let marker = marker("many");
    let call = CallId::new("call");
    let owner = owner("one");
    let launches: Vec<Launch> =
        (0..200).map(|number| script(&format!("read x; echo \"{number} $x\"; sleep 1000; : {marker}"))).collect();
    let ids: HashSet<ProcessId> = wait(async {
        let starts =
            launches.iter().map(|launch| space.door().start(launch, By { owner: &owner, call: &call, session: None }));
        futures_util::future::join_all(starts).await.into_iter().map(|started| started.unwrap().id).collect()
    });
    assert_eq!((ids.len(), space.door().running()), (200, 200));
    wait(futures_util::future::join_all(ids.iter().map(|id| space.door().write(&owner, id, b"hello\n"))));
    let answers: HashSet<String> = ids.iter().map(|id| read_until(&space, id, "hello\n")).collect();
    assert_eq!(answers, (0..200).map(|number| format!("{number} hello\n")).collect());
    wait(futures_util::future::join_all(ids.iter().map(|id| space.door().kill(&owner, id))));
    assert_eq!((space.door().running(), living(&marker)), (0, Vec::new()));
}
