//! The face as an author uses it: what the macros write, and what they refuse to write.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use palanca::call::{Claims, Effect, SessionId};
use palanca::tool::{Lane, Sensitivity, Typed};
use palanca::{AnyTool as _, Args, Gate, Registry, Scope, ToolCx, ToolError, tool};
use serde_json::json;
use std::time::Duration;

/// How loud.
#[derive(Args, Clone, Copy, Debug, PartialEq)]
enum Volume {
    Quiet,
    VeryLoud,
}

/// Says something,
/// as loud as asked for.
#[tool(pure, name = "say-it", timeout = 5, sensitive)]
async fn say(
    /// The words.
    #[arg(max_length = 20)]
    words: String,
    /// How often.
    #[arg(default = 2, min = 1, max = 9)]
    times: u32,
    /// How loud.
    volume: Option<Volume>,
) -> Result<String, ToolError> {
    let words = if volume == Some(Volume::VeryLoud) { words.to_uppercase() } else { words };
    Ok(vec![words; times as usize].join(" "))
}

/// Copies a file's name.
#[tool(reads(from), writes(to))]
fn copy_name(
    /// The one.
    from: String,
    /// The other.
    to: String,
    cx: &ToolCx,
) -> Result<String, ToolError> {
    Ok(format!("{from} {to} in {}", cx.scope().session))
}

#[test]
fn the_schema_is_what_the_types_say() {
    let tool = Typed::new(Say);
    assert_eq!(
        tool.schema(),
        &json!({
            "type": "object",
            "properties": {
                "words": {"type": "string", "description": "The words.", "maxLength": 20},
                "times": {"type": "integer", "description": "How often.", "minimum": 1, "maximum": 9, "default": 2},
                "volume": {"type": "string", "description": "How loud.", "enum": ["quiet", "very_loud"]},
            },
            "required": ["words"],
            "additionalProperties": false,
        })
    );
    let spec = tool.spec();
    assert_eq!((&*spec.name, &*spec.description), ("say-it", "Says something,\nas loud as asked for."));
    assert_eq!((spec.timeout, spec.lane), (Duration::from_secs(5), Lane::Cooperative));
    assert_eq!(spec.sensitivity, Sensitivity::Always);
    assert_eq!(Typed::new(CopyName).spec().lane, Lane::Blocking);
}

#[test]
fn effects_are_the_parameters_that_were_named() {
    let call = Typed::new(CopyName).prepare(&json!({"from": "a", "to": "b"})).unwrap();
    let claims = call.claims(&Scope::session(SessionId::new("s"))).unwrap();
    let expected: Claims = [
        Effect::ReadFile("a".to_owned()),
        Effect::WriteFile { path: "b".to_owned(), kind: palanca::call::WriteKind::Replace },
    ]
    .into_iter()
    .collect();
    assert_eq!(claims, expected);
}

#[tokio::test]
async fn a_tool_runs_through_the_gate_with_defaults() {
    let registry = Registry::new();
    registry.register(Say).unwrap();
    let gate = Gate::builder(registry.into()).mode(palanca::ConfirmMode::Yolo).build();
    let result = gate.execute("say-it", json!({"words": "hey", "volume": "very_loud"})).await;
    assert_eq!(result.output, "HEY HEY");
    let refused = gate.execute("say-it", json!({"words": "hey", "times": 10, "volume": "loud"})).await;
    let error = refused.error.unwrap();
    assert!(error.contains("times") && error.contains("volume"), "{error}");
}

#[test]
fn what_must_not_compile_does_not() {
    trybuild::TestCases::new().compile_fail("tests/contract/refused/*.rs");
}
