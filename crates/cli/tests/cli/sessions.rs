//! `palanca sessions`: what happened, and taking it back; commands' changes included.

use crate::harness::{Bench, Ended, ended};
use palanca_testkit::{skipped, until};
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn command(bench: &Bench, command: &str) -> Ended {
    bench.run(&["call", "run_command", &json!({ "command": command }).to_string(), "--mode", "yolo"])
}

fn sessions(bench: &Bench) -> Vec<Value> {
    bench.run(&["sessions", "list", "--json"]).expect(0).json().as_array().unwrap().clone()
}

fn latest(bench: &Bench) -> String {
    sessions(bench)[0]["id"].as_str().unwrap().to_owned()
}

/// Everything below a folder: names, modes, contents.
pub fn tree(folder: &Path) -> Vec<(String, u32, Vec<u8>)> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        for entry in std::fs::read_dir(path).into_iter().flatten() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            let content = match std::fs::read_link(&path) {
                Ok(target) => target.display().to_string().into_bytes(),
                Err(_) => std::fs::read(&path).unwrap_or_default(),
            };
            let shown = path.strip_prefix(folder).unwrap().display().to_string();
            found.push((shown, metadata.permissions().mode(), content));
            if metadata.is_dir() {
                pending.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_diff_of_a_step_stays_whatever_later_steps_do() {
    let steps = [
        json!({"tool": "run_command", "args": {"command": "echo one > a.txt"}}),
        json!({"tool": "run_command", "args": {"command": "echo two >> a.txt; printf '\\000\\001' > bin"}}),
        json!({"tool": "write_file", "args": {"path": "a.txt", "content": "three\n"}}),
        json!({"tool": "run_command", "args": {"command": "mv a.txt b.txt; mkdir d"}}),
        json!({"tool": "run_command", "args": {"command": "mv b.txt d/c.txt; mv d e"}}),
        json!({"tool": "run_command", "args": {"command": "sed -i s/three/four/ e/c.txt; printf '\\002' >> bin"}}),
    ];
    let batch: String = steps.iter().map(|step| format!("{step}\n")).collect();
    let bench = Bench::new(&[("a.txt", "zero\n")]);
    bench.run_with(&["call", "--batch", "-", "--jobs", "1", "--mode", "yolo"], &batch).expect(0);
    let shown = bench.run(&["sessions", "show", "latest", "--diff"]).expect(0).stdout;
    for part in [
        "-zero\n+one\n",
        " one\n+two\n",
        "-one\n-two\n+three\n",
        "rename from a.txt\nrename to b.txt\n",
        "rename from b.txt\n",
        "-three\n+four\n",
        "Binary file bin changed\n",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(!shown.contains("not recorded"), "{shown}");
}

#[test]
fn what_a_command_changed_is_listed_shown_and_taken_back() {
    let bench = Bench::new(&[("a.txt", "one\n"), ("src/b.txt", "two\n"), ("gone/c.txt", "three\n")]);
    let before = tree(&bench.workspace());
    command(
        &bench,
        "echo more >> a.txt; rm -r gone; mkdir -p new/deep; echo x > new/deep/x; chmod +x src/b.txt; ln -s a.txt l",
    )
    .expect(0);
    let after = tree(&bench.workspace());
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    let listed = sessions(&bench);
    assert_eq!(listed.len(), 2, "calls count too: {listed:?}");
    assert_eq!((&listed[0]["calls"], &listed[0]["files"]), (&json!(1), &json!(0)));
    assert_eq!(listed[1]["workspace"], json!(bench.workspace().canonicalize().unwrap()));
    let id = listed[1]["id"].as_str().unwrap();
    let shown = bench.run(&["sessions", "show", id, "--diff"]).expect(0).stdout;
    for part in
        ["run_command", "write a.txt", "delete gone/c.txt", "link l -> a.txt", "mode src/b.txt 644 -> 755", "+more"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let rehearsed = bench.run(&["sessions", "undo", id, "--dry-run"]).expect(0);
    assert!(
        rehearsed.stdout.contains("-more") && rehearsed.stderr.contains("nothing was changed"),
        "{}",
        rehearsed.stderr
    );
    assert_eq!(tree(&bench.workspace()), after);
    let undone = bench.run(&["sessions", "undo", id]).expect(0);
    assert!(undone.stdout.contains("-more"), "the diff is shown: {}", undone.stdout);
    assert_eq!(tree(&bench.workspace()), before);
    // As the sentence says: the undo can be undone.
    bench.run(&["sessions", "undo", id, "--to", "1"]).expect(0);
    assert_eq!(tree(&bench.workspace()), after);
}

#[test]
fn a_failed_or_stopped_command_is_taken_back_too() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    command(&bench, "echo two > a.txt; false").expect(1);
    let call = json!({ "command": "echo three > a.txt; sleep 600" }).to_string();
    let stopped = bench.command(&["call", "run_command", &call, "--mode", "yolo"]).spawn().unwrap();
    until("the command has written", || bench.read("a.txt") == "three\n");
    rustix::process::kill_process(Pid::from_child(&stopped), Signal::INT).unwrap();
    ended(stopped.wait_with_output().unwrap()).expect(130);
    for session in sessions(&bench) {
        bench.run(&["sessions", "undo", session["id"].as_str().unwrap()]).expect(0);
    }
    assert_eq!(bench.read("a.txt"), "one\n");
}

#[test]
fn a_killed_process_loses_nothing() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let call = json!({ "command": "echo two > a.txt; echo x > b.txt; sleep 600" }).to_string();
    let mut child = bench.command(&["call", "run_command", &call, "--mode", "yolo"]).spawn().unwrap();
    until("the command has written", || bench.workspace().join("b.txt").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    // Its sandbox goes after it, and takes the places along that it kept closed.
    until("the sandbox is gone", || !bench.workspace().join("palanca.yaml").exists());
    assert_eq!(bench.read("a.txt"), "two\n");
    let listed = sessions(&bench);
    assert_eq!(listed[0]["files"], 2, "{listed:?}");
    bench.run(&["sessions", "undo", "latest"]).expect(0);
    assert_eq!(bench.read("a.txt"), "one\n");
    assert!(!bench.workspace().join("b.txt").exists());
}

#[test]
fn what_others_changed_since_is_refused_by_name_and_overwritten_by_force() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    command(&bench, "echo two > a.txt").expect(0);
    bench.write("a.txt", "a person's\n");
    let refused = bench.run(&["sessions", "undo", "latest", "--lang", "es"]).expect(1);
    assert!(refused.stderr.contains("a.txt") && refused.stderr.contains("no se deshizo nada"), "{}", refused.stderr);
    assert_eq!(bench.read("a.txt"), "a person's\n");
    let undone = bench.run(&["sessions", "undo", "latest", "--force", "--json"]).expect(0).json();
    assert_eq!((&undone["restored"], &undone["removed"]), (&json!(["a.txt"]), &json!([])));
    assert_eq!(bench.read("a.txt"), "one\n");
    // The person's text is a step: it can be had back.
    bench.run(&["sessions", "undo", "latest", "--to", "1"]).expect(0);
    assert_eq!(bench.read("a.txt"), "a person's\n");
}

#[test]
fn ids_are_no_paths_and_errors_say_what_to_do() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    for id in ["../../etc", "a/b", "", "x y"] {
        for what in ["show", "undo"] {
            assert!(bench.run(&["sessions", what, id]).expect(3).stderr.contains("sessions list"), "{id:?}");
        }
    }
    assert!(bench.run(&["sessions", "show", "latest"]).expect(3).stderr.contains("No session"));
    command(&bench, "echo two > a.txt").expect(0);
    let id = latest(&bench);
    assert!(bench.run(&["sessions", "undo", "zzz"]).expect(3).stderr.contains("zzz"));
    assert!(bench.run(&["sessions", "undo", &id, "--to", "9"]).expect(1).stderr.contains("step 9"));
    let elsewhere = Bench::new(&[]);
    let folder = elsewhere.workspace().display().to_string();
    let refused = bench.run(&["sessions", "undo", &id, "--workspace", &folder]).expect(1);
    assert!(
        refused.stderr.contains(&bench.workspace().canonicalize().unwrap().display().to_string()),
        "{}",
        refused.stderr
    );
    // Contents that are gone: named, and nothing is lost.
    std::fs::remove_dir_all(bench.home().join("undo/batches")).unwrap();
    let lost = bench.run(&["sessions", "undo", &id]).expect(1);
    assert!(lost.stderr.contains("a.txt") && lost.stderr.contains("nothing was undone"), "{}", lost.stderr);
    assert_eq!(bench.read("a.txt"), "two\n");
    assert!(bench.run(&["sessions", "undo", &id[..20]]).expect(1).stderr.contains("a.txt"));
}

#[test]
fn what_is_too_large_to_be_kept_is_not_overwritten() {
    let large = "x".repeat(3 << 20);
    let bench = Bench::new(&[("large.bin", large.as_str()), ("own.yaml", "undo: {max_bytes: 1048576}\n")]);
    let call = json!({ "command": "echo two > large.bin; echo new > b.txt; rm -f nothing" }).to_string();
    bench.run(&["call", "run_command", &call, "--mode", "yolo", "-c", "own.yaml"]);
    assert_eq!(bench.read("large.bin").len(), 3 << 20);
    assert_eq!(bench.read("b.txt"), "new\n");
    // A name that goes needs no copy.
    let call = json!({ "command": "rm large.bin" }).to_string();
    bench.run(&["call", "run_command", &call, "--mode", "yolo", "-c", "own.yaml"]).expect(0);
    bench.run(&["sessions", "undo", "latest"]).expect(0);
    assert_eq!(bench.read("large.bin").len(), 3 << 20);
}

#[test]
fn what_was_only_rehearsed_or_judged_is_no_session() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let model = bench.home().with_file_name("m.jsonl");
    let write = json!({"tool_calls": [{"id": "c", "name": "write_file", "arguments": {"path": "b", "content": "x"}}]});
    std::fs::write(&model, format!("{write}\n{}\n", json!({"content": "Done."}))).unwrap();
    let model = format!("replay:{}", model.display());
    let write = r#"{"path": "b.txt", "content": "x"}"#;
    bench.run(&["call", "write_file", write, "--dry-run"]).expect(0);
    bench
        .run_with(&["call", "--batch", "-", "--dry-run"], &format!("{{\"tool\": \"write_file\", \"args\": {write}}}"))
        .expect(0);
    bench.run(&["call", "run_command", r#"{"command": "touch c"}"#, "--dry-run=commands"]).expect(0);
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#, "--dry-run"]).expect(0);
    bench.run(&["run", "x", "--model", &model, "--dry-run"]).expect(0);
    bench.run(&["explain", "write_file", write]).expect(0);
    assert_eq!(sessions(&bench), [] as [Value; 0]);
    assert!(bench.run(&["sessions", "show", "latest"]).expect(3).stderr.contains("No session"));
    bench.run(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(0);
    let listed = sessions(&bench);
    assert_eq!(listed.len(), 1, "{listed:?}");
    // A call that only looked belongs to its workspace, too.
    assert_eq!(listed[0]["workspace"], json!(bench.workspace().canonicalize().unwrap()));
    assert!(bench.run(&["sessions", "show", "latest"]).expect(0).stdout.contains(&latest(&bench)));
}

/// Root becomes the owner of the workspace, who cannot reach the journal.
#[test]
fn what_root_does_as_the_owner_of_the_workspace_is_taken_back() {
    const OWNER: u32 = 61_001;
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let give = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        std::os::unix::fs::chown(path, Some(OWNER), Some(OWNER))
    };
    let workspace = bench.workspace();
    if give(&workspace, 0o755).and_then(|()| give(&workspace.join("a.txt"), 0o644)).is_err() {
        return skipped("commands of another owner", "only root becomes somebody else");
    }
    std::fs::set_permissions(workspace.parent().unwrap(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let before = tree(&workspace);
    for first in ["touch new", "chmod 600 a.txt", "mkdir folder && touch folder/new"] {
        let ended = command(&bench, &format!("{first} && id -u")).expect(0);
        assert!(ended.stdout.contains(&OWNER.to_string()), "{first}: {}", ended.stdout);
        assert_ne!(tree(&workspace), before, "{first}");
        bench.run(&["sessions", "undo", "latest"]).expect(0);
        assert_eq!(tree(&workspace), before, "{first}");
    }
}
