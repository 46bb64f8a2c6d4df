//! The host of one command and its configuration, from the arguments.

use crate::args::Global;
use crate::exit::Failure;
use crate::render::stderr;
use crate::say;
use crate::wire::lookout::HookLines;
use palanca_config::Loaded;
use palanca_core::Message;
use palanca_hooks::Watcher;
use palanca_host::configuration::{self, Flag, locale};
use palanca_host::{Host, Notices, Places};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Says notices on stderr; with `--quiet` only what does not work.
pub struct Stderr {
    quiet: bool,
}

impl Notices for Stderr {
    fn warn(&self, message: &Message) {
        stderr::warn(message);
    }

    fn advise(&self, message: &Message) {
        if !self.quiet {
            stderr::warn(message);
        }
    }

    fn note(&self, message: &Message) {
        if !self.quiet {
            stderr::note(message);
        }
    }

    fn terminal(&self) -> Box<dyn Write + Send> {
        Box::new(stderr::Writer)
    }

    fn hooks(&self) -> Arc<dyn Watcher> {
        Arc::new(HookLines { quiet: self.quiet })
    }
}

/// What hears the notices of a command.
pub const fn notices(global: &Global) -> Stderr {
    Stderr { quiet: global.quiet }
}

/// Where the files of this installation are.
///
/// # Errors
/// A `$PALANCA_HOME` that is relative, exit code 3.
pub fn places(global: &Global) -> Result<Places, Failure> {
    Ok(Places { named: global.config.clone(), ..Places::of_the_environment()? })
}

/// The host of this command. Nothing is opened yet.
///
/// # Errors
/// As [`places`].
pub fn host(global: &Global) -> Result<Arc<Host>, Failure> {
    Ok(Host::new(places(global)?, Arc::new(notices(global))))
}

/// The state directory of a command that does nothing without one; `what` it needs it for, as [`Places::state_for`].
///
/// # Errors
/// When there is none, exit code 3.
pub fn home(what: &'static str) -> Result<PathBuf, Failure> {
    Ok(Places::of_the_environment()?.state_for(what)?.to_owned())
}

/// The configuration in force. Warnings go to stderr.
///
/// # Errors
/// Every fault of every layer, exit code 3.
pub fn load(global: &Global, more: &[Flag]) -> Result<Loaded, Failure> {
    let loaded = resolve(global, more)?;
    let notices = notices(global);
    configuration::unused(&loaded.warnings).iter().for_each(|told| notices.advise(told));
    Ok(loaded)
}

/// As [`load`], silently.
///
/// # Errors
/// As there.
pub fn resolve(global: &Global, more: &[Flag]) -> Result<Loaded, Failure> {
    let flags: Vec<Flag> = flags(global).into_iter().chain(more.iter().cloned()).collect();
    let loaded = configuration::resolve(&places(global)?, folder(global), &flags)?;
    say::speak(locale(&loaded.config));
    Ok(loaded)
}

/// Where the project's own configuration lies.
pub fn folder(global: &Global) -> &Path {
    global.workspace.as_deref().unwrap_or(Path::new("."))
}

/// What the command line says, as a layer of the configuration.
pub fn flags(global: &Global) -> Vec<Flag> {
    let mut flags = Vec::new();
    if let Some(folder) = &global.workspace {
        flags.push(("--workspace", "workspace.root", folder.display().to_string()));
    }
    let chosen = [
        ("--mode", "mode", &global.mode),
        ("--toolset", "toolset", &global.toolset),
        ("--lang", "language", &global.lang),
        ("--log-level", "logging.level", &global.log_level),
    ];
    if let Some(bot) = &global.bot {
        flags.push(("--bot", "bot", bot.clone()));
        // Who acts as a bot has its tools.
        if global.toolset.is_none() {
            flags.push(("--bot", "toolset", "bots".to_owned()));
        }
    }
    // What can be typed is spelled as in the configuration.
    flags.extend(chosen.into_iter().filter_map(|(flag, key, value)| Some((flag, key, value.clone()?))));
    if global.verbose > 0 {
        flags.push(("-v", "logging.verbose", global.verbose.min(3).to_string()));
    }
    if let Some(file) = &global.log_file {
        flags.push(("--log-file", "logging.file", file.display().to_string()));
    }
    flags
}
