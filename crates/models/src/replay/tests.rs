#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::message::Message;
use crate::model::Reply;

const SESSION: &str = r#"# comment
// another

{"content": "I look.", "tool_calls": [{"id": "a", "name": "read_file", "arguments": {"path": "x", "n": 1}}, {"name": "grep", "arguments": "{broken"}]}
{"content": "Done.", "usage": {"input_tokens": 10, "output_tokens": 2}}
"#;

#[tokio::test]
async fn answers_come_in_order_and_then_an_error() {
    let model = ReplayModel::parse("s.jsonl", SESSION).unwrap();
    let history = [Message::user("12345678")];
    let request = ModelRequest::new(&history);
    assert_eq!(model.name(), "replay:s.jsonl");
    assert_eq!(model.remaining(), 2);
    let first = model.reply(request).await.unwrap();
    assert_eq!(first.text, "I look.");
    assert_eq!(first.stop, Stop::ToolCalls);
    assert_eq!(first.usage.basis, UsageBasis::Estimated);
    assert_eq!(first.usage.input, 2);
    let calls: Vec<_> = first.calls.iter().map(|c| (c.name.as_str(), c.arguments.as_str())).collect();
    assert_eq!(calls, [("read_file", r#"{"path":"x","n":1}"#), ("grep", "{broken")]);
    assert_eq!(first.calls[0].id.as_str(), "a");
    assert!(first.calls[1].id.as_str().starts_with("call_"));
    let second = model.reply(request).await.unwrap();
    let expected = Reply {
        text: "Done.".to_owned(),
        usage: Usage { input: 10, output: 2, ..Usage::default() },
        ..Reply::default()
    };
    assert_eq!(second, expected);
    let error = model.reply(request).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ReplayEnded);
    assert_eq!(
        error.to_string(),
        "replay:s.jsonl has no more answers: all 2 answers of the recording are used up. Record a longer session, or use a live model"
    );
}

#[test]
fn a_bad_line_is_named() {
    let fail = |text: &str| ReplayModel::parse("f", text).unwrap_err();
    let error = fail("{\"content\": \"a\"}\n\n{oops}\n");
    assert_eq!(error.line, 3);
    assert!(error.to_string().starts_with("f, line 3: key must be a string"), "{error}");
    assert_eq!(fail("{}").reason, "neither `content` nor `tool_calls`");
    assert_eq!(fail("# nothing").line, 0);
    assert!(fail("[]").reason.contains("expected"));
}
