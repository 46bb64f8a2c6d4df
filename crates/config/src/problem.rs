//! Problems of a configuration, all reported at once: each entry names the place, the key and what to do.

use std::fmt;

use crate::origin::Place;

/// One problem. The program does not start with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it was written.
    pub place: Place,
    /// The dotted key; empty when the file as a whole cannot be read.
    pub key: String,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key.is_empty() {
            write!(f, "{}: {}", self.place, self.message)
        } else {
            write!(f, "{}: {}: {}", self.place, self.key, self.message)
        }
    }
}

/// All problems, in the order of the layers and their lines. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigErrors(pub Vec<Problem>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

/// Why a well-formed value has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// The key is known, but not implemented yet.
    NotYet,
    /// The key has no meaning here; others say the same.
    Elsewhere,
    /// An untrusted project file tried to widen something.
    NotTrusted,
    /// A file of the workspace said what no file there may say, trusted or not.
    NeverHere,
    /// An environment variable looks meant for this program but matches no key.
    UnknownVariable,
}

/// A value that was understood but not used. The program starts with a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where it was written.
    pub place: Place,
    /// The dotted key, or the name of the variable.
    pub key: String,
    /// Why it has no effect.
    pub kind: WarningKind,
    /// What happens instead and what to do.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The place of a variable is its name.
        if self.kind == WarningKind::UnknownVariable {
            return write!(f, "{}: {}", self.place, self.message);
        }
        write!(f, "{}: {}: {}", self.place, self.key, self.message)
    }
}
