//! `palanca audit`: the hash-chained log, shown and checked.

use crate::args::Global;
use crate::args::audit::{Audit, AuditCommand, AuditShow};
use crate::commands::run::earlier::LATEST;
use crate::commands::{ids, sessions};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout, time};
use crate::wire::settings;
use palanca_core::call::SessionId;
use palanca_core::{Catalogue as _, Message};
use palanca_store::{AuditSettings, Database, Entry, Kind, Verified, entries, entries_of, verify};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

pub fn audit(global: &Global, args: Audit) -> Ended {
    let home = settings::home("audit")?;
    match args.what {
        AuditCommand::Show(mut show) => {
            show.stages |= global.verbose > 0;
            shown(global, &home, &show)
        }
        AuditCommand::Verify { json } => verified(global, &home, json),
    }
}

fn shown(global: &Global, home: &Path, show: &AuditShow) -> Ended {
    let latest =
        show.session.as_deref().filter(|typed| *typed == LATEST).map(|_| sessions::latest(global)).transpose()?;
    let session = latest.as_ref().map(SessionId::as_str).or(show.session.as_deref());
    let session = session.map(|typed| meant(home, typed, Some(typed), "session")).transpose()?;
    let call = show.call.as_deref().map(|typed| meant(home, typed, session.as_deref(), "call")).transpose()?;
    let mut kept = VecDeque::new();
    // Calls whose outcome has not come yet, with the last that a stage said of them.
    let mut open: BTreeMap<(String, String), Entry> = BTreeMap::new();
    let every = show.stages || show.json;
    let mut push = |entry| {
        kept.push_back(entry);
        if show.last > 0 && kept.len() > show.last {
            kept.pop_front();
        }
    };
    each(home, session.as_deref(), |entry| {
        let is = |field: &str, wanted: &Option<String>| wanted.is_none() || entry.text(field) == wanted.as_deref();
        if !is("session", &session) || !is("call", &call) {
            return;
        }
        let word = |name: &str| entry.text(name).unwrap_or_default().to_owned();
        let whose = (word("session"), word("call"));
        match entry.kind {
            Kind::Stage if !every => drop(open.insert(whose, entry)),
            _ => {
                open.remove(&whose);
                push(entry);
            }
        }
    })?;
    let mut open: Vec<Entry> = open.into_values().collect();
    open.sort_by_key(|entry| entry.seq);
    open.into_iter().for_each(push);
    let lines = kept.iter().map(|entry| if show.json { json(entry) } else { line(entry) });
    stdout::text(&lines.collect::<String>())?;
    Ok(Exit::Success)
}

/// The lines of sessions that begin so, or all.
fn each(home: &Path, session: Option<&str>, each: impl FnMut(Entry)) -> Result<(), Failure> {
    match session {
        Some(session) => drop(entries_of(home, &Database::lazy(home), session, each)?),
        None => entries(home, each)?,
    }
    Ok(())
}

/// The one of the ids in this field that was typed, among the lines of sessions that begin so.
fn meant(home: &Path, typed: &str, session: Option<&str>, field: &str) -> Result<String, Failure> {
    let mut known = BTreeSet::new();
    each(home, session, |entry| known.extend(entry.text(field).map(str::to_owned)))?;
    let known: Vec<String> = known.into_iter().collect();
    let picked = ids::pick(typed, &known, |id| id).map_err(|several| Failure::said(&several))?;
    picked.cloned().ok_or_else(|| Failure::said(&Message::new("audit-none")))
}

fn json(entry: &Entry) -> String {
    let mut object = serde_json::Map::new();
    object.insert("seq".into(), entry.seq.into());
    object.insert("kind".into(), entry.kind.name().into());
    object.extend(entry.fields.clone());
    format!("{}\n", serde_json::Value::Object(object))
}

/// `2026-01-02T03:04:05Z  0199f1c2  call-1  write_file  outcome  done  write a.txt`
fn line(entry: &Entry) -> String {
    let word = |name: &str| entry.text(name).unwrap_or_default();
    let at = entry.fields.get("at_ms").and_then(serde_json::Value::as_u64).map(time::utc).unwrap_or_default();
    let session: String = word("session").chars().take(13).collect();
    let said = match entry.kind {
        Kind::Stage => format!("{:<10} {:<7} {} {}", word("stage"), word("verdict"), word("rule"), word("evidence")),
        Kind::Outcome => format!("{:<10} {:<7} {}", "outcome", word("outcome"), why_or_what(entry)),
        Kind::Interrupted | Kind::Torn | Kind::Rotated | Kind::Removed | Kind::HeadLost => entry.kind.name().to_owned(),
    };
    let columns = format!("{at:<20} {session:<13} {:<12} {:<14} {said}", word("call"), word("tool"));
    format!("{}\n", stderr::shown_line(columns.trim_end()))
}

/// The code of a call that did not do its work, else what it did.
fn why_or_what(entry: &Entry) -> String {
    let effects = entry.fields.get("effects").and_then(serde_json::Value::as_array);
    let effects = effects.into_iter().flatten().filter_map(serde_json::Value::as_str);
    entry.text("code").map_or_else(|| effects.collect::<Vec<_>>().join("; "), str::to_owned)
}

fn verified(global: &Global, home: &Path, json: bool) -> Ended {
    let found = verify(home, AuditSettings::default())?;
    if json {
        stdout::json(&serde_json::to_value(&found)?)?;
    } else {
        let catalogue = palanca_host::configuration::catalogue(&settings::load(global, &[])?.config);
        stdout::text(&catalogue.render(&summary(&found)))?;
        for problem in &found.problems {
            let what = Message::new(words(problem.what)).with("file", &problem.file).with("line", problem.line);
            stdout::text(&catalogue.render(&what))?;
        }
    }
    Ok(if found.is_sound() { Exit::Success } else { Exit::Failed })
}

fn summary(found: &Verified) -> Message {
    Message::new(if found.is_sound() { "audit-sound" } else { "audit-unsound" })
        .with("lines", found.lines)
        .with("files", found.files)
        .with("problems", found.problem_count)
        .with("torn", found.torn)
        .with("interrupted", found.interrupted + found.orphans)
        .with("running", found.running)
}

fn words(problem: &str) -> &'static str {
    match problem {
        "changed" => "audit-changed",
        "out_of_chain" => "audit-out-of-chain",
        "cut_off" => "audit-cut-off",
        "begins_late" => "audit-begins-late",
        "no_head" => "audit-no-head",
        _ => "audit-unreadable",
    }
}
