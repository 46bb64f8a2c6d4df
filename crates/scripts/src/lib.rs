//! TypeScript and JavaScript that models write: checked and run in a process of its own that can do nothing but ask.
//!
//! The process is our own binary, started again by the process door ([`enter`]) for one script. Types are removed and the
//! program is run there, so hostile source meets no parser of ours in the caller's process. The script has no files, no network
//! and no environment: it asks its parent, and the parent passes on what the script's [`Permissions`] name to whoever
//! implements [`Requests`].

mod engine;
mod error;
#[cfg(feature = "engine")]
mod inside;
#[cfg(not(feature = "engine"))]
#[path = "inside/not_built.rs"]
mod inside;
mod limits;
mod outcome;
mod permissions;
mod request;
mod wire;

pub use engine::{Engine, Script};
pub use error::{ScriptError, SyntaxError};
pub use inside::enter;
pub use limits::{Limit, Limits, SOURCE_BYTES};
pub use outcome::Outcome;
pub use permissions::Permissions;
pub use request::{Answer, Request, Requests};
