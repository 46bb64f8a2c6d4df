//! Kernel limits for each process: the number of processes, core files, open descriptors, `oom_score_adj`.
//! [`usage`](super::usage) bounds the total use of a program; these limits lie slightly above, for growth between two polls.
//!
//! The kernel does not count processes of root. Only `pid_max` bounds those, where each process namespace has its own.

use super::Failure;
use crate::order::{Level, Plan, Room};
use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};
use std::io;
use std::os::unix::fs::MetadataExt;

/// Processes that the kernel allows beyond the limit.
const ABOVE: u64 = 64;
/// Pids that the kernel reserves.
const RESERVED: u64 = 300;
/// Since this version every process namespace has its own `pid_max`; before, it is global.
const OWN_NUMBERS: (u32, u32) = (6, 14);
/// `oom_score_adj`, of 1000: the highest is killed first.
const BADNESS: &str = "500";

/// When memory is short, the kernel kills the program instead of the host's services or our own process.
pub(super) fn first_to_go() {
    // ignored: without `/proc` the kernel decides by size alone.
    let _ = std::fs::write("/proc/self/oom_score_adj", BADNESS);
}

/// In init, while the host's `/proc` is there.
pub(super) fn of_the_room(plan: &Plan) {
    if release().is_some_and(|release| release >= OWN_NUMBERS) {
        // ignored: the limit of each program is the other one.
        let _ = std::fs::write("/proc/sys/kernel/pid_max", (plan.limits.processes + ABOVE + RESERVED).to_string());
    }
}

/// In the process that becomes the program.
pub(super) fn of_the_program(room: &Room) -> Result<(), Failure> {
    let processes = room.plan.limits.processes.saturating_add(ABOVE);
    limit(Resource::Core, 0)?;
    if let Some(descriptors) = room.descriptors {
        // The hard limit stays: a program may raise its own.
        let maximum = getrlimit(Resource::Nofile).maximum;
        let limits = Rlimit { current: Some(descriptors), maximum };
        setrlimit(Resource::Nofile, limits).map_err(Failure::at("limits"))?;
    }
    match room.plan.level {
        Level::Full => limit(Resource::Nproc, processes),
        // There all of a user's processes are counted together.
        Level::Filters => limit(Resource::Nproc, own_threads().saturating_add(processes)),
        Level::None => Ok(()),
    }
}

/// Never more than there was.
fn limit(what: Resource, wanted: u64) -> Result<(), Failure> {
    let most = getrlimit(what).maximum.map_or(wanted, |most| most.min(wanted));
    setrlimit(what, Rlimit { current: Some(most), maximum: Some(most) }).map_err(Failure::at("limits"))
}

/// What this user has running, anywhere.
fn own_threads() -> u64 {
    let own = geteuid().as_raw();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter(|entry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit));
    let own = processes.filter(|process| process.metadata().is_ok_and(|about| about.uid() == own));
    // One that is gone meanwhile has none.
    own.map(|process| threads(&process.path()).unwrap_or(0)).sum()
}

fn threads(process: &std::path::Path) -> io::Result<u64> {
    // A directory has as many links as it has directories in it, and two.
    std::fs::metadata(process.join("task")).map(|about| about.nlink().saturating_sub(2))
}

fn release() -> Option<(u32, u32)> {
    let uname = rustix::system::uname();
    let mut parts = uname.release().to_str().ok()?.split(|letter: char| !letter.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
