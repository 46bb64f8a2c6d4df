//! Output for people. Colour only on a terminal that supports it (`NO_COLOR`, `TERM=dumb` are honoured).

pub mod approvals;
pub mod commands;
pub mod diff;
pub mod layout;
pub mod log;
pub mod rehearsed;
pub mod report;
pub mod run;
pub mod sessions;
pub mod speech;
pub mod status;
pub mod stderr;
pub mod stdout;
pub mod terminal;
pub mod time;
