//! A tool of a function runs through the gate: with its defaults, in its lane, within its effects.
#![allow(clippy::disallowed_methods)]

use palanca::files::Disk;
use palanca::policy::paths::PathRules;
use palanca::{ConfirmMode, Gate, Message, Output, Registry, ToolCx, ToolError, tool};
use serde_json::json;
use std::io::Read as _;
use std::sync::Arc;

/// Says something.
#[tool(pure)]
async fn say(
    /// The words.
    #[arg(max_length = 20)]
    words: String,
    /// How often.
    #[arg(default = 2, min = 1, max = 9)]
    times: usize,
) -> Result<Output, ToolError> {
    Ok(Output::text(vec![&*words; times].join(" ")).with_data(json!(times)))
}

/// Names its thread.
#[tool(pure)]
fn thread_of_blocking() -> Result<String, ToolError> {
    Ok(format!("{:?}", std::thread::current().id()))
}

/// Names its thread.
#[tool(pure)]
async fn thread_of_cooperative() -> Result<String, ToolError> {
    Ok(format!("{:?}", std::thread::current().id()))
}

/// Becomes whatever can be an output or an error.
#[tool(pure)]
async fn becomes(
    /// What.
    what: String,
) -> Result<Message, &'static str> {
    if what == "message" { Ok(Message::new("said").with("what", what)) } else { Err("no such thing") }
}

/// Reads one file, whichever it was told to claim.
#[tool(reads(claimed))]
fn read_one(
    /// What it says that it reads.
    claimed: String,
    /// What it reads.
    read: String,
    cx: ToolCx,
) -> Result<String, ToolError> {
    let mut text = String::new();
    let mut file = cx.files().open(&cx.files().locate(&read)?)?;
    let read = file.content.read_to_string(&mut text);
    read.map_err(|error| ToolError::from(format!("{claimed}: {error}")))?;
    Ok(text)
}

fn gate() -> Gate {
    let registry = Registry::new();
    registry.register(Say).unwrap();
    registry.register(ThreadOfBlocking).unwrap();
    registry.register(ThreadOfCooperative).unwrap();
    registry.register(Becomes).unwrap();
    registry.register(ReadOne).unwrap();
    Gate::builder(registry.into()).mode(ConfirmMode::Yolo).build()
}

#[tokio::test]
async fn defaults_repairs_and_limits_hold() {
    let gate = gate();
    let result = gate.execute("say", json!({"words": "hey"})).await;
    assert_eq!((result.output.as_str(), result.data), ("hey hey", Some(json!(2))));
    let result = gate.execute("say", json!({"words": "hey", "times": "3"})).await;
    assert_eq!((result.output.as_str(), result.repairs.len()), ("hey hey hey", 1));
    let result = gate.execute("say", json!({"words": "x".repeat(21), "times": 10, "volume": 1})).await;
    let error = result.error.unwrap();
    for fault in ["words: ", "times: 10 is greater than the maximum of 9", "'volume' was unexpected"] {
        assert!(error.contains(fault), "{fault}: {error}");
    }
}

#[tokio::test]
async fn a_plain_function_has_a_thread_of_its_own() {
    let gate = gate();
    let here = format!("{:?}", std::thread::current().id());
    assert_ne!(gate.execute("thread_of_blocking", json!({})).await.output, here);
    assert_eq!(gate.execute("thread_of_cooperative", json!({})).await.output, here);
}

#[tokio::test]
async fn what_a_function_returns_becomes_an_output_or_an_error() {
    let gate = gate();
    assert_eq!(gate.execute("becomes", json!({"what": "message"})).await.output, "said(what=message)");
    let failed = gate.execute("becomes", json!({"what": "other"})).await;
    assert!(failed.error.unwrap().contains("no such thing"));
}

#[tokio::test]
async fn a_tool_that_touches_more_than_it_says_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "a").unwrap();
    std::fs::write(folder.path().join("b.txt"), "b").unwrap();
    let registry = Registry::new();
    registry.register(ReadOne).unwrap();
    let rules = PathRules::new(&[], &[], None).unwrap();
    let door = Disk::open(folder.path(), &[], Arc::new(rules)).unwrap();
    let gate = Gate::builder(registry.into()).files(Arc::new(door)).build();
    let honest = gate.execute("read_one", json!({"claimed": "a.txt", "read": "a.txt"})).await;
    assert_eq!((honest.output.as_str(), honest.outcome.name()), ("a", "done"));
    let liar = gate.execute("read_one", json!({"claimed": "a.txt", "read": "b.txt"})).await;
    assert_eq!((liar.output.as_str(), liar.outcome.name(), liar.code.as_deref()), ("", "refused", Some("not_granted")));
}
