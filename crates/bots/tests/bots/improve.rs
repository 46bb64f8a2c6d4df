//! A bot has its own files revised, by a program of the operator's or by its own model.

use crate::house::{House, block_on, chat};
use palanca_core::ToolResult;
use palanca_core::ports::NoAsker;
use palanca_testkit::Turn;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

/// A bot, and the folder of the program that revises it.
struct Place {
    house: House,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Place {
    type Target = House;

    fn deref(&self) -> &House {
        &self.house
    }
}

/// A bot whose reviser is this shell script, in which `WORKSPACE` is the workspace; without one, its own model.
fn house(mode: &str, script: Option<&str>, more: &str, turns: Vec<Turn>) -> Place {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("claude");
    let path = if script.is_some() { program.display().to_string() } else { String::new() };
    let improve = format!("improve: {{enabled: true, claudePath: '{path}'{more}}}");
    let house = House::new(&format!("[{{id: ana, confirmMode: {mode}}}]\n{improve}"), turns);
    if let Some(script) = script {
        let script = script.replace("WORKSPACE", &house.path("").display().to_string());
        std::fs::write(&program, format!("#!/bin/sh\n{script}")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    std::fs::create_dir_all(house.path("config/soul/ana/memory")).unwrap();
    for (name, text) in
        [("SOUL.md", "Be kind.\nBe kind.\n"), ("IDENTITY.md", "name: Ana\n"), ("MEMORY.md", "likes tea\n")]
    {
        std::fs::write(house.path("config/soul/ana").join(name), text).unwrap();
    }
    Place { house, _folder: folder }
}

fn improve(house: &House, arguments: Value) -> ToolResult {
    let bots = house.bots();
    block_on(async {
        let executor = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
        let result = executor.execute("improve", arguments).await;
        executor.end().await;
        result
    })
}

fn text(house: &House, name: &str) -> String {
    std::fs::read_to_string(house.path("config/soul/ana").join(name)).unwrap()
}

fn versions(house: &House) -> Vec<String> {
    let folder = house.path("config/soul/ana/.versions");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub fn a_program_revises_copies_and_the_call_makes_the_changes() {
    let script = "cat > /tmp/prompt\necho 'Be kind. One sentence. ñ' > SOUL.md\necho 'name: Eve' > IDENTITY.md\n\
                  echo x > ../extra\nls -a \"$HOME/soul\"; echo \"$@\"; cat /tmp/prompt; cat WORKSPACE/config/soul/ana/SOUL.md || echo UNSEEN\n";
    let folder = house("yolo", Some(script), "", Vec::new());
    let result = improve(&folder, json!({"focus": "soul", "context": "They say that I repeat myself: 'EOF' `$HOME`."}));
    assert!(result.success && result.foreign, "{}", result.for_model());
    assert_eq!(text(&folder, "SOUL.md"), "Be kind. One sentence. ñ\n");
    assert_eq!(text(&folder, "IDENTITY.md"), "name: Ana\n", "it was not asked about");
    let kept = versions(&folder);
    assert!(kept.len() == 1 && kept[0].starts_with("SOUL.md.") && kept[0].ends_with(".bak"), "{kept:?}");
    assert_eq!(text(&folder, &format!(".versions/{}", kept[0])), "Be kind.\nBe kind.\n");
    let diff = result.diff.as_deref().unwrap();
    assert!(diff.contains("-Be kind.\n-Be kind.\n+Be kind. One sentence. ñ"), "{diff}");
    assert_eq!(result.data, Some(json!({"changed": ["SOUL.md"]})));
    for words in [
        "Changed: SOUL.md.",
        "-p --allowedTools Read,Edit,Write,Glob,Grep",
        "Only these may change: SOUL.md.",
        "They say that I repeat myself: 'EOF' `$HOME`.",
        "UNSEEN",
    ] {
        assert!(result.output.contains(words), "{words}: {}", result.output);
    }
}

pub fn everything_is_revised_with_the_memory() {
    let script = "cat > /dev/null\necho 'likes tea and coffee' > MEMORY.md\nmkdir -p memory\necho old > memory/legacy.md\necho drive > MOTIVATIONS.md\necho done\n";
    let place = house("yolo", Some(script), "", Vec::new());
    let result = improve(&place, json!({}));
    assert_eq!(
        result.data,
        Some(json!({"changed": ["MOTIVATIONS.md", "MEMORY.md", "memory/legacy.md"]})),
        "{}",
        result.for_model()
    );
    assert_eq!(
        (text(&place, "MEMORY.md").as_str(), text(&place, "memory/legacy.md").as_str()),
        ("likes tea and coffee\n", "old\n")
    );
    let nothing = house("yolo", Some("cat > /dev/null\necho 'All is well.'\n"), "", Vec::new());
    let result = improve(&nothing, json!({"focus": "memory"}));
    assert!(result.success && result.output.contains("Nothing was changed.") && result.output.contains("All is well."));
    assert_eq!((result.diff, versions(&nothing)), (None, Vec::new()));
}

pub fn a_program_that_is_missing_fails_or_hangs_changes_nothing() {
    let missing = "improve: {enabled: true, claudePath: no-such-claude}";
    let place = House::new(&format!("[{{id: ana, confirmMode: yolo}}]\n{missing}"), Vec::new());
    let error = improve(&place, json!({})).error.unwrap();
    assert!(error.contains("There is no program 'no-such-claude'") && error.contains("improve.claudePath"), "{error}");
    for (script, more, words) in [
        ("cat > /dev/null\necho spoilt > SOUL.md\necho 'not logged in' >&2\nexit 3\n", "", "not logged in"),
        ("cat > /dev/null\necho spoilt > SOUL.md\nexec sleep 100000\n", ", timeout: 1500", "not done in time"),
    ] {
        let place = house("yolo", Some(script), more, Vec::new());
        let result = improve(&place, json!({"focus": "soul"}));
        assert!(!result.success && result.for_model().contains(words), "{script}: {}", result.for_model());
        assert_eq!((text(&place, "SOUL.md").as_str(), versions(&place).len()), ("Be kind.\nBe kind.\n", 0));
    }
}

pub fn without_a_program_the_bots_own_model_revises() {
    let answer = json!({"files": {"SOUL.md": "Be kind.\n", "IDENTITY.md": "name: Eve\n"}, "report": "Said once."});
    let place = house("yolo", None, "", vec![Turn::text(&answer.to_string())]);
    let result = improve(&place, json!({"focus": "soul", "context": "shorter"}));
    assert!(result.success && !result.foreign && result.output.contains("Said once."), "{}", result.for_model());
    assert_eq!((text(&place, "SOUL.md").as_str(), text(&place, "IDENTITY.md").as_str()), ("Be kind.\n", "name: Ana\n"));
    assert!(place.heard()[0][0].contains("=== SOUL.md (18 bytes)\nBe kind.\nBe kind.\n"), "{:?}", place.heard());
    assert!(place.instructions(0).contains("Only these may change: SOUL.md."));
    let place = house("yolo", None, "", vec![Turn::text("No."), Turn::text("No!"), Turn::text("Never.")]);
    let result = improve(&place, json!({"focus": "soul"}));
    assert!(result.for_model().contains("no usable revision"), "{}", result.for_model());
    assert_eq!(text(&place, "SOUL.md"), "Be kind.\nBe kind.\n");
}

pub fn what_may_not_be_revised_is_said_and_a_person_is_asked() {
    let place = house("yolo", Some("echo never >&2; exit 1\n"), ", allowedFocus: [memory, soul]", Vec::new());
    for (arguments, words) in [
        (json!({"focus": "identity"}), "'identity' may not be revised (improve.allowedFocus): use memory, soul."),
        (json!({}), "'all' may not be revised"),
        (json!({"focus": "goals"}), "focus"),
        (json!({"focus": "soul", "context": "x".repeat(4_001)}), "too long"),
    ] {
        let result = improve(&place, arguments);
        assert_eq!(result.code.as_deref(), Some("invalid_arguments"));
        assert!(result.for_model().contains(words), "{}", result.for_model());
    }
    let asks = house("confirm-sensitive", Some("exit 0\n"), "", Vec::new());
    assert_eq!(improve(&asks, json!({"focus": "soul"})).code.as_deref(), Some("confirm.no_terminal"));
    let elsewhere = House::new("[{id: ana}]\nimprove: {enabled: true, soulDir: '../souls'}", Vec::new());
    assert_eq!(elsewhere.bots().bot("ana").err().unwrap().message.key(), "cli-improve-folder");
    let off = House::new("[{id: ana}]", Vec::new());
    assert!(improve(&off, json!({})).for_model().contains("improve.enabled: true"));
}
