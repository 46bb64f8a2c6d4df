//! What was said in a bot's kept conversations, as search in memory reads it.
//!
//! What a model says after foreign text came into its conversation may repeat it, so it counts as foreign where it is found again.

use super::bots;
use crate::workspace::Workspace;
use palanca_agent::session::{Entry, JobSaid, Prompt, entry};
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::call::{BotId, SessionId, Speaker};
use palanca_core::gate::GateBuilder;
use palanca_core::ports::{
    Conversations, EventNumber, News, Sessions as _, StoreFault, StoredEvent, Stretch, Utterance, Utterances, wait,
};
use palanca_models::Message as Said;
use palanca_policy::marking::imitates_mark;
use palanca_store::Database;
use std::sync::Arc;

/// The gate of a bot, with its conversations; of everybody else, without.
pub(super) fn add(gate: GateBuilder, config: &Config, place: &Workspace) -> GateBuilder {
    let database = place.database.as_ref().filter(|_| bots::id(config).is_some());
    let workspace = place.disk.workspace().display().to_string();
    let kept = database.map(|database| Kept { database: Arc::clone(database), workspace });
    kept.into_iter().fold(gate, |gate, kept| gate.door::<dyn Conversations>(Arc::new(kept)))
}

/// Those of one workspace.
struct Kept {
    database: Arc<Database>,
    /// Its absolute path.
    workspace: String,
}

impl Conversations for Kept {
    fn news(&self, bot: &BotId, since: Option<&str>) -> Result<News, Message> {
        self.database.session_news(&self.workspace, bot, since).map_err(|fault| fault.message())
    }

    fn said(&self, bot: &BotId, session: &SessionId, rows: Stretch) -> Result<Utterances, Message> {
        let fault = |fault: StoreFault| fault.message();
        let kept = wait(self.database.session(session)).map_err(fault)?;
        let is_own = kept.is_some_and(|kept| {
            kept.began.scope.bot.as_ref() == Some(bot) && kept.began.workspace.as_ref() == Some(&self.workspace)
        });
        if !is_own {
            return Ok(Utterances::default());
        }
        let mut said = Utterances { all: Vec::new(), overheard: rows.overheard };
        for event in wait(self.database.events(session, rows.after, rows.most)).map_err(fault)? {
            // A row that cannot be read is missing here alone.
            if let Ok(Some(entry)) = entry(session, &event) {
                hear(&mut said, entry, &event);
            }
        }
        Ok(said)
    }

    fn left(&self, session: &SessionId) -> Result<EventNumber, Message> {
        let compacted = wait(self.database.last_of(session, Entry::COMPACTED)).map_err(|fault| fault.message())?;
        Ok(compacted.map(|event| event.number).unwrap_or_default())
    }
}

fn hear(said: &mut Utterances, entry: Entry, event: &StoredEvent) {
    let (by, text, foreign) = match entry {
        Entry::Prompt(Prompt { text, speaker, .. }) => match speaker {
            Speaker::User => ("user".to_owned(), text, false),
            Speaker::Trusted { name } => (name, text, false),
            Speaker::Agent => ("agent".to_owned(), text, said.overheard),
            Speaker::Stranger { name } => {
                said.overheard = true;
                (name, text, true)
            }
        },
        Entry::Answered(answered) if !answered.cut => match answered.message {
            Some(Said::Assistant { text, .. }) => ("assistant".to_owned(), text, said.overheard),
            _ => return,
        },
        Entry::JobSaid(JobSaid { message: Said::User { text, .. }, foreign, .. }) => {
            said.overheard |= foreign;
            ("assistant".to_owned(), text, foreign)
        }
        Entry::CallEnded(ended) => {
            said.overheard |= ended.foreign;
            return;
        }
        _ => return,
    };
    // Foreign words stand between marks of their own time; who finds them gets new ones.
    let text =
        if foreign { text.lines().filter(|line| !imitates_mark(line)).collect::<Vec<_>>().join("\n") } else { text };
    if !text.trim().is_empty() {
        said.all.push(Utterance { row: event.number, at_ms: event.at_ms, by, text, foreign });
    }
}
