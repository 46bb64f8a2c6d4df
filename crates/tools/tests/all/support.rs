//! A gate over one toolset on one temporary workspace, with everything allowed that a test does not say otherwise.

use palanca_core::{ConfirmMode, ToolResult};
use palanca_testkit::{TempWorkspace, TestGate, TestGateBuilder};
use palanca_text::Locale;
use palanca_tools::{
    BRAVE, ChannelFrom, CollaborationOptions, KnownChannel, OtherBot, SearchProvider, ToolOptions, ToolsetName,
    registry,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::time::Duration;

/// With two providers of searches.
pub fn options() -> ToolOptions {
    let mut options = ToolOptions { allow_delete: true, artifacts: true, ..ToolOptions::default() };
    options.web.search.providers =
        vec![SearchProvider::brave(BRAVE, "brave-key-of-tests"), SearchProvider::searxng("https://searx.example")];
    options.message.channels =
        vec![KnownChannel { name: "ops".into(), default_to: Some("alerts".into()), from: ChannelFrom::Operator }];
    options.bots.others = vec![OtherBot { id: "eva".to_owned(), ..OtherBot::default() }];
    options.bots.collaboration = Some(CollaborationOptions { longest: Duration::from_secs(60), target_tools: true });
    options
}

/// The address that asks the first of them.
pub fn search_address(query: &str) -> String {
    format!("{BRAVE}?q={}&count=5", percent(query))
}

/// Everything but letters and digits in percent signs.
pub fn percent(text: &str) -> String {
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, ENCODED).to_string()
}

/// A gate that asks nobody.
pub fn builder(workspace: &TempWorkspace, toolset: ToolsetName, options: &ToolOptions) -> TestGateBuilder {
    TestGate::builder(workspace, registry(toolset, options).unwrap()).mode(ConfirmMode::Yolo)
}

pub fn gate(workspace: &TempWorkspace, toolset: ToolsetName) -> TestGate {
    builder(workspace, toolset, &options()).build()
}

pub fn spanish(workspace: &TempWorkspace, toolset: ToolsetName) -> TestGate {
    builder(workspace, toolset, &ToolOptions::default()).locale(Locale::Es).build()
}

/// The result of a call that must work.
pub async fn done(gate: &TestGate, tool: &str, arguments: Value) -> ToolResult {
    let result = gate.call(tool, arguments).await;
    assert!(result.success, "{tool}: {:?} {}", result.error, result.output);
    assert_said(&result);
    result
}

/// The result of a call that must not: its code and what the model reads.
pub async fn failed(gate: &TestGate, tool: &str, arguments: Value) -> (String, String) {
    let result = gate.call(tool, arguments).await;
    assert!(!result.success, "{tool} should fail: {}", result.output);
    assert_said(&result);
    (result.code.clone().unwrap(), result.for_model())
}

/// No sentence was shown as a key or with a hole in it.
pub fn assert_said(result: &ToolResult) {
    let text = result.for_model();
    assert!(!text.contains("{$") && !text.contains("{ $"), "a value is missing: {text}");
}
