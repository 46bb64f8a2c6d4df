//! `palanca check rules`: loads a rule file, tests its examples, lists its rules.

use crate::args::Global;
use crate::exit::{Ended, Exit};
use crate::render::{stderr, stdout};
use crate::wire::settings;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::ports::Decision;
use palanca_host::session::rules;
use palanca_host::workspace::disk;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

pub(super) fn check(global: &Global, config: &Config, file: &str) -> Ended {
    let places = settings::places(global)?;
    let paths = disk::path_rules(&places, config)?;
    let disk = disk::under(&places, config, Arc::clone(&paths))?;
    let book = rules::with_file(rules::empty(config, disk.workspace().to_owned(), paths), Path::new(file))?;
    let rules = book.list();
    let width = rules.iter().map(|rule| rule.id.chars().count()).max().unwrap_or_default();
    let mut out = stdout::lines();
    for rule in &rules {
        let decision = match rule.decision {
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            _ => "deny",
        };
        let line = format!("{decision:<5}  {:<width$}  {}", rule.id, rule.reason.as_deref().unwrap_or_default());
        stdout::quiet_when_closed(writeln!(out, "{}", line.trim_end()))?;
    }
    stdout::quiet_when_closed(out.flush())?;
    stderr::note(&Message::new("cli-check-rules").with("count", rules.len()));
    Ok(Exit::Success)
}
