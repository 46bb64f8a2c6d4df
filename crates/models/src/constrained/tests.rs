#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::message::ToolCall;
use palanca_core::CallId;

fn offers() -> [ToolOffer; 2] {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    [
        ToolOffer::new("read.file", "Reads a file.", &schema),
        ToolOffer::new("now", "The time.", &json!({"type": "object"})),
    ]
}

#[test]
fn the_request_describes_tools_and_demands_the_form() {
    let tools = offers();
    let names = Names::new(&tools);
    let history = [
        Message::system("Be good."),
        Message::user("Look."),
        Message::calling(
            "Yes.",
            vec![ToolCall {
                id: CallId::from("a"),
                name: "read.file".to_owned(),
                arguments: "{\"path\":\"x\"}".to_owned(),
            }],
        ),
        Message::Tool {
            call_id: CallId::from("a"),
            name: "read.file".to_owned(),
            content: "text".into(),
            is_error: false,
            parts: Vec::new(),
        },
    ];
    let rewritten = rewrite(&ModelRequest::new(&history).with_tools(&tools), &names);
    let Message::System { text } = &rewritten.messages[0] else { panic!() };
    assert!(text.starts_with("Be good.\n\nYou can use the tools below."), "{text}");
    assert!(text.contains("\n- read_file: Reads a file. Arguments: {\"type\":\"object\""), "{text}");
    assert_eq!(
        rewritten.messages[1..],
        [
            Message::user("Look."),
            Message::assistant("Yes.\n{\"tool\":\"read_file\",\"arguments\":{\"path\":\"x\"}}"),
            Message::user("Result of read_file:\ntext"),
        ]
    );
    let schema = rewritten.schema.unwrap();
    assert_eq!(schema["anyOf"].as_array().unwrap().len(), 3);
    assert_eq!(schema["anyOf"][0]["properties"]["tool"]["const"], "read_file");
    assert_eq!(schema["anyOf"][2]["properties"]["final"]["maxLength"], MAX_FINAL);
    let mut request = ModelRequest::new(&history).with_tools(&tools);
    request.tool_choice = ToolChoice::Named("now");
    assert_eq!(rewrite(&request, &names).schema.unwrap()["anyOf"].as_array().unwrap().len(), 1);
    request.tool_choice = ToolChoice::None;
    assert_eq!(rewrite(&request, &names).schema, None);
}

#[test]
fn the_form_is_read_back() {
    let tools = offers();
    let names = Names::new(&tools);
    let text = |said: &str| Said::Text(said.to_owned());
    let call = |name: &str, arguments: &str| {
        Said::Call(RawCall { name: name.to_owned(), arguments: arguments.to_owned(), ..RawCall::default() })
    };
    for (said, expected) in [
        (r#"{"tool": "read_file", "arguments": {"path": "x"}}"#, call("read.file", r#"{"path": "x"}"#)),
        ("```json\n{\"tool\": \"now\", \"arguments\": {\"n\": 1.10}}\n```", call("now", r#"{"n": 1.10}"#)),
        (r#"{"tool": "now"}"#, call("now", "{}")),
        (r#"{"final": "Done."}"#, text("Done.")),
        (r#"{"final": "Cut of"#, text("Cut of")),
        (r#"{"final": "Cut\n at \u00"#, text("Cut\n at ")),
        ("Just text", text("Just text")),
        (r#"{"other": 1}"#, text(r#"{"other": 1}"#)),
        ("", text("")),
    ] {
        assert_eq!(read(said, &names), expected, "{said}");
    }
    let cut = read(r#"{"tool": "read_file", "arguments": {"pa"#, &names);
    assert!(matches!(&cut, Said::Misread(Misread { cause: MisreadCause::CutOff, .. })), "{cut:?}");
}
