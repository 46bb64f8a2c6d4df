//! The system calls that no safe wrapper has. Nothing else in this crate is unsafe.
//!
//! All of it runs in the helper, which has one thread: that is what makes a fork safe to return from.
#![allow(unsafe_code)]

use rustix::process::Pid;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// `CLONE_INTO_CGROUP` of `linux/sched.h`, for `clone3` alone.
const INTO_GROUP: u64 = 0x2_0000_0000;
/// Signals that can be set, from 1.
const SIGNALS: i32 = 64;

fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// As [`fork`], with the child born in a control group.
pub(super) fn fork_into(namespaces: libc::c_int, group: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    // SAFETY: all zero is a valid value of this structure of numbers: no pointer of it is used without its flag.
    let mut wanted: libc::clone_args = unsafe { std::mem::zeroed() };
    wanted.flags = u64::from(namespaces.unsigned_abs()) | INTO_GROUP;
    wanted.exit_signal = libc::SIGCHLD.unsigned_abs().into();
    wanted.cgroup = group.as_raw_fd().unsigned_abs().into();
    // SAFETY: as below; the structure lives through the call, with its true size.
    let result = check(unsafe { libc::syscall(libc::SYS_clone3, &raw const wanted, size_of::<libc::clone_args>()) })?;
    Ok(i32::try_from(result).ok().and_then(Pid::from_raw))
}

/// Forks, and puts the child into new namespaces (`CLONE_NEW*`; 0 for none). `None` in the child.
pub(crate) fn fork(namespaces: libc::c_int) -> io::Result<Option<Pid>> {
    let flags = libc::c_long::from(namespaces | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and with no stack this is a fork. The helper has one thread, so no lock is held by a
    // thread that the child lacks. The arguments that are null are not used without their flags.
    let result = check(unsafe { libc::syscall(libc::SYS_clone, flags, 0_usize, 0_usize, 0_usize, 0_usize) })?;
    Ok(i32::try_from(result).ok().and_then(Pid::from_raw))
}

/// Makes a program start without the right to start processes.
pub(crate) fn start_nothing(command: &mut std::process::Command) {
    let apply = || crate::isolation::syscalls::start_nothing().map_err(|failure| io::Error::other(failure.to_string()));
    // SAFETY: it runs between a fork and an exec. The process that is started as `git` has no thread that could hold a lock
    // of the allocator at that moment.
    unsafe { std::os::unix::process::CommandExt::pre_exec(command, apply) };
}

/// Blocks `SIGCHLD` and returns a descriptor that is readable when one is there.
pub(super) fn child_signals() -> io::Result<OwnedFd> {
    // SAFETY: an all-zero sigset_t is a valid value and `sigemptyset` sets it in any case; the pointers live through
    // the calls; the descriptor that signalfd returns is new and nobody else's.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        check(libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()).into())?;
        let descriptor = libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        check(descriptor.into())?;
        Ok(OwnedFd::from_raw_fd(descriptor))
    }
}

/// Every signal does again what it does by default, and none is held back. Those that cannot be set stay as they are.
/// The C library's own functions leave out the two that it keeps for itself, and a program would inherit those as they
/// are; hence the system calls.
pub(super) fn default_signals() -> io::Result<()> {
    // `struct sigaction` of the kernel: handler, flags, restorer, mask. All zero is SIG_DFL.
    let default = [0_u64; 4];
    let none = 0_u64;
    let size = size_of::<u64>();
    for signal in 1..=SIGNALS {
        // SAFETY: the structure lives through the call and is as large as the kernel's on 64-bit architectures; nothing
        // is written back. SIGKILL and SIGSTOP are an error without effect.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, &raw const default, std::ptr::null::<u64>(), size) };
    }
    let old = std::ptr::null::<u64>();
    // SAFETY: the mask lives through the call, with its true size, and nothing is written back.
    check(unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const none, old, size) })?;
    Ok(())
}

/// Sends any signal to one process, or with -1 to all that may be signalled.
pub(super) fn kill(pid: i32, signal: i32) {
    // SAFETY: takes two numbers. A process that is gone meanwhile is what the caller wanted.
    unsafe { libc::kill(pid, signal) };
}

/// Gets this process the processor before all that are not in real time; what it starts is ordinary again.
pub(super) fn come_first() -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority: 1 };
    // SAFETY: the structure lives through the call, which reads it.
    check(
        unsafe { libc::sched_setscheduler(0, libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, &raw const parameters) }
            .into(),
    )?;
    Ok(())
}

/// Every descriptor from this one on closes when a program starts.
pub(super) fn close_on_exec_from(first: libc::c_uint) -> io::Result<()> {
    // SAFETY: with this flag nothing is closed now, so no owner loses its descriptor.
    check(unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) })?;
    Ok(())
}

/// Closes every descriptor but this one, which becomes number 0. For a process that will use nothing else that it has.
pub(super) fn keep_alone(one: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    // SAFETY: takes two numbers, of which the first is open.
    check(unsafe { libc::dup2(one.as_raw_fd(), 0) }.into())?;
    // SAFETY: the owners of what is closed here are never used or dropped again: the caller's process ends by `exit`.
    check(unsafe { libc::syscall(libc::SYS_close_range, 1, libc::c_uint::MAX, 0) })?;
    // SAFETY: 0 is open, and whoever owned it before is as forgotten as the others.
    Ok(unsafe { OwnedFd::from_raw_fd(0) })
}

/// Holds every signal back that can be held back.
pub(super) fn block_signals() -> io::Result<()> {
    let all = u64::MAX;
    let old = std::ptr::null::<u64>();
    let size = size_of::<u64>();
    // SAFETY: the mask lives through the call, with its true size, and nothing is written back.
    check(unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const all, old, size) })?;
    Ok(())
}

/// Switches the loopback of this process's network on, which gives it 127.0.0.1 and ::1. Any socket of that network will do
/// (`netdevice(7)`); a pair of unix sockets leads nowhere else.
pub(super) fn loopback_up() -> io::Result<()> {
    let (socket, _) = std::os::unix::net::UnixStream::pair()?;
    // SAFETY: the structure is plain numbers and bytes, for which zero is a value.
    let mut interface: libc::ifreq = unsafe { std::mem::zeroed() };
    for (there, byte) in interface.ifr_name.iter_mut().zip(*b"lo") {
        *there = libc::c_char::from_ne_bytes([byte]);
    }
    interface.ifr_ifru.ifru_flags = libc::c_short::try_from(libc::IFF_UP).map_err(io::Error::other)?;
    // SAFETY: the descriptor is open, and the structure, whose name ends with a zero, lives through the call, which reads it.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as libc::Ioctl, &raw const interface) }.into())?;
    Ok(())
}

/// Adds mount attributes (`MOUNT_ATTR_*`) to a detached tree, submounts included.
pub(crate) fn set_mount_attributes(tree: BorrowedFd<'_>, attributes: u64) -> io::Result<()> {
    let wanted = libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    // SAFETY: the path is an empty C string and the structure lives through the call, with its true size.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const wanted,
            size_of::<libc::mount_attr>(),
        )
    })?;
    Ok(())
}
