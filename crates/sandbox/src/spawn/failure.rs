//! Maps errors of the system or the helper to errors of the port.

use crate::order::{Level, Order};
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

/// The helper could not start the program: at this step, for this reason, with this error number.
pub(crate) fn start(what: &str, order: &Order, (step, reason, errno): (&str, String, Option<i32>)) -> ProcessError {
    let missing = [Errno::NOENT, Errno::ACCESS, Errno::NOTDIR, Errno::NOEXEC, Errno::ISDIR];
    match step {
        "exec" if missing.iter().any(|one| errno == Some(one.raw_os_error())) => {
            ProcessError::new(Kind::NoProgram, what).detail(reason)
        }
        "exec" => ProcessError::new(Kind::Io, what).detail(reason),
        "directory" => directory(order.directory.display(), reason),
        _ if order.plan.level == Level::None => ProcessError::new(Kind::Io, what).detail(format!("{step}: {reason}")),
        _ => ProcessError::new(Kind::Isolation, what).detail(format!("{step}: {reason}")),
    }
}
