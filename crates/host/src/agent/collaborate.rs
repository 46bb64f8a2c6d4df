//! Bots that talk with each other: `collaborate` of one is a conversation of the other, with its own tools, files, model, rules
//! and budget, in which the one that asks is a stranger.
//!
//! Nobody answers questions of the one that is asked, and it has no tool that reaches other bots. Its time is up when the answer
//! is late or nobody waits for it any more: its turn really ends then.
//!
//! Where people should read along, it is said in their group, and the answers come there.

use super::groups::{Groups, Said, SaidInGroup};
use super::{Agent, bots, limits, model};
use crate::configuration::catalogue;
use crate::conversation::{Conversation, Start};
use crate::fault::Fault;
use crate::host::Host;
use crate::session::{Keeping, Session, SessionSettings};
use futures_util::future::BoxFuture;
use palanca_agent::{BotMode, NoSink};
use palanca_config::Config;
use palanca_core::call::{Act, ActKind, ChannelId, ChatId, ErrorKind, Scope, SessionId, Speaker, ToolError};
use palanca_core::gate::GateBuilder;
use palanca_core::ports::{Acts, NoAsker};
use palanca_core::tool::Cancel;
use palanca_core::{Catalogue as _, Message, Output};
use palanca_tools::{ALOUD, CollaborationOptions, Talks, gone};
use parking_lot::Mutex;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Conversations that a bot has at a time; the one that rests longest ends for a further one.
const MOST: usize = 20;
/// Characters of an answer.
const ANSWER_CHARS: usize = 20_000;
/// How long a turn whose time is up may take to end.
const GRACE: Duration = Duration::from_secs(10);
/// The channel of these conversations.
const CHANNEL: &str = "bots";

/// What the tool needs to know; none where bots do not collaborate.
pub fn options(config: &Config) -> Option<CollaborationOptions> {
    let settings = &config.collaboration;
    settings.enabled.then(|| CollaborationOptions {
        longest: Duration::from_millis(settings.internal_query_timeout).saturating_add(GRACE),
        target_tools: settings.enable_target_tools,
    })
}

/// The gate with conversations between bots, where there are any.
pub(super) fn add(gate: GateBuilder, config: &Arc<Config>, host: &Arc<Host>) -> GateBuilder {
    if !config.collaboration.enabled || bots::others(config).is_empty() {
        return gate;
    }
    let all = Arc::new(Collaboration { host: Arc::clone(host), config: Arc::clone(config), talks: Mutex::default() });
    gate.acts(ActKind::AskBot, Arc::clone(&all) as _).door::<dyn Talks>(all)
}

/// The conversations that one bot has begun.
struct Collaboration {
    host: Arc<Host>,
    config: Arc<Config>,
    talks: Mutex<HashMap<String, Arc<Talk>>>,
}

/// Whose conversation began one: the chat where it has one, else the session.
type Owner = (String, Option<ChatId>);

/// One conversation.
struct Talk {
    target: String,
    owner: Owner,
    last: Mutex<Instant>,
    state: Arc<tokio::sync::Mutex<TalkState>>,
}

/// What is known of it. Held while the other bot answers.
#[derive(Default)]
struct TalkState {
    messages: u32,
    agent: Option<Arc<Agent>>,
    kept: Option<SessionId>,
    /// What was said, where nothing is kept.
    said: Vec<String>,
}

/// What one message needs.
struct Question {
    host: Arc<Host>,
    config: Arc<Config>,
    from: String,
    session: String,
    target: String,
    words: String,
    cancel: Cancel,
}

fn owner(scope: &Scope) -> Owner {
    match (&scope.channel, &scope.chat) {
        (Some(channel), Some(chat)) => (channel.as_str().to_owned(), Some(chat.clone())),
        _ => (scope.session.as_str().to_owned(), None),
    }
}

impl Collaboration {
    fn own(&self) -> &str {
        bots::id(&self.config).unwrap_or_default()
    }

    /// A conversation that this one has begun with this bot.
    fn found(&self, session: &str, target: Option<&str>, scope: &Scope) -> Result<Arc<Talk>, ToolError> {
        let mut talks = self.talks.lock();
        let lasts = Duration::from_millis(self.config.collaboration.session_ttl_ms);
        talks.retain(|_, talk| talk.state.try_lock().is_err() || talk.last.lock().elapsed() < lasts);
        let talk = talks.get(session).filter(|talk| talk.owner == owner(scope));
        let talk = talk.filter(|talk| target.is_none_or(|target| talk.target == target));
        talk.cloned().ok_or_else(|| gone(session))
    }

    fn begun(&self, target: &str, scope: &Scope) -> (String, Arc<Talk>) {
        let talk = Arc::new(Talk {
            target: target.to_owned(),
            owner: owner(scope),
            last: Mutex::new(Instant::now()),
            state: Arc::default(),
        });
        let mut talks = self.talks.lock();
        if talks.len() >= MOST
            && let Some(oldest) = talks.iter().min_by_key(|(_, talk)| *talk.last.lock()).map(|(id, _)| id.clone())
        {
            talks.remove(&oldest);
        }
        loop {
            let id: String = uuid::Uuid::new_v4().simple().to_string().chars().take(8).collect();
            if !talks.contains_key(&id) {
                talks.insert(id.clone(), Arc::clone(&talk));
                return (id, talk);
            }
        }
    }

    /// Those who know the groups, and the one in which this is to be said.
    fn group(&self, target: &str, scope: &Scope) -> Option<(Arc<dyn Groups>, ChatId)> {
        let groups = self.host.groups(&self.config)?;
        let group = groups.group(self.own(), target, scope)?;
        Some((groups, group))
    }

    /// In front of the people of a group, where the other bot is there, too.
    async fn aloud(&self, act: &Act, scope: &Scope, cancel: &Cancel) -> Result<Output, ToolError> {
        let target = act.party();
        let Some((groups, group)) = self.group(target, scope) else {
            return Err(failed(Message::new("collaborate-group-left").with("bot", target)));
        };
        let answers = self.config.collaboration.visible_max_turns;
        let said = SaidInGroup {
            from: self.own().to_owned(),
            to: target.to_owned(),
            group,
            words: act.content.clone(),
            answers,
        };
        let time = Duration::from_millis(self.config.collaboration.internal_query_timeout);
        let done = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Message::new("collaborate-unsaid").with("bot", target)),
            done = tokio::time::timeout(time, groups.say(&said)) => {
                done.unwrap_or_else(|_| Err(Message::new("collaborate-unsaid").with("bot", target)))
            }
        };
        match done.map_err(failed)? {
            Said::There => {
                let told = Message::new("collaborate-said").with("bot", target).with("most", answers);
                Ok(Output::text(told).with_data(json!({"group": act.parts().1, "answers": answers})))
            }
            Said::NotInGroup => {
                let note = Message::new("collaborate-not-in-group").with("bot", target);
                Ok(self.ask(target, None, act, (scope, cancel)).await?.with_notes([note]))
            }
        }
    }

    async fn ask(
        &self,
        target: &str,
        session: Option<&str>,
        act: &Act,
        (scope, cancel): (&Scope, &Cancel),
    ) -> Result<Output, ToolError> {
        let settings = &self.config.collaboration;
        let earlier = session.map(|session| self.found(session, Some(target), scope)).transpose()?;
        let (session, talk) = match (session, earlier) {
            (Some(session), Some(talk)) => (session.to_owned(), talk),
            _ => self.begun(target, scope),
        };
        let time = Duration::from_millis(settings.internal_query_timeout);
        let until = Instant::now() + time;
        let late = || {
            failed(
                Message::new("collaborate-late")
                    .with("bot", target)
                    .with("ms", settings.internal_query_timeout.to_string()),
            )
        };
        let state = tokio::time::timeout_at(until, Arc::clone(&talk.state).lock_owned());
        let mut state = state.await.map_err(|_| late())?;
        if state.messages >= settings.max_converse_turns {
            self.talks.lock().remove(&session);
            let message =
                Message::new("collaborate-over").with("session", &session).with("most", settings.max_converse_turns);
            return Err(failed(message));
        }
        state.messages += 1;
        let question = Question {
            host: Arc::clone(&self.host),
            config: Arc::clone(&self.config),
            from: self.own().to_owned(),
            session: session.clone(),
            target: target.to_owned(),
            words: act.content.clone(),
            cancel: cancel.child_token(),
        };
        let ended = question.cancel.clone();
        // Whoever stops waiting ends the turn.
        let _ends_with_us = ended.clone().drop_guard();
        let mut work = tokio::spawn(async move { question.answer(&mut state).await });
        let answer = tokio::select! {
            biased;
            answer = &mut work => answer.unwrap_or_else(|error| Err(failed(Message::new("system-words").with("words", error.to_string())))),
            () = tokio::time::sleep_until(until) => {
                ended.cancel();
                // ignored: a turn that does not end is abandoned.
                let _ = tokio::time::timeout(GRACE, &mut work).await;
                Err(late())
            }
        };
        *talk.last.lock() = Instant::now();
        let answer = answer?;
        Ok(Output::text(answer.as_str()).with_data(json!({"sessionId": session, "response": answer})))
    }
}

fn failed(message: Message) -> ToolError {
    ToolError::new(ErrorKind::Failed, message)
}

impl Question {
    /// The answer of the other bot.
    async fn answer(self, state: &mut TalkState) -> Result<String, ToolError> {
        let config = Arc::new(bots::as_bot(&self.config, &self.target));
        let language = catalogue(&self.config);
        let why = |fault: Fault| {
            let why = language.render(&fault.message);
            failed(Message::new("collaborate-failed").with("bot", &self.target).with("why", why))
        };
        let agent = match &state.agent {
            Some(agent) => Arc::clone(agent),
            None => {
                let place = self.host.workspace(&config).map_err(why)?;
                Arc::clone(state.agent.insert(Arc::new(Agent::new(&place, &config).map_err(why)?)))
            }
        };
        let model = model::model(&self.host, &config, 0).await.map_err(why)?;
        limits::can_hold_budget(&config, &limits::prices(&config).map_err(why)?, model.name()).map_err(why)?;
        let settings = SessionSettings {
            mode: bots::mode(&config),
            asker: Arc::new(NoAsker),
            front: CHANNEL,
            keeping: state.kept.clone().map_or(Keeping::New, Keeping::Again),
            chat: Some((ChannelId::new(CHANNEL), ChatId::new(format!("{}.{}", self.from, self.session)))),
            job: None,
            dry_run: None,
            cancel: self.cancel.clone(),
        };
        let session = Session::new(&agent, settings).map_err(why)?;
        let settings = bots::conversation(&config, &session, (model, BotMode::Collaboration)).map_err(why)?;
        let words = match (&state.kept, &*state.said) {
            (None, [_, ..]) => [&*state.said, std::slice::from_ref(&self.words)].concat().join("\n\n"),
            _ => self.words.clone(),
        };
        let start = if state.kept.is_some() { Start::Again } else { Start::New(&words) };
        let ended = match Conversation::begin(&session, settings, start).await {
            Ok(conversation) => {
                let mut conversation = conversation.hearing(Speaker::Stranger { name: self.from.clone() });
                let ended = conversation.say(Some(&words), &NoSink, &self.cancel).await;
                conversation.end().await;
                Ok(ended)
            }
            Err(fault) => Err(fault),
        };
        state.kept = session.kept().map(|kept| kept.id().clone());
        session.leave();
        let ended = ended.map_err(why)?;
        let answer = ended.answer.as_deref().map(str::trim).filter(|answer| !answer.is_empty());
        let answer: String = match answer {
            Some(answer) => answer.chars().take(ANSWER_CHARS).collect(),
            None => {
                let message =
                    Message::new("collaborate-failed").with("bot", &self.target).with("why", ended.report.output);
                return Err(failed(message));
            }
        };
        if state.kept.is_none() {
            state.said.extend([format!("> {}", self.words.replace('\n', "\n> ")), answer.clone()]);
        }
        Ok(answer)
    }
}

impl Acts for Collaboration {
    fn locate(&self, act: &Act, scope: &Scope) -> Result<Act, ToolError> {
        let target = match act.parts() {
            (target, Some(ALOUD)) => match self.group(target, scope) {
                Some((_, group)) => {
                    let channel = scope.channel.as_ref().map(ChannelId::as_str).unwrap_or_default();
                    format!("{target}/{channel}:{group}")
                }
                None => target.to_owned(),
            },
            (target, session) => {
                session.map(|session| self.found(session, Some(target), scope)).transpose()?;
                act.target.clone()
            }
        };
        Ok(Act { target, ..act.clone() })
    }

    fn perform<'a>(
        &'a self,
        act: &'a Act,
        scope: &'a Scope,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let (target, place) = act.parts();
            self.host.count_round(&self.config, self.own(), target).map_err(|seconds| {
                let message = Message::new("subagents-cooldown").with("seconds", seconds.to_string());
                ToolError::new(ErrorKind::RateLimited, message)
            })?;
            match place {
                Some(place) if place.contains(ALOUD) => self.aloud(act, scope, cancel).await,
                session => self.ask(target, session, act, (scope, cancel)).await,
            }
        })
    }
}

impl Talks for Collaboration {
    fn end(&self, session: &str, scope: &Scope) -> Result<Message, ToolError> {
        let talk = self.found(session, None, scope)?;
        self.talks.lock().remove(session);
        Ok(Message::new("collaborate-ended").with("session", session).with("bot", &talk.target))
    }
}
