//! Proof that exactly this call may run, once, with exactly these effects.

use crate::call::{CallId, Digest, Effects, Scope};
use crate::ports::{ChangeOrigin, CheckedCall};
use std::sync::Arc;
use std::time::Duration;

/// Single-use proof. Only the gate makes one, it cannot be cloned, and building a [`ToolCx`](crate::ToolCx) consumes it.
///
/// ```compile_fail,E0451
/// // No fields can be filled in from outside…
/// use palanca_core::Permit;
/// let forged = Permit { ..todo!() };
/// ```
///
/// ```compile_fail,E0624
/// // …the constructor is the gate's own…
/// use palanca_core::{Permit, gate::CheckedCall};
/// fn forge(call: &CheckedCall) -> Permit {
///     Permit::mint(call)
/// }
/// ```
///
/// ```compile_fail,E0599
/// // …and a permit cannot be used twice.
/// fn twice(permit: palanca_core::Permit) -> (palanca_core::Permit, palanca_core::Permit) {
///     (permit.clone(), permit)
/// }
/// ```
#[derive(Debug)]
pub struct Permit {
    call: CallId,
    digest: Digest,
    effects: Arc<Effects>,
    scope: Scope,
    time_limit: Duration,
}

impl Permit {
    pub(crate) fn mint(call: &CheckedCall) -> Self {
        Self {
            call: call.id().clone(),
            digest: call.digest(),
            effects: Arc::clone(&call.effects),
            scope: call.scope().clone(),
            time_limit: call.spec().timeout,
        }
    }

    /// The call that may run.
    #[must_use]
    pub const fn call(&self) -> &CallId {
        &self.call
    }

    /// The arguments that may run.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// What it may touch.
    #[must_use]
    pub fn effects(&self) -> &Effects {
        &self.effects
    }

    /// Where the call belongs.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// How long it may take.
    #[must_use]
    pub const fn time_limit(&self) -> Duration {
        self.time_limit
    }

    pub(crate) fn effects_shared(&self) -> Arc<Effects> {
        Arc::clone(&self.effects)
    }

    pub(crate) fn change_origin(&self) -> ChangeOrigin {
        ChangeOrigin { session: self.scope.session.clone(), call: self.call.clone() }
    }
}
