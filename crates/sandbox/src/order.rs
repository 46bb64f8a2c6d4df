//! The protocol between parent and helper. Both sides are the same binary, so the format may change freely.
//!
//! The helper is started as `HELPER` (its first argument) with one end of a unix stream socket pair as stdin and nothing
//! else. The first message on the socket is the order, with descriptors attached: stdin, stdout and stderr of the program
//! (the same terminal three times when there is one), and the supervisor's socket where its writes are asked for. Then the helper reports, and the parent may send
//! signals. When the parent's end closes, for whatever reason, the helper ends everything that it started.
//!
//! A message is four bytes of length, most significant first, and JSON. A stream and not packets, because one order may
//! be larger than a packet can be.

mod wire;

pub(crate) use wire::{Frames, Handed, attach_order, encode, receive_order};

use crate::settings::{ProgramLimits, WriteLayer};
use palanca_core::call::Network;
use palanca_core::ports::LimitMet;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The first argument that makes our binary a helper.
pub const HELPER: &str = "__sandbox";

/// One program to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The program, found along `PATH` of `environment` unless it has a slash, and its arguments.
    pub(crate) argv: Vec<OsString>,
    /// The whole environment.
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Where it starts; absolute.
    #[serde(with = "wire::path")]
    pub(crate) directory: PathBuf,
    /// Whether descriptor 0 is a terminal that becomes the controlling one.
    pub(crate) terminal: Terminal,
    /// Whether it has the host's network.
    #[serde(default)]
    pub(crate) network: Network,
    /// What keeps it in.
    pub(crate) plan: Plan,
}

impl Order {
    /// The program's home, when it is told of one.
    pub(crate) fn home(&self) -> Option<&Path> {
        let home = self.environment.iter().find(|(name, _)| name == "HOME")?;
        Some(Path::new(&home.1)).filter(|path| path.is_absolute() && path.parent().is_some())
    }

    /// Where the program could find `git`, but for the workspace.
    pub(crate) fn gits(&self) -> impl Iterator<Item = PathBuf> {
        let path = self.environment.iter().find(|(name, _)| name == "PATH").map(|(_, path)| path);
        let folders = path.into_iter().flat_map(std::env::split_paths).filter(|folder| folder.is_absolute());
        let outside = folders.filter(|folder| !self.plan.writable.iter().any(|path| folder.starts_with(path)));
        outside.map(|folder| folder.join("git"))
    }
}

/// Whether a program has a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Terminal {
    /// No.
    None,
    /// Descriptor 0 to 2 are one.
    Controlling,
}

/// What keeps a program in: decided by the parent, applied by the helper.
///
/// Every path is absolute and canonical. Below [`Level::Full`] there is no private `/tmp` and no private home: the parent
/// makes a directory of its own, names it in `writable` and points `TMPDIR` and `HOME` at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// Namespaces and everything, the kernel's filters alone, or nothing.
    pub(crate) level: Level,
    /// Whether every write is asked for. Then nothing but reading is granted by other means.
    #[serde(default)]
    pub(crate) supervised: bool,
    /// Directories that may be written; the workspace first. Never `/`.
    #[serde(with = "wire::paths")]
    pub(crate) writable: Vec<PathBuf>,
    /// Paths below the writable ones that stay read-only, present or absent.
    #[serde(with = "wire::paths")]
    pub(crate) read_only: Vec<PathBuf>,
    /// Paths whose content is hidden.
    #[serde(with = "wire::paths")]
    pub(crate) masked: Vec<PathBuf>,
    /// Directories and files outside that may be read and executed, beside the system's own: toolchains.
    #[serde(with = "wire::paths")]
    pub(crate) readable: Vec<PathBuf>,
    /// Those of them that take what the program adds, for itself alone.
    #[serde(default, with = "wire::paths")]
    pub(crate) growing: Vec<PathBuf>,
    /// What takes every change of the first writable directory instead of it. At [`Level::Full`] alone.
    #[serde(default)]
    pub(crate) layer: Option<WriteLayer>,
    /// How much of the machine it may take, together with all that it starts.
    #[serde(default)]
    pub(crate) limits: ProgramLimits,
}

/// How much of the isolation is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Nothing but an own session: the operator asked for it.
    None,
    /// Landlock and seccomp, where namespaces are missing.
    Filters,
    /// Namespaces without any capability, Landlock and seccomp inside.
    Full,
}

/// From the parent, after the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Send this signal to every process inside.
    Signal(i32),
}

/// From the helper, in this order: `Started`, then `Ended`; or `Failed` instead of either.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The program runs; its process id as the host sees it, when known.
    Started {
        /// Of the program itself.
        pid: Option<i32>,
    },
    /// The program itself ended and everything that it left behind was killed.
    Ended {
        /// Its exit code, unless a signal ended it.
        code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// The limit for which all of it was ended.
        limit: Option<LimitMet>,
    },
    /// It never ran.
    Failed {
        /// What was being set up.
        step: String,
        /// Why it did not work.
        reason: String,
        /// The system's error number, when there is one: 2 for a program that is not there.
        errno: Option<i32>,
    },
}
