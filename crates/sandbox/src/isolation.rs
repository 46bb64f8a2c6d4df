//! The isolation of a program. The helper applies it to itself; none of it runs in the parent.
//!
//! Three independent mechanisms: namespaces ([`root`], [`guards`]: an absent file cannot be touched), Landlock ([`rules`])
//! and seccomp ([`syscalls`]); all capabilities are dropped ([`privileges`]).

pub(crate) mod asking;
pub(crate) mod covers;
pub(crate) mod devices;
pub(crate) mod guards;
mod mounts;
pub(crate) mod private;
pub(crate) mod privileges;
pub(crate) mod root;
pub(crate) mod rules;
pub(crate) mod syscalls;

use serde::{Deserialize, Serialize};

use crate::order::Level;

/// What must keep programs in. There is no default: whoever builds a sandbox says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// [`Level::Full`], or no program starts.
    Full,
    /// The best level that this machine has; below [`Level::Filters`] no program starts.
    Best,
    /// None at all. Only the operator may say so, outside the workspace.
    Unsandboxed,
}

impl Isolation {
    /// The level to use on a machine whose best level is `best`; none when programs must not start.
    #[must_use]
    pub fn level(self, best: Level) -> Option<Level> {
        match self {
            Self::Full => (best == Level::Full).then_some(Level::Full),
            Self::Best => (best >= Level::Filters).then_some(best),
            Self::Unsandboxed => Some(Level::None),
        }
    }
}
