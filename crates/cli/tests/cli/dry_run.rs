//! `--dry-run`: nothing on the disk changes, nobody is needed, and the end is a plan and one diff that fits.

use crate::harness::{Bench, Ended};
use crate::sessions::tree;
use serde_json::json;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A replay of these calls, one a step.
fn replay(bench: &Bench, calls: &[(&str, serde_json::Value)]) {
    let step = |(at, (name, arguments)): (usize, &(&str, serde_json::Value))| {
        let call = json!({ "id": format!("c{at}"), "name": name, "arguments": arguments });
        format!("{}\n", json!({ "content": "", "tool_calls": [call] }))
    };
    let mut lines: String = calls.iter().enumerate().map(step).collect();
    lines.push_str("{\"content\": \"Done.\"}\n");
    std::fs::write(bench.home().join("s.jsonl"), lines).unwrap();
}

fn run(bench: &Bench, more: &[&str]) -> Ended {
    let model = format!("replay:{}", bench.home().join("s.jsonl").display());
    let mut words = vec!["run", "Do it.", "--model", &model];
    words.extend(more);
    bench.run(&words)
}

fn fits(bench: &Bench, program: &[&str], diff: &str) {
    let mut child = Command::new(program[0]);
    let child = child.args(&program[1..]).current_dir(bench.workspace()).stdin(Stdio::piped());
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned() + &String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{program:?}: {said}\n{diff}");
}

const RENAME: &str = "diff --git a/old name.txt b/sub/new name.txt\nsimilarity index 100%\nrename from old name.txt\nrename to sub/new name.txt\n";

/// Files of every kind, and calls that change each.
fn everything() -> (Bench, Vec<(&'static str, serde_json::Value)>) {
    let bench = Bench::new(&[
        ("edited.txt", "one\ntwo\nthree\n"),
        ("crlf.txt", "one\r\ntwo\r\n"),
        ("open-end.txt", "one\ntwo"),
        ("deleted.txt", "gone\n"),
        ("old name.txt", "moved\nas it is\n"),
        ("palanca.yaml", "workspace: {allow_delete: false}\n"),
    ]);
    let calls = vec![
        ("write_file", json!({"path": "new/made.txt", "content": "new\n"})),
        ("write_file", json!({"path": "empty.txt", "content": ""})),
        ("edit_file", json!({"path": "edited.txt", "old_str": "two", "new_str": "2"})),
        ("edit_file", json!({"path": "crlf.txt", "old_str": "two", "new_str": "2"})),
        ("write_file", json!({"path": "open-end.txt", "content": "one\ntwo\nthree"})),
        ("delete_file", json!({"path": "deleted.txt"})),
        ("apply_patch", json!({"patch": RENAME})),
        ("read_file", json!({"path": "new/made.txt"})),
    ];
    (bench, calls)
}

#[test]
fn the_end_is_one_diff_that_git_and_patch_take() {
    let (bench, calls) = everything();
    let own = bench.home().join("own.yaml");
    std::fs::write(&own, "workspace: {allow_delete: true}\n").unwrap();
    let own = own.display().to_string();
    replay(&bench, &calls);
    // The first run of all makes the folders of the state directory.
    run(&bench, &["--dry-run", "-c", &own]).expect(0);
    for mode in ["yolo", "confirm-sensitive", "confirm-all"] {
        let before = (tree(&bench.workspace()), state(&bench));
        let report = run(&bench, &["--dry-run", "--json", "--mode", mode, "-c", &own]).expect(0).json();
        let failed: Vec<_> =
            report["tools_used"].as_array().unwrap().iter().filter(|used| used["success"] == false).collect();
        assert!(failed.is_empty(), "{failed:?}");
        assert_eq!(before, (tree(&bench.workspace()), state(&bench)), "{mode}");
        let diff = report["dry_run"]["diff"].as_str().unwrap();
        fits(&bench, &["git", "apply", "--check", "-"], diff);
        fits(&bench, &["patch", "-p1", "--dry-run", "--binary"], diff);
        assert!(diff.contains("rename from old name.txt\nrename to sub/new name.txt\n"), "{diff}");
        let plan = report["dry_run"]["plan"].as_str().unwrap();
        for line in [
            "## Dry Run Plan\n",
            "7 write actions",
            "1. **write_file** (step 1) -> path=new/made.txt\n",
            "7. **apply_patch** (step 7) -> path=old name.txt, sub/new name.txt\n",
        ] {
            assert!(plan.contains(line), "{line}: {plan}");
        }
    }
    // What the text says is the same: the plan, and after it the diff.
    let shown = run(&bench, &["--dry-run", "-c", &own]).expect(0).stdout;
    fits(&bench, &["git", "apply", "--check", "-"], &shown);
    // Applied, it is what the real run makes.
    fits(&bench, &["git", "apply", "-"], &shown);
    let applied = tree(&bench.workspace());
    let (real, calls) = everything();
    replay(&real, &calls);
    run(&real, &["--mode", "yolo", "-c", &own]).expect(0);
    let contents = |tree: Vec<(String, u32, Vec<u8>)>| -> Vec<(String, Vec<u8>)> {
        tree.into_iter().map(|(path, _, content)| (path, content)).collect()
    };
    assert_eq!(contents(tree(&real.workspace())), contents(applied));
}

/// The state directory without the records of calls.
fn state(bench: &Bench) -> Vec<(String, u32, Vec<u8>)> {
    let found = tree(&bench.home());
    found.into_iter().filter(|(path, ..)| !path.starts_with("audit")).collect()
}

#[test]
fn nothing_to_do_is_said() {
    let bench = Bench::new(&[("a.txt", "x\n")]);
    replay(&bench, &[("read_file", json!({"path": "a.txt"}))]);
    let shown = run(&bench, &["--dry-run"]).expect(0).stdout;
    assert!(shown.contains("## Dry Run Plan") && shown.contains("no write actions"), "{shown}");
    let shown = run(&bench, &["--dry-run", "--lang", "es"]).expect(0).stdout;
    assert!(shown.contains("ninguna acción de escritura"), "{shown}");
}

#[test]
fn hooks_do_not_run() {
    let bench = Bench::new(&[("a.txt", "x\n")]);
    let own = bench.home().join("own.yaml");
    let hook = "hooks: {post_tool_use: [{name: h, command: touch hooked, matcher: '*'}]}\n";
    std::fs::write(&own, hook).unwrap();
    let write = r#"{"path": "b.txt", "content": "x"}"#;
    let ended = bench.run(&["call", "write_file", write, "--dry-run", "-c", &own.display().to_string()]).expect(0);
    assert!(ended.stdout.contains("[DRY-RUN]"), "{}", ended.stdout);
    assert_eq!(tree(&bench.workspace()).len(), 1);
}

#[test]
fn commands_run_under_a_layer_when_asked() {
    let bench = Bench::new(&[("a.txt", "one\n"), ("gone.txt", "x\n"), (".env", "SECRET=1\n")]);
    replay(
        &bench,
        &[
            ("write_file", json!({"path": "b.txt", "content": "by a tool\n"})),
            (
                "run_command",
                json!({"command": "cat b.txt >> a.txt && rm gone.txt && mkdir d && echo new > d/x && pwd; cat .env"}),
            ),
            ("read_file", json!({"path": "a.txt"})),
            ("run_command", json!({"command": "sed -i s/one/1/ a.txt; ls d; ls"})),
            ("edit_file", json!({"path": "a.txt", "old_str": "1\n", "new_str": "uno\n"})),
            ("run_command", json!({"command": "grep -c uno a.txt && printf '\\000' > binary"})),
        ],
    );
    let before = tree(&bench.workspace());
    let report = run(&bench, &["--dry-run=commands", "--allow-commands", "--json"]).expect(0);
    assert_eq!(before, tree(&bench.workspace()));
    let value = report.json();
    let used = value["tools_used"].as_array().unwrap();
    assert!(used.iter().all(|used| used["success"] == true), "{used:?}");
    let diff = value["dry_run"]["diff"].as_str().unwrap();
    for part in ["+uno", "+by a tool", "--- a/gone.txt", "+++ b/d/x", "Binary file binary would change"] {
        assert!(diff.contains(part), "{part}: {diff}");
    }
    assert!(!report.stdout.contains("SECRET=1"));
    let text = diff.replace("Binary file binary would change\n", "");
    fits(&bench, &["git", "apply", "--check", "-"], &text);
}

#[test]
fn one_command_under_a_layer_shows_its_output_and_its_diff() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let call = json!({ "command": "echo two >> a.txt; cat a.txt; pwd" }).to_string();
    let ended = bench.run(&["call", "run_command", &call, "--dry-run=commands"]).expect(0);
    let workspace = bench.workspace().canonicalize().unwrap().display().to_string();
    for part in ["[DRY-RUN]", "two", &workspace, "+two", "exit_code: 0"] {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
    assert_eq!(bench.read("a.txt"), "one\n");
    // What would live on is described.
    let call = json!({ "command": "sleep 5", "background": true }).to_string();
    let ended = bench.run(&["call", "run_command", &call, "--dry-run=commands"]).expect(0);
    assert!(ended.stdout.contains("does not run commands"), "{}", ended.stdout);
    assert!(ended.stdout.contains("[DRY-RUN]"), "{}", ended.stdout);
}

#[test]
fn what_a_command_turns_and_moves_is_seen_by_the_next_one_and_in_the_diff() {
    let bench = Bench::new(&[
        ("old/a.txt", "a\n"),
        ("old/deep/b.txt", "b\n"),
        ("turned/c.txt", "c\n"),
        ("file", "f\n"),
        ("again/d.txt", "d\n"),
        ("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
        ("palanca.yaml", "language: en\n"),
    ]);
    let run_command = |command: &str| ("run_command", json!({ "command": command }));
    replay(
        &bench,
        &[
            run_command(
                "git init -q . && mv old new && rm -r turned && echo t > turned && rm file && mkdir file && echo g > file/g",
            ),
            run_command("rm -r again && mkdir again && echo e > again/e.txt; echo x > soon-gone; echo o > target/o"),
            run_command("rm soon-gone; test ! -e again/d.txt && cat new/deep/b.txt turned file/g again/e.txt target/o"),
            ("write_file", json!({"path": "new/tool.txt", "content": "by a tool\n"})),
            run_command(
                "cat new/tool.txt && mv new newer && ln -s /etc/passwd out && git add -A && git -c user.name=a -c user.email=a@b commit -qm all",
            ),
            run_command("git log --format=%s && ls newer"),
            run_command("echo y >> palanca.yaml; echo z > .git/hooks/pre-commit"),
        ],
    );
    let before = tree(&bench.workspace());
    let report = run(&bench, &["--dry-run=commands", "--allow-commands", "--json"]).expect(0);
    assert_eq!(before, tree(&bench.workspace()));
    let value = report.json();
    let used: Vec<_> = value["tools_used"].as_array().unwrap().iter().map(|used| used["success"].clone()).collect();
    assert_eq!(used, [true, true, true, true, true, true, false].map(serde_json::Value::from), "{}", report.stdout);
    let diff = value["dry_run"]["diff"].as_str().unwrap();
    fits(&bench, &["git", "apply", "-"], diff);
    let mut names: Vec<_> = tree(&bench.workspace()).into_iter().map(|(path, ..)| path).collect();
    names.retain(|name| bench.workspace().join(name).is_file());
    let expected = [
        "again/e.txt",
        "file/g",
        "newer/a.txt",
        "newer/deep/b.txt",
        "newer/tool.txt",
        "palanca.yaml",
        "target/CACHEDIR.TAG",
        "turned",
    ];
    assert_eq!(names, expected, "{diff}");
    assert!(report.stderr.contains("not part of the dry run's diff: out"), "{}", report.stderr);
}

#[test]
fn the_plan_is_in_the_order_of_the_calls() {
    let bench = Bench::new(&[("a.txt", "x\n")]);
    let call = |at: usize, name: &str, arguments: serde_json::Value| json!({"id": format!("c{at}"), "name": name, "arguments": arguments});
    // The first ones take longest.
    let calls = [
        call(0, "write_file", json!({"path": "big.txt", "content": "x\n".repeat(20_000)})),
        call(1, "read_file", json!({"path": "a.txt"})),
        call(2, "edit_file", json!({"path": "a.txt", "old_str": "x", "new_str": "y"})),
        call(3, "run_command", json!({"command": "touch b"})),
        call(4, "write_file", json!({"path": "./c.txt", "content": ""})),
        call(5, "edit_file", json!({"path": "none.txt", "old_str": "x", "new_str": "y"})),
    ];
    let lines = format!("{}\n{}\n", json!({"content": "", "tool_calls": calls}), json!({"content": "Done."}));
    std::fs::write(bench.home().join("s.jsonl"), lines).unwrap();
    let shown = run(&bench, &["--dry-run"]).expect(0).stdout;
    let plan = "4 write actions would be performed:\n\n\
        1. **write_file** (step 1) -> path=big.txt\n\
        2. **edit_file** (step 1) -> path=a.txt\n\
        3. **run_command** (step 1) -> command=touch b\n\
        4. **write_file** (step 1) -> path=c.txt\n";
    assert!(shown.contains(plan), "{}", &shown[..shown.len().min(1000)]);
    let batch = calls.map(|call| json!({"tool": call["name"], "args": call["arguments"]}).to_string()).join("\n");
    let shown = bench.run_with(&["call", "--batch", "-", "--jobs", "6", "--dry-run"], &batch).stderr;
    let at = |tool: &str| shown.find(tool).unwrap_or_else(|| panic!("{tool}: {}", &shown[..shown.len().min(1000)]));
    let places = ["1. **write_file**", "2. **edit_file** (step 2)", "3. **run_command**", "4. **write_file**"].map(at);
    assert!(places.is_sorted(), "{places:?}");
}
