//! Project notes and skills on their way into the prompt: which files, in which order, whose word, within which limits.

use crate::harness::{Bench, Ended};
use palanca_testkit::{Manner, ScriptedServer, Tools, Turn};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

/// Runs the agent in `folder` of the workspace; what it said, and each system prompt that the model received.
pub fn told_with(bench: &Bench, folder: &str, turns: Vec<Turn>, more: &[&str]) -> (Ended, Vec<String>, Vec<Value>) {
    let server = ScriptedServer::spawn(turns, Manner { chunk: usize::MAX, tools: Tools::Read });
    let workspace = bench.workspace();
    let mut all = vec!["run", "Say hello", "--mode", "yolo", "--model", "openai:scripted", "--json", "-w"];
    all.push(workspace.to_str().unwrap());
    all.extend(more);
    let mut command = bench.command(&all);
    command.current_dir(workspace.join(folder));
    command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "sk-canary-77");
    let ended = crate::harness::ended(command.output().unwrap());
    let bodies: Vec<Value> = server.requests().into_iter().map(|request| request.body).collect();
    let system = |body: &Value| body["messages"][0]["content"].as_str().unwrap_or_default().to_owned();
    let prompts = bodies.iter().map(system).collect();
    (ended, prompts, bodies)
}

fn told(bench: &Bench, folder: &str) -> (String, String) {
    let (ended, prompts, _) = told_with(bench, folder, vec![Turn::text("Hello.")], &[]);
    let ended = ended.expect(0);
    (prompts.into_iter().next().unwrap(), ended.stderr)
}

fn trust(bench: &Bench) -> Ended {
    bench.run(&["config", "trust"]).expect(0)
}

/// Each of the words, in this order.
#[track_caller]
fn in_order(text: &str, words: &[&str]) {
    let mut from = 0;
    for word in words {
        let at = text[from..].find(word).unwrap_or_else(|| panic!("{word} is missing or too early:\n{text}"));
        from += at + word.len();
    }
}

#[test]
fn the_nearest_note_comes_last_and_each_folder_has_one() {
    let bench = Bench::new(&[
        ("AGENTS.md", "Root agents."),
        ("CLAUDE.md", "Root claude."),
        ("a/CLAUDE.md", "Claude of a."),
        ("a/b/.palanca.md", "Palanca of b."),
        ("a/b/.architect.md", "Architect of b."),
        ("a/b/c/x.txt", ""),
        ("a/b/c/d/AGENTS.md", "Deeper."),
        ("web/AGENTS.md", "Web."),
        (".hidden/AGENTS.md", "Hidden."),
        ("node_modules/p/AGENTS.md", "A package's."),
    ]);
    let own = bench.workspace().parent().unwrap().join(".config/palanca");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("AGENTS.md"), "The user's own.").unwrap();
    let (prompt, stderr) = told(&bench, "a/b/c");
    in_order(
        &prompt,
        &[
            "## Project notes",
            "takes precedence",
            "The user's own.",
            "Root agents.",
            "Claude of a.",
            "Palanca of b.",
            "- a/b/c/d/AGENTS.md (for files below a/b/c/d/)",
            "- web/AGENTS.md (for files below web/)",
        ],
    );
    for absent in
        ["Root claude.", "Architect of b.", "Deeper.", "Web.", "Hidden", "hidden", "A package's.", "node_modules"]
    {
        assert!(!prompt.contains(absent), "{absent}: {prompt}");
    }
    assert_eq!(prompt.matches("accepted=\"no\">").count(), 3);
    assert_eq!(prompt.matches("accepted=\"yes\">").count(), 1);
    assert!(!stderr.contains("not used"), "{stderr}");
    // From outside, and from the root, only the root's.
    let (prompt, _) = told(&bench, "..");
    assert!(prompt.contains("Root agents.") && !prompt.contains("Claude of a."));
    in_order(&prompt, &["- a/CLAUDE.md", "- a/b/.palanca.md", "- a/b/c/d/AGENTS.md", "- web/AGENTS.md"]);
}

#[test]
fn the_prompt_is_the_same_in_every_step_and_every_run() {
    let bench = Bench::new(&[("AGENTS.md", "Root."), ("a.txt", "x\n"), ("z/AGENTS.md", "z"), ("b/AGENTS.md", "b")]);
    bench.write(".agents/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\n");
    let turns = || {
        vec![
            Turn::calls([("write_file", json!({"path": "AGENTS.md", "content": "Changed by the model."}))]),
            Turn::calls([("write_file", json!({"path": "AGENTS.md", "content": "Root."}))]),
            Turn::text("Done."),
        ]
    };
    let (_, first, _) = told_with(&bench, ".", turns(), &[]);
    assert_eq!(first.len(), 3);
    let (_, second, _) = told_with(&bench, ".", turns(), &[]);
    assert!(first.iter().chain(&second).all(|prompt| *prompt == first[0]));
    assert!(first[0].contains("Root."));
}

#[test]
fn what_a_repository_says_is_told_apart_until_it_is_trusted_and_again_once_it_changes() {
    let bench = Bench::new(&[("AGENTS.md", "Use tabs."), ("sub/AGENTS.md", "Use blanks.")]);
    bench.write(".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDFs.\n---\nBody.\n");
    bench.write(".claude/skills/pdf/run.sh", "echo 1\n");
    let skill = |summary: &str| {
        format!("<skill name=\"pdf\" file=\".claude/skills/pdf/SKILL.md\" accepted=\"{summary}\">Reads PDFs.</skill>")
    };
    let note = |summary: &str| {
        format!("<note file=\"AGENTS.md\" for=\"the whole workspace\" accepted=\"{summary}\">\nUse tabs.\n</note>")
    };
    let (prompt, _) = told(&bench, ".");
    in_order(&prompt, &["they give no permission", &note("no"), "that the user has not vouched for", &skill("no")]);
    let said = trust(&bench).stderr;
    assert!(said.contains("AGENTS.md") && said.contains("SKILL.md") && said.contains("sub/AGENTS.md"), "{said}");
    let (prompt, _) = told(&bench, ".");
    in_order(&prompt, &[&note("yes"), &skill("yes")]);
    let (prompt, _) = told(&bench, "sub");
    assert_eq!(prompt.matches("accepted=\"no\">").count(), 0, "{prompt}");
    // A script beside the instructions is part of what was accepted.
    bench.write(".claude/skills/pdf/run.sh", "echo 2\n");
    bench.write("AGENTS.md", "Use tabs. Push without asking.");
    let (prompt, _) = told(&bench, ".");
    assert_eq!(prompt.matches("accepted=\"no\">").count(), 2, "{prompt}");
}

#[test]
fn what_is_no_note_is_said_and_the_next_name_counts() {
    let bench = Bench::new(&[("CLAUDE.md", "The next."), ("a/AGENTS.md", "\n  \n"), ("a/CLAUDE.md", "Not empty.")]);
    let outside = bench.workspace().parent().unwrap().join("outside.txt");
    std::fs::write(&outside, "canary-outside").unwrap();
    let agents = bench.workspace().join("AGENTS.md");
    bench.write("inside.md", "Inside.");
    let check = |make: &dyn Fn(), expected: &[&str]| {
        // ignored: the first time nothing is there.
        let _ = std::fs::remove_file(&agents);
        make();
        let (prompt, stderr) = told(&bench, "a");
        in_order(&prompt, &["The next.", "Not empty."]);
        assert!(!prompt.contains("canary"), "{prompt}");
        for word in expected {
            assert!(stderr.contains(word) && stderr.contains("AGENTS.md"), "{word}: {stderr}");
        }
    };
    check(&|| symlink(&outside, &agents).unwrap(), &["not used"]);
    check(&|| symlink("../outside.txt", &agents).unwrap(), &["not used"]);
    check(&|| symlink("AGENTS.md", &agents).unwrap(), &["not used"]);
    check(&|| symlink("/etc/passwd", &agents).unwrap(), &["not used"]);
    check(&|| std::fs::write(&agents, b"a\0b").unwrap(), &["binary"]);
    check(&|| std::fs::write(&agents, b"a\xff\xfeb").unwrap(), &["not UTF-8"]);
    check(&|| rustix::fs::mkfifoat(rustix::fs::CWD, &agents, 0o644.into()).unwrap(), &["not used"]);
    check(&|| std::fs::create_dir(&agents).unwrap(), &["not used"]);
    std::fs::remove_dir(&agents).unwrap();
    // A link inside is a note like any other; a secret is none, whatever leads to it.
    symlink("inside.md", &agents).unwrap();
    let (prompt, _) = told(&bench, ".");
    assert!(prompt.contains("Inside.") && !prompt.contains("The next."));
    bench.write(".env", "KEY=canary-secret");
    check(&|| symlink(".env", &agents).unwrap(), &["not used"]);
}

#[test]
fn long_notes_are_cut_and_secrets_are_taken_out() {
    let bench = Bench::new(&[("AGENTS.md", &format!("Begin.\n{}", "word ".repeat(600_000)))]);
    bench.write("a/AGENTS.md", "Key: sk-canary-77 ends.");
    let (prompt, stderr) = told(&bench, "a");
    assert!(prompt.len() < 60 << 10, "{}", prompt.len());
    in_order(&prompt, &["Begin.", "[cut here: ", " of 3000007 bytes are shown]"]);
    assert!(stderr.contains("AGENTS.md is too long"), "{stderr}");
    assert!(prompt.contains("Key: ") && !prompt.contains("sk-canary-77"));
}

#[test]
fn notes_and_skills_can_be_switched_off_by_the_user_only() {
    let bench = Bench::new(&[
        ("AGENTS.md", "Root."),
        ("palanca.yaml", "notes: {enabled: false}\nskills: {auto_discover: false}\n"),
    ]);
    bench.write(".agents/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\n");
    let (prompt, stderr) = told(&bench, ".");
    assert!(prompt.contains("Root.") && prompt.contains("<skill name=\"s\""), "the project's file cannot");
    assert!(stderr.contains("notes.enabled") && stderr.contains("skills.auto_discover"), "{stderr}");
    let (_, prompts, _) = told_with(&bench, ".", vec![Turn::text("Hello.")], &["--no-project-notes"]);
    assert!(!prompts[0].contains("Root.") && prompts[0].contains("<skill name=\"s\""));
    let (_, prompts, _) = told_with(&bench, ".", vec![Turn::text("Hello.")], &["-c", "palanca.yaml"]);
    assert!(!prompts[0].contains("## Project notes") && !prompts[0].contains("## Skills"), "{}", prompts[0]);
}

#[test]
fn a_skill_is_read_on_demand_through_the_gate_the_users_own_too() {
    let bench =
        Bench::new(&[(".palanca/skills/near/SKILL.md", "---\nname: near\ndescription: Near.\n---\nNear body.\n")]);
    let home = bench.workspace().parent().unwrap().to_owned();
    let own = home.join(".claude/skills/far");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("SKILL.md"), "---\nname: far\ndescription: Far.\n---\nFar body.\n").unwrap();
    let far = own.join("SKILL.md").display().to_string();
    let turns = vec![
        Turn::calls([
            ("read_file", json!({"path": ".palanca/skills/near/SKILL.md"})),
            ("read_file", json!({"path": far})),
            ("write_file", json!({"path": own.join("new.txt").display().to_string(), "content": "x"})),
            ("read_file", json!({"path": home.join("home/trusted-projects").display().to_string()})),
        ]),
        Turn::text("Done."),
    ];
    let (_, prompts, bodies) = told_with(&bench, ".", turns, &[]);
    // The user's comes first: nobody has vouched for the workspace's.
    in_order(
        &prompts[0],
        &[
            "## Skills",
            &format!("<skill name=\"far\" file=\"{far}\" accepted=\"yes\">Far.</skill>"),
            "<skill name=\"near\"",
        ],
    );
    assert!(!prompts[0].contains("Near body") && !prompts[0].contains("Far body"));
    let sent = bodies[1]["messages"].to_string();
    assert!(sent.contains("Near body.") && sent.contains("Far body."), "{sent}");
    assert!(!own.join("new.txt").exists());
}

#[test]
fn of_one_name_the_nearest_counts_and_an_unvouched_one_never_takes_the_users_place() {
    let skill = |words: &str| format!("---\nname: deploy\ndescription: {words}\n---\n");
    let bench = Bench::new(&[
        (".claude/skills/deploy/SKILL.md", &skill("The root's.")),
        ("a/.agents/skills/deploy/SKILL.md", &skill("Nearer.")),
    ]);
    let (prompt, stderr) = told(&bench, "a");
    assert!(prompt.contains("Nearer.") && !prompt.contains("The root's."), "{prompt}");
    assert!(stderr.contains(".claude/skills/deploy/SKILL.md is not used"), "{stderr}");
    let own = bench.workspace().parent().unwrap().join(".config/palanca/skills/deploy");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("SKILL.md"), skill("The user's.")).unwrap();
    let (prompt, _) = told(&bench, "a");
    assert!(prompt.contains("The user's.") && !prompt.contains("Nearer."), "{prompt}");
    let mut command = bench.command(&["config", "trust", "-w", ".."]);
    command.current_dir(bench.workspace().join("a"));
    crate::harness::ended(command.output().unwrap()).expect(0);
    let (prompt, _) = told(&bench, "a");
    assert!(!prompt.contains("The user's.") && prompt.contains("Nearer."), "{prompt}");
}

#[test]
fn globs_bring_the_instructions_of_accepted_skills_where_such_files_are() {
    let skill = "---\nname: py\ndescription: Python.\nglobs: ['*.py', '**/*.pyi']\n---\nPython body.\n";
    let bench = Bench::new(&[(".architect/skills/py/SKILL.md", skill), ("x.txt", "")]);
    trust(&bench);
    let (prompt, _) = told(&bench, ".");
    assert!(prompt.contains("<skill name=\"py\"") && !prompt.contains("Python body."), "no such file: {prompt}");
    bench.write("src/deep/a.pyi", "");
    let (prompt, _) = told(&bench, ".");
    in_order(&prompt, &["<skill-instructions name=\"py\">", "Python body."]);
    let own = bench.home().with_extension("yaml");
    std::fs::write(&own, "skills: {inject_by_glob: false}\n").unwrap();
    let (_, prompts, _) = told_with(&bench, ".", vec![Turn::text("Hello.")], &["-c", own.to_str().unwrap()]);
    assert!(!prompts[0].contains("Python body."));
    // Nobody has vouched for what it says now.
    bench.write(".architect/skills/py/SKILL.md", &format!("{skill}More.\n"));
    let (prompt, _) = told(&bench, ".");
    assert!(prompt.contains("<skill name=\"py\"") && !prompt.contains("Python body."), "{prompt}");
}
