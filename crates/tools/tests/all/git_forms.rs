//! Random trees through every form of `git diff`, into `git apply` and into `apply_patch`: the same tree, or a refusal
//! that names the form.
//!
//! The trees are the same in every run; the stress suite tries more of them. `FORM=copies` tries only one form.

use crate::support::gate;
use palanca_testkit::TempWorkspace;
use palanca_tools::ToolsetName;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;
use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// Names that collide with prefixes, time stamps and quoting.
const NAMES: [&str; 14] = [
    "a.txt",
    "a/y",
    "b/x",
    "src/a/mod.rs",
    "src/b/mod.rs",
    "w/i/c",
    "sp ace.txt",
    "b b/b b",
    "é 文.txt",
    "tab\there",
    "q\"uote\\",
    "at 2024-01-01 10:00:00",
    "deep/er/z",
    "run.sh",
];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    File(Vec<u8>, bool),
    Link(String),
}

type Tree = BTreeMap<&'static str, Entry>;

/// One thing that happens to a tree; places that do not exist are left out.
#[derive(Clone, Debug)]
enum Step {
    Write(Index, Entry),
    Delete(Index),
    Edit(Index, Vec<(Index, u8)>),
    Rewrite(Index, u8),
    Move(Index, Index),
    Copy(Index, Index),
    Swap(Index, Index),
    Chmod(Index),
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    let lines = (0..4_u8, 0..40_usize, any::<bool>(), 0..6_u8).prop_map(|(kind, count, ends, salt)| {
        let end = if kind == 1 { "\r\n" } else { "\n" };
        let indent = if kind == 2 { "    " } else { "" };
        let line = |n: usize| format!("{indent}line {n} of a text that says {}", usize::from(salt) * (n % 7));
        let mut text = (0..count).map(line).collect::<Vec<_>>().join(end);
        text.push_str(if ends && count > 0 { end } else { "" });
        text.into_bytes()
    });
    prop_oneof![12 => lines, 1 => Just(Vec::new()), 1 => Just(b"\0\x01binary\0".to_vec()), 1 => Just(b"\xef\xbb\xbfmark\nx\n".to_vec())]
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        20 => (content(), prop::bool::weighted(0.2)).prop_map(|(content, runs)| Entry::File(content, runs)),
        1 => Just(Entry::Link("a.txt".to_owned())),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let place = any::<Index>;
    prop_oneof![
        2 => (place(), entry()).prop_map(|(at, entry)| Step::Write(at, entry)),
        2 => place().prop_map(Step::Delete),
        4 => (place(), prop::collection::vec((any::<Index>(), 0..4_u8), 1..4)).prop_map(|(at, edits)| Step::Edit(at, edits)),
        1 => (place(), any::<u8>()).prop_map(|(at, salt)| Step::Rewrite(at, salt)),
        3 => (place(), place()).prop_map(|(from, to)| Step::Move(from, to)),
        3 => (place(), place()).prop_map(|(from, to)| Step::Copy(from, to)),
        1 => (place(), place()).prop_map(|(one, other)| Step::Swap(one, other)),
        1 => place().prop_map(Step::Chmod),
    ]
}

fn trees() -> impl Strategy<Value = (Tree, Tree)> {
    let before = prop::collection::btree_map(prop::sample::select(&NAMES[..]), entry(), 1..7);
    (before, prop::collection::vec(step(), 1..5)).prop_map(|(before, steps)| {
        let mut after = before.clone();
        steps.iter().for_each(|step| take(&mut after, step));
        (before, after)
    })
}

fn take(tree: &mut Tree, step: &Step) {
    let there = |tree: &Tree, at: &Index| tree.keys().nth(at.index(tree.len().max(1))).copied();
    let free = |at: &Index| NAMES[at.index(NAMES.len())];
    match step {
        Step::Write(at, entry) => drop(tree.insert(free(at), entry.clone())),
        Step::Delete(at) => there(tree, at).into_iter().for_each(|path| drop(tree.remove(path))),
        Step::Edit(at, edits) => {
            if let Some(Entry::File(content, _)) = there(tree, at).and_then(|path| tree.get_mut(path)) {
                *content = edited(content, edits);
            }
        }
        Step::Rewrite(at, salt) => {
            if let Some(Entry::File(content, _)) = there(tree, at).and_then(|path| tree.get_mut(path)) {
                *content =
                    (0..30).flat_map(|n| format!("{salt} is what {n} became in this file\n").into_bytes()).collect();
            }
        }
        Step::Move(from, to) => {
            if let Some(entry) = there(tree, from).and_then(|path| tree.remove(path)) {
                tree.insert(free(to), entry);
            }
        }
        Step::Copy(from, to) => {
            if let Some(entry) = there(tree, from).and_then(|path| tree.get(path).cloned()) {
                tree.insert(free(to), entry);
            }
        }
        Step::Swap(one, other) => {
            if let (Some(one), Some(other)) = (there(tree, one), there(tree, other))
                && let (Some(first), Some(second)) = (tree.get(one).cloned(), tree.get(other).cloned())
            {
                tree.insert(one, second);
                tree.insert(other, first);
            }
        }
        Step::Chmod(at) => {
            if let Some(Entry::File(_, runs)) = there(tree, at).and_then(|path| tree.get_mut(path)) {
                *runs = !*runs;
            }
        }
    }
}

fn edited(content: &[u8], edits: &[(Index, u8)]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    for (at, kind) in edits {
        let at = at.index(lines.len() + 1);
        match kind {
            0 => lines.insert(at, b"a line that was added\n".to_vec()),
            1 if at < lines.len() => drop(lines.remove(at)),
            2 if at < lines.len() => lines[at] = b"-- a line\twith another text\n".to_vec(),
            _ => drop(lines.pop().map(|last| lines.push(last.trim_ascii_end().to_vec()))),
        }
    }
    lines.concat()
}

fn write(root: &Path, tree: &Tree) {
    for (path, entry) in tree {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        match entry {
            Entry::Link(target) => symlink(target, path).unwrap(),
            Entry::File(content, runs) => {
                std::fs::write(&path, content).unwrap();
                let mode = if *runs { 0o755 } else { 0o644 };
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    }
}

fn read(root: &Path) -> BTreeMap<String, Entry> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let info = path.symlink_metadata().unwrap();
            if info.is_symlink() {
                let target = std::fs::read_link(&path).unwrap();
                found.insert(name, Entry::Link(target.to_str().unwrap().to_owned()));
            } else if info.is_dir() {
                folders.push(path);
            } else {
                let runs = info.permissions().mode() & 0o100 != 0;
                found.insert(name, Entry::File(std::fs::read(&path).unwrap(), runs));
            }
        }
    }
    found
}

/// What a form says of a tree. Without context nothing tells whether `\n` in the patch is meant or just usual, and whether
/// the first line shall come before a byte order mark; `-w` prints context with other white space than the file has.
fn said_by(form: &Form, mut tree: BTreeMap<String, Entry>) -> BTreeMap<String, Entry> {
    let silent: &[u8] = match form.name {
        "no context" => b"\r\xef\xbb\xbf",
        "white space aside" => b" \t\r\n",
        _ => b"",
    };
    for entry in tree.values_mut() {
        if let Entry::File(content, _) = entry {
            content.retain(|byte| !silent.contains(byte));
        }
    }
    tree
}

fn owned(tree: &Tree) -> BTreeMap<String, Entry> {
    tree.iter().map(|(path, entry)| ((*path).to_owned(), entry.clone())).collect()
}

fn program(name: &str, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(args).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap()).env("LC_ALL", "C").stdin(Stdio::null());
    command
}

/// Its output, which must have come to an end; a test without git is no test.
fn output(name: &str, folder: &Path, args: &[&str]) -> Vec<u8> {
    let output = program(name, folder, args).output().unwrap_or_else(|error| panic!("{name} is needed here: {error}"));
    assert!(output.status.code().is_some_and(|code| code < 2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn git_applies(folder: &Path, patch: &str, args: &[&str]) -> bool {
    let file = folder.parent().unwrap().join("p.diff");
    std::fs::write(&file, patch).unwrap();
    let args = [&["apply", "--whitespace=nowarn"], args, &["../p.diff"]].concat();
    program("git", folder, &args).output().unwrap().status.success()
}

/// A way to print a difference, and what `git apply` needs to read it.
struct Form {
    name: &'static str,
    print: &'static [&'static str],
    apply: &'static [&'static str],
}

const fn form(name: &'static str, print: &'static [&'static str], apply: &'static [&'static str]) -> Form {
    Form { name, print, apply }
}

const FORMS: &[Form] = &[
    form("plain", &["diff", "--cached"], &[]),
    form("no context", &["diff", "--cached", "-U0"], &["--unidiff-zero"]),
    form("renames", &["diff", "--cached", "-M"], &[]),
    form("copies", &["diff", "--cached", "-C"], &[]),
    form("any copies", &["diff", "--cached", "-C", "-C", "-U1"], &[]),
    form("any copies, alike or not", &["diff", "--cached", "-C10%", "--find-copies-harder"], &[]),
    form("rewrites", &["diff", "--cached", "-B"], &[]),
    form("rewrites and renames", &["diff", "--cached", "-B", "-M", "-C", "-C"], &[]),
    form("no prefix", &["diff", "--cached", "--no-prefix", "-M"], &["-p0"]),
    form("mnemonic, index", &["-c", "diff.mnemonicPrefix=true", "diff", "--cached", "-C"], &[]),
    form("mnemonic, work tree", &["-c", "diff.mnemonicPrefix=true", "diff", "HEAD", "-M"], &[]),
    form("mnemonic, reversed", &["-c", "diff.mnemonicPrefix=true", "diff", "--cached", "-R", "-M"], &[]),
    form("reversed", &["diff", "--cached", "-R", "-C"], &[]),
    form("own prefixes", &["diff", "--cached", "--src-prefix=old/", "--dst-prefix=newer/", "-M"], &[]),
    // `git apply -p2` would shorten the names of renames, too, which have no prefix.
    form(
        "deep prefixes",
        &["diff", "--cached", "--no-renames", "--src-prefix=one/two/", "--dst-prefix=un/deux/"],
        &["-p2"],
    ),
    form("names as they are", &["-c", "core.quotePath=false", "diff", "--cached", "-M"], &[]),
    form("with bytes", &["diff", "--cached", "--binary", "--full-index"], &[]),
    form("with figures", &["diff", "--cached", "--stat", "--summary", "--raw", "-p"], &[]),
    form("other algorithms", &["diff", "--cached", "--patience", "-W", "--inter-hunk-context=3"], &[]),
    form("deletions without text", &["diff", "--cached", "-D"], &[]),
    form("white space aside", &["diff", "--cached", "-w"], &[]),
    form("a mail", &["format-patch", "--stdout", "-1", "HEAD", "--signature=by hand"], &[]),
    form("a commit", &["show", "-C", "HEAD"], &[]),
    form("words", &["diff", "--cached", "--word-diff"], &[]),
    form("words for programs", &["diff", "--cached", "--word-diff=porcelain"], &[]),
    form("colours", &["diff", "--cached", "--color"], &[]),
    form("GNU diff", &["-ruN", "old", "new"], &[]),
];

/// What a refusal may say: the form that it refuses.
const NAMED: [&str; 7] =
    ["binary", "not text", "symbolic link", "word diff", "color codes", "there is a tab", "would remain"];

/// Each case goes through every third form.
fn check(before: &Tree, after: &Tree, third: usize) -> Result<(), TestCaseError> {
    let around = tempfile::tempdir().unwrap();
    let repository = around.path().join("repository");
    std::fs::create_dir(&repository).unwrap();
    write(&repository, before);
    let git =
        |args: &[&str]| output("git", &repository, &[&["-c", "user.name=t", "-c", "user.email=t@t"], args].concat());
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "before"]);
    before.keys().for_each(|path| std::fs::remove_file(repository.join(path)).unwrap());
    write(&repository, after);
    git(&["add", "-A"]);
    for (name, tree) in [("old", before), ("new", after)] {
        std::fs::create_dir(around.path().join(name)).unwrap();
        write(&around.path().join(name), tree);
    }
    let only = std::env::var("FORM").ok();
    let tried = |(at, form): &(usize, &Form)| only.as_ref().map_or(at % 3 == third, |only| only == form.name);
    for (_, form) in FORMS.iter().enumerate().filter(tried) {
        let linked = |tree: &Tree| tree.values().any(|entry| matches!(entry, Entry::Link(_)));
        let print = match form.name {
            // It follows links.
            "GNU diff" if linked(before) || linked(after) => continue,
            "a mail" | "a commit" => {
                git(&["commit", "-qm", "after", "--allow-empty"]);
                let text = git(form.print);
                git(&["reset", "-q", "--soft", "HEAD~1"]);
                text
            }
            "GNU diff" => output("diff", around.path(), form.print),
            _ => git(form.print),
        };
        let Ok(patch) = String::from_utf8(print) else { continue };
        let reversed = form.print.contains(&"-R");
        let (from, to) = if reversed { (after, before) } else { (before, after) };
        if !patch.is_empty() {
            compare(form, &patch, from, to)?;
        }
    }
    Ok(())
}

fn compare(form: &Form, patch: &str, from: &Tree, to: &Tree) -> Result<(), TestCaseError> {
    let (ours, theirs) = (TempWorkspace::new(), TempWorkspace::new());
    write(&ours.root(), from);
    write(&theirs.root(), from);
    let applied = git_applies(&theirs.root(), patch, form.apply);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let result = runtime
        .block_on(async { gate(&ours, ToolsetName::Palanca).call("apply_patch", json!({"patch": patch})).await });
    let said = result.for_model();
    if result.success {
        let expected = if applied { read(&theirs.root()) } else { owned(to) };
        let same = said_by(form, read(&ours.root())) == said_by(form, expected);
        prop_assert!(same, "{}, git applies: {}\n{}\n{}", form.name, applied, said, patch);
    } else {
        prop_assert!(read(&ours.root()) == owned(from), "{}: {}\n{}", form.name, said, patch);
        let named = NAMED.iter().any(|part| said.contains(part));
        prop_assert!(!applied || named, "{}: {}\n{}", form.name, said, patch);
    }
    Ok(())
}

#[test]
fn every_form_gives_the_tree_of_git_apply() {
    apply_forms(24);
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn every_form_gives_the_tree_of_git_apply() {
        super::apply_forms(500);
    }
}

fn apply_forms(cases: u32) {
    let config = Config { cases, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let cases = (trees(), 0..3_usize);
    runner
        .run(&cases, |((before, after), third)| check(&before, &after, third))
        .unwrap_or_else(|error| panic!("{error}"));
}
