//! An instruction: a turn of the bot on its own, in a session of its own, with nobody to ask.

use crate::registry::{Bot, Bots};
use crate::talk::{Course, Words};
use palanca_agent::{BotMode, Inbox, NoSink, Status};
use palanca_core::Message;
use palanca_core::ports::NoAsker;
use palanca_core::tool::Cancel;
use palanca_host::agent::bots;
use palanca_host::configuration::catalogue;
use palanca_host::{Fault, Keeping, SessionSettings, Start};
use palanca_schedule::{CHANNEL, Job};
use std::sync::Arc;
use std::time::Duration;

/// How long it may take.
const LONGEST: Duration = Duration::from_mins(10);

/// What came of it.
pub(super) struct Followed {
    /// The bot's answer.
    pub(super) answer: Option<String>,
    /// Why it failed.
    pub(super) error: Option<String>,
    /// Where it worked.
    pub(super) session: Option<String>,
}

impl Followed {
    pub(super) const fn failed(why: String) -> Self {
        Self { answer: None, error: Some(why), session: None }
    }
}

impl Bots {
    pub(super) async fn follow(&self, bot: &Bot, job: &Job, cut: &Cancel) -> Followed {
        use palanca_core::Catalogue as _;
        let sentences = catalogue(&bot.config);
        let cancel = cut.child_token();
        let followed = self.turn_of(bot, job, &cancel);
        tokio::pin!(followed);
        let mut took_too_long = false;
        let ended = tokio::select! {
            ended = &mut followed => ended,
            () = tokio::time::sleep(LONGEST) => {
                took_too_long = true;
                cancel.cancel();
                followed.await
            }
        };
        match ended {
            Err(fault) => Followed::failed(sentences.render(&fault.message)),
            Ok((ended, session)) => {
                let report = &ended.report;
                let error = match report.status {
                    Status::Success => None,
                    _ if took_too_long => {
                        Some(sentences.render(&Message::new("cron-too-long").with("minutes", LONGEST.as_secs() / 60)))
                    }
                    // What it said until then is no reason, and may be what others wrote.
                    _ if ended.answer.is_some() => Some(sentences.render(&report.stop_reason.message())),
                    _ => Some(format!("{}: {}", report.stop_reason.name(), report.output)),
                };
                let answer = ended.answer.filter(|answer| error.is_none() && !answer.trim().is_empty());
                Followed { answer, error, session: Some(session) }
            }
        }
    }

    async fn turn_of(&self, bot: &Bot, job: &Job, cancel: &Cancel) -> Result<(palanca_agent::Ended, String), Fault> {
        let settings = SessionSettings {
            mode: bots::mode(&bot.config),
            asker: Arc::new(NoAsker),
            front: "jobs",
            keeping: Keeping::New,
            job: Some(job.id.clone()),
            chat: Some((CHANNEL.into(), job.id.as_str().into())),
            dry_run: None,
            cancel: cancel.clone(),
        };
        let text = &*job.payload.text;
        let words = &Words::from(text);
        let (mode, inbox) = (BotMode::Autonomous, &Inbox::default());
        let course = Course { start: Start::New(text), words, mode, inbox, sink: &NoSink, cancel };
        self.hold(bot, settings, course).await
    }
}
