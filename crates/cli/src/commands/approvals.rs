//! `palanca approvals`: open questions, answered from outside the asking process.

use crate::args::Global;
use crate::args::approvals::{Approvals as Arguments, ApprovalsCommand, Rows};
use crate::commands::ids;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{approvals as drawn, stderr, stdout};
use crate::wire::asker::Said;
use crate::wire::store::{self, Front};
use crate::wire::{settings, state};
use palanca_core::ports::Answer;
use palanca_core::{Catalogue as _, Message};
use palanca_store::{Approvals, Database, Desk, KeptQuestion, Revocation, Settled, StoreError, Which};
use palanca_text::FluentCatalogue;
use std::sync::Arc;

pub fn approvals(global: &Global, args: Arguments) -> Ended {
    let home = state::home("questions")?;
    let config = settings::load(global, &[])?.config;
    let counter = Counter {
        desk: store::desk(Arc::new(Database::lazy(&home)), &config, Front::Approvals),
        catalogue: settings::catalogue(&config),
    };
    match args.what {
        ApprovalsCommand::List(rows) => counter.list(&rows),
        ApprovalsCommand::Show { id, listing } => counter.show(&id, listing.json),
        ApprovalsCommand::Answer { id, answer } => counter.answer(&id, &answer.join(" ")),
        ApprovalsCommand::Rules(rows) => counter.rules(&rows),
        ApprovalsCommand::Revoke { id } => counter.revoke(&id),
    }
}

/// The front end's side of the desk.
struct Counter {
    desk: Desk,
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
        let Some(question) = self.question(id)? else { return self.unknown(id) };
        if json {
            stdout::json(&serde_json::to_value(&question)?)?;
        } else {
            stdout::text(&drawn::page(&question, &*self.catalogue))?;
        }
        Ok(Exit::Success)
    }

    fn answer(&self, id: &str, word: &str) -> Ended {
        let question = self.question(id)?;
        let drafts = question.as_ref().map_or(&[][..], |question| &question.shown.drafts);
        let answer = match (Said::of(word), &question) {
            (None, _) => return self.not_an_answer(word, drafts.len()),
            (Some(_), None) => return self.unknown(id),
            (Some(Said::Answer(answer)), _) => answer,
            (Some(rule), _) => match rule.draft(drafts) {
                Some(draft) => Answer::Always(Box::new(draft.into())),
                None => return self.not_an_answer(word, drafts.len()),
            },
        };
        let Some(KeptQuestion { id: key, .. }) = question else { return self.unknown(id) };
        let id = key.as_str();
        match self.read(self.desk.answer(&key, &answer, &store::person(Front::Approvals)))? {
            Settled::Counts => {
                stdout::text(&self.say(
                    &Message::new("approvals-answered").with("id", id).with("answer", drawn::answer(answer.name())),
                ))?;
                self.note(&Message::new("approvals-answered-nobody"));
                Ok(Exit::Success)
            }
            Settled::Already(given) => self.fails(&drawn::already(id, &given)),
            Settled::Expired => {
                let at = self.read(self.desk.question(&key))?.map(|question| question.expires_ms).unwrap_or_default();
                self.fails(&drawn::expired(id, at))
            }
            Settled::Unknown => self.unknown(id),
        }
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
        match self.read(self.desk.revoke(id, &store::person(Front::Approvals)))? {
            Revocation::Done => {
                stdout::text(&self.say(&Message::new("approvals-rule-revoked").with("id", id)))?;
                Ok(Exit::Success)
            }
            Revocation::Already(revoked) => self.fails(&drawn::revoked_before(id, &revoked)),
            Revocation::Unknown => self.fails(&Message::new("approvals-rule-unknown").with("id", id)),
        }
    }

    fn not_an_answer(&self, word: &str, rules: usize) -> Ended {
        let message = Message::new("approvals-no-answer").with("word", word).with("rules", rules);
        Err(Failure::said(&message))
    }

    fn unknown(&self, id: &str) -> Ended {
        self.fails(&Message::new("approvals-unknown").with("id", id))
    }

    fn fails(&self, why: &Message) -> Ended {
        Err(Failure::new(Exit::Failed, anyhow::anyhow!("{}", self.say(why))))
    }

    fn read<T>(&self, read: Result<T, StoreError>) -> Result<T, Failure> {
        read.map_err(|error| Failure::new(Exit::Failed, anyhow::anyhow!("{}", self.say(&error.message()))))
    }

    /// What is said to a person, and is no result.
    fn note(&self, message: &Message) {
        stderr::line(&self.say(message));
    }

    fn say(&self, message: &Message) -> String {
        self.catalogue.render(message)
    }
}

fn which(rows: &Rows) -> Which {
    if rows.all { Which::All } else { Which::Active }
}
