//! The file door on the workspace, and which paths are closed.

use super::{closed, guards, hooks, settings, state};
use crate::args::Global;
use crate::exit::Failure;
use crate::say::say;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::call::Access;
use palanca_core::ports::PathRefusal;
use palanca_files::{Disk, is_file, places};
use palanca_policy::paths::{PathRuleError, PathRules};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file door alone, without a gate: for commands that judge.
///
/// # Errors
/// A workspace or root that is not there, exit code 3.
pub fn disk(global: &Global, config: &Config) -> Result<Disk, Failure> {
    under(config, path_rules(global, config)?)
}

/// The same, under rules that are compiled already.
///
/// # Errors
/// As [`disk`].
pub fn under(config: &Config, rules: Arc<PathRules>) -> Result<Disk, Failure> {
    let mut roots: Vec<PathBuf> = config.workspace.readable_roots.iter().map(PathBuf::from).collect();
    roots.extend((!config.restrict_to_workspace).then(|| PathBuf::from("/")));
    let sealed: Vec<PathBuf> = [state::path(), settings::user_folder()].into_iter().flatten().collect();
    let words = closed::in_words(config, &rules);
    let remembering = |disk: Disk| match state::path() {
        Some(state) => disk.remembering(state, &words),
        None => disk,
    };
    let opened = Disk::open(config.workspace.root.as_ref(), &roots, rules);
    opened.map(|disk| remembering(disk.sealing(&sealed))).map_err(|error| {
        Failure::said(
            &Message::new("cli-workspace-failed")
                .with("path", &config.workspace.root)
                .with("reason", say(error.into_tool_error().message()).trim_end_matches('.')),
        )
    })
}

/// The workspace as sessions are kept with it: absolute, without links.
///
/// # Errors
/// A path that cannot be followed, exit code 3.
pub fn here(config: &Config) -> Result<String, Failure> {
    let root = &config.workspace.root;
    let end = places(root.as_ref()).map_err(|error| {
        Failure::said(&Message::new("cli-workspace-failed").with("path", root).with("reason", error.to_string()))
    })?;
    Ok(end.last().map_or_else(|| root.clone(), |end| end.display().to_string()))
}

/// The file door for what a person does with a command of their own. What is kept from models, our configuration first of
/// all, is theirs to write.
///
/// # Errors
/// A folder that is not there, exit code 3.
pub fn of_the_person(folder: &Path) -> Result<Disk, Failure> {
    Disk::open(folder, &[], Arc::new(NoRules)).map_err(|error| Failure::said(error.into_tool_error().message()))
}

struct NoRules;

impl palanca_core::ports::PathRules for NoRules {
    fn refuse(&self, _: &Path, _: Access) -> Option<PathRefusal> {
        None
    }
}

/// What is secret and what is protected, by the configuration; with every file that was read as the user's word.
///
/// # Errors
/// A glob that does not compile, exit code 3.
pub fn path_rules(global: &Global, config: &Config) -> Result<Arc<PathRules>, Failure> {
    let wrong = |error: PathRuleError| Failure::said(&error.message());
    let globs = (&*config.secrets.deny, &*config.secrets.allow);
    let rules =
        PathRules::new(&[], &[], None).and_then(|rules| rules.naming(globs, &config.unvouched)).map_err(wrong)?;
    let own = own(global, config);
    if own.iter().any(|path| path.as_os_str().is_empty()) {
        return Err(Failure::said(&Message::new("cli-workspace-own").with("path", &config.workspace.root)));
    }
    let rules = rules.owning(&own).map_err(wrong)?;
    Ok(Arc::new(rules.guarding(guards::files(config)?)))
}

/// What of ours lies inside the workspace, relative to it: our folders, the files that count as the user's own word, the
/// files that hooks' commands name, and every link through which they are reached. Nothing a model does may change them.
fn own(global: &Global, config: &Config) -> Vec<PathBuf> {
    let Some(root) = places(config.workspace.root.as_ref()).unwrap_or_default().pop() else { return Vec::new() };
    let folders = [state::path(), settings::user_folder()].into_iter().flatten();
    let files = [&config.approvals.rules_file, &config.commands.rules_file].into_iter().flatten().map(PathBuf::from);
    let ours = folders.chain(settings::user_files()).chain(global.config.clone()).chain(files);
    let programs = hooks::words(config).into_iter().map(|word| root.join(word)).filter(|path| is_file(path));
    let all = ours.chain(programs).flat_map(|path| places(&path).unwrap_or_default());
    let mut inside: Vec<_> = all.filter_map(|place| place.strip_prefix(&root).ok().map(PathBuf::from)).collect();
    inside.sort();
    inside.dedup();
    inside
}
