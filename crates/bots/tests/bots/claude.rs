//! The program `claude` as a model of bots: a shell script stands for it.

use crate::house::{House, block_on, chat, say};
use palanca_core::ToolResult;
use palanca_core::ports::NoAsker;
use palanca_core::tool::Cancel;
use palanca_testkit::Turn;
use serde_json::{Value, json};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::sync::Arc;

/// Bob is asked without tools.
const ASKED: &str = "collaboration: {enabled: true, enableTargetTools: false}";

/// A house, and the folder of the program.
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

/// Ana has the models of the scripted server; bob has these. `WORKSPACE` in the script is the workspace.
fn house(models: &str, script: &str, more: &str, turns: Vec<Turn>) -> Place {
    let folder = tempfile::tempdir().unwrap();
    let (program, link) = (folder.path().join("claude-2.sh"), folder.path().join("bin/claude"));
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::os::unix::fs::symlink("../claude-2.sh", &link).unwrap();
    let house = House::with(
        &format!(", claude_path: '{}'{more}", link.display()),
        &format!(
            "[{{id: ana, confirmMode: yolo}}, {{id: bob, model: {models}}}]\n{ASKED}\nwebTools: {{maxToolRounds: 1}}\nollama: {{baseUrl: 'SERVER'}}"
        ),
        turns,
    );
    let script = script.replace("WORKSPACE", &house.path("").display().to_string());
    std::fs::write(&program, format!("#!/bin/sh\n{script}")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(house.path("here.txt"), "seen").unwrap();
    Place { house, _folder: folder }
}

fn ask_bob(house: &House, words: &str) -> ToolResult {
    let bots = house.bots();
    block_on(async {
        let executor = bots.executor(&chat("1"), "ana", Arc::new(NoAsker)).unwrap();
        let question = json!({"action": "send", "targetBotId": "bob", "message": words});
        let result = executor.execute("collaborate", question).await;
        executor.end().await;
        result
    })
}

fn response(result: &ToolResult) -> &str {
    result.data.as_ref().and_then(|data| data["response"].as_str()).unwrap_or_else(|| panic!("{result:?}"))
}

pub fn turns_without_tools_are_the_programs_and_those_with_tools_the_next_models() {
    let round = || Turn::calls([("get_datetime", json!({}))]);
    let turns = vec![round(), Turn::text("With tools.")];
    let house = house("['claude-cli:sonnet', 'ollama:b']", "cat > /dev/null; echo 'Without tools.'\n", "", turns);
    let bots = house.bots();
    block_on(async {
        let chat = chat("1");
        let said = |words: &'static str| say(&bots, "bob", &chat, words, Cancel::new());
        let ended = said("What time is it?").await.unwrap();
        assert_eq!(ended.answer.as_deref(), Some("Without tools."), "the last round: {ended:?}");
        assert_eq!(said("And now?").await.unwrap().answer.as_deref(), Some("With tools."));
    });
    assert_eq!(response(&ask_bob(&house, "Hello?")), "Without tools.");
    let asked = house.heard();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].contains(&"Without tools.".to_owned()), "one conversation, whoever answers: {asked:?}");
}

pub fn it_is_shut_in_with_a_home_of_its_own_and_hears_everything_on_its_input() {
    let script = "cat > \"$HOME/heard\"\nfor word; do echo \"[$word]\"; done > \"$HOME/words\"\n\
                  echo changed > WORKSPACE/here.txt\ncat WORKSPACE/here.txt || echo '{\"tool\": \"exec\"} UNSEEN'\n";
    let house = house("claude-cli:sonnet", script, "", Vec::new());
    let result = ask_bob(&house, "Tell `me`\n\"$HOME\"");
    assert_eq!(response(&result), "{\"tool\": \"exec\"} UNSEEN", "text, whatever it looks like");
    assert!(result.foreign);
    assert_eq!(std::fs::read_to_string(house.path("here.txt")).unwrap(), "seen");
    let words = std::fs::read_to_string(house.state("claude-cli/words")).unwrap();
    let flags = "[-p]\n[--output-format]\n[text]\n[--tools]\n[]\n[--strict-mcp-config]\n[--setting-sources]\n[]\n\
                 [--no-session-persistence]\n[--system-prompt]\n";
    assert!(words.starts_with(flags) && words.ends_with("[--model]\n[sonnet]\n"), "{words}");
    let heard = std::fs::read_to_string(house.state("claude-cli/heard")).unwrap();
    let lines: Vec<Value> = heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let roles: Vec<&str> = lines.iter().map(|line| line["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user"], "{heard}");
    let message = lines[1]["text"].as_str().unwrap();
    assert!(message.contains("Tell `me`\n\"$HOME\"") && !words.contains("Tell"), "{message}");
}

pub fn where_it_does_not_answer_the_next_model_does_or_it_is_said_why() {
    for (script, more, reasons) in [
        (None, "", ["which could not be started", "llm.claude_path"]),
        (Some("echo 'Not logged in'; exit 1\n"), "", ["exit code 1). It said: Not logged in", "ANTHROPIC_API_KEY"]),
        (Some("cat > /dev/null; echo\n"), "", ["(empty answer)", "llm.claude_path"]),
        (Some("kill -9 $$\n"), "", ["(signal 9)", "llm.claude_path"]),
        (Some("yes\n"), "", ["too long", "in bytes: 1048576"]),
        (Some("exec sleep 100000\n"), ", timeout: 1", ["within 1 second, so it was ended", "llm.timeout"]),
    ] {
        let alone = house("claude-cli:sonnet", script.unwrap_or_default(), more, Vec::new());
        let with =
            house("['claude-cli:sonnet', 'ollama:b']", script.unwrap_or_default(), more, vec![Turn::text("I can.")]);
        if script.is_none() {
            let [one, two] = [&alone, &with].map(|place| place._folder.path().join("claude-2.sh"));
            std::fs::remove_file(one).and_then(|()| std::fs::remove_file(two)).unwrap();
        }
        let failed = ask_bob(&alone, "Hello?");
        let why = failed.error.as_deref().unwrap_or_else(|| panic!("{failed:?}"));
        for reason in reasons.into_iter().chain(["claude-cli:sonnet", "bin/claude"]) {
            assert!(why.contains(reason), "{reason}: {why}");
        }
        assert_eq!(response(&ask_bob(&with, "Hello?")), "I can.", "{script:?}");
    }
}

pub fn alone_it_takes_no_turn_with_tools() {
    let house = house("claude-cli:sonnet", "cat > /dev/null; echo never\n", "", Vec::new());
    let bots = house.bots();
    let ended = block_on(say(&bots, "bob", &chat("1"), "Hi", Cancel::new())).unwrap();
    assert_eq!(ended.answer, None);
    let why = &ended.report.output;
    assert!(
        why.contains("cannot call tools") && why.contains("model: [\"claude-cli:sonnet\", \"ollama:NAME\"]"),
        "{why}"
    );
    assert!(!house.state("claude-cli/heard").exists());
}

pub fn it_ends_with_its_turn() {
    let tools = house("claude-cli:sonnet", "", "", Vec::new()).bots().tools_for_bot("bob").unwrap();
    let models = format!("claude-cli:sonnet, disabledTools: [{}]", tools.names().collect::<Vec<_>>().join(", "));
    let house = house(&models, "exec sleep 100000 < \"$HOME/alive\"\n", ", timeout: 3600", Vec::new());
    let home = house.state("claude-cli");
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&home).unwrap();
    let alive = home.join("alive");
    assert!(std::process::Command::new("mkfifo").arg(&alive).status().unwrap().success());
    let cancel = Cancel::new();
    let ends = cancel.clone();
    let seen = std::thread::spawn(move || {
        // Opened once the program reads, which it goes on doing until it has ended.
        let mut pipe = std::fs::OpenOptions::new().write(true).open(alive).unwrap();
        ends.cancel();
        while pipe.write_all(&[0; 4096]).is_ok() {}
    });
    let bots = house.bots();
    block_on(async {
        let ended = say(&bots, "bob", &chat("1"), "Hi", cancel).await.unwrap();
        assert_eq!(ended.answer, None);
        tokio::task::spawn_blocking(move || seen.join().unwrap()).await.unwrap();
    });
}
