//! A call with valid arguments and known effects, as judged by guards, hooks and people.

use super::{CommandClass, CommandReading, Files, FilesHandle};
use crate::arguments::Repair;
use crate::call::{
    ActKind, CallId, CanonicalPath, Digest, Effect, Effects, FileDelta, Launch, Network, Origin, Preview, Scope,
    Sensitivity, Spec, ToolError,
};
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// The tool of a checked call: it can be inspected, not run.
pub(crate) trait CalledTool: Send + Sync {
    /// Its specification.
    fn spec(&self) -> &Spec;

    /// What the call would change; none once it runs.
    fn preview(&self, cx: &PreviewCx) -> Result<Option<Preview>, ToolError>;
}

/// A resolved and validated call.
pub struct CheckedCall {
    pub(crate) id: CallId,
    pub(crate) tool: Arc<dyn CalledTool>,
    pub(crate) arguments: Value,
    pub(crate) origin: Origin,
    pub(crate) scope: Scope,
    pub(crate) effects: Arc<Effects>,
    pub(crate) commands: Vec<CommandReading>,
    pub(crate) digest: Digest,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) preview: OnceLock<Result<Option<Preview>, ToolError>>,
    /// Known after the run.
    pub(crate) changed: OnceLock<Vec<FileDelta>>,
}

impl CheckedCall {
    /// The call's id.
    #[must_use]
    pub const fn id(&self) -> &CallId {
        &self.id
    }

    /// The tool's specification.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        self.tool.spec()
    }

    /// The arguments, repaired and valid.
    #[must_use]
    pub const fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Who asked.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Where the call belongs.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What it would do, on canonical paths.
    #[must_use]
    pub fn effects(&self) -> &Effects {
        &self.effects
    }

    /// The reading of each program that would be started or fed, in the order of the effects.
    #[must_use]
    pub fn commands(&self) -> &[CommandReading] {
        &self.commands
    }

    /// Whether the mode `confirm-sensitive` asks a person: the tool declares it, a file would change, something would
    /// be sent to a host, a command is more than safe, or an act is of a kind that asks.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        self.spec().sensitivity == Sensitivity::Always
            || !self.effects.changes_no_files()
            || self.effects.sends()
            || self.effects.acts().any(ActKind::is_sensitive)
            || self.commands.iter().any(|command| command.class > CommandClass::Safe)
    }

    /// Whether a program with network access would be started or fed.
    #[must_use]
    pub fn has_network(&self) -> bool {
        self.commands.iter().any(|command| command.network == Network::Open)
    }

    /// SHA-256 of tool and arguments.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The repairs that were made to the arguments.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// What would change, computed when first needed. None if the tool has nothing to show or has begun to run.
    ///
    /// # Errors
    /// The error that the run would end with.
    pub fn preview(&self) -> Result<Option<&Preview>, &ToolError> {
        let preview = self.preview.get_or_init(|| {
            let cx = PreviewCx::new(Arc::clone(&self.files), Arc::clone(&self.effects));
            self.tool.preview(&cx)
        });
        preview.as_ref().map(Option::as_ref)
    }

    /// What the call's programs changed; empty before the run, and without supervision.
    #[must_use]
    pub fn changed_by_programs(&self) -> &[FileDelta] {
        self.changed.get().map_or(&[], Vec::as_slice)
    }

    /// The same without files of git and build tools, which do not count as edits.
    pub fn edited_by_programs(&self) -> impl Iterator<Item = &FileDelta> {
        self.changed_by_programs().iter().filter(|delta| delta.is_edit())
    }

    /// The same call with other effects, only for judging: it cannot run.
    pub(crate) fn with_effects(&self, effects: Effects) -> Self {
        Self {
            id: self.id.clone(),
            tool: Arc::clone(&self.tool),
            arguments: self.arguments.clone(),
            origin: self.origin.clone(),
            scope: self.scope.clone(),
            effects: Arc::new(effects),
            commands: Vec::new(),
            digest: self.digest,
            repairs: Vec::new(),
            files: Arc::clone(&self.files),
            preview: OnceLock::new(),
            changed: OnceLock::new(),
        }
    }

    /// The same call as if this program of it had requested this file, only for judging: it cannot run.
    pub(crate) fn requesting(&self, launch: &Launch, path: &CanonicalPath) -> Self {
        let requesting = Launch { writes: vec![path.clone()], ..launch.clone() };
        let digest = [self.digest, requesting.digest()].map(|digest| *digest.as_bytes()).concat();
        let effects = self.effects.iter().map(|effect| match effect {
            Effect::Run(own) if **own == *launch => Effect::Run(Box::new(requesting.clone())),
            other => other.clone(),
        });
        Self {
            commands: self.commands.clone(),
            digest: Digest::of_bytes(&digest),
            ..self.with_effects(effects.collect())
        }
    }
}

/// What a tool may read before the call is allowed: the files that its own effects cover.
pub struct PreviewCx {
    files: FilesHandle,
}

impl PreviewCx {
    pub(crate) fn new(files: Arc<dyn Files>, effects: Arc<Effects>) -> Self {
        Self { files: FilesHandle::read_only(files, effects) }
    }

    /// The workspace, for reading.
    #[must_use]
    pub const fn files(&self) -> &FilesHandle {
        &self.files
    }
}
