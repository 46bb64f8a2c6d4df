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

/// The one file below this folder.
fn only(workspace: &TempWorkspace, folder: &str) -> (String, String) {
    let mut found = workspace.everything().into_iter().filter(|(path, _)| path.contains(folder));
    let (path, content) = found.next().unwrap();
    assert_eq!(found.next(), None);
    (path, String::from_utf8(content).unwrap())
}

#[tokio::test]
async fn save_memory_adds_a_line_to_the_log_of_the_day() {
    let workspace = TempWorkspace::with(&[("config/soul/default/memory/legacy.md", "Ana is from Bilbao.\n")]);
    let gate = on(&workspace);
    let save = |fact: &str| json!({"fact": fact});
    let said = done(&gate, "save_memory", save("Ana likes\ntea")).await.output;
    assert_eq!(said, "Saved to memory: Ana likes tea");
    let secret = "Ana's account at the bank down the road, which she opened last year, has the password: hunter2";
    let said = done(&gate, "save_memory", save(secret)).await.output;
    assert!(said.contains("without what may not be kept") && said.ends_with("[REDACTED]"), "{said}");
    for known in ["ana likes tea.", "Ana is from Bilbao"] {
        assert!(done(&gate, "save_memory", save(known)).await.output.starts_with("Already in memory"), "{known}");
    }
    for (fact, words) in [
        ("api_key=abcdef123456", "credential"),
        ("+34 600 123 456", "telephone"),
        (" ", "Missing required parameter: fact"),
        (&*"x".repeat(2_001), "too long"),
    ] {
        assert!(failed(&gate, "save_memory", save(fact)).await.1.contains(words), "{fact}");
    }
    let (path, log) = only(&workspace, "config/soul/default/memory/2");
    assert!(path.rsplit('/').next().unwrap().len() == "2026-11-28.md".len() && path.ends_with(".md"), "{path}");
    let lines: Vec<&str> = log.lines().map(|line| line.split_once("] ").unwrap().1).collect();
    assert!(
        log.starts_with("- [") && lines[0] == "Ana likes tea" && lines.len() == 2 && !log.contains("hunter2"),
        "{log}"
    );
}

#[tokio::test]
async fn update_soul_replaces_and_keeps_the_version_before() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let update = |content: &str| json!({"content": content});
    assert_eq!(done(&gate, "update_soul", update("Be kind.")).await.output.lines().next(), Some("Soul updated."));
    assert!(!workspace.has("config/soul/default/.versions"), "there was nothing before");
    done(&gate, "update_soul", update("Be brief.")).await;
    assert_eq!(workspace.text("config/soul/default/SOUL.md"), "Be brief.\n");
    let (path, before) = only(&workspace, "config/soul/default/.versions/SOUL.md.");
    assert!(before == "Be kind.\n" && path.ends_with("Z.bak") && !path.contains(':'), "{path}");
    done(&gate, "update_soul", update("Be brief.")).await;
    only(&workspace, "config/soul/default/.versions/");
    assert!(failed(&gate, "update_soul", update("\n")).await.1.contains("Missing required parameter: content"));
}

#[tokio::test]
async fn update_identity_changes_what_is_given() {
    let workspace = TempWorkspace::with(&[("config/soul/default/IDENTITY.md", "name: Ana\nborn: 1985\n")]);
    let gate = on(&workspace);
    let said = done(&gate, "update_identity", json!({"name": "Eva", "emoji": "🦊"})).await.output;
    assert_eq!(said.lines().next(), Some("Identity updated: name=Eva, emoji=🦊"));
    assert_eq!(workspace.text("config/soul/default/IDENTITY.md"), "name: Eva\nborn: 1985\nemoji: 🦊\n");
    for wrong in [json!({}), json!({"name": " "}), json!({"vibe": "calm\nname: Mallory"})] {
        assert_eq!(failed(&gate, "update_identity", wrong.clone()).await.0, "invalid_arguments", "{wrong}");
    }
    let folder = TempWorkspace::with(&[("config/soul/default/IDENTITY.md/x", "")]);
    assert_eq!(failed(&on(&folder), "update_identity", json!({"name": "a"})).await.0, "wrong_type");
    let binary = TempWorkspace::new();
    binary.write("config/soul/default/IDENTITY.md", [0_u8, 1, 2]);
    assert!(failed(&on(&binary), "update_identity", json!({"name": "a"})).await.1.contains("IDENTITY.md"));
}

#[tokio::test]
async fn manage_goals_has_four_actions() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let goals = |arguments: serde_json::Value| done(&gate, "manage_goals", arguments);
    assert!(goals(json!({"action": "list"})).await.output.contains("no file of goals yet"));
    let added = goals(json!({"action": "add", "goal": "learn Basque", "priority": "high"})).await.output;
    assert_eq!(added.lines().next(), Some("Goal added: learn Basque"));
    goals(json!({"action": "update", "goal": "basque", "status": "in_progress", "notes": "lesson 3"})).await;
    let listed = goals(json!({"action": "list"})).await.output;
    assert!(
        listed.contains("- [ ] learn Basque\n  - status: in_progress\n  - priority: high\n  - notes: lesson 3"),
        "{listed}"
    );
    goals(json!({"action": "complete", "goal": "learn", "outcome": "can order tea"})).await;
    let text = workspace.text("config/soul/default/GOALS.md");
    assert!(
        text.contains("(no active goals)") && text.contains("- [x] learn Basque") && text.contains("can order tea"),
        "{text}"
    );
    let (code, none) = failed(&gate, "manage_goals", json!({"action": "complete", "goal": "swim"})).await;
    assert!(code == "not_found" && none.contains("'swim'"), "{none}");
    let (code, action) = failed(&gate, "manage_goals", json!({"action": "delete", "goal": "x"})).await;
    assert!(code == "invalid_arguments" && action.contains("complete"), "{action}");
}

#[tokio::test]
async fn memory_get_shows_lines_of_one_file_of_its_own_folder() {
    let workspace = TempWorkspace::with(&[
        ("config/soul/default/memory/2026-02-20.md", "- [09:00] tea\n- [09:01] Bilbao\n- [09:02] rain\n"),
        ("config/soul/default/memory/a..b.md", "two dots\n"),
        ("config/soul/default-b/memory/legacy.md", "of another bot\n"),
        ("notes.md", "outside\n"),
    ]);
    let own = workspace.root().join("config/soul/default");
    std::os::unix::fs::symlink("memory/2026-02-20.md", own.join("inside.md")).unwrap();
    std::os::unix::fs::symlink("../../..", own.join("up")).unwrap();
    let gate = on(&workspace);
    let day = "memory/2026-02-20.md";
    for (arguments, expected) in [
        (json!({"path": day}), "1: - [09:00] tea\n2: - [09:01] Bilbao\n3: - [09:02] rain"),
        (json!({"path": day, "from": 2}), "2: - [09:01] Bilbao\n3: - [09:02] rain"),
        (json!({"path": "./memory/2026-02-20.md", "from": 3, "lines": 9}), "3: - [09:02] rain"),
        (json!({"path": "memory/a..b.md"}), "1: two dots"),
        (json!({"path": "memory/2026-02-21.md"}), "File not found: memory/2026-02-21.md"),
    ] {
        assert_eq!(done(&gate, "memory_get", arguments.clone()).await.output, expected, "{arguments}");
    }
    let part = done(&gate, "memory_get", json!({"path": day, "from": 1, "lines": 2})).await.output;
    assert_eq!(part, "1: - [09:00] tea\n2: - [09:01] Bilbao");
    let absolute = own.join(day).display().to_string();
    for path in ["../default-b/memory/legacy.md", "memory/../../../../notes.md", &absolute, "up/notes.md", "inside.md"]
    {
        let (code, text) = failed(&gate, "memory_get", json!({"path": path})).await;
        assert!(code == "permission_denied" && text.contains(path), "{path}: {code} {text}");
    }
    for (arguments, words) in [
        (json!({"path": day, "from": 4}), "`from=4` is past its end"),
        (json!({"path": day, "from": 0}), "from"),
        (json!({"path": ""}), "no file of your memory"),
    ] {
        let (_, text) = failed(&gate, "memory_get", arguments).await;
        assert!(text.contains(words), "{text}");
    }
    let long = "x".repeat(99) + "\n";
    workspace.write("config/soul/default/MEMORY.md", long.repeat(2_000));
    let text = done(&gate, "memory_get", json!({"path": "MEMORY.md"})).await.output;
    let (_, next) = text.rsplit_once("Call memory_get again with `from=").unwrap();
    assert!(next.trim_end_matches("` for more.]").parse::<u64>().unwrap() > 1_000, "{next}");
    for (change, setting) in [
        ((|options| options.soul.search.enabled = false) as fn(&mut ToolOptions), "soul.search.enabled: true"),
        (|options| options.soul.enabled = false, "soul.enabled: true"),
    ] {
        let (code, text) = failed(&with(&workspace, change), "memory_get", json!({"path": day})).await;
        assert!(code == "unknown_tool" && text.contains(setting), "{text}");
    }
}
