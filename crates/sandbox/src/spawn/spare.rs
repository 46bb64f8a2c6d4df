//! The next program's helper, started while this one runs: it has built its room by the time it is needed.
//!
//! A room is used as it is or not at all, and for one program. It must equal the one that is wanted, what stands at its
//! places included, and nothing may have been mounted meanwhile; whether it still hides what it must is checked inside, last
//! of all. A process that starts only one program makes no spare.

use super::VacantRoom;
use crate::order::{Level, Room};
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io;
use std::mem::replace;
use std::path::Path;
use tokio_util::task::TaskTracker;

/// The kernel's list of what is mounted; whoever has it open can ask whether it has changed.
const MOUNTS: &str = "/proc/self/mounts";

/// The one spare helper of a door.
#[derive(Default)]
pub(crate) struct Spare(Mutex<State>);

#[derive(Default)]
enum State {
    /// No program was started yet.
    #[default]
    Unused,
    /// There was one, so there will be others.
    Wanted,
    /// It is being started.
    Coming,
    Waiting(Box<Waiting>),
    /// The door is.
    Closed,
}

struct Waiting {
    helper: VacantRoom,
    room: Room,
    mounts: File,
}

impl Spare {
    /// The helper that waits in such a room. One that waits in another ends.
    pub(crate) fn take(&self, room: &Room) -> Option<VacantRoom> {
        let mut state = self.0.lock();
        match replace(&mut *state, State::Wanted) {
            State::Waiting(waiting) => waiting.fit(room),
            other => {
                *state = other;
                None
            }
        }
    }

    /// Starts one for a program in the same room, unless there is one already or none is needed.
    pub(crate) async fn prepare(&self, program: &Path, room: Room, reapers: TaskTracker) {
        match &mut *self.0.lock() {
            state @ State::Unused => return *state = State::Wanted,
            state @ State::Wanted if is_for(&room) => *state = State::Coming,
            _ => return,
        }
        // ignored: the next program starts its helper itself.
        let started = Waiting::start(program, room, reapers).await.ok();
        if let state @ State::Coming = &mut *self.0.lock() {
            *state = started.map_or(State::Wanted, |waiting| State::Waiting(Box::new(waiting)));
        }
    }

    /// Ends the one that there is and starts no other.
    pub(crate) fn close(&self) {
        *self.0.lock() = State::Closed;
    }
}

/// Whether a room can be built ahead. Elsewhere something is looked up, or left in the workspace, when it is built.
fn is_for(room: &Room) -> bool {
    room.plan.level == Level::Full && room.plan.supervised && room.plan.layer.is_none()
}

impl Waiting {
    async fn start(program: &Path, room: Room, reapers: TaskTracker) -> io::Result<Self> {
        // Before anything of it is built.
        let mounts = File::open(MOUNTS)?;
        let helper = VacantRoom::start(program, &room, reapers).await?;
        Ok(Self { helper, room, mounts })
    }

    fn fit(self, room: &Room) -> Option<VacantRoom> {
        let mut watched = [PollFd::new(&self.mounts, PollFlags::PRI)];
        let unchanged = poll(&mut watched, Some(&Timespec::default())) == Ok(0);
        (unchanged && self.room == *room && self.helper.waits()).then_some(self.helper)
    }
}
