//! Questions and sessions as the templates show them.

use super::Frame;
use crate::decide::word;
use crate::moment::utc;
use minijinja::{Value, context};
use palanca_core::Message;
use palanca_core::ports::StoredSession;
use palanca_store::{Given, KeptQuestion, QuestionState};
use palanca_text::questions::{asks, kept_in};
use palanca_tools::edit::diff::{DiffLine, Piece, kinds, words};

/// Lines of a diff on a page; its question has the rest.
const LINES: usize = 400;

pub(super) fn question(frame: &Frame, asked: &KeptQuestion) -> Value {
    let shown = &asked.shown;
    let headline = match &*shown.effects {
        [] => asked.tool.clone(),
        [first, ..] => first.clone(),
    };
    let scope = &asked.scope;
    let origin = frame.say(&asks(&shown.origin));
    let bot = scope.bot.as_ref().map(ToString::to_string);
    // A run that is nobody's is known by its folder.
    let place = if bot.is_none() { asked.workspace.clone() } else { scope.chat.as_ref().map(ToString::to_string) };
    let who: Vec<String> = [bot, place].into_iter().flatten().chain([origin.clone()]).collect();
    let (state, settled) = settled(frame, &asked.state);
    let undo = if shown.undo == "yes" { frame.say(&word("yes")) } else { shown.undo.clone() };
    let isolation = shown.isolation.as_deref().map(|kept| {
        frame.say(&kept_in(match kept {
            "full" => "full",
            "filters" => "filters",
            _ => "none",
        }))
    });
    let commands = shown.commands.iter().map(|read| {
        context! { source => read.source.clone(), class => read.class.clone(), rule => read.rule.clone() }
    });
    let reasons =
        shown.reasons.iter().map(|reason| context! { rule => reason.rule.clone(), words => reason.words.clone() });
    let drafts = shown.drafts.iter().map(|draft| context! { words => draft.words.clone() });
    context! {
        id => asked.id.as_str(), session => scope.session.as_str(), workspace => asked.workspace.clone(), tool => asked.tool.clone(),
        digest => asked.digest.clone(), headline, who => who.join(" · "), origin, state, settled, undo, isolation,
        asked => utc(asked.asked_ms), expires => utc(asked.expires_ms), effects => shown.effects.clone(),
        commands => commands.collect::<Vec<_>>(), reasons => reasons.collect::<Vec<_>>(), drafts => drafts.collect::<Vec<_>>(), changed => shown.changed.clone(),
        arguments => serde_json::to_string_pretty(&shown.arguments).unwrap_or_default(),
        diff => shown.diff.as_deref().map(diff),
    }
}

/// A state's name, and what became of it in words.
fn settled(frame: &Frame, state: &QuestionState) -> (&'static str, String) {
    let by = |given: &Given| {
        Message::new("approvals-by")
            .with("answer", word(given.answer.name()))
            .with("by", &given.answered_by)
            .with("at", utc(given.answered_ms))
    };
    match state {
        QuestionState::Open => ("open", String::new()),
        QuestionState::Expired => ("expired", frame.say(&Message::new("approvals-state-expired"))),
        QuestionState::Answered(given) => ("answered", frame.say(&by(given))),
        QuestionState::Spent { given, .. } => ("spent", frame.say(&by(given))),
    }
}

/// The lines of a unified diff, by what they are; of changed lines also the words that differ.
pub(super) fn diff(text: &str) -> Vec<Value> {
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let kinds = kinds(&lines);
    let mut shown = Vec::with_capacity(lines.len());
    let run = |from: usize, wanted: DiffLine| kinds.iter().skip(from).take_while(|kind| **kind == wanted).count();
    while let Some((kind, line)) = kinds.get(shown.len()).zip(lines.get(shown.len())) {
        let at = shown.len();
        let removed = run(at, DiffLine::Removed);
        let (old, rest) = lines.get(at..).unwrap_or_default().split_at(removed);
        let new = rest.get(..run(at + removed, DiffLine::Added)).unwrap_or_default();
        match words(old, new).filter(|pairs| !pairs.is_empty()) {
            Some(pairs) => {
                shown.extend(pairs.iter().map(|(before, _)| pieces("del", before)));
                shown.extend(pairs.iter().map(|(_, after)| pieces("add", after)));
            }
            None => {
                let kind = match kind {
                    DiffLine::Heading | DiffLine::Place => "hunk",
                    DiffLine::Removed => "del",
                    DiffLine::Added => "add",
                    DiffLine::Same => "same",
                };
                shown.push(pieces(kind, &[(false, (*line).to_owned())]));
            }
        }
    }
    if text.lines().nth(LINES).is_some() {
        shown.push(pieces("hunk", &[(false, "…".to_owned())]));
    }
    shown
}

fn pieces(kind: &str, line: &[Piece]) -> Value {
    let piece = |(differs, text): &Piece| context! { differs => *differs, text => &**text };
    context! { kind, pieces => line.iter().map(piece).collect::<Vec<_>>() }
}

pub(super) fn session(frame: &Frame, kept: &StoredSession) -> Value {
    let (began, summary) = (&kept.began, &kept.summary);
    let scope = &began.scope;
    let counts = Message::new("page-counts").with("steps", summary.steps).with("calls", summary.calls);
    context! {
        id => scope.session.as_str(), task => first_line(&began.task), workspace => began.workspace.clone(),
        bot => scope.bot.as_ref().map(|bot| bot.as_str()), chat => scope.chat.as_ref().map(|chat| chat.as_str()),
        model => began.model.clone(), status => summary.status.name(), status_word => frame.say(&status(summary.status.name())),
        updated => utc(kept.updated_ms), counts => frame.say(&counts),
        cost => summary.dollars.map(|dollars| format!("${dollars:.4}")),
    }
}

/// The word for a status of a session.
pub(super) const fn status(name: &str) -> Message {
    match name.as_bytes() {
        b"running" => Message::new("page-status-running"),
        b"success" => Message::new("page-status-success"),
        b"partial" => Message::new("page-status-partial"),
        b"interrupted" => Message::new("page-status-interrupted"),
        _ => Message::new("page-status-failed"),
    }
}

/// A task in a list.
fn first_line(text: &str) -> String {
    const MOST: usize = 160;
    let mut line: String = text.trim().lines().next().unwrap_or_default().chars().take(MOST).collect();
    if line.len() < text.trim().len() {
        line.push('…');
    }
    line
}
