//! How many descriptors may be open at once. The kernel's soft limit is raised for this process alone: programs get the
//! one that we were started with, because `select` breaks above 1,024.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::sync::OnceLock;

/// The soft limit before it was raised.
static BEFORE: OnceLock<u64> = OnceLock::new();

/// How many descriptors this process may have open at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptors {
    /// Now.
    pub limit: u64,
    /// The most that could be had without more rights.
    pub most: u64,
}

/// The limits in force; without one it is `u64::MAX`.
#[must_use]
pub fn descriptors() -> Descriptors {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    Descriptors { limit: current.unwrap_or(u64::MAX), most: maximum.unwrap_or(u64::MAX) }
}

/// Raises the limit as far as it goes if it is lower than `wanted`, and returns what there is then. Programs that start
/// afterwards get the limit that there was.
pub fn raise_descriptors(wanted: u64) -> Descriptors {
    let before = descriptors();
    if before.limit >= wanted || before.limit >= before.most {
        return before;
    }
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok() {
        BEFORE.get_or_init(|| before.limit);
    }
    descriptors()
}

/// The soft limit of programs, where it is not ours.
pub(crate) fn of_programs() -> Option<u64> {
    BEFORE.get().copied()
}
