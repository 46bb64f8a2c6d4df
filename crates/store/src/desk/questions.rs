//! The life of a question.

use super::rows::{self, QUESTION};
use super::{Desk, columns, milliseconds};
use crate::approvals::{Approvals, KeptQuestion, KeptRule, QuestionState, Revocation, Settled, Which};
use crate::error::StoreError;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::{QuestionId, Scope};
use palanca_core::ports::{Answer, Pending, Question, Questions, RuleDraft, Ruling};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::time::Duration;

/// How often to look at the clock; where no write is heard, at the row, too.
const LOOK: Duration = Duration::from_millis(200);

const OPEN: &str =
    "INSERT INTO questions (id, session, bot, chat, channel, workspace, call, tool, digest, asked, asked_ms,
    expires_ms, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'open')";

const ANSWER: &str =
    "UPDATE questions SET state = 'answered', answer = ?2, draft = ?3, answered_by = ?4, answered_ms = ?5,
    reason = ?6 WHERE id = ?1 AND state = 'open' AND expires_ms > ?5";

const EXPIRE: &str = "UPDATE questions SET state = 'expired' WHERE id = ?1 AND state = 'open' AND expires_ms <= ?2";

const SPEND: &str = "UPDATE questions SET state = 'spent', spent_ms = ?3
    WHERE id = ?1 AND state = 'answered' AND answer IN ('yes', 'always') AND digest = ?2";

const GLANCE: &str =
    "SELECT state, expires_ms, answer, draft, answered_by, answered_ms, reason FROM questions WHERE id = ?1";

impl Questions for Desk {
    fn open(&self, question: &mut Question) -> Pending<Result<(), Message>> {
        question.id = QuestionId::new(uuid::Uuid::now_v7().to_string());
        let now = self.now_ms();
        let expires = now.saturating_add(milliseconds(self.ttl)).min(i64::MAX.unsigned_abs());
        let shown = serde_json::to_string(&self.shown(question)).unwrap_or_default();
        let (id, call, tool) = (question.id.clone(), question.call.clone(), question.tool.clone());
        let (digest, scope, workspace) = (question.digest.to_hex(), question.scope.clone(), self.workspace.clone());
        let open = move |connection: &Connection| {
            let [session, bot, chat, channel] = columns(&scope);
            let (id, call) = (id.as_str(), call.as_str());
            connection.prepare_cached(OPEN)?.execute(params![
                id, session, bot, chat, channel, workspace, call, tool, digest, shown, now, expires
            ])?;
            Ok(())
        };
        self.database.hand_in("keep a question", open, Ok)
    }

    fn ruled(&self, question: &Question) -> Pending<Result<Option<Ruling>, Message>> {
        match self.look(&question.id, self.now_ms()) {
            Ok(Glance::Open { .. }) => Pending::now(Ok(None)),
            Ok(Glance::Over(Ruling::Expired)) => {
                // A process whose clock is behind may have answered since.
                let (id, now) = (question.id.clone(), self.now_ms());
                self.database.hand_in(
                    "settle a question",
                    move |connection| late(connection, &id, now),
                    |settled| {
                        Ok(Some(match settled {
                            Settled::Already(given) => Ruling::Answered(given.answer),
                            _ => Ruling::Expired,
                        }))
                    },
                )
            }
            Ok(Glance::Over(ruling)) => Pending::now(Ok(Some(ruling))),
            Err(error) => Pending::now(Err(error.message())),
        }
    }

    fn ruling<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Ruling> {
        Box::pin(async move {
            let start = self.clock.elapsed();
            let listener = self.database.listen();
            // A write is heard a moment before its rows are seen, so one more look follows.
            let mut heard = true;
            loop {
                let expires = match self.look(&question.id, self.now_ms()) {
                    Ok(Glance::Open { expires_ms }) => expires_ms,
                    _ => match self.ruled(question).await {
                        Ok(Some(ruling)) => return ruling,
                        // A row that cannot be read now may be readable later; the person here can still answer.
                        _ if self.clock.elapsed().saturating_sub(start) < self.ttl => 0,
                        _ => return Ruling::Expired,
                    },
                };
                let over = async {
                    tokio::time::sleep(LOOK).await;
                    while listener.hears() && !heard && self.now_ms() < expires {
                        tokio::time::sleep(LOOK).await;
                    }
                };
                heard = tokio::select! { () = listener.written() => true, () = over => false };
            }
        })
    }

    fn settle(&self, question: &Question, answer: Answer) -> Pending<Result<Ruling, Message>> {
        let gone = Message::new("question-gone").with("question", question.id.as_str());
        let (work, given) = (self.answering(&question.id, &answer, &self.person), answer);
        self.database.hand_in(KEEP_ANSWER, work, move |settled| match settled {
            Settled::Counts => Ok(Ruling::Answered(given)),
            Settled::Already(first) => Ok(Ruling::Answered(first.answer)),
            Settled::Expired => Ok(Ruling::Expired),
            Settled::Unknown => Err(gone),
        })
    }

    fn spend(&self, question: &Question) -> Pending<Result<(), Message>> {
        let (id, digest, now) = (question.id.clone(), question.digest.to_hex(), self.now_ms());
        let spend = move |connection: &Connection| {
            if connection.prepare_cached(SPEND)?.execute(params![id.as_str(), digest, now])? == 1 {
                return Ok(Ok(()));
            }
            Ok(Err(match find(connection, &id, now)? {
                None => "question-gone",
                Some(kept) if kept.digest != digest => "question-other-call",
                Some(KeptQuestion { state: QuestionState::Spent { .. }, .. }) => "question-spent",
                Some(_) => "question-no-yes",
            }))
        };
        let id = question.id.clone();
        self.database.hand_in("spend an answer", spend, move |spent| {
            spent.map_err(|key| Message::new(key).with("question", id.as_str()))
        })
    }

    fn remember(&self, draft: &RuleDraft, question: &Question) -> Pending<Result<(), Message>> {
        self.keep_rule(draft, question)
    }
}

/// The state of a question, as whoever waits for its answer sees it.
enum Glance {
    Open { expires_ms: u64 },
    Over(Ruling),
}

impl Desk {
    fn look(&self, id: &QuestionId, now: u64) -> Result<Glance, StoreError> {
        let found = self.database.read("look for an answer", |connection| {
            connection
                .prepare_cached(GLANCE)?
                .query_row([id.as_str()], |row| {
                    let expires_ms = row.get(1)?;
                    Ok(match row.get_ref(0)?.as_str()? {
                        "open" if expires_ms > now => Glance::Open { expires_ms },
                        "open" | "expired" => Glance::Over(Ruling::Expired),
                        _ => Glance::Over(Ruling::Answered(rows::given(row, 2)?.answer)),
                    })
                })
                .optional()
        })?;
        Ok(found.unwrap_or(Glance::Over(Ruling::Expired)))
    }

    /// Answers it, or finds out why that does not count.
    fn answering(
        &self,
        id: &QuestionId,
        answer: &Answer,
        by: &str,
    ) -> impl Fn(&Connection) -> rusqlite::Result<Settled> + Send + use<> {
        let draft = match answer {
            Answer::Always(draft) => self.draft(draft).and_then(|draft| serde_json::to_string(&draft).ok()),
            Answer::Yes | Answer::No | Answer::NoBecause(_) | Answer::Abort => None,
        };
        let reason = match answer {
            Answer::NoBecause(why) => Some(self.clean(why)),
            _ => None,
        };
        // If the rule may not be stored, the answer is still a yes to this call.
        let name = if draft.is_none() && answer.allows() { "yes" } else { answer.name() };
        let (id, by, now) = (id.clone(), by.to_owned(), self.now_ms());
        move |connection| {
            let changed =
                connection.prepare_cached(ANSWER)?.execute(params![id.as_str(), name, draft, by, now, reason])?;
            if changed == 1 { Ok(Settled::Counts) } else { late(connection, &id, now) }
        }
    }
}

const KEEP_ANSWER: &str = "keep an answer";

/// The ruling on a question that could not be answered: its existing answer, or expiry, which is stored.
fn late(connection: &Connection, id: &QuestionId, now: u64) -> rusqlite::Result<Settled> {
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
}

fn find(connection: &Connection, id: &QuestionId, now: u64) -> rusqlite::Result<Option<KeptQuestion>> {
    let mut statement = connection.prepare_cached(&format!("{QUESTION} WHERE id = ?1"))?;
    statement.query_row([id.as_str()], |row| rows::question(row, now)).optional()
}

/// With the time as its first value.
const fn listed(which: Which) -> &'static str {
    match which {
        Which::Active => "state = 'open' AND expires_ms > ?1",
        Which::All => "?1 = ?1",
    }
}

impl Approvals for Desk {
    fn questions(&self, which: Which) -> Pending<Result<Vec<KeptQuestion>, StoreError>> {
        if !self.database.exists() {
            return Pending::now(Ok(Vec::new()));
        }
        let now = self.now_ms();
        let only = listed(which);
        Pending::now(self.database.read("list questions", |connection| {
            let wanted = format!("{QUESTION} WHERE {only} ORDER BY asked_ms DESC, id DESC");
            connection.prepare(&wanted)?.query_map([now], |row| rows::question(row, now))?.collect()
        }))
    }

    fn newest(
        &self,
        which: Which,
        before: Option<&QuestionId>,
        most: usize,
    ) -> Pending<Result<Vec<KeptQuestion>, StoreError>> {
        if !self.database.exists() {
            return Pending::now(Ok(Vec::new()));
        }
        let now = self.now_ms();
        let only = listed(which);
        Pending::now(self.database.read("list questions", |connection| {
            let wanted = format!("{QUESTION} WHERE {only} AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3");
            let values = params![now, before.map(QuestionId::as_str), most];
            connection.prepare_cached(&wanted)?.query_map(values, |row| rows::question(row, now))?.collect()
        }))
    }

    fn question(&self, id: &QuestionId) -> Pending<Result<Option<KeptQuestion>, StoreError>> {
        if !self.database.exists() {
            return Pending::now(Ok(None));
        }
        Pending::now(self.database.read("read a question", |connection| find(connection, id, self.now_ms())))
    }

    fn answer(&self, id: &QuestionId, answer: &Answer, by: &str) -> Pending<Result<Settled, StoreError>> {
        if !self.database.exists() {
            return Pending::now(Ok(Settled::Unknown));
        }
        self.database.hand_in(KEEP_ANSWER, self.answering(id, answer, by), Ok)
    }

    fn rules(&self, which: Which) -> Pending<Result<Vec<KeptRule>, StoreError>> {
        Pending::now(self.list_rules(which))
    }

    fn rules_for(&self, scope: &Scope) -> Pending<Result<Vec<KeptRule>, StoreError>> {
        Pending::now(self.list_rules_for(scope))
    }

    fn withdrawn(&self, scope: &Scope) -> Result<Vec<String>, StoreError> {
        self.list_withdrawn(scope)
    }

    fn revoke(&self, id: &str, by: &str) -> Pending<Result<Revocation, StoreError>> {
        self.revoke_rule(id, by)
    }
}
