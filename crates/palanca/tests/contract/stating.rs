//! What a tool says of itself: its card and its effects.

use palanca::call::WriteKind;
use palanca::tool::{Annotations, Lane, Repetition, Sensitivity, Typed};
use palanca::{AnyTool as _, Claims, Effect, Registry, Scope, Spec, Tool, ToolCx, ToolError, tool};
use serde_json::{Value, json};
use std::time::Duration;

/// Says nothing,
/// in two lines.
#[tool(pure)]
async fn says_nothing() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Does a lot.
#[tool(name = "does-A_lot9", timeout = 5, sensitive, reads(from, also), writes(to), reads_tree(below), deletes(old))]
fn does(
    /// One.
    from: String,
    /// Perhaps another.
    also: Option<String>,
    /// Any number.
    to: Vec<String>,
    /// A tree.
    #[arg(default = ".")]
    below: String,
    /// What goes.
    old: Option<Words>,
    _cx: &ToolCx,
) -> Result<String, String> {
    Ok(format!("{from}{also:?}{to:?}{below}{}", old.is_some()))
}

/// Text by another name.
type Words = String;

/// Moves.
#[tool(effects = moves)]
async fn moves_file(
    /// From here.
    from: String,
    /// To there.
    to: Option<String>,
) -> Result<String, ToolError> {
    Ok(format!("{from}{to:?}"))
}

fn moves(args: &MovesFileArgs, scope: &Scope) -> Result<Claims, ToolError> {
    let to = args.to.clone().ok_or_else(|| ToolError::from(format!("where to, in {}?", scope.session)))?;
    Ok(Claims::from(Effect::Move { from: args.from.clone(), to }))
}

fn claims(tool: impl Tool, arguments: &Value) -> Result<Claims, ToolError> {
    Typed::new(tool).prepare(arguments).unwrap().claims(&Scope::session("s".into()))
}

#[test]
fn the_card_is_what_the_attributes_say() {
    let plain = Spec::new("says_nothing", "Says nothing,\nin two lines.");
    assert_eq!(SaysNothing.spec(), plain);
    assert_eq!(
        Does.spec(),
        Spec {
            name: "does-A_lot9".into(),
            description: "Does a lot.".into(),
            annotations: Annotations::WRITES,
            timeout: Duration::from_secs(5),
            lane: Lane::Blocking,
            sensitivity: Sensitivity::Always,
            repetition: Repetition::Stuck,
            ..plain
        }
    );
    assert_eq!(MovesFile.spec(), Spec::new("moves_file", "Moves.").annotated(Annotations::WRITES));
}

#[test]
fn effects_are_those_of_the_named_parameters() {
    let write = |path: &str| Effect::WriteFile { path: path.to_owned(), kind: WriteKind::Replace };
    let read = |path: &str| Effect::ReadFile(path.to_owned());
    let tree = |path: &str| Effect::ReadTree(path.to_owned());
    for (arguments, expected) in [
        (json!({"from": "a", "to": []}), vec![read("a"), tree(".")]),
        (
            json!({"from": "a", "also": "b", "to": ["c", "d"], "below": "e", "old": "f"}),
            vec![read("a"), read("b"), write("c"), write("d"), tree("e"), Effect::Delete("f".to_owned())],
        ),
    ] {
        assert_eq!(claims(Does, &arguments), Ok(expected.into_iter().collect()), "{arguments}");
    }
    assert_eq!(claims(SaysNothing, &json!({})), Ok(Claims::none()));
}

#[test]
fn effects_may_be_computed_and_may_fail() {
    let moved = Claims::from(Effect::Move { from: "a".to_owned(), to: "b".to_owned() });
    assert_eq!(claims(MovesFile, &json!({"from": "a", "to": "b"})), Ok(moved));
    assert_eq!(claims(MovesFile, &json!({"from": "a"})), Err(ToolError::from("where to, in s?")));
}

#[test]
fn tools_of_functions_are_registered_like_any_other() {
    let registry = Registry::new();
    registry.register(SaysNothing).unwrap();
    registry.register(Does).unwrap();
    registry.register(MovesFile).unwrap();
    assert_eq!(registry.names(), ["does-A_lot9", "moves_file", "says_nothing"]);
    assert_eq!(
        registry.get("says_nothing").unwrap().schema(),
        &json!({"type": "object", "properties": {}, "additionalProperties": false})
    );
}
