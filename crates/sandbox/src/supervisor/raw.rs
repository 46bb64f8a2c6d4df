//! The system calls of the supervisor that no safe wrapper has: the listener's and those that read another process.
#![allow(unsafe_code)]

use rustix::io::Errno;
use seccompiler::sock_filter;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// One question of the kernel: which system call of which thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notification {
    pub(super) id: u64,
    /// The thread, as this process sees it.
    pub(super) thread: u32,
    pub(super) call: i64,
    pub(super) arguments: [u64; 6],
}

/// Whether an answer is the kernel's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The call returns this.
    Value(i64),
    /// The call fails with this.
    Error(Errno),
    /// The kernel makes the call: only for what is judged by its numbers alone.
    Continue,
}

/// Answers go to the waiting thread's processor: an open costs half as much.
const SYNC_WAKE_UP: libc::c_ulong = 1;

fn check(result: libc::c_int) -> Result<libc::c_int, Errno> {
    if result < 0 { Err(last_error()) } else { Ok(result) }
}

fn last_error() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// Applies a filter to this thread for ever, and returns what its questions come to.
pub(crate) fn install(program: &[sock_filter]) -> io::Result<OwnedFd> {
    let filter = libc::sock_fprog {
        len: u16::try_from(program.len()).map_err(|_| io::ErrorKind::InvalidInput)?,
        filter: program.as_ptr().cast_mut().cast(),
    };
    let listen = |flags: libc::c_ulong| {
        // SAFETY: the filter lives through the call, with its true length, and has the kernel's layout; the kernel copies it.
        let result =
            unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const filter) };
        i32::try_from(result).ok().filter(|descriptor| *descriptor >= 0).ok_or_else(io::Error::last_os_error)
    };
    let new = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    // Before 5.19 a signal may begin a call anew.
    let descriptor = listen(new | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV).or_else(|_| listen(new))?;
    // SAFETY: the descriptor is new and owned by nothing else.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// Wakes the waiting thread faster, where the kernel can (6.6).
pub(super) fn answer_at_once(listener: BorrowedFd<'_>) {
    // SAFETY: takes two numbers. A kernel that does not know it refuses.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP) };
}

/// The next question. `ENOENT` when the thread that asked is gone meanwhile.
pub(super) fn receive(listener: BorrowedFd<'_>) -> Result<Notification, Errno> {
    let mut asked = MaybeUninit::<libc::seccomp_notif>::zeroed();
    // SAFETY: all zero, as the kernel demands, and as large as the kernel's; it fills the structure when it succeeds.
    check(unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, asked.as_mut_ptr()) })?;
    // SAFETY: any bytes are a valid value.
    let asked = unsafe { asked.assume_init() };
    Ok(Notification { id: asked.id, thread: asked.pid, call: asked.data.nr.into(), arguments: asked.data.args })
}

/// Whether the thread that asked still waits: only then is what was read from it its own.
pub(super) fn still_waits(listener: BorrowedFd<'_>, id: u64) -> bool {
    // SAFETY: the number lives through the call.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
}

/// Ends a question. Fails when the caller no longer waits.
pub(super) fn answer(listener: BorrowedFd<'_>, id: u64, answer: Answer) -> Result<(), Errno> {
    let (val, error, flags) = match answer {
        Answer::Value(value) => (value, 0, 0),
        Answer::Error(error) => (0, -error.raw_os_error(), 0),
        Answer::Continue => (0, 0, 1),
    };
    let response = libc::seccomp_notif_resp { id, val, error, flags };
    // SAFETY: the structure lives through the call.
    check(unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const response) })?;
    Ok(())
}

/// Gives the thread that asked a descriptor, and ends the question with its number.
///
/// A file that can be executed is closed here before the thread goes on: as long as anybody has it open for writing, it
/// cannot be started ("text file busy"), and the program has closed it by then. For others that is not worth two more
/// changes of threads.
pub(super) fn hand(
    (listener, id): (BorrowedFd<'_>, u64),
    descriptor: OwnedFd,
    flags: libc::c_int,
) -> Result<(), Errno> {
    let executable = rustix::fs::fstat(&descriptor)?.st_mode & 0o111 != 0;
    let handed = libc::seccomp_notif_addfd {
        id,
        flags: if executable { 0 } else { libc::SECCOMP_ADDFD_FLAG_SEND as u32 },
        srcfd: descriptor.as_raw_fd().unsigned_abs(),
        newfd: 0,
        newfd_flags: (flags & libc::O_CLOEXEC).unsigned_abs(),
    };
    // SAFETY: the structure lives through the call; the descriptor is open.
    let number =
        check(unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ADDFD, &raw const handed) })?;
    drop(descriptor);
    if executable { answer(listener, id, Answer::Value(number.into())) } else { Ok(()) }
}

/// Reads another thread's memory; how much of it could be read.
pub(super) fn read_memory(thread: u32, address: u64, into: &mut [u8]) -> Result<usize, Errno> {
    let ours = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let theirs = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: into.len() };
    // SAFETY: our buffer is as long as it says; the other address belongs to another process and is checked by the kernel.
    let read = unsafe { libc::process_vm_readv(thread.cast_signed(), &raw const ours, 1, &raw const theirs, 1, 0) };
    usize::try_from(read).map_err(|_| last_error())
}

/// This thread's working folder and umask become its own.
pub(super) fn own_surroundings() -> Result<(), Errno> {
    // SAFETY: the descriptors stay shared.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::FS) }
}

/// As whom this thread reaches files; nobody else's identity changes. A thread that may not become them stays as it is, and
/// then reaches less.
pub(super) fn reach_files_as(user: u32, group: u32) {
    // SAFETY: two calls that take a number, of this thread alone.
    unsafe {
        libc::syscall(libc::SYS_setfsgid, group);
        libc::syscall(libc::SYS_setfsuid, user);
    }
}

/// As whom this thread does everything from now on: whoever listens is told who connects.
pub(super) fn become_for_good((user, group): (u32, u32)) -> Result<(), Errno> {
    // SAFETY: two calls that take numbers, of this thread alone.
    let results = unsafe {
        [libc::syscall(libc::SYS_setresgid, group, group, group), libc::syscall(libc::SYS_setresuid, user, user, user)]
    };
    if results == [0, 0] { Ok(()) } else { Err(Errno::PERM) }
}

/// Connects a socket to an address as it was read.
pub(super) fn connect(socket: BorrowedFd<'_>, address: &[u8]) -> Result<(), Errno> {
    let length = libc::socklen_t::try_from(address.len()).map_err(|_| Errno::INVAL)?;
    // SAFETY: the address is as long as it says; the kernel checks what it is.
    check(unsafe { libc::connect(socket.as_raw_fd(), address.as_ptr().cast(), length) })?;
    Ok(())
}

/// Binds a socket to an address as it was read.
pub(super) fn bind(socket: BorrowedFd<'_>, address: &[u8]) -> Result<(), Errno> {
    let length = libc::socklen_t::try_from(address.len()).map_err(|_| Errno::INVAL)?;
    // SAFETY: the address is as long as it says; the kernel checks what it is.
    check(unsafe { libc::bind(socket.as_raw_fd(), address.as_ptr().cast(), length) })?;
    Ok(())
}
