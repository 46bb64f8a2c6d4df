//! Options whose value is executed: those that the catalogue names, and some with a syntax of their own.

use super::{How, Value};
use crate::catalogue::{ByName, Fact, by_name, facts};
use crate::command::{Command, Word};
use crate::unwrap::words::{cut_at, values, without};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Programs, options whose value is `KEY=VALUE`, and how the keys end whose value is executed.
const KEYED: &[(&str, &str, &str, How)] = &[
    ("tar gtar", "--checkpoint-action", "exec", How::Text),
    ("ssh scp sftp autossh slogin", "-o", "proxycommand localcommand knownhostscommand remotecommand", How::Text),
    ("wget", "-e --execute", "use_askpass", How::Text),
    ("apt apt-get aptitude", "-o --option", "-invoke -install-pkgs", How::Text),
    ("cargo", "--config", "runner rustc-wrapper rustc-workspace-wrapper linker rustc rustdoc", How::Words),
];

static BY_NAME: ByName<(&str, &str, How)> =
    LazyLock::new(|| by_name(KEYED.iter().map(|(names, options, ends, how)| (*names, (*options, *ends, *how)))));

/// Every option of the catalogue, and options with a syntax of their own.
pub(super) fn find(command: &Command, name: &str, found: &mut Vec<Value>) {
    let operands = match name {
        "rg" => Cow::Owned(without_patterns(command.operands())),
        _ => Cow::Borrowed(command.operands()),
    };
    for fact in facts(name) {
        let (options, how) = match fact {
            Fact::ExecutesText(options) => (options, How::Text),
            Fact::ExecutesWords(options) => (options, How::Words),
            Fact::ExecutesFed(options) => (options, How::Fed),
            _ => continue,
        };
        for option in options.split(' ') {
            let values = values(&operands, option).into_iter();
            found.extend(values.map(|value| Value { name: format!("{name} {option}"), value, how }));
        }
    }
    if let Some((options, ends, how)) = BY_NAME.get(name) {
        let values = options.split(' ').flat_map(|option| values(&operands, option));
        found.extend(values.filter_map(|value| keyed(&value, ends, *how)));
    }
    match name {
        "tar" | "gtar" => bundled(command.operands(), found),
        "socat" | "socat1" => found.extend(command.operands().iter().filter_map(address)),
        // `enter:execute(…)`
        "fzf" | "sk" => {
            let texts = values(&operands, "--bind").into_iter();
            let inside = texts.filter_map(|text| Some(text.literal()?.replace(['(', ')', '[', ']', '{', '}'], "\n")));
            found.extend(inside.map(|text| Value::text("fzf --bind", Word::text(text))));
        }
        _ => {}
    }
}

/// Words without the patterns that some options give.
fn without_patterns(words: &[Word]) -> Vec<Word> {
    let is_pattern = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).and_then(Word::literal);
        matches!(before, Some("-e" | "--regexp"))
    };
    words.iter().enumerate().filter(|(at, _)| !is_pattern(*at)).map(|(_, word)| word.clone()).collect()
}

/// `ProxyCommand=…` of ssh in any case, also with a blank; `DPkg::Pre-Invoke::={"…";}` of apt, `runner = ["a", "b"]` of cargo.
fn keyed(value: &Word, ends: &str, how: How) -> Option<Value> {
    let text = value.prefix();
    let at = text.find(['=', ' ', '\t']).unwrap_or(text.len());
    let key = text.get(..at)?.to_ascii_lowercase();
    let rest = text.get(at..)?.trim_start_matches(['=', ' ', '\t']);
    let value = without(value, text.len() - rest.len());
    let value = match value.literal().filter(|text| text.starts_with(['[', '{', '"', '\''])) {
        Some(text) => Word::text(text.replace(['[', ']', '{', '}', '"', '\'', ','], " ")),
        None => value,
    };
    ends.split(' ').any(|end| key.trim_end_matches(':').ends_with(end)).then_some(Value { name: key, value, how })
}

/// `tar cIf PROGRAM FILE`: letters without a dash, their values after them in order.
fn bundled(words: &[Word], found: &mut Vec<Value>) {
    let Some((letters, values)) = words.split_first().filter(|(first, _)| !first.prefix().starts_with('-')) else {
        return;
    };
    let valued = letters.prefix().chars().filter(|letter| "bfgCHIKLNTVXF".contains(*letter));
    let executed = valued.zip(values).filter(|(letter, _)| matches!(letter, 'I' | 'F'));
    found.extend(executed.map(|(letter, value)| Value {
        name: format!("tar {letter}"),
        value: value.clone(),
        how: How::Fed,
    }));
}

/// `EXEC:…`, `SYSTEM:…` of socat, with options after commas.
fn address(word: &Word) -> Option<Value> {
    let (kind, rest) = cut_at(word, ':')?;
    let how = match kind.to_ascii_lowercase().as_str() {
        "exec" => How::Words,
        "system" | "shell" => How::Text,
        _ => return None,
    };
    let value = match rest.literal() {
        Some(text) => Word::text(text.split(',').next().unwrap_or(text).replace(['"', '\\'], "")),
        None => rest,
    };
    Some(Value { name: format!("socat {kind}"), value, how })
}
