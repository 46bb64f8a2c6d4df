//! What is done each second for a file of 100,000 jobs, and once after it changed: `cargo bench -p palanca-schedule`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, missing_docs)]
#![allow(clippy::disallowed_methods, reason = "as the file door looks at it and reads it")]

use jiff::Timestamp;
use palanca_schedule::{Agenda, Jobs};
use std::time::Instant;

const JOBS: i64 = 100_000;
const NOW: i64 = 2_000_000_000_000;
const FILE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/jobs.json");

fn measure(what: &str, times: usize, mut act: impl FnMut()) {
    let once = |_| {
        let begun = Instant::now();
        act();
        begun.elapsed()
    };
    let mut took: Vec<_> = (0..times).map(once).collect();
    took.sort_unstable();
    println!("{what}: {:.1?} (99 %: {:.1?})", took[times / 2], took[times * 99 / 100]);
}

fn main() {
    let job = |number| {
        format!(
            r#"{{"id": "{number}", "name": "tea", "schedule": {{"kind": "every", "everyMs": 3600000}},
                "payload": {{"kind": "message", "text": "Tea"}}, "state": {{"nextRunAtMs": {}}}}}"#,
            NOW + number
        )
    };
    let jobs: Vec<String> = (0..JOBS).map(job).collect();
    std::fs::write(FILE, format!("{{\"version\": 1, \"jobs\": [{}]}}", jobs.join(","))).unwrap();
    let read = || Agenda::new(Jobs::parse(&std::fs::read_to_string(FILE).unwrap()).unwrap(), "UTC");
    let (agenda, now) = (read(), Timestamp::from_millisecond(NOW).unwrap());
    let before = std::fs::metadata(FILE).unwrap().modified().unwrap();
    measure("a second in which nothing changed and one job is due", 1_000, || {
        assert_eq!(std::fs::metadata(FILE).unwrap().modified().unwrap(), before);
        assert_eq!(agenda.due(now).count(), 1);
    });
    measure("the file read again, and its jobs ordered", 10, || drop(read()));
    std::fs::remove_file(FILE).unwrap();
}
