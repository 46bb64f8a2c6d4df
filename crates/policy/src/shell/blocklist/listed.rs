//! A whole that one command lists and the next removes: `find / | xargs rm`, `rm -rf $(ls -d /*)`.
//!
//! Only neighbours in reading order count: what stands between them chooses, and a choice is left to a person.

use super::found::{Choice, Found};
use super::view::{Program, View};
use crate::shell::command::{Command, Piece, RedirectKind, Surroundings, UnknownKind, Via, Word};
use crate::shell::read::Reading;

/// The list that is removed as a whole.
pub(super) fn removed(reading: &Reading, surroundings: &Surroundings) -> Option<String> {
    reading.commands.iter().zip(reading.commands.iter().skip(1)).enumerate().find_map(|(at, (list, next))| {
        let by_pipe = || {
            let piped = next.program() == Some("xargs")
                && !next.input.trace.0.is_empty()
                && !next.redirects.iter().any(|redirect| redirect.kind == RedirectKind::Read);
            let each = |via: Option<&Via>| matches!(via, Some(Via::Each(name)) if name == "xargs");
            let inner = reading.commands.iter().skip(at + 2);
            let mut inner = inner.take_while(|inner| each(inner.via.get(next.via.len())));
            (piped && inner.any(removes)).then_some(())
        };
        // `find / | while read x; do rm "$x"; done`
        let by_loop = || {
            let reads = matches!(next.program(), Some("read" | "mapfile" | "readarray"));
            (reads && removes(reading.commands.get(at + 2)?)).then_some(())
        };
        let by_substitution = || (list.via.last() == Some(&Via::Substitution) && removes(next)).then_some(());
        let wholly = by_pipe().or_else(by_substitution).or_else(by_loop).is_some() && lists_whole(list, surroundings);
        wholly.then(|| list.source.clone())
    })
}

/// Whether a command removes names that another one printed.
fn removes(command: &Command) -> bool {
    let printed = |word: &Word| matches!(word.pieces.as_slice(), [Piece::Unknown(unknown)] if matches!(unknown.kind, UnknownKind::Output(_)));
    matches!(command.program(), Some("rm" | "shred" | "unlink" | "mv" | "srm"))
        && command.operands().iter().any(printed)
}

fn lists_whole(command: &Command, surroundings: &Surroundings) -> bool {
    let program = Program::of(command, surroundings);
    let view = View { command, surroundings, program: &program };
    let whole = |word: &Word| view.target(word).and_then(|target| target.whole(surroundings)).is_some();
    match command.program() {
        Some("find") => {
            let found = Found::read(command.operands());
            found.choice() == Choice::All && found.roots.iter().any(whole)
        }
        Some("ls" | "echo" | "printf") => {
            command.operands().iter().any(|word| !word.prefix().starts_with('-') && whole(word))
        }
        _ => false,
    }
}
