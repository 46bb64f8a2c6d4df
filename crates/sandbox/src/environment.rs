//! The variables of a program, built from nothing: what is not on the list does not pass, so no secret of ours can.
//!
//! A launch's own variables come last and may be anything but what changes which code a program loads or which program
//! another one starts. Those are refused by name: a command that was judged harmless would no longer be what runs.

pub(crate) mod git;
mod refused;

use crate::settings::{SandboxSettings, Searched};
use crate::spawn::environment as refusal;
use palanca_core::call::Launch;
use palanca_core::ports::ProcessError;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Passed on from our own environment.
const PASSED: &str = "
    HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ NO_COLOR FORCE_COLOR CLICOLOR COLORTERM CI NODE_ENV
    SOURCE_DATE_EPOCH GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL";

/// The same for every program: nothing pages, nothing asks.
const FIXED: &[(&str, &str)] = &[
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", ""),
    ("LESS", "-FRX"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("TMPDIR", "/tmp"),
];

/// Below a home that is a program's own.
const OWN: &[(&str, &str)] = &[
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_CACHE_HOME", ".cache"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
];
/// The same for temporary files.
pub(crate) const TEMPORARY: &str = "tmp";

/// What a shell ever reads of a text; more than this is not passed to any program by the kernel either.
const LONGEST: usize = 128 << 10;

/// What every program of one door gets.
#[derive(Clone, Debug)]
pub(crate) struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// From our own variables.
    pub(crate) fn new(own: impl IntoIterator<Item = (OsString, OsString)>, settings: &SandboxSettings) -> Self {
        let passed = |name: &OsStr| {
            let name = name.to_string_lossy();
            let listed = |pattern: &str| matches(pattern, &name);
            let extra = settings.environment.iter().any(|pattern| listed(pattern)) && refused::reason(&name).is_none();
            extra || PASSED.split_whitespace().any(listed)
        };
        let mut variables: BTreeMap<OsString, OsString> = own.into_iter().filter(|(name, _)| passed(name)).collect();
        variables.insert("PATH".into(), settings.search_path(Searched::Everything));
        variables.extend(settings.variables.iter().cloned());
        variables.entry("HOME".into()).or_insert_with(|| "/".into());
        variables.extend(FIXED.iter().map(|(name, value)| (name.into(), value.into())));
        variables.extend(settings.closed.iter().map(|closed| (crate::git::CLOSED.into(), closed.into())));
        variables.extend(git::variables(settings, variables.get(OsStr::new("HOME"))));
        Self(variables)
    }

    /// The same with another place for temporary files and for the home.
    pub(crate) fn at(mut self, home: &OsStr, temporary: &OsStr) -> Self {
        self.0.insert("HOME".into(), home.to_owned());
        self.0.insert("TMPDIR".into(), temporary.to_owned());
        self
    }

    /// The same for a program that lives in a folder of its own.
    pub(crate) fn living_in(self, home: &Path) -> Self {
        let below = |(name, folder): &(&str, &str)| (name.into(), home.join(folder).into());
        self.at(home.as_os_str(), home.join(TEMPORARY).as_os_str()).with(&OWN.iter().map(below).collect::<Vec<_>>())
    }

    /// The same with these, whatever they were before.
    pub(crate) fn with(mut self, variables: &[(OsString, OsString)]) -> Self {
        self.0.extend(variables.iter().cloned());
        self
    }

    /// The same, looking for programs along this path.
    pub(crate) fn searching(mut self, path: OsString) -> Self {
        self.0.insert("PATH".into(), path);
        self
    }

    /// The same, looking for programs here before anywhere else.
    pub(crate) fn searching_first(mut self, directory: &Path) -> Self {
        let mut path = directory.as_os_str().to_owned();
        path.push(":");
        path.push(self.0.get(OsStr::new("PATH")).map_or(OsStr::new(""), OsString::as_os_str));
        self.0.insert("PATH".into(), path);
        self
    }

    /// For one launch.
    pub(crate) fn of(&self, launch: &Launch) -> Result<Vec<(OsString, OsString)>, ProcessError> {
        let mut variables = self.0.clone();
        variables.insert("TERM".into(), if launch.terminal.is_some() { "xterm" } else { "dumb" }.into());
        check(launch)?;
        variables.extend(launch.environment.iter().map(|(name, value)| (name.into(), value.into())));
        Ok(variables.into_iter().collect())
    }
}

/// Whether a launch's own variables may be set.
pub(crate) fn check(launch: &Launch) -> Result<(), ProcessError> {
    launch.environment.iter().try_for_each(|(name, value)| {
        let reason = if name.is_empty() || name.contains(['=', '\0']) {
            Some("this is not a name")
        } else if value.contains('\0') {
            Some("its value contains NUL")
        } else if name.len() + value.len() > LONGEST {
            Some("longer than 128 KiB")
        } else {
            refused::reason(name)
        };
        reason.map_or(Ok(()), |reason| Err(refusal(name, reason)))
    })
}

/// A name, or with a star at its end or its beginning, a family of names. Names differ by case.
fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(beginning), _) => name.starts_with(beginning),
        (_, Some(end)) => name.ends_with(end),
        _ => pattern == name,
    }
}

#[cfg(test)]
mod tests;
