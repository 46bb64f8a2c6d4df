//! Rows as typed values.

use super::shown;
use crate::approvals::{Given, KeptDraft, KeptQuestion, KeptRule, QuestionState, Revoked, Shown};
use palanca_core::call::{BotId, CallId, ChannelId, ChatId, QuestionId, Scope, SessionId};
use palanca_core::ports::Answer;
use rusqlite::types::Type;
use rusqlite::{Error, Result, Row};
use serde::de::DeserializeOwned;

/// The columns that [`question`] reads, in its order.
pub(super) const QUESTION: &str =
    "SELECT id, session, bot, chat, channel, workspace, call, tool, digest, asked, asked_ms,
    expires_ms, state, answer, draft, answered_by, answered_ms, spent_ms, reason FROM questions";

/// The columns that [`rule`] reads, in its order.
pub(super) const RULE: &str =
    "SELECT id, session, bot, chat, channel, workspace, rule, words, question, made_by, made_ms,
    expires_ms, revoked_by, revoked_ms FROM rules";

/// The current ruling on a question: an open one past its time is expired, even if that has not been stored.
pub(super) fn question(row: &Row<'_>, now_ms: u64) -> Result<KeptQuestion> {
    let expires_ms = row.get(11)?;
    let state = match row.get_ref(12)?.as_str()? {
        "open" if expires_ms > now_ms => QuestionState::Open,
        "open" | "expired" => QuestionState::Expired,
        "answered" => QuestionState::Answered(given(row, 13)?),
        "spent" => QuestionState::Spent { given: given(row, 13)?, spent_ms: row.get(17)? },
        _ => return Err(strange(12, "unknown state")),
    };
    Ok(KeptQuestion {
        id: QuestionId::new(row.get::<_, String>(0)?),
        scope: scope(row)?,
        workspace: row.get(5)?,
        call: CallId::new(row.get::<_, String>(6)?),
        tool: row.get(7)?,
        digest: row.get(8)?,
        shown: json::<Shown>(row, 9)?,
        asked_ms: row.get(10)?,
        expires_ms,
        state,
    })
}

/// `answer`, `draft`, `answered_by`, `answered_ms`, from this column on, and `reason`.
pub(super) fn given(row: &Row<'_>, from: usize) -> Result<Given> {
    Ok(Given { answer: answer(row, from)?, answered_by: row.get(from + 2)?, answered_ms: row.get(from + 3)? })
}

fn answer(row: &Row<'_>, from: usize) -> Result<Answer> {
    let draft = match row.get_ref(from + 1)?.as_str_or_null()? {
        Some(_) => Some(json::<KeptDraft>(row, from + 1)?),
        None => None,
    };
    shown::answer(row.get_ref(from)?.as_str()?, draft, row.get("reason")?)
        .ok_or_else(|| strange(from, "unknown answer"))
}

pub(super) fn rule(row: &Row<'_>) -> Result<KeptRule> {
    let revoked = match (row.get(12)?, row.get(13)?) {
        (Some(by), Some(at_ms)) => Some(Revoked { by, at_ms }),
        _ => None,
    };
    Ok(KeptRule {
        id: row.get(0)?,
        scope: scope(row)?,
        workspace: row.get(5)?,
        rule: row.get(6)?,
        words: row.get(7)?,
        question: QuestionId::new(row.get::<_, String>(8)?),
        made_by: row.get(9)?,
        made_ms: row.get(10)?,
        expires_ms: row.get(11)?,
        revoked,
    })
}

fn scope(row: &Row<'_>) -> Result<Scope> {
    Ok(Scope {
        session: SessionId::new(row.get::<_, String>(1)?),
        bot: row.get::<_, Option<String>>(2)?.map(BotId::new),
        chat: row.get::<_, Option<String>>(3)?.map(ChatId::new),
        channel: row.get::<_, Option<String>>(4)?.map(ChannelId::new),
    })
}

fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    serde_json::from_str(row.get_ref(column)?.as_str()?)
        .map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

fn strange(column: usize, what: &'static str) -> Error {
    Error::FromSqlConversionFailure(column, Type::Text, what.into())
}
