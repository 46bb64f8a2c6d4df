//! Tools that bots write and people approve, as text: a [`Manifest`], a source, and what both say before anything runs.
//!
//! Nothing here opens a file or starts a program. What is found in a source is for the person who approves it; the wall
//! is that the command which a [`Template`] becomes is judged like any other, and that a script has no door of its own.

mod analysis;
mod manifest;
mod name;
mod parameters;
mod script;
mod template;

pub use analysis::{Analysis, analyse};
pub use manifest::{Kind, LARGEST_META, LARGEST_SOURCE, Manifest, Permissions, Status};
pub use name::{RESERVED, check_name};
pub use parameters::{Parameter, Parameters, ValueKind};
pub use template::Template;
