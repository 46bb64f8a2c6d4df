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
pub struct ToolCx {
    permit: Permit,
    files: FilesHandle,
    processes: ProcessesHandle,
    web: WebHandle,
    channels: ChannelsHandle,
    artifacts: ArtifactsHandle,
    subagents: SubagentsHandle,
    cancel: Cancel,
    clock: Arc<dyn Clock>,
}

/// The doors that a call may be let through.
pub(crate) struct Doors {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) processes: Arc<dyn Processes>,
    pub(crate) web: Arc<dyn Web>,
    pub(crate) hops: Arc<dyn Hops>,
    pub(crate) channels: Arc<dyn Channels>,
    pub(crate) artifacts: Arc<dyn Artifacts>,
    pub(crate) subagents: Arc<dyn CallSubagents>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Of whoever watches the call.
    pub(crate) tail: Option<Tail>,
    /// Where programs tell what they changed.
    pub(crate) changed: ChangedFiles,
    /// What was read of the call's commands.
    pub(crate) readings: Vec<CommandReading>,
}

impl ToolCx {
    /// Spends the permit on the handles it allows.
    pub(crate) fn new(permit: Permit, doors: Doors, cancel: Cancel) -> Self {
        let effects = || permit.effects_shared();
        let files = FilesHandle::new(doors.files, effects(), permit.change_origin(), cancel.clone());
        let processes = ProcessesHandle {
            door: doors.processes,
            effects: effects(),
            owner: Owner::of(permit.scope()),
            origin: permit.change_origin(),
            cancel: cancel.clone(),
            tail: doors.tail,
            changed: doors.changed,
            readings: doors.readings,
        };
        let web = WebHandle::new(doors.web, doors.hops, effects(), cancel.clone());
        let channels = ChannelsHandle::new(doors.channels, effects(), cancel.clone());
        let artifacts = ArtifactsHandle::new(doors.artifacts, effects(), permit.scope().clone(), cancel.clone());
        let subagents = SubagentsHandle::new(doors.subagents, effects(), cancel.clone());
        Self { permit, files, processes, web, channels, artifacts, subagents, cancel, clock: doors.clock }
    }

    /// The workspace, as far as the permit goes.
    #[must_use]
    pub const fn files(&self) -> &FilesHandle {
        &self.files
    }

    /// Programs, exactly those that the permit names.
    #[must_use]
    pub const fn processes(&self) -> &ProcessesHandle {
        &self.processes
    }

    /// The network, exactly the requests that the permit names.
    #[must_use]
    pub const fn web(&self) -> &WebHandle {
        &self.web
    }

    /// Ways to reach people, exactly the messages that the permit names.
    #[must_use]
    pub const fn channels(&self) -> &ChannelsHandle {
        &self.channels
    }

    /// Long texts of this session, those that the permit names.
    #[must_use]
    pub const fn artifacts(&self) -> &ArtifactsHandle {
        &self.artifacts
    }

    /// Other agents, for exactly the tasks that the permit names.
    #[must_use]
    pub const fn subagents(&self) -> &SubagentsHandle {
        &self.subagents
    }

    /// Cancelled when the caller gives up or the deadline is reached. Long work should look at it.
    #[must_use]
    pub const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Time, which tests can set.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Where the call belongs.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        self.permit.scope()
    }

    /// How long the run may take in all.
    #[must_use]
    pub const fn time_limit(&self) -> Duration {
        self.permit.time_limit()
    }
}
