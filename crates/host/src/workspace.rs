//! A workspace: a folder with its rules, its doors and its lanes.

pub mod closed;
pub mod commands;
pub mod disk;
mod git;
pub mod person;
pub mod processes;
pub mod writes;

use crate::agent::{guards, words};
use crate::fault::Fault;
use crate::host::Host;
use palanca_config::Config;
use palanca_core::gate::Lanes;
use palanca_core::ports::{NoRecorder, Processes, Recorder};
use palanca_files::{Disk, Journal};
use palanca_policy::commands::CommandJudge;
use palanca_policy::paths::PathRules;
use palanca_policy::secrets::Secrets;
use palanca_store::Database;
use processes::Deferred;
use std::sync::{Arc, Once};

/// A folder with its rules, doors and lanes. Built once, for all agents and sessions that work in it under one configuration;
/// those of another configuration share its lanes.
pub struct Workspace {
    pub(crate) host: Arc<Host>,
    pub(crate) disk: Arc<Disk>,
    pub(crate) paths: Arc<PathRules>,
    pub(crate) reader: Arc<CommandJudge>,
    pub(crate) secrets: Secrets,
    pub(crate) processes: Arc<Deferred>,
    pub(crate) lanes: Arc<Lanes>,
    pub(crate) recorder: Arc<dyn Recorder>,
    pub(crate) database: Option<Arc<Database>>,
    pub(crate) journal: Option<Arc<Journal>>,
    recovered: Once,
}

impl Workspace {
    pub(crate) fn open(host: &Arc<Host>, config: &Config) -> Result<Self, Fault> {
        let places = host.places();
        let state = host.state(config);
        let paths = disk::path_rules(places, config)?;
        let mut disk = disk::under(places, config, Arc::clone(&paths))?;
        if let Some(journal) = &state.journal {
            disk = disk.with_journal(Arc::clone(journal));
        }
        let disk = Arc::new(disk);
        let reader = Arc::new(commands::judge_of_calls(places, config, &disk)?);
        guards::warn(config, &**host.notices());
        let secrets = words::secrets(config).sharing(host.learned());
        let processes = Deferred::new(places, config, Arc::clone(&disk)).keeping(&paths);
        let processes = processes.spilling(Arc::new(secrets.clone())).on(host.engine());
        let processes = Arc::new(processes.reading(Arc::clone(&reader) as _));
        host.ending.opened(&processes);
        let folder = disk.workspace().display().to_string();
        let recorder = |audit: palanca_store::Audit| Arc::new(audit.workspace(Some(folder))) as Arc<dyn Recorder>;
        Ok(Self {
            host: Arc::clone(host),
            lanes: host.lanes(disk.workspace()),
            processes,
            recorder: state.audit.clone().map_or_else(|| Arc::new(NoRecorder) as _, recorder),
            database: state.database.clone(),
            journal: state.journal.clone(),
            disk,
            paths,
            reader,
            secrets,
            recovered: Once::new(),
        })
    }

    /// Ends what a crash left half done. Once, and never for a dry run.
    pub(crate) fn recover(&self, config: &Config) {
        self.recovered.call_once(|| {
            writes::writes(writes::limits(config), &self.disk).recover();
        });
    }

    /// The process door.
    #[must_use]
    pub fn programs(&self) -> Arc<dyn Processes> {
        Arc::clone(&self.processes) as _
    }

    /// The audit log, for what no gate records.
    #[must_use]
    pub fn recorder(&self) -> &Arc<dyn Recorder> {
        &self.recorder
    }

    /// The file door; its changes are kept for undo.
    #[must_use]
    pub const fn disk(&self) -> &Arc<Disk> {
        &self.disk
    }
}
