//! The next program's helper, started while this one runs: it has built its room by the time it is needed.
//!
//! A room is used as it is or not at all, and for one program. It must equal the one that is wanted, what stands at its
//! places included, and nothing may have been mounted meanwhile; whether it still hides what it must is checked inside, last
//! of all. A door that starts only one program makes no spare. All doors of an engine share a few places: a helper that has been
//! idle for some time makes way for a new one, and while all are in use, no more are made.

use super::VacantRoom;
use crate::order::{Level, Room};
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io;
use std::mem::replace;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::task::TaskTracker;

/// The kernel's list of what is mounted; whoever has it open can ask whether it has changed.
const MOUNTS: &str = "/proc/self/mounts";

/// Helpers that wait at once, of all doors. Each is three processes and four descriptors.
const MOST: usize = 8;
/// How long a helper keeps its place from others.
const IDLE: Duration = Duration::from_secs(10);

/// The spare helpers of all doors.
#[derive(Default)]
pub(crate) struct Spares(Mutex<Doors>);

#[derive(Default)]
struct Doors {
    /// How many there ever were.
    count: u64,
    /// Those that have started a program; the one whose helper has waited longest comes first.
    used: Vec<(u64, State)>,
}

enum State {
    /// There was a program, so there will be others.
    Wanted,
    /// It is being started.
    Coming,
    Waiting(Box<Waiting>),
}

struct Waiting {
    helper: VacantRoom,
    room: Room,
    mounts: File,
    since: Instant,
}

/// The one spare helper of a door.
pub(crate) struct Spare {
    all: Arc<Spares>,
    door: u64,
}

impl Spare {
    /// Of a further door.
    pub(crate) fn among(all: &Arc<Spares>) -> Self {
        let mut doors = all.0.lock();
        doors.count += 1;
        Self { all: Arc::clone(all), door: doors.count }
    }

    /// The helper that waits in such a room. One that waits in another ends.
    pub(crate) fn take(&self, room: &Room) -> Option<VacantRoom> {
        let taken = self.all.0.lock().take(self.door);
        taken.and_then(|waiting| waiting.fit(room))
    }

    /// Starts one for a program in the same room, unless there is one already or none is needed.
    pub(crate) async fn prepare(&self, program: &Path, room: Room, reapers: TaskTracker) {
        if !is_for(&room) || !self.all.0.lock().begin(self.door) {
            return;
        }
        // ignored: the next program starts its helper itself.
        let started = Waiting::start(program, room, reapers).await.ok();
        let over = self.all.0.lock().came(self.door, started);
        drop(over);
    }

    /// Ends the one that there is. No other may be prepared afterwards.
    pub(crate) fn close(&self) {
        let mut doors = self.all.0.lock();
        let gone = doors.place(self.door).map(|place| doors.used.remove(place));
        drop(doors);
        drop(gone);
    }
}

impl Doors {
    fn place(&self, door: u64) -> Option<usize> {
        self.used.iter().position(|(other, _)| *other == door)
    }

    fn state(&mut self, door: u64) -> Option<&mut State> {
        self.used.iter_mut().find(|(other, _)| *other == door).map(|(_, state)| state)
    }

    fn waiting(&self) -> impl Iterator<Item = (u64, &Waiting)> {
        self.used.iter().filter_map(|(door, state)| match state {
            State::Waiting(waiting) => Some((*door, &**waiting)),
            State::Wanted | State::Coming => None,
        })
    }

    /// After a program of this door: whether a helper is to be started for the next one.
    fn begin(&mut self, door: u64) -> bool {
        let idle = self.waiting().next().is_some_and(|(_, waiting)| waiting.since.elapsed() > IDLE);
        let few = self.used.iter().filter(|(_, state)| !matches!(state, State::Wanted)).count() < MOST;
        match self.state(door) {
            Some(state @ State::Wanted) if few || idle => {
                *state = State::Coming;
                true
            }
            Some(_) => false,
            None => {
                self.used.push((door, State::Wanted));
                false
            }
        }
    }

    fn take(&mut self, door: u64) -> Option<Waiting> {
        let state = self.state(door)?;
        match replace(state, State::Wanted) {
            State::Waiting(waiting) => Some(*waiting),
            other => {
                *state = other;
                None
            }
        }
    }

    /// Returns what is too much.
    fn came(&mut self, door: u64, started: Option<Waiting>) -> Option<Waiting> {
        // A door that closed meanwhile has no place.
        let Some(place) = self.place(door) else { return started };
        self.used.remove(place);
        self.used.push((door, started.map_or(State::Wanted, |waiting| State::Waiting(Box::new(waiting)))));
        let over = self.waiting().count() > MOST;
        let longest = self.waiting().next().filter(|_| over).map(|(door, _)| door)?;
        self.take(longest)
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
        Ok(Self { helper, room, mounts, since: Instant::now() })
    }

    fn fit(self, room: &Room) -> Option<VacantRoom> {
        let mut watched = [PollFd::new(&self.mounts, PollFlags::PRI)];
        let unchanged = poll(&mut watched, Some(&Timespec::default())) == Ok(0);
        (unchanged && self.room == *room && self.helper.waits()).then_some(self.helper)
    }
}
