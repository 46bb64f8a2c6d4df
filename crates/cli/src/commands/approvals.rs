//! `palanca approvals`: open questions, answered from outside the asking process.

use crate::args::Global;
use crate::args::approvals::{Approvals as Arguments, ApprovalsCommand, Rows};
use crate::args::run::RunFlags;
use crate::commands::{ids, run};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{approvals as drawn, stderr, stdout};
use crate::wire::asker::Said;
use crate::wire::settings;
use palanca_agent::StopReason;
use palanca_core::call::SessionId;
use palanca_core::ports::{Answer, Pending, Sessions as _, wait};
use palanca_core::{Catalogue as _, Message};
use palanca_host::configuration;
use palanca_host::session::desk::{desk, person};
use palanca_store::{Approvals, Database, Desk, KeptQuestion, Revocation, Settled, StoreError, Which};
use palanca_text::FluentCatalogue;
use std::sync::Arc;

/// Where people answer here, for the record.
const FRONT: &str = "approvals";

pub fn approvals(global: &Global, args: Arguments) -> Ended {
    let home = settings::home("questions")?;
    let config = settings::load(global, &[])?.config;
    let database = Arc::new(Database::lazy(&home));
    let counter = Counter {
        desk: desk(Arc::clone(&database), &config, FRONT),
        database,
        catalogue: configuration::catalogue(&config),
    };
    match args.what {
        ApprovalsCommand::List(rows) => counter.list(&rows),
        ApprovalsCommand::Show { id, listing } => counter.show(&id, listing.json),
        ApprovalsCommand::Answer { id, answer, resume } => match counter.answer(&id, &answer.join(" "))? {
            Some(waiting) if resume => run::resume(global, waiting.as_str(), None, RunFlags::default()),
            Some(waiting) => counter.waits(&waiting),
            None => Ok(Exit::Success),
        },
        ApprovalsCommand::Rules(rows) => counter.rules(&rows),
        ApprovalsCommand::Revoke { id } => counter.revoke(&id),
    }
}

/// The front end's side of the desk.
struct Counter {
    desk: Desk,
    database: Arc<Database>,
    catalogue: Arc<FluentCatalogue>,
}

impl Counter {
    fn list(&self, rows: &Rows) -> Ended {
        let questions = self.read(self.desk.questions(which(rows)))?;
        if rows.listing.json {
            stdout::json(&serde_json::to_value(&questions)?)?;
        } else if questions.is_empty() {
            self.note(&Message::new(if rows.all { "approvals-none" } else { "approvals-none-open" }));
        } else {
            let lines = questions.iter().map(|question| drawn::listed(question, &*self.catalogue));
            stdout::text(&lines.collect::<String>())?;
        }
        Ok(Exit::Success)
    }

    fn show(&self, id: &str, json: bool) -> Ended {
        let Some(question) = self.question(id)? else { return Err(self.unknown(id)) };
        if json {
            stdout::json(&serde_json::to_value(&question)?)?;
        } else {
            stdout::text(&drawn::page(&question, &*self.catalogue))?;
        }
        Ok(Exit::Success)
    }

    /// Returns the session that waits for the answer, if its run has ended.
    fn answer(&self, id: &str, word: &str) -> Result<Option<SessionId>, Failure> {
        let question = self.question(id)?;
        let drafts = question.as_ref().map_or(&[][..], |question| &question.shown.drafts);
        let answer = match (Said::of(word), &question) {
            (None, _) => return Err(not_an_answer(word, drafts.len())),
            (Some(_), None) => return Err(self.unknown(id)),
            (Some(Said::Answer(answer)), _) => answer,
            (Some(rule), _) => match rule.draft(drafts) {
                Some(draft) => Answer::Always(Box::new(draft.into())),
                None => return Err(not_an_answer(word, drafts.len())),
            },
        };
        let Some(KeptQuestion { id: key, scope, .. }) = question else { return Err(self.unknown(id)) };
        let id = key.as_str();
        match self.read(self.desk.answer(&key, &answer, &person(FRONT)))? {
            Settled::Counts => {
                stdout::text(&self.say(
                    &Message::new("approvals-answered").with("id", id).with("answer", drawn::answer(answer.name())),
                ))?;
                let session = wait(self.database.session(&scope.session)).ok().flatten();
                match session.and_then(|kept| kept.summary.stop_reason) {
                    Some(reason) if reason == StopReason::Parked.name() => Ok(Some(scope.session)),
                    _ => {
                        self.note(&Message::new("approvals-answered-nobody"));
                        Ok(None)
                    }
                }
            }
            Settled::Already(given) => Err(self.failure(&drawn::already(id, &given))),
            Settled::Expired => {
                let at = self.read(self.desk.question(&key))?.map(|question| question.expires_ms).unwrap_or_default();
                Err(self.failure(&drawn::expired(id, at)))
            }
            Settled::Unknown => Err(self.unknown(id)),
        }
    }

    fn waits(&self, session: &SessionId) -> Ended {
        self.note(&Message::new("approvals-answered-parked").with("session", session.as_str()));
        Ok(Exit::Success)
    }

    fn rules(&self, rows: &Rows) -> Ended {
        let rules = self.read(self.desk.rules(which(rows)))?;
        if rows.listing.json {
            stdout::json(&serde_json::to_value(&rules)?)?;
        } else if rules.is_empty() {
            self.note(&Message::new("approvals-rules-none"));
        } else {
            let lines = rules.iter().map(|rule| drawn::rule(rule, &*self.catalogue));
            stdout::text(&lines.collect::<String>())?;
        }
        Ok(Exit::Success)
    }

    /// The question that an id or the beginning of one means.
    fn question(&self, id: &str) -> Result<Option<KeptQuestion>, Failure> {
        let all = self.read(self.desk.questions(Which::All))?;
        let picked = ids::pick(id, &all, |question| question.id.as_str()).map_err(|several| Failure::said(&several))?;
        Ok(picked.cloned())
    }

    fn revoke(&self, typed: &str) -> Ended {
        let all = self.read(self.desk.rules(Which::All))?;
        let picked = ids::pick(typed, &all, |rule| &rule.id).map_err(|several| Failure::said(&several))?;
        let id = picked.map_or(typed, |rule| &rule.id);
        match self.read(self.desk.revoke(id, &person(FRONT)))? {
            Revocation::Done => {
                stdout::text(&self.say(&Message::new("approvals-rule-revoked").with("id", id)))?;
                Ok(Exit::Success)
            }
            Revocation::Already(revoked) => Err(self.failure(&drawn::revoked_before(id, &revoked))),
            Revocation::Unknown => Err(self.failure(&Message::new("approvals-rule-unknown").with("id", id))),
        }
    }

    fn unknown(&self, id: &str) -> Failure {
        self.failure(&Message::new("approvals-unknown").with("id", id))
    }

    fn failure(&self, why: &Message) -> Failure {
        Failure::new(Exit::Failed, anyhow::anyhow!("{}", self.say(why)))
    }

    fn read<T>(&self, read: Pending<Result<T, StoreError>>) -> Result<T, Failure> {
        wait(read).map_err(|error| self.failure(&error.message()))
    }

    /// What is said to a person, and is no result.
    fn note(&self, message: &Message) {
        stderr::line(&self.say(message));
    }

    fn say(&self, message: &Message) -> String {
        self.catalogue.render(message)
    }
}

fn not_an_answer(word: &str, rules: usize) -> Failure {
    Failure::said(&Message::new("approvals-no-answer").with("word", word).with("rules", rules))
}

fn which(rows: &Rows) -> Which {
    if rows.all { Which::All } else { Which::Active }
}
