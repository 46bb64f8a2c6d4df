//! The kinds of subagents.

use super::ceiling::Ceiling;
use crate::agents::{Agent, Allowed};
use crate::answer::AnswerForm;
use crate::prompt::{Instructions, Role};
use palanca_core::{ConfirmMode, Toolset};

/// The tools of `test` that a hint does not tell: they start programs.
const PROGRAMS: [&str; 3] = ["run_command", "exec", "process"];

/// A kind of subagent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Does whatever its parent may do.
    General,
    /// Looks around and reports.
    Explore,
    /// Looks around and runs programs, to find out whether something works.
    Test,
    /// Looks for faults and reports.
    Review,
}

impl Profile {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::General, Self::Explore, Self::Test, Self::Review];

    /// Its name in arguments and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Explore => "explore",
            Self::Test => "test",
            Self::Review => "review",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    pub(super) const fn ceiling(self) -> Ceiling {
        match self {
            Self::General => Ceiling::Parent,
            Self::Test => Ceiling::Programs,
            Self::Explore | Self::Review => Ceiling::Looking,
        }
    }

    /// The agent of this kind. It is offered what its ceiling would not refuse anyway, out of what its parent has.
    pub(super) fn agent(self, given: &Toolset, steps: u32) -> Agent {
        let looks = |name: &&str| given.get(name).is_some_and(|tool| tool.spec().annotations.read_only);
        let allowed = match self {
            Self::General => Allowed::Every,
            Self::Explore | Self::Review | Self::Test => {
                let programs: &[&str] = if self == Self::Test { &PROGRAMS } else { &[] };
                let named = given.names().filter(|name| looks(name) || programs.contains(name));
                Allowed::Named(named.map(str::to_owned).collect())
            }
        };
        Agent {
            name: self.name().to_owned(),
            instructions: Instructions::Role(match self {
                Self::General => Role::Worker,
                Self::Explore => Role::Explore,
                Self::Test => Role::Test,
                Self::Review => Role::Review,
            }),
            allowed,
            // The gate's own mode holds; this one could only make it stricter.
            confirm_mode: ConfirmMode::Yolo,
            max_steps: steps,
            answer: AnswerForm::Text,
        }
    }
}
