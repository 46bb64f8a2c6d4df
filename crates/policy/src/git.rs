//! What git obeys: the keys of its configuration that start programs or lead to other files, the syntax of that
//! configuration, and which files of a repository decide what runs. It reads names and bytes and never the disk.
//!
//! The surprising decision: a folder is a repository by its name (`.git` and what lies below) *or* by its structure, which
//! the caller looks up, because git asks for the structure alone.

mod judge;
mod names;

pub use judge::{obeyed, refuse};
pub use names::{completes, place};
pub(crate) use names::{is_in_git, is_named_by_git};
pub use palanca_shell::git::{Setting, Unreadable, parse};

#[cfg(test)]
mod tests;
