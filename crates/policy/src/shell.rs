//! What a shell text would run, and how dangerous that is: read with a real grammar, never by matching the text.
//!
//! A text goes through four stages, one module each:
//!
//! | stage | module | turns |
//! |---|---|---|
//! | parse | `parse` | text → syntax tree, within limits |
//! | read | `read` | tree → every simple [`Command`] that could run, with folded words, through wrappers and nested shells |
//! | block | `blocklist` | commands → a rule that no mode and no approval lifts |
//! | class | `programs` | commands → safe, dev or dangerous; the worst part decides |
//!
//! What cannot be resolved is never safe, and what passes a limit is refused: there is no weaker path to fall back to.

pub(crate) mod blocklist;
mod command;
mod judge;
mod network;
mod port;
pub(crate) mod programs;
pub(crate) mod read;
mod rules;
pub(crate) mod unwrap;
mod verdict;

pub use command::{
    Assignment, Command, Directory, Input, Origin, Piece, Redirect, RedirectKind, Shape, Surroundings, Trace, Unknown,
    UnknownKind, Via, Word,
};
pub use judge::{judge, judge_argv};
pub use network::FindGitConfig;
pub use port::{Allowed, CommandJudge};
pub(crate) use programs::has_subcommands;
pub use rules::{RuleError, RuleSettings, Rules};
pub(crate) use unwrap::starts_its_operands;
pub use verdict::{Class, Judgement, Part, Reason};
