//! The call and session that a program writes for.

use palanca_core::call::{Launch, Root};
use palanca_core::ports::{By, ChangeOrigin, WriteQuestions};
use std::path::PathBuf;

/// On whose behalf a program writes.
pub(crate) struct Author {
    /// Whose step it is what it changes.
    pub(super) origin: Option<ChangeOrigin>,
    /// Protected files that a person approved, relative to the workspace.
    pub(super) granted: Vec<PathBuf>,
    /// Where it asks for others while it runs.
    pub(super) questions: Option<WriteQuestions>,
}

impl Author {
    pub(crate) fn of(launch: &Launch, by: &By<'_>) -> Self {
        let origin = by.session.map(|session| ChangeOrigin { session: session.clone(), call: by.call.clone() });
        let granted = launch.writes.iter().filter(|path| path.root() == Root::Workspace);
        Self { origin, granted: granted.map(|path| path.relative().to_owned()).collect(), questions: None }
    }

    /// The same, of a program that may ask while it runs.
    pub(super) fn asking(self, questions: Option<&WriteQuestions>) -> Self {
        Self { questions: questions.cloned(), ..self }
    }
}
