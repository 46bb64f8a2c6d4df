//! The process that starts the program and sees it end: init of the namespaces, or its stand-in where there are none.

use super::family::{self, Reach};
use super::group::Group;
use super::outside::Provisions;
use super::usage::Usage;
use super::{Failure, limits, program, raw, tell, watch};
use crate::isolation::covers::Covers;
use crate::isolation::root;
use crate::order::{Level, Report, Room};
use palanca_core::call::Network;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{DumpableBehavior, Signal};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// What init is born into. A program with network shares the host's; the others have one of their own, where they are alone.
pub(crate) const fn namespaces(network: Network) -> libc::c_int {
    match network {
        Network::None => NAMESPACES | libc::CLONE_NEWNET,
        Network::Open => NAMESPACES,
    }
}

/// As process 1 of fresh namespaces.
pub(super) fn init(room: &Room, provisions: Provisions<'_>) -> Result<(), Failure> {
    let Provisions { guards, identity, go, group, socket, orders } = provisions;
    identity.take(go)?;
    if room.network == Network::None {
        // ignored: without a loopback the program is as alone, and is told so where it fails.
        let _ = raw::loopback_up();
    }
    limits::of_the_room(&room.plan);
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(Failure::at("init"))?;
    let covers = root::build(room, guards)?;
    // The helper's memory must not be readable.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(Failure::at("init"))?;
    run(room, (orders, &covers), &watch::Inside::Reachable { socket }, group)
}

/// Without namespaces: whatever loses its parent becomes this process's child, so nothing gets out of its sight.
pub(super) fn stand_in(
    room: &Room,
    orders: UnixStream,
    socket: &UnixStream,
    group: Option<&Group>,
) -> Result<(), Failure> {
    rustix::process::setsid().map_err(Failure::at("session"))?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).map_err(Failure::at("subreaper"))?;
    // ignored: only root may, and only processes of root are not counted by the kernel. Without it, a program that forks
    // without pause would leave us a hundredth of the processor, and nobody else a number for a process.
    let _ = raw::come_first();
    // Where the operator wants no isolation there is no family: it takes rights away.
    let reach = if room.plan.level == Level::Filters { family::found()? } else { Reach::Everybody };
    let order = (orders, &Covers::default());
    if reach == Reach::Everybody {
        return run(room, order, &watch::Inside::Descendants { socket }, group);
    }
    let heir = family::heir()?;
    let result = run(room, order, &watch::Inside::Reachable { socket }, group);
    // The heir too, before it notices: what is left to say is said by this process.
    raw::kill(-1, libc::SIGKILL);
    drop(heir);
    result
}

/// Starts the program, reports, and returns when nothing of it is left.
fn run(
    room: &Room,
    (orders, covers): (UnixStream, &Covers),
    inside: &watch::Inside<'_>,
    group: Option<&Group>,
) -> Result<(), Failure> {
    let signals = raw::child_signals().map_err(Failure::at("signals"))?;
    let (failed, failing) = pipe_with(PipeFlags::CLOEXEC).map_err(Failure::at("pipe"))?;
    let born = match group {
        // Init was born in it already.
        Some(group) if room.plan.level < Level::Full => raw::fork_into(0, group.handle()),
        _ => raw::fork(0),
    };
    let Some(pid) = born.map_err(Failure::at("fork"))? else {
        drop(failed);
        let failure = program::become_it(room, &orders, covers);
        let text = serde_json::to_vec(&failure.report()).unwrap_or_default();
        // When it cannot be written the parent sees code 125 and nothing else; there is no other way to tell.
        let _ = File::from(failing).write_all(&text);
        std::process::exit(super::BROKEN)
    };
    drop((orders, failing));
    let mut text = Vec::new();
    File::from(failed).read_to_end(&mut text).map_err(Failure::at("start"))?;
    let usage = Usage::of(&room.plan, group);
    let socket = inside.socket();
    if text.is_empty() {
        // A parent that is gone is noticed below.
        let _ = tell(socket, &Report::Started { pid: Some(pid.as_raw_nonzero().get()) });
    }
    let ended = inside.until_ended(pid, &signals, &usage)?;
    let report = serde_json::from_slice(&text).unwrap_or(ended);
    let _ = tell(socket, &report);
    Ok(())
}
