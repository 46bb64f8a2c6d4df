//! The life of a question.

use super::rows::{self, QUESTION};
use super::{Desk, columns, milliseconds};
use crate::approvals::{Approvals, KeptQuestion, KeptRule, QuestionState, Revocation, Settled, Which};
use crate::error::StoreError;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::{QuestionId, Scope};
use palanca_core::ports::{Answer, Question, Questions, RuleDraft, Ruling};
use rusqlite::{OptionalExtension as _, params};
use std::time::Duration;

/// How often to poll for an answer from elsewhere.
const LOOK: Duration = Duration::from_millis(200);

const OPEN: &str =
    "INSERT INTO questions (id, session, bot, chat, channel, workspace, call, tool, digest, asked, asked_ms,
    expires_ms, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'open')";

const ANSWER: &str =
    "UPDATE questions SET state = 'answered', answer = ?2, draft = ?3, answered_by = ?4, answered_ms = ?5
    WHERE id = ?1 AND state = 'open' AND expires_ms > ?5";

const EXPIRE: &str = "UPDATE questions SET state = 'expired' WHERE id = ?1 AND state = 'open' AND expires_ms <= ?2";

const SPEND: &str = "UPDATE questions SET state = 'spent', spent_ms = ?3
    WHERE id = ?1 AND state = 'answered' AND answer IN ('yes', 'always') AND digest = ?2";

const GLANCE: &str = "SELECT state, expires_ms, answer, draft, answered_by, answered_ms FROM questions WHERE id = ?1";

impl Questions for Desk {
    fn open(&self, question: &mut Question) -> Result<(), Message> {
        let id = uuid::Uuid::now_v7().to_string();
        let now = self.now_ms();
        let shown = serde_json::to_string(&self.shown(question)).unwrap_or_default();
        let [session, bot, chat, channel] = columns(&question.scope);
        self.database
            .with("keep a question", |connection| {
                connection.prepare_cached(OPEN)?.execute(params![
                    id,
                    session,
                    bot,
                    chat,
                    channel,
                    self.workspace,
                    question.call.as_str(),
                    question.tool,
                    question.digest.to_hex(),
                    shown,
                    now,
                    now.saturating_add(milliseconds(self.ttl)).min(i64::MAX.unsigned_abs()),
                ])
            })
            .map_err(|error| error.message())?;
        question.id = QuestionId::new(id);
        Ok(())
    }

    fn ruling<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Ruling> {
        Box::pin(async move {
            let start = self.clock.elapsed();
            loop {
                match self.glance(&question.id) {
                    Ok(Glance::Open) => {}
                    Ok(Glance::Over(ruling)) => return ruling,
                    // A row that cannot be read now may be readable later; the person here can still answer.
                    Err(_) if self.clock.elapsed().saturating_sub(start) < self.ttl => {}
                    Err(_) => return Ruling::Expired,
                }
                tokio::time::sleep(LOOK).await;
            }
        })
    }

    fn settle(&self, question: &Question, answer: Answer) -> Result<Ruling, Message> {
        match self.answer(&question.id, &answer, &self.person).map_err(|error| error.message())? {
            Settled::Counts => Ok(Ruling::Answered(answer)),
            Settled::Already(given) => Ok(Ruling::Answered(given.answer)),
            Settled::Expired => Ok(Ruling::Expired),
            Settled::Unknown => Err(Message::new("question-gone").with("question", question.id.as_str())),
        }
    }

    fn spend(&self, question: &Question) -> Result<(), Message> {
        let (id, digest) = (question.id.as_str(), question.digest.to_hex());
        let spent = self.database.with("spend an answer", |connection| {
            connection.prepare_cached(SPEND)?.execute(params![id, digest, self.now_ms()])
        });
        if spent.map_err(|error| error.message())? == 1 {
            return Ok(());
        }
        let key = match self.question(&question.id).map_err(|error| error.message())? {
            None => "question-gone",
            Some(kept) if kept.digest != digest => "question-other-call",
            Some(KeptQuestion { state: QuestionState::Spent { .. }, .. }) => "question-spent",
            Some(_) => "question-no-yes",
        };
        Err(Message::new(key).with("question", id))
    }

    fn remember(&self, draft: &RuleDraft, question: &Question) -> Result<(), Message> {
        self.keep_rule(draft, question)
    }
}

/// The polled state of a question.
enum Glance {
    Open,
    Over(Ruling),
}

impl Desk {
    fn glance(&self, id: &QuestionId) -> Result<Glance, StoreError> {
        let now = self.now_ms();
        let found = self.database.with("look for an answer", |connection| {
            connection
                .prepare_cached(GLANCE)?
                .query_row([id.as_str()], |row| {
                    Ok(match row.get_ref(0)?.as_str()? {
                        "open" if row.get::<_, u64>(1)? > now => Glance::Open,
                        "open" | "expired" => Glance::Over(Ruling::Expired),
                        _ => Glance::Over(Ruling::Answered(rows::given(row, 2)?.answer)),
                    })
                })
                .optional()
        })?;
        match found {
            Some(Glance::Over(Ruling::Expired)) => {
                // A process whose clock is behind may have answered since.
                match self.late(id, now)? {
                    Settled::Already(given) => Ok(Glance::Over(Ruling::Answered(given.answer))),
                    _ => Ok(Glance::Over(Ruling::Expired)),
                }
            }
            Some(glance) => Ok(glance),
            None => Ok(Glance::Over(Ruling::Expired)),
        }
    }

    /// The ruling on a question that could not be answered: its existing answer, or expiry, which is stored.
    fn late(&self, id: &QuestionId, now: u64) -> Result<Settled, StoreError> {
        self.database.with("settle a question", |connection| {
            connection.prepare_cached(EXPIRE)?.execute(params![id.as_str(), now])?;
            let found = connection
                .prepare_cached(GLANCE)?
                .query_row([id.as_str()], |row| {
                    Ok(match row.get_ref(0)?.as_str()? {
                        "open" | "expired" => Settled::Expired,
                        _ => Settled::Already(rows::given(row, 2)?),
                    })
                })
                .optional()?;
            Ok(found.unwrap_or(Settled::Unknown))
        })
    }
}

impl Approvals for Desk {
    fn questions(&self, which: Which) -> Result<Vec<KeptQuestion>, StoreError> {
        if !self.database.exists() {
            return Ok(Vec::new());
        }
        let now = self.now_ms();
        let only = match which {
            Which::Active => "WHERE state = 'open' AND expires_ms > ?1",
            Which::All => "WHERE ?1 = ?1",
        };
        self.database.with("list questions", |connection| {
            let mut statement = connection.prepare(&format!("{QUESTION} {only} ORDER BY asked_ms DESC, id DESC"))?;
            statement.query_map([now], |row| rows::question(row, now))?.collect()
        })
    }

    fn question(&self, id: &QuestionId) -> Result<Option<KeptQuestion>, StoreError> {
        if !self.database.exists() {
            return Ok(None);
        }
        let now = self.now_ms();
        self.database.with("read a question", |connection| {
            let mut statement = connection.prepare_cached(&format!("{QUESTION} WHERE id = ?1"))?;
            statement.query_row([id.as_str()], |row| rows::question(row, now)).optional()
        })
    }

    fn answer(&self, id: &QuestionId, answer: &Answer, by: &str) -> Result<Settled, StoreError> {
        if !self.database.exists() {
            return Ok(Settled::Unknown);
        }
        let now = self.now_ms();
        let draft = match answer {
            Answer::Always(draft) => self.draft(draft).and_then(|draft| serde_json::to_string(&draft).ok()),
            Answer::Yes | Answer::No | Answer::Abort => None,
        };
        // If the rule may not be stored, the answer is still a yes to this call.
        let name = if draft.is_none() && answer.allows() { "yes" } else { answer.name() };
        let changed = self.database.with("keep an answer", |connection| {
            connection.prepare_cached(ANSWER)?.execute(params![id.as_str(), name, draft, by, now])
        })?;
        if changed == 1 { Ok(Settled::Counts) } else { self.late(id, now) }
    }

    fn rules(&self, which: Which) -> Result<Vec<KeptRule>, StoreError> {
        self.list_rules(which)
    }

    fn rules_for(&self, scope: &Scope) -> Result<Vec<KeptRule>, StoreError> {
        self.list_rules_for(scope)
    }

    fn withdrawn(&self, scope: &Scope) -> Result<Vec<String>, StoreError> {
        self.list_withdrawn(scope)
    }

    fn revoke(&self, id: &str, by: &str) -> Result<Revocation, StoreError> {
        self.revoke_rule(id, by)
    }
}
