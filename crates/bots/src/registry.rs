//! Which bots there are, and the agent of each.

use crate::executor::Executor;
use crate::talk::Chat;
use palanca_config::Config;
use palanca_core::ports::Asker;
use palanca_core::{SchemaFormat, Toolset};
use palanca_host::agent::{bots, toolset};
use palanca_host::configuration::{self, Flag};
use palanca_host::{Agent, Fault, Host};
use palanca_tools::BETWEEN_BOTS;
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

/// Held while a message is answered.
pub(crate) type Turn = tokio::sync::Mutex<()>;

/// The bots of a workspace.
pub struct Bots {
    host: Arc<Host>,
    folder: PathBuf,
    flags: Vec<Flag>,
    ids: Vec<String>,
    built: Mutex<HashMap<String, Arc<Bot>>>,
    /// Whose messages are waiting or being answered.
    pub(crate) turns: Mutex<HashMap<(String, Chat), Weak<Turn>>>,
}

/// One of them, ready.
pub struct Bot {
    /// Its id.
    pub id: String,
    /// The configuration as it has it.
    pub config: Arc<Config>,
    /// What its sessions are of.
    pub agent: Arc<Agent>,
}

impl Bots {
    /// The bots of the configuration in this folder, which is the workspace unless `flags` say otherwise. None is built yet.
    ///
    /// # Errors
    /// Every fault of every layer of the configuration.
    pub fn open(host: &Arc<Host>, folder: &Path, flags: &[Flag]) -> Result<Self, Fault> {
        let flags: Vec<Flag> = [flags, &[("bots", "toolset", "bots".to_owned())]].concat();
        let config = configuration::resolve(host.places(), folder, &flags)?.config;
        let is_on = |id: &&str| config.bots.iter().find(|bot| bot.id == **id).is_none_or(|bot| bot.enabled);
        let ids = bots::ids(&config).into_iter().filter(is_on).map(str::to_owned).collect();
        Ok(Self {
            host: Arc::clone(host),
            folder: folder.to_owned(),
            flags,
            ids,
            built: Mutex::default(),
            turns: Mutex::default(),
        })
    }

    /// The ids of those that are enabled, in the order of the configuration.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The bot of this id; it is built when it is first asked for.
    ///
    /// # Errors
    /// No such bot, one that is switched off, and what is wrong with its configuration: the others go on.
    pub fn bot(&self, id: &str) -> Result<Arc<Bot>, Fault> {
        if let Some(bot) = self.built.lock().get(id) {
            return Ok(Arc::clone(bot));
        }
        let config = self.config(id)?;
        let agent = Arc::new(Agent::new(&self.host.workspace(&config)?, &config)?);
        let bot = Arc::new(Bot { id: id.to_owned(), config, agent });
        Ok(Arc::clone(self.built.lock().entry(id.to_owned()).or_insert(bot)))
    }

    fn config(&self, id: &str) -> Result<Arc<Config>, Fault> {
        let flags = [&*self.flags, &[("bots", "bot", id.to_owned())]].concat();
        let config = configuration::resolve(self.host.places(), &self.folder, &flags)?.config;
        bots::check(&config)?;
        Ok(Arc::new(config))
    }

    /// What a bot may use: what the configuration switches on, without its `disabledTools`.
    ///
    /// # Errors
    /// As [`Bots::bot`].
    pub fn tools_for_bot(&self, id: &str) -> Result<Toolset, Fault> {
        Ok(toolset::registry(&*self.config(id)?)?.snapshot())
    }

    /// The same as a model is sent it: `{type: "function", function: {name, description, parameters}}`.
    ///
    /// # Errors
    /// As [`Bots::bot`].
    pub fn definitions_for_bot(&self, id: &str) -> Result<Vec<Value>, Fault> {
        Ok(self.tools_for_bot(id)?.schemas(SchemaFormat::OpenAi))
    }

    /// What a bot may use while another bot asks it: without those that reach other bots.
    ///
    /// # Errors
    /// As [`Bots::bot`].
    pub fn collaboration_tools(&self, id: &str) -> Result<Toolset, Fault> {
        let all = self.tools_for_bot(id)?;
        let names: Vec<String> = all.names().filter(|name| !BETWEEN_BOTS.contains(name)).map(str::to_owned).collect();
        Ok(all.restrict(names.iter().map(String::as_str)).0)
    }

    /// Single calls as a bot in one of its chats.
    ///
    /// # Errors
    /// As [`Bots::bot`].
    pub fn executor(&self, chat: &Chat, bot: &str, asker: Arc<dyn Asker>) -> Result<Executor, Fault> {
        Executor::new(&*self.bot(bot)?, chat, asker)
    }

    pub(crate) const fn host(&self) -> &Arc<Host> {
        &self.host
    }
}
