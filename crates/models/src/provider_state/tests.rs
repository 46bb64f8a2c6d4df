#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::message::Message;
use crate::model::Model as _;
use crate::request::{Delivery, ModelRequest};
use crate::tests::fake_http::{FakeHttp, Play, model};
use palanca_core::CallId;
use serde_json::json;
use std::sync::Arc;

fn call(id: &str) -> ToolCall {
    ToolCall { id: CallId::new(id), name: "read".into(), arguments: "{}".into() }
}

#[test]
fn blocks_stand_where_they_came() {
    let item = |text, calls, json: &str| StateItem { text, calls, place: StatePlace::Block, json: json.to_owned() };
    let calls = [call("a"), call("b")];
    let check = |text: &str, items: Vec<StateItem>, expected: &str| {
        let state = ProviderState { model: "m".into(), items };
        let shown = |model: &str| -> Vec<String> {
            let blocks = ProviderState::blocks(Some(&state), model, (text, &calls));
            let one = |block: &Block<'_>| match block {
                Block::Text(text) => format!("'{text}'"),
                Block::Call(call) => call.id.to_string(),
                Block::State(json) => json.get().to_owned(),
            };
            blocks.iter().map(one).collect()
        };
        assert_eq!(shown("m").join(" "), expected);
        assert!(shown("other").iter().all(|block| !block.starts_with('"')), "{expected}");
    };
    check("é-x", vec![item(0, 0, r#""1""#), item(3, 1, r#""2""#)], r#""1" 'é-' a "2" 'x' b"#);
    check("é-x", vec![item(1, 0, r#""1""#), item(99, 9, r#""2""#)], r#""1" 'é-x' a b "2""#);
    check("", vec![item(0, 2, r#""1""#), item(0, 1, r#""late""#), item(0, 2, "no json")], r#"a b "1" "late""#);
    check("x", Vec::new(), "'x' a b");
}

#[tokio::test]
async fn only_models_that_may_reason_are_asked_for_it() {
    for (spec, asked) in [
        ("openai-responses:gpt-5", true),
        ("openai-responses:openai/o4-mini", true),
        ("openai-responses:gpt-oss:20b", true),
        ("openai-responses:gpt-4.1", false),
        ("openai-responses:openai/gpt-4o-mini", false),
        ("openai-responses:gpt-5-chat-latest", false),
    ] {
        let http = FakeHttp::new([Play::json(200, r#"{"output": []}"#)], 7);
        let history = [Message::user("hi")];
        let request = ModelRequest::new(&history).with_delivery(Delivery::Whole);
        model(spec, &http, &Arc::default()).reply(request).await.unwrap();
        let include = http.asked().remove(0).get("include").cloned();
        assert_eq!(include, asked.then(|| json!(["reasoning.encrypted_content"])), "{spec}");
    }
}
