//! Talking with bots. A message is answered to its end even if its sender goes away, because the chat goes on; an answer is stopped by
//! asking for that. Questions stand in the store until somebody answers them, here or anywhere.

use crate::console::{FRONT, Shared};
use crate::problem::Problem;
use futures_util::Stream;
use futures_util::stream::unfold;
use palanca_agent::{BotMode, Event, Inbox, Level, Sink, arguments_line};
use palanca_bots::{Chat, Hearing};
use palanca_core::Message;
use palanca_core::call::Speaker;
use palanca_core::ports::Elsewhere;
use palanca_core::tool::Cancel;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::language::Tongue;

/// Things that a reader who is slow may be behind; more are left out of the stream, never of the chat.
const BEHIND: usize = 1024;
/// Characters of a chat's name, and of a person's.
pub(crate) const NAME: usize = 64;

/// Whoever reads what happens in a turn, with what they said.
type Reader = (String, mpsc::Sender<(&'static str, Value)>);

/// An answer that is under way.
struct Underway {
    bot: String,
    chat: Chat,
    cancel: Cancel,
    inbox: Arc<Inbox>,
    readers: Arc<Mutex<Vec<Reader>>>,
}

/// Answers that are under way, at most one in a chat.
#[derive(Default)]
pub(crate) struct Chats {
    running: Mutex<Vec<Underway>>,
}

impl Chats {
    /// Whether an answer is under way in this chat.
    pub(crate) fn is_running(&self, bot: &str, chat: &Chat) -> bool {
        self.running.lock().iter().any(|underway| underway.is_in(bot, chat))
    }

    /// Stops the answer in this chat; how many were.
    pub(crate) fn stop(&self, bot: &str, chat: &Chat) -> usize {
        let running = self.running.lock();
        running.iter().filter(|underway| underway.is_in(bot, chat)).map(|underway| underway.cancel.cancel()).count()
    }
}

impl Underway {
    fn is_in(&self, bot: &str, chat: &Chat) -> bool {
        self.bot == bot && self.chat == *chat
    }
}

/// The chat of this name at the console.
pub(crate) fn chat(name: &str) -> Result<Chat, Problem> {
    if is_name(name) {
        return Ok(Chat { channel: FRONT.into(), name: name.into() });
    }
    Err(Problem::wrong(Message::new("console-bad-name").with("most", NAME)))
}

/// Short, on one line, and readable.
pub(crate) fn is_name(name: &str) -> bool {
    let count = name.chars().count();
    (1..=NAME).contains(&count) && name.trim() == name && !name.chars().any(|one| one.is_control() || one == '/')
}

/// Says something to a bot and goes on; what happens is told. What is said while an answer is under way is heard in its course, or answered next.
pub(crate) fn say(
    shared: &Arc<Shared>,
    (bot, chat): (String, Chat),
    words: String,
    tongue: Tongue,
) -> mpsc::Receiver<(&'static str, Value)> {
    let (tell, told) = mpsc::channel(BEHIND);
    let mut running = shared.chats.running.lock();
    match running.iter().find(|underway| underway.is_in(&bot, &chat)) {
        Some(underway) => underway.joined((words, tell)),
        // The end of the process gives answers time; it is no stop.
        None => begin(shared, &mut running, (bot, chat, Cancel::new()), vec![(words, tell)], tongue),
    }
    told
}

impl Underway {
    fn joined(&self, reader: Reader) {
        // Together: whoever is told of the end was heard, or is among the last of the inbox.
        let mut readers = self.readers.lock();
        self.inbox.say(Speaker::User, &*reader.0, None);
        readers.push(reader);
    }
}

/// Begins an answer to the first words; the others are in its inbox.
fn begin(
    shared: &Arc<Shared>,
    running: &mut Vec<Underway>,
    (bot, chat, cancel): (String, Chat, Cancel),
    said: Vec<Reader>,
    tongue: Tongue,
) {
    let mut said = said.into_iter();
    let Some(first) = said.next() else { return };
    let words = first.0.clone();
    let (inbox, readers) = (Arc::new(Inbox::default()), Arc::new(Mutex::new(vec![first])));
    let underway = Underway { bot, chat, cancel, inbox, readers };
    said.for_each(|reader| underway.joined(reader));
    let (bot, chat, cancel) = (underway.bot.clone(), underway.chat.clone(), underway.cancel.clone());
    let (inbox, readers) = (Arc::clone(&underway.inbox), Arc::clone(&underway.readers));
    running.push(underway);
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let teller = Teller { readers: Arc::clone(&readers), tongue, said: Mutex::default() };
        let (asker, mode) = (Arc::new(Elsewhere), BotMode::Conversation);
        let hearing = Hearing { sink: &teller, asker, front: FRONT, cancel: cancel.clone(), mode, inbox: &inbox };
        let ended = shared.bots.say(&bot, &chat, &*words, hearing).await;
        let end = match ended {
            Ok(ended) => json!({
                "session": ended.report.session, "status": ended.report.status, "stop_reason": ended.report.stop_reason,
                "text": teller.said.into_inner(), "error": ended.error.map(|_| ended.report.output),
            }),
            Err(fault) => json!({"status": "failed", "error": tongue.say(&fault.message)}),
        };
        let heard = {
            let mut running = shared.chats.running.lock();
            running.retain(|underway| !underway.is_in(&bot, &chat));
            let mut heard = std::mem::take(&mut *readers.lock());
            let late = heard.split_off(heard.len().saturating_sub(inbox.waiting()));
            // Whoever wanted an end means everything that was said before.
            let cancel = if cancel.is_cancelled() { cancel } else { Cancel::new() };
            begin(&shared, &mut running, (bot, chat, cancel), late, tongue);
            heard
        };
        for (_, tell) in heard {
            // ignored: nobody listens any more.
            let _ = tell.send(("ended", end.clone())).await;
        }
    });
}

/// Tells what happens in a turn.
struct Teller {
    readers: Arc<Mutex<Vec<Reader>>>,
    tongue: Tongue,
    /// The words since the last call.
    said: Mutex<String>,
}

impl Teller {
    fn tell(&self, kind: &'static str, data: &Value) {
        for (_, tell) in &*self.readers.lock() {
            // ignored: whoever is far behind reads the rest in the chat, and the end holds the whole answer.
            let _ = tell.try_send((kind, data.clone()));
        }
    }
}

impl Sink for Teller {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::TextDelta { text } => {
                self.said.lock().push_str(text);
                self.tell("text", &json!({"text": text}));
            }
            Event::TextVoided => {
                self.said.lock().clear();
                self.tell("voided", &json!({}));
            }
            Event::ToolStarted { call } => {
                self.said.lock().clear();
                let arguments = arguments_line(&call.arguments);
                self.tell("call", &json!({"call": call.id, "tool": call.name, "arguments": arguments}));
            }
            Event::ToolEnded { result } => self.tell(
                "result",
                &json!({
                    "call": result.id, "tool": result.tool, "success": result.success, "outcome": result.outcome,
                    "code": result.code, "error": result.error,
                }),
            ),
            Event::Notice { level, message } => {
                let warning = *level == Level::Warning;
                self.tell("notice", &json!({"warning": warning, "text": self.tongue.say(message)}));
            }
            _ => {}
        }
    }
}

/// As server-sent events.
pub(crate) fn frames(
    told: mpsc::Receiver<(&'static str, Value)>,
) -> impl Stream<Item = Result<String, Infallible>> + Send + 'static {
    unfold(told, |mut told| async move {
        let (kind, data) = told.recv().await?;
        Some((Ok(format!("event: {kind}\ndata: {data}\n\n")), told))
    })
}
