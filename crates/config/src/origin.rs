//! Where a value came from, as shown in messages and `config explain`.

use std::fmt;

/// Whether a person has accepted the content of a project's file (`palanca config trust`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trust {
    /// Its content was accepted: it may set everything.
    Trusted,
    /// It may only make things stricter.
    Untrusted,
}

/// The layer of a value, weakest first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Built in.
    Default,
    /// The user's own file.
    User(String),
    /// The file of the project in the workspace.
    Project(String, Trust),
    /// A file named on the command line, trusted like the user's own.
    Named(String),
    /// What the configuration says of the bot that acts.
    Bot(String),
    /// An environment variable.
    Environment(String),
    /// A command-line flag.
    Flag(String),
}

impl Origin {
    /// Weaker layers have smaller ranks.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::User(_) => 1,
            Self::Project(..) => 2,
            Self::Named(_) => 3,
            Self::Bot(_) => 4,
            Self::Environment(_) => 5,
            Self::Flag(_) => 6,
        }
    }

    pub(crate) fn is_project(&self) -> bool {
        matches!(self, Self::Project(..))
    }

    pub(crate) fn is_untrusted(&self) -> bool {
        matches!(self, Self::Project(_, Trust::Untrusted))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::User(path) | Self::Project(path, _) | Self::Named(path) => f.write_str(path),
            Self::Bot(id) => write!(f, "the bot {id}"),
            Self::Environment(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

/// An origin with the line in its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The layer.
    pub origin: Origin,
    /// 1-based line, for files whose parser knows it.
    pub line: Option<u32>,
}

impl Place {
    pub(crate) fn new(origin: Origin, line: u32) -> Self {
        Self { origin, line: (line > 0).then_some(line) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.origin),
            None => write!(f, "{}", self.origin),
        }
    }
}
