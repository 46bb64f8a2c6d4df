//! An agent: a configuration in a workspace. Its tools, guards, rules and model are built once for all its sessions.

mod asked;
pub mod bots;
pub mod channels;
mod claude;
pub(crate) mod collaborate;
pub mod contracts;
mod conversations;
pub mod groups;
pub mod guards;
pub(crate) mod improve;
pub mod jobs;
pub mod limits;
pub(crate) mod memory;
pub mod model;
pub mod net;
pub mod notes;
pub(crate) mod phone;
pub(crate) mod rounds;
pub mod soul;
pub mod soul_files;
pub mod subagents;
pub mod telegram;
pub mod toolset;
pub mod web;
pub mod words;

use crate::configuration::catalogue;
use crate::dynamic;
use crate::fault::Fault;
use crate::session::rules::{self, Rules};
use crate::workspace::{Workspace, commands};
use palanca_config::Config;
use palanca_core::gate::GateBuilder;
use palanca_core::ports::Web;
use palanca_core::{Gate, Registry};
use palanca_models::Prices;
use palanca_scripts::Engine;
use palanca_text::FluentCatalogue;
use palanca_tools::Scripts;
use std::sync::Arc;
use subagents::FoundModel;
use words::Words;

/// What a room above adds to agents: tools, which may come and go at any time, and the doors that they need.
pub trait Extension: Send + Sync {
    /// Puts its tools into the registry of an agent, and its doors into the gates of the agent's sessions.
    fn extend(self: Arc<Self>, registry: &Arc<Registry>, gate: GateBuilder) -> GateBuilder;
}

/// A configuration in a workspace.
pub struct Agent {
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) config: Arc<Config>,
    pub(crate) catalogue: Arc<FluentCatalogue>,
    pub(crate) words: Words,
    pub(crate) rules: Arc<Rules>,
    pub(crate) model: Arc<FoundModel>,
    pub(crate) prices: Prices,
    /// All that the gates of its sessions have in common.
    pub(crate) gate: Gate,
}

impl Agent {
    /// Where it works.
    #[must_use]
    pub const fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// What is taken out of and marked in its texts.
    #[must_use]
    pub const fn words(&self) -> &Words {
        &self.words
    }

    /// The agent of this configuration.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub fn new(workspace: &Arc<Workspace>, config: &Arc<Config>) -> Result<Self, Fault> {
        Self::with(workspace, config, Vec::new())
    }

    /// The same, with what other rooms add.
    ///
    /// # Errors
    /// As there.
    pub fn with(
        workspace: &Arc<Workspace>,
        config: &Arc<Config>,
        extensions: Vec<Arc<dyn Extension>>,
    ) -> Result<Self, Fault> {
        let (place, notices) = (&**workspace, &**workspace.host.notices());
        let catalogue = catalogue(config);
        let words = Words::new(config, &place.secrets)?;
        let registry = Arc::new(toolset::registry(config)?);
        words.taint.declarations().check(&registry.snapshot()).map_err(|error| Fault::said(error.message()))?;
        let folder = place.disk.workspace();
        let mut book = rules::empty(config, folder.to_owned(), Arc::clone(&place.paths));
        if let Some(rule) = bots::rule(config) {
            book = book.with_file("soul.dir", &rule).map_err(Fault::usage)?;
        }
        if let Some(rule) = jobs::rule(config) {
            book = book.with_file("cron.storePath", &rule).map_err(Fault::usage)?;
        }
        let rules = Arc::new(Rules::new(config, book, place.database.as_ref())?);
        words.taint.trust(Arc::clone(&rules) as _);
        let web: Arc<dyn Web> = net::door(config)?;
        let gate = Gate::builder(Arc::clone(&registry))
            .files(contracts::source(config, Arc::clone(&place.disk) as _, &place.paths)?)
            .processes(Arc::clone(&place.processes) as _)
            .web(Arc::clone(&web))
            .channels(Arc::new(channels::set(config, notices)?))
            .door(memory::indexes(place))
            .door::<dyn Scripts>(Arc::new(dynamic::Runner(Engine::new(place.programs(), Arc::clone(&catalogue) as _))))
            .reader(Arc::clone(&place.reader) as _)
            .rules(Arc::clone(&rules) as _)
            .catalogue(Arc::clone(&catalogue) as _)
            .program_network(commands::network(config))
            .limits(limits::gate(config))
            .lanes(Arc::clone(&place.lanes))
            .recorder(Arc::clone(&place.recorder));
        let gate = memory::add(gate, config, place, &words.redactor)?;
        let gate = conversations::add(gate, config, place);
        let gate = phone::add(gate, config, place, &web)?;
        let gate = collaborate::add(gate, config, &place.host);
        let gate = improve::add(gate, config, place);
        dynamic::join(workspace, config, &registry);
        let gate = extensions.into_iter().fold(gate, |gate, extension| extension.extend(&registry, gate));
        let gate = words.add(guards::add(gate, config, &place.paths, &place.disk)?).build();
        Ok(Self {
            prices: limits::prices(config)?,
            model: Arc::new(FoundModel::new(&place.host, config)),
            workspace: Arc::clone(workspace),
            config: Arc::clone(config),
            catalogue,
            words,
            rules,
            gate,
        })
    }
}
