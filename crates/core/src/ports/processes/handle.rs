//! A process door restricted to one call: the started launch must equal the permit's, to the last variable.

use super::{
    Attach, Attached, By, Finished, Owner, Polled, ProcessError, ProcessErrorKind, ProcessStatus, Processes, Profile,
    Run, RunLimits, Tail, WriteQuestionSender, WriteQuestions,
};
use crate::call::{Cancel, Effect, Effects, FileDelta, Launch, ProcessId};
use crate::ports::{ChangeOrigin, CommandPart, CommandReading, CommandText, Written};
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use std::sync::Arc;

/// The process door, restricted to one call's effects.
pub struct ProcessesHandle {
    pub(crate) door: Arc<dyn Processes>,
    pub(crate) effects: Arc<Effects>,
    pub(crate) owner: Owner,
    pub(crate) origin: ChangeOrigin,
    /// Once cancelled, the permit is void.
    pub(crate) cancel: Arc<Cancel>,
    /// Receives program output for an observer.
    pub(crate) tail: Option<Tail>,
    /// Collects the changes of programs.
    pub(crate) changed: ChangedFiles,
    /// Where its programs ask for protected files while they run, if anybody may be asked.
    pub(crate) questions: Option<WriteQuestionSender>,
    /// The reading of each command, in the order of the effects.
    pub(crate) readings: Vec<CommandReading>,
}

/// The changes of one call's programs, shared with the gate.
pub(crate) type ChangedFiles = Arc<Mutex<Vec<FileDelta>>>;

impl ProcessesHandle {
    /// The programs that this call may start, in the order claimed.
    pub fn granted(&self) -> impl Iterator<Item = &Launch> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Run(launch) => Some(&**launch),
            _ => None,
        })
    }

    /// Runs a program to its end.
    ///
    /// # Errors
    /// As [`Processes::run`]; [`ProcessErrorKind::NotGranted`] for anything but exactly what was judged.
    pub async fn run(&self, launch: &Launch, limits: RunLimits) -> Result<Finished, ProcessError> {
        self.allow(launch)?;
        let questions = self.questions.clone().map(|gate| WriteQuestions::to(gate, launch.clone()));
        let (tail, questions) = (self.tail.as_ref(), questions.as_ref());
        let run = Run { by: self.by(), limits, cancel: &self.cancel, tail, questions };
        let mut finished = self.door.run(launch, run).await?;
        self.tell(&finished.written);
        let line = CommandText::Read(launch, self.parts_of(launch));
        finished.notes.extend(finished.written.refusals(&line));
        Ok(finished)
    }

    fn parts_of(&self, launch: &Launch) -> &[CommandPart] {
        let commands = self.effects.iter().filter(|effect| effect.is_command()).zip(&self.readings);
        let read = commands.filter_map(|(effect, reading)| match effect {
            Effect::Run(granted) if **granted == *launch => Some(reading.parts.as_slice()),
            _ => None,
        });
        read.last().unwrap_or_default()
    }

    fn tell(&self, written: &Written) {
        let mut changed = self.changed.lock();
        changed.extend_from_slice(&written.changed);
    }

    /// Starts a program that is spoken to. It ends with the call; its changes are the call's if its end is awaited.
    ///
    /// # Errors
    /// As [`Processes::attach`]; [`ProcessErrorKind::NotGranted`] as above, and for a profile with further folders: those were
    /// not judged.
    pub async fn attach(&self, launch: &Launch, profile: &Profile) -> Result<Attached, ProcessError> {
        self.allow(launch)?;
        self.check(profile.is_narrow(), &launch.command)?;
        let attached = self.door.attach(launch, Attach { by: self.by(), profile, cancel: &self.cancel }).await?;
        Ok(attached.telling(Arc::clone(&self.changed)))
    }

    /// Starts a program and leaves it in the background.
    ///
    /// # Errors
    /// As [`Processes::start`]; [`ProcessErrorKind::NotGranted`] as above.
    pub async fn start(&self, launch: &Launch) -> Result<ProcessStatus, ProcessError> {
        self.allow(launch)?;
        self.door.start(launch, self.by()).await
    }

    /// The background programs of the call's owner. Needs no permit, because it shows only the owner's programs.
    #[must_use]
    pub fn list(&self) -> Vec<ProcessStatus> {
        self.door.list(&self.owner)
    }

    /// A program's output since the last poll. Needs no permit, like [`Self::list`].
    ///
    /// # Errors
    /// As [`Processes::poll`].
    pub fn poll(&self, id: &ProcessId) -> Result<Polled, ProcessError> {
        let mut polled = self.door.poll(&self.owner, id)?;
        self.tell(&polled.written);
        polled.notes.extend(polled.written.refusals(&CommandText::Unread(&polled.status.command)));
        Ok(polled)
    }

    /// Writes to a program, exactly what was judged.
    ///
    /// # Errors
    /// As [`Processes::write`].
    pub async fn write(&self, id: &ProcessId, input: &str) -> Result<usize, ProcessError> {
        let granted = self.effects.iter().any(
            |effect| matches!(effect, Effect::Feed { process, input: granted } if process == id && granted == input),
        );
        self.check(granted, id)?;
        self.door.write(&self.owner, id, input.as_bytes()).await
    }

    /// Ends a program.
    ///
    /// # Errors
    /// As [`Processes::kill`].
    pub async fn kill(&self, id: &ProcessId) -> Result<ProcessStatus, ProcessError> {
        self.check(self.may_stop(id), id)?;
        self.door.kill(&self.owner, id).await
    }

    /// Forgets a program that has ended.
    ///
    /// # Errors
    /// As [`Processes::clear`].
    pub fn clear(&self, id: &ProcessId) -> Result<(), ProcessError> {
        self.check(self.may_stop(id), id)?;
        let has_ended = |status: &ProcessStatus| status.id == *id && status.exit.is_some();
        if self.door.list(&self.owner).iter().any(has_ended) {
            // Its changes are reported only once: this is the last chance.
            self.tell(&self.door.poll(&self.owner, id)?.written);
        }
        self.door.clear(&self.owner, id)
    }

    fn may_stop(&self, id: &ProcessId) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Stop(process) if process == id))
    }

    fn allow(&self, launch: &Launch) -> Result<(), ProcessError> {
        self.check(self.granted().any(|granted| granted == launch), &launch.command)
    }

    fn check(&self, granted: bool, what: &impl ToString) -> Result<(), ProcessError> {
        if granted && !self.cancel.is_cancelled() {
            return Ok(());
        }
        Err(ProcessError::new(ProcessErrorKind::NotGranted, what.to_string()))
    }

    const fn by(&self) -> By<'_> {
        By { owner: &self.owner, call: &self.origin.call, session: Some(&self.origin.session) }
    }
}

/// A door without processes: for gates whose tools start none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProcesses;

pub(super) fn closed<T>(what: &impl ToString) -> Result<T, ProcessError> {
    Err(ProcessError::new(ProcessErrorKind::Disabled, what.to_string()))
}

impl Processes for NoProcesses {
    fn isolation(&self) -> &'static str {
        "none"
    }

    fn run<'a>(&'a self, launch: &'a Launch, _run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(async { closed(&launch.command) })
    }

    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        _input: &'a [u8],
        _run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(async { closed(&launch.command) })
    }
}
