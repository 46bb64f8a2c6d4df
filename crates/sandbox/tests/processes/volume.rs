//! A lot of output: counted to the byte, in bounded memory, whole on disk when there is a place.

use crate::space::{Space, limits, script, text, with_time};
use palanca_core::ports::{Captured, Exit, Keep, RunLimits};
use palanca_sandbox::Spill;
use palanca_testkit::{PATIENCE, again};
use std::process::Command;
use std::time::Duration;

/// How many bytes are printed where the next test does not say another number.
const MUCH: u64 = 100_000_000;
const GROWTH_KIB: u64 = 32 << 10;
const BYTES: &str = "PALANCA_TEST_BYTES";

/// The most memory that this process ever held, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Does something in little memory.
fn in_little<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let before = peak();
    let done = act();
    let grown = peak() - before;
    assert!(grown < GROWTH_KIB, "{what}: grew by {grown} KiB");
    done
}

fn check(space: &Space, command: &str, total: u64) -> [Captured; 2] {
    let finished = in_little(command, || space.run(&script(command), limits(PATIENCE)).unwrap());
    assert_eq!((finished.exit, finished.stdout.total_bytes()), (Exit::Code(0), total), "{command}");
    [finished.stdout, finished.stderr]
}

/// Started by the next test: other tests have memory, too.
#[test]
#[ignore = "is started by another test"]
fn a_process_that_counts() {
    let space = Space::new();
    let much = std::env::var(BYTES).map_or(MUCH, |bytes| bytes.parse().unwrap());
    let [out, _] = check(&space, &format!("head -c {much} /dev/zero"), much);
    assert_eq!((out.head.len(), out.tail.len(), out.omitted_lines, out.whole), (128 << 10, 64 << 10, 0, None));
    let [out, _] = check(&space, &format!("yes | head -c {much}"), much);
    assert_eq!(out.omitted_lines, out.omitted_bytes / 2);
    // Both at once: neither waits for the other.
    let part = much / 5;
    let both = format!("(head -c {part} /dev/zero >&2) & head -c {part} /dev/zero; wait");
    let [_, err] = check(&space, &both, part);
    assert_eq!(err.total_bytes(), part);
    // Without end.
    with_time("something is printed", |limit| {
        let finished = in_little("yes", || space.run(&script("yes; true"), limits(limit)).unwrap());
        assert_eq!(finished.exit, Exit::TimedOut);
        let printed = text(&finished.stdout);
        assert!(printed.is_empty() || printed.starts_with("y\ny\n"));
        (!printed.is_empty()).then_some(())
    });
}

#[test]
fn much_is_counted_in_little_memory() {
    counted(MUCH);
}

pub(crate) fn counted(bytes: u64) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact"]).env(BYTES, bytes.to_string());
    again("memory", &mut command, &["volume::a_process_that_counts"]);
}

#[test]
fn what_is_left_out_is_on_disk() {
    let mut place = None;
    let space = Space::with(|settings| {
        let directory = settings.workspace.parent().unwrap().join("spilled");
        settings.spill = Some(Spill {
            limit: 3_000_000,
            ..Spill::new(&directory, std::sync::Arc::new(palanca_core::ports::AsItIs))
        });
        place = Some(directory);
    });
    let run = |command: &str| {
        let keep = Keep { head: 1000, tail: 1000 };
        space.run(&script(command), RunLimits { time: PATIENCE, keep }).unwrap()
    };
    assert_eq!(run("echo short").stdout.whole, None);
    assert!(!place.clone().unwrap().exists());
    let finished = run("seq 1 100000; seq 1 10 >&2");
    let whole = finished.stdout.whole.unwrap();
    let expected: String = (1..=100_000).map(|number| format!("{number}\n")).collect();
    assert_eq!(std::fs::read_to_string(&whole).unwrap(), expected);
    assert_eq!(finished.stdout.head, expected.as_bytes()[..1000]);
    assert_eq!(finished.stdout.tail, expected.as_bytes()[expected.len() - 1000..]);
    let left_out = &expected.as_bytes()[1000..expected.len() - 1000];
    assert_eq!(finished.stdout.omitted_bytes, u64::try_from(left_out.len()).unwrap());
    assert_eq!(finished.stdout.omitted_lines, left_out.iter().filter(|byte| **byte == b'\n').count() as u64);
    assert_eq!(finished.stderr.whole, None);
    let whole = run("head -c 5000000 /dev/zero").stdout.whole.unwrap();
    let kept = std::fs::read(&whole).unwrap();
    assert!(kept.ends_with(b"\n[... 2000000 more bytes were not kept ...]\n"));
    assert_eq!(kept.iter().filter(|byte| **byte == 0).count(), 3_000_000);
    assert_eq!(std::fs::read_dir(place.unwrap()).unwrap().count(), 2);
}

#[test]
#[ignore = "a measurement, for an idle machine and an optimised build"]
fn how_long_a_start_takes() {
    let space = Space::new();
    let mut times: Vec<Duration> = (0..200).map(|_| space.sh("true").time).collect();
    times.sort();
    eprintln!("a start of `true`: p50 {:?}, p95 {:?}", times[100], times[190]);
}
