//! Jobs by the moments at which they are due, so that looking costs what is due and not what there is.

use crate::jobs::{Job, Jobs};
use jiff::Timestamp;

/// The jobs of a file as long as it does not change: the moment of each is reckoned once.
#[derive(Clone, Debug)]
pub struct Agenda {
    /// Those that will be due, the first one first, each with its moment in milliseconds since 1970.
    jobs: Vec<(i64, Job)>,
    zone: String,
}

/// What becomes of a job that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It runs, once, however many of its moments have passed.
    Runs,
    /// All of them are too long ago: it waits for the next one.
    Skips,
}

impl Agenda {
    /// Of these jobs, in a time zone.
    #[must_use]
    pub fn new(Jobs { jobs, .. }: Jobs, zone: &str) -> Self {
        let mut jobs: Vec<_> = jobs.into_iter().filter_map(|job| Some((job.due(zone)?, job))).collect();
        jobs.sort_by_key(|(due, _)| *due);
        Self { jobs, zone: zone.to_owned() }
    }

    /// The jobs that are due, each with its moment and what becomes of it.
    pub fn due(&self, now: Timestamp) -> impl Iterator<Item = (&Job, i64, Start)> {
        let due = self.jobs.iter().take_while(move |(due, _)| *due <= now.as_millisecond());
        due.map(move |(due, job)| {
            let start = if job.is_missed(*due, now, &self.zone) { Start::Skips } else { Start::Runs };
            (job, *due, start)
        })
    }
}
