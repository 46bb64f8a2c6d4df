//! The helper's side of the probe: tries, in children, and prints.

use super::{Best, Finding, Mechanism, Probe};
use crate::enter::group::Group;
use crate::enter::identity::Identity;
use crate::enter::{Failure, inside, raw};
use crate::isolation::guards::Guards;
use crate::isolation::privileges::{Bounding, drop_all};
use crate::isolation::syscalls::{self, Sockets};
use crate::isolation::{asking, root, rules};
use crate::order::{Level, Plan, Room};
use crate::settings::ProgramLimits;
use crate::supervisor;
use palanca_core::call::Network;
use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{WaitOptions, waitpid};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

/// The second argument that makes the helper check instead of waiting for a room.
pub(crate) const CHECK: &str = "check";

/// The second argument that makes it check the levels alone.
pub(crate) const LEVEL: &str = "level";

/// Prints the best level of this machine; what it is made of is tried together and not piece by piece.
pub(crate) fn best_level() -> io::Result<()> {
    let identity = Identity::own();
    let level = match trial(inside::namespaces(Network::None), move || full(identity)) {
        Ok(_) => Level::Full,
        Err(_) if trial(0, filters).is_ok() => Level::Filters,
        Err(_) => Level::None,
    };
    let supervised = level > Level::None && trial(0, supervised).is_ok();
    serde_json::to_writer(io::stdout().lock(), &Best { level, supervised })?;
    Ok(())
}

/// Prints the [`Probe`] of this machine.
pub(crate) fn check() -> io::Result<()> {
    let identity = Identity::own();
    let mapped = move || identity.map_self().map(|()| String::new());
    let namespace = |kind| trial(libc::CLONE_NEWUSER | kind, mapped);
    let user = namespace(0);
    let others = libc::CLONE_NEWNS | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS | libc::CLONE_NEWCGROUP;
    let after = |kind| user.clone().and_then(|_| namespace(kind));
    let found = [
        (Mechanism::ProcessNamespace, after(libc::CLONE_NEWPID)),
        (Mechanism::NetworkNamespace, after(libc::CLONE_NEWNET)),
        (Mechanism::OtherNamespaces, after(others)),
        (Mechanism::Openat2, beneath()),
        (Mechanism::Landlock, trial(0, || drop_all(Bounding::AsFarAsItGoes).and_then(|()| rules::version()))),
        (
            Mechanism::Seccomp,
            trial(0, || syscalls::filter(&nothing(Level::Full).plan, Sockets::UnixAndOwn).map(|()| String::new())),
        ),
        (Mechanism::Full, trial(inside::namespaces(Network::None), move || full(identity))),
        (Mechanism::Supervisor, trial(0, supervised)),
        (Mechanism::Filters, trial(0, filters)),
        (Mechanism::Groups, groups()),
        (Mechanism::UserNamespace, user),
    ];
    let findings = found.map(|(mechanism, outcome)| Finding { mechanism, outcome });
    let probe = Probe { findings: findings.into_iter().rev().collect(), trouble: None };
    serde_json::to_writer(io::stdout().lock(), &probe)?;
    Ok(())
}

fn full(identity: Identity) -> Result<String, Failure> {
    let room = nothing(Level::Full);
    identity.map_self()?;
    root::build(&room, &Guards::default())?;
    drop_all(Bounding::Empty)?;
    let sockets = rules::restrict_inside(&room)?;
    syscalls::filter(&room.plan, sockets).map(|()| String::new())
}

fn filters() -> Result<String, Failure> {
    drop_all(Bounding::AsFarAsItGoes)?;
    let room = nothing(Level::Filters);
    let sockets = rules::restrict_host(&room)?;
    syscalls::filter(&room.plan, sockets).map(|()| String::new())
}

/// One write, asked for and granted.
fn supervised() -> Result<String, Failure> {
    drop_all(Bounding::AsFarAsItGoes)?;
    let (ours, theirs) = UnixStream::pair().map_err(Failure::at("supervisor"))?;
    let Some(program) = raw::fork(0).map_err(Failure::at("supervisor"))? else {
        let opened =
            asking::ask(theirs.as_fd()).is_ok() && rustix::fs::open("/dev/null", OFlags::WRONLY, Mode::empty()).is_ok();
        std::process::exit(i32::from(!opened))
    };
    drop(theirs);
    let answered = supervisor::answer_one(&ours, "/dev/null");
    let ended = waitpid(Some(program), WaitOptions::empty()).map_err(Failure::at("supervisor"))?;
    answered.map_err(Failure::at("supervisor"))?;
    match ended.and_then(|(_, status)| status.exit_status()) {
        Some(0) => Ok(String::new()),
        _ => Err(Failure::new("supervisor", "what was granted did not arrive")),
    }
}

fn nothing(level: Level) -> Room {
    let none = Vec::new;
    // Hiding is one more mount of a kind that is tried anyway.
    let plan = Plan {
        level,
        supervised: false,
        writable: none(),
        read_only: none(),
        masked: none(),
        readable: none(),
        growing: none(),
        unexecuted: none(),
        home: None,
        layer: None,
        links: Vec::new(),
        limits: ProgramLimits::default(),
    };
    Room::new(plan, Network::None, &[])
}

/// Makes one, and removes it.
fn groups() -> Result<String, String> {
    let group = Group::create(&ProgramLimits::default()).map_err(|failure| failure.to_string())?;
    group.remove();
    Ok(String::new())
}

fn beneath() -> Result<String, String> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    openat2(rustix::fs::CWD, ".", flags, Mode::empty(), ResolveFlags::IN_ROOT)
        .map(|_| String::new())
        .map_err(|error| error.to_string())
}

/// Does something in a child of its own, in new namespaces; what it says or why it failed.
fn trial(namespaces: libc::c_int, what: impl FnOnce() -> Result<String, Failure>) -> Result<String, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let (said, saying) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| text(&error))?;
    let child = raw::fork(namespaces).map_err(|error| text(&error))?;
    let Some(child) = child else {
        let outcome = what().map_err(|failure| failure.to_string());
        let words = serde_json::to_vec(&outcome).unwrap_or_default();
        // Nothing said is a failure too.
        let _ = File::from(saying).write_all(&words);
        std::process::exit(0)
    };
    drop(saying);
    let mut words = Vec::new();
    let read = File::from(said).read_to_end(&mut words);
    let _ = waitpid(Some(child), WaitOptions::empty());
    read.map_err(|error| text(&error))?;
    serde_json::from_slice(&words).unwrap_or_else(|_| Err("it ended without a word".to_owned()))
}
