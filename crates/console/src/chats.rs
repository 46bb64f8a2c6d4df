//! Talking with bots. A message is answered to its end even if its sender goes away, because the chat goes on; an answer is stopped by
//! asking for that. Questions stand in the store until somebody answers them, here or anywhere.

use crate::console::{FRONT, Shared};
use crate::problem::Problem;
use futures_util::Stream;
use futures_util::stream::unfold;
use palanca_agent::{BotMode, Event, Level, Sink, arguments_line};
use palanca_bots::{Chat, Hearing};
use palanca_core::Message;
use palanca_core::ports::Elsewhere;
use palanca_core::tool::Cancel;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;

use crate::language::Tongue;

/// Things that a reader who is slow may be behind; more are left out of the stream, never of the chat.
const BEHIND: usize = 1024;
/// Characters of a chat's name, and of a person's.
pub(crate) const NAME: usize = 64;

/// Answers that are under way.
#[derive(Default)]
pub(crate) struct Chats {
    running: Mutex<HashMap<u64, (String, Chat, Cancel)>>,
    next: AtomicU64,
}

impl Chats {
    /// Whether an answer is under way in this chat.
    pub(crate) fn is_running(&self, bot: &str, chat: &Chat) -> bool {
        self.running.lock().values().any(|(of, running, _)| of == bot && running == chat)
    }

    /// Stops every answer in this chat; how many were.
    pub(crate) fn stop(&self, bot: &str, chat: &Chat) -> usize {
        let running = self.running.lock();
        let here = running.values().filter(|(of, running, _)| of == bot && running == chat);
        here.map(|(.., cancel)| cancel.cancel()).count()
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

/// Says something to a bot and goes on; what happens is told.
pub(crate) fn say(
    shared: &Arc<Shared>,
    (bot, chat): (String, Chat),
    words: String,
    tongue: Tongue,
) -> mpsc::Receiver<(&'static str, Value)> {
    let (tell, told) = mpsc::channel(BEHIND);
    // The end of the process gives answers time; it is no stop.
    let cancel = Cancel::new();
    let number = shared.chats.next.fetch_add(1, Ordering::Relaxed);
    shared.chats.running.lock().insert(number, (bot.clone(), chat.clone(), cancel.clone()));
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let teller = Teller { tell: tell.clone(), tongue, said: Mutex::default() };
        let hearing =
            Hearing { sink: &teller, asker: Arc::new(Elsewhere), front: FRONT, cancel, mode: BotMode::Conversation };
        let ended = shared.bots.say(&bot, &chat, &*words, hearing).await;
        shared.chats.running.lock().remove(&number);
        let end = match ended {
            Ok(ended) => json!({
                "session": ended.report.session, "status": ended.report.status, "stop_reason": ended.report.stop_reason,
                "text": teller.said.into_inner(), "error": ended.error.map(|_| ended.report.output),
            }),
            Err(fault) => json!({"status": "failed", "error": tongue.say(&fault.message)}),
        };
        // ignored: nobody listens any more.
        let _ = tell.send(("ended", end)).await;
    });
    told
}

/// Tells what happens in a turn.
struct Teller {
    tell: mpsc::Sender<(&'static str, Value)>,
    tongue: Tongue,
    /// The words since the last call.
    said: Mutex<String>,
}

impl Teller {
    fn tell(&self, kind: &'static str, data: Value) {
        // ignored: whoever is far behind reads the rest in the chat, and the end holds the whole answer.
        let _ = self.tell.try_send((kind, data));
    }
}

impl Sink for Teller {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::TextDelta { text } => {
                self.said.lock().push_str(text);
                self.tell("text", json!({"text": text}));
            }
            Event::TextVoided => {
                self.said.lock().clear();
                self.tell("voided", json!({}));
            }
            Event::ToolStarted { call } => {
                self.said.lock().clear();
                let arguments = arguments_line(&call.arguments);
                self.tell("call", json!({"call": call.id, "tool": call.name, "arguments": arguments}));
            }
            Event::ToolEnded { result } => self.tell(
                "result",
                json!({
                    "call": result.id, "tool": result.tool, "success": result.success, "outcome": result.outcome,
                    "code": result.code, "error": result.error,
                }),
            ),
            Event::Notice { level, message } => {
                let warning = *level == Level::Warning;
                self.tell("notice", json!({"warning": warning, "text": self.tongue.say(message)}));
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
