//! One process, many sessions: what a program around the engine builds, each part once.
//!
//! A [`Host`] is the process: its state directory, audit log and database. A [`Workspace`] is a folder with its rules, doors and
//! lanes. An [`Agent`] is a configuration in a workspace: tools, guards, rules, model. A [`Session`] is one conversation: its
//! gate, questions, hooks, and what is kept of it; it is [let go](Session::leave) when it is over, or until it goes on. What is said
//! in it, turn by turn, is a [`Conversation`].

pub mod acceptance;
pub mod agent;
pub mod configuration;
mod conversation;
mod drain;
pub mod dynamic;
mod fault;
mod host;
mod housekeeping;
mod notices;
mod places;
mod redacted;
pub mod session;
pub mod traces;
pub mod workspace;

pub use agent::{Agent, Extension};
pub use conversation::{Conversation, ConversationSettings, Start};
pub use drain::{Drained, GRACE};
pub use fault::{Fault, FaultKind, unusable};
pub use host::{Host, descriptors_for};
pub use housekeeping::{Cleaned, CleanedSessions, before, journal_fault, not_undone};
pub use notices::{Notices, Silent};
pub use palanca_sandbox::{Descriptors, descriptors};
pub use palanca_store::Cleaning;
pub use places::Places;
pub use redacted::Redacted;
pub use session::{Commands, Enclosed, Keeping, Session, SessionSettings};
pub use workspace::Workspace;

/// The first statement of a program that starts commands: when the sandbox starts it again, it becomes the program that it was
/// told to run, or runs a script.
pub fn enter() {
    palanca_sandbox::enter_closing(workspace::closed::judge);
    palanca_scripts::enter();
}
