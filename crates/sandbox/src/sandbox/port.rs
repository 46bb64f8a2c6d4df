//! What the port asks for, as work of the engine.

use super::{Author, Sandbox, attach};
use crate::order::Level;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::{Launch, ProcessId};
use palanca_core::ports::{
    Attach, Attached, By, Finished, Owner, Polled, ProcessError, ProcessStatus, Processes, Profile, Run, Undoable,
};
use std::sync::Arc;

impl Processes for Sandbox {
    fn undoable(&self) -> Undoable {
        if self.supervises() {
            self.shared.settings.writes.undoable()
        } else {
            Undoable::No(Message::new("undo-unsupervised"))
        }
    }

    fn isolation(&self) -> &'static str {
        match self.level() {
            Level::Full => "full",
            Level::Filters => "filters",
            Level::None => "none",
        }
    }

    fn check(&self, launch: &Launch) -> Result<(), ProcessError> {
        Self::check_variables(launch)
    }

    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        self.run_job(launch, None, run)
    }

    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        self.run_job(launch, Some(input.to_vec()), run)
    }

    fn attach<'a>(&'a self, launch: &'a Launch, attach: Attach<'a>) -> BoxFuture<'a, Result<Attached, ProcessError>> {
        Box::pin(async move {
            let (room, order) = self.shared.order(launch, attach.profile)?;
            let job = attach::Job {
                shared: Arc::clone(&self.shared),
                cancel: attach.cancel.clone(),
                author: Author::of(launch, &attach.by),
            };
            self.shared.tasks.run(job.run(room, order)).await
        })
    }

    fn start<'a>(&'a self, launch: &'a Launch, by: By<'a>) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async move {
            let (room, order) = self.shared.order(launch, &Profile::default())?;
            let start = self.background.start(&self.shared, (launch, by))?;
            self.shared.tasks.run(start.run(room, order)).await
        })
    }

    fn list(&self, owner: &Owner) -> Vec<ProcessStatus> {
        self.background.list(owner)
    }

    fn poll(&self, owner: &Owner, id: &ProcessId) -> Result<Polled, ProcessError> {
        self.background.find(owner, id).map(|session| session.poll(self.level()))
    }

    fn changed<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Ok(session) = self.background.find(owner, id) {
                session.changed().await;
            }
        })
    }

    fn write<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a ProcessId,
        input: &'a [u8],
    ) -> BoxFuture<'a, Result<usize, ProcessError>> {
        Box::pin(async move {
            let session = self.background.find(owner, id)?;
            let input = input.to_vec();
            self.shared.tasks.run(async move { session.write(&input).await }).await
        })
    }

    fn kill<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async move {
            let session = self.background.find(owner, id)?;
            session.stop().await;
            Ok(session.status())
        })
    }

    fn clear(&self, owner: &Owner, id: &ProcessId) -> Result<(), ProcessError> {
        self.background.clear(owner, id)
    }

    fn spoken(&self, owner: &Owner, id: &ProcessId) -> Option<(Launch, String)> {
        self.background.find(owner, id).ok().and_then(|session| session.spoken())
    }
}
