//! What the process of a script can still ask of the kernel: memory, time, and its two pipes.
//!
//! The door has hidden the workspace and the network already. This comes on top, for a program that breaks out of the engine:
//! there is no system call left with which it could open, connect or start anything.

use crate::limits::Limits;
use rustix::process::{Resource, Rlimit, setrlimit};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter_all_threads};
use std::collections::BTreeMap;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: TargetArch = TargetArch::aarch64;

/// Beside a script's values: this binary, the stack, the source with its tree, lines in and out.
const OURS: u64 = 1 << 30;

/// Descriptors: those that it has.
const STREAMS: u64 = 3;

const ALLOWED: &[i64] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    // The pipes.
    libc::SYS_close,
    libc::SYS_ppoll,
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_writev,
    // Time and chance.
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    // Threads that wait for one another, and the end.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
    libc::SYS_tgkill,
];

/// The rest is refused, not punished: libraries have a way without it.
pub(super) fn confine(limits: &Limits) -> Result<(), String> {
    let memory = OURS.saturating_add(limits.memory as u64);
    for (resource, most) in
        [(Resource::As, memory), (Resource::Core, 0), (Resource::Fsize, 0), (Resource::Nofile, STREAMS)]
    {
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, limit).map_err(|error| error.to_string())?;
    }
    #[cfg(target_arch = "x86_64")]
    let allowed = ALLOWED.iter().chain(&[libc::SYS_poll, libc::SYS_time]);
    #[cfg(not(target_arch = "x86_64"))]
    let allowed = ALLOWED.iter();
    let rules: BTreeMap<_, _> = allowed.map(|call| (*call, Vec::new())).collect();
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, ARCHITECTURE);
    let filter = filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())?;
    apply_filter_all_threads(&filter).map_err(|error| error.to_string())
}
