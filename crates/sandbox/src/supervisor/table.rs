//! The system calls that change a file or a name, or speak to whoever listens at one, when they are intercepted, and the meaning of their arguments.
//!
//! Not here, because the filters always deny them: mounts, handles, `io_uring`. Not here either, because they need a
//! descriptor whose opening for writing was intercepted: `write`, `ftruncate`, `fallocate`, `mmap`.

use super::request::{At, Request};
use libc::c_long;

/// When a call is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// The flags at this position ask for more than reading.
    Writing(u8),
}

/// One system call.
pub(crate) struct Asked {
    pub(crate) call: c_long,
    pub(crate) when: When,
    pub(super) read: fn(&[u64; 6]) -> Request,
}

const fn row(call: c_long, when: When, read: fn(&[u64; 6]) -> Request) -> Asked {
    Asked { call, when, read }
}

use When::{Always, Writing};

/// All of them, those that programs make most often first.
pub(crate) const ASKED: &[Asked] = &[
    row(libc::SYS_openat, Writing(2), |a| Request::Open { at: at(a[0], a[1]), flags: int(a[2]), mode: mode(a[3]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_open, Writing(1), |a| Request::Open { at: here(a[0]), flags: int(a[1]), mode: mode(a[2]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_creat, Always, |a| Request::Open {
        at: here(a[0]),
        flags: libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC,
        mode: mode(a[1]),
    }),
    row(libc::SYS_unlinkat, Always, |a| Request::Remove { at: at(a[0], a[1]), flags: int(a[2]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_unlink, Always, |a| Request::Remove { at: here(a[0]), flags: 0 }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_rmdir, Always, |a| Request::Remove { at: here(a[0]), flags: libc::AT_REMOVEDIR }),
    row(libc::SYS_mkdirat, Always, |a| Request::Folder { at: at(a[0], a[1]), mode: mode(a[2]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_mkdir, Always, |a| Request::Folder { at: here(a[0]), mode: mode(a[1]) }),
    row(libc::SYS_renameat2, Always, |a| Request::Rename {
        from: at(a[0], a[1]),
        to: at(a[2], a[3]),
        flags: mode(a[4]),
    }),
    row(libc::SYS_renameat, Always, |a| Request::Rename { from: at(a[0], a[1]), to: at(a[2], a[3]), flags: 0 }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_rename, Always, |a| Request::Rename { from: here(a[0]), to: here(a[1]), flags: 0 }),
    row(libc::SYS_linkat, Always, |a| Request::HardLink { from: at(a[0], a[1]), to: at(a[2], a[3]), flags: int(a[4]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_link, Always, |a| Request::HardLink { from: here(a[0]), to: here(a[1]), flags: 0 }),
    row(libc::SYS_symlinkat, Always, |a| Request::Link { target: a[0], at: at(a[1], a[2]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_symlink, Always, |a| Request::Link { target: a[0], at: here(a[1]) }),
    row(libc::SYS_mknodat, Always, |a| Request::Node { at: at(a[0], a[1]), mode: mode(a[2]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_mknod, Always, |a| Request::Node { at: here(a[0]), mode: mode(a[1]) }),
    row(libc::SYS_truncate, Always, |a| Request::Truncate { at: here(a[0]), length: a[1] }),
    row(libc::SYS_fchmodat, Always, |a| Request::Mode { at: at(a[0], a[1]), mode: mode(a[2]) }),
    row(libc::SYS_fchmod, Always, |a| Request::Mode { at: At::Descriptor(int(a[0])), mode: mode(a[1]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_chmod, Always, |a| Request::Mode { at: here(a[0]), mode: mode(a[1]) }),
    row(libc::SYS_fchownat, Always, |a| Request::Owner {
        at: at(a[0], a[1]),
        ids: (mode(a[2]), mode(a[3])),
        flags: int(a[4]),
    }),
    row(libc::SYS_fchown, Always, |a| Request::Owner {
        at: At::Descriptor(int(a[0])),
        ids: (mode(a[1]), mode(a[2])),
        flags: 0,
    }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_chown, Always, |a| Request::Owner { at: here(a[0]), ids: (mode(a[1]), mode(a[2])), flags: 0 }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_lchown, Always, |a| Request::Owner {
        at: here(a[0]),
        ids: (mode(a[1]), mode(a[2])),
        flags: libc::AT_SYMLINK_NOFOLLOW,
    }),
    row(libc::SYS_utimensat, Always, |a| Request::Times { at: open_or_at(a[0], a[1]), times: a[2], flags: int(a[3]) }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_utime, Always, |a| Request::OldTimes { at: here(a[0]), times: a[1], unit: Unit::Seconds }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_utimes, Always, |a| Request::OldTimes { at: here(a[0]), times: a[1], unit: Unit::Microseconds }),
    #[cfg(target_arch = "x86_64")]
    row(libc::SYS_futimesat, Always, |a| Request::OldTimes {
        at: open_or_at(a[0], a[1]),
        times: a[2],
        unit: Unit::Microseconds,
    }),
    row(libc::SYS_setxattr, Always, |a| Request::SetAttribute {
        at: here(a[0]),
        name: a[1],
        value: (a[2], a[3]),
        flags: mode(a[4]),
    }),
    row(libc::SYS_lsetxattr, Always, |a| Request::SetAttribute {
        at: itself(a[0]),
        name: a[1],
        value: (a[2], a[3]),
        flags: mode(a[4]),
    }),
    row(libc::SYS_fsetxattr, Always, |a| Request::SetAttribute {
        at: At::Descriptor(int(a[0])),
        name: a[1],
        value: (a[2], a[3]),
        flags: mode(a[4]),
    }),
    row(libc::SYS_removexattr, Always, |a| Request::RemoveAttribute { at: here(a[0]), name: a[1] }),
    row(libc::SYS_lremovexattr, Always, |a| Request::RemoveAttribute { at: itself(a[0]), name: a[1] }),
    row(libc::SYS_fremovexattr, Always, |a| Request::RemoveAttribute { at: At::Descriptor(int(a[0])), name: a[1] }),
    row(libc::SYS_bind, Always, |a| Request::Bind { socket: int(a[0]), address: (a[1], a[2]) }),
    row(libc::SYS_connect, Always, |a| Request::Connect { socket: int(a[0]), address: (a[1], a[2]) }),
    row(libc::SYS_umask, Always, |_| Request::Umask),
];

pub(super) use super::request::Unit;

/// What a notified call asks for; none for a call that is not in the table.
pub(super) fn read(call: i64, arguments: &[u64; 6]) -> Option<Request> {
    ASKED.iter().find(|asked| asked.call == call).map(|asked| (asked.read)(arguments))
}

/// The kernel takes the lower half.
#[allow(clippy::cast_possible_truncation, reason = "that half is what the kernel reads")]
const fn mode(argument: u64) -> u32 {
    argument as u32
}

const fn int(argument: u64) -> i32 {
    mode(argument).cast_signed()
}

const fn at(directory: u64, path: u64) -> At {
    At::Path { directory: int(directory), path, itself: false }
}

/// Without a path it is the descriptor that is meant; the working folder is none.
const fn open_or_at(directory: u64, path: u64) -> At {
    if path == 0 && int(directory) != libc::AT_FDCWD { At::Descriptor(int(directory)) } else { at(directory, path) }
}

const fn here(path: u64) -> At {
    At::Path { directory: libc::AT_FDCWD, path, itself: false }
}

/// A link itself.
const fn itself(path: u64) -> At {
    At::Path { directory: libc::AT_FDCWD, path, itself: true }
}

#[cfg(test)]
mod tests;
