//! What a provider wants back: out of an answer into the next request, into the row, and from there into a resumed run.

use super::*;
use futures_util::future::BoxFuture;
use futures_util::stream;
use palanca_agent::session::Snapshot;
use palanca_core::ports::http::{Header, Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse};
use palanca_models::{ApiKey, Delivery, Endpoint, HttpModel, ModelOptions, Overrides};
use serde_json::Value;
use std::collections::VecDeque;

/// Takes out the password, and what stands in every signature here, as a secret might by chance.
struct FindsTooMuch;

const PASSWORD: &str = "hunter2!hunter2";
const SIGNATURE: &str = "AKIA0000/+==\\u00e9 \u{1f600}";

impl Redactor for FindsTooMuch {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = [PASSWORD, "AKIA0000"].iter().any(|secret| text.contains(secret));
        if found { Cow::Owned(text.replace(PASSWORD, "***").replace("AKIA0000", "***")) } else { Cow::Borrowed(text) }
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        AsItIs.stream()
    }
}

/// Gives its answers one after the other, in pieces of seven bytes, and keeps what it was asked.
#[derive(Default)]
struct Server {
    answers: Mutex<VecDeque<(&'static str, String)>>,
    asked: Mutex<Vec<Value>>,
}

impl Http for Server {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        self.asked.lock().unwrap().push(serde_json::from_slice(&request.body).unwrap());
        let Some((kind, body)) = self.answers.lock().unwrap().pop_front() else {
            return Box::pin(async move { Err(HttpError::new(HttpErrorKind::NotAllowed, &request.url, "no more")) });
        };
        let pieces: Vec<_> = body.as_bytes().chunks(7).map(|piece| Ok(piece.to_vec().into())).collect();
        let headers = vec![Header::new("content-type", kind)];
        Box::pin(async { Ok(HttpResponse { status: 200, headers, body: Box::pin(stream::iter(pieces)) }) })
    }
}

fn server(answers: impl IntoIterator<Item = (&'static str, String)>) -> Arc<Server> {
    Arc::new(Server { answers: Mutex::new(answers.into_iter().collect()), ..Server::default() })
}

fn model(spec: &str, server: &Arc<Server>) -> HttpModel {
    let overrides = Overrides {
        key: Some(ApiKey::new("unused")),
        api_base: Some("http://fake".to_owned()),
        ..Overrides::default()
    };
    let endpoint = Endpoint::resolve(&spec.parse().unwrap(), &overrides, &|_| None).unwrap();
    HttpModel::new(endpoint, Arc::clone(server) as Arc<dyn Http>, ModelOptions::default())
}

fn events(events: &[Value]) -> (&'static str, String) {
    ("text/event-stream", events.iter().map(|event| format!("data: {event}\n\n")).collect())
}

fn whole(answer: &Value) -> (&'static str, String) {
    ("application/json", answer.to_string())
}

/// A wire with one answer in both deliveries, the end of a conversation, and what the next request says of the answer.
struct Case {
    spec: &'static str,
    other: &'static str,
    streamed: (&'static str, String),
    whole: (&'static str, String),
    done: (&'static str, String),
    /// Where in a request the answer is, and what it looks like.
    at: &'static str,
    back: Value,
    without: Value,
}

/// `arguments` of both calls; what is thought says the password where `thought` does.
fn cases(thought: &str) -> Vec<Case> {
    let arguments = json!({"name": "one"}).to_string();
    let beside = json!({"google": {"thought_signature": SIGNATURE}});
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "act", "arguments": arguments}});
    let with = |mut value: Value, name: &str, part: Value| {
        value[name] = part;
        value
    };
    let chunk = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let chat = |spec, whole_message: Value, deltas: Vec<Value>| {
        let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
        let mut without = json!({"role": "assistant", "content": "I act.", "tool_calls": [call("c1"), call("c2")]});
        without["role"] = "assistant".into();
        Case {
            spec,
            other: "openai:other",
            streamed: events(&deltas.into_iter().map(chunk).chain([end]).collect::<Vec<_>>()),
            whole: whole(&json!({"choices": [{"message": whole_message, "finish_reason": "tool_calls"}]})),
            done: whole(&json!({"choices": [{"message": {"content": "done"}, "finish_reason": "stop"}]})),
            at: "/messages/2",
            back: whole_message,
            without,
        }
    };
    let message = json!({"role": "assistant", "content": "I act.", "tool_calls": [call("c1"), call("c2")]});
    let signed =
        with(message.clone(), "tool_calls", json!([with(call("c1"), "extra_content", beside.clone()), call("c2")]));
    let numbered = |number: u64, call: Value| with(call, "index", number.into());
    let half = thought.len() / 2;
    let (first, second) = (&thought[..half], &thought[half..]);
    let details = |text: &str, signature: Value| json!({"type": "reasoning.text", "text": text, "index": 0, "signature": signature});
    let sealed = json!({"type": "reasoning.encrypted", "data": SIGNATURE, "index": 1});

    let thinking = json!({"type": "thinking", "thinking": thought, "signature": SIGNATURE});
    let redacted = json!({"type": "redacted_thinking", "data": SIGNATURE});
    let used = |id: &str| json!({"type": "tool_use", "id": id, "name": "act", "input": {"name": "one"}});
    let text = json!({"type": "text", "text": "I act."});
    let claude = json!([thinking, text, used("c1"), redacted, used("c2")]);
    let start =
        |index: u64, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: u64, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stop = |index: u64| json!({"type": "content_block_stop", "index": index});
    let input = |index: u64| delta(index, json!({"type": "input_json_delta", "partial_json": arguments}));

    let reasoning = |id: &str| json!({"type": "reasoning", "id": id, "summary": [{"type": "summary_text", "text": thought}], "encrypted_content": SIGNATURE});
    let called = |id: &str| json!({"type": "function_call", "call_id": id, "name": "act", "arguments": arguments});
    let said = json!({"type": "message", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "I act.", "annotations": []}]});
    let items = vec![reasoning("r1"), said.clone(), called("c1"), reasoning("r2"), called("c2")];
    let done = |(index, item): (usize, &Value)| json!({"type": "response.output_item.done", "output_index": index, "item": item});
    let completed = json!({"type": "response.completed", "response": {"status": "completed", "output": items}});
    let begun = json!({"type": "response.output_text.delta", "delta": "I act."});
    let mut item_events: Vec<Value> = items.iter().enumerate().map(done).collect();
    item_events[1] = begun;
    item_events.push(completed);

    vec![
        chat(
            "openai:gemini-3-pro-preview",
            signed,
            vec![
                json!({"role": "assistant", "content": "I act."}),
                json!({"tool_calls": [with(numbered(0, call("c1")), "extra_content", beside)]}),
                json!({"tool_calls": [numbered(1, call("c2"))]}),
            ],
        ),
        chat(
            "openai:deepseek-reasoner",
            with(message.clone(), "reasoning_content", thought.into()),
            vec![
                json!({"role": "assistant", "content": null, "reasoning_content": first}),
                json!({"reasoning_content": second}),
                json!({"content": "I act.", "reasoning_content": null}),
                json!({"tool_calls": [numbered(0, call("c1")), numbered(1, call("c2"))]}),
            ],
        ),
        chat(
            "openai:minimax/minimax-m2",
            with(message, "reasoning_details", json!([details(thought, SIGNATURE.into()), sealed])),
            vec![
                json!({"reasoning_details": [details(first, Value::Null)]}),
                json!({"reasoning_details": [details(second, Value::Null)]}),
                json!({"reasoning_details": [details("", SIGNATURE.into()), sealed]}),
                json!({"content": "I act."}),
                json!({"tool_calls": [numbered(0, call("c1")), numbered(1, call("c2"))]}),
            ],
        ),
        Case {
            spec: "anthropic:claude-opus-4-5",
            other: "anthropic:claude-sonnet-4-5",
            streamed: events(&[
                start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
                delta(0, json!({"type": "thinking_delta", "thinking": first})),
                delta(0, json!({"type": "thinking_delta", "thinking": second})),
                delta(0, json!({"type": "signature_delta", "signature": SIGNATURE})),
                stop(0),
                start(1, json!({"type": "text", "text": ""})),
                delta(1, json!({"type": "text_delta", "text": "I act."})),
                stop(1),
                start(2, with(used("c1"), "input", json!({}))),
                input(2),
                stop(2),
                start(3, redacted),
                stop(3),
                start(4, with(used("c2"), "input", json!({}))),
                input(4),
                stop(4),
                json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
                json!({"type": "message_stop"}),
            ]),
            whole: whole(&json!({"content": claude, "stop_reason": "tool_use"})),
            done: whole(&json!({"content": [{"type": "text", "text": "done"}], "stop_reason": "end_turn"})),
            at: "/messages/1/content",
            back: claude,
            without: json!([text, used("c1"), used("c2")]),
        },
        Case {
            spec: "openai-responses:gpt-5",
            other: "openai-responses:gpt-5-mini",
            streamed: events(&item_events),
            whole: whole(&json!({"status": "completed", "output": items})),
            done: whole(
                &json!({"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "done"}]}]}),
            ),
            at: "/input",
            back: json!(items),
            without: json!([said, called("c1"), called("c2")]),
        },
    ]
}

/// What the last request says of the first answer.
fn said_of_it(server: &Server, case: &Case) -> Value {
    let asked = server.asked.lock().unwrap();
    let found = asked.last().unwrap().pointer(case.at).cloned().unwrap_or_default();
    let Value::Array(mut items) = found else { return found };
    if case.at == "/input" {
        items.remove(0);
        items.truncate(case.back.as_array().unwrap().len().min(items.len()));
        items.retain(|item| item["type"] != "function_call_output");
    }
    items.into()
}

fn bench(shelf: Shared) -> Bench {
    Bench { redactor: Arc::new(FindsTooMuch), ..Bench::over(shelf) }
}

#[tokio::test(start_paused = true)]
async fn a_provider_gets_back_what_it_gave_and_another_model_does_not() {
    let thought = "What \u{1f600}\n \\ \"next\"?";
    for case in cases(thought) {
        for (delivery, answer) in [(Delivery::Streamed, &case.streamed), (Delivery::Whole, &case.whole)] {
            let spec = case.spec;
            let mut bench = bench(Shared::default());
            bench.stage.settings.delivery = delivery;
            let first = server([answer.clone(), case.done.clone()]);
            let (ended, _) = bench.run(&model(spec, &first)).await;
            assert_eq!(ended.report.stop_reason, StopReason::LlmDone, "{spec}: {:?}", ended.error);
            assert_eq!(said_of_it(&first, &case), case.back, "{spec} {delivery:?}: the next request");
            let rows = bench.shelf.rows();
            let results = kinds(&rows).iter().rposition(|kind| *kind == "result").unwrap();
            for (spec, expected) in [(spec, &case.back), (case.other, &case.without)] {
                let again = Bench { redactor: Arc::new(FindsTooMuch), ..Bench::over(bench.shelf.cut(results + 1)) };
                let server = server([case.done.clone()]);
                let (ended, history) = again.resume(&model(spec, &server), None).await;
                assert_eq!(ended.report.stop_reason, StopReason::LlmDone, "{spec}: {:?}", ended.error);
                assert_eq!(&said_of_it(&server, &case), expected, "{spec} {delivery:?}: resumed");
                // A conversation that is one row is the same.
                let mut state = again.state();
                assert_eq!(state.conversation.messages, said(&history), "{spec}");
                let kept = Bench::over(Shared::default());
                let kept = Bench { redactor: Arc::new(FindsTooMuch), ..kept };
                let session = kept.session();
                wait(session.begin("do it", terms(), None)).unwrap();
                let snapshot = Snapshot { totals: state.totals.clone(), conversation: state.conversation.clone() };
                session.keep(&Entry::Compacted(Box::new(snapshot)));
                session.stored().await;
                state.conversation.task = kept.state().conversation.task;
                assert_eq!(kept.state().conversation, state.conversation, "{spec}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_row_has_a_secret_that_was_thought() {
    for case in cases(&format!("It is {PASSWORD}.")) {
        let bench = bench(Shared::default());
        let server = server([case.streamed.clone(), case.done.clone()]);
        bench.run(&model(case.spec, &server)).await;
        assert_eq!(said_of_it(&server, &case), case.back, "{}: this process has it", case.spec);
        let rows = bench.shelf.rows();
        assert!(rows.iter().all(|row| !row.body.contains(PASSWORD)), "{}: {rows:#?}", case.spec);
        let answered = rows.iter().find(|row| row.kind == "answered").unwrap();
        let state: Value = serde_json::from_str::<Value>(&answered.body).unwrap()["message"]["provider_state"].clone();
        let kept: Vec<&str> =
            state["items"].as_array().unwrap().iter().map(|item| item["json"].as_str().unwrap()).collect();
        let is_text = case.spec == "openai:deepseek-reasoner";
        assert_eq!(kept.contains(&r#""It is ***.""#), is_text, "{}", case.spec);
        assert!(
            kept.iter().all(|json| is_text || !json.contains("It is")),
            "signed text is kept whole or not: {kept:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn rows_without_the_field_are_read_and_written_as_before() {
    let old = json!({"role": "assistant", "text": "a", "calls": [{"id": "c", "name": "t", "arguments": "{}"}]});
    let read: Message = serde_json::from_value(old.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), old);
}
