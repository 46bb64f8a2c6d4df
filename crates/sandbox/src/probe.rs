//! The isolation mechanisms of this machine, detected by trying them, not by version numbers.
//!
//! The helper tries each mechanism alone and then everything together, each in a process of its own, and prints what
//! came of it. A level is available only if all of it worked together.

mod check;
mod remembered;

pub(crate) use check::{CHECK, LEVEL, best_level, check};
pub(crate) use remembered::Remembered;

use crate::order::{HELPER, Level};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::{Command, Stdio};

/// A mechanism of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Mechanism {
    /// User namespaces, without which there are no others.
    UserNamespace,
    /// Process namespaces: the one sure way to end everything that a program left behind.
    ProcessNamespace,
    /// Network namespaces.
    NetworkNamespace,
    /// Mount, IPC, name and cgroup namespaces.
    OtherNamespaces,
    /// Everything of [`Level::Full`] together, a root of its own included.
    Full,
    /// Landlock.
    Landlock,
    /// Filters of system calls.
    Seccomp,
    /// Opening files below a directory and nowhere else.
    Openat2,
    /// Everything of [`Level::Filters`] together.
    Filters,
    /// Control groups (cgroup v2) that count memory and processes.
    Groups,
    /// Asking for every write: user notification with descriptors handed back (kernel 5.14).
    Supervisor,
}

impl Mechanism {
    /// In English.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserNamespace => "user namespaces",
            Self::ProcessNamespace => "process namespaces",
            Self::NetworkNamespace => "network namespaces",
            Self::OtherNamespaces => "mount, ipc, name and cgroup namespaces",
            Self::Full => "isolation, full",
            Self::Landlock => "landlock",
            Self::Seccomp => "seccomp",
            Self::Openat2 => "openat2",
            Self::Filters => "isolation, filters alone",
            Self::Groups => "cgroup v2",
            Self::Supervisor => "supervision of writes",
        }
    }

    /// What is lost where this is missing, in English.
    #[must_use]
    pub const fn loss(self) -> &'static str {
        match self {
            Self::UserNamespace => "no namespace can be created, so full isolation is unavailable",
            Self::ProcessNamespace => {
                "other processes are visible, and programs may outlive a helper process that is killed"
            }
            Self::NetworkNamespace => "only the system call filter keeps programs off the network",
            Self::OtherNamespaces => "protected but absent paths can be created",
            Self::Full => "the next lower level is used, if the operator allows it",
            Self::Landlock => "without namespaces nothing would keep programs away from files, so they do not start",
            Self::Seccomp => "no program starts in isolation",
            Self::Openat2 => "programs cannot get a root file system of their own",
            Self::Filters => "without full isolation no program starts",
            Self::Groups => "memory and processes of a program are polled several times a second instead",
            Self::Supervisor => {
                "writes are not checked one by one: protected files are looked up before each program and checked after it, and changes made by programs cannot be undone"
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Finding {
    mechanism: Mechanism,
    /// What it is like, or why it does not work.
    outcome: Result<String, String>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    findings: Vec<Finding>,
    /// Why nothing could be tried.
    trouble: Option<String>,
}

/// What this machine can do at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Best {
    pub(crate) level: Level,
    /// Whether every write can be asked for.
    pub(crate) supervised: bool,
}

/// The best level of this machine, which is found in a quarter of the time of a [`Probe`] and as surely. A helper that
/// cannot say has none. Something else is done meanwhile.
pub(crate) fn best_level_by(helper: &Path, meanwhile: impl FnOnce()) -> Best {
    ask(helper, LEVEL, meanwhile).unwrap_or(Best { level: Level::None, supervised: false })
}

fn ask<T: DeserializeOwned>(helper: &Path, what: &str, meanwhile: impl FnOnce()) -> Result<T, String> {
    let mut command = Command::new(helper);
    command.args([HELPER, what]).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn();
    meanwhile();
    let said = child
        .and_then(std::process::Child::wait_with_output)
        .map_err(|error| format!("{}: {error}", helper.display()))?;
    serde_json::from_slice(&said.stdout).map_err(|_| format!("{} is no helper program", helper.display()))
}

/// Tries the mechanisms of this machine with this very program as the helper; its `main` begins with
/// [`enter`](crate::enter). Takes some milliseconds; the answer changes only when the machine's settings do.
#[must_use]
pub fn probe() -> Probe {
    Probe::by(Path::new("/proc/self/exe"))
}

impl Probe {
    /// With another program as the helper.
    #[must_use]
    pub fn by(helper: &Path) -> Self {
        Self::ask(helper).unwrap_or_else(|trouble| Self { findings: Vec::new(), trouble: Some(trouble) })
    }

    fn ask(helper: &Path) -> Result<Self, String> {
        ask(helper, CHECK, || {})
    }

    /// The best level of this machine.
    #[must_use]
    pub fn level(&self) -> Level {
        if self.has(Mechanism::Full) {
            Level::Full
        } else if self.has(Mechanism::Filters) {
            Level::Filters
        } else {
            Level::None
        }
    }

    /// Whether a mechanism works.
    #[must_use]
    pub fn has(&self, mechanism: Mechanism) -> bool {
        self.findings.iter().any(|finding| finding.mechanism == mechanism && finding.outcome.is_ok())
    }

    /// Why nothing could be tried.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Every mechanism that was tried: what it is like, or why it does not work.
    pub fn tried(&self) -> impl Iterator<Item = (Mechanism, Result<&str, &str>)> {
        self.findings
            .iter()
            .map(|finding| (finding.mechanism, finding.outcome.as_ref().map(String::as_str).map_err(String::as_str)))
    }

    /// Every mechanism with what was found, in words; what is missing says what is lost with it.
    #[must_use]
    pub fn findings(&self) -> Vec<(&'static str, String)> {
        let trouble = self.trouble.iter().map(|trouble| ("isolation", format!("not tried: {trouble}")));
        let found = self.findings.iter().map(|finding| {
            let text = match &finding.outcome {
                Ok(detail) if detail.is_empty() => "works".to_owned(),
                Ok(detail) => format!("works ({detail})"),
                Err(reason) => format!("missing ({reason}): {}", finding.mechanism.loss()),
            };
            (finding.mechanism.name(), text)
        });
        trouble.chain(found).collect()
    }

    /// The same machine without one mechanism, for tests of what happens then.
    #[cfg(test)]
    pub(crate) fn without(mut self, missing: Mechanism) -> Self {
        use Mechanism::{Filters, Full, Groups, Landlock, Seccomp, Supervisor};
        for finding in &mut self.findings {
            let depends = match finding.mechanism {
                Full => !matches!(missing, Filters | Landlock | Groups),
                Filters => matches!(missing, Landlock | Seccomp),
                Supervisor => missing == Seccomp,
                _ => false,
            };
            if finding.mechanism == missing || depends {
                finding.outcome = Err("taken away".to_owned());
            }
        }
        self
    }
}

#[cfg(test)]
mod tests;
