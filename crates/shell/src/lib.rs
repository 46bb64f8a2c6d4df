//! What a shell text would run, and how dangerous that is: read with a real grammar, never by matching the text.
//!
//! [`judge`] takes a text through four stages, one module each:
//!
//! | stage | module | turns |
//! |---|---|---|
//! | read | `read` | text → syntax tree → every simple [`Command`] that could run, with known words, within limits |
//! | unwrap | `unwrap` | commands → the commands inside them: wrappers, nested shells, program text |
//! | block | `blocklist` | commands → a rule that no mode and no approval lifts |
//! | class | `programs` | commands → safe, dev or dangerous; the worst part decides |
//!
//! What cannot be resolved is never safe, and what passes a limit is refused: there is no weaker path to fall back to.

mod blocklist;
mod catalogue;
mod command;
pub mod git;
mod judge;
mod network;
mod options;
mod programs;
mod read;
mod secret_names;
mod sed;
mod sentence;
mod unwrap;
mod verdict;

pub use catalogue::{Changes, changes, neutral_variables, runs_anything, runs_targets, takes_code};
pub use command::{
    Assignment, Command, Directory, Input, Origin, Piece, Redirect, RedirectKind, Shape, Surroundings, Trace, Unknown,
    UnknownKind, Via, Word, Workspace,
};
pub use judge::{judge, judge_argv};
pub use network::{FindGitConfig, Reached, is_this_machine, reached};
pub use programs::{has_subcommands, looks_up};
pub use secret_names::SecretNames;
pub use sentence::Sentence;
pub use unwrap::starts_its_operands;
pub use verdict::{Author, Class, Judgement, Part, Reason};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
