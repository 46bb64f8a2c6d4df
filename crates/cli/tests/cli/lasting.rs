//! Runs that are kept: gone on with, listed, shown, exported, cleaned; and what a person is told when that cannot be.

use crate::harness::{Bench, Ended, ended, lives};
use palanca_testkit::{Manner, ScriptedServer, Tools, Turn, until};
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};

fn write(path: &str) -> Value {
    json!({"content": "", "tool_calls": [{"id": "c", "name": "write_file", "arguments": {"path": path, "content": "x\n"}}]})
}

fn say(text: &str) -> Value {
    json!({ "content": text })
}

/// A recorded model in the bench's workspace.
fn script(bench: &Bench, name: &str, answers: &[Value]) -> String {
    let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
    let file = bench.home().with_file_name(name);
    std::fs::write(&file, lines).unwrap();
    format!("replay:{}", file.display())
}

fn run(bench: &Bench, model: &str, more: &[&str]) -> Ended {
    bench.run(&[&["run", "Do it", "--model", model, "--mode", "yolo"], more].concat())
}

fn kept(bench: &Bench) -> Vec<Value> {
    let rows = bench.run(&["sessions", "list", "--json"]).expect(0).json();
    rows.as_array().unwrap().iter().filter(|row| row["status"].is_string()).cloned().collect()
}

fn id(bench: &Bench) -> String {
    kept(bench)[0]["id"].as_str().unwrap().to_owned()
}

fn exported(bench: &Bench, id: &str) -> Vec<Value> {
    let lines = bench.run(&["sessions", "export", id]).expect(0).stdout;
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn openai(bench: &Bench, server: &ScriptedServer, arguments: &[&str]) -> Ended {
    let mut command = bench.command(arguments);
    ended(command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "sk-x").output().unwrap())
}

fn server(turns: Vec<Turn>) -> ScriptedServer {
    ScriptedServer::spawn(turns, Manner { chunk: 4096, tools: Tools::Read })
}

#[test]
fn a_run_says_where_it_is_kept_and_how_to_go_on() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let model = script(&bench, "m.jsonl", &[write("b.txt"), say("Done.")]);
    let ended = run(&bench, &model, &[]).expect(0);
    let id = id(&bench);
    assert!(ended.stderr.contains(&format!("session {id}: palanca sessions resume {id}")), "{}", ended.stderr);
    assert_eq!(run(&bench, &model, &["--json"]).expect(0).json()["session"].as_str().map(str::len), Some(36));
    let row = &kept(&bench)[1];
    assert_eq!(
        (&row["status"], &row["stop_reason"], &row["task"], &row["agent"], &row["calls"], &row["model_calls"]),
        (&json!("success"), &json!("llm_done"), &json!("Do it"), &json!("build"), &json!(1), &json!(2))
    );
    let page = bench.run(&["sessions", "list"]).expect(0).stdout;
    assert!(page.contains("success") && page.contains("Do it"), "{page}");
    let shown = bench.run(&["sessions", "show", &id[..30], "--diff"]).expect(0).stdout;
    for part in ["> Do it", "write_file path=b.txt", "+x", "Done.", "= success (llm_done)", "create b.txt"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let whole = bench.run(&["sessions", "show", &id, "--json"]).expect(0).json();
    let kinds: Vec<&str> =
        whole["timeline"].as_array().unwrap().iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["prompt", "answer", "call", "answer", "ended"]);
    assert_eq!(whole["timeline"][2]["files"], json!(["b.txt"]));
}

#[test]
fn a_session_goes_on_with_everything_that_was_said_and_used() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let first = server(vec![Turn::calls([("read_file", json!({"path": "a.txt"}))]), Turn::text("It says one.")]);
    let arguments = ["run", "What does a.txt say?", "--model", "openai:gpt-4o", "--json", "--agent", "plan"];
    let before = openai(&bench, &first, &arguments).expect(0).json();
    let id = before["session"].as_str().unwrap();

    let second = server(vec![Turn::text("Still one.")]);
    let after = openai(&bench, &second, &["run", "And now?", "--session", id, "--json"]).expect(0).json();
    assert_eq!((&after["session"], &after["steps"], &after["output"]), (&json!(id), &json!(3), &json!("Still one.")));
    assert_eq!(after["tools_used"], json!([]));
    let spent = |report: &Value| report["costs"]["total_tokens"].as_u64().unwrap();
    assert!(spent(&after) > spent(&before) && after["cost"].as_f64() > before["cost"].as_f64());
    let sent = &second.requests()[0].body;
    let roles: Vec<&str> =
        sent["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "user"]);
    let offered = sent["tools"].to_string();
    assert!(!offered.contains("write_file"), "the agent is the session's: {offered}");

    let third = server(vec![Turn::text("Nothing.")]);
    let done = openai(&bench, &third, &["sessions", "resume", "latest"]).expect(0);
    assert!(done.stderr.contains("ended successfully") && done.stdout.contains("Still one."), "{}", done.stderr);
    assert_eq!(third.requests().len(), 0);
    let third = openai(&bench, &third, &["sessions", "resume", "latest", "Anything else?"]).expect(0);
    assert!(third.stdout.contains("Nothing."), "{}", third.stdout);
    assert_eq!(kept(&bench)[0]["model_calls"], 4);
}

#[test]
fn whatever_ends_a_run_it_is_kept_and_can_go_on() {
    for (turns, arguments, code, reason) in [
        (vec![Turn::status(401, "no")], &[][..], 4, "llm_error"),
        (vec![Turn::hang()], &["--timeout", "0.6"], 5, "timeout"),
        (vec![Turn::calls([("list_files", json!({}))]), Turn::text("So far.")], &["--max-steps", "1"], 2, "max_steps"),
    ] {
        let bench = Bench::new(&[("a.txt", "one\n")]);
        let first = server(turns);
        let run = [&["run", "Go", "--model", "openai:gpt-4o", "--mode", "yolo"], arguments].concat();
        openai(&bench, &first, &run).expect(code);
        let row = &kept(&bench)[0];
        assert_eq!(row["stop_reason"], reason);
        let second = server(vec![Turn::text("Now it is done.")]);
        let went_on = openai(&bench, &second, &["sessions", "resume", &id(&bench), "--max-steps", "3"]).expect(0);
        assert!(went_on.stdout.contains("Now it is done."), "{reason}: {}", went_on.stdout);
        assert_eq!(kept(&bench)[0]["status"], "success");
        let last = second.requests()[0].body["messages"].as_array().unwrap().last().unwrap()["role"].clone();
        assert_ne!(last, "assistant", "models answer users, not themselves");
    }
}

/// Says that it has begun. No other command on this machine has this number.
fn long(name: &str) -> String {
    format!("touch begun-{name}; sleep {}", number(name))
}

fn number(name: &str) -> String {
    format!("3000.{}{}", std::process::id(), name.len())
}

/// The process of this command, once the long one that it runs has begun.
fn begun(bench: &Bench, mut command: Command, name: &str) -> Child {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let begun = bench.workspace().join(format!("begun-{name}"));
    until(&format!("{name} has begun"), || begun.exists());
    child
}

/// Sends it a signal, and waits for its end.
fn ended_by(child: Child, signal: Signal) -> Ended {
    rustix::process::kill_process(Pid::from_child(&child), signal).unwrap();
    ended(child.wait_with_output().unwrap())
}

/// The audit log is whole, and the long command of this name is gone.
fn leaves_nothing(bench: &Bench, name: &str) {
    bench.run(&["audit", "verify"]).expect(0);
    assert!(!lives(&number(name)), "{name}");
}

#[test]
fn an_interrupted_run_is_kept_and_goes_on() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let bench = Bench::new(&[]);
        let first = server(vec![Turn::calls([("run_command", json!({"command": long("run")}))])]);
        let mut command = bench.heeding(&["run", "Go", "--model", "openai:gpt-4o", "--mode", "yolo"]);
        command.env("OPENAI_BASE_URL", first.openai_url()).env("OPENAI_API_KEY", "sk-x");
        let child = begun(&bench, command, "run");
        let held = openai(&bench, &first, &["sessions", "resume", "latest"]).expect(1);
        assert!(held.stderr.contains("session 0"), "who has it is named: {}", held.stderr);
        ended_by(child, signal).expect(130);
        let row = &kept(&bench)[0];
        assert_eq!((row["status"].as_str(), row["stop_reason"].as_str()), (Some("partial"), Some("user_interrupt")));
        leaves_nothing(&bench, "run");
        let second = server(vec![Turn::text("On.")]);
        openai(&bench, &second, &["sessions", "resume", "latest"]).expect(0);
        let sent = second.requests()[0].body["messages"].as_array().unwrap().clone();
        assert_eq!(sent.iter().filter(|message| message["role"] == "tool").count(), 1);
    }
}

#[test]
fn interrupted_calls_are_recorded_once_each() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let bench = Bench::new(&[]);
        let call = |name: &str| json!({"tool": "run_command", "args": {"command": long(name)}});
        bench.write(
            "calls.jsonl",
            &format!("{}\n{}\n", call("batch"), json!({"tool": "echo", "args": {"message": "hi"}})),
        );
        let batch = bench.heeding(&["call", "--batch", "calls.jsonl", "--mode", "yolo"]);
        let batch = ended_by(begun(&bench, batch, "batch"), signal).expect(130);
        leaves_nothing(&bench, "batch");
        let ends: Vec<Value> = batch.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(ends.iter().map(|end| end["outcome"].clone()).collect::<Vec<_>>(), ["stopped", "stopped"]);
        let one = bench.heeding(&["call", "run_command", &format!("command={}", long("call")), "--mode", "yolo"]);
        ended_by(begun(&bench, one, "call"), signal).expect(130);
        leaves_nothing(&bench, "call");
        let log = bench.run(&["audit", "show", "--json"]).expect(0).stdout;
        let outcomes = log.lines().filter(|line| line.contains("\"kind\":\"outcome\""));
        assert_eq!(outcomes.count(), 3);
    }
}

#[test]
fn a_hangup_that_nohup_keeps_away_ends_nothing() {
    let bench = Bench::new(&[]);
    let program =
        bench.command(&["call", "run_command", "command=touch begun-x; while [ ! -e go ]; do sleep 0.02; done"]);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\" --mode yolo"])
        .arg(program.get_program())
        .args(program.get_args());
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(bench.workspace());
    let child = begun(&bench, shell, "x");
    rustix::process::kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    bench.write("go", "");
    ended(child.wait_with_output().unwrap()).expect(0);
}

#[test]
fn a_resumed_mode_is_never_less_strict_unless_given() {
    let bench = Bench::new(&[]);
    let model =
        script(&bench, "m.jsonl", &[say("First."), write("b.txt"), say("Could not."), write("b.txt"), say("Did.")]);
    bench.run(&["run", "Go", "--model", &model, "--mode", "confirm-all"]).expect(0);
    bench.run(&["sessions", "resume", "latest", "Write it"]).expect(6);
    assert!(!bench.workspace().join("b.txt").exists());
    bench.run(&["sessions", "resume", "latest", "Write it now", "--mode", "yolo"]).expect(0);
    assert_eq!(bench.read("b.txt"), "x\n");
    // An agent that never asks because it only looks does not hand that on to one that writes.
    let plan = Bench::new(&[]);
    let model = script(&plan, "m.jsonl", &[say("A plan."), write("b.txt"), say("Could not.")]);
    plan.run(&["run", "Plan", "--model", &model, "--agent", "plan"]).expect(0);
    plan.run(&["sessions", "resume", "latest", "Do it", "--agent", "build"]).expect(6);
    assert!(!plan.workspace().join("b.txt").exists());
}

#[test]
fn limits_that_were_passed_before_are_passed_still() {
    let bench = Bench::new(&[("palanca.yaml", "guardrails: {max_files_modified: 2}\n")]);
    let model = script(&bench, "m.jsonl", &[write("b.txt"), write("c.txt"), say("Two."), write("d.txt"), say("No.")]);
    run(&bench, &model, &[]).expect(0);
    let report = bench.run(&["sessions", "resume", "latest", "More", "--json"]).expect(0).json();
    assert_eq!(report["tools_used"][0]["code"], "guardrails.max_files_modified", "{report}");
    assert!(!bench.workspace().join("d.txt").exists());
    let spent = Bench::new(&[]);
    let first = server(vec![Turn::calls([("list_files", json!({}))]).with_usage(100_000, 10), Turn::text("x")]);
    let arguments = ["run", "Go", "--model", "openai:gpt-4o", "--max-tokens", "100050"];
    openai(&spent, &first, &arguments).expect(2);
    let second = server(vec![Turn::text("x")]);
    openai(&spent, &second, &["sessions", "resume", "latest"]).expect(2);
    assert_eq!(second.requests().len(), 0, "nothing is spent beyond the session's own limit");
}

#[test]
fn an_id_is_never_a_path() {
    let bench = Bench::new(&[]);
    for id in ["../../etc", "a/b", "", "x y", ".", "..", "\u{e9}"] {
        let long = "x".repeat(65);
        for id in [id, &long] {
            for arguments in [
                &["sessions", "resume", id][..],
                &["sessions", "export", id],
                &["sessions", "show", id],
                &["run", "x", "--session", id],
            ] {
                let ended = bench.run(arguments).expect(3);
                assert!(ended.stderr.contains("sessions list"), "{id:?}: {}", ended.stderr);
            }
        }
    }
    assert!(bench.run(&["sessions", "resume", "latest"]).expect(3).stderr.contains("palanca run"));
    assert!(bench.run(&["sessions", "resume", "zzz"]).expect(3).stderr.contains("zzz"));
    let spanish = bench.run(&["sessions", "export", "zzz", "--lang", "es"]).expect(3);
    assert!(spanish.stderr.contains("ninguna ejecución guardada"), "{}", spanish.stderr);
}

#[test]
fn a_workspace_that_is_gone_is_named_and_nothing_changes() {
    let bench = Bench::new(&[]);
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("project");
    std::fs::create_dir(&gone).unwrap();
    let model = script(&bench, "m.jsonl", &[say("One."), say("Two.")]);
    let place = gone.display().to_string();
    run(&bench, &model, &["--workspace", &place]).expect(0);
    let id = id(&bench);
    let before = exported(&bench, &id);
    let moved = folder.path().join("moved");
    std::fs::rename(&gone, &moved).unwrap();
    for arguments in [&["sessions", "resume", &id, "go on"][..], &["run", "go on", "--session", &id]] {
        let ended = bench.run(arguments).expect(3);
        assert!(ended.stderr.contains(&place) && ended.stderr.contains("--workspace"), "{}", ended.stderr);
    }
    assert_eq!(exported(&bench, &id), before);
    let moved = moved.display().to_string();
    let found = bench.run(&["sessions", "resume", &id, "go on", "--workspace", &moved]).expect(0);
    assert!(found.stdout.contains("Two."), "{}", found.stdout);
}

#[test]
fn a_store_that_cannot_be_used_is_named_and_nothing_is_done() {
    let bench = Bench::new(&[]);
    std::fs::write(bench.home().join("palanca.db"), "this is no database at all, but long enough to be one\n").unwrap();
    let model = script(&bench, "m.jsonl", &[write("b.txt"), say("Done.")]);
    let ended = run(&bench, &model, &[]).expect(1);
    assert!(ended.stderr.contains("palanca.db") && ended.stderr.contains("AUTO_SAVE"), "{}", ended.stderr);
    assert!(!bench.workspace().join("b.txt").exists());
    let fresh = Bench::new(&[]);
    let model = script(&fresh, "m.jsonl", &[say("Done.")]);
    let mut command = fresh.command(&["run", "Go", "--model", &model]);
    let unkept = ended_of(command.env("PALANCA_SESSIONS_AUTO_SAVE", "false")).expect(0);
    assert!(!unkept.stderr.contains("sessions resume"), "{}", unkept.stderr);
    assert_eq!(kept(&fresh), [] as [Value; 0]);
}

fn ended_of(command: &mut Command) -> Ended {
    ended(command.output().unwrap())
}

#[test]
fn a_dry_run_is_not_kept_and_changes_nothing_of_a_session() {
    let bench = Bench::new(&[]);
    let model = script(&bench, "m.jsonl", &[say("One."), write("b.txt"), say("Two.")]);
    run(&bench, &model, &["--dry-run"]).expect(0);
    assert_eq!(kept(&bench), [] as [Value; 0]);
    run(&bench, &model, &[]).expect(0);
    let before = exported(&bench, &id(&bench));
    let dry = bench.run(&["sessions", "resume", "latest", "Write", "--dry-run"]).expect(0);
    assert!(dry.stdout.contains("write_file"), "{}", dry.stdout);
    assert!(!bench.workspace().join("b.txt").exists());
    assert_eq!(exported(&bench, &id(&bench)), before);
}

#[test]
fn an_export_can_be_played_again_and_read() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let model = script(&bench, "m.jsonl", &[write("b.txt"), say("Done, ``` and <b>all</b>.")]);
    run(&bench, &model, &[]).expect(0);
    let replay = bench.run(&["sessions", "export", "latest", "--as", "replay"]).expect(0).stdout;
    let file = bench.home().with_file_name("again.jsonl");
    std::fs::write(&file, replay).unwrap();
    std::fs::remove_file(bench.workspace().join("b.txt")).unwrap();
    let again = run(&bench, &format!("replay:{}", file.display()), &[]).expect(0);
    assert!(again.stdout.contains("Done, ```"), "{}", again.stdout);
    assert_eq!(bench.read("b.txt"), "x\n");
    let page = bench.run(&["sessions", "export", "latest", "--as", "markdown"]).expect(0).stdout;
    for part in ["# `Do it`", "**`write_file`** done", "````\nDone, ```", "+++ b/b.txt"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let rows = exported(&bench, "latest");
    assert_eq!((&rows[0]["kind"], &rows[0]["number"]), (&json!("began"), &json!(1)));
}

#[test]
fn nothing_that_is_kept_holds_a_secret() {
    let secret = "correct-horse-battery-staple-1234";
    let bench = Bench::new(&[("a.txt", &format!("key={secret}\n"))]);
    let model = script(
        &bench,
        "m.jsonl",
        &[
            json!({"content": format!("It is {secret}."), "tool_calls": [
                {"id": "c1", "name": "read_file", "arguments": {"path": "a.txt"}},
                {"id": "c2", "name": "write_file", "arguments": {"path": "b.txt", "content": secret}},
            ]}),
            say("Done."),
        ],
    );
    let task = format!("Find {secret}");
    let mut command = bench.command(&["run", &task, "--model", &model, "--mode", "yolo", "--report", "json"]);
    let ended = ended_of(command.env("MY_API_TOKEN", secret)).expect(0);
    assert!(!ended.stderr.contains(secret), "{}", ended.stderr);
    let export = bench.run(&["sessions", "export", "latest"]).expect(0).stdout;
    assert!(export.contains("REDACTED") && !export.contains(secret), "{export}");
    for name in ["palanca.db", "palanca.db-wal"] {
        let bytes = std::fs::read(bench.home().join(name)).unwrap_or_default();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{name}");
    }
}

#[test]
fn old_sessions_are_cleaned_away_and_running_ones_are_left() {
    let bench = Bench::new(&[]);
    let model = script(&bench, "m.jsonl", &[write("b.txt"), say("Done.")]);
    run(&bench, &model, &[]).expect(0);
    bench.run(&["call", "list_files"]).expect(0);
    assert_eq!(bench.run(&["sessions", "clean", "--older-than", "1", "--json"]).expect(0).json()["removed"], json!([]));
    let running = server(vec![Turn::hang()]);
    let mut command = bench.command(&["run", "Wait", "--model", "openai:gpt-4o"]);
    command.env("OPENAI_BASE_URL", running.openai_url()).env("OPENAI_API_KEY", "sk-x");
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    until("the model is asked", || !running.requests().is_empty());
    let dry = bench.run(&["sessions", "clean", "--older-than", "0", "--json", "--dry-run"]).expect(0).json();
    assert_eq!(dry["removed"].as_array().unwrap().len(), 2, "{dry}");
    assert_eq!(bench.run(&["sessions", "list", "--json"]).expect(0).json().as_array().unwrap().len(), 3);
    let cleaned = bench.run(&["sessions", "clean", "--older-than", "0", "--json"]).expect(0).json();
    assert_eq!((&cleaned["removed"], &cleaned["undo_steps"]), (&dry["removed"], &json!(1)));
    assert_eq!(cleaned["running"].as_array().unwrap().len(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let left = bench.run(&["sessions", "list", "--json"]).expect(0).json();
    assert_eq!((left.as_array().unwrap().len(), &left[0]["status"]), (1, &json!("interrupted")), "{left}");
    let words = bench.run(&["sessions", "clean", "--older-than", "0", "--lang", "es"]).expect(0);
    assert!(words.stderr.contains("Se eliminó una sesión"), "{}", words.stderr);
    assert_eq!(bench.run(&["sessions", "list", "--json"]).expect(0).json(), json!([]));
}

#[test]
fn reports_come_in_three_forms_into_folders_that_are_made() {
    let bench = Bench::new(&[("a.txt", "one\n"), ("old.txt", "x\n")]);
    let delete = json!({"content": "", "tool_calls": [
        {"id": "d", "name": "delete_file", "arguments": {"path": "old.txt"}},
        {"id": "e", "name": "edit_file", "arguments": {"path": "a.txt", "old_str": "one", "new_str": "two"}},
        {"id": "f", "name": "read_file", "arguments": {"path": "none.txt"}},
    ]});
    let model = script(&bench, "m.jsonl", &[write("b.txt"), delete, say("Done.")]);
    let file = bench.workspace().join("reports/deep/run.json");
    let config = bench.home().with_file_name("own.yaml");
    std::fs::write(&config, "workspace: {allow_delete: true}\n").unwrap();
    let config = config.display().to_string();
    let ended = run(&bench, &model, &["--report-file", &file.display().to_string(), "-c", &config]).expect(0);
    assert!(!ended.stderr.contains("files_modified"), "{}", ended.stderr);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(
        report["files_modified"],
        json!([
            {"path": "a.txt", "action": "modified"},
            {"path": "b.txt", "action": "created"},
            {"path": "old.txt", "action": "deleted"},
        ])
    );
    for key in [
        "task",
        "agent",
        "model",
        "status",
        "duration_seconds",
        "steps",
        "total_cost",
        "quality_gates",
        "errors",
        "git_diff",
        "timeline",
        "stop_reason",
        "session",
    ] {
        assert!(report.get(key).is_some(), "{key}: {report}");
    }
    assert!(report["errors"][0].as_str().unwrap().starts_with("read_file: "), "{report}");
    let markdown = run(&bench, &model, &["--report", "markdown", "--lang", "es"]).expect(0).stderr;
    assert!(markdown.contains("# Informe") && markdown.contains("| Estado | success (llm_done) |"), "{markdown}");
    let page = bench.home().with_file_name("r.html").display().to_string();
    run(&bench, &model, &["--report-file", &page]).expect(0);
    assert!(std::fs::read_to_string(&page).unwrap().contains("<details>"));
    let folder = bench.workspace().display().to_string();
    run(&bench, &model, &["--report-file", &folder]).expect(3);
}

#[test]
fn what_changed_since_a_commit_is_told_and_a_bad_one_is_refused() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let none = server(vec![Turn::text("x")]);
    let run = |server: &ScriptedServer, reference: &str| {
        openai(&bench, server, &["run", "Look", "--model", "openai:gpt-4o", "--context-git-diff", reference])
    };
    assert!(run(&none, "HEAD").expect(3).stderr.contains("HEAD"), "no repository");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments).current_dir(bench.workspace());
        assert!(command.env("HOME", bench.home()).output().unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "a.txt"]);
    git(&["commit", "-qm", "first"]);
    bench.write("a.txt", "two\n");
    for bad in ["nope", "--output=x", "", "HEAD..x", "HEAD:a.txt"] {
        let mut command = bench.command(&["run", "Look", "--model", "openai:gpt-4o"]);
        command.arg(format!("--context-git-diff={bad}")).env("OPENAI_API_KEY", "sk-x");
        ended_of(&mut command).expect(3);
    }
    assert_eq!(none.requests().len(), 0);
    let asked = server(vec![Turn::text("It changed.")]);
    run(&asked, "HEAD").expect(0);
    let system = asked.requests()[0].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("Changes since HEAD") && system.contains("+two"), "{system}");
}

#[test]
fn the_latest_is_that_of_this_workspace_and_going_on_from_elsewhere_says_where() {
    let bench = Bench::new(&[]);
    let model = script(&bench, "m.jsonl", &[say("One."), write("b.txt"), say("Two.")]);
    run(&bench, &model, &[]).expect(0);
    let id = id(&bench);
    let elsewhere = tempfile::tempdir().unwrap();
    let (here, there) = (bench.workspace().canonicalize().unwrap(), elsewhere.path().canonicalize().unwrap());
    let (here, there) = (here.display().to_string(), there.display().to_string());
    let from_there = |arguments: &[&str]| ended_of(bench.command(arguments).current_dir(elsewhere.path()));
    for arguments in [
        &["run", "x", "--session", "latest"][..],
        &["sessions", "resume", "latest", "x"],
        &["sessions", "show", "latest"],
        &["sessions", "undo", "latest"],
        &["sessions", "export", "latest"],
        &["audit", "show", "--session", "latest"],
    ] {
        let refused = from_there(arguments).expect(3);
        assert!(refused.stderr.contains(&there) && refused.stderr.contains("sessions list"), "{}", refused.stderr);
        assert_eq!(refused.stdout, "", "{arguments:?}");
    }
    let gone_on = from_there(&["run", "Write", "--session", &id[..30], "--mode", "yolo"]).expect(0);
    let first = gone_on.stderr.lines().next().unwrap();
    assert!(first.contains(&here) && first.contains(&id), "{}", gone_on.stderr);
    assert_eq!(bench.read("b.txt"), "x\n");
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    let shown = from_there(&["sessions", "show", &id, "--lang", "es"]).expect(0).stdout;
    assert!(shown.contains(&here) && !shown.contains(&there), "{shown}");
    let undone = from_there(&["sessions", "undo", &id]).expect(0);
    assert!(undone.stderr.lines().next().unwrap().contains(&here), "{}", undone.stderr);
    assert!(!bench.workspace().join("b.txt").exists());
    // At home there is nothing to say.
    let at_home = bench.run(&["run", "x", "--session", "latest", "--dry-run"]);
    assert!(!at_home.stderr.contains(&here), "{}", at_home.stderr);
    std::fs::remove_dir_all(bench.workspace()).unwrap();
    let shown = from_there(&["sessions", "show", &id]).expect(0).stdout;
    assert!(shown.contains("workspace cannot be opened"), "{shown}");
}

#[test]
fn what_was_killed_is_interrupted_and_keeps_its_time() {
    let bench = Bench::new(&[]);
    let spawn = json!({"content": "", "tool_calls": [{"id": "c", "name": "spawn", "arguments": {"task": "wait", "wait": true}}]});
    let wait = json!({"content": "", "tool_calls": [
        {"id": "d", "name": "run_command", "arguments": {"command": "touch began; sleep 600"}},
    ]});
    let model = script(&bench, "m.jsonl", &[spawn, wait]);
    let mut child = bench.command(&["run", "Do it", "--model", &model, "--mode", "yolo"]).spawn().unwrap();
    until("the command begins", || bench.workspace().join("began").exists());
    let status = |row: &Value| row["status"].as_str().unwrap().to_owned();
    assert!(kept(&bench).iter().all(|row| status(row) == "running"), "{:?}", kept(&bench));
    child.kill().unwrap();
    child.wait().unwrap();
    let rows = kept(&bench);
    assert!(rows.len() == 2 && rows.iter().all(|row| status(row) == "interrupted"), "{rows:?}");
    let id = rows.iter().find(|row| row["parent"].is_null()).unwrap()["id"].as_str().unwrap().to_owned();
    // The task may have been done in part: it is not given again.
    let again = script(&bench, "again.jsonl", &[say("Done.")]);
    bench.run(&["sessions", "resume", "latest", "--model", &again]).expect(0);
    let result = exported(&bench, &id).into_iter().find(|row| row["kind"] == "result").unwrap();
    assert_eq!((&result["tool"], &result["outcome"]), (&json!("spawn"), &json!("interrupted")));
    let rows = kept(&bench);
    let mut found: Vec<_> = rows.iter().map(|row| (row["id"].as_str().unwrap().to_owned(), status(row))).collect();
    found.sort();
    assert_eq!(found, [(id.clone(), "success".to_owned()), (format!("{id}.t1"), "interrupted".to_owned())]);
    assert!(rows.iter().all(|row| row["at_ms"].as_u64() > Some(1_600_000_000_000)), "{rows:?}");
    let listed = bench.run(&["sessions", "list"]).expect(0).stdout;
    assert!(!listed.contains("1970-"), "{listed}");
    // The beginning means the session; its subagent is named by what follows.
    let first = |id: &str| bench.run(&["sessions", "show", id]).expect(0).stdout;
    assert!(first(&id[..13]).contains("success"));
    assert!(first(&format!("{}.t1", &id[..13])).starts_with(&first(&format!("{id}.t1"))[..20]));
    let unknown = bench.run(&["sessions", "show", &format!("{}.t9", &id[..13])]).expect(3);
    assert!(unknown.stderr.contains(".t9"), "{}", unknown.stderr);
}

#[test]
fn a_short_key_is_no_secret_and_does_not_cut_up_messages() {
    let bench = Bench::new(&[]);
    for (key, expected) in [("test", "the latest test failed"), ("Xq7-test-Lm2", "the latest test failed")] {
        let server = server(vec![Turn::status(400, "the latest test failed")]);
        let mut command = bench.command(&["run", "x", "--model", "openai:gpt-4o"]);
        let ended = ended_of(command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", key)).expect(1);
        assert!(ended.stderr.contains(expected), "{key}: {}", ended.stderr);
    }
}

#[test]
fn calls_that_needed_a_yes_are_named_with_their_commands() {
    let bench = Bench::new(&[]);
    let calls = json!({"content": "", "tool_calls": [
        {"id": "c1", "name": "run_command", "arguments": {"command": "touch made"}},
        {"id": "c2", "name": "write_file", "arguments": {"path": "b.txt", "content": "x"}},
    ]});
    let model = script(&bench, "m.jsonl", &[calls, say("Done.")]);
    let ended = bench.run(&["run", "x", "--model", &model, "--mode", "confirm-all", "--json"]).expect(6);
    assert!(ended.stderr.contains("run_command touch made; write_file b.txt"), "{}", ended.stderr);
    assert_eq!(ended.json()["tools_used"][0]["command"], json!("touch made"));
}
