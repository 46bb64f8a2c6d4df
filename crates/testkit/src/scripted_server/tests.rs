//! The live path: the real models over the real client against the scripted server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use palanca_core::CallId;
use palanca_models::{
    Delivery, Endpoint, HttpModel, Message, Model, ModelErrorKind, ModelEvent, ModelOptions, ModelRequest, Notice,
    Overrides, Reply, RetryPolicy, Stop, ToolCall, ToolOffer, ToolSupport, UsageBasis,
};
use palanca_net::NetClient;
use serde_json::json;
use std::time::Duration;

const WIRES: [&str; 4] = ["openai", "openai-responses", "anthropic", "ollama"];
const DELIVERIES: [Delivery; 2] = [Delivery::Streamed, Delivery::Whole];

fn model(server: &ScriptedServer, provider: &str) -> HttpModel {
    let options = ModelOptions {
        timeout: Duration::from_secs(5),
        retry: RetryPolicy {
            first: Duration::from_millis(1),
            longest: Duration::from_millis(2),
            ..RetryPolicy::default()
        },
        ..ModelOptions::default()
    };
    model_with(server, provider, options)
}

fn model_with(server: &ScriptedServer, provider: &str, options: ModelOptions) -> HttpModel {
    let spec = format!("{provider}:some-model").parse().unwrap();
    let env = |name: &str| match name {
        "OPENAI_BASE_URL" => Some(server.openai_url()),
        "ANTHROPIC_BASE_URL" | "OLLAMA_HOST" => Some(server.url()),
        "OPENAI_API_KEY" | "ANTHROPIC_API_KEY" => Some("sk-secret".to_owned()),
        _ => None,
    };
    let endpoint = Endpoint::resolve(&spec, &Overrides::default(), &env).unwrap();
    let http = NetClient::to(endpoint.base()).unwrap();
    HttpModel::new(endpoint, Arc::new(http), options)
}

fn tools() -> Vec<ToolOffer> {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    ["read_file", "fs/list.dir"].map(|name| ToolOffer::new(name, "About files.", &schema)).to_vec()
}

fn calls(reply: &Reply) -> Vec<(&str, &str, &str)> {
    reply.calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str())).collect()
}

#[tokio::test]
async fn text_and_calls_arrive_whatever_the_pieces() {
    let offered = tools();
    let history = [Message::system("Be brief."), Message::user("Where is it?")];
    let text = "Größe: I read two files → now.";
    for chunk in [1, 7, 20, usize::MAX] {
        for provider in WIRES {
            for delivery in DELIVERIES {
                let turn = Turn::calls([("read_file", json!({"path": "ä.txt"})), ("fs_list_dir", json!({}))])
                    .with_text(text)
                    .with_usage(1200, 30);
                let server = ScriptedServer::start_in_chunks(vec![turn], chunk).await;
                let request = ModelRequest::new(&history).with_tools(&offered).with_delivery(delivery);
                let reply = model(&server, provider).reply(request).await.unwrap();
                let case = format!("{provider} {delivery:?} in pieces of {chunk}");
                assert_eq!(reply.text, text, "{case}");
                assert_eq!(
                    calls(&reply),
                    [("call_0", "read_file", "{\"path\":\"ä.txt\"}"), ("call_1", "fs/list.dir", "{}")],
                    "{case}"
                );
                assert_eq!((reply.usage.input, reply.usage.output), (1200, 30), "{case}");
                assert_eq!(reply.usage.basis, UsageBasis::Reported, "{case}");
                assert_eq!(reply.stop, Stop::ToolCalls, "{case}");
            }
        }
    }
}

#[tokio::test]
async fn broken_arguments_come_through_as_text() {
    let offered = tools();
    let history = [Message::user("x")];
    for provider in WIRES {
        let turn = Turn::text("").and_call("read_file", "{\"path\": ");
        let server = ScriptedServer::start(vec![turn]).await;
        let request = ModelRequest::new(&history).with_tools(&offered);
        let reply = model(&server, provider).reply(request).await.unwrap();
        assert_eq!(calls(&reply), [("call_0", "read_file", "{\"path\": ")], "{provider}");
    }
}

#[tokio::test]
async fn faults_before_the_answer_are_tried_again() {
    let history = [Message::user("x")];
    for provider in WIRES {
        for delivery in DELIVERIES {
            for fault in [
                Turn::rate_limited(0),
                Turn::status(500, "oops"),
                Turn::status(529, "overloaded"),
                Turn::hangup(),
                Turn::text("never seen").disconnect_after(0),
            ] {
                let case = format!("{provider} {delivery:?} {fault:?}");
                let server = ScriptedServer::start(vec![fault, Turn::text("Fine.")]).await;
                let request = ModelRequest::new(&history).with_delivery(delivery);
                let reply = model(&server, provider).reply(request).await.expect(&case);
                assert_eq!(reply.text, "Fine.", "{case}");
                assert!(matches!(reply.notices[..], [Notice::Retrying { attempt: 1, .. }]), "{case}");
                assert_eq!(server.requests().len(), 2, "{case}");
                assert_eq!(server.requests()[0], server.requests()[1], "{case}");
            }
        }
    }
}

#[tokio::test]
async fn faults_that_stay_are_told_with_place_and_remedy() {
    let history = [Message::user("x")];
    let three = |turn: Turn| vec![turn.clone(), turn.clone(), turn];
    for provider in WIRES {
        for (turns, kind, requests) in [
            (three(Turn::status(500, "oops")), ModelErrorKind::ServerError, 3),
            (three(Turn::rate_limited(0)), ModelErrorKind::RateLimited, 3),
            (three(Turn::hangup()), ModelErrorKind::Interrupted, 3),
            (three(Turn::status(401, "bad key sk-secret")), ModelErrorKind::Auth, 1),
            (three(Turn::status(403, "no")), ModelErrorKind::Auth, 1),
            (three(Turn::status(400, "what?")), ModelErrorKind::BadRequest, 1),
            (three(Turn::status(404, "no such model")), ModelErrorKind::BadRequest, 1),
            (three(Turn::status(400, "prompt is too long: 9 > 8")), ModelErrorKind::ContextTooLong, 1),
            (three(Turn::raw("text/html", "<html>Hello</html>")), ModelErrorKind::Malformed, 1),
            (three(Turn::raw("application/json", "{\"a\": 1}")), ModelErrorKind::Malformed, 1),
            (three(Turn::raw("application/json", "")), ModelErrorKind::Malformed, 1),
        ] {
            let case = format!("{provider} {:?}", turns[0]);
            let server = ScriptedServer::start(turns).await;
            let error = model(&server, provider).reply(ModelRequest::new(&history)).await.expect_err(&case);
            assert_eq!(error.kind(), kind, "{case}: {error}");
            assert_eq!(server.requests().len(), requests, "{case}");
            for locale in palanca_text::Locale::ALL {
                let said =
                    palanca_core::Catalogue::render(&palanca_text::FluentCatalogue::new(locale), &error.message());
                assert!(said.contains("some-model") && !said.starts_with("model-") && !said.contains("{$"), "{said}");
            }
            assert_eq!(error.attempts() as usize, requests, "{case}");
            let text = error.to_string();
            assert!(text.contains(&format!("{provider}:some-model")), "{text}");
            assert!(text.contains(&server.url()), "{text}");
            assert!(
                provider == "ollama" || !text.contains("sk-secret") && !format!("{error:?}").contains("sk-secret"),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_in_the_middle_is_not_begun_again() {
    let history = [Message::user("x")];
    let long = "word ".repeat(40);
    for provider in WIRES {
        for (turn, kind) in [
            (Turn::text(&long).disconnect_after(1200), ModelErrorKind::Interrupted),
            (Turn::text(&long).malformed(), ModelErrorKind::Malformed),
        ] {
            let server = ScriptedServer::start_in_chunks(vec![turn, Turn::text("again")], 20).await;
            let model = model(&server, provider);
            let mut stream = model.stream(ModelRequest::new(&history));
            let mut shown = String::new();
            let error = loop {
                match futures_util::StreamExt::next(&mut stream).await.unwrap() {
                    Ok(ModelEvent::TextDelta(text)) => shown.push_str(&text),
                    Ok(other) => panic!("{provider}: {other:?}"),
                    Err(error) => break error,
                }
            };
            assert!(long.starts_with(&shown) && !shown.is_empty(), "{provider}: {shown}");
            assert_eq!(error.kind(), kind, "{provider}: {error}");
            assert_eq!(server.requests().len(), 1, "{provider}");
            assert!(futures_util::StreamExt::next(&mut stream).await.is_none());
        }
    }
}

#[tokio::test]
async fn silence_is_a_timeout() {
    let history = [Message::user("x")];
    let server = ScriptedServer::start(vec![Turn::hang(), Turn::text("late")]).await;
    let options = ModelOptions {
        timeout: Duration::from_millis(40),
        retry: RetryPolicy { retries: 0, ..RetryPolicy::default() },
        ..ModelOptions::default()
    };
    let error = model_with(&server, "openai", options).reply(ModelRequest::new(&history)).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Timeout);
    assert!(error.to_string().contains("no answer within 0.04 seconds"), "{error}");
}

#[tokio::test]
async fn an_address_without_a_listener_is_named() {
    let server = ScriptedServer::start(Vec::new()).await;
    let model = model(&server, "ollama");
    let url = server.url();
    drop(server);
    let error = model.reply(ModelRequest::new(&[])).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Unreachable);
    let text = error.to_string();
    assert!(text.starts_with(&format!("ollama:some-model cannot be reached at {url}: Connection refused")), "{text}");
    assert!(text.contains("OLLAMA_HOST") && text.ends_with("(tried 3 times)"), "{text}");
}

#[tokio::test]
async fn keys_travel_in_the_header_that_each_wire_wants() {
    let history = [Message::user("x")];
    for (provider, name, value, path) in [
        ("openai", "authorization", Some("Bearer sk-secret"), "/v1/chat/completions"),
        ("openai-responses", "authorization", Some("Bearer sk-secret"), "/v1/responses"),
        ("anthropic", "x-api-key", Some("sk-secret"), "/v1/messages"),
        ("ollama", "authorization", None, "/v1/chat/completions"),
    ] {
        let server = ScriptedServer::start(vec![Turn::text("a")]).await;
        model(&server, provider).reply(ModelRequest::new(&history)).await.unwrap();
        let received = &server.requests()[0];
        assert_eq!(received.header(name), value, "{provider}");
        assert_eq!(received.path, path, "{provider}");
    }
}

#[tokio::test]
async fn a_server_that_seems_to_ignore_tools_is_told_of_once_and_asked_nothing() {
    let offered = tools();
    let history = [Message::system("Be brief."), Message::user("Read it, please.")];
    for provider in ["openai", "openai-responses", "ollama"] {
        let manner = Manner { tools: Tools::Ignored, ..Manner::default() };
        let turns = vec![Turn::text("I cannot read files."), Turn::text("Nor now.")];
        let server = ScriptedServer::spawn(turns, manner);
        let model = model(&server, provider);
        let request = ModelRequest::new(&history).with_tools(&offered);
        let reply = model.reply(request).await.unwrap();
        assert_eq!(reply.text, "I cannot read files.", "{provider}");
        assert!(matches!(reply.notices[..], [Notice::ToolsUnread { .. }]), "{provider}");
        let reply = model.reply(request).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.notices.len()), ("Nor now.", 0), "{provider}");
        assert_eq!(server.requests().len(), 2, "{provider}");
    }
}

#[tokio::test]
async fn a_server_that_ignores_tools_is_asked_for_json_where_that_is_set() {
    let offered = tools();
    let history = [Message::system("Be brief."), Message::user("Read it, please.")];
    let turns = vec![
        Turn::text("<think>Which one?</think>\n{\"tool\": \"fs_list_dir\", \"arguments\": {\"path\": \".\"}}"),
        Turn::text(r#"{"final": "Done."}"#),
    ];
    let server = ScriptedServer::spawn(turns, Manner { tools: Tools::Ignored, ..Manner::default() });
    let options = ModelOptions { tools: ToolSupport::Constrained, ..ModelOptions::default() };
    let model = model_with(&server, "openai", options);
    let reply = model.reply(ModelRequest::new(&history).with_tools(&offered)).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("", "Which one?"));
    assert_eq!((reply.calls[0].name.as_str(), reply.calls[0].arguments.as_str()), ("fs/list.dir", "{\"path\": \".\"}"));
    assert!(matches!(reply.notices[..], [Notice::ToolsIgnored { .. }]));
    let mut longer = history.to_vec();
    longer.push(reply.into_message());
    longer.push(Message::Tool {
        call_id: CallId::from("x"),
        name: "fs/list.dir".to_owned(),
        content: "a\nb".into(),
        is_error: false,
        parts: Vec::new(),
    });
    let reply = model.reply(ModelRequest::new(&longer).with_tools(&offered)).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.notices.len()), ("Done.", 0));
    let requests = server.requests();
    assert!(requests.iter().all(|request| request.body.get("tools").is_none()));
    let text = requests[1].body.to_string();
    assert!(text.contains("Result of fs_list_dir:") && text.contains("json_schema"), "{text}");
}

#[tokio::test]
async fn a_server_that_refuses_tools_is_taken_at_its_word() {
    let offered = tools();
    let history = [Message::user("x")];
    let turns = vec![
        Turn::status(400, "registry.ollama.ai/library/x does not support tools"),
        Turn::text(r#"{"final": "Done."}"#),
    ];
    let server = ScriptedServer::start(turns).await;
    let request = ModelRequest::new(&history).with_tools(&offered);
    let reply = model(&server, "ollama").reply(request).await.unwrap();
    assert_eq!(reply.text, "Done.");
    assert_eq!(reply.notices.len(), 1);
}

#[tokio::test]
async fn the_whole_conversation_is_rendered_in_each_wire() {
    let offered = [ToolOffer::new("fs/read", "Reads.", &json!({"type": "object"}))];
    let history = [
        Message::system("Be brief."),
        Message::user("Look."),
        Message::calling(
            "",
            vec![
                ToolCall {
                    id: CallId::from("a"),
                    name: "fs/read".to_owned(),
                    arguments: "{\"path\": \"x\"}".to_owned(),
                },
                ToolCall { id: CallId::from("b"), name: "fs/read".to_owned(), arguments: "{broken".to_owned() },
            ],
        ),
        Message::Tool {
            call_id: CallId::from("a"),
            name: "fs/read".to_owned(),
            content: "one".into(),
            is_error: false,
            parts: Vec::new(),
        },
        Message::Tool {
            call_id: CallId::from("b"),
            name: "fs/read".to_owned(),
            content: "Error: no".into(),
            is_error: true,
            parts: Vec::new(),
        },
        Message::assistant("Well."),
        Message::user("Go on."),
    ];
    let broken = "{\"unparsed\":\"{broken\"}";
    let chat = json!({
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "fs_read", "arguments": "{\"path\": \"x\"}"}},
                {"id": "b", "type": "function", "function": {"name": "fs_read", "arguments": broken}},
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "one"},
            {"role": "tool", "tool_call_id": "b", "content": "Error: no"},
            {"role": "assistant", "content": "Well."},
            {"role": "user", "content": "Go on."},
        ],
        "tools": [{"type": "function", "function": {"name": "fs_read", "description": "Reads.", "parameters": {"type": "object"}}}],
        "max_tokens": 100, "temperature": 0.2,
        "stream": true, "stream_options": {"include_usage": true},
    });
    let responses = json!({
        "model": "some-model",
        "instructions": "Be brief.",
        "input": [
            {"type": "message", "role": "user", "content": "Look."},
            {"type": "function_call", "call_id": "a", "name": "fs_read", "arguments": "{\"path\": \"x\"}"},
            {"type": "function_call", "call_id": "b", "name": "fs_read", "arguments": broken},
            {"type": "function_call_output", "call_id": "a", "output": "one"},
            {"type": "function_call_output", "call_id": "b", "output": "Error: no"},
            {"type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "Well.", "annotations": []}]},
            {"type": "message", "role": "user", "content": "Go on."},
        ],
        "tools": [{"type": "function", "name": "fs_read", "description": "Reads.", "parameters": {"type": "object"}, "strict": false}],
        "max_output_tokens": 100, "temperature": 0.2,
        "store": false, "include": ["reasoning.encrypted_content"], "stream": true,
    });
    let cached = json!({"type": "ephemeral"});
    let anthropic = json!({
        "model": "some-model",
        "max_tokens": 100,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": cached}],
        "tools": [{"name": "fs_read", "description": "Reads.", "input_schema": {"type": "object"}, "cache_control": cached}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Look."}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "a", "name": "fs_read", "input": {"path": "x"}},
                {"type": "tool_use", "id": "b", "name": "fs_read", "input": {"unparsed": "{broken"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "one"},
                {"type": "tool_result", "tool_use_id": "b", "content": "Error: no", "is_error": true},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "Well."}]},
            {"role": "user", "content": [{"type": "text", "text": "Go on.", "cache_control": cached}]},
        ],
        "temperature": 0.2, "stream": true,
    });
    for (provider, expected) in [("openai", chat), ("openai-responses", responses), ("anthropic", anthropic)] {
        let server = ScriptedServer::start(vec![Turn::text("ok")]).await;
        let mut request = ModelRequest::new(&history).with_tools(&offered);
        request.max_output_tokens = Some(100);
        request.temperature = Some(0.2);
        model(&server, provider).reply(request).await.unwrap();
        assert_eq!(server.requests()[0].body, expected, "{provider}");
    }
}

#[test]
fn a_script_that_is_used_up_says_so() {
    let server = ScriptedServer::spawn(Vec::new(), Manner::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let error = runtime.block_on(model(&server, "openai").reply(ModelRequest::new(&[]))).unwrap_err();
    assert!(error.to_string().contains("the script has no further turn"), "{error}");
}
