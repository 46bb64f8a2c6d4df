//! This program was built without the engine.

pub(crate) const BUILT: bool = false;

/// Does nothing: no script is run by this build.
pub const fn enter() {}
