//! A call whose arguments fit and whose effects are known: what guards, hooks and people judge.

use crate::arguments::Repair;
use crate::call::{CallId, Digest, Effects, Network, Origin, Scope, ToolError};
use crate::ports::{CommandClass, CommandReading, Files};
use crate::registry::Registered;
use crate::tool::{FileDelta, Prepared, Preview, PreviewCx, Sensitivity, Spec};
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A resolved and validated call.
pub struct CheckedCall {
    pub(super) id: CallId,
    pub(super) registered: Arc<Registered>,
    pub(super) arguments: Value,
    pub(super) origin: Origin,
    pub(super) scope: Scope,
    pub(super) effects: Arc<Effects>,
    pub(super) commands: Vec<CommandReading>,
    pub(super) digest: Digest,
    pub(super) repairs: Vec<Repair>,
    /// Gone once the call runs.
    pub(super) prepared: Option<Box<dyn Prepared>>,
    pub(super) files: Arc<dyn Files>,
    pub(super) preview: OnceLock<Result<Option<Preview>, ToolError>>,
    /// Known after the run.
    pub(super) changed: OnceLock<Vec<FileDelta>>,
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
        self.registered.tool.spec()
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
            self.prepared.as_ref().map_or(Ok(None), |prepared| prepared.preview(&cx))
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
    pub(super) fn with_effects(&self, effects: Effects) -> Self {
        Self {
            id: self.id.clone(),
            registered: Arc::clone(&self.registered),
            arguments: self.arguments.clone(),
            origin: self.origin.clone(),
            scope: self.scope.clone(),
            effects: Arc::new(effects),
            commands: Vec::new(),
            digest: self.digest,
            repairs: Vec::new(),
            prepared: None,
            files: Arc::clone(&self.files),
            preview: OnceLock::new(),
            changed: OnceLock::new(),
        }
    }

    pub(super) const fn effects_shared(&self) -> &Arc<Effects> {
        &self.effects
    }
}
