//! What rules together say of a call: deny beats ask, ask beats allow, in whatever order they stand.
//!
//! A call is allowed when everything in it that a person would be asked about is covered by some rule; several rules may
//! share the work. What needs no approval (reads, safe commands) needs no rule beside it, unless it is all that the call does.

use super::deed::{Deed, Subject};
use super::glob::Spot;
use super::row::{Kind, Says};
use super::rule::Rule;
use crate::texts;
use palanca_core::call::{Effect, Launch};
use palanca_core::ports::{CommandClass, CommandPart, CommandReading, CommandWord, Verdict};
use palanca_core::{Message, Text, call::Effects};
use std::path::Path;

/// A reading tells of no more parts than this; there may be others.
const PARTS: usize = 64;

/// The rule that forbids or asks; a denial wins.
pub(super) fn strictest<'r>(
    rules: impl Iterator<Item = &'r Rule>,
    deeds: &[Deed<'_>],
    workspace: &Path,
) -> Option<&'r Rule> {
    let mut asks = None;
    for rule in rules {
        let denies = rule.row.decision == Says::Deny;
        if (denies || asks.is_none()) && deeds.iter().any(|deed| rule.touches(deed, workspace)) {
            if denies {
                return Some(rule);
            }
            asks = Some(rule);
        }
    }
    asks
}

/// The first of the rules that together cover the whole call.
pub(super) fn covering<'r>(
    rules: &[&'r Rule],
    subject: &Subject<'_>,
    deeds: &[Deed<'_>],
    workspace: &Path,
) -> Option<&'r Rule> {
    let sensitive = deeds.iter().any(Deed::is_sensitive);
    // A tool that is sensitive by itself does more than its effects say.
    if subject.sensitive && !sensitive {
        return None;
    }
    let asked_about = deeds.iter().filter(|deed| !sensitive || deed.is_sensitive());
    let mut first = None;
    for deed in asked_about {
        let rule = match deed {
            Deed::Run(launch, reading, _) => program(rules, Kind::Run, Some(launch), reading, workspace),
            Deed::Feed(reading, _) => program(rules, Kind::Feed, None, reading, workspace),
            Deed::Http(target) => rules.iter().copied().find(|rule| rule.covers_exchange(target)),
            _ => rules.iter().copied().find(|rule| rule.covers_whole(deed)),
        };
        first.get_or_insert(rule?);
    }
    first
}

fn program<'r>(
    rules: &[&'r Rule],
    kind: Kind,
    launch: Option<&Launch>,
    reading: &CommandReading,
    workspace: &Path,
) -> Option<&'r Rule> {
    let open = reading.refused.is_some() || reading.class == CommandClass::Blocked || reading.parts.len() >= PARTS;
    if open || launch.is_some_and(|launch| !launch.environment.is_empty()) {
        return None;
    }
    let all_safe = reading.class == CommandClass::Safe;
    let needs_rule = |part: &&CommandPart| all_safe || part.class > CommandClass::Safe || !part.assignments.is_empty();
    let parts: Vec<&CommandPart> = reading.parts.iter().filter(needs_rule).collect();
    if parts.is_empty() || !parts.iter().all(|part| is_closed(part)) {
        return None;
    }
    let by_text = |launch: &Launch| {
        let whole = |rule: &&Rule| parts.iter().all(|part| rule.covers_text(launch, part, workspace));
        rules.iter().copied().find(whole)
    };
    if let Some(rule) = launch.and_then(by_text) {
        return Some(rule);
    }
    let mut first = None;
    for part in parts {
        let rule = rules.iter().copied().find(|rule| rule.covers_part(kind, part, workspace))?;
        if part.fed || !redirects_covered(rules, part, workspace) {
            return None;
        }
        first.get_or_insert(rule);
    }
    first
}

/// Whether nothing about a part is left open.
fn is_closed(part: &CommandPart) -> bool {
    let known = |word: &CommandWord| !matches!(word, CommandWord::Unknown(_));
    let targets = part.redirects.iter().map(|(target, _)| target);
    !part.words.is_empty() && part.assignments.is_empty() && part.words.iter().chain(targets).all(known)
}

fn redirects_covered(rules: &[&Rule], part: &CommandPart, workspace: &Path) -> bool {
    let covered = |spot: &Spot, access| rules.iter().any(|rule| rule.covers_redirect(spot, access));
    part.redirects.iter().all(|(target, access)| match target.known() {
        Some("/dev/null") => true,
        Some(name) => super::named::place(part, name, workspace).is_some_and(|spot| covered(&spot, *access)),
        None => false,
    })
}

/// What the gate is told.
pub(super) fn verdict(rule: &Rule, effects: &Effects) -> Verdict {
    // For the audit, which is English.
    let what = texts::short(&effects.iter().map(Effect::to_string).collect::<Vec<_>>().join("; "), 200);
    let key = match rule.row.decision {
        Says::Allow => "rule-allows",
        Says::Ask => "rule-asks",
        Says::Deny => "rule-denies",
    };
    let reason = rule.row.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    Verdict {
        decision: rule.row.decision.into(),
        rule: rule.id.clone(),
        to_model: Message::new(key).with("rule", &rule.id).with("what", summary(effects)).with("reason", reason),
        to_operator: what,
    }
}

/// The effects in a few words of the reader's language.
pub(super) fn summary(effects: &Effects) -> Text {
    const MOST: usize = 4;
    const CHARACTERS: usize = 120;
    let short = |message: Message| message.map(&|text| texts::short(text, CHARACTERS));
    let mut all = Text::new();
    for (at, effect) in effects.iter().take(MOST).enumerate() {
        all = if at == 0 { all } else { all.then("; ") }.then(short(effect.message()));
    }
    let more = effects.iter().skip(MOST).count();
    if more > 0 { all.then(format!("; … (+{more})")) } else { all }
}
