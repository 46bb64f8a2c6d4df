//! The operator's program `claude`, as a model and as the one who revises a bot's files: shut in with the network and a
//! home that is not the person's, without a view of the workspace.

use super::model::variable;
use crate::fault::{Fault, unusable};
use crate::host::Host;
use crate::places::Places;
use crate::workspace::disk;
use crate::workspace::processes::Deferred;
use palanca_config::Config;
use palanca_core::call::{CanonicalPath, CommandLine, Launch, Network, Root, Shell};
use palanca_core::ports::Profile;
use palanca_files::{StateDirectory, StateError, is_file, places as places_of};
use palanca_models::{ClaudeCli, Model, ModelSpec};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Variables by which it reaches its model.
const VARIABLES: [&str; 5] =
    ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "CLAUDE_CODE_OAUTH_TOKEN"];
/// It looks for no updates and sends no statistics.
const QUIET: (&str, &str) = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
/// The folder of its home, in the state directory.
const HOME: &str = "claude-cli";

/// A start of it with the network: these words, and what it needs of our environment.
pub(super) fn launch(words: &[&str]) -> Launch {
    let mut launch = Launch::script(Shell::Sh, "", CanonicalPath::new(Root::Workspace, PathBuf::new()));
    launch.command = CommandLine::Program(words.iter().map(|word| (*word).to_owned()).collect());
    launch.network = Network::Open;
    let passed = VARIABLES.iter().filter_map(|name| Some(((*name).to_owned(), variable(name)?)));
    launch.environment = passed.chain([(QUIET.0.to_owned(), QUIET.1.to_owned())]).collect();
    launch.environment.sort();
    launch
}

/// The program by its path, as the person would start it; none where it is not found.
pub(super) fn found(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Joined with a folder, an absolute path stays as it is.
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_absolute() && is_file(path))
}

/// The word that starts it, and what it may reach: the folder that it is in and those that its links lead to, but no home.
pub(super) fn shut_in(program: &str, places: &Places) -> (String, Profile) {
    let found = found(program);
    let links = found.as_ref().and_then(|path| places_of(path).ok()).unwrap_or_default();
    let holds_home = |folder: &Path| places.home.as_ref().is_some_and(|home| home.starts_with(folder));
    let folders = found.iter().chain(&links).filter_map(|path| path.parent()).filter(|folder| !holds_home(folder));
    let readable = folders.map(Path::to_owned).collect();
    let word = found.as_ref().map_or_else(|| program.to_owned(), |path| path.display().to_string());
    (word, Profile { readable, ..Profile::alone() })
}

/// The model.
pub(super) fn model(host: &Arc<Host>, config: &Config, spec: &ModelSpec) -> Result<Arc<dyn Model>, Fault> {
    let places = host.places();
    let (program, profile) = shut_in(config.llm.claude_path.trim(), places);
    let disk = Arc::new(disk::disk(places, config)?);
    let door = Arc::new(Deferred::new(places, config, disk).on(host.engine()));
    let home = places.state.as_deref().map(home).transpose().map_err(|error| Fault::said(unusable(&error)))?;
    let profile = Profile { home, ..profile };
    let timeout = Duration::from_secs(u64::from(config.llm.timeout));
    Ok(Arc::new(ClaudeCli::new(spec, launch(&[&program]), (door, profile), timeout)))
}

/// What it keeps between two starts, such as who is logged in; no other program sees it.
fn home(state: &Path) -> Result<PathBuf, StateError> {
    Ok(StateDirectory::open(state)?.directory(HOME)?.path().to_owned())
}
