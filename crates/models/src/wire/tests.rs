//! Recorded answers, in the order in which servers sent them, and what compatible servers do differently.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use crate::error::ModelErrorKind;
use crate::event::{Usage, UsageBasis};
use crate::message::Message;
use crate::model::{Model as _, Reply};
use crate::request::{Delivery, ModelRequest, ToolOffer};
use crate::tests::fake_http::{FakeHttp, FakePacer, Play, model};
use crate::{ModelError, wire::WireFormat};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

async fn ask(spec: &str, play: impl Fn() -> Play, chunk: usize) -> Result<Reply, ModelError> {
    let http = FakeHttp::new([play()], chunk);
    let pacer = Arc::new(FakePacer::default());
    let tools = ["read", "grep", "get_weather"].map(|name| ToolOffer::new(name, "", &json!({})));
    let history = [Message::user("hi")];
    let mut request = ModelRequest::new(&history).with_tools(&tools);
    request.delivery = Delivery::Streamed;
    model(spec, &http, &pacer).reply(request).await
}

/// `text | reasoning | id name arguments;… | input/cached/output | stop`.
fn shown(reply: &Reply) -> String {
    let calls: Vec<String> = reply
        .calls
        .iter()
        .map(|call| {
            let id = call.id.as_str();
            let generated = id.len() == 13 && id.starts_with("call_");
            let id = if generated { "(new)" } else { id };
            format!("{id} {} {}", call.name, call.arguments)
        })
        .collect();
    let Usage { input, cached, output, basis, .. } = reply.usage;
    let usage = match basis {
        UsageBasis::Reported => format!("{input}/{cached}/{output}"),
        UsageBasis::Estimated => "estimated".to_owned(),
    };
    format!("{} | {} | {} | {usage} | {:?}", reply.text, reply.reasoning, calls.join("; "), reply.stop)
}

async fn stream(spec: &str, body: &str, expected: &str) {
    for chunk in [1, 7, 20, 100_000] {
        let reply = ask(spec, || Play::events(body), chunk).await;
        let got = reply.as_ref().map_or_else(ToString::to_string, shown);
        assert_eq!(got, expected, "{body} in pieces of {chunk}");
    }
}

async fn whole(spec: &str, body: Value, expected: &str) {
    let text = body.to_string();
    let reply = ask(spec, || Play::json(200, &text), 7).await;
    let got = reply.as_ref().map_or_else(ToString::to_string, shown);
    assert_eq!(got, expected, "{body}");
}

/// Lines become `data:` events.
fn events(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("data: {line}\n\n")).collect()
}

#[tokio::test]
async fn characters_cut_in_two_are_joined() {
    let text = [
        r#"{"choices":[{"delta":{"content":"ok \ud83d"}}]}"#,
        r#"{"choices":[{"delta":{"content":"\ude00 \ud83d"}}]}"#,
    ];
    stream("openai:m", &events(&[text[0], text[1], "[DONE]"]), "ok 😀 \u{fffd} |  |  | estimated | Answer").await;
    let begin = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"read","arguments":"{\"a\":\"\ud83d"}}]}}]}"#;
    let end = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\ude00 \\ud83d\"}"}}]}}]}"#;
    let expected = " |  | c read {\"a\":\"😀 \u{fffd}\"} | estimated | ToolCalls";
    stream("openai:m", &events(&[begin, end, "[DONE]"]), expected).await;
    let claude = [
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok \ud83d"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00"}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    stream("anthropic:m", &events(&claude), "ok 😀 |  |  | estimated | Answer").await;
    let responses = [
        r#"{"type":"response.output_text.delta","delta":"ok \ud83d"}"#,
        r#"{"type":"response.output_text.delta","delta":"\ude00"}"#,
        r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
    ];
    stream("openai-responses:m", &events(&responses), "ok 😀 |  |  | estimated | Answer").await;
    whole("openai:m", json!({"choices":[{"message":{"content":"x"}}]}), "x |  |  | estimated | Answer").await;
    let lone = r#"{"choices":[{"message":{"content":"a\ud83d b"},"finish_reason":"stop"}]}"#;
    let reply = ask("openai:m", || Play::json(200, lone), 7).await.unwrap();
    assert_eq!(reply.text, "a\u{fffd} b");
}

#[tokio::test]
async fn thoughts_in_the_text_are_reasoning() {
    for text in [r"<think>\nFour?\n</think>\n\nIt is 4.", r"\nFour?\n</think>\n\nIt is 4."] {
        let line = format!(r#"{{"choices":[{{"delta":{{"content":"{text}"}},"finish_reason":"stop"}}]}}"#);
        stream("openai:m", &events(&[&line, "[DONE]"]), "It is 4. | \nFour?\n |  | estimated | Answer").await;
    }
    let call = r#"{"choices":[{"delta":{"content":"Hm <tool_call>\n</think>\n<tool_call>\n{\"name\": \"read\", \"arguments\": {}}\n</tool_call>"}}]}"#;
    let expected = " | Hm <tool_call>\n | (new) read {} | estimated | ToolCalls";
    stream("openai:qwen3", &events(&[call, "[DONE]"]), expected).await;
}

#[tokio::test]
async fn calls_keep_one_id_in_every_wire() {
    let id = palanca_core::CallId::new("task-1.functions.read:0-with-a-long-tail-behind-it");
    let call = crate::message::ToolCall { id: id.clone(), name: "read".into(), arguments: "{}".into() };
    let history = [
        Message::user("hi"),
        Message::calling("", vec![call]),
        Message::Tool { call_id: id, name: "read".into(), content: "x".into(), is_error: false, parts: Vec::new() },
    ];
    let mut seen = Vec::new();
    for (spec, answer, called, result) in [
        (
            "openai:m",
            json!({"choices": [{"message": {"content": "x"}}]}),
            "/messages/1/tool_calls/0/id",
            "/messages/2/tool_call_id",
        ),
        ("anthropic:m", json!({"content": []}), "/messages/1/content/0/id", "/messages/2/content/0/tool_use_id"),
        ("openai-responses:m", json!({"output": []}), "/input/1/call_id", "/input/2/call_id"),
    ] {
        let http = FakeHttp::new([Play::json(200, &answer.to_string())], 7);
        let request = ModelRequest::new(&history).with_delivery(Delivery::Whole);
        model(spec, &http, &Arc::default()).reply(request).await.unwrap();
        let sent = http.asked().remove(0);
        let id = sent.pointer(called).and_then(Value::as_str).unwrap().to_owned();
        assert_eq!(Some(id.as_str()), sent.pointer(result).and_then(Value::as_str), "{spec}");
        assert!(id.len() <= 40 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{spec}: {id}");
        seen.push(id);
    }
    assert!(seen.iter().all(|id| *id == seen[0]), "{seen:?}");
}

#[tokio::test]
async fn chat_streams() {
    let chat = async |lines: &[&str], expected: &str| stream("openai:m", &events(lines), expected).await;
    chat(
        &[
            r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}],"usage":null}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"lo 🌍"},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":3,"total_tokens":23,"prompt_tokens_details":{"cached_tokens":16}}}"#,
            "[DONE]",
        ],
        "Hello 🌍 |  |  | 20/16/3 | Answer",
    )
    .await;
    // Two calls, fragments interleaved, reasoning, no usage.
    chat(
        &[
            r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"grep","arguments":"{\"p\""}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":":1}"}}]}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
            "[DONE]",
        ],
        " | hm | a read {}; b grep {\"p\":1} | estimated | ToolCalls",
    )
    .await;
    // No index, no id, arguments as an object, finish_reason missing, usage in the last chunk of a choice.
    chat(
        &[
            r#"{"choices":[{"delta":{"role":"assistant","tool_calls":[{"function":{"name":"read","arguments":{"path":"a"}}}]}}],"usage":{"input_tokens":5,"output_tokens":6.0}}"#,
            "[DONE]",
        ],
        " |  | (new) read {\"path\":\"a\"} | 5/0/6 | ToolCalls",
    )
    .await;
    // `message` instead of `delta`, content in parts, "stop" with calls, the same id twice, no [DONE].
    chat(
        &[
            r#"{"choices":[{"message":{"content":[{"type":"text","text":"A"},{"type":"text","text":"B"}],"tool_calls":[{"index":0,"id":"x","function":{"name":"read","arguments":"{}"}},{"index":1,"id":"x","function":{"name":"grep","arguments":"{}"}}]},"finish_reason":"stop"}]}"#,
        ],
        "AB |  | x read {}; (new) grep {} | estimated | ToolCalls",
    )
    .await;
    // The old function_call; a second choice is not heard; length.
    chat(
        &[
            r#"{"choices":[{"index":0,"delta":{"function_call":{"name":"read","arguments":"{\"a\":"}}},{"index":1,"delta":{"content":"no"}}]}"#,
            r#"{"choices":[{"index":0,"delta":{"function_call":{"arguments":"1"}},"finish_reason":"length"}]}"#,
        ],
        " |  | (new) read {\"a\":1 | estimated | Length",
    )
    .await;
    // A call in the text.
    chat(
        &[
            r#"{"choices":[{"delta":{"content":"<tool_call>{\"name\": \"read\", \"argu"}}]}"#,
            r#"{"choices":[{"delta":{"content":"ments\": {\"path\": \"a\"}}</tool_call>"},"finish_reason":"stop"}]}"#,
        ],
        " |  | (new) read {\"path\": \"a\"} | estimated | ToolCalls",
    )
    .await;
}

#[tokio::test]
async fn chat_whole() {
    whole(
        "openai:m",
        json!({"choices": [{"message": {"role": "assistant", "content": null, "reasoning": "r", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "read", "arguments": "{\"p\": 1}"}},
            {"function": {"name": "grep", "arguments": {"q": 2}}},
        ]}, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}),
        " | r | a read {\"p\": 1}; (new) grep {\"q\":2} | 1/0/2 | ToolCalls",
    )
    .await;
    whole(
        "ollama:m",
        json!({"choices": [{"message": {"content": "Hi", "tool_calls": null}}]}),
        "Hi |  |  | estimated | Answer",
    )
    .await;
    whole(
        "openai:m",
        json!({"choices": [{"message": {"refusal": "No."}, "finish_reason": "content_filter"}]}),
        "No. |  |  | estimated | Filtered",
    )
    .await;
}

#[tokio::test]
async fn responses_stream() {
    let check = async |body: &str, expected: &str| stream("openai-responses:m", body, expected).await;
    let full = concat!(
        "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"status\":\"in_progress\",\"output\":[],\"error\":null}}\n\n",
        "event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]}}\n\n",
        "event: response.reasoning_summary_text.delta\ndata: {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"hm\"}\n\n",
        "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":\"I \"}\n\n",
        "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":\"look.\"}\n\n",
        "event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"output_index\":2,\"item\":{\"type\":\"function_call\",\"id\":\"fc1\",\"call_id\":\"a\",\"name\":\"read\",\"arguments\":\"\"}}\n\n",
        "event: response.function_call_arguments.delta\ndata: {\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc1\",\"output_index\":2,\"delta\":\"{\\\"p\\\":\"}\n\n",
        "event: response.function_call_arguments.delta\ndata: {\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc1\",\"output_index\":2,\"delta\":\"1}\"}\n\n",
        "event: response.function_call_arguments.done\ndata: {\"type\":\"response.function_call_arguments.done\",\"item_id\":\"fc1\",\"output_index\":2,\"arguments\":\"{\\\"p\\\":1}\"}\n\n",
        "event: response.output_item.done\ndata: {\"type\":\"response.output_item.done\",\"output_index\":2,\"item\":{\"type\":\"function_call\",\"id\":\"fc1\",\"call_id\":\"a\",\"name\":\"read\",\"arguments\":\"{\\\"p\\\":1}\"}}\n\n",
        "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"error\":null,\"incomplete_details\":null,\"output\":[{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]},{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"I look.\"}]},{\"type\":\"function_call\",\"id\":\"fc1\",\"call_id\":\"a\",\"name\":\"read\",\"arguments\":\"{\\\"p\\\":1}\"}],\"usage\":{\"input_tokens\":9,\"input_tokens_details\":{\"cached_tokens\":4},\"output_tokens\":5}}}\n\n",
    );
    check(full, "I look. | hm | a read {\"p\":1} | 9/4/5 | ToolCalls").await;
    // Only the last event carries anything.
    check(
        &events(&[r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]},{"type":"function_call","call_id":"a","name":"read","arguments":{"p":1}}]}}"#]),
        "Hi |  | a read {\"p\":1} | estimated | ToolCalls",
    )
    .await;
    // No ids and no indices: deltas belong to the last call. Ends with [DONE].
    check(
        &events(&[
            r#"{"type":"response.output_item.added","item":{"type":"function_call","name":"read","call_id":"a"}}"#,
            r#"{"type":"response.function_call_arguments.delta","delta":"{}"}"#,
            "[DONE]",
        ]),
        " |  | a read {} | estimated | ToolCalls",
    )
    .await;
    check(
        &events(&[r#"{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"message","content":[{"type":"output_text","text":"Cut"}]}]}}"#]),
        "Cut |  |  | estimated | Length",
    )
    .await;
}

#[tokio::test]
async fn responses_whole() {
    whole(
        "openai-responses:m",
        json!({"status": "completed", "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "r"}]},
            {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]},
            {"type": "function_call", "id": "f", "call_id": "a", "name": "read", "arguments": "{}"},
            {"type": "web_search_call"},
        ], "usage": {"input_tokens": 1, "output_tokens": 2}}),
        "Hi | r | a read {} | 1/0/2 | ToolCalls",
    )
    .await;
}

#[tokio::test]
async fn anthropic_streams() {
    let body = concat!(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":10,\"cache_read_input_tokens\":30,\"cache_creation_input_tokens\":2,\"output_tokens\":1}}}\n\n",
        "event: ping\ndata: {\"type\": \"ping\"}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"x\"}}\n\n",
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello\"}}\n\n",
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"get_weather\",\"input\":{}}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"city\\\": \\\"San\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\" José\\\"}\"}}\n\n",
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":2}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":3,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"read\",\"input\":{}}}\n\n",
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":3}\n\n",
        "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":89}}\n\n",
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    );
    stream(
        "anthropic:m",
        body,
        "Hello | hm | t1 get_weather {\"city\": \"San José\"}; t2 read {} | 42/30/89 | ToolCalls",
    )
    .await;
    // The type only in the event's name; no stop reason; usage missing.
    let odd = concat!(
        "event: content_block_delta\ndata: {\"index\":0,\"delta\":{\"text\":\"Hi\"}}\n\n",
        "event: message_stop\ndata: {}\n\n",
    );
    stream("anthropic:m", odd, "Hi |  |  | estimated | Answer").await;
}

#[tokio::test]
async fn anthropic_whole() {
    whole(
        "anthropic:m",
        json!({"type": "message", "content": [
            {"type": "text", "text": "Hi"},
            {"type": "tool_use", "id": "t", "name": "read", "input": {"p": 1}},
            {"type": "tool_use", "name": "grep", "input": {}},
            {"type": "server_tool_use"},
        ], "stop_reason": "tool_use", "usage": {"input_tokens": 3, "output_tokens": 4}}),
        "Hi |  | t read {\"p\":1}; (new) grep {} | 3/0/4 | ToolCalls",
    )
    .await;
    whole(
        "anthropic:m",
        json!({"content": [{"type": "text", "text": "x"}], "stop_reason": "refusal"}),
        "x |  |  | estimated | Filtered",
    )
    .await;
}

#[tokio::test]
async fn nonsense_is_quoted() {
    for (spec, play, said) in [
        ("openai:m", "<html>\n<body>Welcome</body>", "<html> <body>Welcome</body>"),
        ("openai:m", "data: {\"choices\": [\n\n", "{\"choices\": ["),
        ("openai:m", "data: [1]\n\n", "[1]"),
        ("openai:m", "", "nothing at all"),
        ("openai-responses:m", "data: hello\n\n", "hello"),
        ("anthropic:m", "data: {]\n\n", "{]"),
    ] {
        let error = ask(spec, || Play::events(play), 7).await.unwrap_err();
        assert_eq!((error.kind(), error.detail().as_str()), (ModelErrorKind::Malformed, said), "{play}");
    }
    let long = "x".repeat(1000);
    let error = ask("openai:m", || Play::events(&long), 7).await.unwrap_err();
    assert_eq!(error.detail().chars().count(), 201);
    for spec in ["openai:m", "openai-responses:m", "anthropic:m"] {
        let error = ask(spec, || Play::json(200, "{\"hello\":1}"), 7).await.unwrap_err();
        assert_eq!((error.kind(), error.detail().as_str()), (ModelErrorKind::Malformed, "{\"hello\":1}"), "{spec}");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_parser_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        soup in "(data: |event: |\n\n|\\[DONE\\]|\\{|\\}|\\[|\\]|:|,|\"(type|choices|delta|index|item|tool_calls|content|error|usage|response|message_stop|response.completed|output|function|arguments|name|id)\"|1|null|\"x\"){0,60}",
        size in 1_usize..30,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        for body in [bytes, soup.into_bytes()] {
            for spec in ["openai:m", "openai-responses:m", "anthropic:m"] {
                for kind in ["text/event-stream", "application/json"] {
                    let play = || Play::Answer(200, vec![palanca_core::ports::http::Header::new("content-type", kind)], body.clone());
                    let http = FakeHttp::new([play(), play(), play(), play(), play(), play()], size);
                    let pacer = Arc::new(FakePacer::default());
                    let model = model(spec, &http, &pacer);
                    let _ = runtime.block_on(model.reply(ModelRequest::new(&[])));
                }
            }
        }
    }
}

#[test]
fn shapes_that_nearly_fit_do_not_panic() {
    // Every value of a good answer replaced by every kind of wrong one.
    let wrong =
        [Value::Null, json!(1), json!(-1.5), json!("x"), json!([]), json!([[]]), json!({}), json!([{}]), json!(true)];
    let samples = [
        (
            WireFormat::OpenAiChat,
            json!({"choices": [{"index": 0, "delta": {"content": "a", "tool_calls": [{"index": 0, "id": "a", "function": {"name": "n", "arguments": "{}"}}]}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}),
        ),
        (
            WireFormat::OpenAiResponses,
            json!({"type": "response.completed", "status": "completed", "output": [{"type": "function_call", "id": "i", "call_id": "c", "name": "n", "arguments": "{}"}, {"type": "message", "content": [{"text": "x"}]}], "usage": {"input_tokens": 1}, "response": {"output": []}}),
        ),
        (
            WireFormat::Anthropic,
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "a", "name": "b", "input": {}}, "content": [{"type": "text", "text": "a"}], "usage": {"input_tokens": 1, "output_tokens": 2}, "stop_reason": "end_turn"}),
        ),
    ];
    for (format, sample) in samples {
        let mut pointers = Vec::new();
        collect(&sample, String::new(), &mut pointers);
        for pointer in pointers {
            for value in &wrong {
                let mut broken = sample.clone();
                *broken.pointer_mut(&pointer).unwrap() = value.clone();
                let event = crate::sse::SseEvent { name: String::new(), data: broken.to_string() };
                let mut out = Vec::new();
                let mut parser = format.parser();
                let _ = parser.event(&event, &mut out);
                let _ = parser.finish(&mut out);
                let _ = format.parser().whole(broken.to_string().as_bytes(), &mut out);
            }
        }
    }
}

fn collect(value: &Value, at: String, out: &mut Vec<String>) {
    out.push(at.clone());
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| collect(value, format!("{at}/{key}"), out)),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, value)| collect(value, format!("{at}/{i}"), out)),
        _ => {}
    }
}
