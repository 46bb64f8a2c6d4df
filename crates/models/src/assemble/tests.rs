#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use serde_json::json;

/// Fragments as JSON `[index, id, name, arguments]` against calls as `id name arguments`.
fn check(fragments: Value, expected: &[&str]) {
    let mut assembler = Assembler::default();
    for fragment in fragments.as_array().unwrap() {
        assembler.push(&Fragment {
            index: fragment[0].as_u64(),
            id: fragment[1].as_str(),
            name: fragment[2].as_str(),
            arguments: fragment.get(3),
            state: None,
        });
    }
    let calls: Vec<String> =
        assembler.finish().into_iter().map(|call| format!("{} {} {}", call.id, call.name, call.arguments)).collect();
    assert_eq!(calls, expected, "{fragments}");
}

#[test]
fn fragments_become_calls() {
    check(json!([[0, "a", "read", ""], [0, null, null, "{\"p\":"], [0, null, null, "1}"]]), &["a read {\"p\":1}"]);
    // Interleaved.
    check(
        json!([
            [0, "a", "x", ""],
            [1, "b", "y", ""],
            [0, null, null, "{"],
            [1, null, null, "["],
            [0, null, null, "}"],
            [1, null, null, "]"]
        ]),
        &["a x {}", "b y []"],
    );
    // The name in pieces; the id only at first.
    check(json!([[0, "a", "read_", ""], [0, null, "file", null], [0, "", null, "{}"]]), &["a read_file {}"]);
    // Id and name in every fragment.
    check(json!([[0, "a", "read", "{"], [0, "a", "read", "}"]]), &["a read {}"]);
    // One index for two calls.
    check(json!([[0, "a", "x", "{}"], [0, "b", "y", "{}"], [0, "b", null, " "]]), &["a x {}", "b y {} "]);
    // No index.
    check(json!([[null, "a", "x", "{"], [null, "a", null, "}"], [null, "b", "y", "{}"]]), &["a x {}", "b y {}"]);
    // Neither index nor id.
    check(json!([[null, null, "x", "{"], [null, null, null, "}"], [null, null, "y", "{}"]]), &[" x {}", " y {}"]);
    // An object instead of text.
    check(json!([[0, "a", "x", {"p": 1}]]), &["a x {\"p\":1}"]);
    check(json!([[0, "a", "x", null]]), &["a x "]);
    // Nothing at all.
    check(json!([[0, "a", null, null]]), &[]);
}
