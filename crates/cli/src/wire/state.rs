//! The state directory: the audit log and the undo journal.

use super::{disk, store};
use crate::exit::{Exit, Failure};
use crate::render::stderr;
use crate::say::say;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_core::ports::{NoRecorder, Recorder};
use palanca_files::{Journal, StateDirectory, StateError, places};
use palanca_store::{Audit, AuditSettings, Database};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What state there is. Without a directory calls still run: nothing is recorded then, and that is said.
pub struct State {
    pub recorder: Arc<dyn Recorder>,
    pub journal: Option<Arc<Journal>>,
    /// Questions, rules, the undo index, sessions and long texts; nothing is opened before something is needed of it.
    pub database: Option<Arc<Database>>,
}

/// `$PALANCA_HOME`, or the platform's data directory.
pub fn path() -> Option<PathBuf> {
    StateDirectory::default_path(|name| std::env::var_os(name))
}

/// Whether `$PALANCA_HOME` can be used at all: what is relative means another folder in each one.
///
/// # Errors
/// When it is relative, exit code 3.
pub fn check_home() -> Result<(), Failure> {
    let home = std::env::var_os("PALANCA_HOME").filter(|home| !home.is_empty() && !Path::new(home).is_absolute());
    home.map_or(Ok(()), |home| {
        let path = Path::new(&home).display().to_string();
        Err(Failure::said(&Message::new("cli-home-relative").with("path", path)))
    })
}

/// Opens it, as the configuration says how long things are kept.
pub fn open(config: &Config) -> State {
    let Some(path) = path() else {
        stderr::warn(&Message::new("cli-home-unset"));
        return State { recorder: Arc::new(NoRecorder), journal: None, database: None };
    };
    let database = Arc::new(Database::lazy(&path).artifacts(store::limits(config)));
    let opened = StateDirectory::open(&path).and_then(|state| Journal::open(&state, Arc::clone(&database) as _));
    match opened {
        Ok(journal) => {
            let audit = Audit::new(&path, AuditSettings::default()).workspace(disk::here(config).ok());
            State { recorder: Arc::new(audit), journal: Some(Arc::new(journal)), database: Some(database) }
        }
        Err(error) => {
            stderr::warn(&Message::new("cli-home-unusable").with("reason", say(&words(&error))));
            State { recorder: Arc::new(NoRecorder), journal: None, database: None }
        }
    }
}

/// The state directory of a command that does nothing without one. `what` it needs it for: `audit`, `questions`,
/// `sessions`,
/// `store` or `trust`.
///
/// # Errors
/// When there is none, exit code 3.
pub fn home(what: &'static str) -> Result<PathBuf, Failure> {
    path().ok_or_else(|| Failure::said(&Message::new("cli-home-missing").with("what", what)))
}

/// A file of the program or one that the operator named, which cannot be used: exit code 3.
pub fn failed(error: StateError) -> Failure {
    Failure::said(&words(&error))
}

/// The same for failures without a user error: exit code 1.
fn broken(error: StateError) -> Failure {
    Failure::saying(Exit::Failed, &words(&error))
}

/// The sentence for it.
pub fn words(error: &StateError) -> Message {
    let StateError { what, path, source } = error;
    Message::new("cli-file-failed")
        .with("what", *what)
        .with("path", path.display().to_string())
        .with("reason", reason(source))
}

/// The system's own words are English; what happens most has a sentence.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => say(&Message::new("cli-io-not-found")),
        ErrorKind::PermissionDenied => say(&Message::new("cli-io-permission")),
        ErrorKind::IsADirectory => say(&Message::new("cli-io-directory")),
        ErrorKind::NotADirectory => say(&Message::new("cli-io-no-directory")),
        ErrorKind::StorageFull => say(&Message::new("cli-io-full")),
        // A folder was to be made where something else is.
        ErrorKind::AlreadyExists => say(&Message::new("cli-io-file")),
        ErrorKind::InvalidData => say(&Message::new("cli-io-text")),
        ErrorKind::ReadOnlyFilesystem => say(&Message::new("cli-io-read-only")),
        _ => say(&Message::new("system-words").with("words", error.to_string())),
    }
}

/// The hashes of project files that were accepted, one a line with the place it was accepted at. The same text in another
/// folder is another decision: what it allows is allowed there.
const TRUSTED: &str = "trusted-projects";
const MAX_TRUSTED: u64 = 1 << 20;

/// What was accepted before.
pub struct Accepted(String);

impl Accepted {
    pub fn load() -> Self {
        let kept = path().and_then(|path| StateDirectory::open(&path).ok()?.read(TRUSTED, MAX_TRUSTED).ok());
        Self(kept.unwrap_or_default())
    }

    /// Whether exactly this text of the file at `file` was.
    pub fn holds(&self, file: &str, text: &str) -> bool {
        accepted(file, text).is_some_and(|accepted| self.0.lines().any(|line| line == accepted))
    }

    /// Whether any text of it was.
    pub fn knows(&self, file: &str) -> bool {
        let place = accepted(file, "").and_then(|line| line.split_once(' ').map(|(_, place)| place.to_owned()));
        place.is_some_and(|place| self.0.lines().any(|line| line.split_once(' ').is_some_and(|(_, at)| at == place)))
    }
}

/// Whether exactly this text of the project's file at `file` was accepted before.
pub fn trusts(file: &str, text: &str) -> bool {
    Accepted::load().holds(file, text)
}

/// The line for it. The folder is resolved and the name is not: a link to a file that was accepted elsewhere is not that file.
fn accepted(file: &str, text: &str) -> Option<String> {
    let file = Path::new(file);
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = places(folder).ok()?.pop()?.join(file.file_name()?);
    let plain = place.to_str().filter(|text| !text.contains(char::is_control));
    // Quoted, two places that cannot be written plainly stay two.
    let place = plain.map_or_else(|| format!("{place:?}"), str::to_owned);
    Some(format!("{} {place}", Digest::of_bytes(text.as_bytes()).to_hex()))
}

/// Accepts this text of the project's file at `file`.
///
/// # Errors
/// When there is no state directory or it cannot be written.
pub fn trust(file: &str, text: &str) -> Result<(), Failure> {
    let home = home("trust")?;
    let accepted = accepted(file, text).ok_or_else(|| Failure::said(&Message::new("cli-config-none")))?;
    let state = StateDirectory::open(&home).map_err(broken)?;
    let kept = match state.read(TRUSTED, MAX_TRUSTED) {
        Ok(kept) => kept,
        Err(error) if error.is_not_found() => String::new(),
        Err(error) => return Err(broken(error)),
    };
    if kept.lines().any(|line| line == accepted) {
        return Ok(());
    }
    state.write(TRUSTED, &format!("{kept}{accepted}\n")).map_err(broken)
}
