//! Stores questions while people decide: each is open, then answered or expired, then, if the answer was yes,
//! spent. Every step is one compare-and-set on its row, so that it happens once, in whichever process.
//!
//! Stores no secrets: everything passes through the redactor. The surprising decision: whoever waits for an answer
//! is told by the kernel that somebody wrote to the database, and looks only then.

mod questions;
mod rows;
mod rules;
mod shown;

use crate::database::Database;
use palanca_core::call::Scope;
use palanca_core::message::{Catalogue, Keys};
use palanca_core::ports::{AsItIs, Clock, Redactor, SystemClock};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// The questions and rules of one database, for one front end.
pub struct Desk {
    database: Arc<Database>,
    ttl: Duration,
    workspace: Option<String>,
    person: String,
    clock: Arc<dyn Clock>,
    catalogue: Arc<dyn Catalogue>,
    redactor: Arc<dyn Redactor>,
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("database", &self.database).field("ttl", &self.ttl).finish_non_exhaustive()
    }
}

impl Desk {
    /// A desk on this database, whose questions stay open for this long.
    #[must_use]
    pub fn new(database: Arc<Database>, ttl: Duration) -> Self {
        Self {
            database,
            ttl,
            workspace: None,
            person: "unknown".to_owned(),
            clock: Arc::new(SystemClock::default()),
            catalogue: Arc::new(Keys),
            redactor: Arc::new(AsItIs),
        }
    }

    /// Sets the workspace of questions and rules.
    #[must_use]
    pub fn workspace(mut self, workspace: impl Into<String>) -> Self {
        self.workspace = Some(workspace.into());
        self
    }

    /// Who answers where questions are shown, for the record: `ana at the terminal`.
    #[must_use]
    pub fn person(mut self, person: impl Into<String>) -> Self {
        self.person = person.into();
        self
    }

    /// Where time comes from.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The language in which reasons are stored.
    #[must_use]
    pub fn catalogue(mut self, catalogue: Arc<dyn Catalogue>) -> Self {
        self.catalogue = catalogue;
        self
    }

    /// The redactor for stored texts.
    #[must_use]
    pub fn redactor(mut self, redactor: Arc<dyn Redactor>) -> Self {
        self.redactor = redactor;
        self
    }

    fn now_ms(&self) -> u64 {
        milliseconds(self.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A scope's columns, in the order of the tables: session, bot, chat, channel.
fn columns(scope: &Scope) -> [Option<&str>; 4] {
    [
        Some(scope.session.as_str()),
        scope.bot.as_ref().map(|bot| bot.as_str()),
        scope.chat.as_ref().map(|chat| chat.as_str()),
        scope.channel.as_ref().map(|channel| channel.as_str()),
    ]
}
