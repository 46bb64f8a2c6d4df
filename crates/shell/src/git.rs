//! What git obeys: the keys of its configuration that start programs or lead to other files, and the syntax of that
//! configuration. It reads names and bytes and never the disk.

mod keys;
mod syntax;

pub use keys::{Role, is_boolean, role};
pub use syntax::{Setting, Unreadable, parse};
