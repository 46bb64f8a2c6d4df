//! How a program starts: its supervisor, a helper that has its room, its order. The next helper follows.

use super::{Author, Shared};
use crate::enter::identity::Identity;
use crate::order::{Handed, Order, Room, encode};
use crate::spawn::{Refusal, Running, VacantRoom, io_error};
use crate::supervisor::{Supervision, Zones};
use palanca_core::ports::{ProcessError, ProcessErrorKind};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use tokio_util::task::TaskTracker;

impl Shared {
    /// Starts a program; returns once it runs.
    pub(crate) async fn start(
        self: &Arc<Self>,
        room: &Room,
        (order, handed): (&Order, Handed),
        reapers: TaskTracker,
    ) -> Result<Running, ProcessError> {
        let message = encode(order).map_err(|error| io_error(&order.program(), &error))?;
        Identity::of(&room.plan).give(&handed.stdio);
        let helper = match self.spare.take(room) {
            Some(helper) => helper,
            None => self.helper(room, order, &reapers).await?,
        };
        let mut started = helper.run(&message, &handed).await;
        if started.as_ref().is_err_and(Refusal::is_of_the_room) {
            started = self.helper(room, order, &reapers).await?.run(&message, &handed).await;
        }
        let started = started.map_err(|refusal| refusal.of(order, room.plan.level));
        if let (Err(error), Some(remembered)) = (&started, &self.remembered)
            && error.kind == ProcessErrorKind::Isolation
        {
            remembered.forget();
        }
        if started.is_ok() {
            let (shared, room, own) = (Arc::clone(self), room.clone(), reapers.clone());
            reapers.spawn(async move { shared.spare.prepare(&shared.settings.helper, room, own).await });
        }
        started
    }

    async fn helper(&self, room: &Room, order: &Order, reapers: &TaskTracker) -> Result<VacantRoom, ProcessError> {
        let helper = VacantRoom::start(&self.settings.helper, room, reapers.clone()).await;
        helper.map_err(|error| io_error(&order.program(), &error))
    }

    /// The supervisor of a program, and the end of its socket that the program gets; none where nothing is asked for.
    pub(crate) fn supervise(
        &self,
        room: &Room,
        (author, reapers): (&Author, &TaskTracker),
    ) -> Result<(Option<OwnedFd>, Option<Supervision>), ProcessError> {
        if !room.plan.supervised {
            return Ok((None, None));
        }
        let wrong = |error: std::io::Error| io_error("the supervisor of writes", &error);
        let log = self.settings.writes.begin(author.origin.as_ref(), &author.granted).map_err(wrong)?;
        let (socket, supervision) =
            Supervision::start(log, Zones::of(room), (Arc::clone(&self.turn), reapers)).map_err(wrong)?;
        Ok((Some(socket), Some(supervision)))
    }
}
