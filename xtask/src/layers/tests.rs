use std::path::Path;

use serde_json::{Value, json};

use super::check;
use crate::report::Report;
use crate::workspace::Workspace;

fn package(name: &str, layer: Option<u64>, dependencies: &[(&str, Option<&str>)]) -> Value {
    let dependencies: Vec<_> = dependencies
        .iter()
        .map(|(name, kind)| {
            let source = (!name.starts_with("our-")).then_some("registry+https://example.org");
            json!({"name": name, "kind": kind, "source": source})
        })
        .collect();
    json!({
        "name": name,
        "manifest_path": format!("/w/crates/{name}/Cargo.toml"),
        "metadata": layer.map(|layer| json!({"palanca": {"layer": layer}})),
        "dependencies": dependencies,
    })
}

fn failures(packages: Vec<Value>) -> Vec<String> {
    let metadata = json!({"workspace_root": "/w", "packages": packages});
    let workspace = Workspace::from_metadata(&metadata).unwrap();
    assert_eq!(workspace.root, Path::new("/w"));
    let mut report = Report::default();
    check(&workspace, &mut report);
    report.failures
}

#[test]
fn downwards_is_right_and_dev_is_free() {
    let found = failures(vec![
        package("our-core", Some(0), &[("serde", None), ("our-testkit", Some("dev"))]),
        package("our-files", Some(1), &[("our-core", None)]),
        package("our-testkit", Some(9), &[("our-files", None)]),
    ]);
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn upwards_sideways_and_unknown_are_named() {
    let found = failures(vec![
        package("our-a", Some(1), &[("our-b", None)]),
        package("our-b", Some(1), &[("our-c", Some("build"))]),
        package("our-c", Some(2), &[]),
        package("our-d", None, &[]),
    ]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("our-a (layer 1) -> our-b (layer 1)"), "{found:?}");
    assert!(found[1].starts_with("our-b (layer 1) -> our-c (layer 2)"), "{found:?}");
    assert!(found[2].starts_with("our-d: has no layer"), "{found:?}");
}
