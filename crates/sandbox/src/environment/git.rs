//! What git is told by variables: not to ask, not to page, and to run nothing that a repository configures under a name
//! that is known beforehand. Names that only the repository knows are the work of [`crate::git`].

use std::ffi::OsString;
use std::path::Path;

pub(super) fn variables(workspace: &Path) -> impl Iterator<Item = (OsString, OsString)> + use<> {
    let fixed = [("GIT_TERMINAL_PROMPT", "0"), ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_OPTIONAL_LOCKS", "0")];
    let mut found: Vec<(OsString, OsString)> = fixed.map(|(name, value)| (name.into(), value.into())).into();
    let mut pairs = crate::git::always();
    // Inside, we may be another user than the one who owns the workspace; git would not read a foreign one.
    let count = pairs.iter().filter(|(name, _)| name.starts_with("GIT_CONFIG_KEY_")).count();
    pairs.retain(|(name, _)| name != "GIT_CONFIG_COUNT");
    found.extend(pairs.into_iter().map(|(name, value)| (name.into(), value.into())));
    found.push((format!("GIT_CONFIG_KEY_{count}").into(), "safe.directory".into()));
    found.push((format!("GIT_CONFIG_VALUE_{count}").into(), workspace.into()));
    found.push(("GIT_CONFIG_COUNT".into(), (count + 1).to_string().into()));
    found.into_iter()
}
