//! What jobs have said becomes a row of the chat's session. A session that somebody works on is left to them.

use super::{JobEvent, Keeper};
use crate::registry::Bots;
use crate::talk::{Chat, broken};
use jiff::Timestamp;
use palanca_agent::Status;
use palanca_agent::session::{Entry, JobHeard, JobSaid, RestoreError, RunEnded};
use palanca_core::ports::StoreFault;
use palanca_core::{Catalogue as _, Message};
use palanca_host::agent::bots;
use palanca_host::{Fault, FaultKind, Keeping, Session, SessionSettings};
use palanca_models::Message as Said;
use palanca_store::{JobInbox, JobMark, JobMessage};
use std::collections::HashSet;

impl Bots {
    pub(super) async fn deliver(&self, keeper: &Keeper, except: Option<&Chat>) {
        let open = match keeper.database.job_messages(&keeper.workspace, &keeper.bot.id, JobInbox::Undelivered) {
            Ok(open) => open,
            Err(error) => return keeper.wrong(&error),
        };
        let mut busy = HashSet::new();
        for message in open {
            let chat =
                Chat { channel: message.words.channel.as_str().into(), name: message.words.chat.as_str().into() };
            if except == Some(&chat) || busy.contains(&chat) {
                continue;
            }
            match self.bring(keeper, &chat, &message).await {
                Ok(JobHeard::Kept) => {
                    if let Err(error) = keeper.database.mark_job_message(message.id, JobMark::Delivered) {
                        return keeper.wrong(&error);
                    }
                }
                // Later ones come after it.
                Ok(JobHeard::Waits) => drop(busy.insert(chat)),
                Err(fault) => {
                    (keeper.events)(JobEvent::Wrong(fault.message));
                    busy.insert(chat);
                }
            }
        }
    }

    async fn bring(&self, keeper: &Keeper, chat: &Chat, message: &JobMessage) -> Result<JobHeard, Fault> {
        let bot = &keeper.bot;
        let turn = self.turn(&bot.id, chat);
        let Ok(_mine) = turn.try_lock() else { return Ok(JobHeard::Waits) };
        let kept = self.kept(bot, chat).await?;
        let settings = SessionSettings {
            mode: bots::mode(&bot.config),
            front: "jobs",
            keeping: kept.as_ref().map_or(Keeping::New, |kept| Keeping::Again(kept.began.scope.session.clone())),
            chat: Some((chat.channel.clone(), chat.name.clone())),
            ..SessionSettings::default()
        };
        let session = Session::new(&bot.agent, settings)?;
        let brought = match session.kept().cloned() {
            // Nothing is kept here: whoever sees it has had it.
            None => Ok(JobHeard::Kept),
            Some(own) if kept.is_some() => match own.hear_job(told(&session, message)).await {
                Err(RestoreError::Store(StoreFault::Held { .. })) => Ok(JobHeard::Waits),
                heard => heard.map_err(|error| Fault { kind: FaultKind::Machine, message: error.message() }),
            },
            Some(own) => {
                let terms = bots::terms(&bot.config, &session, bot.config.llm.model.clone());
                match own.begin(&message.name, terms, None).await {
                    Ok(()) => {
                        own.keep(&Entry::JobSaid(told(&session, message)));
                        let output = message.words.text.clone();
                        let (status, stop_reason) = (Status::Success, "job".to_owned());
                        own.keep(&Entry::Ended(RunEnded { status, stop_reason, output }));
                        own.stored().await;
                        own.fault().map_or(Ok(JobHeard::Kept), |fault| Err(broken(fault)))
                    }
                    Err(fault) => Err(broken(&fault)),
                }
            }
        };
        session.leave();
        brought
    }
}

/// What a job has said, as its chat's session keeps it.
#[must_use]
pub fn told(session: &Session, message: &JobMessage) -> JobSaid {
    let at = Timestamp::from_millisecond(message.due_ms).map(|at| at.to_string()).unwrap_or_default();
    let head = Message::new("cron-told").with("name", &message.name).with("at", at);
    let head = session.catalogue().render(&head);
    let words = &message.words;
    let text = if words.foreign {
        session.gate().mark(&words.text, &format!("job {}", message.name))
    } else {
        words.text.clone()
    };
    let message_of_it = Said::user(format!("{head}\n\n{text}"));
    JobSaid { number: message.id, job: message.name.clone(), message: message_of_it, foreign: words.foreign }
}
