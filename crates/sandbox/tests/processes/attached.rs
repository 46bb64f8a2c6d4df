//! Programs that are spoken to: raw streams, and nothing left of any of them.

use crate::space::{Space, living, marker, owner, script, wait};
use palanca_core::call::{CallId, CommandLine, Launch, TerminalSize};
use palanca_core::ports::{Attach, Attached, By, Exit, Owner, ProcessError, ProcessErrorKind as K, Processes, Profile};
use palanca_core::tool::Cancel;
use palanca_sandbox::Engine;
use palanca_testkit::{PATIENCE, again, until};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

/// More than a pipe holds.
const MUCH: usize = 1 << 20;
/// How many programs are spoken to where the test does not say another number.
const MANY: usize = 45;
const TIMES: &str = "PALANCA_TEST_TIMES";
/// What a thousand programs may leave in the allocator.
const GROWTH_KIB: u64 = 2 << 10;

pub(crate) async fn attach_to(space: &Space, launch: &Launch, profile: &Profile) -> Result<Attached, ProcessError> {
    let by = By { owner: &Owner::process(), call: &CallId::new("server"), session: None };
    space.door().attach(launch, Attach { by, profile, cancel: &Cancel::new() }).await
}

async fn attach(space: &Space, command: &str) -> Attached {
    attach_to(space, &script(command), &Profile::default()).await.unwrap()
}

pub(crate) async fn read(attached: &mut Attached) -> String {
    let mut text = String::new();
    attached.stdout.take().unwrap().read_to_string(&mut text).await.unwrap();
    text
}

async fn ended(attached: &mut Attached) -> Exit {
    tokio::time::timeout(PATIENCE, attached.wait()).await.unwrap().exit
}

#[test]
fn streams_are_raw_and_apart() {
    let space = Space::new();
    wait(async {
        let mut program =
            attach(&space, "while read line; do echo \"got $line\"; echo \"err $line\" >&2; done; exit 3").await;
        let mut stdin = program.stdin.take().unwrap();
        let mut stdout = BufReader::new(program.stdout.take().unwrap());
        for word in ["one", "two"] {
            stdin.write_all(format!("{word}\n").as_bytes()).await.unwrap();
            let mut line = String::new();
            stdout.read_line(&mut line).await.unwrap();
            assert_eq!(line, format!("got {word}\n"));
        }
        assert_eq!(space.door().list(&Owner::process()), []);
        drop(stdin);
        assert_eq!(ended(&mut program).await, Exit::Code(3));
        // Asked again, it says the same.
        assert_eq!(ended(&mut program).await, Exit::Code(3));
        assert_eq!(program.stderr.text(), "err one\nerr two\n");
        assert_eq!(stdout.read_line(&mut String::new()).await.unwrap(), 0);
        // Every byte, in both directions, with a reader and a writer at once.
        let bytes: Vec<u8> = (0..MUCH).map(|at| u8::try_from(at * 7 % 256).unwrap()).collect();
        let mut program = attach(&space, "cat").await;
        let (mut stdin, mut stdout) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        let write = async {
            stdin.write_all(&bytes).await.unwrap();
            drop(stdin);
        };
        let mut back = Vec::new();
        let (_, came) = tokio::join!(write, stdout.read_to_end(&mut back));
        assert_eq!((came.unwrap(), back == bytes), (MUCH, true));
        // What was printed before the end is there after it.
        let mut program = attach(&space, "echo before; exit 1").await;
        assert_eq!((ended(&mut program).await, read(&mut program).await.as_str()), (Exit::Code(1), "before\n"));
    });
}

#[test]
fn what_cannot_start_says_why() {
    let space = Space::new();
    wait(async {
        let mut launch = script("true");
        launch.terminal = Some(TerminalSize::default());
        assert_eq!(attach_to(&space, &launch, &Profile::default()).await.err().map(|error| error.kind), Some(K::Io));
        launch = script("true");
        launch.command = CommandLine::Program(vec!["no-such-program".into()]);
        assert_eq!(
            attach_to(&space, &launch, &Profile::default()).await.err().map(|error| error.kind),
            Some(K::NoProgram)
        );
    });
}

/// What a program does, and how its caller lets it go.
const BEHAVIOURS: [(&str, Then); 9] = [
    ("echo hello; cat > /dev/null", Then::CloseStdin),
    // It floods, and stderr with it.
    ("yes MARKER & yes MARKER >&2 & wait", Then::Drop),
    ("yes MARKER >&2", Then::Kill),
    // It stalls: it reads nothing, and says nothing.
    ("sleep 1000; : MARKER", Then::FillStdin),
    ("trap '' TERM; while :; do sleep 1000; done; : MARKER", Then::Drop),
    // It closes one side or the other.
    ("exec >&-; sleep 1000; : MARKER", Then::ReadToEnd),
    ("exec <&-; echo hello; sleep 1000; : MARKER", Then::FillStdin),
    // It leaves children behind that hold its streams.
    ("(setsid sh -c 'sleep 1000; : MARKER' &) ; (setsid sh -c 'yes MARKER' >&2 &); exit 0", Then::Wait),
    ("echo only >&2; exit 1", Then::Wait),
];

#[derive(Clone, Copy, Debug)]
enum Then {
    CloseStdin,
    FillStdin,
    ReadToEnd,
    Wait,
    Kill,
    Drop,
}

async fn goes_through(space: &Space, (command, then): (&str, Then)) {
    let mut program = attach(space, command).await;
    let mut stdin = program.stdin.take().unwrap();
    match then {
        Then::CloseStdin => {
            drop(stdin);
            assert_eq!((read(&mut program).await.as_str(), ended(&mut program).await), ("hello\n", Exit::Code(0)));
        }
        Then::FillStdin => {
            // It waits for ever, or fails where nothing reads any more.
            let write = async { while stdin.write_all(&[0; 4096]).await.is_ok() {} };
            let _ = tokio::time::timeout(Duration::from_millis(1), write).await;
        }
        Then::ReadToEnd => assert_eq!(read(&mut program).await, ""),
        Then::Wait => {
            assert!(matches!(ended(&mut program).await, Exit::Code(0 | 1)));
            read(&mut program).await;
        }
        Then::Kill => {
            program.stderr.changed().await;
            assert!(matches!(program.kill().await.exit, Exit::Killed));
        }
        Then::Drop => {}
    }
}

#[test]
fn whatever_it_does_nothing_is_left_of_it() {
    let space = Space::new();
    for (command, then) in BEHAVIOURS {
        let marker = marker("attached");
        wait(goes_through(&space, (&command.replace("MARKER", &marker), then)));
        until(command, || living(&marker).is_empty());
    }
}

#[test]
fn a_flood_is_stalled_by_its_pipe() {
    let space = Space::new();
    let marker = marker("flood");
    wait(async {
        let mut program = attach(&space, &format!("exec yes {marker}")).await;
        until("it runs", || !living(&marker).is_empty());
        let sleeps = |pid: &i32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('S'))
        };
        let flood = |pid: &i32| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with(b"yes\0"));
        until("it is stalled", || living(&marker).iter().any(|pid| flood(pid) && sleeps(pid)));
        // As much as is wanted can be read all the same.
        let mut stdout = program.stdout.take().unwrap();
        let mut buffer = vec![0; MUCH];
        for _ in 0..8 {
            stdout.read_exact(&mut buffer).await.unwrap();
        }
        assert_eq!(program.kill().await.exit, Exit::Killed);
    });
    assert_eq!(living(&marker), Vec::<i32>::new());
}

#[test]
fn a_cancel_and_a_door_that_closes_end_it() {
    let space = Space::new();
    let (cancel, marker) = (Cancel::new(), marker("ends"));
    let launch = script(&format!("sleep 1000; : {marker}"));
    let (owner, profile) = (owner("one"), Profile::default());
    let by = By { owner: &owner, call: &CallId::new("call"), session: None };
    wait(async {
        let mut program =
            space.door().attach(&launch, Attach { by, profile: &profile, cancel: &cancel }).await.unwrap();
        cancel.cancel();
        assert_eq!(ended(&mut program).await, Exit::Killed);
        let late = space.door().attach(&launch, Attach { by, profile: &profile, cancel: &cancel }).await;
        assert_eq!(late.err().map(|error| error.kind), Some(K::Ended));
    });
    let engine = Engine::new();
    let space = Space::on(&engine, |_| ());
    let mut program = wait(attach_to(&space, &launch, &profile)).unwrap();
    drop(space);
    assert_eq!(living(&marker), Vec::<i32>::new());
    wait(async {
        assert_eq!(program.stdout.take().unwrap().read(&mut [0]).await.unwrap(), 0);
        assert_eq!(ended(&mut program).await, Exit::Killed);
    });
}

/// Threads and descriptors of this process, and its memory in KiB.
fn held() -> ((usize, usize), u64) {
    let count = |what: &str| fs::read_dir(format!("/proc/self/{what}")).unwrap().count();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    ((count("task"), count("fd")), resident.split_whitespace().next().unwrap().parse().unwrap())
}

/// Started by the next test: other tests have threads and memory, too.
#[test]
#[ignore = "is started by another test"]
fn a_process_that_speaks_to_many() {
    let times = std::env::var(TIMES).map_or(MANY, |times| times.parse().unwrap());
    let (threads, _) = held().0;
    let (space, marker) = (Space::new(), marker("many"));
    // Those that looked for what the machine can isolate may still be ending.
    until("one thread serves the door", || held().0.0 == threads + 1);
    let without = held().0;
    let speak = |times: usize| {
        wait(async {
            for ((command, then), _) in BEHAVIOURS.into_iter().cycle().zip(0..times) {
                goes_through(&space, (&command.replace("MARKER", &marker), then)).await;
            }
        });
        until("nothing is left", || living(&marker).is_empty() && held().0 == without);
        held().1
    };
    // What is allocated once is there afterwards.
    let before = speak(BEHAVIOURS.len() * 4);
    let after = speak(times);
    println!("{times} programs: {before} KiB before, {after} KiB after; threads and descriptors {without:?}");
    assert!(after < before + GROWTH_KIB, "{before} KiB before, {after} KiB after");
}

#[test]
fn many_one_after_another_cost_nothing() {
    spoken_to(MANY);
}

pub(crate) fn spoken_to(times: usize) {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--ignored", "--exact", "--nocapture"]).env(TIMES, times.to_string()).stdin(Stdio::null());
    again("many programs", &mut process, &["attached::a_process_that_speaks_to_many"]);
}

#[test]
#[ignore = "a measurement, for an idle machine and an optimised build"]
fn how_long_a_round_trip_takes() {
    let space = Space::new();
    wait(async {
        let mut program = attach(&space, "exec cat").await;
        let (mut stdin, mut stdout) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        for size in [16, 16 << 10, MUCH] {
            let (message, mut back) = (vec![b'x'; size], vec![0; size]);
            let mut times = Vec::new();
            for _ in 0..1000 {
                let begun = Instant::now();
                let (sent, came) = tokio::join!(stdin.write_all(&message), stdout.read_exact(&mut back));
                sent.and(came.map(drop)).unwrap();
                times.push(begun.elapsed());
            }
            times.sort();
            eprintln!("{size} bytes to `cat` and back: p50 {:?}, p99 {:?}", times[500], times[990]);
        }
    });
}
