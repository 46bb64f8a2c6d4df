//! What git is told by variables: not to ask, not to page, who commits. What a repository could make it run is switched off
//! by our own binary in its place ([`crate::git`]); only where nothing is in that place the variables must do what they can.

use crate::git::{Obeys, RULES, always};
use crate::isolation::Isolation;
use crate::settings::{PersonalGit, SandboxSettings};
use std::ffi::OsString;
use std::path::Path;

/// A file beyond this is no list of settings.
const LONGEST: u64 = 1 << 20;
/// Of one variable the kernel takes 128 KiB.
const LONGEST_RULES: usize = 100 << 10;

pub(super) fn variables(settings: &SandboxSettings, home: Option<&OsString>) -> Vec<(OsString, OsString)> {
    let fixed = [("GIT_TERMINAL_PROMPT", "0"), ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_OPTIONAL_LOCKS", "0")];
    let mut found: Vec<(OsString, OsString)> = fixed.map(|(name, value)| (name.into(), value.into())).into();
    found.extend(pairs(settings, Obeys::Nothing));
    if let Some(home) = home {
        found.extend(person(Path::new(home)));
    }
    found
}

/// What a program gets beside that was approved, or needs no approval: git may run the rules of its repository.
pub(crate) fn obeying(settings: &SandboxSettings) -> Vec<(OsString, OsString)> {
    match &settings.git {
        None => Vec::new(),
        // There git reads the person's own settings by itself.
        Some(_) if settings.isolation == Isolation::Unsandboxed => pairs(settings, Obeys::Rules),
        Some(personal) => {
            let told = |personal: &PersonalGit| serde_json::to_string(personal).unwrap_or_default();
            let all = told(personal);
            let too_long = || PersonalGit { unreadable: Some("too long".to_owned()), ..PersonalGit::default() };
            let all = if all.len() > LONGEST_RULES { told(&too_long()) } else { all };
            vec![(RULES.into(), all.into())]
        }
    }
}

fn pairs(settings: &SandboxSettings, obeys: Obeys) -> Vec<(OsString, OsString)> {
    let off = if settings.isolation == Isolation::Unsandboxed { always(obeys) } else { Vec::new() };
    let variables = crate::git::variables(&off).into_iter().filter(|(name, _)| name != "GIT_CONFIG_COUNT");
    let mut found: Vec<(OsString, OsString)> = variables.map(|(name, value)| (name.into(), value.into())).collect();
    // Inside, we may be another user than the one who owns the workspace; git would not read a foreign one.
    let count = off.len();
    found.push((format!("GIT_CONFIG_KEY_{count}").into(), "safe.directory".into()));
    found.push((format!("GIT_CONFIG_VALUE_{count}").into(), settings.workspace.clone().into()));
    found.push(("GIT_CONFIG_COUNT".into(), (count + 1).to_string().into()));
    found
}

/// Who the person is by their own settings, which are out of sight inside: a commit needs a name.
fn person(home: &Path) -> Vec<(OsString, OsString)> {
    let path = home.join(".gitconfig");
    if !std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= LONGEST) {
        return Vec::new();
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').trim().to_lowercase();
        } else if let Some((key, value)) = line.split_once('=').filter(|_| section == "user") {
            let names = match key.trim().to_lowercase().as_str() {
                "name" => ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"],
                "email" => ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"],
                _ => continue,
            };
            let value = value.trim().trim_matches('"');
            found.extend(names.map(|name| (name.into(), value.into())));
        }
    }
    found
}
