//! The process: its state directory with audit log and database, the engine of its programs, and who hears its notices.

use crate::agent::groups::Groups;
use crate::agent::phone::Phones;
use crate::agent::rounds::Rounds;
use crate::drain::Ending;
use crate::fault::{Fault, unusable};
use crate::notices::Notices;
use crate::places::Places;
use crate::traces::Traces;
use crate::workspace::Workspace;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::gate::Lanes;
use palanca_files::{Journal, StateDirectory};
use palanca_policy::secrets::Learned;
use palanca_sandbox::{Descriptors, Engine, raise_descriptors};
use palanca_store::{ArtifactLimits, Audit, AuditSettings, Database};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// The process. One for all workspaces, agents and sessions.
pub struct Host {
    places: Places,
    notices: Arc<dyn Notices>,
    state: OnceLock<State>,
    learned: Learned,
    /// Serves the programs of all workspaces.
    engine: Engine,
    /// By workspace: commands and writes of all its gates wait for each other.
    lanes: Mutex<HashMap<PathBuf, Weak<Lanes>>>,
    /// How often bots have asked each other.
    pub(crate) rounds: Rounds,
    /// By workspace: where bots speak with each other in front of people.
    pub(crate) groups: Mutex<HashMap<String, Weak<dyn Groups>>>,
    /// Whom bots have called.
    pub(crate) phones: Phones,
    pub(crate) ending: Ending,
    pub(crate) traces: OnceLock<Traces>,
}

/// What state there is. Without a directory calls still run: nothing is recorded then, and that is said.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) audit: Option<Audit>,
    pub(crate) journal: Option<Arc<Journal>>,
    /// Questions, rules, the undo index, sessions and long texts; nothing is opened before something is needed of it.
    pub(crate) database: Option<Arc<Database>>,
}

impl Host {
    /// A host in these places. Nothing is opened yet.
    #[must_use]
    pub fn new(places: Places, notices: Arc<dyn Notices>) -> Arc<Self> {
        Arc::new(Self {
            places,
            notices,
            state: OnceLock::new(),
            learned: Learned::default(),
            engine: Engine::new(),
            lanes: Mutex::default(),
            rounds: Rounds::default(),
            groups: Mutex::default(),
            phones: Phones::default(),
            ending: Ending::default(),
            traces: OnceLock::new(),
        })
    }

    /// Where its files are.
    #[must_use]
    pub const fn places(&self) -> &Places {
        &self.places
    }

    /// Who hears its notices.
    #[must_use]
    pub fn notices(&self) -> &Arc<dyn Notices> {
        &self.notices
    }

    /// Makes a secret known that the process came by, such as a token that a provider handed out: from now on it is taken out of
    /// every output, record and row, and leaves for no host. `name` is shown in its place.
    pub fn learn(&self, name: &str, value: &str) {
        self.learned.learn(name, value);
    }

    /// Lets this process have as many descriptors open as so many calls at once may need, where the limit that it was started
    /// with is lower, and says so if even the most that it may have is. Programs get the limit that it was started with.
    pub fn make_room(&self, calls: u16) {
        let needed = descriptors_for(calls);
        let Descriptors { limit, .. } = raise_descriptors(needed);
        if limit < needed {
            self.notices.warn(
                &Message::new("descriptors-low")
                    .with("limit", limit.to_string())
                    .with("calls", calls.to_string())
                    .with("needed", needed.to_string()),
            );
        }
    }

    pub(crate) const fn learned(&self) -> &Learned {
        &self.learned
    }

    /// What serves the programs of every workspace; a program that opens doors of its own gives it to them.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The workspace that the configuration names.
    ///
    /// # Errors
    /// A folder that is not there; a rule on paths or commands that is wrong.
    pub fn workspace(self: &Arc<Self>, config: &Arc<Config>) -> Result<Arc<Workspace>, Fault> {
        Workspace::open(self, config).map(Arc::new)
    }

    /// What was changed, as it can be taken back; None without a state directory.
    pub fn journal(&self, config: &Config) -> Option<&Arc<Journal>> {
        self.state(config).journal.as_ref()
    }

    /// Sessions, questions, rules and outputs; None without a state directory.
    pub fn database(&self, config: &Config) -> Option<&Arc<Database>> {
        self.state(config).database.as_ref()
    }

    /// Opened when it is first needed; how long outputs are kept, this configuration says.
    pub(crate) fn state(&self, config: &Config) -> &State {
        self.state.get_or_init(|| self.open(config))
    }

    fn open(&self, config: &Config) -> State {
        let Some(path) = &self.places.state else {
            self.notices.warn(&Message::new("cli-home-unset"));
            return State::default();
        };
        let database = Arc::new(Database::lazy(path).artifacts(retention(config)));
        let opened = StateDirectory::open(path).and_then(|state| Journal::open(&state, Arc::clone(&database) as _));
        match opened {
            Ok(journal) => State {
                audit: Some(Audit::new(path, AuditSettings::default())),
                journal: Some(Arc::new(journal)),
                database: Some(database),
            },
            Err(error) => {
                self.notices.warn(&Message::new("cli-home-unusable").with("reason", unusable(&error)));
                State::default()
            }
        }
    }

    /// The lanes of the workspace in this folder.
    pub(crate) fn lanes(&self, folder: &Path) -> Arc<Lanes> {
        let mut all = self.lanes.lock();
        if let Some(lanes) = all.get(folder).and_then(Weak::upgrade) {
            return lanes;
        }
        all.retain(|_, lanes| lanes.strong_count() > 0);
        let lanes = Arc::default();
        all.insert(folder.to_owned(), Arc::downgrade(&lanes));
        lanes
    }
}

/// How many descriptors so many calls at once may need: the database, the audit log and what is watched, and for each call a
/// program with its helper.
#[must_use]
pub fn descriptors_for(calls: u16) -> u64 {
    const OURS: u64 = 64;
    const EACH: u64 = 16;
    OURS + EACH * u64::from(calls)
}

/// How long outputs that were too long to be shown are kept.
#[must_use]
pub fn retention(config: &Config) -> ArtifactLimits {
    let lasts = Duration::from_secs(u64::from(config.sessions.cleanup_after_days) * 86_400);
    ArtifactLimits { lasts, ..ArtifactLimits::default() }
}
