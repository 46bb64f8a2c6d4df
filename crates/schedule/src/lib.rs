//! When jobs are due, and the file that holds them: points in time, intervals, and expressions of five fields in a time zone. No I/O,
//! no clock: the time is an argument.

mod agenda;
mod jobs;
mod schedule;

pub use agenda::{Agenda, Start};
pub use jobs::{CHANNEL, INSTRUCTION, Job, Jobs, JobsFault, MESSAGE, NewJob, OPERATOR, Outcome, Payload, State};
pub use schedule::{Schedule, ScheduleFault};
