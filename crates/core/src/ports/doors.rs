//! Doors that the gate itself does not consult: what it holds of them, by type, and what one call holds of one.

use crate::call::{Cancel, Effect, Effects, Scope};
use std::any::{Any, TypeId};
use std::sync::Arc;

/// What a tool holds of a door: as much of it as its permit names. A further door is one such handle, with its port.
pub trait Handle: Sized {
    /// The port behind the door.
    type Port: ?Sized + Send + Sync + 'static;

    /// The handle of one call; without a port where the gate has none.
    fn new(port: Option<Arc<Self::Port>>, grant: Grant) -> Self;
}

/// A [`Handle`](crate::ports::Handle) that is nothing but `port` and `grant`, which are its fields: `handle! { pub struct NotesHandle: dyn Notes }`, with its
/// documentation inside.
#[macro_export]
macro_rules! handle {
    ($(#[$words:meta])* $seen:vis struct $name:ident: $port:ty) => {
        $(#[$words])*
        $seen struct $name {
            port: ::std::option::Option<::std::sync::Arc<$port>>,
            grant: $crate::ports::Grant,
        }

        impl $crate::ports::Handle for $name {
            type Port = $port;

            fn new(port: ::std::option::Option<::std::sync::Arc<$port>>, grant: $crate::ports::Grant) -> Self {
                Self { port, grant }
            }
        }
    };
}

pub(crate) use handle;

/// What one call was granted. Only its context makes one.
pub struct Grant {
    effects: Arc<Effects>,
    scope: Scope,
    /// Once cancelled, the permit is void.
    cancel: Arc<Cancel>,
}

impl Grant {
    pub(crate) const fn new(effects: Arc<Effects>, scope: Scope, cancel: Arc<Cancel>) -> Self {
        Self { effects, scope, cancel }
    }

    /// Whether this is one of the effects, and the permit is still valid.
    pub fn holds(&self, is_it: impl Fn(&Effect) -> bool) -> bool {
        !self.cancel.is_cancelled() && self.effects.iter().any(is_it)
    }

    /// What was judged.
    #[must_use]
    pub fn effects(&self) -> &Effects {
        &self.effects
    }

    /// Where the call belongs.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Ends with the call.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

/// Ports by type.
#[derive(Clone, Default)]
pub(crate) struct Doors(Arc<Vec<(TypeId, Port)>>);

/// A port behind its own pointer.
type Port = Arc<dyn Any + Send + Sync>;

impl Doors {
    pub(crate) fn set<P: ?Sized + Send + Sync + 'static>(&mut self, port: Arc<P>) {
        let doors = Arc::make_mut(&mut self.0);
        doors.retain(|(known, _)| *known != TypeId::of::<P>());
        doors.push((TypeId::of::<P>(), Arc::new(port)));
    }

    pub(crate) fn get<P: ?Sized + Send + Sync + 'static>(&self) -> Option<&Arc<P>> {
        let (_, port) = self.0.iter().find(|(known, _)| *known == TypeId::of::<P>())?;
        port.downcast_ref()
    }
}
