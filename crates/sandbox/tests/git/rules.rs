//! A git that changes something obeys the rules of its repository, in the sandbox, unless its program only reads.

use crate::has_git;
use palanca_core::call::{CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell};
use palanca_core::ports::{By, Exit, Keep, Owner, Processes as _, Run, RunLimits};
use palanca_sandbox::{Isolation, PersonalGit, Sandbox, SandboxSettings};
use palanca_testkit::{PATIENCE, executable};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// A repository of the person's, and a door to it.
struct Place {
    folder: tempfile::TempDir,
    personal: PersonalGit,
    /// Whether its programs were told to be such as only read.
    only_reads: bool,
}

/// What a program printed, on both ways, and its exit code.
type Ended = (i32, String);

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), personal: PersonalGit::default(), only_reads: false };
        std::fs::create_dir_all(place.top()).unwrap();
        for line in ["init -q -b main", "config user.name n", "config user.email e@x.example"] {
            place.really(line);
        }
        place.put("f", "one\n");
        place.really("add f");
        place.really("commit -q -m first");
        place
    }

    fn top(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("w")
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.top().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn hook(&self, name: &str, script: &str) {
        let hooks = self.top().join(".git/hooks");
        std::fs::create_dir_all(&hooks).unwrap();
        executable(hooks.join(name), format!("#!/bin/sh\n{script}\n"));
    }

    /// The real git, outside.
    fn really(&self, line: &str) -> String {
        self.words(&line.split(' ').collect::<Vec<_>>())
    }

    fn words(&self, words: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.top()).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.folder.path());
        let output = command.args(words).output().unwrap();
        assert!(output.status.success(), "git {words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn set(&self, key: &str, value: &str) {
        self.words(&["config", key, value]);
    }

    fn run(&self, text: &str) -> Ended {
        let mut settings = SandboxSettings::new(self.top(), Isolation::Best);
        settings.helper = env!("CARGO_BIN_EXE_palanca-sandbox").into();
        settings.git = Some(self.personal.clone());
        let only_reads = self.only_reads;
        settings.only_reads = Some(Arc::new(move |_| only_reads));
        let door = Sandbox::new(settings).unwrap();
        let owner = Owner::of(&Scope::session(SessionId::new("s")));
        let limits = RunLimits { time: PATIENCE, keep: Keep::default() };
        let by = By { owner: &owner, call: &CallId::new("1"), session: None };
        let cancel = palanca_core::tool::Cancel::new();
        let launch =
            Launch::script(Shell::Sh, format!("{{ {text}; }} 2>&1"), CanonicalPath::new(Root::Workspace, "".into()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let run = Run { by, limits, cancel: &cancel, tail: None, questions: None };
        let finished = runtime.block_on(door.run(&launch, run)).unwrap();
        let Exit::Code(code) = finished.exit else { panic!("{finished:?}") };
        (code, String::from_utf8(finished.stdout.head).unwrap())
    }

    fn commits(&self) -> usize {
        self.really("log --oneline").lines().count()
    }
}

fn check(ended: &Ended, code: i32, parts: &[&str]) {
    assert!(ended.0 == code && parts.iter().all(|part| ended.1.contains(part)), "{parts:?}: {ended:?}");
}

#[test]
fn a_hook_refuses_and_a_hook_changes() {
    if !has_git() {
        return;
    }
    let place = Place::new();
    place.hook("pre-commit", "echo formatted > f; git add f; echo 'hook: f was formatted'");
    place.hook("commit-msg", "grep -q '^fix: ' \"$1\" || { echo 'hook: no fix'; exit 3; }");
    place.put("f", "two\n");
    check(&place.run("git add f && git commit -q -m work"), 1, &["hook: f was formatted", "hook: no fix"]);
    assert_eq!(place.commits(), 1);
    check(&place.run("git commit -q -m 'fix: work'"), 0, &["hook: f was formatted"]);
    assert_eq!((place.commits(), place.really("show HEAD:f")), (2, "formatted\n".to_owned()));
    // As the person may.
    place.hook("pre-commit", "exit 1");
    check(&place.run("echo 3 > f; git commit -q -a -m 'fix: x'"), 1, &[]);
    check(&place.run("git commit -q -a --no-verify -m 'fix: x'"), 0, &[]);
    assert_eq!(place.commits(), 3);
}

#[test]
fn hooks_in_another_folder_and_of_other_forms_run() {
    if !has_git() {
        return;
    }
    let place = Place::new();
    place.hook("pre-commit", "exit 1");
    place.set("core.hooksPath", ".husky");
    place.put(".husky/x", "");
    executable(place.top().join(".husky/pre-commit"), "#!/bin/sh\necho from husky\n");
    executable(place.top().join(".husky/post-checkout"), "#!/bin/sh\necho checked out\n");
    executable(place.top().join(".husky/pre-rebase"), "#!/bin/sh\necho no rebase; exit 1\n");
    check(&place.run("echo 2 > f; git commit -q -a -m x"), 0, &["from husky"]);
    check(&place.run("git checkout -q -b side"), 0, &["checked out"]);
    check(&place.run("git rebase -f main"), 1, &["no rebase"]);
}

/// As git-lfs does: what is stored is a pointer.
fn with_filter(place: &Place) {
    executable(place.top().join("clean"), "#!/bin/sh\nsum=$(cksum)\necho \"pointer $sum\"\n");
    executable(place.top().join("smudge"), "#!/bin/sh\nsed 's/pointer/smudged/'\n");
    place.put(".gitattributes", "*.bin filter=big\n");
    place.set("filter.big.clean", "./clean");
    place.set("filter.big.smudge", "./smudge");
}

#[test]
fn a_filter_decides_what_is_stored() {
    if !has_git() {
        return;
    }
    let place = Place::new();
    with_filter(&place);
    place.put("a.bin", "content\n");
    check(&place.run("git add -A && git commit -q -m x"), 0, &[]);
    assert_eq!(
        place.really("cat-file blob HEAD:a.bin"),
        "pointer 3735928559 8\n".replace("3735928559", &sum("content\n"))
    );
    check(&place.run("rm a.bin && git checkout -q -- a.bin && cat a.bin"), 0, &["smudged "]);
    // One that fails is no filter: its content is not stored as it is, required or not.
    executable(place.top().join("clean"), "#!/bin/sh\nexit 1\n");
    place.put("a.bin", "others\n");
    check(&place.run("git add a.bin"), 128, &["a.bin: clean filter 'big' failed"]);
    // With one side alone.
    place.words(&["config", "--unset", "filter.big.clean"]);
    check(&place.run("git add a.bin && git cat-file -p :a.bin"), 0, &[]);
    assert_eq!(place.really("cat-file blob :a.bin"), "others\n");
}

fn sum(text: &str) -> String {
    let output = Command::new("sh").args(["-c", "printf '%s' \"$1\" | cksum", "sh", text]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().split(' ').next().unwrap().to_owned()
}

#[test]
fn what_cannot_run_here_stops_git_with_the_reason() {
    if !has_git() {
        return;
    }
    let place = Place::new();
    place.put(".gitattributes", "*.bin filter=lfs\n*.ipynb filter=own\n");
    place.set("filter.lfs.process", "no-such-lfs filter-process");
    place.set("filter.own.clean", "/home/nobody/bin/strip --all");
    place.put("a.bin", "x\n");
    place.put("a.ipynb", "x\n");
    place.put("plain", "x\n");
    check(&place.run("git add a.bin"), 128, &["the filter lfs needs no-such-lfs, which commands cannot see"]);
    check(&place.run("git add a.ipynb"), 128, &["the filter own needs /home/nobody/bin/strip"]);
    check(&place.run("git add plain && git commit -q -m plain"), 0, &[]);
    assert_eq!(place.really("ls-files"), "f\nplain\n");
    // Signatures.
    for (key, value) in [("commit.gpgSign", "true"), ("tag.gpgSign", "true"), ("user.signingKey", "K")] {
        place.set(key, value);
    }
    let commits = place.commits();
    for format in ["openpgp", "x509", "ssh"] {
        place.set("gpg.format", format);
        for line in ["git commit --allow-empty -m signed", "git tag -m x signed"] {
            let (code, text) = place.run(line);
            assert_ne!(code, 0, "{format} {line}: {text}");
        }
    }
    assert_eq!((place.commits(), place.really("tag")), (commits, String::new()));
    check(&place.run("git commit -q --allow-empty --no-gpg-sign -m unsigned"), 0, &[]);
    // Hooks that are out of sight.
    place.set("core.hooksPath", "/home/nobody/hooks");
    let commit = "git commit -q --allow-empty --no-gpg-sign -m x";
    check(&place.run(commit), 128, &["/home/nobody/hooks", "commands cannot see it"]);
    place.set("core.hooksPath", "/dev/null");
    check(&place.run(commit), 0, &[]);
    place.words(&["config", "--unset", "core.hooksPath"]);
    std::os::unix::fs::symlink("/home/nobody/check", place.top().join(".git/hooks/pre-commit")).unwrap();
    check(&place.run(commit), 128, &[".git/hooks/pre-commit", "commands cannot see it"]);
    check(&place.run("git status -s"), 0, &["?? a.bin"]);
}

/// What stands in the person's own settings, which are out of sight; the repository's own go before.
#[test]
fn the_rules_of_the_person_count() {
    if !has_git() {
        return;
    }
    let mut place = Place::new();
    executable(place.top().join("clean"), "#!/bin/sh\nsed s/secret/public/\n");
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    place.personal = PersonalGit {
        settings: vec![pair("filter.strip.clean", "./clean"), pair("commit.gpgsign", "true")],
        attributes: "*.nb filter=strip\n".to_owned(),
        unreadable: None,
    };
    place.put("a.nb", "secret\n");
    let (code, text) = place.run("git add a.nb && git commit -q -m x");
    assert_eq!((code, place.commits()), (128, 1), "{text}");
    place.set("commit.gpgSign", "false");
    check(&place.run("git commit -q -m x"), 0, &[]);
    assert_eq!(place.really("cat-file blob HEAD:a.nb"), "public\n");
    place.personal.settings.push(pair("core.hookspath", "/home/nobody/hooks"));
    check(&place.run("git commit -q --allow-empty -m x"), 128, &["/home/nobody/hooks"]);
    place.set("core.hooksPath", "none");
    check(&place.run("git commit -q --allow-empty -m x"), 0, &[]);
    place.personal.attributes = "x".repeat(200 << 10);
    check(&place.run("git add f"), 128, &["settings of git", "too long"]);
    check(&place.run("git status -s"), 0, &[]);
}

#[test]
fn what_only_looks_and_what_only_reads_runs_no_rule() {
    if !has_git() {
        return;
    }
    let mut place = Place::new();
    with_filter(&place);
    place.put("a.bin", "content\n");
    place.really("add -A");
    place.really("commit -q -m x");
    executable(place.top().join("clean"), "#!/bin/sh\n: > ran\ncat\n");
    for hook in ["pre-commit", "post-index-change", "post-checkout", "reference-transaction"] {
        place.hook(hook, ": > ran");
    }
    // Of the same length: git has to read it.
    place.put("a.bin", "CONTENT\n");
    for line in
        ["git status", "git diff", "git log -p", "git show", "git stash list", "git blame f", "git -C . status -s"]
    {
        place.run(line);
        assert!(!place.top().join("ran").exists(), "{line}");
    }
    place.only_reads = true;
    for line in ["git add a.bin", "git commit -q -a -m x", "git checkout -q -b other", "git status"] {
        place.run(line);
        assert!(!place.top().join("ran").exists(), "{line}");
    }
    place.only_reads = false;
    check(&place.run("git add a.bin && ls ran"), 0, &["ran"]);
}
