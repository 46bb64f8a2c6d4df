use crate::support::{builder, done, failed, gate, options};
use palanca_testkit::TempWorkspace;
use palanca_tools::{ToolOptions, ToolsetName};
use serde_json::json;

const POEM: &str = "one\ntwo\nthree\nfour\nfive\n";

#[tokio::test]
async fn whole_and_ranges_numbered_and_plain() {
    let workspace = TempWorkspace::with(&[("poem.txt", POEM)]);
    let gate = gate(&workspace, ToolsetName::Palanca);
    let check = async |arguments: serde_json::Value, expected: &str| {
        assert_eq!(done(&gate, "read_file", arguments).await.output, expected);
    };
    let header = "File: poem.txt (5 lines, 24 bytes)\n";
    check(
        json!({"path": "poem.txt"}),
        &format!("{header}    1 | one\n    2 | two\n    3 | three\n    4 | four\n    5 | five"),
    )
    .await;
    check(json!({"path": "poem.txt", "start_line": 2, "end_line": 3}), &format!("{header}    2 | two\n    3 | three"))
        .await;
    check(json!({"path": "poem.txt", "start_line": 5}), &format!("{header}    5 | five")).await;
    check(json!({"path": "poem.txt", "end_line": 99, "start_line": 4}), &format!("{header}    4 | four\n    5 | five"))
        .await;
    check(json!({"path": "poem.txt", "numbered": false}), POEM).await;
    check(json!({"path": "poem.txt", "numbered": false, "start_line": 2, "end_line": 2}), "two\n").await;
    check(json!({"path": "./poem.txt", "numbered": false}), POEM).await;
}

#[tokio::test]
async fn the_document_shows_a_header_and_the_text() {
    let workspace = TempWorkspace::with(&[("poem.txt", POEM), ("empty", "")]);
    let gate = gate(&workspace, ToolsetName::Architect);
    let read = gate.json("read_file", json!({"path": "poem.txt"})).await;
    let output = format!("Contents of poem.txt:\n\n{POEM}");
    assert_eq!(read, json!({"success": true, "output": output, "error": null}));
    let empty = done(&gate, "read_file", json!({"path": "empty"})).await;
    assert_eq!(empty.output, "Contents of empty:\n\n(empty file)");
}

#[tokio::test]
async fn every_toolset_gets_to_the_end_of_a_long_file() {
    let text: String = (1..=1000).map(|n| format!("line number {n}\n")).collect();
    let workspace = TempWorkspace::with(&[("long.txt", &text)]);
    let small = ToolOptions { max_read_bytes: 4000, ..options() };
    for (toolset, path, next) in [
        (ToolsetName::Palanca, "path", "start_line"),
        (ToolsetName::Architect, "path", "start_line"),
        (ToolsetName::Picoclaw, "file_path", "offset"),
    ] {
        let gate = builder(&workspace, toolset, &small).build();
        let mut arguments = json!({path: "long.txt"});
        for _ in 0..10 {
            let page = done(&gate, "read_file", arguments.clone()).await;
            if !page.truncated {
                assert!(page.output.contains("line number 1000"), "{toolset}: {}", page.output);
                arguments = json!(null);
                break;
            }
            let hint = page.output.rsplit(&format!("{next}=")).next().unwrap();
            let number: u64 = hint.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
            arguments = json!({path: "long.txt", next: number});
        }
        assert!(arguments.is_null(), "{toolset} never came to the end");
    }
}

#[tokio::test]
async fn a_long_file_is_read_page_by_page() {
    let text: String = (1..=1000).map(|n| format!("line number {n}\n")).collect();
    let workspace = TempWorkspace::with(&[("long.txt", &text)]);
    let small = ToolOptions { max_read_bytes: 2000, ..options() };
    let gate = builder(&workspace, ToolsetName::Palanca, &small).build();
    let (mut start, mut all, mut pages) = (1, String::new(), 0);
    loop {
        let page = done(&gate, "read_file", json!({"path": "long.txt", "numbered": false, "start_line": start})).await;
        pages += 1;
        let data = page.data.unwrap();
        if !page.truncated {
            all.push_str(&page.output);
            break;
        }
        let (body, hint) = page.output.split_once("\n[").map(|(body, hint)| (body, hint.to_owned())).unwrap();
        all.push_str(body);
        start = data["end_line"].as_u64().unwrap() + 1;
        assert!(hint.contains("of 1000") && hint.contains(&format!("start_line={start}")), "{hint}");
    }
    assert!(pages > 5);
    assert_eq!(all.lines().collect::<Vec<_>>(), text.lines().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_huge_sparse_file_costs_nothing() {
    let workspace = TempWorkspace::with(&[("huge.txt", "first\nsecond\n"), ("zero.bin", "")]);
    for name in ["huge.txt", "zero.bin"] {
        let path = workspace.root().join(name);
        std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(1 << 40).unwrap();
    }
    let gate = gate(&workspace, ToolsetName::Palanca);
    let (code, text) = failed(&gate, "read_file", json!({"path": "zero.bin"})).await;
    assert_eq!(code, "binary", "{text}");
    let (code, _) = failed(&gate, "read_file", json!({"path": "huge.txt"})).await;
    assert_eq!(code, "binary");
    let text: String = (0..3_000_000).map(|n| format!("line {n}\n")).collect();
    assert!(text.len() > 17 << 20);
    workspace.write("big.txt", &text);
    let page =
        done(&gate, "read_file", json!({"path": "big.txt", "start_line": 2_000_001, "end_line": 2_000_003})).await;
    assert!(page.output.contains("2000001 | line 2000000\n2000002 | line 2000001"), "{}", page.output);
    let page = done(&gate, "read_file", json!({"path": "big.txt"})).await;
    assert!(page.truncated && page.output.contains("more follow"), "{}", &page.output[page.output.len() - 200..]);
    for tool in ["edit_file", "write_file"] {
        let (code, text) = failed(
            &gate,
            tool,
            json!({"path": "huge.txt", "old_str": "first", "new_str": "1", "content": "x", "mode": "append"})
                .as_object()
                .unwrap()
                .iter()
                .filter(|(key, _)| (tool == "edit_file") == (key.ends_with("_str")) || *key == "path")
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        )
        .await;
        assert_eq!(code, "too_large", "{text}");
    }
}

#[tokio::test]
async fn what_is_not_there_has_neighbours() {
    let workspace = TempWorkspace::with(&[("src/main.rs", "x"), ("src/lib.rs", "x"), ("src/.env", "SECRET=1")]);
    let gate = gate(&workspace, ToolsetName::Palanca);
    let (code, text) = failed(&gate, "read_file", json!({"path": "src/mian.rs"})).await;
    assert_eq!(code, "not_found");
    assert_eq!(
        text,
        "Error: 'src/mian.rs' does not exist.\nDid you mean: src/main.rs, src/lib.rs?\nIn 'src' there is: lib.rs, main.rs"
    );
    let (_, text) = failed(&gate, "read_file", json!({"path": "nowhere/at/all.rs"})).await;
    assert!(text.contains("'nowhere/at' is empty or does not exist"), "{text}");
    let (code, text) = failed(&gate, "read_file", json!({"path": "src"})).await;
    assert_eq!(code, "wrong_type");
    assert!(text.contains("'src' holds: .env, lib.rs, main.rs"), "{text}");
}

#[tokio::test]
async fn what_is_no_text_or_in_another_encoding_is_said() {
    let workspace = TempWorkspace::new();
    workspace.write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0");
    workspace.write("latin.txt", b"a\xf1o\n");
    workspace.write("wide.txt", b"\xff\xfeh\0i\0\n\0");
    workspace.write("bom.txt", b"\xef\xbb\xbfhi\r\nthere\r\n");
    let gate = gate(&workspace, ToolsetName::Palanca);
    let (code, text) = failed(&gate, "read_file", json!({"path": "image.png"})).await;
    assert_eq!((code.as_str(), text.contains("'image.png' is not text (17 bytes)")), ("binary", true), "{text}");
    let latin = done(&gate, "read_file", json!({"path": "latin.txt"})).await.output;
    assert!(latin.contains("    1 | año\n[The file is Windows-1252"), "{latin}");
    let wide = done(&gate, "read_file", json!({"path": "wide.txt"})).await.output;
    assert!(wide.contains("    1 | hi\n[The file is UTF-16LE"), "{wide}");
    let bom = done(&gate, "read_file", json!({"path": "bom.txt"})).await.output;
    assert_eq!(bom, "File: bom.txt (2 lines, 14 bytes)\n    1 | hi\n    2 | there");
}

#[tokio::test]
async fn ranges_that_make_no_sense() {
    let workspace = TempWorkspace::with(&[("poem.txt", POEM)]);
    let gate = gate(&workspace, ToolsetName::Palanca);
    let check = async |arguments: serde_json::Value, part: &str| {
        let (code, text) = failed(&gate, "read_file", arguments).await;
        assert_eq!(code, "invalid_arguments");
        assert!(text.contains(part), "{text}");
    };
    check(json!({"path": "poem.txt", "start_line": 3, "end_line": 2}), "after end_line=2").await;
    check(json!({"path": "poem.txt", "start_line": 6}), "has 5 lines").await;
    check(json!({"path": "poem.txt", "start_line": 0}), "start_line: 0 is less than the minimum of 1").await;
}

#[tokio::test]
async fn a_secret_is_never_read_and_a_name_cannot_break_the_line() {
    let workspace = TempWorkspace::with(&[(".env", "KEY=1"), ("a\nb.txt", "x")]);
    workspace.link(".env", "innocent.txt");
    let gate = gate(&workspace, ToolsetName::Palanca);
    for path in [".env", "innocent.txt", "./.ENV"] {
        let (code, text) = failed(&gate, "read_file", json!({"path": path})).await;
        let expected = if path == "./.ENV" { "not_found" } else { "paths.secret_file" };
        assert!(code == expected || code == "paths.secret_file", "{code} {text}");
        assert!(!text.contains("KEY"), "{text}");
    }
    let odd = done(&gate, "read_file", json!({"path": "a\nb.txt"})).await.output;
    assert!(odd.starts_with("File: a\\nb.txt ("), "{odd}");
}
