//! A message in a chat of a bot. The chat's session is taken up, and let go after the answer.

use crate::registry::{Bot, Bots, Turn};
use palanca_agent::session::LastMessage;
use palanca_agent::{BotMode, Ended, Inbox, NoSink, Sink, Watch};
use palanca_core::call::{ChannelId, ChatId, Part, SessionId, Speaker};
use palanca_core::ports::{Asker, Level, SessionFilter, Sessions as _, StoreFault, StoredSession, TaskStatus};
use palanca_core::tool::Cancel;
use palanca_host::agent::{bots, limits, model};
use palanca_host::workspace::disk;
use palanca_host::{Conversation, Enclosed, Fault, FaultKind, Keeping, Redacted, Session, SessionSettings, Start};
use std::sync::{Arc, Weak};

/// A conversation of a bot: one of a channel's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chat {
    /// The channel: `terminal`, `http`.
    pub channel: ChannelId,
    /// Its name there.
    pub name: ChatId,
}

impl Chat {
    /// Its newest session with this bot, in the workspace of this path.
    #[must_use]
    pub fn newest(&self, workspace: String, bot: &str) -> SessionFilter {
        SessionFilter {
            workspace: Some(workspace),
            level: Level::Top,
            bot: Some(bot.into()),
            chat: Some(self.name.clone()),
            channel: Some(self.channel.clone()),
            limit: Some(1),
            ..SessionFilter::default()
        }
    }
}

/// What is said to a bot.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// The words. None: the chat goes on where it was cut off.
    pub text: Option<String>,
    /// Whose they are.
    pub speaker: Speaker,
    /// Which message of the channel they are, or the last one of them; see [`Bots::last_message`].
    pub message: Option<String>,
    /// What came with them.
    pub files: Vec<Enclosed>,
}

impl From<&str> for Words {
    /// The user's own.
    fn from(text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::default() }
    }
}

/// Who hears the answer, and who is asked meanwhile.
pub struct Hearing<'a> {
    /// Hears it as it comes, without secrets.
    pub sink: &'a dyn Sink,
    /// Is asked.
    pub asker: Arc<dyn Asker>,
    /// The front end of questions, for the record.
    pub front: &'static str,
    /// Ends the turn; the chat goes on.
    pub cancel: Cancel,
    /// What the bot is doing.
    pub mode: BotMode,
    /// What is said meanwhile, which the bot hears between its calls; see [`Inbox`].
    pub inbox: &'a Inbox,
}

impl Bots {
    /// Says something to a bot in one of its chats and hears the answer out. Messages of one chat are answered one after another, in the
    /// order in which they came; those of different chats side by side.
    ///
    /// # Errors
    /// As [`Bots::bot`]; a model that cannot be had, a session that cannot be kept or taken up.
    pub async fn say(
        &self,
        bot: &str,
        chat: &Chat,
        words: impl Into<Words>,
        hearing: Hearing<'_>,
    ) -> Result<Ended, Fault> {
        let turn = self.turn(bot, chat);
        let _mine = turn.lock().await;
        self.answer(&*self.bot(bot)?, chat, &words.into(), hearing).await
    }

    /// The last message of a channel that is part of a chat; none where its last words came another way.
    ///
    /// # Errors
    /// As [`Bots::bot`], and what cannot be read.
    pub async fn last_message(&self, bot: &str, chat: &Chat) -> Result<Option<LastMessage>, Fault> {
        let bot = self.bot(bot)?;
        let (Some(database), Some(kept)) = (self.host().database(&bot.config), self.kept(&bot, chat).await?) else {
            return Ok(None);
        };
        let last = LastMessage::read(&**database, &kept.began.scope.session).await;
        last.map_err(|error| Fault { kind: FaultKind::Machine, message: error.message() })
    }

    /// The turn of a chat, shared by those who wait for it.
    pub(crate) fn turn(&self, bot: &str, chat: &Chat) -> Arc<Turn> {
        let mut turns = self.turns.lock();
        let of = (bot.to_owned(), chat.clone());
        if let Some(turn) = turns.get(&of).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        turns.insert(of, Arc::downgrade(&turn));
        turn
    }

    async fn answer(&self, bot: &Bot, chat: &Chat, words: &Words, hearing: Hearing<'_>) -> Result<Ended, Fault> {
        let kept = self.kept(bot, chat).await?;
        let settings = SessionSettings {
            mode: bots::mode(&bot.config),
            asker: hearing.asker,
            front: hearing.front,
            keeping: kept.as_ref().map_or(Keeping::New, |kept| Keeping::Again(kept.began.scope.session.clone())),
            job: None,
            chat: Some((chat.channel.clone(), chat.name.clone())),
            dry_run: None,
            cancel: hearing.cancel.clone(),
        };
        let start = if kept.is_some() { Start::Again } else { Start::New(words.text.as_deref().unwrap_or_default()) };
        let Hearing { sink, cancel, mode, inbox, .. } = hearing;
        let course = Course { start, words, mode, inbox, sink, cancel: &cancel };
        self.hold(bot, settings, course).await.map(|(ended, _)| ended)
    }

    /// One turn in a session, which is let go after it. Returns the session's name, too.
    pub(crate) async fn hold(
        &self,
        bot: &Bot,
        settings: SessionSettings,
        Course { start, words, mode, inbox, sink, cancel }: Course<'_>,
    ) -> Result<(Ended, String), Fault> {
        let model = model::model(self.host(), &bot.config, 0).await?;
        limits::can_hold_budget(&bot.config, &limits::prices(&bot.config)?, model.name())?;
        let session = Session::new(&bot.agent, settings)?;
        let settings = bots::conversation(&bot.config, &session, (model, mode))?;
        let ended = match Conversation::begin(&session, settings, start).await {
            Ok(conversation) => {
                let mut conversation = conversation
                    .hearing(words.speaker.clone())
                    .of_message(words.message.clone())
                    .enclosing(enclosed(&session, words).await?);
                let kept = session.kept().cloned();
                session.pool().begin(session.gate(), conversation.ledger().clone(), Arc::new(Unwatched), kept);
                let sink = Redacted::new(sink, Arc::clone(&session.words().redactor));
                let (words, cancel) = (words.text.as_deref(), cancel.child_token());
                let mut ended = conversation.say_and_hear(words, inbox, &sink, &cancel).await;
                let redactor = &session.words().redactor;
                ended.answer = ended.answer.map(|answer| redactor.redact(&answer).into_owned());
                ended.report.output = redactor.redact(&ended.report.output).into_owned();
                conversation.end().await;
                Ok((ended, session.scope().session.to_string()))
            }
            Err(fault) => Err(fault),
        };
        session.leave();
        ended
    }

    /// The newest session of the chat.
    pub(crate) async fn kept(&self, bot: &Bot, chat: &Chat) -> Result<Option<StoredSession>, Fault> {
        let Some(database) = self.host().database(&bot.config) else { return Ok(None) };
        let wanted = chat.newest(disk::here(&bot.config)?, &bot.id);
        Ok(database.sessions(&wanted).await.map_err(|fault| broken(&fault))?.pop())
    }
}

/// What came with the words, as parts of the conversation.
async fn enclosed(session: &Session, words: &Words) -> Result<Vec<Part>, Fault> {
    let foreign = match &words.speaker {
        Speaker::Stranger { name } => Some(name.as_str()),
        _ => None,
    };
    let mut parts = Vec::new();
    for file in &words.files {
        let foreign = foreign.or(file.foreign.as_deref());
        parts.push(session.enclose(file, words.message.as_deref().unwrap_or_default(), foreign).await?);
    }
    Ok(parts)
}

/// What cannot be kept or read.
pub(crate) fn broken(fault: &StoreFault) -> Fault {
    Fault { kind: FaultKind::Machine, message: fault.message() }
}

/// One turn, and who hears it.
pub(crate) struct Course<'a> {
    pub(crate) start: Start<'a>,
    pub(crate) words: &'a Words,
    pub(crate) mode: BotMode,
    pub(crate) inbox: &'a Inbox,
    pub(crate) sink: &'a dyn Sink,
    pub(crate) cancel: &'a Cancel,
}

/// What another bot says is heard with the answer.
struct Unwatched;

impl Watch for Unwatched {
    fn sink(&self, _: &TaskStatus, _: &SessionId) -> Box<dyn Sink> {
        Box::new(NoSink)
    }
}
