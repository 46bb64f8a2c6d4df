//! Renders notes and skills as sections of a system prompt. The surrounding texts are in `prompts/*.md`; the same files
//! give the same bytes, so that a provider's cache works. A repository's text is enclosed in tags that it cannot forge,
//! and separated from texts that the user has accepted.

mod notes;
mod skills;
mod words;

pub use notes::{TellNote, notes_section};
pub use skills::{TellSkill, skills_section};

/// Whether the user has vouched for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It is the user's own, or was accepted in its current form.
    Accepted,
    /// It came with the repository.
    Unvouched,
}

impl Trust {
    const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "yes",
            Self::Unvouched => "no",
        }
    }
}

/// One section: its heading and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The heading.
    pub title: &'static str,
    /// The text below it.
    pub text: String,
    /// Paths of truncated or omitted files.
    pub cut: Vec<String>,
}

#[cfg(test)]
mod tests;
