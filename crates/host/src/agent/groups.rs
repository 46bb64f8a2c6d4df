//! Groups of people in which bots speak with each other: whoever keeps bots in their chats knows which those are, and says it there.

use crate::host::Host;
use futures_util::future::BoxFuture;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::call::{ChatId, Scope};
use std::sync::{Arc, Weak};

/// The chats of the bots of a workspace.
pub trait Groups: Send + Sync {
    /// The group in which this bot answers somebody just now, where the other one is at the same messenger. Must be fast.
    fn group(&self, from: &str, to: &str, scope: &Scope) -> Option<ChatId>;

    /// Says it there. The answers come there, too, one bot after the other, as messages of the group.
    ///
    /// # Errors
    /// It was not said, and why.
    fn say<'a>(&'a self, said: &'a SaidInGroup) -> BoxFuture<'a, Result<Said, Message>>;
}

/// What one bot says to another in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidInGroup {
    /// Who speaks.
    pub from: String,
    /// To whom.
    pub to: String,
    /// Where.
    pub group: ChatId,
    /// What.
    pub words: String,
    /// How many answers may follow, of both together.
    pub answers: u32,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// It was said.
    There,
    /// It was not: the other bot is not in this group.
    NotInGroup,
}

impl Host {
    /// From now on bots of this workspace speak with each other in these groups, as long as they are there.
    pub fn join_groups(&self, config: &Config, groups: Weak<dyn Groups>) {
        self.groups.lock().insert(config.workspace.root.clone(), groups);
    }

    pub(super) fn groups(&self, config: &Config) -> Option<Arc<dyn Groups>> {
        self.groups.lock().get(&config.workspace.root)?.upgrade()
    }

    /// Counts a message of one bot to another.
    ///
    /// # Errors
    /// The seconds that are left of their pause.
    pub fn count_round(&self, config: &Config, from: &str, to: &str) -> Result<(), u64> {
        self.rounds.take(config, from, to)
    }
}
