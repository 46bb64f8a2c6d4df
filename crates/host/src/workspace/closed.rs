//! Passes the secret names to `git` as programs in the sandbox find it, which is this very binary: it excludes such files
//! from its output.

use crate::agent::guards;
use palanca_config::Config;
use palanca_policy::paths::{Access, GuardedFiles, PathRules, PathVerdict};
use palanca_sandbox::IsClosed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The globs of the configuration; the rules that are built in need not be told.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Globs {
    deny: Vec<String>,
    allow: Vec<String>,
    sensitive: Vec<String>,
}

/// What is told.
pub fn told(config: &Config) -> String {
    let globs = Globs {
        deny: config.secrets.deny.clone(),
        allow: config.secrets.allow.clone(),
        sensitive: guards::sensitive(config),
    };
    serde_json::to_string(&globs).unwrap_or_default()
}

/// All that decides what is closed: what is remembered under other words counts for nothing.
pub fn in_words(config: &Config, rules: &PathRules) -> String {
    let own: Vec<_> = rules.own().map(|path| path.display().to_string()).collect();
    serde_json::to_string(&(told(config), guards::protected(config), own)).unwrap_or_default()
}

/// The judge of what was told.
pub fn judge(told: &str) -> Option<IsClosed> {
    let Globs { deny, allow, sensitive } = serde_json::from_str(told).ok()?;
    let guarded = GuardedFiles::new(&sensitive, &[], &BTreeSet::new()).ok()?;
    let rules = PathRules::new(&deny, &allow, None).ok()?.guarding(guarded.into());
    Some(Box::new(move |path| matches!(rules.judge(path, Access::Read), PathVerdict::Secret(_))))
}
