//! What git is told by variables: not to ask, not to page, who commits. What a repository could make it run is switched off
//! by our own binary in its place ([`crate::git`]); only where nothing is in that place the variables must do what they can.

use crate::isolation::Isolation;
use crate::settings::SandboxSettings;
use std::ffi::OsString;
use std::path::Path;

/// A file beyond this is no list of settings.
const LONGEST: u64 = 1 << 20;

pub(super) fn variables(settings: &SandboxSettings, home: Option<&OsString>) -> Vec<(OsString, OsString)> {
    let fixed = [("GIT_TERMINAL_PROMPT", "0"), ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_OPTIONAL_LOCKS", "0")];
    let mut found: Vec<(OsString, OsString)> = fixed.map(|(name, value)| (name.into(), value.into())).into();
    let mut pairs = if settings.isolation == Isolation::Unsandboxed { crate::git::always() } else { Vec::new() };
    // Inside, we may be another user than the one who owns the workspace; git would not read a foreign one.
    let count = pairs.iter().filter(|(name, _)| name.starts_with("GIT_CONFIG_KEY_")).count();
    pairs.retain(|(name, _)| name != "GIT_CONFIG_COUNT");
    found.extend(pairs.into_iter().map(|(name, value)| (name.into(), value.into())));
    found.push((format!("GIT_CONFIG_KEY_{count}").into(), "safe.directory".into()));
    found.push((format!("GIT_CONFIG_VALUE_{count}").into(), settings.workspace.clone().into()));
    found.push(("GIT_CONFIG_COUNT".into(), (count + 1).to_string().into()));
    if let Some(home) = home {
        found.extend(person(Path::new(home)));
    }
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
