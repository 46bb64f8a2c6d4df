#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{Override, Registry, RegistryError, is_valid_name, nearest};
use crate::call::ToolError;
use crate::tool::{AnyTool, Prepared, Spec};
use serde_json::{Value, json};
use std::sync::Arc;

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

#[test]
fn every_documented_operation() {
    let registry = registry(&["write", "read", "list"]);
    assert_eq!((registry.count(), registry.has_tool("read"), registry.has_tool("nope")), (3, true, false));
    assert_eq!(registry.names(), ["list", "read", "write"]);
    assert_eq!(
        registry.list_all().iter().map(|tool| tool.spec().name.to_string()).collect::<Vec<_>>(),
        ["list", "read", "write"]
    );
    assert_eq!(registry.get("read").unwrap().spec().name, "read");
    assert_eq!(names(&registry.get_definitions()), ["list", "read", "write"]);

    let (some, unknown) = registry.get_schemas(&["write", "nope", "list"]);
    assert_eq!((names(&some), unknown), (vec!["write", "list"], vec!["nope"]), "the given order, unknown skipped");
    assert_eq!(names(&registry.get_schemas_strict(&["read"]).unwrap()), ["read"]);
    let missing = RegistryError::NotFound { name: "nope".into(), available: registry.names() };
    assert_eq!(registry.get_schemas_strict(&["read", "nope"]), Err(missing.clone()));
    assert_eq!(registry.filter_by_names(&["nope"]).err(), Some(missing));
    assert_eq!(registry.filter_by_names(&[]).unwrap().len(), 0);
    assert_eq!(registry.filter_by_names(&["write", "read"]).unwrap()[0].spec().name, "write");

    assert!(registry.remove("read") && !registry.remove("read"));
    registry.clear();
    assert_eq!(registry.count(), 0);
}

#[test]
fn a_second_tool_of_a_name_needs_leave() {
    let registry = registry(&["read"]);
    let again = registry.register_any(tool("read"), Override::Refuse);
    assert_eq!(again, Err(RegistryError::Duplicate { name: "read".into() }));
    registry.register_any(tool("read"), Override::Allow).unwrap();
    assert_eq!(registry.count(), 1);
}

#[test]
fn names_and_schemas_are_held_to_what_providers_accept() {
    let long = "x".repeat(65);
    for bad in ["", "with space", "dot.ted", "ñ", &long] {
        assert!(!is_valid_name(bad));
        let refused = Registry::new().register_any(tool(bad), Override::Refuse);
        assert_eq!(refused, Err(RegistryError::InvalidName { name: bad.into() }));
    }
    assert!(is_valid_name(&"x".repeat(64)));
    let list: Arc<dyn AnyTool> = Arc::new(Named(Spec::new("odd", "Odd."), json!({"type": "array"})));
    assert!(matches!(Registry::new().register_any(list, Override::Refuse), Err(RegistryError::InvalidSchema { .. })));
}

#[test]
fn a_turn_keeps_its_snapshot_while_tools_come_and_go() {
    let registry = registry(&["stays"]);
    let snapshot = registry.snapshot();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let registry = &registry;
            scope.spawn(move || {
                for round in 0..200 {
                    let name = format!("t{thread}_{round}");
                    registry.register_any(tool(&name), Override::Refuse).unwrap();
                    assert!(registry.snapshot().get(&name).is_some());
                    assert!(registry.remove(&name));
                }
            });
        }
    });
    assert_eq!((registry.names(), snapshot.names().collect::<Vec<_>>()), (vec!["stays".to_owned()], vec!["stays"]));
}

#[test]
fn near_names_are_found() {
    let known = ["read_file", "write_file", "edit_file", "grep"];
    for (wanted, near) in
        [("raed_file", "read_file"), ("read", "read_file"), ("GREP", "grep"), ("editfile", "edit_file")]
    {
        assert_eq!(nearest(wanted, known, 1), [near], "{wanted}");
    }
    assert_eq!(nearest("quantum", known, 3), [""; 0]);
}
