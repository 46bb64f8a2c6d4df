//! Judgement and isolation of commands: the reader of shell texts, and the process door.

use crate::fault::Fault;
use crate::places::Places;
use palanca_config::{Config, NetworkSetting, ToolsetName};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::gate::NetworkAccess;
use palanca_core::ports::Files as _;
use palanca_files::{Disk, read_text};
use palanca_policy::commands::{Allowed, CommandJudge, RuleSettings, Rules};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A rule file beyond this is a mistake.
const MAX_RULES: u64 = 1 << 20;
/// Of a longer configuration of git the beginning is read.
const MAX_GIT_CONFIG: u64 = 1 << 20;

/// The judge of commands, by the rules of the configuration.
///
/// # Errors
/// A rule that does not compile or whose examples fail, a rule file that cannot be read.
pub fn judge(places: &Places, config: &Config, disk: &Arc<Disk>) -> Result<CommandJudge, Fault> {
    with_safe(config.commands.safe_commands.clone(), (places, config, disk))
}

/// The judge of the calls of the configured toolset, whose document may call further commands safe.
///
/// # Errors
/// As [`judge`].
pub fn judge_of_calls(places: &Places, config: &Config, disk: &Arc<Disk>) -> Result<CommandJudge, Fault> {
    let safe = config.commands.safe_commands.iter().cloned().chain(documented(config));
    with_safe(safe.collect(), (places, config, disk))
}

fn with_safe(
    safe_commands: Vec<String>,
    (places, config, disk): (&Places, &Config, &Arc<Disk>),
) -> Result<CommandJudge, Fault> {
    let commands = &config.commands;
    let bots = config.toolset == ToolsetName::Bots;
    let file = commands.rules_file.as_ref().map(|file| read_text(Path::new(file), MAX_RULES)).transpose();
    let settings = RuleSettings {
        blocked_patterns: [&commands.blocked_patterns, &config.exec.denied_patterns]
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        unvouched: config.unvouched.clone(),
        safe_commands,
        allowed_patterns: if bots { config.exec.allowed_patterns.clone() } else { Vec::new() },
        file: file?,
    };
    let rules = Rules::new(&settings).map_err(|error| Fault::said(error.message()))?;
    let allowed = if commands.allowed_only { Allowed::KnownOnly } else { Allowed::Everything };
    let roots = config.workspace.readable_roots.iter().map(PathBuf::from).collect();
    let path = std::env::var_os("PATH").filter(|_| commands.toolchains).unwrap_or_default();
    let programs = palanca_sandbox::programs_of(disk.workspace(), &path);
    let judge = CommandJudge::new(rules, (disk.workspace().to_owned(), roots), places.home.clone());
    let (disk, link) = (Arc::clone(disk), disk.link().map(Path::to_owned));
    let repository = Arc::new(move |folder: &Path| git_config(&disk, folder));
    Ok(judge.linked_at(link).allowing(allowed).finding(Arc::new(programs)).knowing_remotes(repository))
}

/// What the document of a toolset calls safe beside what is: it builds, so what the project brings runs.
fn documented(config: &Config) -> Option<String> {
    (config.toolset == ToolsetName::Architect).then(|| "cargo check".to_owned())
}

/// The configuration of the repository in the workspace that a folder belongs to.
fn git_config(disk: &Disk, folder: &Path) -> Option<Vec<u8>> {
    let within = folder.strip_prefix(disk.workspace()).ok()?;
    let at = |folder: &Path, name: &str| CanonicalPath::new(Root::Workspace, folder.join(name));
    let top = within.ancestors().find(|folder| disk.info(&at(folder, ".git")).is_ok())?;
    let mut config = Vec::new();
    let file = disk.open(&at(top, ".git/config")).ok()?;
    file.content.take(MAX_GIT_CONFIG).read_to_end(&mut config).ok()?;
    Some(config)
}

/// Whether programs may have the network. Without a sandbox they have it anyway, so no question is needed.
pub const fn network(config: &Config) -> NetworkAccess {
    match config.commands.network {
        _ if config.commands.unsandboxed => NetworkAccess::On,
        NetworkSetting::Off => NetworkAccess::Off,
        NetworkSetting::Ask => NetworkAccess::Ask,
        NetworkSetting::On => NetworkAccess::On,
    }
}
