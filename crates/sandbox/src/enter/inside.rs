//! The process that starts the program and sees it end: init of the namespaces, or its stand-in where there are none.

use super::family::{self, Reach};
use super::outside::Room;
use super::{Failure, limits, program, raw, tell, watch};
use crate::isolation::root;
use crate::order::{Handed, Level, Order, Report};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{DumpableBehavior, Signal};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

/// What init is born into.
pub(crate) const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// As process 1 of fresh namespaces.
pub(super) fn init(order: &Order, handed: Handed, room: &Room<'_>) -> Result<(), Failure> {
    room.identity.take(room.go)?;
    limits::of_the_room();
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(Failure::at("init"))?;
    root::build(order, room.guards)?;
    // What the helper has in memory is nobody's business.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(Failure::at("init"))?;
    run(order, handed, &watch::Inside::Reachable { socket: room.socket })
}

/// Without namespaces: whatever loses its parent becomes this process's child, so nothing gets out of its sight.
pub(super) fn stand_in(order: &Order, handed: Handed, socket: &UnixStream) -> Result<(), Failure> {
    rustix::process::setsid().map_err(Failure::at("session"))?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).map_err(Failure::at("subreaper"))?;
    // Where the operator wants no isolation there is no family: it takes rights away.
    let reach = if order.plan.level == Level::Filters { family::found()? } else { Reach::Everybody };
    if reach == Reach::Everybody {
        return run(order, handed, &watch::Inside::Descendants { socket });
    }
    let heir = family::heir()?;
    let result = run(order, handed, &watch::Inside::Reachable { socket });
    // The heir too, before it notices: what is left to say is said by this process.
    raw::kill(-1, libc::SIGKILL);
    drop(heir);
    result
}

/// Starts the program, reports, and returns when nothing of it is left.
pub(super) fn run(order: &Order, handed: Handed, inside: &watch::Inside<'_>) -> Result<(), Failure> {
    let signals = raw::child_signals().map_err(Failure::at("signals"))?;
    let (failed, failing) = pipe_with(PipeFlags::CLOEXEC).map_err(Failure::at("pipe"))?;
    let Some(pid) = raw::fork(0).map_err(Failure::at("fork"))? else {
        drop(failed);
        let failure = program::become_it(order, handed);
        let text = serde_json::to_vec(&failure.report()).unwrap_or_default();
        // When it cannot be written the parent sees code 125 and nothing else; there is no other way to tell.
        let _ = File::from(failing).write_all(&text);
        std::process::exit(super::BROKEN)
    };
    drop((handed, failing));
    let mut text = Vec::new();
    File::from(failed).read_to_end(&mut text).map_err(Failure::at("start"))?;
    let socket = inside.socket();
    if text.is_empty() {
        // A parent that is gone is noticed below.
        let _ = tell(socket, &Report::Started { pid: Some(pid.as_raw_nonzero().get()) });
    }
    let ended = inside.until_ended(pid, &signals)?;
    let report = serde_json::from_slice(&text).unwrap_or(ended);
    let _ = tell(socket, &report);
    Ok(())
}
