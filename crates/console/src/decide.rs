//! A person's answer to a question, from a program or a page: for the digest that was shown, once.

use crate::access::Visitor;
use crate::console::Shared;
use crate::moment::utc;
use crate::problem::Problem;
use axum::http::StatusCode;
use palanca_agent::StopReason;
use palanca_core::Message;
use palanca_core::call::QuestionId;
use palanca_core::ports::{Answer, Sessions as _};
use palanca_store::{Approvals as _, Given, KeptQuestion, Settled};

/// What a person decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// This call; with the number of a rule, from 1, everything that the rule covers.
    Approve(Option<usize>),
    /// Not this call, and perhaps why.
    Deny(Option<String>),
}

/// An answer that counts, and whether the run of its call has ended and waits to be taken up.
pub(crate) struct Decided {
    pub(crate) question: KeptQuestion,
    pub(crate) is_parked: bool,
}

/// The question of this name.
pub(crate) async fn question(shared: &Shared, id: &str) -> Result<KeptQuestion, Problem> {
    let unknown = || Problem::missing(Message::new("approvals-unknown").with("id", id));
    shared.desk.question(&QuestionId::new(id)).await?.ok_or_else(unknown)
}

/// Answers a question, if the digest is that of what was shown.
pub(crate) async fn decide(
    shared: &Shared,
    (id, digest): (&str, &str),
    decision: Decision,
    visitor: &Visitor,
) -> Result<Decided, Problem> {
    let asked = question(shared, id).await?;
    if !asked.digest.eq_ignore_ascii_case(digest) {
        let message = Message::new("console-stale").with("id", id);
        return Err(Problem::new(StatusCode::CONFLICT, "stale", message).with("digest", &*asked.digest));
    }
    let answer = match decision {
        Decision::Approve(None) => Answer::Yes,
        Decision::Approve(Some(number)) => {
            let draft = number.checked_sub(1).and_then(|index| asked.shown.drafts.get(index));
            let none =
                || Message::new("console-no-rule").with("number", number).with("rules", asked.shown.drafts.len());
            Answer::Always(Box::new(draft.ok_or_else(|| Problem::wrong(none()))?.into()))
        }
        Decision::Deny(None) => Answer::No,
        Decision::Deny(Some(why)) => Answer::NoBecause(why),
    };
    match shared.desk.answer(&asked.id, &answer, &visitor.signature()).await? {
        Settled::Counts => {
            let session = shared.database.session(&asked.scope.session).await.ok().flatten();
            let reason = session.and_then(|kept| kept.summary.stop_reason);
            let is_parked = reason.as_deref() == Some(StopReason::Parked.name());
            Ok(Decided { question: question(shared, id).await?, is_parked })
        }
        Settled::Already(given) => Err(already(id, &given)),
        Settled::Expired => {
            let message = Message::new("approvals-expired").with("id", id).with("at", utc(asked.expires_ms));
            Err(Problem::new(StatusCode::GONE, "expired", message))
        }
        Settled::Unknown => Err(Problem::missing(Message::new("approvals-unknown").with("id", id))),
    }
}

fn already(id: &str, given: &Given) -> Problem {
    let message = Message::new("approvals-already")
        .with("id", id)
        .with("answer", word(given.answer.name()))
        .with("by", &given.answered_by)
        .with("at", utc(given.answered_ms));
    Problem::new(StatusCode::CONFLICT, "already_answered", message)
        .with("answer", given.answer.name())
        .with("answered_by", &*given.answered_by)
        .with("answered_ms", given.answered_ms)
}

/// The word for an answer.
pub(crate) const fn word(name: &str) -> Message {
    match name.as_bytes() {
        b"yes" => Message::new("answer-yes"),
        b"always" => Message::new("answer-always"),
        b"abort" => Message::new("answer-abort"),
        _ => Message::new("answer-no"),
    }
}
