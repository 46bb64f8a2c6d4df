#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::messenger::{Addressed, Audience, Heard, Press};
use futures_util::stream;
use palanca_core::ports::http::{HttpError, HttpResponse};
use parking_lot::Mutex;
use serde_json::json;

const TOKEN: &str = "12345:a-very-Secret_token";

/// Gives one answer, and keeps what it was sent.
struct Server {
    answer: Result<(u16, String), HttpErrorKind>,
    sent: Mutex<Vec<HttpRequest>>,
}

impl Http for Server {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        let url = request.url.clone();
        self.sent.lock().push(request);
        let answer = self.answer.clone();
        Box::pin(async move {
            let (status, body) = answer.map_err(|kind| HttpError::new(kind, &url, format!("no way to {url}")))?;
            let body = stream::iter([Ok(Bytes::from(body))]).boxed();
            Ok(HttpResponse { status, headers: Vec::new(), body })
        })
    }
}

fn bot(answer: Result<(u16, &str), HttpErrorKind>) -> (Telegram, Arc<Server>) {
    let answer = answer.map(|(status, body)| (status, body.to_owned()));
    let server = Arc::new(Server { answer, sent: Mutex::default() });
    let telegram = Telegram::new(Arc::clone(&server) as _, "https://bots.example/api/", Secret::new(TOKEN).unwrap());
    (telegram, server)
}

fn me() -> Person {
    Person { id: 99, username: Some("Ana_Bot".to_owned()), name: "Ana".to_owned() }
}

#[tokio::test]
async fn what_is_sent_is_as_documented() {
    let (telegram, server) = bot(Ok((200, r#"{"ok": true, "result": {"message_id": 5}}"#)));
    let buttons = [vec![Button { label: "Yes".to_owned(), holds: "y:1".to_owned() }]];
    assert_eq!(telegram.send(&"-1001:7".into(), "Hola", &buttons).await, Ok(Sent(5)));
    telegram.typing(&"42".into()).await.unwrap();
    telegram.edit(&"-1001:7".into(), &Sent(5), "Done").await.unwrap();
    telegram.notice("p1", "No.").await.unwrap();
    let sent: Vec<(String, Value)> = server
        .sent
        .lock()
        .iter()
        .map(|request| (request.url.replace(TOKEN, "TOKEN"), serde_json::from_slice(&request.body).unwrap()))
        .collect();
    let keyboard = json!({"inline_keyboard": [[{"text": "Yes", "callback_data": "y:1"}]]});
    let url = |method: &str| format!("https://bots.example/api/botTOKEN/{method}");
    assert_eq!(sent[0].0, url("sendMessage"));
    assert_eq!(
        sent[0].1,
        json!({"chat_id": -1001, "message_thread_id": 7, "text": "Hola", "reply_markup": keyboard, "link_preview_options": {"is_disabled": true}})
    );
    assert_eq!(sent[1], (url("sendChatAction"), json!({"chat_id": 42, "action": "typing"})));
    assert_eq!(sent[2], (url("editMessageText"), json!({"chat_id": -1001, "message_id": 5, "text": "Done"})));
    assert_eq!(sent[3], (url("answerCallbackQuery"), json!({"callback_query_id": "p1", "text": "No."})));
    assert!(matches!(telegram.send(&"somebody".into(), "x", &[]).await, Err(Trouble::Never(_))));
}

#[tokio::test]
async fn each_failure_says_whether_to_try_again_and_none_holds_the_token() {
    let quoting = format!(r#"{{"ok": false, "error_code": 400, "description": "Bad Request: {TOKEN}"}}"#);
    let refused = |status: u16| (status, r#"{"ok": false, "description": "no"}"#);
    let kinds = [
        (Ok(refused(401)), "refused"),
        (Ok((404, "<html>not found</html>")), "refused"),
        (Ok(refused(409)), "shared"),
        (Ok((429, r#"{"ok": false, "error_code": 429, "parameters": {"retry_after": 7}}"#)), "busy 7"),
        (Ok((429, r#"{"ok": false, "parameters": {"retry_after": -1}}"#)), "busy 1"),
        (Ok(refused(403)), "never"),
        (Ok((400, &*quoting)), "never"),
        (Ok(refused(502)), "away"),
        (Ok((502, "<html>bad gateway</html>")), "away"),
        (Ok((200, "null")), "away"),
        (Ok((200, r#"{"ok": true}"#)), "away"),
        (Err(HttpErrorKind::Unreachable), "away"),
        (Err(HttpErrorKind::InvalidUrl), "refused"),
    ];
    for (answer, expected) in kinds {
        let (telegram, _) = bot(answer);
        let trouble = telegram.send(&"1".into(), "x", &[]).await.unwrap_err();
        let shown = format!("{trouble:?} {telegram:?}");
        let kind = match trouble {
            Trouble::Refused(_) => "refused".to_owned(),
            Trouble::Shared(_) => "shared".to_owned(),
            Trouble::Busy(time) => format!("busy {}", time.as_secs()),
            Trouble::Away(_) => "away".to_owned(),
            Trouble::Never(_) => "never".to_owned(),
        };
        assert_eq!(kind, expected, "{answer:?}");
        assert!(!shown.contains("Secret"), "{shown}");
    }
}

#[tokio::test]
async fn a_webhook_is_set_with_a_word_that_is_not_the_token_and_only_ours_is_taken_away() {
    let (telegram, server) = bot(Ok((200, r#"{"ok": true, "result": {"url": "https://a.example/telegram/ana"}}"#)));
    telegram.bring("https://a.example/telegram/ana").await.unwrap();
    let hook: Value = serde_json::from_slice(&server.sent.lock()[0].body).unwrap();
    let word = telegram.word();
    assert_eq!(
        (hook["url"].as_str(), hook["secret_token"].as_str()),
        (Some("https://a.example/telegram/ana"), Some(&*word))
    );
    assert!(word.len() == 64 && !word.contains("Secret"), "{word}");
    assert_eq!(telegram.bring_no_more("/telegram/ana").await, Ok(true));
    assert_eq!(telegram.bring_no_more("/telegram/eva").await, Ok(false));
    let asked: Vec<String> =
        server.sent.lock().iter().map(|request| request.url.rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(asked, ["setWebhook", "getWebhookInfo", "deleteWebhook", "getWebhookInfo"]);
    assert_eq!(telegram.read(br#"{"update_id": 8}"#, &me()), Some(Incoming::Other(8)));
    assert_eq!((telegram.read(b"{}", &me()), telegram.read(b"x", &me())), (None, None));
}

#[tokio::test]
async fn a_file_is_asked_for_below_the_api_and_one_that_is_too_large_is_not() {
    for (answer, expected) in [
        (r#"{"ok": true, "result": {"file_path": "photos/1.jpg", "file_size": 80}}"#, "bytes"),
        (r#"{"ok": true, "result": {"file_path": "photos/1.jpg", "file_size": 1001}}"#, "telegram-file-too-large"),
        (r#"{"ok": true, "result": {"file_path": "/var/lib/1.jpg"}}"#, "telegram-file-elsewhere"),
        (r#"{"ok": true, "result": {}}"#, "telegram-file-elsewhere"),
    ] {
        let (telegram, server) = bot(Ok((200, answer)));
        // The server gives every request the same answer.
        let said = match telegram.fetch("f", 1000).await {
            Ok(bytes) if bytes == answer.as_bytes() => "bytes".to_owned(),
            Ok(bytes) => format!("{bytes:?}"),
            Err(trouble) => trouble.message().key().to_owned(),
        };
        assert_eq!(said, expected);
        let sent = server.sent.lock();
        let url = sent.get(1).map(|request| request.url.replace(TOKEN, "TOKEN"));
        let is_fetched = expected == "bytes";
        assert_eq!(url, is_fetched.then(|| "https://bots.example/api/file/botTOKEN/photos/1.jpg".to_owned()));
    }
    let (telegram, _) = bot(Ok((200, r#"{"ok": true, "result": {"file_path": "a"}}"#)));
    assert!(matches!(telegram.fetch("f", 20).await, Err(Trouble::Never(_))));
}

#[tokio::test]
async fn updates_are_asked_for_after_what_has_arrived() {
    let (telegram, server) = bot(Ok((200, r#"{"ok": true, "result": [{"update_id": 8}, {"id": 9}, 7]}"#)));
    telegram.me.set(me()).unwrap();
    assert_eq!(telegram.listen(Some(7)).await, Ok(vec![Incoming::Other(8)]));
    let asked: Value = serde_json::from_slice(&server.sent.lock()[0].body).unwrap();
    assert_eq!(asked, json!({"timeout": 50, "allowed_updates": ["message", "callback_query"], "offset": 8}));
}

/// A message of an update, with these keys beside the usual ones.
fn heard(more: &Value) -> Option<Heard> {
    let mut message = json!({
        "message_id": 3, "from": {"id": 7, "is_bot": false, "first_name": "Eva", "last_name": "[x]\nB", "username": "eva"},
        "chat": {"id": -5, "type": "group"}, "text": "hello"
    });
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    match updates::incoming(&json!({"update_id": 11, "message": message}), &me()).unwrap() {
        Incoming::Message(heard) => Some(heard),
        other => {
            assert_eq!(other, Incoming::Other(11));
            None
        }
    }
}

#[test]
fn a_message_is_read_as_it_is() {
    let plain = heard(&json!({})).unwrap();
    let from = Person { id: 7, username: Some("eva".to_owned()), name: r"Eva x\nB".to_owned() };
    assert_eq!(
        plain,
        Heard {
            number: 11,
            chat: "-5".into(),
            audience: Audience::Group,
            from,
            text: "hello".to_owned(),
            addressed: Addressed::ToNobody,
            forwarded: None,
            files: Vec::new(),
            album: None,
        }
    );
    assert_eq!(heard(&json!({"chat": {"id": 7, "type": "private"}})).unwrap().audience, Audience::Private);
    assert_eq!(heard(&json!({"is_topic_message": true, "message_thread_id": 4})).unwrap().chat, "-5:4".into());
    // A reply outside of a forum has a thread, too, and is no topic.
    assert_eq!(heard(&json!({"message_thread_id": 4})).unwrap().chat, "-5".into());
    assert_eq!(heard(&json!({"text": null, "caption": "look", "photo": []})).unwrap().text, "look");
    assert_eq!(heard(&json!({"text": null, "voice": {"file_id": "v"}})).unwrap().text, "");
    for nobody in [
        json!({"from": {"id": 1, "is_bot": true, "first_name": "Bot"}}),
        json!({"sender_chat": {"id": -5, "title": "the group"}}),
        json!({"chat": {"id": -5, "type": "channel"}}),
        json!({"text": null, "new_chat_members": []}),
        json!({"from": null}),
        json!({"chat": {"id": "x", "type": "group"}}),
    ] {
        assert_eq!(heard(&nobody), None, "{nobody}");
    }
}

#[test]
fn who_is_spoken_to_is_read_in_utf_16() {
    let entity = |kind: &str, offset: u32, length: u32| json!([{"type": kind, "offset": offset, "length": length}]);
    for (more, to_me) in [
        (json!({"text": "😀 @ana_bot hi", "entities": entity("mention", 3, 8)}), true),
        (json!({"text": "😀 @ana_bot hi", "entities": entity("mention", 2, 8)}), false),
        (json!({"text": "/stop@Ana_Bot", "entities": entity("bot_command", 0, 13)}), true),
        (json!({"text": "/stop@other_bot", "entities": entity("bot_command", 0, 15)}), false),
        (json!({"text": "@ana_bot_2", "entities": entity("mention", 0, 10)}), false),
        (json!({"text": "@ana_bot", "entities": entity("url", 0, 8)}), false),
        (json!({"text": "@ana_bot", "entities": entity("mention", 0, 4_000_000_000)}), true),
        (
            json!({"text": "Ana", "entities": [{"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 99, "first_name": "A"}}]}),
            true,
        ),
        (
            json!({"text": "Ana", "entities": [{"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 98, "first_name": "A"}}]}),
            false,
        ),
        (json!({"reply_to_message": {"from": {"id": 99, "first_name": "A"}}}), true),
        (json!({"reply_to_message": {"from": {"id": 98, "first_name": "A"}}}), false),
        (json!({"text": "@ana_bot"}), false),
    ] {
        assert_eq!(heard(&more).unwrap().addressed == Addressed::ToMe, to_me, "{more}");
    }
}

#[test]
fn words_that_are_passed_on_are_somebody_elses() {
    for (more, whose) in [
        (json!({"forward_origin": {"type": "user", "sender_user": {"id": 3, "first_name": "Mal"}}}), Some("Mal")),
        (json!({"forward_origin": {"type": "hidden_user", "sender_user_name": "Hid"}}), Some("Hid")),
        (json!({"forward_origin": {"type": "channel", "chat": {"title": "News"}}}), Some("News")),
        (json!({"forward_origin": {}}), Some("?")),
        (json!({"forward_date": 5}), Some("?")),
        (json!({}), None),
    ] {
        assert_eq!(heard(&more).unwrap().forwarded.as_deref(), whose, "{more}");
    }
}

#[test]
fn a_press_is_read_with_its_chat() {
    let query = json!({
        "id": "q1", "from": {"id": 7, "first_name": "Eva"}, "data": "y:1",
        "message": {"chat": {"id": -5, "type": "supergroup"}, "is_topic_message": true, "message_thread_id": 4}
    });
    let from = Person { id: 7, username: None, name: "Eva".to_owned() };
    let press = Press { id: "q1".to_owned(), from, chat: Some("-5:4".into()), holds: "y:1".to_owned() };
    assert_eq!(
        updates::incoming(&json!({"update_id": 1, "callback_query": query}), &me()),
        Some(Incoming::Press(1, press))
    );
}
