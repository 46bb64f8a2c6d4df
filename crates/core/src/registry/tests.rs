#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{Override, Registry, RegistryError, SchemaFormat, Source, is_valid_name, nearest, render_schema};
use crate::call::{ToolError, ToolsetName};
use crate::message::Message;
use crate::tool::{Annotations, AnyTool, Prepared, Spec};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Named(Spec, Value);

impl AnyTool for Named {
    fn spec(&self) -> &Spec {
        &self.0
    }
    fn schema(&self) -> &Value {
        &self.1
    }
    fn prepare(&self, _arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Err(ToolError::from("not run here"))
    }
}

fn tool(name: &str) -> Arc<dyn AnyTool> {
    Arc::new(Named(Spec::new(name.to_owned(), "A tool."), json!({"type": "object", "properties": {}})))
}

fn registry(names: &[&str]) -> Registry {
    let registry = Registry::new();
    names.iter().for_each(|name| registry.register_any(tool(name), Override::Refuse).unwrap());
    registry
}

fn names(schemas: &[Value]) -> Vec<&str> {
    schemas.iter().map(|schema| schema["function"]["name"].as_str().unwrap()).collect()
}

fn listed(tools: &[Arc<dyn AnyTool>]) -> Vec<&str> {
    tools.iter().map(|tool| &*tool.spec().name).collect()
}

fn not_found(name: &str, available: &[&str]) -> RegistryError {
    RegistryError::NotFound {
        name: name.to_owned(),
        available: available.iter().map(|name| (*name).to_owned()).collect(),
    }
}

#[test]
fn tools_are_found_counted_listed_by_name_and_taken_away() {
    let registry = registry(&["write", "read", "list"]);
    assert_eq!((registry.count(), registry.has_tool("read"), registry.has_tool("nope")), (3, true, false));
    assert_eq!(registry.names(), ["list", "read", "write"]);
    assert_eq!(listed(&registry.list_all()), ["list", "read", "write"]);
    assert_eq!(registry.get("read").unwrap().spec().name, "read");
    assert_eq!(registry.get("Read").err(), Some(not_found("Read", &["list", "read", "write"])));

    assert!(registry.remove("read") && !registry.remove("read"));
    assert_eq!(registry.get("read").err(), Some(not_found("read", &["list", "write"])));
    registry.clear();
    assert_eq!((registry.count(), registry.names(), registry.get_definitions()), (0, vec![], vec![]));
}

#[test]
fn schemas_come_in_the_order_that_was_asked_for() {
    let registry = registry(&["write", "read", "list"]);
    for (allowed, given, unknown) in [
        (&[][..], &["list", "read", "write"][..], &[][..]),
        (&["write", "list"], &["write", "list"], &[]),
        (&["write", "nope", "list", "neither"], &["write", "list"], &["nope", "neither"]),
        (&["nope"], &[], &["nope"]),
    ] {
        let (schemas, skipped) = registry.get_schemas(allowed);
        assert_eq!((names(&schemas), skipped), (given.to_vec(), unknown.to_vec()), "{allowed:?}");
        match (registry.get_schemas_strict(allowed), unknown.first()) {
            (Ok(strict), None) => assert_eq!(strict, schemas),
            (refused, Some(first)) => assert_eq!(refused, Err(not_found(first, &["list", "read", "write"]))),
            (Err(error), None) => panic!("{allowed:?}: {error}"),
        }
    }
    assert_eq!(names(&registry.get_definitions()), ["list", "read", "write"]);
}

#[test]
fn filtering_takes_nothing_for_granted() {
    let registry = registry(&["write", "read", "list"]);
    let filtered = |names: &[&str]| registry.filter_by_names(names);
    assert_eq!(listed(&filtered(&["write", "read"]).unwrap()), ["write", "read"]);
    assert_eq!(listed(&filtered(&[]).unwrap()), [""; 0], "an empty list is no tool, not every tool");
    assert_eq!(filtered(&["read", "nope"]).err(), Some(not_found("nope", &["list", "read", "write"])));
}

#[test]
fn a_second_tool_of_a_name_needs_leave() {
    let registry = registry(&["read"]);
    let snapshot = registry.snapshot();
    let other = || Arc::new(Named(Spec::new("read", "Another."), json!({"type": "object"})));
    let description = |tool: &Arc<dyn AnyTool>| tool.spec().description.to_string();

    assert_eq!(registry.register_any(other(), Override::Refuse), Err(RegistryError::Duplicate { name: "read".into() }));
    assert_eq!(description(&registry.get("read").unwrap()), "A tool.");
    registry.register_any(other(), Override::Allow).unwrap();
    assert_eq!((registry.count(), description(&registry.get("read").unwrap())), (1, "Another.".to_owned()));
    assert_eq!(description(snapshot.get("read").unwrap()), "A tool.", "a running turn keeps its tool");
}

#[test]
fn names_and_schemas_are_held_to_what_providers_accept() {
    let long = "x".repeat(65);
    for bad in ["", "with space", "dot.ted", "ñ", "a/b", "a\n", &long] {
        assert!(!is_valid_name(bad));
        let refused = Registry::new().register_any(tool(bad), Override::Allow);
        assert_eq!(refused, Err(RegistryError::InvalidName { name: bad.into() }));
    }
    for good in ["a", "A-b_9", "-", &"x".repeat(64)] {
        assert!(is_valid_name(good));
    }
    for odd in [json!({"type": "array"}), json!({"properties": {}}), json!({"type": ["object"]}), json!(true)] {
        let refused = Registry::new().register_any(Arc::new(Named(Spec::new("odd", "Odd."), odd)), Override::Refuse);
        assert_eq!(refused, Err(RegistryError::InvalidSchema { name: "odd".into() }));
    }
}

#[test]
fn a_schema_that_no_call_can_fit_is_not_registered() {
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    for (schema, reason) in [
        (
            object(json!({"a": {"type": "string", "enum": [1]}})),
            "#/properties/a: no listed value (1) fits its type and bounds",
        ),
        (
            object(json!({"a": {"type": "integer", "enum": [0.5, 9], "maximum": 8}})),
            "#/properties/a: no listed value (0.5, 9) fits its type and bounds",
        ),
        (
            object(json!({"a": {"type": ["string", "null"], "const": 1}})),
            "#/properties/a: no listed value (1) fits its type and bounds",
        ),
        (object(json!({"a": {"enum": []}})), "#/properties/a: `enum` lists no value"),
        (object(json!({"a": {"enum": [1], "const": 2}})), "#/properties/a: `const` is not among the values of `enum`"),
        (
            object(json!({"a": {"minimum": 9, "maximum": 3}})),
            "#/properties/a: `minimum` 9 leaves nothing below `maximum` 3",
        ),
        (
            object(json!({"a": {"exclusiveMinimum": 3, "maximum": 3}})),
            "#/properties/a: `exclusiveMinimum` 3 leaves nothing below `maximum` 3",
        ),
        (
            object(json!({"a": {"type": "array", "items": {"minLength": 2, "maxLength": 1}}})),
            "#/properties/a/items: `minLength` 2 leaves nothing below `maxLength` 1",
        ),
        (
            object(json!({"a": object(json!({"b": {"minItems": 2, "maxItems": 1}}))})),
            "#/properties/a/properties/b: `minItems` 2 leaves nothing below `maxItems` 1",
        ),
        (
            object(json!({"a": {"anyOf": [{"enum": []}, {"minimum": 2, "maximum": 1}]}})),
            "#/properties/a/anyOf/0: `enum` lists no value",
        ),
        (
            object(json!({"a": {"allOf": [{"type": "string"}, {"enum": []}]}})),
            "#/properties/a/allOf/1: `enum` lists no value",
        ),
        (
            json!({"type": "object", "properties": {}, "required": ["b"], "additionalProperties": false}),
            "#: `b` is required and not allowed",
        ),
        (
            json!({"type": "object", "properties": {"b": false}, "required": ["b"]}),
            "#: `b` is required and not allowed",
        ),
    ] {
        let registry = Registry::new();
        let refused = registry.register_any(Arc::new(Named(Spec::new("odd", "Odd."), schema)), Override::Refuse);
        assert_eq!(refused, Err(RegistryError::Contradiction { name: "odd".into(), reason: reason.into() }));
        assert_eq!(registry.count(), 0);
    }
    for schema in [
        object(json!({"a": {"type": "string", "enum": ["x", null]}, "b": {"minimum": 3, "maximum": 3}})),
        object(json!({"a": {"type": "integer", "enum": [1.0]}, "b": {"$ref": "#/x", "enum": []}})),
        json!({"type": "object", "required": ["b"], "patternProperties": {"b": {}}, "additionalProperties": false}),
        json!({"type": "object", "required": ["b"]}),
        object(json!({"a": {"anyOf": [{"enum": []}, {"type": "null"}]}})),
    ] {
        let tool = Arc::new(Named(Spec::new("odd", "Odd."), schema));
        assert_eq!(Registry::new().register_any(tool, Override::Refuse), Ok(()));
    }
}

#[test]
fn errors_say_what_to_do() {
    for (error, sentence) in [
        (not_found("nope", &["a", "b"]), "tool 'nope' is not registered; available: a, b"),
        (
            RegistryError::Duplicate { name: "a".into() },
            "tool 'a' is already registered: give the new one another name, or register it with Override::Allow",
        ),
        (
            RegistryError::InvalidName { name: "a b".into() },
            "tool name 'a b' is not allowed: use 1 to 64 characters of A-Z, a-z, 0-9, '_' and '-'",
        ),
        (
            RegistryError::InvalidSchema { name: "a".into() },
            "tool 'a': the schema of its arguments must have \"type\": \"object\"",
        ),
        (
            RegistryError::Contradiction { name: "a".into(), reason: "arguments/x: why".into() },
            "tool 'a': the schema of its arguments contradicts itself, so no call could be valid; arguments/x: why",
        ),
    ] {
        assert_eq!(error.to_string(), sentence);
    }
}

#[test]
fn one_schema_has_a_form_for_every_client() {
    let mut spec = Spec::new("probe", "Looks.").annotated(Annotations::WRITES);
    spec.annotations.open_world = true;
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {}}, "x-own": 1});
    let tool = Named(spec, schema.clone());
    for (format, expected) in [
        (
            SchemaFormat::OpenAi,
            json!({"type": "function", "function": {"name": "probe", "description": "Looks.", "parameters": schema}}),
        ),
        (SchemaFormat::Anthropic, json!({"name": "probe", "description": "Looks.", "input_schema": schema})),
        (
            SchemaFormat::Mcp,
            json!({"name": "probe", "description": "Looks.", "inputSchema": schema, "annotations": {
                "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true,
            }}),
        ),
    ] {
        assert_eq!(render_schema(&tool, format), expected, "{format:?}");
    }
}

#[test]
fn a_toolset_offers_only_what_it_was_restricted_to() {
    let registry = Registry::with_shape(ToolsetName::Bots);
    ["write", "read", "list"].iter().for_each(|name| registry.register_any(tool(name), Override::Refuse).unwrap());
    let (some, unknown) = registry.snapshot().restrict(["write", "nope", "list", "list"]);
    assert_eq!((some.names().collect::<Vec<_>>(), unknown), (vec!["list", "write"], vec!["nope"]));
    assert_eq!((some.len(), some.is_empty(), some.shape()), (2, false, ToolsetName::Bots));
    assert!(some.get("read").is_none() && some.get("write").is_some());
    assert_eq!(names(&some.schemas(SchemaFormat::OpenAi)), ["list", "write"]);
    assert_eq!(some.nearest("wirte").first(), Some(&"write"));
    assert_eq!(some.nearest("read"), [""; 0], "what is not offered is not suggested");
    assert_eq!(some.with_shape(ToolsetName::Palanca).shape(), ToolsetName::Palanca);
    let (none, _) = registry.snapshot().restrict([]);
    assert!(none.is_empty());
}

#[test]
fn a_turn_keeps_its_snapshot_while_tools_come_and_go() {
    let registry = registry(&["stays"]);
    let before = registry.snapshot();
    let writing = AtomicUsize::new(4);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (registry, writing) = (&registry, &writing);
            scope.spawn(move || {
                let (first, second) = (format!("a{thread}"), format!("b{thread}"));
                for _ in 0..300 {
                    registry.register_any(tool(&first), Override::Refuse).unwrap();
                    let held = registry.snapshot();
                    registry.register_any(tool(&second), Override::Refuse).unwrap();
                    assert!(registry.remove(&first) && registry.remove(&second));
                    assert!(held.get(&first).is_some() && held.get(&second).is_none());
                }
                writing.fetch_sub(1, Ordering::Release);
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                while writing.load(Ordering::Acquire) > 0 {
                    let snapshot = registry.snapshot();
                    let names: Vec<&str> = snapshot.names().collect();
                    assert!(names.is_sorted() && names.contains(&"stays"), "{names:?}");
                    assert!(names.iter().all(|name| snapshot.get(name).unwrap().spec().name == **name));
                    assert_eq!((snapshot.len(), snapshot.schemas(SchemaFormat::Mcp).len()), (names.len(), names.len()));
                    assert!(registry.has_tool("stays") && registry.get("stays").is_ok());
                }
            });
        }
    });
    assert_eq!((registry.names(), before.names().collect::<Vec<_>>()), (vec!["stays".to_owned()], vec!["stays"]));
}

#[test]
fn of_many_who_register_one_name_one_wins() {
    let registry = Registry::new();
    let won = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| match registry.register_any(tool("one"), Override::Refuse) {
                Ok(()) => drop(won.fetch_add(1, Ordering::Relaxed)),
                Err(error) => assert_eq!(error, RegistryError::Duplicate { name: "one".into() }),
            });
        }
    });
    assert_eq!((won.into_inner(), registry.count()), (1, 1));
}

#[test]
fn near_names_are_found() {
    let known = ["read_file", "write_file", "edit_file", "grep", "run_command"];
    for (wanted, near) in [
        ("raed_file", &["read_file"][..]),
        ("read", &["read_file"]),
        ("GREP", &["grep"]),
        ("editfile", &["edit_file"]),
        ("runcommand", &["run_command"]),
        ("file", &["edit_file", "read_file", "write_file"]),
        ("mcp__x__read_file", &["read_file"]),
        ("quantum", &[]),
        ("", &[]),
        ("ñandú", &[]),
    ] {
        let found = nearest(wanted, known, 3);
        assert_eq!(found.get(..near.len()), Some(near), "{wanted}: {found:?}");
        assert_eq!(near.is_empty(), found.is_empty(), "{wanted}: {found:?}");
    }
    assert_eq!(nearest("file", known, 1).len(), 1);
}

/// Offers `made` from the second look on.
#[derive(Default)]
struct Meanwhile(AtomicUsize);

impl Source for Meanwhile {
    fn refresh(&self, registry: &Registry) {
        match self.0.fetch_add(1, Ordering::Relaxed) {
            0 => registry.explain_absence("made", Some(Message::new("dynamic-is-pending").with("name", "made"))),
            1 => {
                registry.register_any(tool("made"), Override::Refuse).unwrap();
                registry.explain_absence("made", None);
            }
            _ => {}
        }
    }
}

#[test]
fn a_snapshot_is_as_its_source_has_it_then() {
    let registry = registry(&["stays"]);
    registry.follow(Arc::new(Meanwhile::default()));
    let before = registry.snapshot();
    assert_eq!(before.why_absent("made").map(|why| why.key()), Some("dynamic-is-pending"));
    let (after, same) = (registry.snapshot(), registry.snapshot());
    assert_eq!((after.names().collect::<Vec<_>>(), after.why_absent("made")), (vec!["made", "stays"], None));
    assert!(!after.is_same(&before) && after.is_same(&same), "what did not change is no news");
}
