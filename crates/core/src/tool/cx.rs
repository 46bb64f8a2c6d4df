//! The context of a running tool: handles restricted by the permit, and nothing else.

use super::permit::Permit;
use crate::call::{Cancel, Scope};
use crate::ports::{
    Artifacts, ArtifactsHandle, CallSubagents, ChangedFiles, Channels, ChannelsHandle, Clock, CommandReading, Files,
    FilesHandle, Hops, Owner, Processes, ProcessesHandle, SubagentsHandle, Tail, Web, WebHandle,
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
    channels: ChannelsHandle,
    artifacts: ArtifactsHandle,
    subagents: SubagentsHandle,
    cancel: Arc<Cancel>,
    clock: Arc<dyn Clock>,
}

/// The doors that a call may use.
pub(crate) struct Doors {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) processes: Arc<dyn Processes>,
    pub(crate) web: Arc<dyn Web>,
    pub(crate) hops: Arc<dyn Hops>,
    pub(crate) channels: Arc<dyn Channels>,
    pub(crate) artifacts: Arc<dyn Artifacts>,
    pub(crate) subagents: Arc<dyn CallSubagents>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Receives program output for an observer.
    pub(crate) tail: Option<Tail>,
    /// Collects the changes of programs.
    pub(crate) changed: ChangedFiles,
    /// The readings of the call's commands.
    pub(crate) readings: Vec<CommandReading>,
}

impl ToolCx {
    /// Spends the permit on the handles it allows.
    pub(crate) fn new(permit: Permit, doors: Doors, cancel: Cancel) -> Self {
        // Shared, because copying a token costs more than the rest of a handle.
        let cancel = Arc::new(cancel);
        let effects = || permit.effects_shared();
        let files = FilesHandle::new(doors.files, effects(), permit.change_origin(), Arc::clone(&cancel));
        let processes = ProcessesHandle {
            door: doors.processes,
            effects: effects(),
            owner: Owner::of(permit.scope()),
            origin: permit.change_origin(),
            cancel: Arc::clone(&cancel),
            tail: doors.tail,
            changed: doors.changed,
            readings: doors.readings,
        };
        let web = WebHandle::new(doors.web, doors.hops, effects(), Arc::clone(&cancel));
        let channels = ChannelsHandle::new(doors.channels, effects(), Arc::clone(&cancel));
        let artifacts = ArtifactsHandle::new(doors.artifacts, effects(), permit.scope().clone(), Arc::clone(&cancel));
        let subagents = SubagentsHandle::new(doors.subagents, effects(), Arc::clone(&cancel));
        Self { permit, files, processes, web, channels, artifacts, subagents, cancel, clock: doors.clock }
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
    pub const fn channels(&self) -> &ChannelsHandle {
        &self.channels
    }

    /// Long texts of this session: those named by the permit.
    #[must_use]
    pub const fn artifacts(&self) -> &ArtifactsHandle {
        &self.artifacts
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
