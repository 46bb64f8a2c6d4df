#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::collections::HashSet;

fn offers(names: &[&str]) -> Vec<ToolOffer> {
    names.iter().map(|name| ToolOffer::new(*name, "", &json!({"type": "object"}))).collect()
}

#[test]
fn allowed_names_stay_and_others_are_mapped_back() {
    let offered = offers(&["read_file", "mcp/server.tool", "mcp_server_tool", "größe", ""]);
    let names = Names::new(&offered);
    assert_eq!(names.wire("read_file"), "read_file");
    assert_eq!(names.wire("mcp_server_tool"), "mcp_server_tool");
    let mangled = names.wire("mcp/server.tool").into_owned();
    assert!(mangled.starts_with("mcp_server_tool_"), "{mangled}");
    assert_eq!(names.original(&mangled), "mcp/server.tool");
    assert_eq!(names.wire("größe"), "gr__e");
    assert_eq!(names.original("gr__e"), "größe");
    assert_eq!(names.wire(""), "tool");
    assert_eq!(names.original("unheard_of"), "unheard_of");
    assert_eq!(names.wire("gone.since"), "gone_since");
    assert_eq!(names.meant("größe").map(ToolOffer::name), Some("größe"));
    assert_eq!(names.meant("functions.gr__e:12").map(ToolOffer::name), Some("größe"));
    assert_eq!(names.meant("unheard_of").map(ToolOffer::name), None);
}

proptest! {
    #[test]
    fn no_two_tools_meet(raw in proptest::collection::hash_set("[a./ü_-]{0,80}", 0..12)) {
        let list: Vec<&str> = raw.iter().map(String::as_str).collect();
        let offered = offers(&list);
        let names = Names::new(&offered);
        let wires: HashSet<String> = list.iter().map(|name| names.wire(name).into_owned()).collect();
        prop_assert_eq!(wires.len(), list.len());
        for name in &list {
            let wire = names.wire(name);
            prop_assert!(is_valid_name(&wire));
            prop_assert_eq!(names.original(&wire), *name);
        }
    }
}
