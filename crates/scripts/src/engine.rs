//! The caller's side: starts the process of one script, passes on what it asks, and ends it. The next process may wait already.
//!
//! Nothing that the process says is believed: its lines are bounded, its requests are judged here, and it is ended from here when
//! its time is over, whatever it thinks of the time itself.

mod child;
mod spare;
mod talk;

use crate::error::ScriptError;
use crate::inside;
use crate::limits::{Limits, SOURCE_BYTES};
use crate::outcome::Outcome;
use crate::permissions::Permissions;
use crate::request::Requests;
use crate::wire::{How, Order};
use child::Child;
use palanca_core::Catalogue;
use palanca_core::ports::Processes;
use palanca_core::tool::Cancel;
use serde_json::Value;
use spare::Spare;
use std::sync::Arc;
use talk::Talk;

/// A script and what it may do.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    /// TypeScript or JavaScript: a module whose default export is `run(args)`, or a program that reads `process.argv[2]` and
    /// prints its result.
    pub source: &'a str,
    /// Given to it as they are; not validated here.
    pub arguments: &'a Value,
    /// What it may ask for.
    pub permissions: &'a Permissions,
    /// What it may use.
    pub limits: Limits,
}

/// Checks and runs scripts in processes of a door. Clones are the same engine; the process that waits for its next script ends
/// with the last of them.
#[derive(Clone)]
pub struct Engine {
    door: Arc<dyn Processes>,
    words: Arc<dyn Catalogue>,
    spare: Arc<Spare>,
}

impl Engine {
    /// On a process door. A script that is refused something reads why in these words.
    #[must_use]
    pub fn new(door: Arc<dyn Processes>, words: Arc<dyn Catalogue>) -> Self {
        Self { door, words, spare: Arc::default() }
    }

    /// Whether this build can run scripts.
    #[must_use]
    pub const fn is_built() -> bool {
        inside::BUILT
    }

    /// Whether the source can be read. Nothing of it is run.
    ///
    /// # Errors
    /// [`ScriptError::Syntax`] with the place; otherwise why it could not be checked.
    pub async fn check(&self, source: &str, cancel: &Cancel) -> Result<(), ScriptError> {
        let nothing = Permissions::default();
        let (order, limits) = (Order { source: source.to_owned(), arguments: None }, Limits::default());
        let mut ended = self.ended((&order, limits), (&nothing, &()), cancel).await?;
        match ended.how() {
            How::Checked => Ok(()),
            how => Err(ended.failure(how, limits)),
        }
    }

    /// Runs a script to its end, on a Tokio runtime. Dropping the future ends it.
    ///
    /// # Errors
    /// It gave no result. What it says itself about failing (`success: false`) is an [`Outcome`].
    pub async fn run(
        &self,
        script: &Script<'_>,
        requests: &dyn Requests,
        cancel: &Cancel,
    ) -> Result<Outcome, ScriptError> {
        let limits = script.limits;
        let order = Order { source: script.source.to_owned(), arguments: Some(script.arguments.to_string()) };
        let mut ended = self.ended((&order, limits), (script.permissions, requests), cancel).await?;
        match ended.how() {
            How::Returned(Some(text)) => Ok(Outcome::of(&text, ended.log())),
            // What it printed is its result then.
            How::Returned(None) | How::Finished => Ok(Outcome::of(&ended.stdout, ended.stderr)),
            // A program may end itself when it has printed its result.
            How::Exited(0) if !ended.stdout.trim().is_empty() => Ok(Outcome::of(&ended.stdout, ended.stderr)),
            how => Err(ended.failure(how, limits)),
        }
    }

    async fn ended(
        &self,
        (order, limits): (&Order, Limits),
        (permissions, requests): (&Permissions, &dyn Requests),
        cancel: &Cancel,
    ) -> Result<Ended, ScriptError> {
        if !Self::is_built() {
            return Err(ScriptError::NotBuilt);
        }
        if order.source.len() > SOURCE_BYTES {
            return Err(ScriptError::TooLong(order.source.len()));
        }
        let talk = async {
            let mut child = match self.spare.take(limits).await {
                Some(child) => child,
                None => Child::start(&*self.door, limits).await?,
            };
            let (permissions, words) = (permissions, &*self.words);
            Talk { permissions, requests, words, limits }.with(&mut child, order).await
        };
        let ended = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(ScriptError::Cancelled),
            ended = talk => ended?,
        };
        self.spare.prepare(&self.door, limits);
        Ok(ended)
    }
}

/// The last that a script said.
struct Ended {
    how: How,
    stdout: String,
    stderr: String,
}

impl Ended {
    fn how(&mut self) -> How {
        std::mem::replace(&mut self.how, How::Finished)
    }

    /// All that it printed.
    fn log(&self) -> String {
        let between = if self.stdout.is_empty() || self.stdout.ends_with('\n') { "" } else { "\n" };
        [&*self.stdout, between, &*self.stderr].concat()
    }

    fn failure(&self, how: How, limits: Limits) -> ScriptError {
        match how {
            How::Syntax(error) => ScriptError::Syntax(error),
            How::Exited(code) => ScriptError::Exited { code, log: self.log() },
            How::Threw(error) => ScriptError::Threw { error, log: self.log() },
            How::Stuck => ScriptError::Stuck,
            How::Limited(limit) => ScriptError::Limited { limit, limits },
            How::Broken(error) => ScriptError::Broken(error),
            How::Checked | How::Finished | How::Returned(_) => {
                ScriptError::Broken("it ended as it was not told".to_owned())
            }
        }
    }
}
