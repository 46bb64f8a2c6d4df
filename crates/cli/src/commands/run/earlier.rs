//! The session that a run resumes: found by its id, with its stored terms.

use crate::args::Global;
use crate::args::run::RunFlags;
use crate::commands::ids::{self, is_id};
use crate::exit::{Exit, Failure};
use crate::render::stderr;
use crate::wire::open::TERMINAL;
use crate::wire::settings;
use palanca_agent::session::{Entry, RestoreError, Restored, Terms, entry, status};
use palanca_agent::{RunReport, Status, StopReason};
use palanca_bots::Chat;
use palanca_config::Config;
use palanca_core::call::{ChatId, SessionId};
use palanca_core::ports::{Level, SessionFilter, SessionStatus, Sessions, StoreFault, StoredSession, wait};
use palanca_core::{ConfirmMode, Message};
use palanca_files::is_directory;
use palanca_host::configuration::Flag;
use palanca_host::workspace::disk;
use palanca_store::Database;
use std::path::Path;

/// What stands for the newest session of this workspace.
pub const LATEST: &str = "latest";

/// A kept session.
pub struct Earlier {
    pub id: SessionId,
    terms: Terms,
    kept: StoredSession,
    /// Whether the session's own model is kept, because no other was named.
    same_model: bool,
    store: Database,
}

/// The sentence for an id that is none.
pub fn bad_id(text: &str) -> Message {
    Message::new("sessions-bad-id").with("id", text.escape_debug().to_string())
}

/// A fault of the store, exit code 1.
pub fn fault(fault: &StoreFault) -> Failure {
    Failure::saying(Exit::Failed, &fault.message())
}

fn unreadable(error: &RestoreError) -> Failure {
    Failure::saying(Exit::Failed, &error.message())
}

impl Earlier {
    /// The session that an id, the beginning of one, or `latest` means.
    ///
    /// # Errors
    /// An id that is none or means nothing here, exit code 3; a store that cannot be read, exit code 1.
    pub fn find(global: &Global, id: &str) -> Result<Self, Failure> {
        let store = Database::lazy(&settings::home("sessions")?);
        let kept = one(&store, id, || Ok(disk::here(&settings::resolve(global, &[])?.config)?))?;
        Self::of(store, kept)
    }

    /// The newest session of a bot's chat at the terminal, in this workspace.
    ///
    /// # Errors
    /// A store that cannot be read, exit code 1.
    pub fn of_chat(config: &Config, bot: &str, chat: &ChatId) -> Result<Option<Self>, Failure> {
        let Ok(home) = settings::home("sessions") else { return Ok(None) };
        let store = Database::lazy(&home);
        let chat = Chat { channel: TERMINAL.into(), name: chat.clone() };
        let wanted = chat.newest(disk::here(config)?, bot);
        let kept = wait(store.sessions(&wanted)).map_err(|error| fault(&error))?.pop();
        kept.map(|kept| Self::of(store, kept)).transpose()
    }

    fn of(store: Database, kept: StoredSession) -> Result<Self, Failure> {
        let id = kept.began.scope.session.clone();
        let mut terms = Terms::default();
        for kind in ["resumed", "began"] {
            let Some(event) = wait(store.last_of(&id, kind)).map_err(|error| fault(&error))? else { continue };
            match entry(&id, &event).map_err(|error| unreadable(&error))? {
                Some(Entry::Resumed(resumed)) => terms = resumed.terms,
                Some(Entry::Began(began)) => terms = began.terms,
                _ => continue,
            }
            break;
        }
        Ok(Self { id, terms, kept, same_model: false, store })
    }

    /// Whether its last run ended by success.
    pub fn is_done(&self) -> bool {
        self.kept.summary.status == SessionStatus::Success
    }

    /// The chat that it is the conversation of.
    pub const fn chat(&self) -> Option<&ChatId> {
        self.kept.began.scope.chat.as_ref()
    }

    /// What it was begun with.
    pub fn task(&self) -> &str {
        &self.kept.began.task
    }

    /// How its last run ended.
    pub fn report(&self) -> Result<RunReport, Failure> {
        // Taken for a moment, as if to go on: a process that still works on it has the last word, and what one left behind
        // that was killed right at its end is cleared away.
        drop(wait(self.store.claim(&self.id)).map_err(|error| fault(&error))?);
        let restored = wait(Restored::read(&self.store, &self.id)).map_err(|error| unreadable(&error))?;
        let costs = restored.costs();
        Ok(RunReport {
            session: Some(self.id.clone()),
            status: Status::Success,
            stop_reason: StopReason::LlmDone,
            output: restored.state.totals.ended.map(|ended| ended.output).unwrap_or_default(),
            steps: restored.state.totals.steps,
            tools_used: Vec::new(),
            duration_seconds: 0.0,
            model: self.terms.model.clone(),
            cost: costs.total_cost_usd,
            costs: (restored.state.totals.answers > 0).then_some(costs),
        })
    }

    /// Its terms where nobody gives others: what they set in the configuration is returned, the rest is put into the
    /// arguments. That it goes on in another folder than this one is said first.
    ///
    /// # Errors
    /// A workspace that is gone, exit code 3.
    pub fn flags(&mut self, global: &mut Global, args: &mut RunFlags) -> Result<Vec<Flag>, Failure> {
        let terms = &self.terms;
        if global.workspace.is_none() {
            let folder = Path::new(&terms.workspace);
            if !is_directory(folder) {
                let id = self.id.as_str();
                let gone = Message::new("session-workspace-gone").with("id", id).with("path", &terms.workspace);
                return Err(Failure::said(&gone));
            }
            tell_where(global, self.id.as_str(), &terms.workspace);
            global.workspace = Some(folder.to_owned());
        }
        let mut flags: Vec<Flag> = Vec::new();
        if let (Some(bot), None) = (&self.kept.began.scope.bot, &global.bot) {
            flags.push(("session", "bot", bot.to_string()));
        }
        if self.chat().is_some() {
            // Which model answers in a bot's chat, and when it asks, its configuration says.
            flags.push(("session", "toolset", terms.toolset.clone()));
            return Ok(flags);
        }
        let own_agent = args.with.agent.as_ref().is_none_or(|agent| *agent == terms.agent);
        if global.mode.is_none() && own_agent {
            flags.push(("session", "mode", terms.mode.name().to_owned()));
        }
        if global.toolset.is_none() && !terms.toolset.is_empty() {
            flags.push(("session", "toolset", terms.toolset.clone()));
        }
        self.same_model = args.with.model.is_none();
        if let (None, Some(model)) = (&args.with.model, &terms.model) {
            flags.push(("session", "llm.model", model.clone()));
            if let (None, Some(base)) = (&args.with.api_base, &terms.api_base) {
                args.with.api_base = Some(base.clone());
                flags.push(("session", "llm.api_base", base.clone()));
            }
        }
        if let (false, false, Some(allowed)) = (args.with.allow_commands, args.with.no_commands, terms.commands) {
            (args.with.allow_commands, args.with.no_commands) = (allowed, !allowed);
            flags.push(("session", "commands.enabled", allowed.to_string()));
        }
        if let (None, Some(budget)) = (args.with.budget, terms.limits.budget_usd) {
            args.with.budget = Some(budget);
            flags.push(("session", "costs.budget_usd", budget.to_string()));
        }
        args.with.max_steps = args.with.max_steps.or(terms.limits.max_steps);
        args.with.max_tokens = args.with.max_tokens.or(terms.limits.max_tokens);
        args.timeout = args.timeout.or(terms.limits.timeout_seconds);
        args.with.agent.get_or_insert_with(|| terms.agent.clone());
        Ok(flags)
    }

    /// The mode to continue in: never less strict than before, unless set now.
    pub fn mode(&self, global: &Global, agent: &str, mode: ConfirmMode) -> ConfirmMode {
        if global.mode.is_some() || agent == self.terms.agent { mode } else { mode.stricter(self.terms.mode) }
    }

    /// Answers of a replay that were heard already.
    pub fn played(&self) -> Result<usize, Failure> {
        if !self.same_model {
            return Ok(0);
        }
        let answers = self.read()?.state.totals.answers;
        Ok(usize::try_from(answers).unwrap_or(usize::MAX))
    }

    /// The session as it stands, for a run that keeps nothing.
    pub fn read(&self) -> Result<Restored, Failure> {
        wait(Restored::read(&self.store, &self.id)).map_err(|error| unreadable(&error))
    }
}

/// Says where a session works, if that is not where the person is.
pub fn tell_where(global: &Global, id: &str, workspace: &str) {
    // A configuration that cannot be read here says nothing of where we are.
    let here = settings::resolve(global, &[]).ok().and_then(|loaded| disk::here(&loaded.config).ok());
    if !global.quiet && here.as_deref() != Some(workspace) {
        stderr::note(&Message::new("session-elsewhere").with("id", id).with("workspace", workspace));
    }
}

/// The kept session that this means. `here` is the workspace whose latest is meant.
///
/// # Errors
/// None, or several: exit code 3.
pub fn one(
    store: &dyn Sessions,
    id: &str,
    here: impl FnOnce() -> Result<String, Failure>,
) -> Result<StoredSession, Failure> {
    if !is_id(id) {
        return Err(Failure::said(&bad_id(id)));
    }
    let broken = |error: StoreFault| fault(&error);
    if id == LATEST {
        let here = here()?;
        let wanted = SessionFilter {
            workspace: Some(here.clone()),
            level: Level::Top,
            limit: Some(1),
            ..SessionFilter::default()
        };
        let latest = wait(store.sessions(&wanted)).map_err(broken)?.pop();
        return latest.ok_or_else(|| Failure::said(&Message::new("sessions-none-kept").with("workspace", here)));
    }
    if let Some(whole) = wait(store.session(&SessionId::new(id))).map_err(broken)? {
        return Ok(whole);
    }
    let all = wait(store.sessions(&SessionFilter::default())).map_err(broken)?;
    let picked =
        ids::pick(id, &all, |kept| kept.began.scope.session.as_str()).map_err(|several| Failure::said(&several))?;
    picked.cloned().ok_or_else(|| Failure::said(&Message::new("sessions-unknown-kept").with("id", id)))
}

/// The same session with its status as it is now.
pub fn as_it_stands(store: &dyn Sessions, mut kept: StoredSession) -> StoredSession {
    kept.summary.status = wait(status(store, &kept));
    kept
}
