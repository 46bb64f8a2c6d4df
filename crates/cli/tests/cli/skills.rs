//! `palanca skills`: the verdicts, and what it makes, installs and removes.

use crate::harness::Bench;
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt as _, symlink};

const VALID: &str = "---\nname: pdf\ndescription: Reads PDFs.\n---\nBody.\n";

fn rows(bench: &Bench) -> Vec<Value> {
    bench.run(&["skills", "list", "--json"]).expect(0).json().as_array().unwrap().clone()
}

/// A folder outside the workspace.
fn source(bench: &Bench, files: &[(&str, &str)]) -> String {
    let folder = bench.workspace().parent().unwrap().join("source/pdf");
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder.display().to_string()
}

#[test]
fn check_says_what_the_public_validator_says_with_its_exit_code() {
    let bench = Bench::new(&[]);
    bench.write("ok/pdf/SKILL.md", VALID);
    bench.write("ok/lower/skill.md", "---\nname: lower\ndescription: d\n---\n");
    bench.write("bad/pdf/SKILL.md", "---\nname: Pdf\ndescription:\nmore: x\n---\n");
    bench.write("bad/flow/SKILL.md", "---\nname: flow\ndescription: d\nallowed-tools: [a]\n---\n");
    bench.write("bad/none/README.md", "");
    bench.write("bad/open/SKILL.md", "---\nname: open\n");
    bench.write("bad/latin/SKILL.md", "");
    std::fs::write(bench.workspace().join("bad/latin/SKILL.md"), b"---\nname: latin\ndescription: \xff\n---\n")
        .unwrap();
    std::fs::create_dir_all(bench.workspace().join("bad/folder/SKILL.md")).unwrap();
    std::fs::create_dir_all(bench.workspace().join("bad/pipe")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, bench.workspace().join("bad/pipe/SKILL.md"), 0o644.into()).unwrap();
    for (path, code) in [
        ("ok/pdf", 0),
        ("ok/pdf/", 0),
        ("ok/pdf/SKILL.md", 0),
        ("ok/lower", 0),
        ("ok", 0),
        ("bad/pdf", 1),
        ("bad/flow", 1),
        ("bad/none", 1),
        ("bad/none/README.md", 1),
        ("bad/open", 1),
        ("bad/latin", 1),
        ("bad/folder", 1),
        ("bad/pipe", 1),
        ("bad", 1),
        ("nowhere", 3),
    ] {
        let ended = bench.run(&["skills", "check", path]);
        assert_eq!(ended.code, code, "{path}: {}{}", ended.stdout, ended.stderr);
    }
    let verdict = bench.run(&["skills", "check", "bad/pdf", "--json"]).expect(1).json();
    assert_eq!(verdict[0]["valid"], false);
    assert_eq!(verdict[0]["problems"].as_array().unwrap().len(), 4, "{verdict}");
    let mut inside = bench.command(&["skills", "check", "."]);
    inside.current_dir(bench.workspace().join("ok/pdf"));
    assert_eq!(inside.output().unwrap().status.code(), Some(0));
}

#[test]
fn no_name_makes_installs_or_removes_anything_elsewhere() {
    let bench = Bench::new(&[("keep/x.txt", "x")]);
    let top = bench.workspace().parent().unwrap().to_owned();
    std::fs::create_dir_all(top.join("victim")).unwrap();
    bench.write(".palanca/skills/.installed", "../../keep\nkeep\n..\n.\n");
    let absolute = top.join("victim").display().to_string();
    for name in [
        "..",
        ".",
        "",
        "../../keep",
        "../../../victim",
        "a/../../../keep",
        absolute.as_str(),
        "keep/../../..",
        "a\\b",
        "a\0b",
        "A",
        "-a",
        "a--b",
        ".installed",
        "%2e%2e",
        "．．",
    ] {
        if name.contains('\0') {
            continue;
        }
        for command in ["create", "remove"] {
            let mut all = vec!["skills", command, "--", name];
            if name.is_empty() {
                all = vec!["skills", command, ""];
            }
            let ended = bench.run(&all).expect(3);
            assert!(ended.stderr.contains("name") || ended.stderr.contains("nombre"), "{name}: {}", ended.stderr);
        }
        let text = format!("---\nname: \"{}\"\ndescription: d\n---\n", name.replace('\\', "\\\\"));
        bench.run(&["skills", "install", &source(&bench, &[("SKILL.md", &text)])]).expect(3);
    }
    assert_eq!(bench.read("keep/x.txt"), "x");
    assert!(top.join("victim").exists());
    assert_eq!(std::fs::read_dir(bench.workspace().join(".palanca/skills")).unwrap().count(), 1);
}

#[test]
fn links_in_the_way_are_not_followed() {
    let bench = Bench::new(&[("src/pdf/a.txt", "x"), ("src/.installed", "pdf\n")]);
    let top = bench.workspace().parent().unwrap().to_owned();
    std::fs::create_dir_all(top.join("out/pdf")).unwrap();
    std::fs::write(top.join("out/.installed"), "pdf\n").unwrap();
    std::fs::create_dir_all(bench.workspace().join(".palanca")).unwrap();
    let skills = bench.workspace().join(".palanca/skills");
    let from = source(&bench, &[("SKILL.md", VALID)]);
    for target in ["../src", "../../out", top.join("out").to_str().unwrap()] {
        // ignored: the first time nothing is there.
        let _ = std::fs::remove_file(&skills);
        symlink(target, &skills).unwrap();
        for command in [vec!["remove", "pdf"], vec!["create", "new"], vec!["install", &from, "--overwrite"]] {
            bench.run(&[vec!["skills"], command].concat()).expect(3);
        }
    }
    assert!(bench.workspace().join("src/pdf/a.txt").exists() && top.join("out/pdf").exists());
    assert!(!bench.workspace().join("src/new").exists() && !top.join("out/new").exists());
}

#[test]
fn a_skill_is_made_installed_shown_and_removed() {
    let bench = Bench::new(&[]);
    bench.run(&["skills", "create", "notes", "--description", "Writes: \"notes\" # always"]).expect(0);
    assert!(bench.run(&["skills", "create", "notes"]).expect(3).stderr.contains("already exists"));
    let from = source(&bench, &[("SKILL.md", VALID), ("scripts/run.sh", "echo\n"), (".git/HEAD", "x")]);
    let script = std::path::Path::new(&from).join("scripts/run.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    symlink("/etc/passwd", std::path::Path::new(&from).join("link")).unwrap();
    // A dry run changes nothing.
    bench.run(&["--dry-run", "skills", "install", &from]).expect(0);
    assert_eq!(rows(&bench).len(), 1);
    let said = bench.run(&["skills", "install", &from]).expect(0).stderr;
    assert!(said.contains("not copied: link"), "{said}");
    let installed = bench.workspace().join(".palanca/skills/pdf");
    assert_eq!(std::fs::metadata(installed.join("scripts/run.sh")).unwrap().permissions().mode() & 0o777, 0o755);
    assert!(!installed.join("link").exists() && !installed.join(".git").exists());
    let expected = json!([
        {"name": "pdf", "description": "Reads PDFs.", "file": ".palanca/skills/pdf/SKILL.md", "origin": "workspace", "accepted": true,
         "offered": true, "shadowed_by": null, "problems": []},
        {"name": "notes", "description": "Writes: \"notes\" # always", "file": ".palanca/skills/notes/SKILL.md", "origin": "workspace",
         "accepted": false, "offered": true, "shadowed_by": null, "problems": []},
    ]);
    assert_eq!(Value::Array(rows(&bench)), expected);
    assert!(bench.run(&["skills", "show", "pdf"]).expect(0).stdout.contains("Body."));
    assert_eq!(bench.run(&["skills", "show", "pdf", "--json"]).expect(0).json()["instructions"], "Body.");
    assert!(bench.run(&["skills", "show", "pff"]).expect(3).stderr.contains("notes"));
    bench.run(&["skills", "check"]).expect(0);
    // Only what was installed is removed.
    assert!(bench.run(&["skills", "remove", "notes"]).expect(3).stderr.contains("was not installed"));
    bench.run(&["skills", "install", &from]).expect(3);
    bench.run(&["skills", "install", &from, "--overwrite"]).expect(0);
    bench.run(&["skills", "remove", "pdf"]).expect(0);
    bench.run(&["skills", "remove", "pdf"]).expect(3);
    assert_eq!(rows(&bench).len(), 1);
    // The user's own shelf.
    bench.run(&["skills", "install", &from, "--user"]).expect(0);
    assert_eq!(rows(&bench)[0]["origin"], "user");
    bench.run(&["skills", "remove", "pdf", "--user"]).expect(0);
    assert_eq!(rows(&bench).len(), 1);
}

#[test]
fn what_is_no_skill_is_not_installed() {
    let bench = Bench::new(&[]);
    let from = source(&bench, &[("README.md", "")]);
    bench.run(&["skills", "install", &from]).expect(3);
    let from = source(&bench, &[("SKILL.md", "no front matter")]);
    bench.run(&["skills", "install", &from]).expect(3);
    let from = source(&bench, &[("SKILL.md", VALID), (".env", "KEY=canary")]);
    let ended = bench.run(&["skills", "install", &from]).expect(3);
    assert!(ended.stderr.contains(".env"), "{}", ended.stderr);
    assert!(!bench.workspace().join(".palanca/skills/pdf").exists());
    bench.run(&["skills", "install", "/nowhere"]).expect(3);
    let long = "d".repeat(2000);
    bench.run(&["skills", "create", "x", "--description", &long]).expect(3);
}

#[test]
fn both_languages_say_the_same() {
    let bench = Bench::new(&[(".agents/skills/pdf/SKILL.md", VALID)]);
    for (lang, state, none) in
        [("en", "not trusted", "no skill is called"), ("es", "sin confianza", "ninguna habilidad se llama")]
    {
        assert!(bench.run(&["--lang", lang, "skills", "list"]).expect(0).stdout.contains(state));
        assert!(bench.run(&["--lang", lang, "skills", "show", "x"]).expect(3).stderr.contains(none));
    }
}
