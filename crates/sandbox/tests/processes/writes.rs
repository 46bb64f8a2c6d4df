//! System calls that change files: each of them, with each way to say where, at places that may be changed and at places
//! that may not. What may be changed comes out as it does without a sandbox; everything else stays as it is to the last
//! change time, also while others rename, rewrite and exchange.

use crate::space::{Space, built, limits, text};
use palanca_core::Message;
use palanca_core::call::{CanonicalPath, CommandLine, Root};
use palanca_core::ports::{
    ChangeOrigin, ClosedBy, ClosedPlaces, FileError, FileErrorKind, Finished, Found, NameChange, Place, ProgramWrites,
    Step, Undoable, WriteLog,
};
use palanca_core::tool::FileDelta;
use palanca_sandbox::{Level, SandboxSettings};
use palanca_testkit::{PATIENCE, nested};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints what came of every case.
const MATRIX: &str = include_str!("writes.c");
/// Programs that are hard to serve.
pub(crate) const STORM: &str = include_str!("storm.c");
/// How often two threads race, for each of eight ways; another number when `PALANCA_TEST_TRIES` says so. `stress` has
/// a hundred thousand.
const TRIES: &str = "300";

/// Names that no program may change, whatever they stand for.
const KEPT: [&str; 2] = ["protected", "secret"];

/// Refuses what has such a name above it.
#[derive(Clone, Debug)]
struct Kept {
    masked: Vec<PathBuf>,
}

fn judge(at: &Place<'_>) -> Result<(), FileError> {
    let kept = at.path.iter().any(|part| KEPT.iter().any(|kept| part == *kept));
    if kept {
        Err(FileError::new(FileErrorKind::Protected(ClosedBy::Rule), at.path.display().to_string()))
    } else {
        Ok(())
    }
}

impl ProgramWrites for Kept {
    fn closed(&self, _further: &[PathBuf]) -> io::Result<ClosedPlaces> {
        Ok(ClosedPlaces { masked: self.masked.clone() })
    }

    fn protected(&self) -> Vec<PathBuf> {
        KEPT.map(|kept| Path::new("m").join(kept)).into()
    }

    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    fn begin(&self, _origin: Option<&ChangeOrigin>, _granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>> {
        Ok(Box::new(self.clone()))
    }
}

impl WriteLog for Kept {
    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError> {
        match change {
            NameChange::Write { at, .. }
            | NameChange::Attributes { at, .. }
            | NameChange::Create { at, .. }
            | NameChange::Remove { at, .. } => judge(at)?,
            NameChange::Move { from, to, .. } => judge(from).and(judge(to))?,
            NameChange::HardLink { from, to, .. } => from.as_ref().map_or(Ok(()), judge).and(judge(to))?,
        }
        Ok(Step::Go)
    }

    fn made(&mut self, _at: &Place<'_>, _found: Found) {}

    fn failed(&mut self, _change: &NameChange<'_>) {}

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        Vec::new()
    }
}

fn space() -> Space {
    space_with(&["m/secret"])
}

/// Without namespaces nobody can read what is made beside something masked.
fn space_with(masked: &[&str]) -> Space {
    space_in(|_| (), masked)
}

/// A workspace where `m/protected` may not be changed.
pub(crate) fn judged(change: impl FnOnce(&mut SandboxSettings)) -> Space {
    space_in(change, &[])
}

fn space_in(change: impl FnOnce(&mut SandboxSettings), masked: &[&str]) -> Space {
    Space::with(|settings| {
        change(settings);
        let workspace = settings.workspace.clone();
        fs::create_dir_all(workspace.join("m")).unwrap();
        for kept in KEPT {
            fill(&workspace.join("m").join(kept));
        }
        let masked = masked.iter().map(|path| workspace.join(path)).collect();
        settings.writes = Arc::new(Kept { masked });
    })
}

/// As `fill` in `writes.c`.
fn fill(folder: &Path) {
    fs::create_dir(folder).unwrap();
    for below in ["folder", "full"] {
        fs::create_dir(folder.join(below)).unwrap();
    }
    for (file, text) in [("file", "content\n"), ("full/inner", "inner\n"), ("f", "kept\n")] {
        fs::write(folder.join(file), text).unwrap();
    }
    for (link, to) in [("link", "file"), ("dangling", "nowhere")] {
        std::os::unix::fs::symlink(to, folder.join(link)).unwrap();
    }
    assert!(Command::new("mkfifo").arg(folder.join("fifo")).status().unwrap().success());
    let all = Command::new("chmod").args(["-R", "a+rwX"]).arg(folder).status().unwrap();
    assert!(all.success());
}

/// Everything about everything: whatever changes a file changes its change time.
pub(crate) fn facts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let about = fs::symlink_metadata(&path).unwrap();
        if about.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        let text = format!(
            "{:o} {} links {} bytes, changed {}.{:09}",
            about.mode(),
            about.nlink(),
            about.len(),
            about.ctime(),
            about.ctime_nsec()
        );
        found.insert(path, text);
    }
    found
}

/// Runs a program in a folder of the workspace; what it prints goes to a file, for there may be a lot of it.
fn run(space: &Space, folder: &str, words: &[impl AsRef<str>]) -> (String, Finished) {
    let printed = space.path("ws/printed");
    let out = printed.display().to_string();
    let argv = ["sh", "-c", "exec \"$@\" > \"$0\"", &out]
        .into_iter()
        .chain(words.iter().map(AsRef::as_ref))
        .map(str::to_owned);
    let mut launch = crate::space::script("");
    launch.command = CommandLine::Program(argv.collect());
    launch.directory = CanonicalPath::new(Root::Workspace, PathBuf::from(folder));
    // Thousands of calls, on a machine that may be busy.
    let finished = space.run(&launch, limits(PATIENCE * 20)).unwrap();
    // The program may have taken its permissions away.
    fs::set_permissions(&printed, fs::Permissions::from_mode(0o644)).unwrap();
    (fs::read_to_string(printed).unwrap_or_default(), finished)
}

/// The same outside.
fn plain(directory: &Path, words: &[impl AsRef<str>]) -> String {
    let output = Command::new(words[0].as_ref())
        .args(words[1..].iter().map(AsRef::as_ref))
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Without any isolation there is nothing to see here.
fn keeps(space: &Space) -> bool {
    let (level, unasked) = (space.door().level(), std::env::var_os("PALANCA_TEST_UNASKED").is_some());
    assert_eq!(space.door().supervises(), level > Level::None && !unasked, "{level:?}");
    level > Level::None
}

/// What is different inside, and on purpose: devices, programs that run as their owner, and what has no number here.
fn other_on_purpose(space: &Space, call: &str, (outside, inside): (&str, &str)) -> bool {
    let (name, leaf) = call.split_once('/').unwrap_or((call, ""));
    // A filter alone cannot tell a folder from a file.
    let group = leaf != "folder" || !space.door().supervises();
    matches!(
        (name, outside, inside),
        ("make_device" | "make_whiteout" | "set_owner_other", _, "EPERM" | "EACCES" | "EINVAL")
            | ("make_setuid" | "xattr_capability", _, "EPERM")
            | ("set_mode_user" | "set_mode_group_odd" | "read_flags" | "read_fsx" | "read_version", _, "EPERM")
            | ("move_whiteout" | "move_exchange" | "move_exchange_back", _, "EINVAL")
            | (
                "set_mode_2" | "set_mode_link" | "set_xattr_at" | "remove_xattr_at" | "set_attr" | "handle_mode_empty",
                _,
                "ENOSYS"
            )
    ) || (group && matches!((name, inside), ("set_mode_group" | "read_mode_group", "EPERM")))
        // Without namespaces there are no sockets.
        || (space.door().level() == Level::Filters && (name, inside) == ("unix_bind", "EPERM"))
}

#[test]
fn every_call_does_inside_what_it_does_outside_where_it_may() {
    compared(if nested() { "16" } else { "4" });
}

/// With each n-th of the spellings, beside those that matter most.
pub(crate) fn compared(each: &str) {
    let space = space_with(&[]);
    if !keeps(&space) {
        return;
    }
    let program = built(&space, "writes", MATRIX);
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("m")).unwrap();
    let words = |root: &Path| {
        let root = root.display().to_string();
        [program.clone(), root.clone(), "+".to_owned(), format!("{root}/m/own"), each.to_owned()]
    };
    let theirs = plain(outside.path(), &words(outside.path()));
    let (ours, end) = run(&space, "", &words(&space.path("ws")));
    let name = |text: &str, root: &Path| text.replace(&root.display().to_string(), "ROOT");
    let (theirs, ours) = (name(&theirs, outside.path()), name(&ours, &space.path("ws")));
    let mut wrong = BTreeMap::<_, Vec<_>>::new();
    let mut cases = 0;
    for (outside, inside) in theirs.lines().zip(ours.lines()) {
        cases += 1;
        let (call, spelling, out) = case(outside);
        let (other_call, _, ins) = case(inside);
        assert_eq!(call, other_call, "the same cases in the same order");
        if outside != inside && !other_on_purpose(&space, call, (ended(out), ended(ins))) {
            let (out, ins) = (out.split(" | ").collect::<Vec<_>>(), ins.split(" | ").collect::<Vec<_>>());
            let part = out.iter().zip(&ins).find(|(one, other)| one != other);
            let (out, ins) =
                part.map_or_else(Default::default, |(one, other)| ((*one).to_owned(), (*other).to_owned()));
            wrong.entry(format!("{call}\noutside {out}\ninside  {ins}\n")).or_default().push(spelling);
        }
    }
    assert!(cases > 600 && theirs.lines().count() == ours.lines().count(), "{cases}: {end:?}");
    let lines: Vec<_> = wrong.iter().map(|(what, spellings)| format!("{what}{}", spellings.join(" "))).collect();
    assert!(wrong.is_empty(), "{} kinds:\n{}", wrong.len(), lines.join("\n\n"));
}

/// Call and leaf, spelling, what came of it.
fn case(line: &str) -> (&str, &str, &str) {
    let mut words = line.splitn(4, ' ').skip(1);
    let mut next = || words.next().unwrap_or_default();
    (next(), next(), next())
}

/// The error, or `ok`; before it may stand what was opened.
fn ended(outcome: &str) -> &str {
    outcome.split("] ").last().and_then(|rest| rest.split(' ').next()).unwrap_or_default()
}

#[test]
fn no_call_changes_what_may_not_be_changed() {
    let space = space();
    if !keeps(&space) {
        return;
    }
    let program = built(&space, "writes", MATRIX);
    let root = space.path("ws").display().to_string();
    let other = space.path("elsewhere");
    fill(&other);
    let kept = [space.path("ws/m/protected"), space.path("ws/m/secret"), other];
    let before = kept.each_ref().map(|folder| facts(folder));
    for folder in &kept {
        let folder = folder.display().to_string();
        let (seen, end) = run(&space, "", &[&program, &root, "-", &folder, "4"]);
        assert!(seen.lines().count() > 1200, "{folder}: {end:?}");
        // Some succeed and change nothing: what is only opened for reading, and what has no name yet.
        let mut harmless = vec!["tmpfile_unnamed/folder", "open_path_write/file", "open_create_read/file"];
        if !space.door().supervises() {
            // Neither for reading nor for writing; and what goes through a FIFO changes nothing.
            harmless.extend(["open_neither/file", "open_fifo_both/fifo", "open_fifo/fifo"]);
        }
        let done: Vec<_> =
            seen.lines().filter(|line| ended(case(line).2) == "ok" && !harmless.contains(&case(line).0)).collect();
        assert!(done.is_empty(), "{} in {folder}:\n{}", done.len(), done[..done.len().min(40)].join("\n"));
    }
    let after = kept.each_ref().map(|folder| facts(folder));
    assert_eq!(after, before);
}

#[test]
fn programs_that_are_hard_to_serve_come_to_the_same_end() {
    const KINDS: [&str; 14] = [
        "many",
        "signals",
        "signals-restart",
        "vfork",
        "memory-shared",
        "descriptors-shared",
        "all-shared",
        "stopped",
        "killed",
        "replaced",
        "fifos",
        "leases",
        "numbers",
        "started",
    ];
    let space = space();
    let program = built(&space, "storm", STORM);
    for kind in KINDS.into_iter().chain(["edges"]) {
        let outside = tempfile::tempdir().unwrap();
        let theirs = plain(outside.path(), &[&program, kind]);
        fs::create_dir(space.path("ws").join(kind)).unwrap();
        let (ours, end) = run(&space, kind, &[&program, kind]);
        let lines = theirs.lines().zip(ours.lines()).filter(|(one, other)| one != other);
        let differ: Vec<_> = lines.map(|(one, other)| format!("outside {one}, inside {other}")).collect();
        assert!(theirs == ours, "{kind}: {:?}: {differ:#?}", end.exit);
    }
}

#[test]
fn nonsense_is_refused_and_ends() {
    let space = space_with(&[]);
    // Elsewhere it could change modes and owners of this machine's own files.
    if !space.door().supervises() {
        return;
    }
    let program = built(&space, "storm", STORM);
    let kept = space.path("ws/m");
    let before = facts(&kept.join("protected"));
    for seed in 1..=2 {
        let (said, end) = run(&space, "m", &[&program, "nonsense", &seed.to_string()]);
        assert_eq!(said, "ended -1\n", "{seed}: {end:?}");
        // Its own folder may have lost its permissions on the way.
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(facts(&kept.join("protected")), before, "{seed}");
    }
    assert_eq!(text(&space.sh("echo still > here && cat here").stdout), "still\n");
}

#[test]
fn no_race_gets_at_what_may_not_be_changed() {
    raced(&std::env::var("PALANCA_TEST_TRIES").unwrap_or_else(|_| TRIES.to_owned()));
}

pub(crate) fn raced(tries: &str) {
    const KINDS: [&str; 8] =
        ["memory", "directory", "descriptor", "descriptor-path", "names", "names-outside", "handle", "handle-outside"];
    for kind in KINDS {
        let space = space();
        if !keeps(&space) {
            return;
        }
        let program = built(&space, "storm", STORM);
        let place = space.path("ws/m");
        let far = space.path("elsewhere");
        fill(&far);
        for folder in ["aaaaaaaaa", "swap", "twin"] {
            fs::create_dir(place.join(folder)).unwrap();
            fs::write(place.join(folder).join("f"), "before").unwrap();
        }
        std::os::unix::fs::symlink(
            if kind == "names-outside" { &far } else { Path::new("protected") },
            place.join("other"),
        )
        .unwrap();
        let before = (facts(&place.join("protected")), facts(&far));
        let over = AtomicBool::new(false);
        let with = if kind == "names-outside" { "other" } else { "twin" };
        let (said, end) = std::thread::scope(|scope| {
            if kind.contains("outside") {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        exchange(&place.join("swap"), &place.join(with));
                    }
                });
            }
            let seen = run(&space, "m", &[&program, "race", kind, tries]);
            over.store(true, Ordering::Relaxed);
            seen
        });
        assert!(said.contains("wrong 0\n"), "{kind}: {said} {:?}", end.exit);
        assert_eq!((facts(&place.join("protected")), facts(&far)), before, "{kind}");
    }
}

fn exchange(one: &Path, other: &Path) {
    let flags = rustix::fs::RenameFlags::EXCHANGE;
    // ignored: whatever the program did to them meanwhile is its own affair.
    let _ = rustix::fs::renameat_with(rustix::fs::CWD, one, rustix::fs::CWD, other, flags);
}
