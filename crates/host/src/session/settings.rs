//! What is chosen for one session, whoever opens it.

use palanca_core::ConfirmMode;
use palanca_core::call::{ChannelId, ChatId, SessionId};
use palanca_core::ports::{Asker, NoAsker};
use palanca_core::tool::Cancel;
use std::sync::Arc;

/// Which kept session it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// None: single calls, of which the audit log knows.
    Nothing,
    /// A new one, where the configuration wants runs to be kept.
    New,
    /// One that was there before.
    Again(SessionId),
}

/// What a dry run does with commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    /// Describes them.
    Described,
    /// Runs them on a temporary layer over the workspace, which receives their changes.
    Layered,
}

/// What is chosen for one session.
pub struct SessionSettings {
    /// When people are asked.
    pub mode: ConfirmMode,
    /// Who is asked.
    pub asker: Arc<dyn Asker>,
    /// The front end at which they answer, for the record: `terminal`.
    pub front: &'static str,
    /// Which kept session it is.
    pub keeping: Keeping,
    /// The job that it does, where it was due and nobody has asked for it.
    pub job: Option<String>,
    /// The chat of a channel that it is the conversation of.
    pub chat: Option<(ChannelId, ChatId)>,
    /// Nothing is changed; None where effects are real.
    pub dry_run: Option<Commands>,
    /// Ends every call of the session when cancelled.
    pub cancel: Cancel,
}

impl Default for SessionSettings {
    /// A new session with real effects, in which nobody is asked.
    fn default() -> Self {
        Self {
            mode: ConfirmMode::default(),
            asker: Arc::new(NoAsker),
            front: "terminal",
            keeping: Keeping::New,
            job: None,
            chat: None,
            dry_run: None,
            cancel: Cancel::new(),
        }
    }
}
