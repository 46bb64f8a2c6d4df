//! The file door on the workspace, and which paths are closed.

use super::{guards, settings, state};
use crate::exit::Failure;
use crate::say::say;
use palanca_config::Config;
use palanca_core::Message;
use palanca_files::Disk;
use palanca_policy::paths::PathRules;
use std::path::PathBuf;
use std::sync::Arc;

/// The file door alone, without a gate: for commands that judge.
///
/// # Errors
/// A workspace or root that is not there, exit code 3.
pub fn disk(config: &Config) -> Result<Disk, Failure> {
    under(config, path_rules(config)?)
}

/// The same, under rules that are compiled already.
///
/// # Errors
/// As [`disk`].
pub fn under(config: &Config, rules: Arc<PathRules>) -> Result<Disk, Failure> {
    let roots: Vec<PathBuf> = config.workspace.readable_roots.iter().map(PathBuf::from).collect();
    Disk::open(config.workspace.root.as_ref(), &roots, rules).map_err(|error| {
        Failure::said(
            &Message::new("cli-workspace-failed")
                .with("path", &config.workspace.root)
                .with("reason", say(error.into_tool_error().message()).trim_end_matches('.')),
        )
    })
}

/// What is secret and what is protected, by the configuration.
///
/// # Errors
/// A glob that does not compile, exit code 3.
pub fn path_rules(config: &Config) -> Result<Arc<PathRules>, Failure> {
    let home = own_home(config);
    let rules = PathRules::new(&config.secrets.deny, &config.secrets.allow, home.as_deref())
        .map_err(|error| Failure::said(&error.message()))?;
    Ok(Arc::new(rules.guarding(guards::files(config)?)))
}

/// Where our own files lie inside the workspace, if they do: nothing a model does may change them.
fn own_home(config: &Config) -> Option<PathBuf> {
    let root = std::path::absolute(&config.workspace.root).ok()?;
    let ours = [state::path(), settings::user_folder()].into_iter().flatten();
    ours.filter_map(|path| path.strip_prefix(&root).ok().map(PathBuf::from)).next()
}
