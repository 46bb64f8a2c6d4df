//! Acts: the port that performs those of one kind, and the handle that limits what one call may do.

use super::doors::{Grant, Handle};
use super::voice::Voice;
use crate::call::{Act, ActKind, Cancel, Effect, ErrorKind, Output, Scope, ToolError};
use crate::message::Message;
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::sync::Arc;

/// Performs the acts of one kind.
pub trait Acts: Send + Sync {
    /// The act as it is judged and performed: a name becomes the number that it stands for. Must be fast.
    ///
    /// # Errors
    /// No such target.
    fn locate(&self, act: &Act, scope: &Scope) -> Result<Act, ToolError> {
        let _ = scope;
        Ok(act.clone())
    }

    /// Why only a person may let it happen, if so: a mode without questions refuses it, and no rule answers for the person.
    fn needs_a_person(&self, act: &Act, scope: &Scope) -> Option<Message> {
        let _ = (act, scope);
        None
    }

    /// Performs it, once, for a call that belongs to `scope`. What it returns is the tool's to show.
    fn perform<'a>(
        &'a self,
        act: &'a Act,
        scope: &'a Scope,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>>;

    /// The same, saying meanwhile how far it is.
    fn perform_aloud<'a>(
        &'a self,
        act: &'a Act,
        (scope, cancel): (&'a Scope, &'a Cancel),
        _voice: &'a Voice,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        self.perform(act, scope, cancel)
    }
}

/// Who performs which kind; each is given to a gate by [`GateBuilder::acts`](crate::gate::GateBuilder::acts).
#[derive(Clone, Default)]
pub struct Performers(HashMap<ActKind, Arc<dyn Acts>>);

impl Performers {
    pub(crate) fn with(&self, kind: ActKind, performer: Arc<dyn Acts>) -> Self {
        let mut all = self.clone();
        all.0.insert(kind, performer);
        all
    }

    pub(crate) fn of(&self, kind: ActKind) -> Option<&dyn Acts> {
        self.0.get(&kind).map(|performer| &**performer)
    }
}

/// Acts as one call may perform them: exactly those that the permit names.
pub struct ActsHandle {
    performers: Option<Arc<Performers>>,
    grant: Grant,
}

impl Handle for ActsHandle {
    type Port = Performers;

    fn new(performers: Option<Arc<Performers>>, grant: Grant) -> Self {
        Self { performers, grant }
    }
}

impl ActsHandle {
    /// The acts that this call may perform, in the order claimed.
    pub fn granted(&self) -> impl Iterator<Item = &Act> {
        self.grant.effects().iter().filter_map(|effect| match effect {
            Effect::Act(act) => Some(&**act),
            _ => None,
        })
    }

    /// See [`Acts::perform`].
    ///
    /// # Errors
    /// As there; [`ErrorKind::NotGranted`] for anything but exactly what was judged, [`ErrorKind::NotFound`] where the gate
    /// has nobody who performs this kind.
    pub async fn perform(&self, act: &Act) -> Result<Output, ToolError> {
        self.granted_performer(act)?.perform(act, self.grant.scope(), self.grant.cancel()).await
    }

    /// See [`Acts::perform_aloud`].
    ///
    /// # Errors
    /// As [`Self::perform`].
    pub async fn perform_aloud(&self, act: &Act, voice: &Voice) -> Result<Output, ToolError> {
        let circumstances = (self.grant.scope(), self.grant.cancel());
        self.granted_performer(act)?.perform_aloud(act, circumstances, voice).await
    }

    fn granted_performer(&self, act: &Act) -> Result<&dyn Acts, ToolError> {
        let kind = act.kind.name();
        if !self.grant.holds(|effect| matches!(effect, Effect::Act(granted) if **granted == *act)) {
            return Err(ToolError::new(ErrorKind::NotGranted, Message::new("act-not-granted").with("kind", kind)));
        }
        match self.performers.as_ref().and_then(|performers| performers.of(act.kind)) {
            Some(performer) => Ok(performer),
            None => Err(ToolError::new(ErrorKind::NotFound, Message::new("act-no-door").with("kind", kind))),
        }
    }
}
