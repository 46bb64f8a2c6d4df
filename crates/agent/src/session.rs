//! Sessions that outlive their process: what is kept of a run, and how a run is taken up again.
//!
//! A run is rows that are only ever added to. Each is kept before the run goes on to what follows from it, so after a crash
//! the rows tell how far every call came: asked for, begun, or ended. Nothing here knows a database.

mod event;
mod keep;
mod restore;
mod state;
mod witness;

pub use event::{
    Announced, Answered, Appended, Began, Begun, CallEnded, Changes, Delegated, Entry, GateTried, Judged, KeptLimits,
    Notice, Prompt, Resumed, RunEnded, SubagentEnded, SubagentSpent, Terms, VERSION,
};
pub use keep::{INTERRUPTED, Keeper, RUNNING, Session, status};
pub use restore::{Events, RestoreError, Restored, entry};
pub use state::{Open, Progress, Snapshot, State, Totals};
