#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::ModelOptions;
use crate::error::ModelErrorKind;
use crate::event::{ModelEvent, Notice, Stop};
use crate::message::Message;
use crate::model::Model as _;
use crate::request::{Delivery, ModelRequest, PromptCaching, ToolChoice, ToolOffer};
use crate::tests::fake_http::{FakeHttp, FakePacer, Play, model};
use futures_util::StreamExt as _;
use palanca_core::ports::http::{Header, HttpErrorKind, Phase};
use serde_json::{Value, json};
use std::sync::Arc;

const FINE: &str = r#"{"choices":[{"message":{"content":"Fine."},"finish_reason":"stop"}]}"#;

fn limited(headers: Vec<Header>) -> Play {
    Play::Answer(429, headers, b"{\"error\":{\"message\":\"slow down\"}}".to_vec())
}

async fn ask(plays: Vec<Play>) -> (Result<String, ModelErrorKind>, usize, Vec<f64>) {
    let http = FakeHttp::new(plays, 7);
    let pacer = Arc::new(FakePacer::default());
    let reply = model("openai:m", &http, &pacer).reply(ModelRequest::new(&[])).await;
    let pauses = pacer.pauses.lock().unwrap().iter().map(|pause| pause.as_secs_f64()).collect();
    (reply.map(|reply| reply.text).map_err(|error| error.kind()), http.asked().len(), pauses)
}

#[tokio::test]
async fn pauses_follow_the_server_or_grow() {
    let fine = || Play::json(200, FINE);
    let retry_after = |value: &str| limited(vec![Header::new("Retry-After", value)]);
    let text = |text: &str| Ok(text.to_owned());
    for (plays, expected) in [
        (vec![retry_after("7"), fine()], (text("Fine."), 2, vec![7.0])),
        (vec![retry_after("3600"), fine()], (text("Fine."), 2, vec![60.0])),
        (vec![retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), fine()], (text("Fine."), 2, vec![2.0])),
        (vec![limited(vec![Header::new("retry-after-ms", "250")]), fine()], (text("Fine."), 2, vec![0.25])),
        (vec![Play::json(500, "{}"), Play::json(503, "busy"), fine()], (text("Fine."), 3, vec![2.0, 4.0])),
        (vec![Play::Fails(HttpErrorKind::Unreachable), fine()], (text("Fine."), 2, vec![2.0])),
        (vec![Play::Fails(HttpErrorKind::Timeout(Phase::FirstByte)), fine()], (text("Fine."), 2, vec![2.0])),
        (vec![Play::Breaks(Vec::new(), HttpErrorKind::Interrupted), fine()], (text("Fine."), 2, vec![2.0])),
        (
            vec![Play::json(529, ""), Play::json(529, ""), Play::json(529, "")],
            (Err(ModelErrorKind::ServerError), 3, vec![2.0, 4.0]),
        ),
        (vec![Play::Fails(HttpErrorKind::Tls)], (Err(ModelErrorKind::Unreachable), 1, vec![])),
        (vec![Play::Fails(HttpErrorKind::InvalidUrl)], (Err(ModelErrorKind::Unreachable), 1, vec![])),
        (
            vec![Play::json(429, r#"{"error":{"code":"insufficient_quota","message":"pay"}}"#)],
            (Err(ModelErrorKind::RateLimited), 1, vec![]),
        ),
        (vec![Play::json(401, "{}")], (Err(ModelErrorKind::Auth), 1, vec![])),
    ] {
        assert_eq!(ask(plays).await, expected);
    }
}

#[tokio::test]
async fn an_error_inside_a_stream_counts_like_a_status() {
    let overloaded = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let fine = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Fine.\"}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    let begun = fine.replace("message_stop", "ping") + overloaded;
    let pacer = Arc::new(FakePacer::default());
    let http = FakeHttp::new([Play::events(overloaded), Play::events(fine)], 7);
    let reply = model("anthropic:m", &http, &pacer).reply(ModelRequest::new(&[])).await.unwrap();
    assert_eq!(reply.text, "Fine.");
    let http = FakeHttp::new([Play::events(&begun)], 7);
    let error = model("anthropic:m", &http, &pacer).reply(ModelRequest::new(&[])).await.unwrap_err();
    assert_eq!((error.kind(), error.detail().as_str()), (ModelErrorKind::ServerError, "Overloaded"));
    let chat = "data: {\"error\":{\"message\":\"context_length_exceeded\",\"code\":400}}\n\n";
    let http = FakeHttp::new([Play::events(chat)], 7);
    let error = model("openai:m", &http, &pacer).reply(ModelRequest::new(&[])).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextTooLong);
}

#[tokio::test]
async fn what_was_shown_is_not_begun_again() {
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n";
    let pacer = Arc::new(FakePacer::default());
    for (play, kind) in [
        (Play::Breaks(begun.into(), HttpErrorKind::Interrupted), ModelErrorKind::Interrupted),
        (Play::Breaks(begun.into(), HttpErrorKind::Timeout(Phase::Idle)), ModelErrorKind::Timeout),
        (Play::events(begun), ModelErrorKind::Interrupted),
    ] {
        let http = FakeHttp::new([play], 1);
        let model = model("openai:m", &http, &pacer);
        let events: Vec<_> = model.stream(ModelRequest::new(&[])).collect().await;
        assert_eq!(events.len(), 2, "{events:?}");
        assert_eq!(events[0].as_ref().unwrap(), &ModelEvent::TextDelta("Hel".to_owned()));
        assert_eq!(events[1].as_ref().unwrap_err().kind(), kind);
    }
    assert!(pacer.pauses.lock().unwrap().is_empty());
}

#[tokio::test]
async fn events_end_with_usage_and_done() {
    let http = FakeHttp::new([Play::json(500, "oops"), Play::json(200, FINE)], 7);
    let model = model("openai:m", &http, &Arc::default());
    let events: Vec<_> = model.stream(ModelRequest::new(&[])).map(Result::unwrap).collect().await;
    let ModelEvent::Notice(Notice::Retrying { attempt: 1, reason, .. }) = &events[0] else { panic!("{events:?}") };
    assert!(reason.contains("HTTP 500: oops"), "{reason}");
    assert_eq!(events[1], ModelEvent::TextDelta("Fine.".to_owned()));
    assert!(matches!(events[2], ModelEvent::Usage(_)));
    assert_eq!(events[3..], [ModelEvent::Done { stop: Stop::Answer }]);
}

#[tokio::test]
async fn a_servers_message_is_bounded_and_clear_of_the_key() {
    let message = format!("key sk-Secret1 {}", "x".repeat(2000));
    let body = json!({"error": {"message": message}}).to_string();
    for status in [400, 401, 302] {
        let http = FakeHttp::new([Play::json(status, &body)], 100);
        let error = model("openai:m", &http, &Arc::default()).reply(ModelRequest::new(&[])).await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains("key (the key) xxx") && !text.contains("sk-Secret1"), "{text}");
        assert!(error.detail().len() < 540, "{}", error.detail().len());
        assert_eq!(error.status(), Some(status));
    }
    for (body, expected) in [
        (r#"{"error":"plain"}"#, "HTTP 418: plain"),
        (r#"{"message":"m"}"#, "HTTP 418: m"),
        (r#"{"message":"That key is wrong."}"#, "HTTP 418: That key is wrong"),
        (r#"{"detail":[{"loc":1}]}"#, r#"HTTP 418: [{"loc":1}]"#),
        (r#"[{"error":{"message":"listed"}}]"#, "HTTP 418: listed"),
        ("<h1>No</h1>", "HTTP 418: <h1>No</h1>"),
        ("", "HTTP 418: no message"),
    ] {
        let http = FakeHttp::new([Play::json(418, body)], 100);
        let error = model("openai:m", &http, &Arc::default()).reply(ModelRequest::new(&[])).await.unwrap_err();
        assert_eq!(error.detail(), expected);
    }
}

async fn sent_with_schema(spec: &str, schema: &Value) -> Value {
    let body = json!({"choices": [{"message": {"content": "x"}}], "output": [], "content": []});
    let http = FakeHttp::new([Play::json(200, &body.to_string())], 7);
    let mut request = ModelRequest::new(&[]);
    request.response_schema = Some(schema);
    model(spec, &http, &Arc::default()).reply(request).await.unwrap();
    http.asked().remove(0)
}

async fn sent(spec: &str, change: impl Fn(&mut ModelRequest<'_>), caching: PromptCaching) -> Value {
    let body = match spec.split(':').next().unwrap() {
        "anthropic" => json!({"content": []}),
        "openai-responses" => json!({"output": []}),
        _ => json!({"choices": [{"message": {"content": "x"}}]}),
    };
    let http = FakeHttp::new([Play::json(200, &body.to_string())], 7);
    let mut model = model(spec, &http, &Arc::default());
    model.options.caching = caching;
    let history =
        [Message::assistant("Earlier."), Message::user("Hi  \n"), Message::assistant(""), Message::system("Note.")];
    let tools = [ToolOffer::new("a.b", "D", &json!({"properties": {}}))];
    let mut request = ModelRequest::new(&history).with_tools(&tools).with_delivery(Delivery::Whole);
    change(&mut request);
    model.reply(request).await.unwrap();
    http.asked().remove(0)
}

#[tokio::test]
async fn choices_and_schemas_are_rendered() {
    let schema = json!({"type": "object"});
    for (spec, named, required, format) in [
        (
            "openai:m",
            json!({"type": "function", "function": {"name": "a_b"}}),
            json!("required"),
            "/response_format/json_schema/schema",
        ),
        ("openai-responses:m", json!({"type": "function", "name": "a_b"}), json!("required"), "/text/format/schema"),
        ("anthropic:m", json!({"type": "tool", "name": "a_b"}), json!({"type": "any"}), "/output_config/format/schema"),
    ] {
        let plain = PromptCaching::Unmarked;
        let body = sent(spec, |request| request.tool_choice = ToolChoice::Named("a.b"), plain).await;
        assert_eq!(body["tool_choice"], named, "{spec}");
        assert!(body.get("stream").is_none() && body.get("temperature").is_none(), "{body}");
        let body = sent(spec, |request| request.tool_choice = ToolChoice::Required, plain).await;
        assert_eq!(body["tool_choice"], required, "{spec}");
        let body = sent(spec, |request| request.tools = &[], plain).await;
        assert!(body.get("tools").is_none() && body.get("tool_choice").is_none(), "{body}");
        let body = sent(spec, |_| {}, plain).await;
        assert!(body.pointer(format).is_none(), "{body}");
        let body = sent_with_schema(spec, &schema).await;
        assert_eq!(body.pointer(format), Some(&schema), "{body}");
    }
}

#[tokio::test]
async fn anthropic_demands_are_met() {
    let body = sent("anthropic:claude-3-haiku", |_| {}, PromptCaching::Marked).await;
    let mark = json!({"type": "ephemeral"});
    assert_eq!(body["max_tokens"], 4096);
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "Go on."}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Earlier."}]},
            {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "text", "text": "Note.", "cache_control": mark}]},
        ])
    );
    assert_eq!(body["tools"][0]["input_schema"], json!({"properties": {}, "type": "object"}));
}

#[tokio::test]
async fn prompts_are_marked_for_caching_where_that_is_asked_for() {
    let mark = json!({"type": "ephemeral"});
    let history = [Message::system("Rules."), Message::user("Hi"), Message::assistant("Yes."), Message::user("Go")];
    let tools = ["a", "b"].map(|name| ToolOffer::new(name, "D", &json!({})));
    let asked = async |spec: &str, caching| {
        let body = if spec.starts_with("anthropic") {
            json!({"content": []})
        } else {
            json!({"choices": [{"message": {"content": "x"}}]})
        };
        let http = FakeHttp::new([Play::json(200, &body.to_string())], 7);
        let mut model = model(spec, &http, &Arc::default());
        model.options.caching = caching;
        let request = ModelRequest::new(&history).with_tools(&tools).with_delivery(Delivery::Whole);
        model.reply(request).await.unwrap();
        http.asked().remove(0)
    };
    let marks = |body: &Value| body.to_string().matches("cache_control").count();
    for spec in ["anthropic:claude-haiku-4-5", "openai:m", "ollama:m"] {
        assert_eq!(marks(&asked(spec, PromptCaching::Unmarked).await), 0, "{spec}");
    }
    let body = asked("anthropic:claude-haiku-4-5", PromptCaching::Marked).await;
    assert_eq!(body["system"], json!([{"type": "text", "text": "Rules.", "cache_control": mark}]));
    assert_eq!((&body["tools"][0].get("cache_control"), &body["tools"][1]["cache_control"]), (&None, &mark));
    assert_eq!(body["messages"][2]["content"], json!([{"type": "text", "text": "Go", "cache_control": mark}]));
    assert_eq!(marks(&body), 3, "four are allowed");
    assert_eq!(marks(&asked("openai:m", PromptCaching::Marked).await), 0, "OpenAI's own format has no marks");
    let body = asked("openai:anthropic/claude-haiku-4-5", PromptCaching::Marked).await;
    let block = json!([{"type": "text", "text": "Rules.", "cache_control": mark}]);
    assert_eq!(body["messages"][0], json!({"role": "system", "content": block}));
    assert_eq!((marks(&body), &body["messages"][1]["content"]), (1, &json!("Hi")));
    assert_eq!(ModelOptions::default().caching, PromptCaching::Marked);
    let question = [Message::system("Sum up."), Message::user("All of it")];
    let http = FakeHttp::new([Play::json(200, r#"{"content": []}"#)], 7);
    let model = model("anthropic:claude-haiku-4-5", &http, &Arc::default());
    model.reply(ModelRequest::new(&question).with_delivery(Delivery::Whole)).await.unwrap();
    assert_eq!(marks(&http.asked().remove(0)), 1, "a single question is not written to the cache");
}

#[tokio::test]
async fn what_was_sent_before_is_sent_again_to_the_byte() {
    let tools = ["a", "b"].map(|name| ToolOffer::new(name, "D", &json!({"properties": {"z": {}, "y": {}}})));
    let mut history = vec![Message::system("Rules."), Message::user("Hi")];
    for spec in ["anthropic:claude-haiku-4-5", "openai:m"] {
        let body = if spec.starts_with("anthropic") {
            json!({"content": []})
        } else {
            json!({"choices": [{"message": {"content": "x"}}]})
        };
        let mut before = Value::Null;
        for step in 0..3 {
            let http = FakeHttp::new([Play::json(200, &body.to_string())], 7);
            let mut model = model(spec, &http, &Arc::default());
            // The marks wander with the end of the conversation; what they are put on stays.
            model.options.caching = PromptCaching::Unmarked;
            let request = ModelRequest::new(&history).with_tools(&tools).with_delivery(Delivery::Whole);
            model.reply(request).await.unwrap();
            let sent = http.asked().remove(0);
            if step > 0 {
                for part in ["/system", "/tools", "/messages/0", "/messages/1"] {
                    let Some(before) = before.pointer(part) else { continue };
                    assert_eq!(sent.pointer(part).map(Value::to_string), Some(before.to_string()), "{part}");
                }
            }
            before = sent;
            history.push(Message::assistant(format!("Step {step}.")));
            history.push(Message::user("On."));
        }
    }
}

#[tokio::test]
async fn an_old_model_is_not_asked_for_more_than_it_can_write() {
    for (spec, asked, sent) in [
        ("anthropic:claude-3-haiku", Some(8192), 4096),
        ("anthropic:claude-3-haiku", Some(100), 100),
        ("anthropic:claude-haiku-4-5", Some(8192), 8192),
    ] {
        let body = self::sent(spec, |request| request.max_output_tokens = asked, PromptCaching::Unmarked).await;
        assert_eq!(body["max_tokens"], sent, "{spec}");
    }
}
