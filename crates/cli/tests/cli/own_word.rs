//! What counts as the user's own word stays theirs: no tool and no command of a model changes it, by whatever spelling it is
//! reached.

use crate::harness::{Bench, Ended, ended};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::path::PathBuf;

fn outside(bench: &Bench) -> PathBuf {
    bench.workspace().parent().unwrap().to_owned()
}

fn call(bench: &Bench, environment: &[(&str, PathBuf)], config: Option<&str>, tool: &str, arguments: &Value) -> Ended {
    let arguments = arguments.to_string();
    let mut all = vec!["--mode", "yolo", "call", tool, &arguments, "--json"];
    all.extend(config.into_iter().flat_map(|file| ["-c", file]));
    let mut command = bench.command(&all);
    environment.iter().for_each(|(name, value)| {
        command.env(name, value);
    });
    ended(command.output().unwrap())
}

#[track_caller]
fn no_tool_writes(bench: &Bench, environment: &[(&str, PathBuf)], config: Option<&str>, path: &str) {
    let refused = call(bench, environment, config, "write_file", &json!({"path": path, "content": "x\n"})).expect(6);
    assert!(refused.stdout.contains("protected.own-home"), "{path}: {}", refused.stdout);
}

/// Neither a file tool nor a command, in any of the ways that replace a file, changes `path`.
#[track_caller]
fn kept(bench: &Bench, environment: &[(&str, PathBuf)], config: Option<&str>, path: &str) {
    let before = std::fs::read(bench.workspace().join(path)).ok();
    no_tool_writes(bench, environment, config, path);
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    for command in [
        format!("cd {folder}; f={name}; echo x > \"$f\""),
        format!("cd {folder}; f={name}; rm -f \"$f\"; echo x > \"$f\""),
        format!("d={folder}; [ $d = . ] || {{ mv \"$d\" gone; mkdir -p \"$d\"; f={name}; echo x > \"$d/$f\"; }}"),
    ] {
        call(bench, environment, config, "run_command", &json!({ "command": command }));
        let after = std::fs::read(bench.workspace().join(path)).ok();
        assert_eq!(after, before, "{path}: {command}");
    }
    // A command that may change something does so here: the sandbox did not just fail to start.
    call(bench, environment, config, "run_command", &json!({"command": "echo yes > canary"})).expect(0);
    assert_eq!(bench.read("canary"), "yes\n");
}

#[test]
fn the_programs_own_folders_are_kept_by_every_spelling() {
    for spelling in ["lnk/ph", "ws/a/../ph", "ws/./ph", "ws/inner"] {
        let bench = Bench::new(&[("a/b.txt", "x"), ("ph/trusted-projects", ""), ("conf/palanca/palanca.yaml", "{}\n")]);
        let top = outside(&bench);
        symlink("ws", top.join("lnk")).unwrap();
        symlink("ph", bench.workspace().join("inner")).unwrap();
        let environment = [("PALANCA_HOME", top.join(spelling)), ("XDG_CONFIG_HOME", top.join("lnk/conf"))];
        for path in ["ph/trusted-projects", "conf/palanca/palanca.yaml", "conf/palanca/own.txt"] {
            no_tool_writes(&bench, &environment, None, path);
        }
        // With the state inside no command runs at all; with the configuration alone they do.
        let command = json!({"command": "f=ph/trusted-projects; echo x > $f"});
        call(&bench, &environment, None, "run_command", &command).expect(6);
        assert_eq!(bench.read("ph/trusted-projects"), "");
        kept(&bench, &environment[1..], None, "conf/palanca/palanca.yaml");
        kept(&bench, &environment[1..], None, "conf/palanca/own.txt");
    }
}

#[test]
fn trust_holds_for_one_folder() {
    let text = "workspace:\n  allow_delete: true\n";
    let bench = Bench::new(&[("palanca.yaml", text), ("a.txt", "x"), ("b.txt", "x"), ("sub/a.txt", "x")]);
    bench.write("sub/palanca.yaml", text);
    bench.write("other/a.txt", "x");
    symlink("../palanca.yaml", bench.workspace().join("other/palanca.yaml")).unwrap();
    let delete = |folder: &str, file: &str| {
        let arguments = json!({ "path": file }).to_string();
        bench.run(&["-w", folder, "call", "delete_file", &arguments, "--mode", "yolo"])
    };
    bench.run(&["config", "trust"]).expect(0);
    delete(bench.workspace().to_str().unwrap(), "a.txt").expect(0);
    delete("sub", "a.txt").expect(6);
    delete("other", "a.txt").expect(6);
    delete("sub/..", "b.txt").expect(0);
    bench.run(&["-w", "sub", "config", "trust"]).expect(0);
    delete("sub", "a.txt").expect(0);
}

/// As it was written by a version that kept the path as it was typed.
#[test]
fn what_was_trusted_without_a_place_is_asked_again() {
    let bench = Bench::new(&[("palanca.yaml", "workspace:\n  allow_delete: true\n"), ("a.txt", "x")]);
    bench.run(&["config", "trust"]).expect(0);
    let list = bench.home().join("trusted-projects");
    let kept = std::fs::read_to_string(&list).unwrap();
    let (hash, _) = kept.split_once(' ').unwrap();
    std::fs::write(&list, format!("{hash} ./palanca.yaml\n{hash}\n")).unwrap();
    bench.run(&["call", "delete_file", r#"{"path": "a.txt"}"#, "--mode", "yolo"]).expect(6);
}

#[test]
fn files_that_count_as_the_users_word_are_kept() {
    let bench = Bench::new(&[("own.yaml", "{}\n"), ("ci/deep/own.yaml", "{}\n"), ("ci/.env", "SECRETMARK\n")]);
    let top = outside(&bench);
    symlink("ws/own.yaml", top.join("link.yaml")).unwrap();
    std::fs::write(top.join("far.yaml"), "{}\n").unwrap();
    symlink(top.join("far.yaml"), bench.workspace().join("near.yaml")).unwrap();
    let link = top.join("link.yaml").display().to_string();
    kept(&bench, &[], Some("own.yaml"), "own.yaml");
    kept(&bench, &[], Some("../ws/own.yaml"), "own.yaml");
    kept(&bench, &[], Some(&link), "own.yaml");
    kept(&bench, &[], Some("ci/deep/own.yaml"), "ci/deep/own.yaml");
    let swap = json!({"command": "f=near.yaml; rm -f $f; echo x > $f; ls -l"});
    call(&bench, &[], Some("near.yaml"), "run_command", &swap);
    assert!(bench.workspace().join("near.yaml").is_symlink());
    // What lies beside it is judged as ever.
    let beside = json!({"command": "cat ci/.e*; echo new > ci/new.txt; echo new > ci/deep/new.txt"});
    let shown = call(&bench, &[], Some("ci/deep/own.yaml"), "run_command", &beside);
    assert!(!shown.stdout.contains("SECRETMARK"), "{}", shown.stdout);
    assert_eq!((bench.read("ci/new.txt"), bench.read("ci/deep/new.txt")), ("new\n".into(), "new\n".into()));
}

#[test]
fn rule_files_are_kept_by_every_spelling() {
    for section in ["approvals", "commands"] {
        let bench = Bench::new(&[("rules.toml", ""), ("b.txt", "x")]);
        let top = outside(&bench);
        symlink("ws/rules.toml", top.join("linked.toml")).unwrap();
        for file in [bench.workspace().join("rules.toml"), top.join("linked.toml")] {
            let config = top.join("own.yaml");
            std::fs::write(&config, format!("{section}:\n  rules_file: {}\n", file.display())).unwrap();
            kept(&bench, &[], config.to_str(), "rules.toml");
        }
    }
}

#[test]
fn programs_that_hooks_name_are_kept() {
    for hooks in [
        "pre_tool_use: [{command: \"python3 'ci/guard.py' --strict\", matcher: nothing}]",
        "processes: [{name: p, command: ci/../ci/guard.py, modes: [tool], matcher: nothing, enabled: false}]",
    ] {
        let bench = Bench::new(&[("ci/guard.py", "pass\n"), ("b.txt", "x")]);
        let config = outside(&bench).join("own.yaml");
        std::fs::write(&config, format!("hooks:\n  {hooks}\n")).unwrap();
        kept(&bench, &[], config.to_str(), "ci/guard.py");
    }
}
