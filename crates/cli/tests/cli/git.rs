//! Git as commands and reports use it, unasked: it prints no closed file and runs nothing that a repository names.

use crate::harness::{Bench, Ended, ended};
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

const CANARY: &str = "canary-of-a-closed-file";

fn git(bench: &Bench, words: &[&str]) -> String {
    let mut command = Command::new("/usr/bin/git");
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", bench.home()).env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "n").env(format!("GIT_{who}_EMAIL"), "e@x.example");
    }
    let output = command.args(words).current_dir(bench.workspace()).output().unwrap();
    assert!(output.status.success(), "git {words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn commit(bench: &Bench, files: &[(&str, &str)]) {
    files.iter().for_each(|(path, text)| bench.write(path, text));
    git(bench, &["add", "-A", "-f"]);
    git(bench, &["commit", "-q", "-m", "work"]);
}

/// In the default mode, where nobody can be asked.
fn unasked(bench: &Bench, command: &str) -> Ended {
    let arguments = json!({ "command": command }).to_string();
    ended(bench.command(&["call", "run_command", &arguments]).output().unwrap())
}

/// Closed files in the history, the index, a stash, under a tag, and under another name later.
fn with_secrets() -> Bench {
    let bench = Bench::new(&[]);
    git(&bench, &["init", "-q", "-b", "main", "."]);
    let secret = format!("A={CANARY}\nB=2\nC=3\nD=4\nE=5\n");
    commit(&bench, &[(".env", &secret), ("f", "one\n"), ("sub/.env.production", &secret), ("old.pem", &secret)]);
    std::fs::remove_file(bench.workspace().join("old.pem")).unwrap();
    commit(&bench, &[("f", "two\n"), ("new.txt", "A=open\nB=2\nC=3\nD=4\nE=5\n")]);
    git(&bench, &["tag", "content", "HEAD:.env"]);
    bench.write(".env", &format!("{secret}STASHED={CANARY}\n"));
    git(&bench, &["stash", "-q"]);
    bench.write(".env", &format!("{secret}STAGED={CANARY}\n"));
    bench.write("f", "three\n");
    git(&bench, &["add", "-f", "-A"]);
    git(&bench, &["update-index", "--assume-unchanged", "sub/.env.production"]);
    bench.write("f", "four\n");
    bench
}

#[test]
fn whether_a_closed_file_holds_a_text_is_not_told() {
    let bench = with_secrets();
    for form in [
        "git log --oneline -S",
        "git log --oneline --all -G",
        "git log --stat -S",
        "git show --oneline HEAD~1 -G",
        "git diff --stat HEAD~1 -S",
        "git stash list -S",
        "git grep -c -e ",
        "git grep -q --cached -e ",
        "git grep -iq -e NothingElse -e ",
        "git grep -l HEAD~1 -e ",
    ] {
        let told = |text: &str| {
            let Ended { code, stdout, stderr } = unasked(&bench, &format!("{form}{text}"));
            format!("{code} {stdout}{stderr}").replace(text, "")
        };
        assert_eq!(told(CANARY), told("NothingLikeIt"), "{form}");
    }
}

#[test]
fn git_prints_no_closed_file_unasked() {
    let bench = with_secrets();
    let blob = git(&bench, &["rev-parse", "HEAD:.env"]);
    // Shown are the other files.
    for (command, shown) in [
        ("git diff", "+four"),
        ("git diff HEAD", "+four"),
        ("git diff --cached --no-prefix", "+three"),
        ("git -C sub diff -S f HEAD~1 HEAD -- ../f", ""),
        ("git diff HEAD~1 HEAD", "+two"),
        ("git diff HEAD~1..HEAD --color=always --line-prefix=x", "two"),
        ("git diff HEAD~1 -- . ':!x'", "+four"),
        ("git diff --check HEAD", ""),
        ("cd sub && git diff HEAD", "+four"),
        ("git log -p --all", "+two"),
        ("git log -p --graph -m --format=%s", "+two"),
        ("git log -p -- '*'", "+two"),
        ("git log -U0 -S canary", ""),
        ("git log -L 1,1:f", ""),
        ("git log -p --follow new.txt", ""),
        ("git log -p -g", "+two"),
        ("git show", "+two"),
        ("git show HEAD~1", "+one"),
        ("git show stash@{0}", ""),
        ("git show content", ""),
        ("git show HEAD..content", ""),
        ("git show --tags", ""),
        ("git show HEAD:f", "two"),
        ("git stash show -p", ""),
        ("git stash show -w", ""),
        ("git stash list -p", ""),
        ("git reflog -p", "+two"),
        ("git diff-tree -p HEAD~1 HEAD", "+two"),
        ("git diff-index -p HEAD", "+four"),
        ("git diff-files -p", "+four"),
        ("git grep -n '[=ow]' HEAD", "HEAD:f:1:two"),
        ("git grep -h --color=always canary HEAD~1", ""),
        ("git grep canary", ""),
        ("git grep --cached canary", ""),
        ("echo canary | git grep -f - HEAD", ""),
        ("git blame f", "four"),
        ("git cat-file -p HEAD:f", "two"),
        ("git cat-file blob content", ""),
        ("git for-each-ref --format='%(contents)'", ""),
        (&*format!("git show {blob}"), ""),
        (&*format!("git show {}", &blob[..9]), ""),
        (&*format!("git cat-file -p {blob}"), ""),
        (&*format!("git diff {blob} HEAD:f"), ""),
        (&*format!("git grep -e -e {blob}"), ""),
    ] {
        let ended = unasked(&bench, command);
        assert_ne!(ended.code, 6, "{command} is asked about: {}", ended.stderr);
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert!(!said.contains(CANARY), "{command}: {said}");
        assert!(ended.stdout.contains(shown), "{command}: {said}");
    }
    // Names that begin in a folder of a commit, with and without secrets in it.
    for form in [
        "git grep -h canary TREE",
        "git grep -n -e canary TREE",
        "git grep -c canary TREE",
        "git grep canary TREE -- .",
        "git grep --full-name canary TREE",
        "git diff TREE stash@{0}:sub",
        "git diff-tree -p -r TREE stash@{0}:sub",
    ] {
        for tree in
            ["HEAD:sub", "HEAD:", "HEAD~1:sub", "HEAD:./sub", "HEAD:sub/", "HEAD^0:./sub/../sub", "stash@{0}:sub"]
        {
            let command = form.replace("TREE", tree);
            let ended = unasked(&bench, &command);
            let said = format!("{}{}", ended.stdout, ended.stderr);
            assert!(!said.contains(CANARY), "{command}: {said}");
        }
    }
    let said = unasked(&bench, "git diff HEAD").stdout;
    assert!(said.contains("palanca: left out, because these files are closed: .env"), "{said}");
}

#[test]
fn forms_that_cannot_leave_out_closed_files_are_asked_about() {
    let bench = with_secrets();
    for command in [
        "git show HEAD:.env",
        "git show :.env",
        "git blame HEAD -- sub/.env.production",
        "git status -v",
        "git range-diff HEAD~1..HEAD HEAD~1..HEAD",
        "git diff --submodule=diff",
        "git tag --format='%(raw)'",
        "git archive HEAD",
        "git format-patch --stdout HEAD~1",
        "PALANCA_GIT_INNER=1 git diff",
        "env -i git diff",
        "env -u PALANCA_GIT_CLOSED git diff",
    ] {
        unasked(&bench, command).expect(6);
    }
    let arguments = json!({"command": "git diff", "env": {"PALANCA_GIT_INNER": "1"}}).to_string();
    let ended = bench.run(&["call", "run_command", &arguments]);
    assert!(ended.code != 0 && !ended.stdout.contains(CANARY), "{}", ended.stdout);
    // Without the list of closed names nothing is shown, whoever allowed it.
    let arguments = json!({"command": "env -u PALANCA_GIT_CLOSED git diff"}).to_string();
    let ended = bench.run(&["call", "run_command", &arguments, "--mode", "yolo"]);
    assert!(!ended.stdout.contains(CANARY) && !ended.stdout.contains("+four"), "{}", ended.stdout);
}

#[test]
fn what_is_closed_to_git_is_what_the_configuration_says() {
    let bench = Bench::new(&[]);
    git(&bench, &["init", "-q", "-b", "main", "."]);
    commit(&bench, &[("a.private", CANARY), ("deep/plan.txt", CANARY), ("test.pem", "a certificate\n"), ("f", "x\n")]);
    commit(&bench, &[("a.private", "-"), ("deep/plan.txt", "-"), ("test.pem", "-"), ("f", "y\n")]);
    let mine = bench.home().join("mine.yaml");
    let text = "secrets: {deny: ['*.private'], allow: [test.pem]}\nguardrails: {sensitive_files: ['deep/*']}\n";
    std::fs::write(&mine, text).unwrap();
    let arguments = json!({"command": "git diff HEAD~1 HEAD"}).to_string();
    let ended = bench.run(&["--config", mine.to_str().unwrap(), "call", "run_command", &arguments]).expect(0);
    assert!(!ended.stdout.contains(CANARY), "{}", ended.stdout);
    assert!(ended.stdout.contains("-a certificate") && ended.stdout.contains("+y"), "{}", ended.stdout);
}

#[test]
fn reports_and_prompts_hold_no_closed_file() {
    let bench = with_secrets();
    bench.write("../r.jsonl", "{\"content\": \"done\"}\n");
    for more in [&["--report", "json"][..], &["--context-git-diff", "HEAD~1"]] {
        let ended = bench.run(&[&["run", "hi", "--model", "replay:../r.jsonl"][..], more].concat()).expect(0);
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert!(!said.contains(CANARY), "{more:?}: {said}");
        assert!(said.contains("+four") || more[0] != "--report", "{said}");
    }
    let stored = Command::new("grep").args(["-r", "-l", CANARY]).arg(bench.home()).output().unwrap();
    assert!(stored.stdout.is_empty(), "{stored:?}");
}

/// A nested repository, known to the outer one, that starts a program in each way that git takes from a configuration.
fn with_nested() -> Bench {
    let bench = Bench::new(&[]);
    git(&bench, &["init", "-q", "-b", "main", "."]);
    git(&bench, &["init", "-q", "-b", "main", "sub"]);
    let within = |words: &[&str]| git(&bench, &[&["-C", "sub"][..], words].concat());
    bench.write("sub/.gitattributes", "*.a filter=long diff=own\n*.b filter=short diff=own\n*.c filter=needed\n");
    let files = ["sub/x.a", "sub/x.b", "sub/x.c"];
    files.iter().for_each(|file| bench.write(file, "one\n"));
    within(&["add", "-A"]);
    within(&["commit", "-q", "-m", "one"]);
    commit(&bench, &[("f", "x\n")]);
    // Of the same length, so that git has to read them.
    files.iter().for_each(|file| bench.write(file, "two\n"));
    bench.write("f", "y\n");
    let program = |name: &str| {
        let mark = bench.workspace().join("ran").join(name);
        bench.write(&format!("programs/{name}"), &format!("#!/bin/sh\n: > '{}'\nexec cat\n", mark.display()));
        let path = bench.workspace().join("programs").join(name);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    };
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "gpg.program",
        "diff.external",
        "diff.own.command",
        "diff.own.textconv",
        "filter.long.process",
        "filter.short.clean",
        "filter.short.smudge",
        "filter.needed.clean",
        "remote.origin.uploadpack",
        "uploadpack.packObjectsHook",
    ] {
        within(&["config", key, &program(key)]);
    }
    for (key, value) in [
        ("filter.needed.required", "true"),
        ("log.showSignature", "true"),
        ("diff.submodule", "diff"),
        ("status.submoduleSummary", "true"),
        ("remote.origin.promisor", "true"),
        ("protocol.ext.allow", "always"),
        ("extensions.worktreeConfig", "true"),
        ("include.path", "../../included"),
    ] {
        within(&["config", key, value]);
    }
    within(&["config", "remote.origin.url", &format!("ext::{}", program("ext"))]);
    within(&["config", "--worktree", "filter.other.process", &program("worktree")]);
    bench.write("included", &format!("[filter \"short\"]\n\tprocess = {}\n", program("included")));
    for hook in ["post-index-change", "fsmonitor-watchman", "reference-transaction"] {
        let hooks = bench.workspace().join("sub/.git/hooks");
        std::fs::create_dir_all(&hooks).unwrap();
        std::fs::copy(program(hook), hooks.join(hook)).unwrap();
    }
    let ran = bench.workspace().join("ran");
    std::fs::create_dir(&ran).unwrap();
    std::fs::set_permissions(&ran, std::fs::Permissions::from_mode(0o777)).unwrap();
    bench
}

fn ran(bench: &Bench) -> Vec<String> {
    let marks = std::fs::read_dir(bench.workspace().join("ran")).unwrap();
    marks.map(|mark| mark.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn git_runs_nothing_that_a_nested_repository_names_unasked() {
    let bench = with_nested();
    for (command, shown) in [
        ("git status", "modified content"),
        ("git status -s --ignore-submodules=none", " m sub"),
        ("git diff", "-dirty"),
        ("git diff --submodule HEAD", "sub contains modified content"),
        ("git -C sub status -s", " M x.a"),
        ("git -C sub diff", "+two"),
        ("git -C sub log -p", "+one"),
        ("git -C sub show HEAD:x.a", "one"),
        ("git -C sub blame x.b", "two"),
        ("git -C sub log --alternate-refs -1 --oneline", "one"),
        ("git grep --recurse-submodules one", ""),
        ("git ls-files --recurse-submodules", "sub"),
        ("git stash list -p", ""),
        ("git describe --always --dirty", "-dirty"),
        ("git log -p", "+x"),
    ] {
        let ended = unasked(&bench, command);
        assert_eq!(ran(&bench), Vec::<String>::new(), "{command}: {}", ended.stdout);
        assert!(ended.code != 6 && ended.stdout.contains(shown), "{command}: {}{}", ended.stdout, ended.stderr);
    }
    bench.write("../r.jsonl", "{\"content\": \"done\"}\n");
    for more in [&["--report", "json"][..], &["--context-git-diff", "HEAD"]] {
        bench.run(&[&["run", "hi", "--model", "replay:../r.jsonl"][..], more].concat()).expect(0);
        assert_eq!(ran(&bench), Vec::<String>::new(), "{more:?}");
    }
    // Without this the rest could not fail.
    let arguments = ["5", "git", "status"];
    let output = Command::new("timeout").args(arguments).current_dir(bench.workspace()).output().unwrap();
    assert!(ran(&bench).len() > 2, "{output:?}");
}

fn repository() -> Bench {
    let bench = Bench::new(&[]);
    git(&bench, &["init", "-q", "-b", "main", "."]);
    git(&bench, &["config", "user.name", "n"]);
    git(&bench, &["config", "user.email", "e@x.example"]);
    bench
}

/// Tracked and closed: masked inside. With one of its own line ends, one whose name is a pattern, one that is not tracked.
fn with_masked() -> Bench {
    let bench = repository();
    commit(&bench, &[(".env", "A=1\n"), ("a b/x[1]*.pem", "q\r\n"), ("f", "0\n"), (".gitattributes", "* text=auto\n")]);
    bench.write("sub/.env", "B=1\n");
    bench
}

#[test]
fn git_stores_nothing_that_stands_in_the_place_of_a_closed_file() {
    let bench = with_masked();
    let held = |bench: &Bench| git(bench, &["ls-files", "-s", ".env", "a b"]);
    let before = held(&bench);
    for (number, command) in [
        "git commit -qam work",
        "git add -A && git commit -qm work",
        "git add . && git commit -qm work",
        "git add -u; git commit -qm work",
        "git add -f .env f; git commit -qm work",
        "git commit -qm work -- .env f",
        "git commit -q --all --message work --amend",
        "git stash -q; git stash pop -q; git commit -qam work",
        "git stash -qu; git stash pop -q; git commit -qam work",
        "git add -f sub/.env; git commit -qam work",
        "git update-index --add sub/.env .env; git commit -qam work",
        "cd sub; git add -A ..; git commit -qm work",
        "git add -N sub/.env; git commit -qam work",
    ]
    .into_iter()
    .enumerate()
    {
        bench.write("f", &format!("{}\n", number + 1));
        let arguments = json!({ "command": command }).to_string();
        let ended = ended(bench.command(&["-m", "yolo", "call", "run_command", &arguments]).output().unwrap());
        assert_eq!(held(&bench), before, "{command}: {}", ended.stderr);
        assert_eq!(
            git(&bench, &["log", "--all", "--oneline", "--", ".env", "a b", "sub"]).lines().count(),
            1,
            "{command}"
        );
        assert_eq!(git(&bench, &["show", "HEAD:f"]), (number + 1).to_string(), "{command}: {}", ended.stderr);
        git(&bench, &["rm", "-q", "-r", "--cached", "--ignore-unmatch", "sub"]);
    }
    assert_eq!(git(&bench, &["status", "--short", ".env", "a b"]), "");
}

#[test]
fn git_stores_no_removal_of_what_lies_in_a_closed_folder() {
    let bench = repository();
    commit(&bench, &[(".ssh/config", "h\n"), ("f", "0\n")]);
    for (number, (command, committed)) in [
        ("git commit -qam work", false),
        ("git commit -qm work -- .", false),
        ("git stash", false),
        ("git add -A; git commit -qm work", true),
        ("git add -u .; git commit -qm work", true),
        ("git add f; git commit -qm work", true),
    ]
    .into_iter()
    .enumerate()
    {
        bench.write("f", &format!("{}\n", number + 1));
        let arguments = json!({ "command": command }).to_string();
        let ended = ended(bench.command(&["-m", "yolo", "call", "run_command", &arguments]).output().unwrap());
        assert_eq!(git(&bench, &["ls-files", ".ssh"]), ".ssh/config", "{command}: {}", ended.stderr);
        assert_eq!(git(&bench, &["ls-tree", "-r", "--name-only", "HEAD", ".ssh"]), ".ssh/config", "{command}");
        assert_eq!(
            git(&bench, &["show", "HEAD:f"]) == (number + 1).to_string(),
            committed,
            "{command}: {}",
            ended.stderr
        );
    }
}

#[test]
fn a_configuration_written_in_place_says_what_was_judged() {
    let bench = Bench::new(&[("evil", "[core]\n\tfsmonitor = touch ran\n"), ("good", "[user]\n\tname = a\n")]);
    bench.write(
        "hold.py",
        "import os\n\
         first = os.open('late/.git/config', os.O_WRONLY | os.O_CREAT)\n\
         second = os.open(f'/proc/self/fd/{first}', os.O_WRONLY)\n\
         os.write(first, open('good', 'rb').read())\n\
         os.close(first)\n\
         while os.path.getsize('late/.git/config') == 0: pass\n\
         os.pwrite(second, open('evil', 'rb').read(), 0)\n\
         os.close(second)\n",
    );
    let command = "mkdir -p plain/.git bad/.git late/.git kept && cp -p good plain/.git/config && cp evil bad/.git/config && \
                   python3 hold.py && cp -r plain kept/";
    let arguments = json!({ "command": command }).to_string();
    let called = bench.run(&["call", "run_command", &arguments, "--mode", "yolo"]).expect(0);
    assert!(called.stdout.contains("core.fsmonitor"), "{}", called.stdout);
    for (path, text) in [
        ("plain/.git/config", "[user]\n\tname = a\n"),
        ("bad/.git/config", ""),
        ("late/.git/config", "[user]\n\tname = a\n"),
        ("kept/plain/.git/config", "[user]\n\tname = a\n"),
    ] {
        assert_eq!(bench.read(path), text, "{path}");
    }
    let time = |path: &str| std::fs::metadata(bench.workspace().join(path)).unwrap().modified().unwrap();
    assert_eq!(time("good"), time("plain/.git/config"));
}

/// A hook that changes a file, one that refuses, and a filter which only the person's own settings know.
#[test]
fn a_commit_obeys_the_rules_of_its_repository() {
    let bench = repository();
    let script = |path: &std::path::Path, text: &str| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    commit(&bench, &[("f", "one\n"), (".gitattributes", "*.nb filter=strip\n"), ("clean", "")]);
    script(&bench.workspace().join("clean"), "sed s/result/stripped/");
    let hook = "echo formatted > g; git add g; grep -q bad f && { echo 'hook: f is bad'; exit 1; }; true";
    script(&bench.workspace().join(".git/hooks/pre-commit"), hook);
    std::fs::write(bench.home().with_file_name(".gitconfig"), "[filter \"strip\"]\nclean = ./clean\n").unwrap();
    // The question says it.
    let arguments = json!({"command": "git commit -a -m x"}).to_string();
    let explained = bench.run(&["explain", "run_command", &arguments]);
    let told = "hooks and filters of the repository run with it";
    assert!(explained.stdout.contains(told), "{}", explained.stdout);
    let arguments = json!({"command": "git status"}).to_string();
    assert!(!bench.run(&["explain", "run_command", &arguments]).stdout.contains(told));

    let yolo = |command: &str| {
        let arguments = json!({ "command": command }).to_string();
        bench.run(&["--mode", "yolo", "call", "run_command", &arguments])
    };
    bench.write("f", "bad\n");
    let refused = yolo("git commit -a -m x").expect(1);
    assert!(refused.stdout.contains("hook: f is bad"), "{}", refused.stdout);
    assert_eq!(git(&bench, &["rev-list", "--count", "HEAD"]), "1");
    bench.write("f", "good\n");
    bench.write("a.nb", "result\n");
    git(&bench, &["reset", "-q"]);
    std::fs::remove_file(bench.workspace().join("g")).unwrap();
    let head = git(&bench, &["rev-parse", "HEAD"]);
    yolo("git add -A && git commit -q -m work").expect(0);
    assert_eq!(git(&bench, &["show", "HEAD:a.nb"]), "stripped");
    assert_eq!((git(&bench, &["show", "HEAD:g"]), bench.read("g")), ("formatted".to_owned(), "formatted\n".to_owned()));
    // What the hook made goes with the commit.
    bench.run(&["sessions", "undo", "latest"]).expect(0);
    assert_eq!(git(&bench, &["rev-parse", "HEAD"]), head);
    assert!(!bench.workspace().join("g").exists() && bench.read("a.nb") == "result\n");

    std::fs::write(bench.home().with_file_name(".gitconfig"), "[commit]\ngpgSign = true\n").unwrap();
    bench.write("f", "signed\n");
    let unsigned = yolo("git commit -a -m x");
    assert!(unsigned.code != 0 && unsigned.stdout.contains("commands reach no signing key"), "{}", unsigned.stdout);
    assert_eq!(git(&bench, &["rev-parse", "HEAD"]), head);
}
