//! Medians and rows of the table.

use std::time::{Duration, Instant};

/// The median of `n` measured runs, after one that is not measured.
pub fn median(n: usize, mut run: impl FnMut()) -> Duration {
    run();
    let mut times: Vec<Duration> = (0..n)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[n / 2]
}

/// Medians of two things, measured in turn so that a noisy moment hits both.
pub fn side_by_side(n: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (Duration, Duration) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for round in 0..=n {
        for (times, run) in [(&mut left, &mut ours as &mut dyn FnMut()), (&mut right, &mut theirs)] {
            let start = Instant::now();
            run();
            if round > 0 {
                times.push(start.elapsed());
            }
        }
    }
    left.sort_unstable();
    right.sort_unstable();
    (left[n / 2], right[n / 2])
}

pub fn row(what: &str, measured: &str, aim: &str) {
    println!("| {what} | {measured} | {aim} |");
}

pub fn ratio(what: &str, (ours, theirs): (Duration, Duration), aim: &str) {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    row(what, &format!("{ratio:.2} ({ours:.1?} / {theirs:.1?})"), aim);
}
