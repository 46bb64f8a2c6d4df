//! Which bots there are, and the agent of each.

use crate::executor::Executor;
use crate::people::Lines;
use crate::talk::Chat;
use palanca_config::Config;
use palanca_core::ports::Asker;
use palanca_core::{SchemaFormat, Toolset, ToolsetName};
use palanca_host::agent::{bots, toolset};
use palanca_host::configuration::{self, Flag};
use palanca_host::{Agent, Fault, Host};
use palanca_tools::BETWEEN_BOTS;
use parking_lot::{Mutex, RwLock};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};

/// Held while a message is answered.
pub(crate) type Turn = tokio::sync::Mutex<()>;

/// The bots of a workspace.
pub struct Bots {
    host: Arc<Host>,
    folder: PathBuf,
    flags: Vec<Flag>,
    ids: RwLock<Vec<String>>,
    built: Mutex<HashMap<String, Arc<Bot>>>,
    /// What their configurations have in common, once.
    common: Mutex<Option<Arc<Config>>>,
    /// Whose messages are waiting or being answered.
    pub(crate) turns: Mutex<HashMap<(String, Chat), Weak<Turn>>>,
    /// Those that are in people's chats.
    pub(crate) lines: Lines,
    /// Whether somebody listens for what messengers bring.
    pub(crate) hears: AtomicBool,
}

/// What came of reading the configuration again, by bot.
#[derive(Debug, Default)]
pub struct Reloaded {
    /// Those whose next session begins with another configuration, and new ones.
    pub changed: Vec<String>,
    /// Those that are not there any more, or are switched off.
    pub gone: Vec<String>,
    /// Those that keep the configuration that they had, if they had one, and why.
    pub refused: Vec<(String, Fault)>,
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
        let bots = Self {
            host: Arc::clone(host),
            folder: folder.to_owned(),
            flags,
            ids: RwLock::default(),
            built: Mutex::default(),
            common: Mutex::default(),
            turns: Mutex::default(),
            lines: Lines::default(),
            hears: AtomicBool::new(false),
        };
        *bots.ids.write() = bots.enabled()?;
        Ok(bots)
    }

    /// The ids of those that are enabled, in the order of the configuration.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        self.ids.read().clone()
    }

    /// The bot of this id; it is built when it is first asked for.
    ///
    /// # Errors
    /// No such bot, one that is switched off, and what is wrong with its configuration: the others go on.
    pub fn bot(&self, id: &str) -> Result<Arc<Bot>, Fault> {
        if let Some(bot) = self.built.lock().get(id) {
            return Ok(Arc::clone(bot));
        }
        let bot = self.build(id)?;
        Ok(Arc::clone(self.built.lock().entry(id.to_owned()).or_insert(bot)))
    }

    /// Reads the configuration again, bot by bot: sessions that begin from now on have the new one, others go on as they began. What is
    /// wrong with one bot stops no other.
    ///
    /// # Errors
    /// Every fault of what all have in common; everything stays as it was then.
    pub fn reload(&self) -> Result<Reloaded, Fault> {
        let ids = self.enabled()?;
        let before = std::mem::replace(&mut *self.ids.write(), ids.clone());
        let mut reloaded = Reloaded::default();
        for id in &ids {
            match self.build(id) {
                Ok(bot) => {
                    self.built.lock().insert(id.clone(), bot);
                    reloaded.changed.push(id.clone());
                }
                Err(fault) => reloaded.refused.push((id.clone(), fault)),
            }
        }
        reloaded.gone = before.into_iter().filter(|id| !ids.contains(id)).collect();
        self.built.lock().retain(|id, _| !reloaded.gone.contains(id));
        Ok(reloaded)
    }

    fn enabled(&self) -> Result<Vec<String>, Fault> {
        let config = configuration::resolve(self.host.places(), &self.folder, &self.flags)?.config;
        let is_on = |id: &&str| config.bots.iter().find(|bot| bot.id == **id).is_none_or(|bot| bot.enabled);
        Ok(bots::ids(&config).into_iter().filter(is_on).map(str::to_owned).collect())
    }

    fn build(&self, id: &str) -> Result<Arc<Bot>, Fault> {
        let config = self.config(id)?;
        let agent = Arc::new(Agent::new(&self.host.workspace(&config)?, &config)?);
        Ok(Arc::new(Bot { id: id.to_owned(), config, agent }))
    }

    fn config(&self, id: &str) -> Result<Arc<Config>, Fault> {
        let flags = [&*self.flags, &[("bots", "bot", id.to_owned())]].concat();
        let mut config = configuration::resolve(self.host.places(), &self.folder, &flags)?.config;
        bots::check(&config)?;
        let mut common = self.common.lock();
        if *common != config.common {
            common.clone_from(&config.common);
        }
        config.common.clone_from(&common);
        if let Some(common) = common.as_deref().filter(|common| common.bots == config.bots) {
            config.bots = Arc::clone(&common.bots);
        }
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

    /// Single calls as the person of all bots, who has the tools of the workspace.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub fn as_person(&self, chat: &Chat, asker: Arc<dyn Asker>) -> Result<Executor, Fault> {
        let flags = [&*self.flags, &[("bots", "toolset", ToolsetName::Palanca.name().to_owned())]].concat();
        let config = Arc::new(configuration::resolve(self.host.places(), &self.folder, &flags)?.config);
        let agent = Arc::new(Agent::new(&self.host.workspace(&config)?, &config)?);
        Executor::on(&agent, bots::mode(&config), chat, asker)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn flags(&self) -> &[Flag] {
        &self.flags
    }

    pub(crate) const fn host(&self) -> &Arc<Host> {
        &self.host
    }
}
