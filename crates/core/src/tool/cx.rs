//! The context of a running tool: handles restricted by the permit, and nothing else.

use super::permit::Permit;
use crate::call::{Cancel, Scope};
use crate::ports::{
    ActsHandle, ArtifactsHandle, CallSubagents, ChangedFiles, ChannelsHandle, Clock, CommandReading, Doors, Files,
    FilesHandle, Grant, Handle, Hops, Owner, Processes, ProcessesHandle, SubagentsHandle, Tail, Voice, Web, WebHandle,
    WriteQuestionSender,
};
use std::sync::Arc;
use std::time::Duration;

/// The context of one permitted call. Not cloneable, consumed by the run; it never holds the session, the
/// configuration or a global.
///
/// ```compile_fail
/// // There is no way to a context, and so to a run, but through the gate.
/// use palanca_core::tool::ToolCx;
/// let cx = ToolCx { permit: todo!(), ..todo!() };
/// ```
///
/// Passed to [`Tool::run`](crate::Tool::run). Its handles are the only way to the world: [`files`](Self::files),
/// [`processes`](Self::processes), [`web`](Self::web), [`channels`](Self::channels).
pub struct ToolCx {
    permit: Permit,
    files: FilesHandle,
    processes: ProcessesHandle,
    web: WebHandle,
    subagents: SubagentsHandle,
    doors: Doors,
    voice: Voice,
    cancel: Arc<Cancel>,
    clock: Arc<dyn Clock>,
}

/// What the gate lets a call use.
pub(crate) struct World {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) processes: Arc<dyn Processes>,
    pub(crate) web: Arc<dyn Web>,
    pub(crate) hops: Arc<dyn Hops>,
    pub(crate) subagents: Arc<dyn CallSubagents>,
    /// The doors that the gate does not consult itself.
    pub(crate) doors: Doors,
    pub(crate) clock: Arc<dyn Clock>,
    /// What it says while it runs.
    pub(crate) voice: Voice,
    /// Receives program output for an observer.
    pub(crate) tail: Option<Tail>,
    /// Where programs ask for protected files while they run.
    pub(crate) questions: Option<WriteQuestionSender>,
    /// Collects the changes of programs.
    pub(crate) changed: ChangedFiles,
    /// The readings of the call's commands.
    pub(crate) readings: Vec<CommandReading>,
}

impl ToolCx {
    /// Spends the permit on the handles it allows.
    pub(crate) fn new(permit: Permit, world: World, cancel: Cancel) -> Self {
        // Shared, because copying a token costs more than the rest of a handle.
        let cancel = Arc::new(cancel);
        let effects = || permit.effects_shared();
        let files = FilesHandle::new(world.files, effects(), permit.change_origin(), Arc::clone(&cancel));
        let processes = ProcessesHandle {
            door: world.processes,
            effects: effects(),
            owner: Owner::of(permit.scope()),
            origin: permit.change_origin(),
            cancel: Arc::clone(&cancel),
            tail: world.tail,
            changed: world.changed,
            questions: world.questions,
            readings: world.readings,
        };
        let web = WebHandle::new(world.web, world.hops, effects(), Arc::clone(&cancel));
        let subagents = SubagentsHandle::new(world.subagents, effects(), Arc::clone(&cancel));
        Self {
            permit,
            files,
            processes,
            web,
            subagents,
            doors: world.doors,
            voice: world.voice,
            cancel,
            clock: world.clock,
        }
    }

    /// The workspace, as far as the permit allows.
    #[must_use]
    pub const fn files(&self) -> &FilesHandle {
        &self.files
    }

    /// Programs: exactly those named by the permit.
    #[must_use]
    pub const fn processes(&self) -> &ProcessesHandle {
        &self.processes
    }

    /// The network: exactly the requests named by the permit.
    #[must_use]
    pub const fn web(&self) -> &WebHandle {
        &self.web
    }

    /// Channels to people: exactly the messages named by the permit.
    #[must_use]
    pub fn channels(&self) -> ChannelsHandle {
        self.door()
    }

    /// Memory, schedules, other bots, servers of others, the telephone: exactly the acts named by the permit.
    #[must_use]
    pub fn acts(&self) -> ActsHandle {
        self.door()
    }

    /// Long texts of this session: those named by the permit.
    #[must_use]
    pub fn artifacts(&self) -> ArtifactsHandle {
        self.door()
    }

    /// A door that another room brought, given to the gate by [`GateBuilder::door`](crate::gate::GateBuilder::door).
    #[must_use]
    pub fn door<H: Handle>(&self) -> H {
        let grant = Grant::new(self.permit.effects_shared(), self.permit.scope().clone(), Arc::clone(&self.cancel));
        H::new(self.doors.get::<H::Port>().cloned(), grant)
    }

    /// What the tool says and asks while it runs: progress, log lines, questions to whoever submitted the call.
    #[must_use]
    pub const fn voice(&self) -> &Voice {
        &self.voice
    }

    /// Subagents: exactly the tasks named by the permit.
    #[must_use]
    pub const fn subagents(&self) -> &SubagentsHandle {
        &self.subagents
    }

    /// Cancelled when the caller gives up or the deadline is reached. Long-running tools should check it.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The clock, which tests can set.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Where the call belongs.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        self.permit.scope()
    }

    /// The time limit of the whole run.
    #[must_use]
    pub const fn time_limit(&self) -> Duration {
        self.permit.time_limit()
    }
}
