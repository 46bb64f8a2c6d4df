//! How a program starts: its supervisor, a helper that has its room, its order. The next helper may follow.

use super::{Author, Shared};
use crate::enter::identity::Identity;
use crate::order::{Handed, Order, Room, encode};
use crate::spawn::{Refusal, Running, Spare, VacantRoom, io_error};
use crate::supervisor::{Places, Supervision};
use palanca_core::ports::{ProcessError, ProcessErrorKind, Written};
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use tokio::task::spawn_blocking;

impl Shared {
    /// Starts a program; returns once it runs.
    pub(crate) async fn start(
        self: &Arc<Self>,
        room: &Room,
        (order, handed): (&Order, Handed),
    ) -> Result<Running, ProcessError> {
        let message = encode(order).map_err(|error| io_error(&order.program(), &error))?;
        Identity::of(&room.plan).give(&handed.stdio);
        let helper = match self.spare(room).take(room) {
            Some(helper) => helper,
            None => self.helper(room, order).await?,
        };
        let mut started = helper.run(&message, &handed).await;
        if started.as_ref().is_err_and(Refusal::is_of_the_room) {
            started = self.helper(room, order).await?.run(&message, &handed).await;
        }
        let started = started.map_err(|refusal| refusal.of(order, room.plan.level));
        if started.as_ref().is_err_and(|error| error.kind == ProcessErrorKind::Isolation) {
            self.machine.forget();
        }
        started
    }

    /// Programs that only read have rooms of their own.
    fn spare(&self, room: &Room) -> &Spare {
        if room.plan.only_reads() { &self.reading_spare } else { &self.spare }
    }

    /// Lets a helper build the same room for the next program.
    pub(crate) fn prepare(self: &Arc<Self>, room: &Room) {
        let (shared, room, reapers) = (Arc::clone(self), room.clone(), self.tasks.tracker().clone());
        self.tasks
            .leave(async move { shared.spare(&room).prepare(&shared.settings.helper, room.clone(), reapers).await });
    }

    async fn helper(&self, room: &Room, order: &Order) -> Result<VacantRoom, ProcessError> {
        let helper = VacantRoom::start(&self.settings.helper, room, self.tasks.tracker().clone()).await;
        helper.map_err(|error| io_error(&order.program(), &error))
    }

    /// The supervisor of a program, and the end of its socket that the program gets; none where nothing is asked for.
    pub(crate) fn supervise(
        &self,
        room: &Room,
        author: &Author,
    ) -> Result<(Option<OwnedFd>, Option<Supervision>), ProcessError> {
        if !room.plan.supervised {
            return Ok((None, None));
        }
        let wrong = |error: std::io::Error| io_error("the supervisor of writes", &error);
        let log = self.settings.writes.begin(author.origin.as_ref(), &author.granted).map_err(wrong)?;
        let (socket, supervision) = Supervision::start(
            log,
            Places::of(room, &self.settings.workspace),
            author.questions.clone(),
            (Arc::clone(&self.turn), self.tasks.tracker()),
        )
        .map_err(wrong)?;
        Ok((Some(socket), Some(supervision)))
    }

    /// What a program has changed, once nothing of it is left.
    pub(crate) async fn written(
        self: &Arc<Self>,
        supervision: Option<Supervision>,
        (room, order): (Room, Order),
    ) -> Written {
        match supervision {
            Some(supervision) => supervision.written().await,
            None if self.sweeps(&room.plan) => {
                let shared = Arc::clone(self);
                // The workspace's file system may be slow, and other workspaces must not wait for it.
                let swept = spawn_blocking(move || {
                    shared.sweep(&room.plan.read_only, &order.argv.join(OsStr::new(" ")).to_string_lossy())
                });
                swept.await.unwrap_or_default()
            }
            None => Written::default(),
        }
    }
}
