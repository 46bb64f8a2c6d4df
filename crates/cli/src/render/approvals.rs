//! Stored questions and rules, for people.

use crate::render::{stderr, time};
use crate::say::say;
use palanca_core::{Catalogue, Message};
use palanca_policy::marking::shown_lines;
use palanca_store::{Given, KeptQuestion, KeptRule, QuestionState, Revoked};
use palanca_text::questions;
use std::time::{SystemTime, UNIX_EPOCH};

/// Values of arguments are shown up to here.
const SHOWN_CHARS: usize = 500;

/// Effects in a list are shown up to here.
const LISTED_CHARS: usize = 160;

/// A question in two lines of a list: which, and what it is about.
pub fn listed(question: &KeptQuestion, catalogue: &dyn Catalogue) -> String {
    let effects = question.shown.effects.join("; ");
    let mut about: String = effects.chars().take(LISTED_CHARS).collect();
    if about.len() < effects.len() {
        about.push('…');
    }
    let about = stderr::shown_line(&about);
    format!("{}{}", row(question, catalogue), if about.is_empty() { about } else { format!("    {about}\n") })
}

/// The first line of a question.
pub fn row(question: &KeptQuestion, catalogue: &dyn Catalogue) -> String {
    let line = Message::new("approvals-row")
        .with("id", question.id.as_str())
        .with("state", state(&question.state, catalogue))
        .with("tool", &question.tool)
        .with("asked", time::utc(question.asked_ms))
        .with("expires", time::utc(question.expires_ms));
    format!("{}\n", stderr::shown_line(&catalogue.render(&line)))
}

fn state(state: &QuestionState, catalogue: &dyn Catalogue) -> String {
    catalogue.render(&match state {
        QuestionState::Open => Message::new("approvals-state-open"),
        QuestionState::Expired => Message::new("approvals-state-expired"),
        QuestionState::Answered(given) => {
            Message::new("approvals-state-answered").with("answer", answer(given.answer.name()))
        }
        QuestionState::Spent { given, .. } => {
            Message::new("approvals-state-spent").with("answer", answer(given.answer.name()))
        }
    })
}

/// Everything that is known of a question.
pub fn page(question: &KeptQuestion, catalogue: &dyn Catalogue) -> String {
    let shown = &question.shown;
    let mut page = row(question, catalogue);
    let mut line = |label: Message, value: &str| {
        if !value.is_empty() {
            page.push_str(&format!("  {:<14} {}\n", catalogue.render(&label), stderr::shown_line(value)));
        }
    };
    line(Message::new("approvals-label-call"), question.call.as_str());
    line(Message::new("approvals-label-origin"), &catalogue.render(&questions::asks(&shown.origin)));
    line(Message::new("approvals-label-session"), question.scope.session.as_str());
    line(Message::new("approvals-label-bot"), question.scope.bot.as_ref().map_or("", |bot| bot.as_str()));
    line(Message::new("approvals-label-chat"), question.scope.chat.as_ref().map_or("", |chat| chat.as_str()));
    line(Message::new("approvals-label-workspace"), question.workspace.as_deref().unwrap_or_default());
    line(Message::new("approvals-label-asked"), &time::utc(question.asked_ms));
    line(Message::new("approvals-label-expires"), &time::utc(question.expires_ms));
    for reason in &shown.reasons {
        line(Message::new("approvals-label-reason"), &format!("{} [{}]", reason.words, reason.rule));
    }
    for effect in &shown.effects {
        line(Message::new("approvals-label-effect"), effect);
    }
    for command in &shown.commands {
        let read = format!("{} [{}, {}]", command.source, command.class, command.rule);
        line(Message::new("approvals-label-command"), &read);
    }
    line(Message::new("approvals-label-isolation"), &shown.isolation.as_deref().map(isolation).unwrap_or_default());
    let undo = if shown.undo == "yes" { answer("yes") } else { shown.undo.clone() };
    line(Message::new("approvals-label-undo"), &undo);
    line(Message::new("approvals-label-changed"), shown.changed.as_deref().unwrap_or_default());
    line(Message::new("approvals-label-arguments"), &stderr::one_line(&shown.arguments, |_| SHOWN_CHARS));
    for (draft, number) in shown.drafts.iter().zip(1..) {
        line(Message::new("approvals-label-always"), &format!("[{number}] {}", draft.words));
    }
    if let QuestionState::Answered(given) | QuestionState::Spent { given, .. } = &question.state {
        let by = Message::new("approvals-by")
            .with("answer", answer(given.answer.name()))
            .with("by", &given.answered_by)
            .with("at", time::utc(given.answered_ms));
        line(Message::new("approvals-label-answer"), &catalogue.render(&by));
    }
    for line in shown.diff.iter().flat_map(|change| change.lines()) {
        page.push_str(&format!("  │ {}\n", shown_lines(line)));
    }
    page
}

/// The word for an answer.
pub fn answer(name: &str) -> String {
    say(&Message::new(match name {
        "yes" => "answer-yes",
        "always" => "answer-always",
        "abort" => "answer-abort",
        _ => "answer-no",
    }))
}

/// The records hold one word for what keeps a program in.
fn isolation(kept: &str) -> String {
    say(&questions::kept_in(match kept {
        "full" => "full",
        "filters" => "filters",
        _ => "none",
    }))
}

/// Why an answer does not count: another was first.
pub fn already(id: &str, given: &Given) -> Message {
    Message::new("approvals-already")
        .with("id", id)
        .with("answer", answer(given.answer.name()))
        .with("by", &given.answered_by)
        .with("at", time::utc(given.answered_ms))
}

/// Why an answer does not count: it came too late.
pub fn expired(id: &str, at_ms: u64) -> Message {
    Message::new("approvals-expired").with("id", id).with("at", time::utc(at_ms))
}

/// A rule in two lines: what it allows and for how long, and where it comes from.
pub fn rule(rule: &KeptRule, catalogue: &dyn Catalogue) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let expires = time::utc(rule.expires_ms);
    let state = match &rule.revoked {
        Some(Revoked { by, at_ms }) => {
            Message::new("approvals-rule-was-revoked").with("by", by).with("at", time::utc(*at_ms))
        }
        None if u128::from(rule.expires_ms) <= now => Message::new("approvals-rule-expired").with("expires", expires),
        None => Message::new("approvals-rule-holds").with("expires", expires),
    };
    let first = Message::new("approvals-rule-row")
        .with("id", &rule.id)
        .with("state", catalogue.render(&state))
        .with("words", &rule.words);
    let second = Message::new("approvals-rule-from")
        .with("rule", &rule.rule)
        .with("by", &rule.made_by)
        .with("at", time::utc(rule.made_ms))
        .with("question", rule.question.as_str());
    let shown = |message| stderr::shown_line(&catalogue.render(message));
    format!("{}\n    {}\n", shown(&first), shown(&second))
}

/// Why a rule is not taken back: it was before.
pub fn revoked_before(id: &str, revoked: &Revoked) -> Message {
    Message::new("approvals-rule-already").with("id", id).with("by", &revoked.by).with("at", time::utc(revoked.at_ms))
}
