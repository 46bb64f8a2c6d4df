//! A call whose arguments fit and whose effects are known: what guards, hooks and people judge.

use super::{CommandClass, CommandReading, Files, FilesHandle};
use crate::arguments::Repair;
use crate::call::{CallId, Digest, Effects, FileDelta, Network, Origin, Preview, Scope, Sensitivity, Spec, ToolError};
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// The tool of a checked call: it can be looked at, not run.
pub(crate) trait CalledTool: Send + Sync {
    /// Its card.
    fn spec(&self) -> &Spec;

    /// What the call would change; nothing once it runs.
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

    /// The tool's card.
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

    /// What was read of each program that would be started or spoken to, in the order of the effects.
    #[must_use]
    pub fn commands(&self) -> &[CommandReading] {
        &self.commands
    }

    /// Whether the mode `confirm-sensitive` asks a person: the tool says so, a file would change, a host would be sent
    /// something, or a command is more than safe.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        self.spec().sensitivity == Sensitivity::Always
            || !self.effects.changes_no_files()
            || self.effects.sends()
            || self.commands.iter().any(|command| command.class > CommandClass::Safe)
    }

    /// Whether a program that reaches the network would be started or spoken to.
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

    /// What would change, computed when first asked for. None when the tool has nothing to show, or has begun to run.
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

    /// What programs changed that the call ran; empty before, and without supervision.
    #[must_use]
    pub fn changed_by_programs(&self) -> &[FileDelta] {
        self.changed.get().map_or(&[], Vec::as_slice)
    }

    /// Those of them that are somebody's own files: what git and build tools keep is no edit.
    pub fn edited_by_programs(&self) -> impl Iterator<Item = &FileDelta> {
        self.changed_by_programs().iter().filter(|delta| delta.is_edit())
    }

    /// The same call with other effects, for judging alone: it cannot run.
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
}

/// What a tool may look at before the call is allowed: the files that its own effects cover, for reading only.
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
