//! What programs write, as the process door asks for it: judged by name, by structure and by content.

use palanca_core::ports::{
    ClosedBy, FileError, FileErrorKind, Found, NameChange, NewName, Place, ProgramWrites, Step, WriteLog,
};
use palanca_files::{Disk, Writes};
use palanca_policy::paths::PathRules;
use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};
use std::ffi::OsStr;
use std::fs;
use std::io::{Seek as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// A workspace, and a program in it whose system calls are lines of text.
pub struct Program {
    pub top: TempDir,
    pub log: Option<Box<dyn WriteLog>>,
}

impl Program {
    /// In a workspace that this script of ours makes.
    pub fn new(prepare: &str) -> Self {
        Self::granted(prepare, &[])
    }

    fn granted(prepare: &str, granted: &[PathBuf]) -> Self {
        let top = palanca_testkit::in_memory();
        let mut program = Self { top, log: None };
        for line in lines(prepare) {
            program.does(line).unwrap();
        }
        let rules = PathRules::new(&[], &[], None).unwrap();
        let disk = Disk::open(program.top.path(), &[], Arc::new(rules)).unwrap();
        program.log = Some(Writes::new(Arc::new(disk)).begin(None, granted).unwrap());
        program
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.top.path().join(path)
    }

    /// `mkdir P`, `make P [content]`, `fill P content`, `write P content`, `chmod P`, `ln P target`, `link P to`, `mv P to`, `rm P`.
    pub fn does(&mut self, line: &str) -> Result<(), FileError> {
        does(self.top.path(), self.log.as_mut(), line)
    }
}

/// One system call in the workspace `top`, in a turn of its own; without a log one of ours.
pub fn does(top: &Path, mut log: Option<&mut Box<dyn WriteLog>>, line: &str) -> Result<(), FileError> {
    if let Some(log) = &mut log {
        log.hold().unwrap();
    }
    let done = in_turn(top, log.as_deref_mut(), line);
    if let Some(log) = log {
        log.release();
    }
    done
}

fn in_turn(top: &Path, log: Option<&mut Box<dyn WriteLog>>, line: &str) -> Result<(), FileError> {
    let mut words = line.splitn(3, ' ');
    let (verb, path) = (words.next().unwrap(), words.next().unwrap());
    let more = words.next().unwrap_or_default().replace("\\n", "\n").replace("\\t", "\t");
    let at = Spot::new(top, path);
    let to = Spot::new(top, &more);
    if verb == "fill" {
        let mut draft = tempfile::tempfile_in(top).unwrap();
        draft.write_all(more.as_bytes()).unwrap();
        draft.rewind().unwrap();
        return log.unwrap().fill(&at.place(), draft.as_fd());
    }
    let found = || at.found().unwrap_or_else(|| panic!("{line}: nothing is there"));
    let file = openat(&at.parent, &*at.name, OFlags::PATH | OFlags::NOFOLLOW, Mode::empty()).ok();
    let change = match verb {
        "mkdir" => NameChange::Create { at: at.place(), new: NewName::Folder },
        "make" => NameChange::Create { at: at.place(), new: NewName::File },
        "ln" => NameChange::Create { at: at.place(), new: NewName::Link(OsStr::new(&more)) },
        "write" => NameChange::Write { at: at.place(), file: file.as_ref().unwrap().as_fd(), found: found() },
        "chmod" => NameChange::Attributes { at: at.place(), found: found() },
        "rm" => NameChange::Remove { at: at.place(), found: found() },
        "link" => NameChange::HardLink { from: Some(at.place()), found: found(), to: to.place() },
        "mv" => NameChange::Move { from: at.place(), found: found(), to: to.place(), replaced: to.found() },
        other => panic!("{other}"),
    };
    match log.map_or(Ok(Step::Go), |log| log.before(&change))? {
        Step::Done => return Ok(()),
        Step::Empty => {
            fs::write(top.join(path), "").unwrap();
            return Ok(());
        }
        Step::Go => {}
    }
    let (from, target) = (top.join(path), top.join(&more));
    match verb {
        "mkdir" => fs::create_dir(from).unwrap(),
        "make" | "write" => fs::write(from, &more).unwrap(),
        "ln" => std::os::unix::fs::symlink(&more, from).unwrap(),
        "rm" if from.is_dir() => fs::remove_dir(from).unwrap(),
        "rm" => fs::remove_file(from).unwrap(),
        "link" => fs::hard_link(from, target).unwrap(),
        "mv" => fs::rename(from, target).unwrap(),
        _ => {}
    }
    Ok(())
}

struct Spot {
    path: PathBuf,
    parent: OwnedFd,
    name: std::ffi::OsString,
}

impl Spot {
    fn new(top: &Path, path: &str) -> Self {
        let path = PathBuf::from(path.lines().next().unwrap_or_default());
        let above = top.join(path.parent().unwrap_or(Path::new("")));
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        let parent = rustix::fs::open(&above, flags, Mode::empty())
            .or_else(|_| rustix::fs::open(top, flags, Mode::empty()))
            .unwrap();
        let name = path.file_name().unwrap_or_default().to_owned();
        Self { path, parent, name }
    }

    fn place(&self) -> Place<'_> {
        Place { path: &self.path, parent: self.parent.as_fd(), name: &self.name }
    }

    fn found(&self) -> Option<Found> {
        let stat = statat(&self.parent, &*self.name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(Found {
            device: stat.st_dev,
            inode: stat.st_ino,
            links: stat.st_nlink,
            size: stat.st_size.unsigned_abs(),
            mode: stat.st_mode,
        })
    }
}

fn lines(script: &str) -> impl Iterator<Item = &str> {
    script.split(';').map(str::trim).filter(|line| !line.is_empty())
}

/// The repository that most workspaces are.
const REPOSITORY: &str = "mkdir .git; mkdir .git/objects; mkdir .git/refs; make .git/HEAD ref: refs/heads/main; \
     make .git/config [core]\\n\\tbare = false\\n; mkdir .git/hooks; make .git/hooks/pre-commit.sample x; mkdir .git/info";
/// Another one, bare, with a name of its own, unfinished.
const UNFINISHED: &str = "mkdir b; make b/HEAD ref: x; mkdir b/objects";
const EVIL: &str = "[core]\\n\\tfsmonitor = touch x\\n";

#[test]
fn what_a_person_said_yes_to_may_change_and_nothing_beside_it() {
    let granted = [".git/hooks/pre-commit", ".vscode/tasks.json"].map(PathBuf::from);
    let mut program = Program::granted(&format!("{REPOSITORY}; make secret x"), &granted);
    for line in [
        "make .git/hooks/pre-commit run",
        "write .git/hooks/pre-commit more",
        "mkdir .vscode",
        "make own x",
        "mv own .vscode/tasks.json",
    ] {
        program.does(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    for line in ["make .git/hooks/pre-push run", "make .vscode/settings.json x", "make .env x", "mkdir .git/hooks/more"]
    {
        program.does(line).expect_err(line);
    }
    let mut other = Program::new(REPOSITORY);
    other.does("make .git/hooks/pre-commit run").expect_err("nobody was asked");
    other.log.as_mut().unwrap().grant(Path::new(".git/hooks/pre-commit"));
    other.does("make .git/hooks/pre-commit run").unwrap();
    other.does("make .git/hooks/pre-push run").expect_err("another file");
}

#[test]
fn a_person_is_asked_only_where_a_yes_is_all_that_is_missing() {
    let mut program = Program::new(&format!("{REPOSITORY}; mkdir p; mkdir p/.vscode; make p/.vscode/a x; make own x"));
    for (path, to, file, expected) in [
        ("own", ".vscode", ".vscode", true),
        ("own", ".git/hooks/pre-commit", ".git/hooks/pre-commit", true),
        ("own", ".git/hooks/pre-commit", ".git/hooks/pre-push", false),
        ("own", ".env", ".env", false),
        // What lies in the folder would need one more.
        ("p/.vscode", ".vscode", ".vscode", false),
    ] {
        let (from, to) = (Spot::new(program.top.path(), path), Spot::new(program.top.path(), to));
        let change =
            NameChange::Move { from: from.place(), found: from.found().unwrap(), to: to.place(), replaced: None };
        let log = program.log.as_mut().unwrap();
        assert_eq!(log.lacks_only(&change, Path::new(file)), expected, "{path} {file}");
        log.before(&change).expect_err("it was only looked at");
    }
}

/// What refused a change, and what it is about.
fn rule(error: FileError) -> String {
    let kind = match error.kind {
        FileErrorKind::Protected(ClosedBy::GitKey) => "git.config.key ",
        FileErrorKind::Protected(ClosedBy::GitObeyed) => "git.obeyed ",
        FileErrorKind::Protected(ClosedBy::GitUnreadable) => "git.config.unreadable ",
        FileErrorKind::Protected(ClosedBy::Moved) => "moved ",
        _ => "",
    };
    format!("{kind}{}", error.detail)
}

/// The last line is refused by this rule, or allowed; everything before it is allowed.
fn check(prepare: &str, script: &str, expected: Result<(), &str>) {
    let mut program = Program::new(prepare);
    let script = script.replace("EVIL", EVIL);
    let all: Vec<&str> = lines(&script).collect();
    let (last, before) = all.split_last().unwrap();
    for line in before {
        program.does(line).unwrap_or_else(|error| panic!("{script}: {line}: {error}"));
    }
    let answer = program.does(last).map_err(rule);
    assert_eq!(answer, expected.map_err(str::to_owned), "{script}");
}

#[test]
fn what_git_does_every_day_is_allowed() {
    for script in [
        "make .git/index.lock x; mv .git/index.lock .git/index",
        "make .git/config.lock [user]\\n\\tname = a\\n; chmod .git/config.lock; mv .git/config.lock .git/config",
        "mkdir .git/refs/heads; make .git/refs/heads/config x; mkdir .git/refs/heads/hooks; make .git/refs/heads/hooks/prod.env x",
        "make .git/hooks/update.sample x; chmod .git/hooks/update.sample; rm .git/hooks/update.sample",
        "make .git/hooks/.update.sample.x1 x; chmod .git/hooks/.update.sample.x1; mv .git/hooks/.update.sample.x1 .git/hooks/update.sample",
        "mkdir .git/worktrees; mkdir .git/worktrees/w; make .git/worktrees/w/HEAD x; make .git/worktrees/w/commondir ../..; \
         make .git/worktrees/w/config.worktree.lock [core]\\n\\tsparseCheckout = true\\n; \
         mv .git/worktrees/w/config.worktree.lock .git/worktrees/w/config.worktree",
        "mkdir n; mkdir n/.git; mkdir n/.git/hooks; make n/.git/hooks/a.sample x; make n/.git/config.lock [core]\\n\\tbare = false\\n; \
         mv n/.git/config.lock n/.git/config; make n/.git/HEAD x; mkdir n/.git/refs; mkdir n/.git/objects",
        "mkdir m; mkdir m/.git; make m/.git/config.lock [core]\\n\\tbare = false\\n; mv m/.git/config.lock m/.git/config; \
         mv m/.git .git/modules; mv .git/modules m/.git; rm m/.git/config; rm m/.git; rm m",
        "make .gitmodules [submodule \"a\"]\\n; make .gitattributes x; make sub gitdir: x; mv sub .gitmodules",
        "mkdir w; make w/.git gitdir: ../.git/worktrees/w",
        "mkdir src; mkdir src/hooks; make src/hooks/use.ts x; make src/config x; write src/config y; mv src/config src/c; link src/c src/d",
        "mkdir b; mkdir b/refs; make b/config.lock [core]\\n\\tbare = true\\n; mv b/config.lock b/config; mkdir b/objects; make b/HEAD x",
        "mkdir .venv; make .venv/pyvenv.cfg x; make .venv/cacert.pem x; rm .venv/pyvenv.cfg",
        "mkdir r; mkdir r/.git; mkdir r/.git/objects; mkdir r/.git/refs; mkdir r/src; mv r s; mv s/src s/lib",
    ] {
        check(REPOSITORY, script, Ok(()));
    }
}

#[test]
fn what_git_runs_is_not_planted() {
    for (script, rule) in [
        ("write .git/config EVIL", "git.config.in-place"),
        ("make .git/config.worktree EVIL; write .git/config.worktree EVIL", "git.config.in-place"),
        ("make .git/config.lock EVIL; mv .git/config.lock .git/config", "git.config.key core.fsmonitor"),
        ("make x EVIL; mv x .git/config", "git.config.key core.fsmonitor"),
        ("make x [core; mv x .git/config", "git.config.unreadable 2"),
        ("make x EVIL; link x .git/config.worktree", "git.config.in-place"),
        ("make .git/config.worktree; fill .git/config.worktree EVIL", "git.config.key core.fsmonitor"),
        ("mkdir n; mkdir n/.git; make n/.git/config; fill n/.git/config EVIL", "git.config.key core.fsmonitor"),
        (
            "make .git/config.worktree; fill .git/config.worktree [user]\\n\\tname = a\\n; write .git/config.worktree EVIL",
            "git.config.in-place",
        ),
        ("link .git/config x", "git.config.in-place"),
        ("mv .git/config x", "git.config.in-place"),
        ("rm .git/config", "git.config.in-place"),
        ("mv .git g", "git.own"),
        ("ln .git/config.worktree /x", "git.config.in-place"),
        ("ln x .git/config; mv x .git/config.worktree", "git.config.in-place"),
        ("make .git/hooks/pre-commit x", "git.hook"),
        ("make .git/hooks/HOOK x", "git.hook"),
        ("mkdir .git/hooks/x", "git.hook"),
        ("make .git/hooks/.x x; mv .git/hooks/.x .git/hooks/post-commit", "git.hook"),
        ("ln .git/hooks/.x ../x", "git.hook"),
        ("mv .git/hooks/pre-commit.sample .git/hooks/pre-commit", "git.hook"),
        ("make x x; mv x .git/hooks/pre-push", "git.hook"),
        ("make x x; link x .git/hooks/pre-push", "git.hook"),
        ("make x x; link x .git/hooks/a.sample", "git.hook"),
        ("ln .git/hooks/a.sample x", "git.hook"),
        ("mv .git/hooks h", "git.hook"),
        ("mkdir n; mkdir n/.git; ln n/.git/hooks ../../h", "git.hook"),
        ("mkdir n; mkdir n/.git; mkdir h; make h/pre-commit x; mv h n/.git/hooks", "git.hook"),
        ("mkdir n; mkdir n/.git; make n/.git/config EVIL; write n/.git/config EVIL", "git.config.in-place"),
        ("mkdir dist; mkdir dist/.GIT; make dist/.GIT/config EVIL; write dist/.GIT/config EVIL", "git.config.in-place"),
        ("mkdir n; make n/config EVIL; mv n .git/modules", "git.config.key core.fsmonitor"),
        ("mkdir n; mkdir n/g; make n/g/config EVIL; mv n/g n/.git", "git.config.key core.fsmonitor"),
        ("mkdir n; mkdir n/g; mkdir n/g/hooks; make n/g/hooks/update x; mv n/g n/.git", "git.hook"),
        ("mkdir n; mkdir n/m; mkdir n/m/y; make n/m/y/config EVIL; mv n .git/modules", "git.config.key core.fsmonitor"),
        ("ln .git/info2 x; mkdir n; ln n/.git x", "git.own"),
        ("ln n x; mv n .git/info", "git.own"),
        ("make .git/info/attributes x", "git.own"),
        ("make .git/commondir ../e", "git.own"),
        ("mkdir .git/modules; mkdir .git/modules/a; make .git/modules/a/commondir x", "git.own"),
        (
            "mkdir .git/modules; mkdir .git/modules/a; mkdir .git/modules/a/hooks; make .git/modules/a/hooks/x x",
            "git.hook",
        ),
        ("mkdir .hg", "protected.git"),
        ("mkdir .vscode", "protected.editor"),
        ("make .env x", "secret.dotenv"),
        ("mkdir a; make a/x x; mv a .ssh", "secret.ssh-dir"),
        ("mkdir a; make a/HEAD x; mv a/HEAD HEAD", "protected.repository"),
        ("mkdir .config; mkdir .config/a; mkdir x; mkdir x/git; mv x/git .config/git", "protected.git"),
    ] {
        check(REPOSITORY, script, Err(rule));
    }
}

#[test]
fn a_folder_does_not_become_a_repository_that_runs_something() {
    for (script, rule) in [
        ("make b/config EVIL; mkdir b/refs", "git.config.key core.fsmonitor"),
        ("make b/config EVIL; mkdir x; mv x b/refs", "git.config.key core.fsmonitor"),
        ("make b/config EVIL; ln b/refs x", "git.config.key core.fsmonitor"),
        ("make b/config EVIL; make x x; link x b/refs", "git.config.key core.fsmonitor"),
        ("make b/config EVIL; mkdir b/REFS", "git.config.key core.fsmonitor"),
        ("make b/config EVIL; mkdir x; mv x b/r; mv b/r b/refs", "git.config.key core.fsmonitor"),
        ("make b/config.worktree EVIL; make b/commondir x", "git.config.key core.fsmonitor"),
        ("ln b/config x; mkdir b/refs", "git.own"),
        ("mkdir b/config; mkdir b/refs", "git.own"),
        ("mkdir b/hooks; make b/hooks/update x; mkdir b/refs", "git.repository"),
        ("mkdir b/hooks; ln b/hooks/x.sample y; mkdir b/refs", "git.repository"),
        ("ln b/hooks x; mkdir b/refs", "git.repository"),
        ("mkdir b/info; make b/info/attributes x; mkdir b/refs", "git.repository"),
        ("mkdir b/refs; make b/config EVIL; write b/config EVIL", "git.config.in-place"),
        ("mkdir b/refs; mkdir b/hooks; make b/hooks/update x", "git.hook"),
        ("mkdir b/refs; make x EVIL; mv x b/config", "git.config.key core.fsmonitor"),
        ("mkdir b/refs; mkdir b/h; make b/h/update x; mv b/h b/hooks", "git.hook"),
        ("mkdir b/refs; make b/c EVIL; mv b/refs b/r; mv b/c b/config; mv b/r b/refs", "git.config.key core.fsmonitor"),
    ] {
        check(UNFINISHED, script, Err(rule));
    }
}

#[test]
fn what_was_judged_cannot_be_changed_by_a_descriptor_or_another_name() {
    let mut program = Program::new(REPOSITORY);
    program.does("make .git/config.lock [user]\\n\\tname = a\\n").unwrap();
    let mut held = fs::File::options().append(true).open(program.path(".git/config.lock")).unwrap();
    fs::hard_link(program.path(".git/config.lock"), program.path("other")).unwrap();
    program.does("mv .git/config.lock .git/config").unwrap();
    held.write_all(b"[core]\n\tfsmonitor = touch x\n").unwrap();
    assert_eq!(fs::read_to_string(program.path(".git/config")).unwrap(), "[user]\n\tname = a\n");
    assert!(!program.path(".git/config.lock").exists());

    let mut program = Program::new(REPOSITORY);
    program.does("mkdir n").unwrap();
    program.does("mkdir n/.git").unwrap();
    program.does("make n/.git/config").unwrap();
    program.does("fill n/.git/config [user]\\n\\tname = a\\n").unwrap();
    assert_eq!(fs::read_to_string(program.path("n/.git/config")).unwrap(), "[user]\n\tname = a\n");

    let mut program = Program::new(UNFINISHED);
    program.does("make b/config [user]\\n\\tname = a\\n").unwrap();
    let mut held = fs::File::options().append(true).open(program.path("b/config")).unwrap();
    program.does("mkdir b/refs").unwrap();
    held.write_all(b"[core]\n\tfsmonitor = touch x\n").unwrap();
    assert_eq!(fs::read_to_string(program.path("b/config")).unwrap(), "[user]\n\tname = a\n");

    let mut program = Program::new(REPOSITORY);
    program.does("mkdir n").unwrap();
    program.does("make n/config [user]\\n\\tname = a\\n").unwrap();
    let mut held = fs::File::options().append(true).open(program.path("n/config")).unwrap();
    program.does("mv n .git/modules").unwrap();
    held.write_all(b"[core]\n\tfsmonitor = touch x\n").unwrap();
    assert_eq!(fs::read_to_string(program.path(".git/modules/config")).unwrap(), "[user]\n\tname = a\n");
}

#[test]
fn folders_move_where_nothing_in_them_is_judged_otherwise() {
    const TREE: &str = "mkdir a; make a/x x; mkdir s; mkdir s/in; make s/in/.env x; mkdir .kube; make .kube/config x; \
                        mkdir e; mkdir e/.vscode; make e/.vscode/tasks.json x; mkdir .config; mkdir g; mkdir g/fish; make g/fish/x x";
    for (script, expected) in [
        ("mv a b", Ok(())),
        ("mv s t", Err("moved secret.dotenv")),
        ("mv s/in in", Err("moved secret.dotenv")),
        ("mv .kube k", Err("moved secret.cluster")),
        ("mv e f", Ok(())),
        ("mv e/.vscode e/v", Err("protected.editor")),
        ("mv g/fish .config/fish", Err("protected.shell")),
        ("rm .config; mv g .config", Err("moved protected.shell")),
    ] {
        check(TREE, script, expected);
    }
}

#[test]
fn large_folders_are_moved_file_by_file() {
    let mut program = Program::new("mkdir a");
    for number in 0..20_001 {
        fs::create_dir(program.path(&format!("a/{number}"))).unwrap();
    }
    let error = program.does("mv a b").unwrap_err();
    assert_eq!(error.kind, FileErrorKind::MoveByFile);
}

#[test]
fn an_existing_hard_link_to_a_closed_file_counts_as_it() {
    let prepare = format!("{REPOSITORY}; make .env x; link .env env; link .git/config cfg; make a x; link a b");
    for (script, expected) in [
        ("write env y", Err("secret.dotenv")),
        ("chmod env", Err("secret.dotenv")),
        ("link env e2", Err("secret.dotenv")),
        ("write cfg EVIL", Err("git.config.in-place")),
        ("write a y", Ok(())),
        ("rm env", Ok(())),
    ] {
        check(&prepare, script, expected);
    }
}

#[test]
fn what_a_person_names_while_a_program_runs_is_not_changed_either() {
    let mut program = Program::new(&format!(
        "{REPOSITORY}; mkdir tools; mkdir sub; mkdir sub/.git; make sub/.git/config x; mkdir sub/tools"
    ));
    for (config, tools) in [("sub/.git/config", "sub/tools"), (".git/config", "tools")] {
        program.does(&format!("make {tools}/a x")).unwrap();
        fs::write(program.path(config), "[core]\n\thooksPath = tools\n").unwrap();
        let refused = program.does(&format!("make {tools}/b x")).unwrap_err();
        assert_eq!(rule(refused), "git.obeyed core.hookspath", "{config}");
    }
}

#[test]
fn what_the_persons_configuration_names_is_not_changed_unasked() {
    let config = "[core]\\n\\thooksPath = tools/hooks\\n[include]\\n\\tpath = ../team.cfg\\n[filter \"a\"]\\n\\tclean = python3 strip.py %f\\n\
                  [alias]\\n\\ta = !./bin/a --x\\n";
    let prepare = format!(
        "{REPOSITORY}; write .git/config {config}; make team.cfg [core]\\n\\tfsmonitor = scripts/watch; make strip.py x; mkdir real; ln bin real; make python3 x"
    );
    for (script, expected) in [
        ("mkdir tools; mkdir tools/hooks", Err("git.obeyed core.hookspath")),
        ("ln tools real", Err("git.obeyed core.hookspath")),
        // As some file systems spell the same names.
        ("mkdir Tools; mkdir Tools/HOOKS", Err("git.obeyed core.hookspath")),
        ("make Team.cfg. x", Err("git.obeyed include.path")),
        ("mkdir t; mv t tools", Err("git.obeyed core.hookspath")),
        ("write team.cfg x", Err("git.obeyed include.path")),
        ("rm team.cfg", Err("git.obeyed include.path")),
        ("mkdir scripts; make scripts/watch x", Err("git.obeyed core.fsmonitor")),
        ("write strip.py x", Err("git.obeyed filter.*.clean")),
        ("make real/a x", Err("git.obeyed alias.a")),
        ("rm bin", Err("git.obeyed alias.a")),
        ("make scripts x", Ok(())),
        ("write python3 x", Ok(())),
        ("make tool x", Ok(())),
    ] {
        check(&prepare, script, expected);
    }
}

/// Where the kernel cannot ask for each write.
#[test]
fn what_a_program_must_not_leave_behind_is_taken_away() {
    let plain = "[core]\\n\\tbare = false\\n";
    let prepare = format!("{REPOSITORY}; mkdir .vscode; make .vscode/tasks.json mine; make .git/hooks/update mine");
    let program = Program::new(&prepare);
    let disk = Disk::open(program.top.path(), &[], Arc::new(PathRules::new(&[], &[], None).unwrap())).unwrap();
    let writes = Writes::new(Arc::new(disk));
    let before = writes.protected();
    for (path, is_there) in [(".vscode", true), (".vscode/tasks.json", false), (".git/config", true), ("src", false)] {
        assert_eq!(before.iter().any(|name| name == Path::new(path)), is_there, "{path}: outermost names only");
    }
    let mut program = Program { log: None, ..program };
    let script = format!(
        "make .git/hooks/pre-commit EVIL; mkdir e; mkdir e/.idea; make e/.idea/x EVIL; mkdir b; mkdir b/refs; mkdir b/objects; \
         make b/config EVIL; mkdir c; mkdir c/refs; mkdir c/objects; make c/config {plain}; make plain x"
    );
    for line in lines(&script.replace("EVIL", EVIL)) {
        program.does(line).unwrap();
    }
    let mut taken: Vec<String> = writes.sweep(&before).into_iter().map(|error| error.path).collect();
    taken.sort();
    assert_eq!(taken, [".git/hooks/pre-commit", "b/config", "e/.idea"]);
    for (path, is_there) in [
        (".git/hooks/pre-commit", false),
        ("e/.idea", false),
        ("b/config", false),
        ("c/config", true),
        ("plain", true),
        (".vscode/tasks.json", true),
        (".git/hooks/update", true),
    ] {
        assert_eq!(program.path(path).exists(), is_there, "{path}");
    }
    assert_eq!(writes.sweep(&before), []);
}
