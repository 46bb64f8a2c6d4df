//! The vocabularies in which the tools are offered: names, arguments, defaults and texts of each toolset.
//!
//! A toolset holds no behaviour: it maps an argument list to an operation. Only [`crate::list`] says what is offered
//! where. All are complete except `bots`, which so far has only the tools that run programs and those of the web.

pub(crate) mod architect;
pub(crate) mod bots;
pub(crate) mod contracts;
pub(crate) mod palanca;
pub(crate) mod picoclaw;

use palanca_core::ResultShape;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A toolset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolsetName {
    /// Every tool, in the field's usual names.
    #[default]
    Palanca,
    /// The tools of the architect agent, argument for argument as documented.
    Architect,
    /// The tools of a bot that lives in a chat. So far: `exec`, `process`, `web_search` and `web_fetch`.
    Bots,
    /// The tools of the picoclaw assistant, argument for argument as documented.
    Picoclaw,
    /// The tools of the contracts document: structured JSON in and out, nothing that changes anything.
    Contracts,
}

impl ToolsetName {
    /// Every toolset, the default one first.
    pub const ALL: [Self; 5] = [Self::Palanca, Self::Architect, Self::Bots, Self::Picoclaw, Self::Contracts];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Palanca => "palanca",
            Self::Architect => "architect",
            Self::Bots => "bots",
            Self::Picoclaw => "picoclaw",
            Self::Contracts => "contracts",
        }
    }

    /// How results of this toolset look.
    #[must_use]
    pub const fn shape(self) -> ResultShape {
        match self {
            Self::Palanca => ResultShape::Palanca,
            Self::Architect => ResultShape::Architect,
            Self::Bots => ResultShape::Bots,
            Self::Picoclaw => ResultShape::Picoclaw,
            Self::Contracts => ResultShape::Contracts,
        }
    }
}

impl fmt::Display for ToolsetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A toolset that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no toolset '{0}': use palanca, architect, bots, picoclaw or contracts")]
pub struct UnknownToolset(pub String);

impl FromStr for ToolsetName {
    type Err = UnknownToolset;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|toolset| toolset.name() == name).ok_or_else(|| UnknownToolset(name.to_owned()))
    }
}
