//! How long it takes to find what is due among 100,000 jobs: `cargo bench -p palanca-schedule`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, missing_docs)]

use jiff::Timestamp;
use palanca_schedule::Jobs;
use std::time::Instant;

const JOBS: i64 = 100_000;
const NOW: i64 = 2_000_000_000_000;

fn main() {
    let one = r#"{"id": "a", "name": "tea", "schedule": {"kind": "every", "everyMs": 3600000}, "payload": {"kind": "message", "text": "Tea"}}"#;
    let mut jobs = Jobs::parse(&format!("{{\"version\": 1, \"jobs\": [{one}]}}")).unwrap();
    let one = jobs.jobs[0].clone();
    let job = |number| {
        let mut job = one.clone();
        job.state.next_run_at_ms = Some(NOW + number);
        job
    };
    jobs.jobs = (0..JOBS).map(job).collect();
    let now = Timestamp::from_millisecond(NOW).unwrap();
    let mut times: Vec<_> = (0..200)
        .map(|_| {
            let begun = Instant::now();
            assert_eq!(jobs.due(now, "UTC").len(), 1);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!(
        "what is due of {JOBS} jobs: {:.1?} (99 %: {:.1?})",
        times[times.len() / 2],
        times[times.len() * 99 / 100]
    );
}
