//! Telegram's Bot API, or a server that speaks as it does: a few methods over core's port for HTTP.
//!
//! The token is a part of every address, so no address is ever shown, and it is taken out of whatever an answer or an error says. Redirects are not
//! followed. What the API says of people and texts is `updates`'s to read.

mod channel;
mod files;
mod updates;

use crate::Secret;
use crate::messenger::{Abilities, Button, Incoming, Messenger, Person, Sent, Trouble};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::{ChatId, Digest};
use palanca_core::ports::http::{Header, Http, HttpErrorKind, HttpRequest, HttpTimeouts, Method};
use serde_json::{Map, Value, json};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Telegram's own address.
pub const TELEGRAM: &str = "https://api.telegram.org";
/// The channel's name.
pub const CHANNEL: &str = "telegram";
/// The longest message: <https://core.telegram.org/bots/api#sendmessage>.
pub const LONGEST: usize = 4096;
/// Bytes of an answer: a hundred updates of the longest texts fit.
const ANSWER_BYTES: usize = 16 << 20;
/// How long the server holds a request for updates.
const POLL: Duration = Duration::from_secs(50);
/// How long any other request may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Telegram shows "typing" for five seconds.
const TYPING: Duration = Duration::from_secs(4);
/// The updates that are read.
const WANTED: [&str; 2] = ["message", "callback_query"];
/// Characters of what the API says of a failure.
const SAID: usize = 200;

/// One bot at Telegram.
pub struct Telegram {
    http: Arc<dyn Http>,
    base: String,
    token: Secret,
    me: OnceLock<Person>,
}

impl std::fmt::Debug for Telegram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Telegram")
    }
}

impl Telegram {
    /// The bot of this token at this address, which the client must be able to reach.
    #[must_use]
    pub fn new(http: Arc<dyn Http>, address: &str, token: Secret) -> Self {
        Self { http, base: address.trim_end_matches('/').to_owned(), token, me: OnceLock::new() }
    }

    /// Calls a method; `wait` is how long the server may take on purpose.
    async fn call(&self, method: &str, body: Value, wait: Duration) -> Result<Value, Trouble> {
        let request = HttpRequest {
            method: Method::Post,
            url: format!("{}/bot{}/{method}", self.base, self.token.reveal()),
            headers: vec![Header::new("Content-Type", "application/json")],
            body: Bytes::from(body.to_string()),
            timeouts: HttpTimeouts::all(wait + PATIENCE),
        };
        let (status, read) = self.answer(request, ANSWER_BYTES).await?;
        let nonsense = || nonsense(status);
        let read = read.ok_or_else(nonsense)?;
        let said: Map<String, Value> = serde_json::from_slice(&read).map_err(|_| match status {
            // Proxies answer in their own words.
            401 | 404 => Trouble::Refused(Message::new("telegram-refused")),
            _ => nonsense(),
        })?;
        if said.get("ok") == Some(&Value::Bool(true)) {
            return said.get("result").cloned().ok_or_else(nonsense);
        }
        Err(self.failed(status, &said))
    }

    /// The status and body of an answer; no body where it is longer.
    async fn answer(&self, request: HttpRequest, most: usize) -> Result<(u16, Option<Vec<u8>>), Trouble> {
        let answer = match self.http.send(request).await {
            Ok(answer) => answer,
            Err(error) if error.kind == HttpErrorKind::InvalidUrl => {
                return Err(Trouble::Refused(Message::new("telegram-refused")));
            }
            Err(error) => return Err(self.away(&error.detail)),
        };
        let (mut pieces, mut read) = (answer.body, Vec::new());
        while let Some(piece) = pieces.next().await {
            read.extend_from_slice(&piece.map_err(|error| self.away(&error.detail))?);
            if read.len() > most {
                return Ok((answer.status, None));
            }
        }
        Ok((answer.status, Some(read)))
    }

    /// What the API refuses, by its status: the answer's own code, else that of HTTP.
    fn failed(&self, status: u16, said: &Map<String, Value>) -> Trouble {
        let code = said.get("error_code").and_then(Value::as_u64).unwrap_or_else(|| u64::from(status));
        let description = self.clean(said.get("description").and_then(Value::as_str).unwrap_or_default());
        let after = said.get("parameters").and_then(|more| more.get("retry_after")).and_then(Value::as_u64);
        match code {
            // An unknown token is 401, one that is no token 404.
            401 | 404 => Trouble::Refused(Message::new("telegram-refused")),
            409 => Trouble::Shared(Message::new("telegram-shared").with("detail", description)),
            429 => Trouble::Busy(Duration::from_secs(after.unwrap_or(1).clamp(1, 3600))),
            400..=499 => Trouble::Never(Message::new("telegram-never").with("detail", description)),
            _ => Trouble::Away(Message::new("telegram-away").with("detail", format!("{code} {description}"))),
        }
    }

    fn away(&self, detail: &str) -> Trouble {
        Trouble::Away(Message::new("telegram-away").with("detail", self.clean(detail)))
    }

    /// Without the token, on one line, not long.
    fn clean(&self, text: &str) -> String {
        let text = text.replace(self.token.reveal(), "***");
        palanca_policy::marking::shown_line(&text).chars().take(SAID).collect()
    }
}

/// An answer that is not the API's.
fn nonsense(status: u16) -> Trouble {
    Trouble::Away(Message::new("telegram-nonsense").with("status", u32::from(status)))
}

/// `-1001234` or, with a topic, `-1001234:7`.
fn target(chat: &ChatId) -> Result<Map<String, Value>, Trouble> {
    let name = chat.as_str();
    let (id, topic) = name.split_once(':').map_or((name, None), |(id, topic)| (id, Some(topic)));
    let numbers = id.parse::<i64>().ok().zip(topic.map(str::parse::<i64>).transpose().ok());
    let (id, topic) = numbers.ok_or_else(|| Trouble::Never(Message::new("telegram-no-chat").with("chat", name)))?;
    let mut target = Map::from_iter([("chat_id".to_owned(), json!(id))]);
    target.extend(topic.map(|topic| ("message_thread_id".to_owned(), json!(topic))));
    Ok(target)
}

fn with(mut target: Map<String, Value>, more: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    target.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
    Value::Object(target)
}

impl Messenger for Telegram {
    fn channel(&self) -> &'static str {
        CHANNEL
    }

    fn abilities(&self) -> Abilities {
        Abilities { longest: LONGEST, buttons: true, edits: true, typing: Some(TYPING), file_bytes: files::LARGEST }
    }

    fn me(&self) -> BoxFuture<'_, Result<Person, Trouble>> {
        Box::pin(async {
            let said = self.call("getMe", json!({}), Duration::ZERO).await?;
            let me = updates::person(&said).ok_or_else(|| nonsense(200))?;
            Ok(self.me.get_or_init(|| me).clone())
        })
    }

    fn listen(&self, after: Option<i64>) -> BoxFuture<'_, Result<Vec<Incoming>, Trouble>> {
        Box::pin(async move {
            let me = match self.me.get() {
                Some(me) => me.clone(),
                None => self.me().await?,
            };
            let mut wanted = json!({"timeout": POLL.as_secs(), "allowed_updates": WANTED});
            if let (Some(after), Some(wanted)) = (after, wanted.as_object_mut()) {
                wanted.insert("offset".to_owned(), json!(after.saturating_add(1)));
            }
            let said = self.call("getUpdates", wanted, POLL).await?;
            let list = said.as_array().ok_or_else(|| nonsense(200))?;
            Ok(list.iter().filter_map(|update| updates::incoming(update, &me)).collect())
        })
    }

    fn bring<'a>(&'a self, address: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        Box::pin(async move {
            // One at a time, so that they come in their order.
            let hook =
                json!({"url": address, "secret_token": self.word(), "max_connections": 1, "allowed_updates": WANTED});
            self.call("setWebhook", hook, Duration::ZERO).await.map(drop)
        })
    }

    fn bring_no_more<'a>(&'a self, end: &'a str) -> BoxFuture<'a, Result<bool, Trouble>> {
        Box::pin(async move {
            let said = self.call("getWebhookInfo", json!({}), Duration::ZERO).await?;
            let is_there = said.get("url").and_then(Value::as_str).is_some_and(|url| url.ends_with(end));
            if is_there {
                self.call("deleteWebhook", json!({}), Duration::ZERO).await?;
            }
            Ok(is_there)
        })
    }

    fn word(&self) -> String {
        // Made from the token, so that nobody has to keep it, and that it says nothing of the token.
        Digest::of_bytes(format!("webhook of {}", self.token.reveal()).as_bytes()).to_hex()
    }

    fn read(&self, body: &[u8], me: &Person) -> Option<Incoming> {
        updates::incoming(&serde_json::from_slice(body).ok()?, me)
    }

    fn fetch<'a>(&'a self, file: &'a str, most: usize) -> BoxFuture<'a, Result<Bytes, Trouble>> {
        Box::pin(self.download(file, most))
    }

    fn send<'a>(
        &'a self,
        chat: &'a ChatId,
        text: &'a str,
        buttons: &'a [Vec<Button>],
    ) -> BoxFuture<'a, Result<Sent, Trouble>> {
        Box::pin(async move {
            let mut more = vec![("text", json!(text)), ("link_preview_options", json!({"is_disabled": true}))];
            if !buttons.is_empty() {
                let button = |button: &Button| json!({"text": button.label, "callback_data": button.holds});
                let rows = buttons.iter().map(|row| row.iter().map(button).collect());
                more.push(("reply_markup", json!({"inline_keyboard": rows.collect::<Vec<Vec<Value>>>()})));
            }
            let said = self.call("sendMessage", with(target(chat)?, more), Duration::ZERO).await?;
            Ok(Sent(said.get("message_id").and_then(Value::as_i64).unwrap_or_default()))
        })
    }

    fn edit<'a>(&'a self, chat: &'a ChatId, sent: &'a Sent, text: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        Box::pin(async move {
            let mut target = target(chat)?;
            target.remove("message_thread_id");
            let more = [("message_id", json!(sent.0)), ("text", json!(text))];
            self.call("editMessageText", with(target, more), Duration::ZERO).await.map(drop)
        })
    }

    fn typing<'a>(&'a self, chat: &'a ChatId) -> BoxFuture<'a, Result<(), Trouble>> {
        Box::pin(async move {
            let body = with(target(chat)?, [("action", json!("typing"))]);
            self.call("sendChatAction", body, Duration::ZERO).await.map(drop)
        })
    }

    fn notice<'a>(&'a self, press: &'a str, text: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        Box::pin(async move {
            let body = json!({"callback_query_id": press, "text": text});
            self.call("answerCallbackQuery", body, Duration::ZERO).await.map(drop)
        })
    }
}

#[cfg(test)]
mod tests;
