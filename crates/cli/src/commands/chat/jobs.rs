//! The bot's jobs while its chat is open: they run here, too, and what they say in this chat is shown as it comes.

use crate::args::Global;
use crate::commands::run::course::Job;
use crate::exit::Failure;
use crate::render::stderr;
use crate::wire::settings;
use palanca_agent::session::JobHeard;
use palanca_bots::{Bots, Chat, JobEvent, JobEvents, JobsOf, told};
use palanca_core::tool::Cancel;
use palanca_host::configuration::Flag;
use palanca_host::workspace::disk;
use palanca_host::{Conversation, Session};
use palanca_store::{Database, JobInbox, JobMark, JobMessage, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

/// How often it is looked whether something was said.
const EACH: Duration = Duration::from_secs(1);
/// What an instruction that is cut off may take to end.
const LAST_MOMENT: Duration = Duration::from_secs(5);

/// What jobs say in a chat.
pub struct ChatJobs {
    database: Arc<Database>,
    workspace: String,
    bot: String,
    chat: Chat,
    looks: Interval,
    cancel: Cancel,
    running: JoinHandle<()>,
}

impl ChatJobs {
    /// From now on; None where it is no chat of a bot, or nothing is kept. Must be called inside the runtime.
    pub fn begin(job: &Job, flags: &[Flag]) -> Result<Option<Self>, Failure> {
        let Global { dry_run: None, .. } = job.global else { return Ok(None) };
        let (app, scope) = (&job.app, job.app.scope());
        let (Some(bot), Some(channel), Some(name)) = (&scope.bot, &scope.channel, &scope.chat) else { return Ok(None) };
        let Some(database) = app.host().database(&job.config).cloned() else { return Ok(None) };
        let chat = Chat { channel: channel.clone(), name: name.clone() };
        let flags = [&*settings::flags(&job.global), flags].concat();
        let bots = Arc::new(Bots::open(app.host(), settings::folder(&job.global), &flags)?);
        let cancel = Cancel::new();
        let of = JobsOf { bot: Some(bot.to_string()), except: Some(chat.clone()) };
        let events: JobEvents = Arc::new(|event| {
            if let JobEvent::Wrong(message) = event {
                stderr::warn(&message);
            }
        });
        let ends = cancel.clone();
        let running = tokio::spawn(async move { bots.keep_time(of, events, (&ends, &ends)).await });
        let mut looks = interval(EACH);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let workspace = disk::here(&job.config)?;
        Ok(Some(Self { database, workspace, bot: bot.to_string(), chat, looks, cancel, running }))
    }

    /// Waits until it is time to look again.
    pub async fn tick(&mut self) {
        self.looks.tick().await;
    }

    fn read(&self, which: JobInbox<'_>) -> Result<Vec<JobMessage>, StoreError> {
        self.database.job_messages(&self.workspace, &self.bot, which)
    }

    /// Shows what nobody has seen here, and tells the conversation of it where it has begun. Returns whether something was shown.
    pub async fn hear(&self, app: &Session, conversation: Option<&mut Conversation<'_>>) -> Result<bool, Failure> {
        let broken = |error: StoreError| Failure::said(&error.message());
        let (channel, name) = (self.chat.channel.as_str(), self.chat.name.as_str());
        let unseen = self.read(JobInbox::Unseen(channel, name)).map_err(broken)?;
        for message in &unseen {
            stderr::line("");
            stderr::line(&app.words().redactor.redact(&format!("⏰ {}: {}", message.name, message.words.text)));
            self.database.mark_job_message(message.id, JobMark::Shown).map_err(broken)?;
        }
        if let Some(conversation) = conversation {
            let undelivered = self.read(JobInbox::Undelivered).map_err(broken)?;
            for message in undelivered.iter().filter(|said| said.words.channel == channel && said.words.chat == name) {
                if conversation.hear_job(told(app, message)).await? == JobHeard::Waits {
                    break;
                }
                self.database.mark_job_message(message.id, JobMark::Delivered).map_err(broken)?;
            }
        }
        Ok(!unseen.is_empty())
    }

    /// Nothing more begins. An instruction that is being followed here is tried again later.
    pub async fn end(self) {
        self.cancel.cancel();
        // ignored: what has not ended by now is taken over by another process.
        let _ = timeout(LAST_MOMENT, self.running).await;
    }
}
