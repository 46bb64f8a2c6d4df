//! Programs and builtins that read a shell text: from an operand, from stdin, from a file that is made on the spot.
//!
//! A script file is not opened: the judge of the outer command decides about it.

use super::build::{Start, joined, script, spent, stdin};
use super::code::source::Source;
use super::words::{anything, cut_at, without};
use super::{Inner, Outer, Unwrapped};
use crate::catalogue::{self, Language, has};
use crate::command::{Command, Origin, Piece, Trace, Unknown, UnknownKind, Via, Word};

/// Whether a program is a shell, in whatever version.
pub(super) fn is_shell(name: &str) -> bool {
    catalogue::language(name) == Some(Language::Shell)
}

/// What a shell, `eval`, `source` or another builtin that takes a text would read.
pub(super) fn unwrap(command: &Command) -> Option<Unwrapped> {
    let name = command.program()?;
    let inner = match name {
        "eval" => eval(command),
        "source" | "." => source(command, name),
        "trap" => trap(command),
        "mapfile" | "readarray" | "complete" | "compgen" => callback(command, name),
        "bind" => bind(command),
        "pwsh" | "powershell" | "pwsh.exe" | "powershell.exe" => power(command, name),
        _ if is_shell(name) => run(command, name),
        _ => Vec::new(),
    };
    Unwrapped::of(Outer::Judged, inner)
}

fn start<'a>(command: &'a Command, name: &str) -> Start<'a> {
    Start::new(command, Via::Shell(name.to_owned()))
}

fn after_dashes(words: &[Word]) -> &[Word] {
    match words.split_first() {
        Some((first, rest)) if first.literal() == Some("--") => rest,
        _ => words,
    }
}

fn eval(command: &Command) -> Vec<Inner> {
    let words = after_dashes(command.operands());
    if words.is_empty() { Vec::new() } else { vec![joined(&start(command, "eval"), words)] }
}

fn source(command: &Command, name: &str) -> Vec<Inner> {
    let words = after_dashes(command.operands());
    let Some((file, rest)) = words.split_first() else { return Vec::new() };
    let parameters = if rest.is_empty() { Vec::new() } else { words.to_vec() };
    from_file(command, file, parameters, start(command, name))
}

/// A trap's text waits for a signal; it counts as run.
fn trap(command: &Command) -> Vec<Inner> {
    let words = after_dashes(command.operands());
    match words {
        [text, _, ..] if !matches!(text.literal(), Some("-" | "")) && !text.prefix().starts_with("-p") => {
            vec![script(&start(command, "trap"), text.clone(), Vec::new())]
        }
        _ => Vec::new(),
    }
}

/// `mapfile -C TEXT`, `complete -C TEXT`.
fn callback(command: &Command, name: &str) -> Vec<Inner> {
    let mut found = Vec::new();
    for (at, word) in command.operands().iter().enumerate() {
        let text = word.prefix();
        if text.starts_with('-') && !text.starts_with("--") && text.ends_with('C') && word.pieces.len() == 1 {
            found.extend(command.operands().get(at + 1).cloned());
        } else if text.starts_with("-C") {
            found.push(without(word, 2));
        }
    }
    found.into_iter().map(|text| script(&start(command, name), text, Vec::new())).collect()
}

/// `bind -x '"\C-g": TEXT'`.
fn bind(command: &Command) -> Vec<Inner> {
    let words = command.operands();
    let executes = words.iter().any(|word| word.prefix().starts_with("-x"));
    let texts = words.iter().filter(|_| executes).filter_map(|word| cut_at(word, ':'));
    texts.map(|(_, text)| script(&start(command, "bind"), text, Vec::new())).collect()
}

/// The names of the own stdin.
pub(crate) fn is_stdin(word: &Word) -> bool {
    matches!(word.literal(), Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "/proc/thread-self/fd/0" | "-"))
}

/// The trace of a word that is nothing but what a command printed, or the name of such a file.
pub(super) fn made(word: &Word) -> Option<Trace> {
    match word.pieces.as_slice() {
        [Piece::Unknown(Unknown { kind: UnknownKind::Output(trace), .. })] => Some(*trace),
        _ => None,
    }
}

fn from_file(command: &Command, file: &Word, parameters: Vec<Word>, start: Start<'_>) -> Vec<Inner> {
    if is_stdin(file) {
        return from_stdin(command, parameters, start);
    }
    let Some(trace) = made(file) else { return Vec::new() };
    // What a substitution with a known text prints is handed over as the input of the command that reads it.
    if ![Origin::File, Origin::Network, Origin::Program].into_iter().any(|origin| trace.has(origin))
        && command.input.text.is_some()
    {
        return from_stdin(command, parameters, start);
    }
    vec![script(&start, anything(UnknownKind::Output(trace)), parameters)]
}

fn from_stdin(command: &Command, parameters: Vec<Word>, mut start: Start<'_>) -> Vec<Inner> {
    let Some(text) = stdin(&command.input) else { return Vec::new() };
    start.input = spent(&command.input);
    vec![script(&start, text, parameters)]
}

/// What the words of a shell say.
#[derive(Default)]
struct Words {
    /// `-c`
    text: bool,
    /// `-s`
    stdin: bool,
    /// Texts and files that are read first.
    before: Vec<Word>,
    files: Vec<Word>,
    operands: Vec<Word>,
}

fn run(command: &Command, name: &str) -> Vec<Inner> {
    let words = shell_words(command.operands());
    let start = start(command, name);
    let mut found: Vec<Inner> = words.before.iter().map(|text| script(&start, text.clone(), Vec::new())).collect();
    for file in &words.files {
        found.extend(from_file(command, file, Vec::new(), start.clone()));
    }
    let own = || command.words.first().cloned().into_iter();
    if words.text {
        if let Some((text, parameters)) = words.operands.split_first() {
            let parameters = if parameters.is_empty() { own().collect() } else { parameters.to_vec() };
            found.push(script(&start, text.clone(), parameters));
        }
    } else if words.stdin {
        found.extend(from_stdin(command, own().chain(words.operands).collect(), start));
    } else if let Some(file) = words.operands.first() {
        found.extend(from_file(command, file, words.operands.clone(), start));
    } else if words.before.is_empty() {
        found.extend(from_stdin(command, own().collect(), start));
    }
    found
}

/// Where a shell takes its text from. An operand that looks like an option counts as one: `sh - -y`.
pub(super) fn source_of(words: &[Word]) -> Source {
    let words = shell_words(words);
    match (words.operands.first(), words.before.first()) {
        (None, _) if words.text => Source::Nothing,
        (Some(text), _) if words.text => Source::Code(vec![text.clone()]),
        _ if words.stdin => Source::Stdin,
        (Some(file), _) if !is_stdin(file) && !file.prefix().starts_with('-') => Source::File(file.clone()),
        (None, Some(text)) => Source::Code(vec![text.clone()]),
        _ => Source::Stdin,
    }
}

fn shell_words(words: &[Word]) -> Words {
    const VALUED: &str = "--rcfile --init-file --command --init-command --commands --config --env-config";
    let mut out = Words::default();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.prefix();
        if text == "--" || text == "-" {
            out.operands.extend(rest.by_ref().cloned());
        } else if text.starts_with("--") {
            let (name, glued) = match cut_at(word, '=') {
                Some((name, value)) => (name, Some(value)),
                None => (text, None),
            };
            let value = if has(VALUED, name) { glued.or_else(|| rest.next().cloned()) } else { None };
            match name {
                "--rcfile" | "--init-file" => out.files.extend(value),
                _ => out.before.extend(value),
            }
        } else if text.len() > 1 && text.starts_with(['-', '+']) {
            cluster(&mut out, word, &mut rest);
        } else {
            out.operands.push(word.clone());
            out.operands.extend(rest.by_ref().cloned());
        }
    }
    out
}

fn cluster<'a>(out: &mut Words, word: &Word, rest: &mut impl Iterator<Item = &'a Word>) {
    let text = word.prefix();
    let on = text.starts_with('-');
    let mut values = 0;
    for letter in text.chars().skip(1) {
        match letter {
            'c' if on => out.text = true,
            's' if on => out.stdin = true,
            // fish: a text that is read first.
            'C' if on && text.ends_with('C') => out.before.extend(rest.next().cloned()),
            'o' | 'O' => values += 1,
            _ => {}
        }
    }
    for _ in 0..values {
        rest.next();
    }
    // `bash -$X text`: the letters may hold a `c`.
    if word.has_unknown() {
        out.text = true;
    }
}

/// PowerShell: its language is not the shell's, yet a plain command is written alike.
fn power(command: &Command, name: &str) -> Vec<Inner> {
    let mut words = command.operands().iter();
    while let Some(word) = words.next() {
        let option = word.prefix().to_ascii_lowercase();
        let Some(option) = option.strip_prefix('-').filter(|option| !option.is_empty()) else { continue };
        if "command".starts_with(option) {
            let rest: Vec<Word> = words.cloned().collect();
            return vec![joined(&start(command, name), &rest)];
        }
        if "encodedcommand".starts_with(option) || option == "ec" {
            let Some(code) = words.next() else { return Vec::new() };
            let text = code.literal().and_then(wide).map_or_else(|| anything(UnknownKind::Other), Word::text);
            return vec![script(&start(command, name), text, Vec::new())];
        }
    }
    Vec::new()
}

/// Base64 of UTF-16.
fn wide(code: &str) -> Option<String> {
    let bytes = super::outputs::base64(code)?;
    let units = bytes.chunks(2).map(|pair| match pair {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    });
    String::from_utf16(&units.collect::<Vec<_>>()).ok()
}
