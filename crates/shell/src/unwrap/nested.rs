//! Programs that start a command behind a subcommand of their own: containers, terminals, package managers.

use super::build::{Start, joined, script, started};
use super::scan::{Order, Scan, Syntax, scan};
use super::words::{join, moved};
use super::{Inner, Outer, Unwrapped};
use crate::catalogue::{self, Far, Starts, Tail, has};
use crate::command::{Command, Directory, Surroundings, Via, Word};

mod mounts;

use mounts::Mounts;

/// What a subcommand starts.
pub(super) fn unwrap(command: &Command, surroundings: &Surroundings) -> Option<Unwrapped> {
    let name = command.program()?;
    let mut inner = Vec::new();
    for row in catalogue::starts(name) {
        let Some(rest) = row.path.and_then(|path| after_path(command.operands(), path)) else { continue };
        if row.tail == Tail::AfterScript {
            let at = rest.iter().position(|word| matches!(word.literal(), Some("-c" | "--command")));
            let own = at.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
            inner.extend(started(&Start::new(command, via(row, name)), own.to_vec()));
            continue;
        }
        // Options after operands are the command's own unless `--` says where it begins.
        let marked = rest.iter().any(|word| word.literal() == Some("--"));
        let order = if marked { row.order } else { Order::First };
        for reading in scan(rest, row.syntax, order) {
            read(&mut inner, row, &reading, command, surroundings);
        }
    }
    match name {
        "tmux" | "byobu" => keys(command, name, &["send-keys", "send"], &mut inner),
        "screen" => keys(command, name, &["stuff", "exec"], &mut inner),
        "bwrap" => sandboxed(command, &mut inner),
        "gdb" | "lldb" | "cgdb" | "rust-gdb" | "rust-lldb" | "gdb-multiarch" => {
            after(command, &["--args", "-args", "--"], &mut inner)
        }
        "sandbox-exec" => after_options(command, "fpnD", &mut inner),
        "arch" => after_options(command, "ed", &mut inner),
        "cmake" => built(command, &mut inner),
        "start-stop-daemon" => daemon(command, &mut inner),
        _ => {}
    }
    if name.starts_with("qemu-") && !name.starts_with("qemu-system") {
        after_options(command, "LgEsdDBR", &mut inner);
    }
    if name == "guix" {
        after(command, &["--"], &mut inner);
    }
    if name == "nix" {
        let marks = ["-c", "--command"];
        after(command, &marks, &mut inner);
    }
    inner.dedup();
    (!inner.is_empty()).then_some(Unwrapped { outer: Outer::Judged, inner })
}

fn via(row: &Starts, name: &str) -> Via {
    match row.far {
        Far::Here => Via::Wrapper(name.to_owned()),
        Far::Elsewhere => Via::Elsewhere(name.to_owned()),
    }
}

/// What follows the subcommand; options of the program itself may stand before it.
fn after_path<'a>(words: &'a [Word], path: &str) -> Option<&'a [Word]> {
    let mut rest = words;
    for step in path.split(' ').filter(|step| !step.is_empty()) {
        let fits = |word: &Word| word.literal().is_some_and(|text| step.split('|').any(|one| one == text));
        let at = rest.iter().position(fits)?;
        // Before it only options and their values may stand.
        let operands = rest.iter().take(at).filter(|word| !word.prefix().starts_with('-')).count();
        let options = at - operands;
        if operands > options + 1 {
            return None;
        }
        rest = rest.get(at + 1..)?;
    }
    Some(rest)
}

fn read(out: &mut Vec<Inner>, row: &Starts, reading: &Scan<'_>, command: &Command, surroundings: &Surroundings) {
    let Some(name) = command.program() else { return };
    let mut start = Start::new(command, via(row, name));
    for to in reading.values(row.directory) {
        start.directory = moved(&start.directory, to, surroundings.home.as_deref());
    }
    for text in reading.values(row.script) {
        out.push(script(&start, text.clone(), Vec::new()));
    }
    let before = match reading.dashes {
        Some(dashes) if dashes >= row.before => dashes,
        _ => row.before,
    };
    let mut operands = reading.operands.get(before..).unwrap_or_default();
    if operands.first().and_then(Word::literal) == Some("--") {
        operands = operands.get(1..).unwrap_or_default();
    }
    let entry: Vec<Word> = reading.values("entrypoint").cloned().collect();
    let whole: Vec<Word> = entry.iter().chain(operands).cloned().collect();
    if whole.is_empty() {
        return;
    }
    if row.far == Far::Elsewhere {
        let mounts = Mounts::of(reading.values("v volume mount bind"));
        let directory = reading.values(row.directory).next();
        let to = directory.map(|to| moved(&start.directory, &mounts.outside(to), surroundings.home.as_deref()));
        out.extend(seen_outside(
            &mounts,
            Start { directory: to.unwrap_or(Directory::Unknown), ..start.clone() },
            &whole,
        ));
    }
    if !entry.is_empty() {
        out.extend(started(&start, whole));
        return;
    }
    match row.tail {
        Tail::Words => out.extend(started(&start, operands.to_vec())),
        Tail::Text => out.push(joined(&start, operands)),
        Tail::Either if operands.len() == 1 => out.push(joined(&start, operands)),
        Tail::Either => out.extend(started(&start, operands.to_vec())),
        Tail::Texts => out.extend(operands.iter().map(|text| script(&start, text.clone(), Vec::new()))),
        Tail::Nothing | Tail::AfterScript | Tail::Shell => {}
    }
}

/// A container's command with its paths as this machine names them.
fn seen_outside(mounts: &Mounts, start: Start<'_>, words: &[Word]) -> Option<Inner> {
    let words = words.iter().map(|word| mounts.outside(word)).collect();
    if mounts.is_empty() { None } else { started(&start, words) }
}

/// What is typed into a terminal: the names of keys end a line.
fn keys(command: &Command, name: &str, steps: &[&str], out: &mut Vec<Inner>) {
    let words = command.operands();
    let Some(at) = words.iter().position(|word| word.literal().is_some_and(|text| steps.contains(&text))) else {
        return;
    };
    let mut typed: Vec<Word> = Vec::new();
    let mut rest = words.iter().skip(at + 1).peekable();
    while let Some(word) = rest.next() {
        match word.literal() {
            Some("-t" | "-N" | "-c") => {
                rest.next();
            }
            Some("-l" | "-R" | "-X" | "-H" | "-M" | "-K" | "-F" | "-lt") => {}
            Some("Enter" | "C-m" | "KPEnter" | "C-j") => typed.push(Word::text("\n")),
            Some("Space") => typed.push(Word::text(" ")),
            Some(text) => typed.push(Word::text(
                text.replace("^M", "\n").replace("\\n", "\n").replace("\\015", "\n").replace('\r', "\n"),
            )),
            None => typed.push(word.clone()),
        }
    }
    if !typed.is_empty() {
        let start = Start::new(command, Via::Wrapper(name.to_owned())).without_input();
        let between = if steps.contains(&"exec") { " " } else { "" };
        out.push(script(&start, join(&typed, between), Vec::new()));
    }
}

/// `bwrap` takes one or two values after many of its options; what is first after them is the command.
fn sandboxed(command: &Command, out: &mut Vec<Inner>) {
    const TWO: &str = "--bind --dev-bind --ro-bind --bind-try --dev-bind-try --ro-bind-try --setenv --symlink --chmod";
    const PLAIN: &str = "--unshare-all --share-net --unshare-user --unshare-user-try --unshare-ipc --unshare-pid \
        --unshare-net --unshare-uts --unshare-cgroup --unshare-cgroup-try --clearenv --new-session \
        --die-with-parent --as-pid-1 --disable-userns --assert-userns-disabled --help --version \
        --level-prefix --not-a-session";
    let words = command.operands();
    let mut mounts = Mounts::default();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.prefix();
        if let (true, Some([from, to])) = (text.contains("bind"), words.get(at + 1..at + 3)) {
            mounts.add(from.clone(), to);
        }
        at += match text {
            "--" => {
                at += 1;
                break;
            }
            _ if has(TWO, text)
                || text.starts_with("--bind-fd")
                || text.starts_with("--file")
                || text.starts_with("--bind-data") =>
            {
                3
            }
            _ if has(PLAIN, text) => 1,
            _ if text.starts_with("--") => 2,
            _ => break,
        };
    }
    let start = Start::new(command, Via::Wrapper("bwrap".to_owned()));
    let own = words.get(at..).unwrap_or_default();
    out.extend(seen_outside(&mounts, start.clone(), own));
    out.extend(started(&start, own.to_vec()));
}

/// What stands after one of these words.
fn after(command: &Command, marks: &[&str], out: &mut Vec<Inner>) {
    let words = command.operands();
    let is_mark = |word: &Word| word.literal().is_some_and(|text| marks.contains(&text));
    let Some(at) = words.iter().position(is_mark) else { return };
    let start = Start::new(command, Via::Wrapper(command.program().unwrap_or_default().to_owned()));
    out.extend(started(&start, words.get(at + 1..).unwrap_or_default().to_vec()));
}

/// What stands after options of several letters behind one dash; these letters take a value.
fn after_options(command: &Command, valued: &str, out: &mut Vec<Inner>) {
    let words = command.operands();
    let mut at = 0;
    while let Some(letters) = words.get(at).and_then(|word| word.prefix().strip_prefix('-')) {
        let takes = letters.len() == 1 && valued.contains(letters);
        at += if takes { 2 } else { 1 };
    }
    let start = Start::new(command, Via::Wrapper(command.program().unwrap_or_default().to_owned()));
    out.extend(started(&start, words.get(at..).unwrap_or_default().to_vec()));
}

/// `cmake -E`: a small box of commands, some of which start others and some of which remove.
fn built(command: &Command, out: &mut Vec<Inner>) {
    let words = command.operands();
    let Some((first, rest)) = words.split_first() else { return };
    let Some((step, rest)) = rest.split_first().filter(|_| first.literal() == Some("-E")) else { return };
    let start = Start::new(command, Via::Wrapper("cmake".to_owned()));
    let named =
        |program: &[&str]| program.iter().copied().map(Word::text).chain(rest.iter().cloned()).collect::<Vec<Word>>();
    match step.literal() {
        Some("env") => out.extend(started(&start, named(&["env"]))),
        Some("time") => out.extend(started(&start, rest.to_vec())),
        Some("rm") => out.extend(started(&start, named(&["rm"]))),
        Some("remove_directory") => out.extend(started(&start, named(&["rm", "-rf"]))),
        Some("chdir") => out.extend(started(&start, rest.get(1..).unwrap_or_default().to_vec())),
        _ => {}
    }
}

/// `start-stop-daemon --start --exec PROGRAM -- ARGUMENTS`
fn daemon(command: &Command, out: &mut Vec<Inner>) {
    let syntax = Syntax {
        short: "SKTHVx:a:n:p:u:g:s:c:r:d:N:k:P:I:R:bmqtvoO:C",
        long: "start stop status exec= startas= name= pidfile= user= group= signal= chuid= chroot= chdir= nicelevel= umask= procsched= iosched= \
               retry= background make-pidfile quiet test verbose oknodo output= no-close remove-pidfile ppid= notify-await notify-timeout=",
    };
    for reading in scan(command.operands(), syntax, Order::First) {
        let Some(program) = reading.values("a startas x exec").next() else { continue };
        let start = Start::new(command, Via::Wrapper("start-stop-daemon".to_owned()));
        out.extend(started(&start, std::iter::once(program.clone()).chain(reading.operands.iter().cloned()).collect()));
    }
}
