//! The process that stays outside of the namespaces: it passes on what the parent asks and what init reports, ends
//! everything when the parent is gone, and tidies the workspace up.

use super::group::Group;
use super::identity::Identity;
use super::{Failure, inside, raw, tell};
use crate::isolation::guards::Guards;
use crate::order::{Frames, Report, Room};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitOptions, waitpid};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

/// What init gets from outside.
pub(super) struct Provisions<'a> {
    /// What is held for this program.
    pub(super) guards: &'a Guards,
    /// Who the program is, as the host sees it.
    pub(super) identity: Identity,
    /// Ends when what only the process outside can do for init is done.
    pub(super) go: &'a OwnedFd,
    /// What counts for it.
    pub(super) group: Option<&'a Group>,
    /// To the process outside.
    pub(super) socket: &'a UnixStream,
    /// Where the order will come from.
    pub(super) orders: UnixStream,
}

/// Returns when nothing of the program is left.
pub(super) fn run(room: &Room, orders: UnixStream, parent: &UnixStream, group: Option<&Group>) -> Result<(), Failure> {
    rustix::process::setsid().map_err(Failure::at("session"))?;
    leave_groups();
    // What is asked for at every write, or never made, needs nothing that stands in its way.
    let mut guards =
        if room.plan.supervised || room.plan.only_reads() { Guards::default() } else { Guards::prepare(&room.plan)? };
    let result = watched(room, (orders, group), parent, &mut guards);
    guards.release();
    result
}

fn watched(
    room: &Room,
    (orders, group): (UnixStream, Option<&Group>),
    parent: &UnixStream,
    guards: &mut Guards,
) -> Result<(), Failure> {
    let identity = Identity::of(&room.plan);
    let (go, waiting) = pipe_with(PipeFlags::CLOEXEC).map_err(Failure::at("pipe"))?;
    let (ours, theirs) = UnixStream::pair().map_err(Failure::at("socket"))?;
    let namespaces = inside::namespaces(room.network);
    let born = match group {
        Some(group) => raw::fork_into(namespaces, group.handle()),
        None => raw::fork(namespaces),
    };
    let Some(init) = born.map_err(Failure::at("namespaces"))? else {
        drop((ours, waiting));
        let provisions = Provisions { guards, identity, go: &go, group, socket: &theirs, orders };
        let result = inside::init(room, provisions);
        // When the outer process is gone, this is no longer awaited.
        let _ = result.or_else(|failure| tell(&theirs, &failure.report()));
        std::process::exit(0)
    };
    drop((orders, theirs, go));
    identity.map(init)?;
    drop(waiting);
    let last = relay(parent, &ours, init);
    if last.is_none() {
        raw::kill(init.as_raw_nonzero().get(), libc::SIGKILL);
    }
    drop(ours);
    waitpid(Some(init), WaitOptions::empty()).map_err(Failure::at("wait"))?;
    // Only now: while the mounts are still there, removing what they stand on costs the kernel a round of all processors.
    guards.release();
    // In its group init itself may be what is killed for memory.
    let limit = group.and_then(|group| group.met(&room.plan.limits));
    let lost = || match limit {
        Some(_) => Report::Ended { code: None, signal: Some(libc::SIGKILL), limit },
        None => Failure::new("init", "it ended without a word").report(),
    };
    // A parent that is gone reads nothing.
    let _ = tell(parent, &last.unwrap_or_else(lost));
    Ok(())
}

/// Files are reached as this user and this group and no other. Only root can do that, and only root needs it.
fn leave_groups() {
    if rustix::process::geteuid().is_root() {
        // Without the capability they stay; what they open is not there or hidden.
        let _ = rustix::thread::set_thread_groups(&[]);
    }
}

/// Passes messages on until init's last one. None when init or the parent is gone before it.
fn relay(mut parent: &UnixStream, mut inner: &UnixStream, init: Pid) -> Option<Report> {
    let mut frames = Frames::default();
    let mut buffer = [0; 4096];
    loop {
        let mut watched = [PollFd::new(inner, PollFlags::IN), PollFd::new(parent, PollFlags::IN | PollFlags::RDHUP)];
        match poll(&mut watched, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
        let [from_init, from_parent] = watched.map(|one| !one.revents().is_empty());
        if from_init {
            frames.fill(inner).ok()?;
            while let Some(report) = frames.next().ok()? {
                match report {
                    Report::Started { .. } => tell(parent, &Report::Started { pid: only_child(init) }).ok()?,
                    last => return Some(last),
                }
            }
        }
        if from_parent {
            match parent.read(&mut buffer) {
                Ok(count) if count > 0 => inner.write_all(buffer.get(..count)?).ok()?,
                _ => return None,
            }
        }
    }
}

/// The program as the host sees it, where the kernel lists children.
fn only_child(init: Pid) -> Option<i32> {
    let init = init.as_raw_nonzero();
    let text = std::fs::read_to_string(format!("/proc/{init}/task/{init}/children")).ok()?;
    text.split_ascii_whitespace().next()?.parse().ok()
}
