//! The filter that intercepts every file change, and how its listener reaches the supervisor. It decides nothing: [`ASKED`]
//! lists the calls; the other filters take precedence.

use crate::enter::Failure;
use crate::supervisor::raw;
use crate::supervisor::table::{ASKED, When};
use rustix::fs::{Mode, OFlags};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use seccompiler::sock_filter;
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};

/// More than reading.
const WRITING: i32 = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC;

/// From now on this process asks. Sends the listener, this process's root and its ids over the socket.
pub(crate) fn ask(socket: BorrowedFd<'_>) -> Result<(), Failure> {
    let root = rustix::fs::open("/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    let root = root.map_err(Failure::at("supervisor"))?;
    let user = rustix::process::geteuid().as_raw().to_ne_bytes();
    let group = rustix::process::getegid().as_raw().to_ne_bytes();
    let listener = raw::install(&questions()).map_err(Failure::at("supervisor"))?;
    let descriptors = [listener.as_fd(), root.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(Failure::new("supervisor", "two descriptors do not fit"));
    }
    let ids = [user, group].concat();
    sendmsg(socket, &[IoSlice::new(&ids)], &mut control, SendFlags::NOSIGNAL).map_err(Failure::at("supervisor"))?;
    Ok(())
}

/// The instructions are those of `linux/bpf_common.h`, the answers and places those of `linux/seccomp.h`.
fn questions() -> Vec<sock_filter> {
    const NUMBER: u32 = 0;
    const ARGUMENTS: u32 = 16;
    let load = |place| sock_filter { code: 0x20, jt: 0, jf: 0, k: place };
    let equal = |value, jt, jf| sock_filter { code: 0x15, jt, jf, k: value };
    let any_bit = |bits: i32, jt, jf| sock_filter { code: 0x45, jt, jf, k: bits.unsigned_abs() };
    let end = |answer| sock_filter { code: 0x06, jt: 0, jf: 0, k: answer };
    let (allow, question) = (|| end(0x7fff_0000), || end(0x7fc0_0000));
    let mut program = vec![load(NUMBER)];
    for asked in ASKED {
        let number = u32::try_from(asked.call).unwrap_or(u32::MAX);
        match asked.when {
            When::Always => program.extend([equal(number, 0, 1), question()]),
            When::Writing(argument) => program.extend([
                equal(number, 0, 5),
                load(ARGUMENTS + 8 * u32::from(argument)),
                any_bit(libc::O_PATH, 1, 0),
                any_bit(WRITING, 1, 0),
                allow(),
                question(),
            ]),
        }
    }
    program.push(allow());
    program
}
