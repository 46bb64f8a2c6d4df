//! A repository that wants to run programs, and `git` as the sandbox offers it: nothing runs, and what is shown is right.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod rules;

use palanca_testkit::{PATIENCE, executable, skipped};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Keys that some command of git executes, each with the way in which it takes a program. `@` is the program.
const VECTORS: &[(&str, &str)] = &[
    ("core.fsmonitor", "@"),
    ("core.hooksPath", "hooks"),
    ("core.pager", "@"),
    ("pager.log", "@"),
    ("pager.diff", "@"),
    ("pager.status", "@"),
    ("pager.branch", "@"),
    ("core.editor", "@"),
    ("sequence.editor", "@"),
    ("core.askPass", "@"),
    ("core.sshCommand", "@"),
    ("core.gitProxy", "@"),
    ("core.alternateRefsCommand", "@"),
    ("credential.helper", "!@"),
    ("credential.https://x.example.helper", "!@"),
    ("diff.external", "@"),
    ("diff.evil.command", "@"),
    ("diff.evil.textconv", "@"),
    ("diff.tool", "evil"),
    ("difftool.evil.cmd", "@"),
    ("merge.tool", "evil"),
    ("mergetool.evil.cmd", "@"),
    ("merge.evil.driver", "@"),
    ("filter.evil.clean", "@"),
    ("filter.evil.smudge", "@"),
    ("filter.evil.required", "true"),
    ("filter.worse.process", "@"),
    ("gpg.program", "@"),
    ("gpg.ssh.program", "@"),
    ("gpg.ssh.defaultKeyCommand", "@"),
    ("commit.gpgSign", "true"),
    ("tag.gpgSign", "true"),
    ("log.showSignature", "true"),
    ("interactive.diffFilter", "@"),
    ("trailer.evil.command", "@"),
    ("uploadpack.packObjectsHook", "@"),
    ("remote.origin.url", "ext::@"),
    ("remote.origin.uploadpack", "@"),
    ("remote.origin.receivepack", "@"),
    ("protocol.ext.allow", "always"),
    ("submodule.lib.update", "!@"),
    ("alias.st", "!@"),
    ("web.browser", "evil"),
    ("browser.evil.cmd", "@"),
    ("init.templateDir", "template"),
];

/// What a careful agent runs without asking, and what it runs every day.
const COMMANDS: &[&[&str]] = &[
    &["status"],
    &["status", "-v", "-v"],
    &["diff"],
    &["diff", "--stat"],
    &["diff", "HEAD~1"],
    &["log", "-p", "-2"],
    &["log", "--oneline"],
    &["show", "HEAD"],
    &["show", "HEAD:a.evil"],
    &["blame", "a.evil"],
    &["branch", "-a", "-vv"],
    &["remote", "-v"],
    &["stash", "list"],
    &["ls-files"],
    &["grep", "x"],
    &["describe", "--all"],
    &["add", "-A"],
    &["commit", "-m", "work", "--no-gpg-sign"],
    &["commit", "--allow-empty", "-m", "more"],
    &["tag", "v1"],
    &["checkout", "-b", "other"],
    &["checkout", "-"],
    &["merge", "side"],
    &["stash"],
    &["stash", "pop"],
    &["fetch", "origin"],
    &["reset", "--hard"],
    &["st"],
];

struct Hostile {
    folder: tempfile::TempDir,
}

impl Hostile {
    /// A repository with every vector, each of which would leave a file named after it in `ran`.
    fn new() -> Self {
        let hostile = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(hostile.repository()).unwrap();
        std::fs::create_dir_all(hostile.ran()).unwrap();
        // Leaves a mark named as it was called, and passes its input on, so that git goes on.
        let mark = format!("#!/bin/sh\n: > '{}'/\"${{0##*/}}\"\nexec cat\n", hostile.ran().display());
        executable(hostile.folder.path().join("mark"), mark);
        for line in ["init -q -b main", "config user.name n", "config user.email e@x.example"] {
            hostile.really(line);
        }
        hostile.put(".gitattributes", "*.evil diff=evil filter=evil merge=evil\n*.worse filter=worse\n");
        hostile.put("a.evil", "one\n");
        hostile.put("a.worse", "one\n");
        hostile.put("plain.txt", "x one\n");
        for line in ["add -A", "commit -q -m first", "checkout -q -b side"] {
            hostile.really(line);
        }
        hostile.put("a.evil", "side\n");
        hostile.really("commit -q -am side");
        hostile.really("checkout -q main");
        hostile.put("a.evil", "main\n");
        hostile.really("commit -q -am main");
        hostile.put("a.evil", "changed\n");
        hostile.put("a.worse", "changed\n");
        hostile.put("plain.txt", "x changed\n");
        for (number, (key, value)) in VECTORS.iter().enumerate() {
            let value =
                value.replace('@', hostile.program(&format!("{number}-{}", key.replace('/', "_"))).to_str().unwrap());
            let set = hostile.git("git").args(["config", "--add", key, &value]).output().unwrap();
            assert!(set.status.success(), "{key}: {set:?}");
        }
        for place in [".git/hooks", "hooks"] {
            for hook in [
                "pre-commit",
                "post-checkout",
                "post-commit",
                "post-merge",
                "prepare-commit-msg",
                "commit-msg",
                "post-index-change",
                "reference-transaction",
                "pre-auto-gc",
                "fsmonitor-watchman",
                "post-rewrite",
            ] {
                let hook = hostile.repository().join(place).join(hook);
                std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
                symlink(hostile.folder.path().join("mark"), hook).unwrap();
            }
        }
        hostile
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    fn ran(&self) -> PathBuf {
        self.folder.path().join("ran")
    }

    fn put(&self, path: &str, text: &str) {
        std::fs::write(self.repository().join(path), text).unwrap();
    }

    /// The program under this name.
    fn program(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        symlink(self.folder.path().join("mark"), &path).unwrap();
        path
    }

    fn git(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.repository())
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(std::process::Stdio::null());
        command
    }

    fn really(&self, line: &str) -> Output {
        let output = self.git("git").args(line.split(' ')).output().unwrap();
        assert!(output.status.success(), "git {line}: {output:?}");
        output
    }

    /// Git as the sandbox offers it.
    fn offered(&self) -> PathBuf {
        let link = self.folder.path().join("git");
        if !link.exists() {
            symlink(env!("CARGO_BIN_EXE_palanca-sandbox"), &link).unwrap();
        }
        link
    }

    fn marks(&self) -> Vec<String> {
        let mut marks: Vec<String> = std::fs::read_dir(self.ran())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        marks.sort();
        marks
    }
}

fn has_git() -> bool {
    let found = Path::new("/usr/bin/git").exists();
    if !found {
        skipped("git", "no git on this machine");
    }
    found
}

/// The real git runs this many programs, at least. Some of them make it wait for an answer that never comes, so it gets
/// longer and longer for what it does before.
fn really_runs(hostile: &Hostile, at_least: usize, git: impl Fn(&str)) {
    let mut seconds = 1;
    while hostile.marks().len() < at_least {
        assert!(seconds < PATIENCE.as_secs(), "{:?}", hostile.marks());
        git(&seconds.to_string());
        seconds *= 2;
    }
}

/// Without this the test below could not fail.
#[test]
fn the_repository_is_really_hostile() {
    if !has_git() {
        return;
    }
    let hostile = Hostile::new();
    really_runs(&hostile, 8, |seconds| {
        for arguments in COMMANDS.iter().take(12) {
            hostile.git("timeout").args([seconds, "git"]).args(*arguments).output().unwrap();
        }
    });
}

#[test]
fn nothing_of_a_hostile_repository_runs() {
    if !has_git() {
        return;
    }
    let hostile = Hostile::new();
    for arguments in COMMANDS {
        let output = hostile.git(hostile.offered()).args(*arguments).output().unwrap();
        assert_eq!(hostile.marks(), Vec::<String>::new(), "git {arguments:?}: {output:?}");
    }
}

/// Into a nested repository git goes by itself, and there only the lock holds: the real git is what it starts here.
#[test]
fn nothing_of_a_nested_repository_runs_where_git_looks() {
    if !has_git() {
        return;
    }
    let hostile = Hostile::new();
    let outer = hostile.folder.path();
    let at = |program: &Path, line: &str| {
        hostile.git(program).current_dir(outer).args(line.split(' ')).output().unwrap();
        hostile.marks()
    };
    at(Path::new("git"), "init -q -b main");
    at(Path::new("git"), "-c user.name=n -c user.email=e@x.example add repository");
    // Of the same length as what is stored, so that git has to read them.
    hostile.put("a.evil", "MAIN\n");
    hostile.put("a.worse", "ONE\n");
    std::fs::read_dir(hostile.ran()).unwrap().for_each(|mark| std::fs::remove_file(mark.unwrap().path()).unwrap());
    for line in
        ["status", "diff", "diff --submodule=diff", "diff --cached --submodule=diff", "describe --broken --always"]
    {
        assert_eq!(at(&hostile.offered(), line), Vec::<String>::new(), "git {line}");
    }
    // Without this the rest could not fail.
    really_runs(&hostile, 2, |seconds| {
        hostile.git("timeout").current_dir(outer).args([seconds, "git", "status"]).output().unwrap();
    });
}

#[test]
fn what_is_shown_is_right_all_the_same() {
    if !has_git() {
        return;
    }
    let hostile = Hostile::new();
    let shown = |arguments: &[&str]| {
        let output = hostile.git(hostile.offered()).args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(shown(&["diff"]).contains("-main\n+changed\n"));
    assert!(shown(&["status", "--short"]).contains(" M a.evil"));
    assert!(shown(&["log", "-p", "-1"]).contains("+main"));
    assert!(shown(&["-C", ".", "show", "HEAD:plain.txt"]).contains("x one"));
    assert_eq!(shown(&["rev-parse", "--is-inside-work-tree"]), "true\n");
}

/// The same in the sandbox, where a program finds `git` by its name and by its path.
#[test]
fn nothing_runs_in_the_sandbox_either() {
    use palanca_core::call::{CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell};
    use palanca_core::ports::{By, Exit, Keep, Owner, Processes as _, Run, RunLimits};
    if !has_git() {
        return;
    }
    let hostile = Hostile::new();
    let mut settings = palanca_sandbox::SandboxSettings::new(
        hostile.folder.path().canonicalize().unwrap(),
        palanca_sandbox::Isolation::Best,
    );
    settings.helper = env!("CARGO_BIN_EXE_palanca-sandbox").into();
    let door = palanca_sandbox::Sandbox::new(settings).unwrap();
    let owner = Owner::of(&Scope::session(SessionId::new("s")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = |text: &str| {
        let directory = CanonicalPath::new(Root::Workspace, "repository".into());
        let limits = RunLimits { time: PATIENCE, keep: Keep::default() };
        let by = By { owner: &owner, call: &CallId::new("1"), session: None };
        let cancel = palanca_core::tool::Cancel::new();
        let launch = Launch::script(Shell::Sh, text, directory);
        let finished = runtime
            .block_on(door.run(&launch, Run { by, limits, cancel: &cancel, tail: None, questions: None }))
            .unwrap();
        (finished.exit, String::from_utf8(finished.stdout.head).unwrap())
    };
    // Without this the rest could not fail: what the repository names can really be run here.
    run("for program in ../0-*; do $program < /dev/null; done");
    assert_eq!(hostile.marks().len(), 1, "{:?}", hostile.marks());
    std::fs::remove_file(hostile.ran().join(&hostile.marks()[0])).unwrap();
    for arguments in COMMANDS {
        for git in ["git", "\"$(command -v git)\""] {
            let words: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
            run(&format!("{git} {}", words.join(" ")));
            assert_eq!(hostile.marks(), Vec::<String>::new(), "{git} {arguments:?}");
        }
    }
    let (exit, shown) = run("git log --oneline -1 && git -C . rev-parse --is-inside-work-tree");
    assert_eq!((exit, shown.lines().last()), (Exit::Code(0), Some("true")));
}
