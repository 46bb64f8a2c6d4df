//! Exit codes, the same for all commands, and the failure that carries one.

use crate::say::say;
use palanca_core::Message;
use palanca_host::{Fault, FaultKind};
use std::fmt;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0
    Success,
    /// 1
    Failed,
    /// 2, or what the person chose instead.
    Partial(u8),
    /// 3
    Usage,
    /// 4
    Authentication,
    /// 5
    Timeout,
    /// 6
    Refused,
    /// 130
    Interrupted,
}

impl Exit {
    pub const fn number(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Partial(number) => number,
            Self::Usage => 3,
            Self::Authentication => 4,
            Self::Timeout => 5,
            Self::Refused => 6,
            Self::Interrupted => 130,
        }
    }

    pub fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }
}

/// A command that could not do its work, and why.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    error: anyhow::Error,
}

impl Failure {
    pub fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Self { exit, error: error.into() }
    }

    /// A sentence of the catalogue and its exit code.
    pub fn saying(exit: Exit, why: &Message) -> Self {
        Self::new(exit, anyhow::anyhow!("{}", say(why)))
    }

    /// A configuration or usage error in a sentence of the catalogue, exit code 3.
    pub fn said(why: &Message) -> Self {
        Self::saying(Exit::Usage, why)
    }

    /// A configuration or usage error, exit code 3.
    pub fn usage(error: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, anyhow::anyhow!("{error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

/// What does not say otherwise is an ordinary failure, exit code 1.
impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        match error.into().downcast::<Fault>() {
            Ok(fault) => Self::saying(exit_of(fault.kind), &fault.message),
            Err(error) => Self::new(Exit::Failed, error),
        }
    }
}

const fn exit_of(kind: FaultKind) -> Exit {
    match kind {
        FaultKind::Usage => Exit::Usage,
        FaultKind::Authentication => Exit::Authentication,
        FaultKind::Machine => Exit::Failed,
    }
}

pub type Ended = Result<Exit, Failure>;
