//! Maps errors of the system or the helper to errors of the port.

use crate::order::{Level, Order, UNFIT};
use palanca_core::ports::{ProcessError, ProcessErrorKind as Kind};
use rustix::io::Errno;
use std::io;

pub(crate) fn io(what: &str, error: &io::Error) -> ProcessError {
    ProcessError::new(Kind::Io, what).detail(error.to_string())
}

pub(crate) fn directory(what: impl ToString, error: impl ToString) -> ProcessError {
    ProcessError::new(Kind::Directory, what.to_string()).detail(error.to_string())
}

pub(crate) fn environment(name: &str, reason: &str) -> ProcessError {
    ProcessError::new(Kind::Environment, name.escape_debug().to_string()).detail(reason)
}

/// Why a helper did not start a program.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// At this step, for this reason, with this error number.
    Step { step: String, reason: String, errno: Option<i32> },
    /// It ended, or broke the protocol.
    Gone(io::Error),
    /// It said nothing.
    Silent,
}

impl Refusal {
    /// Whether another helper may do it: this one has not carried out any of its order.
    pub(crate) fn is_of_the_room(&self) -> bool {
        matches!(self, Self::Step { step, .. } if step == UNFIT)
    }

    /// For whoever ordered it.
    pub(crate) fn of(self, order: &Order, level: Level) -> ProcessError {
        let error = |kind, detail: String| ProcessError::new(kind, order.program()).detail(detail);
        let missing = [Errno::NOENT, Errno::ACCESS, Errno::NOTDIR, Errno::NOEXEC, Errno::ISDIR];
        match self {
            Self::Step { step, reason, errno } => match step.as_str() {
                "exec" if missing.iter().any(|one| errno == Some(one.raw_os_error())) => error(Kind::NoProgram, reason),
                "exec" => error(Kind::Io, reason),
                "directory" => directory(order.directory.display(), reason),
                _ if level == Level::None => error(Kind::Io, format!("{step}: {reason}")),
                _ => error(Kind::Isolation, format!("{step}: {reason}")),
            },
            Self::Gone(reason) => error(Kind::Isolation, format!("the helper program ended early: {reason}")),
            Self::Silent => {
                let detail = "the helper program did not answer; it must call palanca_sandbox::enter() first";
                error(Kind::Isolation, detail.to_owned())
            }
        }
    }
}
