//! A whole that one command lists and another removes: `find / | xargs rm`, `rm -rf $(ls -d /*)`.
//!
//! Between them only filters may stand that pass every name on, changed or not: what chooses among the names leaves the
//! decision to a person.

use super::found::{Choice, Found};
use super::view::{Program, View};
use crate::command::{Command, Piece, Surroundings, UnknownKind, Via, Word};
use crate::read::Reading;

/// The list that is removed as a whole.
pub(super) fn removed(reading: &Reading, surroundings: &Surroundings) -> Option<String> {
    let commands = reading.commands.as_slice();
    let mut from = 0;
    for (at, next) in commands.iter().enumerate() {
        if passes_on(next) {
            continue;
        }
        // What stands before it, back to the last command that is no filter: that one may be the list, too.
        let before = commands.get(from..at).unwrap_or_default();
        from = at;
        let (piped, plain) = (removes_each(next, commands.get(at + 1..).unwrap_or_default()), removes(next));
        if !piped && !plain {
            continue;
        }
        // `find / | while read x; do rm "$x"; done`
        let read = before.iter().rposition(reads_lines).unwrap_or(0);
        let reaches = |place: usize, list: &Command| {
            piped || (plain && (place < read || list.via.last() == Some(&Via::Substitution)))
        };
        let list =
            before.iter().enumerate().find(|(place, list)| reaches(*place, list) && lists_whole(list, surroundings));
        if let Some((_, list)) = list {
            return Some(list.source.to_string());
        }
    }
    None
}

/// Whether this is an `xargs` that removes what it reads; what it starts follows it.
fn removes_each(command: &Command, after: &[Command]) -> bool {
    let each = |via: Option<&Via>| matches!(via, Some(Via::Each(name)) if name == "xargs");
    command.program() == Some("xargs")
        && is_fed(command)
        && after.iter().take_while(|inner| each(inner.via.get(command.via.len()))).any(removes)
}

/// Whether a command reads what another one printed.
fn is_fed(command: &Command) -> bool {
    !command.input.trace.is_empty() && command.reads_from().next().is_none()
}

fn reads_lines(command: &Command) -> bool {
    matches!(command.program(), Some("read" | "mapfile" | "readarray"))
}

/// Whether a command passes on every name that it reads.
fn passes_on(command: &Command) -> bool {
    let texts = || command.operands().iter().filter_map(Word::literal);
    let by_each = matches!(command.via.last(), Some(Via::Each(_)));
    match command.program() {
        Some("cat" | "tac" | "sort" | "uniq" | "shuf" | "tee" | "tr" | "nl" | "fmt" | "fold" | "paste" | "column") => {
            is_fed(command)
        }
        Some("sed" | "gsed") => {
            let rewrites = |text: &str| text.split(';').all(|one| one.trim_start().starts_with(['s', 'y']));
            is_fed(command) && texts().all(|text| matches!(text, "-e" | "-E" | "-r" | "-u" | "-z") || rewrites(text))
        }
        Some("perl") => is_fed(command) && texts().any(|text| text.starts_with("-p") || text.starts_with("-lp")),
        Some("awk" | "gawk" | "mawk" | "nawk") => is_fed(command) && texts().any(prints_all),
        Some("xargs") => {
            let prints = |text: &str| matches!(text, "echo" | "printf" | "realpath" | "readlink");
            is_fed(command) && (texts().any(prints) || texts().all(|text| text.starts_with('-')))
        }
        Some("realpath" | "readlink") => by_each,
        Some("echo" | "printf") => by_each || command.operands().iter().any(is_printed),
        _ => reads_lines(command),
    }
}

/// `{print "/" $0}`: no pattern before the braces, no condition in them.
fn prints_all(program: &str) -> bool {
    let own = program.trim();
    own == "1" || (own.starts_with('{') && own.contains("print") && !own.contains("if") && !own.contains("NR"))
}

/// Whether a command removes names that another one printed.
fn removes(command: &Command) -> bool {
    matches!(command.program(), Some("rm" | "shred" | "unlink" | "mv" | "srm"))
        && command.operands().iter().any(is_printed)
}

/// Whether a word is a whole name that another command printed, in some folder or none.
fn is_printed(word: &Word) -> bool {
    let printed = |piece: &Piece| matches!(piece, Piece::Unknown(own) if matches!(own.kind, UnknownKind::Output(_)));
    match word.pieces.as_slice() {
        [name] => printed(name),
        [Piece::Text(folder), name] => folder.ends_with('/') && printed(name),
        _ => false,
    }
}

fn lists_whole(command: &Command, surroundings: &Surroundings) -> bool {
    let program = Program::of(command, surroundings);
    let view = View { command, surroundings, program: &program };
    let whole = |word: &Word| view.target(word).and_then(|target| target.whole(surroundings)).is_some();
    let here = [Word::text(".")];
    let or_here = |words: Vec<Word>| if words.is_empty() { here.to_vec() } else { words };
    let plain = || command.operands().iter().filter(|word| !word.prefix().starts_with('-')).cloned().collect();
    match command.program() {
        Some("find" | "gfind" | "bfs") => {
            let found = Found::read(command.operands());
            found.choice() == Choice::All && or_here(found.roots.to_vec()).iter().any(whole)
        }
        Some("ls" | "dir" | "vdir" | "tree" | "du") => or_here(plain()).iter().any(whole),
        Some("echo" | "printf" | "compgen") => plain().iter().any(whole),
        _ => false,
    }
}
