//! Options whose value is executed: those that the catalogue names, and some with a syntax of their own.

use super::{How, Value};
use crate::catalogue::{Fact, facts};
use crate::command::{Command, Word};
use crate::unwrap::scan::values;
use crate::unwrap::words::{cut_at, without};
use std::borrow::Cow;

/// `tar cIf PROGRAM FILE`: letters without a dash, their values after them in order.
fn bundled(words: &[Word], found: &mut Vec<Value>) {
    let Some((letters, values)) = words.split_first() else { return };
    let valued = letters.prefix().chars().filter(|letter| "bfgCHIKLNTVXF".contains(*letter));
    if letters.prefix().starts_with('-') {
        return;
    }
    let executed = valued.zip(values).filter(|(letter, _)| matches!(letter, 'I' | 'F'));
    found.extend(executed.map(|(letter, value)| Value {
        name: format!("tar {letter}"),
        value: value.clone(),
        how: How::Fed,
    }));
}

/// Words without the patterns that some options give.
fn without_patterns(words: &[Word]) -> Vec<Word> {
    let is_pattern = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).and_then(Word::literal);
        matches!(before, Some("-e" | "--regexp"))
    };
    words.iter().enumerate().filter(|(at, _)| !is_pattern(*at)).map(|(_, word)| word.clone()).collect()
}

/// Every option of the table, and options with a syntax of their own.
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
    match name {
        "tar" | "gtar" => {
            bundled(command.operands(), found);
            for value in values(command.operands(), "--checkpoint-action") {
                if let Some((_, text)) = cut_at(&value, '=').filter(|(kind, _)| *kind == "exec") {
                    found.push(Value::text("tar --checkpoint-action", text));
                }
            }
        }
        "ssh" | "scp" | "sftp" | "autossh" | "slogin" => {
            for value in values(command.operands(), "-o") {
                remote(&value, found);
            }
        }
        "socat" | "socat1" => command.operands().iter().for_each(|word| address(word, found)),
        "wget" => {
            for value in values(command.operands(), "-e").iter().chain(&values(command.operands(), "--execute")) {
                if let Some((_, program)) = cut_at(value, '=').filter(|(key, _)| key.trim() == "use_askpass") {
                    found.push(Value::text("wget use_askpass", program));
                }
            }
        }
        "apt" | "apt-get" | "aptitude" => {
            for value in values(command.operands(), "-o").iter().chain(&values(command.operands(), "--option")) {
                invoked(value, found);
            }
        }
        "fzf" | "sk" => {
            for value in values(command.operands(), "--bind") {
                bound(&value, found);
            }
        }
        "cargo" => {
            for value in values(command.operands(), "--config") {
                runner(&value, found);
            }
        }
        _ => {}
    }
}

/// `ProxyCommand=…` of ssh; keys in any case, blanks or `=` between.
fn remote(value: &Word, found: &mut Vec<Value>) {
    let text = value.prefix();
    let end = text.find(['=', ' ', '\t']).unwrap_or(text.len());
    let key = text.get(..end).unwrap_or_default().to_ascii_lowercase();
    if matches!(key.as_str(), "proxycommand" | "localcommand" | "knownhostscommand" | "remotecommand") {
        let rest = without(value, end);
        let blanks = rest.prefix().len() - rest.prefix().trim_start_matches(['=', ' ', '\t', '"']).len();
        found.push(Value::text(format!("ssh {key}"), without(&rest, blanks)));
    }
}

/// `EXEC:…`, `SYSTEM:…` of socat, with options after commas.
fn address(word: &Word, found: &mut Vec<Value>) {
    let Some((kind, rest)) = cut_at(word, ':') else { return };
    let how = match kind.to_ascii_lowercase().as_str() {
        "exec" => How::Words,
        "system" | "shell" => How::Text,
        _ => return,
    };
    let value = match rest.literal() {
        Some(text) => Word::text(text.split(',').next().unwrap_or(text).replace(['"', '\\'], "")),
        None => rest,
    };
    found.push(Value { name: format!("socat {kind}"), value, how });
}

/// `DPkg::Pre-Invoke::=…` of apt, and a list in braces as well.
fn invoked(value: &Word, found: &mut Vec<Value>) {
    let Some((key, text)) = cut_at(value, '=') else { return };
    let key = key.to_ascii_lowercase();
    if key.contains("-invoke") || key.contains("pre-install-pkgs") || key.contains("post-install-pkgs") {
        let text = match text.literal() {
            Some(known) => Word::text(known.replace(['{', '}', '"'], " ")),
            None => text,
        };
        found.push(Value::text("apt -o", text));
    }
}

/// What stands in the brackets that the text begins with.
fn bracketed(text: &str) -> &str {
    let mut depth = 0usize;
    let end = text.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let end = end.map_or(text.len(), |(at, _)| at);
    text.get(1..end).unwrap_or_default()
}

/// `enter:execute(…)` of fzf.
fn bound(value: &Word, found: &mut Vec<Value>) {
    let Some(text) = value.literal() else { return };
    for (_, after) in text.match_indices("execute").filter_map(|(at, _)| text.split_at_checked(at)) {
        let after = after.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '-');
        let own = bracketed(after);
        found.push(Value::text("fzf --bind", Word::text(own)));
    }
}

/// `target.x.runner = "…"`, `build.rustc-wrapper = …`, and a list of words as well.
fn runner(value: &Word, found: &mut Vec<Value>) {
    let Some((key, rest)) = cut_at(value, '=') else { return };
    let key = key.trim().to_owned();
    let executed = ["runner", "rustc-wrapper", "rustc-workspace-wrapper", "linker", "rustc", "rustdoc"];
    if executed.iter().any(|name| key.ends_with(name))
        && let Some(text) = rest.literal()
    {
        let plain = text.replace(['[', ']', '"', '\'', ','], " ");
        found.push(Value { name: format!("cargo {key}"), value: Word::text(plain), how: How::Words });
    }
}
