//! Rules that people made by answering: stored with their origin, until they expire or are revoked.

use super::rows::{self, RULE};
use super::{Desk, columns, milliseconds};
use crate::approvals::{KeptRule, Revocation, Revoked, Which};
use crate::error::StoreError;
use palanca_core::Message;
use palanca_core::call::Scope;
use palanca_core::ports::{Lasts, Pending, Question, RuleDraft};
use rusqlite::{Connection, OptionalExtension as _, params};

const KEEP: &str =
    "INSERT INTO rules (id, session, bot, chat, channel, workspace, rule, words, question, made_by, made_ms,
    expires_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
    coalesce((SELECT answered_by FROM questions WHERE id = ?9), ?10), ?11, ?12)";

const REVOKE: &str = "UPDATE rules SET revoked_by = ?2, revoked_ms = ?3 WHERE id = ?1 AND revoked_ms IS NULL";

const HOLDS: &str = "revoked_ms IS NULL AND expires_ms > ?1";

impl Desk {
    pub(super) fn keep_rule(&self, draft: &RuleDraft, question: &Question) -> Pending<Result<(), Message>> {
        let Lasts::For(time) = draft.lasts else { return Pending::now(Ok(())) };
        let Some(kept) = self.draft(draft) else { return Pending::now(Err(Message::new("rule-holds-secret"))) };
        if let Err(error) = self.database.mark_rules() {
            return Pending::now(Err(error.message()));
        }
        let id = uuid::Uuid::now_v7().to_string();
        let (scope, question) = (question.scope.clone(), question.id.clone());
        let (workspace, person, now) = (self.workspace.clone(), self.person.clone(), self.now_ms());
        let expires = now.saturating_add(milliseconds(time)).min(i64::MAX.unsigned_abs());
        let keep = move |connection: &Connection| {
            let [session, bot, chat, channel] = columns(&scope);
            let (rule, words, question) = (&kept.rule, &kept.words, question.as_str());
            connection.prepare_cached(KEEP)?.execute(params![
                id, session, bot, chat, channel, workspace, rule, words, question, person, now, expires
            ])?;
            Ok(())
        };
        self.database.hand_in("keep a rule", keep, Ok)
    }

    pub(super) fn list_rules(&self, which: Which) -> Result<Vec<KeptRule>, StoreError> {
        if !self.database.exists() {
            return Ok(Vec::new());
        }
        let only = match which {
            Which::Active => HOLDS,
            Which::All => "?1 = ?1",
        };
        let rules: Vec<KeptRule> = self.database.read("list rules", |connection| {
            let mut statement = connection.prepare(&format!("{RULE} WHERE {only} ORDER BY made_ms DESC, id DESC"))?;
            statement.query_map([self.now_ms()], rows::rule)?.collect()
        })?;
        if !rules.is_empty() && !self.database.has_rules() {
            // The database was moved without its marker file: rules listed as active must apply.
            self.database.mark_rules()?;
        }
        Ok(rules)
    }

    pub(super) fn list_rules_for(&self, scope: &Scope) -> Result<Vec<KeptRule>, StoreError> {
        if !self.database.has_rules() || !self.database.exists() {
            return Ok(Vec::new());
        }
        let [_, bot, chat, channel] = columns(scope);
        self.database.read("read rules", |connection| {
            let only = "workspace IS ?2 AND bot IS ?3 AND chat IS ?4 AND channel IS ?5";
            let mut statement =
                connection.prepare_cached(&format!("{RULE} WHERE {HOLDS} AND {only} ORDER BY made_ms, id"))?;
            statement.query_map(params![self.now_ms(), self.workspace, bot, chat, channel], rows::rule)?.collect()
        })
    }

    pub(super) fn list_withdrawn(&self, scope: &Scope) -> Result<Vec<String>, StoreError> {
        if !self.database.exists() {
            return Ok(Vec::new());
        }
        let [_, bot, chat, channel] = columns(scope);
        self.database.read("read rules", |connection| {
            let here = "workspace IS ?2 AND bot IS ?3 AND chat IS ?4 AND channel IS ?5";
            let mut statement = connection.prepare_cached(&format!(
                "SELECT DISTINCT rule FROM rules WHERE {here} AND NOT ({HOLDS})
                EXCEPT SELECT rule FROM rules WHERE {here} AND {HOLDS}"
            ))?;
            statement.query_map(params![self.now_ms(), self.workspace, bot, chat, channel], |row| row.get(0))?.collect()
        })
    }

    pub(super) fn revoke_rule(&self, id: &str, by: &str) -> Pending<Result<Revocation, StoreError>> {
        if !self.database.exists() {
            return Pending::now(Ok(Revocation::Unknown));
        }
        let (id, by, now) = (id.to_owned(), by.to_owned(), self.now_ms());
        let revoke = move |connection: &Connection| {
            if connection.prepare_cached(REVOKE)?.execute(params![id, by, now])? == 1 {
                return Ok(Revocation::Done);
            }
            let revoked = connection
                .prepare_cached("SELECT revoked_by, revoked_ms FROM rules WHERE id = ?1")?
                .query_row([&id], |row| Ok(Revoked { by: row.get(0)?, at_ms: row.get(1)? }))
                .optional()?;
            Ok(revoked.map_or(Revocation::Unknown, Revocation::Already))
        };
        self.database.hand_in("take a rule back", revoke, Ok)
    }
}
