//! The person's own programs as commands have them: found along their `PATH`, without what lies beside them; and what is said
//! where they are not found.

use crate::harness::{Bench, Ended, ended};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

struct Person {
    bench: Bench,
    home: PathBuf,
}

impl Person {
    /// Scripts that say their path, and files, below the home.
    fn with(programs: &[&str], files: &[&str]) -> Self {
        let bench = Bench::new(&[("a.txt", "hello\n")]);
        let home = bench.workspace().parent().unwrap().canonicalize().unwrap();
        let person = Self { bench, home };
        programs.iter().for_each(|path| person.write(path, &format!("#!/bin/sh\necho {path} says \"$@\"\n"), 0o755));
        files.iter().for_each(|path| person.write(path, "kept to oneself\n", 0o644));
        person
    }

    fn write(&self, path: &str, text: &str, mode: u32) {
        let path = self.home.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn palanca(&self, path: &[&str], arguments: &[&str]) -> Ended {
        let folders = path.iter().map(|folder| self.home.join(folder)).chain([Path::new("/usr/bin").to_owned()]);
        let path = std::env::join_paths(folders).unwrap();
        ended(self.bench.command(arguments).env("PATH", path).output().unwrap())
    }

    fn run(&self, path: &[&str], command: &str) -> Ended {
        self.palanca(path, &["call", "run_command", &json!({ "command": command }).to_string(), "--mode", "yolo"])
    }
}

#[test]
fn programs_of_the_persons_path_run_and_secrets_beside_them_are_not_there() {
    let person = Person::with(
        &[".cargo/bin/mytool", "bin/other"],
        &[".cargo/credentials.toml", ".cargo/registry/lib.rs", ".npmrc", ".netrc", "bin/.env", ".ssh/id_rsa"],
    );
    let path = &[".cargo/bin", "bin", ".ssh"];
    let ran = person.run(path, "mytool 1; other 2; echo $CARGO_HOME").expect(0).stdout;
    for part in [".cargo/bin/mytool says 1", "bin/other says 2", &person.home.join(".cargo").display().to_string()] {
        assert!(ran.contains(part), "{part}: {ran}");
    }
    let looked = person.run(
        path,
        "cat ~/.cargo/credentials.toml ~/.npmrc ~/.netrc ~/bin/.env ~/.ssh/*; touch ~/bin/new ~/.cargo/bin/new",
    );
    assert!(!looked.stdout.contains("kept to oneself"), "{}", looked.stdout);
    // Tools add to their packages, for one command, where the kernel can do that.
    let added = person.run(path, "cd ~/.cargo/registry && cat lib.rs && echo x > new && cat new").stdout;
    let refused = ["Read-only file system", "Permission denied"].iter().any(|words| added.contains(words));
    assert!(added.contains("kept to oneself\nx\n") || refused, "{added}");
    assert!(added.contains("kept to oneself") && !person.home.join(".cargo/registry/new").exists(), "{added}");
    assert!(!person.home.join("bin/new").exists() && !person.home.join(".cargo/bin/new").exists());
}

#[test]
fn a_program_of_the_workspace_never_takes_the_place_of_one_that_only_reads() {
    let person = Person::with(&["ws/.venv/bin/cat", "ws/.venv/bin/mine"], &[]);
    let path = &["ws/.venv/bin"];
    let asked = |command: &str| {
        let arguments = json!({ "command": command }).to_string();
        person.palanca(path, &["call", "run_command", &arguments]).code == 6
    };
    assert!(asked("cat a.txt") && !asked("/usr/bin/cat a.txt") && !asked("ls"));
    // Every class looks along the same path; who asks whether one of the workspace's may be run is asked about it.
    assert!(asked("which mine") && !asked("which ls") && !asked("command -v mine; echo $PATH"));
    for command in ["which mine", "command -v mine", "type mine", "echo $PATH", "which ls; which mine; mine 1"] {
        let found = person.run(path, command).expect(0).stdout;
        assert!(found.contains("ws/.venv/bin"), "{command}: {found}");
    }
    let more = person.run(path, "cat a.txt; mine 1; which cat").expect(0).stdout;
    for part in ["cat says a.txt", "mine says 1", "ws/.venv/bin/cat\n"] {
        assert!(more.contains(part), "{part}: {more}");
    }
}

/// What version managers do: the program that is asked for its version is one that a file of the folder names.
#[test]
fn asking_for_a_version_runs_no_program_that_the_folder_names() {
    let person = Person::with(&["ws/tc/rustc", ".cargo/bin/other"], &[]);
    person.write(
        ".cargo/bin/rustc",
        "#!/bin/sh\nread path < toolchain && \"$path\"/rustc \"$@\" && exit\necho shim\n",
        0o755,
    );
    person.write("ws/tc/rustc", "#!/bin/sh\ntouch ran\necho of the workspace\n", 0o755);
    let safe = |toolchain: &str| {
        person.write("ws/toolchain", &format!("{toolchain}\n"), 0o644);
        let arguments = json!({ "command": "rustc --version" }).to_string();
        person.palanca(&[".cargo/bin"], &["call", "run_command", &arguments]).expect(0).stdout
    };
    for toolchain in ["tc", "/proc/self/cwd/tc", &person.home.join("ws/tc").display().to_string()] {
        let said = safe(toolchain);
        assert!(said.contains("shim") && !said.contains("of the workspace"), "{toolchain}: {said}");
    }
    assert!(!person.home.join("ws/ran").exists());
    // With a question answered it is what it always was.
    assert!(person.run(&[".cargo/bin"], "rustc --version; true > new").stdout.contains("of the workspace"));
    let arguments = json!({ "command": "yarn --version" }).to_string();
    let asked = person.palanca(&[".cargo/bin"], &["call", "run_command", &arguments]);
    assert_eq!(asked.code, 6, "{}", asked.stderr);
}

#[test]
fn another_git_of_the_person_is_ours_inside() {
    let person = Person::with(&["bin/git"], &[]);
    let version = person.run(&["bin"], "git --version; command -v git").expect(0).stdout;
    assert!(version.contains("git version") && !version.contains("says"), "{version}");
}

#[test]
fn who_misses_a_program_is_told_why() {
    let person = Person::with(&["bin/mytool", ".cargo/bin/cargo"], &[]);
    std::fs::set_permissions(person.home.join("bin"), std::fs::Permissions::from_mode(0o777)).unwrap();
    let place = person.home.join("bin/mytool").display().to_string();
    for command in ["mytool", "mytool 2>/dev/null; exit 127", "sh -c 'mytool || exit 3'"] {
        let missed = person.run(&["bin"], command).stdout;
        assert!(missed.contains(&place) && missed.contains("commands.readable"), "{command}: {missed}");
    }
    for command in ["nothing-of-this-name", "echo mytool; exit 1", "true"] {
        let missed = person.run(&["bin"], command).stdout;
        assert!(!missed.contains("commands.readable"), "{command}: {missed}");
    }
    let explained = person.palanca(&["bin"], &["explain", "run_command", r#"{"command": "X=1 mytool --all"}"#]).stderr;
    assert!(explained.contains(&place) && explained.contains("commands.readable"), "{explained}");
    let page = person.palanca(&["bin", ".cargo/bin"], &["doctor"]).stdout;
    assert!(page.contains("toolchains: rust") && page.contains("other users can write it"), "{page}");
}

#[test]
fn the_configuration_switches_it_off_and_shows_more() {
    let person = Person::with(&["bin/mytool", "open/bin/theirs"], &[]);
    std::fs::set_permissions(person.home.join("open/bin"), std::fs::Permissions::from_mode(0o777)).unwrap();
    let configure = |text: &str| {
        std::fs::create_dir_all(person.home.join(".config/palanca")).unwrap();
        std::fs::write(person.home.join(".config/palanca/palanca.yaml"), text).unwrap();
    };
    configure("commands: {toolchains: false}\n");
    let missed = person.run(&["bin"], "mytool").stdout;
    assert!(missed.contains("exit_code: 127") && missed.contains("commands.readable"), "{missed}");
    configure(&format!("commands: {{readable: [{}]}}\n", person.home.join("open").display()));
    let ran = person.run(&["bin", "open/bin"], "mytool && theirs").expect(0).stdout;
    assert!(ran.contains("mytool says") && ran.contains("theirs says"), "{ran}");
}
