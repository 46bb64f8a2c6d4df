//! Sessions that outlive their process: the stored rows of a run, and how a run resumes.
//!
//! A run is append-only rows. Each is stored before its consequences, so after a crash the rows tell how far every call came:
//! requested, begun, or ended. Independent of the database.

mod bytes;
pub mod enclosed;
mod event;
mod keep;
mod restore;
mod row;
mod secrets;
mod state;
mod witness;

pub use event::{
    Announced, Answered, Appended, Began, Begun, CallEnded, Changes, Delegated, Entry, GateTried, JobSaid, Judged,
    KeptLimits, Notice, Parked, Prompt, Resumed, RunEnded, SubagentEnded, SubagentSpent, Terms, VERSION,
};
pub use keep::{JobHeard, Keeper, Session, status};
pub use restore::{Events, LastMessage, RestoreError, Restored, entry};
pub use row::row;
pub use state::{Open, Progress, Snapshot, State, Totals};
