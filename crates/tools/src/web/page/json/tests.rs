#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

fn shown(text: &str) -> (PageKind, String, Vec<&'static str>) {
    let page = read(text, Completeness::Whole);
    (page.kind, page.text, page.notes.iter().map(Message::key).collect())
}

#[test]
fn numbers_keys_and_order_stay_as_they_were_written() {
    let text = r#"{"z":1.10,"a":[12345678901234567890123,-0,1E400],"z":{},"s":"a\"b\\","e":[ ]}"#;
    let expected = r#"{
  "z": 1.10,
  "a": [
    12345678901234567890123,
    -0,
    1E400
  ],
  "z": {},
  "s": "a\"b\\",
  "e": []
}"#;
    assert_eq!(shown(text), (PageKind::Json, expected.to_owned(), vec![]));
}

#[test]
fn what_is_no_json_is_shown_as_it_came() {
    assert_eq!(shown("{'a': 1}"), (PageKind::Text, "{'a': 1}".to_owned(), vec!["page-json-invalid"]));
    assert_eq!(shown("{\"a\":1}\n{\"a\":2}\n").1, "{\"a\":1}\n{\"a\":2}");
    let cut = read("[1, 2,", Completeness::Cut);
    assert_eq!((cut.text.as_str(), cut.notes[0].key()), ("[1, 2,", "page-json-cut"));
}

#[test]
fn depth_and_size_are_bounded() {
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let (kind, text, _) = shown(&deep);
    assert_eq!(kind, PageKind::Json);
    assert!(text.len() < deep.len() + 20_000, "{}", text.len());
    let wide = format!("{}{}0{}", "[".repeat(60), "0,".repeat(900_000), "]".repeat(60));
    assert!(shown(&wide).1.len() < 12 << 20);
}
