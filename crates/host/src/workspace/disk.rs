//! The file door on the workspace, and which paths are closed.

use super::closed;
use crate::agent::guards;
use crate::configuration::{DOCUMENT, catalogue};
use crate::fault::Fault;
use crate::places::Places;
use crate::session::hooks;
use palanca_config::Config;
use palanca_core::call::Access;
use palanca_core::ports::PathRefusal;
use palanca_core::{Catalogue as _, Message, ToolsetName};
use palanca_files::{Disk, is_file, places as places_of};
use palanca_policy::paths::{PathRuleError, PathRules};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file door alone, without a gate: for commands that judge.
///
/// # Errors
/// A workspace or root that is not there.
pub fn disk(places: &Places, config: &Config) -> Result<Disk, Fault> {
    under(places, config, path_rules(places, config)?)
}

/// The same, under rules that are compiled already.
///
/// # Errors
/// As [`disk`].
pub fn under(places: &Places, config: &Config, rules: Arc<PathRules>) -> Result<Disk, Fault> {
    let mut roots: Vec<PathBuf> = config.workspace.readable_roots.iter().map(PathBuf::from).collect();
    roots.extend((!config.restrict_to_workspace).then(|| PathBuf::from("/")));
    let sealed: Vec<PathBuf> = places.own().cloned().collect();
    let words = closed::in_words(config, &rules);
    let remembering = |disk: Disk| match &places.state {
        Some(state) => disk.remembering(state.clone(), &words),
        None => disk,
    };
    let opened = Disk::open(&places.as_spelled(config.workspace.root.as_ref()), &roots, rules);
    opened.map(|disk| remembering(disk.sealing(&sealed))).map_err(|error| {
        Fault::said(
            Message::new("cli-workspace-failed")
                .with("path", &config.workspace.root)
                .with("reason", catalogue(config).render(error.into_tool_error().message()).trim_end_matches('.')),
        )
    })
}

/// The workspace as sessions are kept with it: absolute, without links.
///
/// # Errors
/// A path that cannot be followed.
pub fn here(config: &Config) -> Result<String, Fault> {
    let root = &config.workspace.root;
    let end = places_of(root.as_ref()).map_err(|error| {
        Fault::said(Message::new("cli-workspace-failed").with("path", root).with("reason", error.to_string()))
    })?;
    Ok(end.last().map_or_else(|| root.clone(), |end| end.display().to_string()))
}

/// The file door for what a person does with a command of their own. What is kept from models, our configuration first of
/// all, is theirs to write.
///
/// # Errors
/// A folder that is not there.
pub fn of_the_person(folder: &Path) -> Result<Disk, Fault> {
    Disk::open(folder, &[], Arc::new(NoRules)).map_err(|error| Fault::said(error.into_tool_error().message().clone()))
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
/// A glob that does not compile.
pub fn path_rules(places: &Places, config: &Config) -> Result<Arc<PathRules>, Fault> {
    let wrong = |error: PathRuleError| Fault::said(error.message());
    let globs = (&*config.secrets.deny, &*config.secrets.allow);
    let rules =
        PathRules::new(&[], &[], None).and_then(|rules| rules.naming(globs, &config.unvouched)).map_err(wrong)?;
    let own = own(places, config);
    if own.iter().any(|path| path.as_os_str().is_empty()) {
        return Err(Fault::said(Message::new("cli-workspace-own").with("path", &config.workspace.root)));
    }
    let rules = rules.owning(&own).map_err(wrong)?;
    Ok(Arc::new(rules.guarding(guards::files(config)?)))
}

/// What of ours lies inside the workspace, relative to it: our folders, the files that count as the user's own word, the
/// files that hooks' commands name, and every link through which they are reached. Nothing a model does may change them.
fn own(places: &Places, config: &Config) -> Vec<PathBuf> {
    let Some(root) = places_of(config.workspace.root.as_ref()).unwrap_or_default().pop() else { return Vec::new() };
    let files = [&config.approvals.rules_file, &config.commands.rules_file].into_iter().flatten().map(PathBuf::from);
    // Elsewhere other programs have files of such names.
    let document = DOCUMENT.iter().filter(|_| config.toolset == ToolsetName::Bots).map(|name| root.join(name));
    let ours =
        places.own().cloned().chain(places.user_files()).chain(places.named.clone()).chain(files).chain(document);
    let programs = hooks::words(config).into_iter().map(|word| root.join(word)).filter(|path| is_file(path));
    let all = ours.chain(programs).flat_map(|path| places_of(&path).unwrap_or_default());
    let mut inside: Vec<_> = all.filter_map(|place| place.strip_prefix(&root).ok().map(PathBuf::from)).collect();
    inside.sort();
    inside.dedup();
    inside
}
