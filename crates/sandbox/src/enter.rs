//! The helper: builds a room, receives an order, becomes the program, and sees to it that nothing survives.
//!
//! At the full level there are three processes. This one stays outside and watches; *init* is process 1 of the new
//! namespaces, and when it ends the kernel ends everything inside; the program is its child. Below that level this
//! process is init's stand-in: orphans become its children, and it kills until it has none.

mod family;
pub(crate) mod group;
pub(crate) mod identity;
pub(crate) mod inside;
mod limits;
mod outside;
mod program;
pub(crate) mod raw;
mod usage;
mod watch;

pub(crate) use identity::reaches_as_the_program;

use crate::git::ClosedNames;
use crate::order::{HELPER, Level, Report, encode, receive_room};
use crate::probe::{CHECK, LEVEL, best_level, check};
use std::io::{self, Write};
use std::os::unix::net::UnixStream;

/// The exit code of a helper that could not even report.
const BROKEN: i32 = 125;

/// Becomes the helper, or `git` as programs inside find it, when the program was started as one, and never returns then. Must be the first thing that `main`
/// does, before any thread or descriptor exists. `git` leaves nothing out of what it prints.
pub fn enter() {
    become_started(None);
}

/// As [`enter`]; `git` leaves out what is closed.
pub fn enter_closing(closed: ClosedNames) {
    become_started(Some(closed));
}

fn become_started(closed: Option<ClosedNames>) {
    crate::git::enter(closed);
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != HELPER) {
        return;
    }
    let result = match arguments.next() {
        Some(what) if what == CHECK => check(),
        Some(what) if what == LEVEL => best_level(),
        _ => help(),
    };
    std::process::exit(if result.is_ok() { 0 } else { BROKEN })
}

/// Why a program did not start.
#[derive(Debug)]
pub(crate) struct Failure {
    step: &'static str,
    reason: String,
    errno: Option<i32>,
}

impl Failure {
    pub(crate) fn new(step: &'static str, reason: impl Into<String>) -> Self {
        Self { step, reason: reason.into(), errno: None }
    }

    /// For `map_err`: what was being done when the system refused.
    pub(crate) fn at<E: Into<io::Error>>(step: &'static str) -> impl FnOnce(E) -> Self {
        move |error| {
            let error = error.into();
            Self { step, reason: error.to_string(), errno: error.raw_os_error() }
        }
    }

    /// Says on what.
    pub(crate) fn on(mut self, what: impl std::fmt::Display) -> Self {
        self.reason = format!("{what}: {}", self.reason);
        self
    }

    /// Whether something had been removed meanwhile.
    pub(crate) fn is_of_what_is_gone(&self) -> bool {
        self.errno == Some(libc::ENOENT)
    }

    fn report(self) -> Report {
        Report::Failed { step: self.step.to_owned(), reason: self.reason, errno: self.errno }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}: {}", self.step, self.reason)
    }
}

fn help() -> io::Result<()> {
    let socket = UnixStream::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?);
    let orders = UnixStream::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?);
    let room = receive_room(&socket)?;
    limits::first_to_go();
    // Without one we count.
    let group = group::Group::create(&room.plan.limits).ok();
    let result = match room.plan.level {
        Level::Full => outside::run(&room, orders, &socket, group.as_ref()),
        Level::Filters | Level::None => inside::stand_in(&room, orders, &socket, group.as_ref()),
    };
    if let Some(group) = group {
        group.remove();
    }
    match result {
        Ok(()) => Ok(()),
        Err(failure) => tell(&socket, &failure.report()),
    }
}

/// Tells the parent, if it still exists.
fn tell(mut socket: &UnixStream, report: &Report) -> io::Result<()> {
    socket.write_all(&encode(report)?)
}
