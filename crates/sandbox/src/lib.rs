//! Door 2: processes. The only place that starts one, and the only place that ends one.
//!
//! A program never starts directly: our own binary starts again as a *helper* ([`enter`]), which builds an `order::Room`,
//! shuts itself in, and only then receives an `order::Order` over a socket and becomes the program. So nothing of ours runs
//! between a fork and an exec of a threaded process, and what was judged is what the helper reads.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod background;
mod descriptors;
mod engine;
mod enter;
mod environment;
mod git;
mod isolation;
mod network;
mod order;
mod output;
mod probe;
mod sandbox;
mod settings;
mod signals;
mod spawn;
mod supervisor;
mod terminal;
mod toolchains;

pub use descriptors::{Descriptors, descriptors, raise_descriptors};
pub use engine::Engine;
pub use enter::{enter, enter_closing};
pub use git::{ClosedNames, IsClosed};
pub use isolation::Isolation;
pub use order::{HELPER, Level};
pub use probe::{Mechanism, Probe, probe};
pub use sandbox::{Sandbox, SandboxError};
pub use settings::{
    BackgroundLimits, OnlyReads, PersonalGit, ProgramLimits, SandboxSettings, Spill, TIMEOUT_GRACE, WriteLayer,
};
pub use signals::is_ignored;
pub use toolchains::{IsSecret, LeftOut, Toolchains, programs_of};
