//! Bytes from the network or from a decoder into something that runs them.
//!
//! A decoder's output that the text itself tells is not refused for where it came from when a shell reads it: it is read
//! like any other text. What an interpreter of another language gets that way is refused, because that text is not read.

use super::view::View;
use crate::catalogue::{Language, calls, mentions};
use crate::command::{Origin, Piece, Trace, UnknownKind, Word};
use crate::unwrap::Source;

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    let command = view.command;
    if command.words.first().is_some_and(|word| holes(word).next().is_some_and(is_foreign) && word.pieces.len() == 1) {
        return Some(view.shown());
    }
    if view.program.is("eval") {
        let foreign = command
            .operands()
            .iter()
            .find(|word| at_command(word) || word.pieces.first().is_some_and(piece_is_foreign));
        return foreign.map(|_| view.shown());
    }
    let unseen = match view.program.runs(command.operands()) {
        Some((Language::Shell, Source::Stdin)) => is_unseen(view),
        Some((_, Source::Stdin)) => is_foreign(command.input.trace),
        Some((_, Source::Code(codes))) => codes.iter().any(|code| {
            at_command(code)
                || code.pieces.first().is_some_and(piece_is_foreign)
                || runs_downloads(code)
                || (is_foreign(command.input.trace) && runs_input(&code.to_string()))
        }),
        // A made file whose text is known is read like any other text.
        Some((language, Source::File(file))) => {
            holes(&file).any(is_foreign) && !(language == Language::Shell && command.input.text.is_some())
        }
        Some((_, Source::Nothing)) => false,
        None => script_of_filter(view),
    };
    unseen.then(|| view.shown())
}

/// Whether `sed` or `make` gets its script from elsewhere. Of the operands of `sed` only the first one is its script: what a
/// file is called may come from anywhere.
fn script_of_filter(view: &View<'_>) -> bool {
    let words = view.command.operands();
    let from_stdin = |pair: &[Word]| {
        matches!(pair, [option, file] if option.literal() == Some("-f")
                && matches!(file.literal(), Some("-" | "/dev/stdin")))
    };
    let script = words.iter().find(|word| !word.prefix().starts_with('-'));
    let foreign = script.and_then(|script| script.pieces.first()).is_some_and(piece_is_foreign);
    (view.program.is_any("sed make gmake") && is_unseen(view) && words.windows(2).any(from_stdin))
        || (view.program.is("sed") && foreign)
}

pub(super) fn is_foreign(trace: Trace) -> bool {
    trace.has(Origin::Network) || trace.has(Origin::Decoder)
}

fn is_unseen(view: &View<'_>) -> bool {
    view.command.input.text.is_none() && is_foreign(view.command.input.trace)
}

fn holes(word: &Word) -> impl Iterator<Item = Trace> {
    word.pieces.iter().filter_map(|piece| match piece {
        Piece::Unknown(unknown) => match &unknown.kind {
            UnknownKind::Output(trace) => Some(*trace),
            _ => None,
        },
        _ => None,
    })
}

fn piece_is_foreign(piece: &Piece) -> bool {
    matches!(piece, Piece::Unknown(unknown) if matches!(&unknown.kind, UnknownKind::Output(trace) if is_foreign(*trace)))
}

/// Whether foreign bytes stand where a command begins.
fn at_command(word: &Word) -> bool {
    word.pieces.windows(2).any(|pair| match pair {
        [Piece::Text(before), after] => {
            let before = before.trim_end_matches([' ', '\t']);
            piece_is_foreign(after) && before.ends_with([';', '\n', '|', '&', '(', '{', '`']) | before.ends_with("eval")
        }
        _ => false,
    }) || word.pieces.iter().any(piece_is_foreign)
        && word
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Text(text) if text.contains("exec(") || text.contains("eval")))
}

/// Whether code runs what it reads from its stdin: `exec(sys.stdin.read())`. A list with one of its words read is no
/// program from there.
fn runs_input(code: &str) -> bool {
    const RUN: [&str; 8] = ["exec(", "exec ", "eval", "system", "popen", "spawn", "getoutput", "print |"];
    const INPUT: [&str; 8] = ["stdin", "STDIN", "<>", "$_", "$0", "readFileSync(0", "gets", "\"sh\""];
    code.split([';', '\n']).any(|statement| {
        let call = RUN.iter().filter_map(|call| statement.find(call)).min();
        let rest = call.and_then(|at| statement.get(at..)).unwrap_or_default();
        !rest.contains("([") && INPUT.iter().any(|name| rest.contains(name))
    })
}

/// Whether code fetches a text and runs it, both by its own calls.
fn runs_downloads(word: &Word) -> bool {
    let text = word.to_string();
    let fetches = mentions(&text, calls::FETCHES) || (text.contains("file_get_contents(") && text.contains("http"));
    fetches && mentions(&text, calls::EVALUATES)
}
