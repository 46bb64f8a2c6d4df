//! What Telegram's updates say. Anything that is not as documented is left out, never guessed.

use super::files::attached;
use crate::messenger::{Addressed, Audience, Heard, Incoming, Person, Press};
use palanca_core::call::ChatId;
use palanca_policy::marking::shown_line;
use serde_json::Value;

/// Characters of a person's name.
const LONGEST_NAME: usize = 64;

/// Somebody, in the API's form.
pub(super) fn person(said: &Value) -> Option<Person> {
    let text = |key: &str| said.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let name = [text("first_name"), text("last_name")].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let username = text("username").map(str::to_owned);
    let name = if name.is_empty() { username.clone().unwrap_or_default() } else { name };
    Some(Person { id: said.get("id")?.as_i64()?, username, name: short(&name) })
}

/// On one line, without brackets, which stand around names.
fn short(name: &str) -> String {
    shown_line(name).chars().filter(|character| !matches!(character, '[' | ']')).take(LONGEST_NAME).collect()
}

/// One update; nothing where it has no number.
pub(super) fn incoming(update: &Value, me: &Person) -> Option<Incoming> {
    let number = update.get("update_id")?.as_i64()?;
    let message = update.get("message").and_then(|message| heard(number, message, me)).map(Incoming::Message);
    let press = || Some(Incoming::Press(number, press(update.get("callback_query")?)?));
    Some(message.or_else(press).unwrap_or(Incoming::Other(number)))
}

fn heard(number: i64, message: &Value, me: &Person) -> Option<Heard> {
    let from = person(message.get("from")?)?;
    let is_bot = message.get("from")?.get("is_bot").and_then(Value::as_bool).unwrap_or_default();
    let kind = message.get("chat")?.get("type")?.as_str()?;
    let audience = match kind {
        "private" => Audience::Private,
        "group" | "supergroup" => Audience::Group,
        _ => return None,
    };
    // Bots that answer each other would never end; whoever speaks for a whole chat is nobody.
    if is_bot || message.get("sender_chat").is_some() {
        return None;
    }
    let text = ["text", "caption"].iter().find_map(|key| message.get(key)?.as_str()).unwrap_or_default();
    let files = attached(message);
    // What the chat itself says: somebody has joined, a title has changed.
    if text.is_empty() && files.is_empty() {
        return None;
    }
    Some(Heard {
        number,
        chat: chat(message)?,
        audience,
        addressed: addressed(message, text, me),
        forwarded: forwarded(message),
        text: text.to_owned(),
        files,
        album: message.get("media_group_id").and_then(Value::as_str).map(str::to_owned),
        from,
        exchange: None,
    })
}

/// A topic of a forum is a chat of its own.
fn chat(message: &Value) -> Option<ChatId> {
    let id = message.get("chat")?.get("id")?.as_i64()?;
    let in_topic = message.get("is_topic_message").and_then(Value::as_bool).unwrap_or_default();
    let topic = message.get("message_thread_id").and_then(Value::as_i64).filter(|_| in_topic);
    Some(ChatId::new(topic.map_or_else(|| id.to_string(), |topic| format!("{id}:{topic}"))))
}

/// Whose words these are, if not the sender's.
fn forwarded(message: &Value) -> Option<String> {
    let origin = message.get("forward_origin");
    let person = || origin?.get("sender_user").and_then(person).map(|person| person.name);
    let hidden = || origin?.get("sender_user_name").and_then(Value::as_str).map(short);
    let chat = || {
        let chat = origin?.get("sender_chat").or_else(|| origin?.get("chat"))?;
        chat.get("title").and_then(Value::as_str).map(short)
    };
    let is_one = origin.is_some() || message.get("forward_date").is_some();
    is_one.then(|| person().or_else(hidden).or_else(chat).unwrap_or_else(|| "?".to_owned()))
}

fn addressed(message: &Value, text: &str, me: &Person) -> Addressed {
    let replies = message.get("reply_to_message").and_then(|earlier| earlier.get("from")).and_then(person);
    let entities = message.get("entities").or_else(|| message.get("caption_entities")).and_then(Value::as_array);
    let is_named = entities.into_iter().flatten().any(|entity| names(entity, text, me).unwrap_or_default());
    let to_me = replies.is_some_and(|person| person.id == me.id) || is_named;
    if to_me { Addressed::ToMe } else { Addressed::ToNobody }
}

/// Whether a part of the text names the bot: `@its_name`, `/command@its_name`, or a link to it.
fn names(entity: &Value, text: &str, me: &Person) -> Option<bool> {
    let kind = entity.get("type")?.as_str()?;
    if kind == "text_mention" {
        return Some(person(entity.get("user")?)?.id == me.id);
    }
    let (from, length) = (entity.get("offset")?.as_u64()?, entity.get("length")?.as_u64()?);
    let part: Vec<u16> =
        text.encode_utf16().skip(usize::try_from(from).ok()?).take(usize::try_from(length).ok()?).collect();
    let part = String::from_utf16(&part).ok()?;
    let (_, name) = part.rsplit_once('@')?;
    Some(matches!(kind, "mention" | "bot_command") && name.eq_ignore_ascii_case(me.username.as_deref()?))
}

fn press(query: &Value) -> Option<Press> {
    Some(Press {
        id: query.get("id")?.as_str()?.to_owned(),
        from: person(query.get("from")?)?,
        chat: query.get("message").and_then(chat),
        holds: query.get("data").and_then(Value::as_str).unwrap_or_default().to_owned(),
    })
}
