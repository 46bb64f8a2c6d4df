//! The document of the bots' tools: files and the clock, each row and note.

use crate::support::{builder, done, failed, options};
use palanca_testkit::{FakeClock, TempWorkspace, TestGate};
use palanca_tools::{DeniedPaths, ToolOptions, ToolsetName};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

fn with(workspace: &TempWorkspace, change: impl FnOnce(&mut ToolOptions)) -> TestGate {
    let mut options = options();
    change(&mut options);
    builder(workspace, ToolsetName::Bots, &options).build()
}

fn on(workspace: &TempWorkspace) -> TestGate {
    with(workspace, |_| ())
}

#[tokio::test]
async fn file_read_numbers_lines_from_an_offset_for_a_limit() {
    let workspace = TempWorkspace::with(&[("a.txt", "one\ntwo\nthree\n")]);
    let gate = on(&workspace);
    let whole = done(&gate, "file_read", json!({"path": "a.txt"})).await.output;
    assert_eq!(whole, "File: a.txt (3 lines, 14 bytes)\n    1 | one\n    2 | two\n    3 | three");
    let one = done(&gate, "file_read", json!({"path": "a.txt", "offset": 2, "limit": 1})).await.output;
    assert!(one.contains("    2 | two") && !one.contains("one") && !one.contains("three"), "{one}");
    let (code, text) = failed(&gate, "file_read", json!({"path": "a.txt", "offset": 9})).await;
    assert_eq!((&*code, text.contains("offset=9 is past its end")), ("invalid_arguments", true), "{text}");
    assert_eq!(failed(&gate, "file_read", json!({"path": "none.txt"})).await.0, "not_found");
}

#[tokio::test]
async fn a_long_file_says_with_which_offset_to_go_on() {
    let lines: String = (1..=2_000).map(|line| format!("{line} {}\n", "x".repeat(90))).collect();
    let workspace = TempWorkspace::with(&[("long", &lines)]);
    let gate = on(&workspace);
    let text = done(&gate, "file_read", json!({"path": "long"})).await.output;
    let (_, next) = text.rsplit_once("Call file_read again with offset=").unwrap();
    let next: u64 = next.split(' ').next().unwrap().parse().unwrap();
    let more = done(&gate, "file_read", json!({"path": "long", "offset": next, "limit": 1})).await.output;
    assert!(more.contains(&format!("{next:5} | {next} x")), "{more}");
}

#[tokio::test]
async fn file_write_makes_folders_replaces_and_appends() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let write = |content: &str, append: bool| json!({"path": "a/b/c.txt", "content": content, "append": append});
    let made = done(&gate, "file_write", write("one\n", false)).await.output;
    assert_eq!(made, "Successfully written to a/b/c.txt (4 bytes)");
    let added = done(&gate, "file_write", write("two\n", true)).await.output;
    assert_eq!(
        (added.as_str(), workspace.text("a/b/c.txt")),
        ("Successfully appended to a/b/c.txt (4 bytes)", "one\ntwo\n".to_owned())
    );
    done(&gate, "file_write", json!({"path": "a/b/c.txt", "content": "new"})).await;
    assert_eq!(workspace.text("a/b/c.txt"), "new");
}

#[tokio::test]
async fn file_edit_replaces_one_or_all() {
    let workspace = TempWorkspace::with(&[("a.txt", "x y x\n")]);
    let gate = on(&workspace);
    let edit = |old: &str, all: bool| json!({"path": "a.txt", "old_text": old, "new_text": "z", "replace_all": all});
    let (_, twice) = failed(&gate, "file_edit", edit("x", false)).await;
    assert!(twice.contains("2 times") && twice.contains("replace_all"), "{twice}");
    let (_, none) = failed(&gate, "file_edit", edit("q", false)).await;
    assert!(none.contains("old_text not found"), "{none}");
    let done = done(&gate, "file_edit", edit("x", true)).await.output;
    assert!(done.starts_with("Successfully edited a.txt (2 replacements)"), "{done}");
    assert_eq!(workspace.text("a.txt"), "z y z\n");
}

#[tokio::test]
async fn the_size_limit_holds_for_what_is_written() {
    let workspace = TempWorkspace::with(&[("a.txt", "0123456789")]);
    let gate = with(&workspace, |options| options.max_edit_bytes = 16);
    let (_, text) = failed(&gate, "file_write", json!({"path": "b.txt", "content": "x".repeat(17)})).await;
    assert!(text.contains("17 bytes, and the limit is 16"), "{text}");
    done(&gate, "file_write", json!({"path": "b.txt", "content": "x".repeat(16)})).await;
}

#[tokio::test]
async fn nothing_outside_the_base_path_and_nothing_denied_is_touched() {
    let workspace = TempWorkspace::with(&[
        ("credentials-app/files/a.txt", "in"),
        ("credentials-app/files/..name", "in, too"),
        ("credentials-app/out.txt", "out"),
        ("credentials-app/files/server.txt", "x"),
        ("credentials-app/files/drafts/b.txt", "x"),
        ("credentials-app/files/My-Credentials", "x"),
    ]);
    std::os::unix::fs::symlink("..", workspace.root().join("credentials-app/files/up")).unwrap();
    let gate = with(&workspace, |options| {
        options.file_tools.base = "./credentials-app/files/".to_owned();
        options.file_tools.denied = DeniedPaths::new(vec!["^drafts/".to_owned()]).unwrap();
    });
    for path in ["a.txt", "./a.txt", "..name", "up/files/a.txt"] {
        assert!(done(&gate, "file_read", json!({"path": path})).await.output.contains("in"), "{path}");
    }
    let absolute = workspace.root().join("credentials-app/out.txt").display().to_string();
    for path in ["../out.txt", "up/out.txt", &absolute, "drafts/b.txt", "My-Credentials", "drafts/../drafts/b.txt"] {
        for (tool, arguments) in [
            ("file_read", json!({"path": path})),
            ("file_write", json!({"path": path, "content": "changed"})),
            ("file_write", json!({"path": path, "content": "changed", "append": true})),
            ("file_edit", json!({"path": path, "old_text": "x", "new_text": "changed"})),
        ] {
            let (code, text) = failed(&gate, tool, arguments).await;
            assert_eq!(code, "permission_denied", "{tool} {path}: {text}");
        }
    }
    for (path, content) in [("out.txt", "out"), ("files/drafts/b.txt", "x"), ("files/My-Credentials", "x")] {
        assert_eq!(workspace.text(&format!("credentials-app/{path}")), content);
    }
}

#[tokio::test]
async fn get_datetime_says_one_moment_in_five_ways() {
    let workspace = TempWorkspace::new();
    // 28 November 2026, 08:20:05 UTC.
    let clock = FakeClock::default();
    clock.advance(Duration::from_secs(795_854_005));
    let gate = builder(&workspace, ToolsetName::Bots, &options()).with(|gate| gate.clock(Arc::new(clock))).build();
    let here = done(&gate, "get_datetime", json!({})).await.output;
    assert_eq!(
        here,
        "Date: 28 de noviembre de 2026\nTime: 05:20:05\nDay: sábado\nTimezone: America/Argentina/Buenos_Aires\n\
         ISO 8601: 2026-11-28T05:20:05-03:00"
    );
    for (zone, iso) in [
        ("Europe/Madrid", "2026-11-28T09:20:05+01:00"),
        ("Australia/Lord_Howe", "2026-11-28T19:20:05+11:00"),
        ("UTC", "2026-11-28T08:20:05+00:00"),
        ("  ", "2026-11-28T05:20:05-03:00"),
    ] {
        let result = done(&gate, "get_datetime", json!({"timezone": zone})).await;
        assert!(result.output.ends_with(&format!("ISO 8601: {iso}")), "{zone}: {}", result.output);
    }
    let (code, text) = failed(&gate, "get_datetime", json!({"timezone": "Madrid"})).await;
    assert!(code == "invalid_arguments" && text.contains("IANA"), "{text}");
}

#[tokio::test]
async fn what_the_operator_has_switched_off_is_not_offered() {
    let workspace = TempWorkspace::new();
    let gate = with(&workspace, |options| {
        options.file_tools.enabled = false;
        options.datetime.enabled = false;
    });
    for (tool, setting) in [("file_read", "fileTools.enabled"), ("get_datetime", "datetime.enabled")] {
        let (code, text) = failed(&gate, tool, json!({"path": "a"})).await;
        assert!(code == "unknown_tool" && text.contains(setting), "{text}");
    }
}
