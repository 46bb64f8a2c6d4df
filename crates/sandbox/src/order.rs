//! The protocol between parent and helper. Both sides are the same binary, so the format may change freely.
//!
//! The helper is started as `HELPER` (its first argument) with one end of two unix stream socket pairs and nothing else.
//! The first, its stdin, is the lifeline: the parent sends the [`Room`] and later signals, the helper reports. When the
//! parent's end closes, for whatever reason, the helper ends everything that it started. On the second, its stdout, comes
//! the one [`Order`], with descriptors attached: stdin, stdout and stderr of the program (the same terminal three times when
//! there is one), and the supervisor's socket where its writes are asked for. The process that becomes the program reads it
//! itself, in the finished room and with its rights already gone, so a room can wait for its order as long as need be.
//!
//! A message is four bytes of length, most significant first, and JSON. A stream and not packets, because one order may
//! be larger than a packet can be.

mod standing;
mod wire;

pub(crate) use standing::Standing;
pub(crate) use wire::{Frames, Handed, attach_order, encode, receive_order, receive_room};

use crate::descriptors::of_programs;
use crate::settings::{ProgramLimits, WriteLayer};
use palanca_core::call::Network;
use palanca_core::ports::LimitMet;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The first argument that makes our binary a helper.
pub const HELPER: &str = "__sandbox";

/// The step at which a room turns out not to be what it was built as; none of its order was carried out then.
pub(crate) const UNFIT: &str = "room";

/// What a program runs in. It is built before anybody knows which program that will be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Room {
    /// What keeps the program in.
    pub(crate) plan: Plan,
    /// Whether it has the host's network.
    #[serde(default)]
    pub(crate) network: Network,
    /// Its home, when it is told of one.
    #[serde(default)]
    home: Option<OsString>,
    /// Where it could find `git`, but for the workspace.
    #[serde(default, with = "wire::paths")]
    pub(crate) gits: Vec<PathBuf>,
    /// What stands at the plan's writable and readable paths, in this order; nothing where that does not matter.
    #[serde(default)]
    pub(crate) places: Vec<Standing>,
    /// The soft limit of open descriptors, where it is not the helper's.
    #[serde(default)]
    pub(crate) descriptors: Option<u64>,
}

impl Room {
    /// For a program with this environment.
    pub(crate) fn new(plan: Plan, network: Network, environment: &[(OsString, OsString)]) -> Self {
        let value = |wanted: &str| environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let home = value("HOME").filter(|home| Path::new(home).is_absolute() && Path::new(home).parent().is_some());
        let folders = value("PATH").into_iter().flat_map(std::env::split_paths).filter(|folder| folder.is_absolute());
        let outside = folders.filter(|folder| !plan.writable.iter().any(|path| folder.starts_with(path)));
        let gits = outside.map(|folder| folder.join("git")).collect();
        let places = plan.writable.iter().chain(&plan.readable).map(|path| Standing::at(path)).collect();
        Self { home: home.cloned(), gits, places, network, plan, descriptors: of_programs() }
    }

    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref().map(Path::new)
    }
}

/// One program to start in a room.
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
}

impl Order {
    /// What it is called in errors.
    pub(crate) fn program(&self) -> String {
        self.argv.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default()
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
    /// A folder that is this program's alone, and its home: it may lie in what is masked, and only there it is seen.
    #[serde(default)]
    pub(crate) home: Option<OsString>,
    /// Links that lead to the workspace.
    #[serde(default, with = "wire::paths")]
    pub(crate) links: Vec<PathBuf>,
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
    /// Of a program that only reads: directories of the plan that it cannot write and of which it starts and loads nothing.
    /// Such a program starts only what lies in the system's directories and in the other readable ones.
    #[serde(default, with = "wire::paths")]
    pub(crate) unexecuted: Vec<PathBuf>,
    /// What takes every change of the first writable directory instead of it. At [`Level::Full`] alone.
    #[serde(default)]
    pub(crate) layer: Option<WriteLayer>,
    /// How much of the machine it may take, together with all that it starts.
    #[serde(default)]
    pub(crate) limits: ProgramLimits,
}

impl Plan {
    /// Its own home, where it has one that is kept.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref().map(Path::new)
    }

    /// Whether the program runs without a question, and so changes nothing and starts nothing that the workspace brought.
    pub(crate) fn only_reads(&self) -> bool {
        !self.unexecuted.is_empty()
    }
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
