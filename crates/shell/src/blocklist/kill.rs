//! Every process at once: `kill -1`, `pkill` and `killall` with the signal that nothing survives.

use super::options::Options;
use super::view::View;
use crate::command::Word;

fn is_kill(signal: &str) -> bool {
    matches!(signal.trim_start_matches('-').to_ascii_uppercase().as_str(), "9" | "KILL" | "SIGKILL")
}

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    let all = if view.program.is("kill") {
        kill(words)
    } else if view.program.is("pkill") {
        pkill(words)
    } else if view.program.is("killall") {
        killall(words)
    } else if view.program.is("killall5") {
        true
    } else if view.program.is_any("skill slay") {
        view.texts().any(is_kill) || view.texts().any(|text| text.starts_with("-u"))
    } else if view.program.is("fuser") {
        let options = Options::read(words, "n M namespace");
        options.has("k kill") && options.operands.iter().any(|word| word.literal() == Some("/"))
    } else {
        false
    };
    all.then(|| view.shown())
}

fn kill(words: &[Word]) -> bool {
    let everybody = |word: &Word| word.literal().and_then(|text| text.parse::<i64>().ok()) == Some(-1);
    let rest = match words.first().and_then(Word::literal) {
        Some("-s" | "-n" | "--signal" | "-q" | "--queue") => words.get(2..),
        // Signal 0 only tests whether the process exists.
        Some("-l" | "-L" | "--list" | "--table" | "-0") => None,
        Some("--") => words.get(1..),
        Some(text) if text.starts_with('-') => words.get(1..),
        _ => Some(words),
    };
    rest.unwrap_or_default().iter().any(everybody)
}

fn pkill(words: &[Word]) -> bool {
    const VALUED: &str =
        "g G P s t u U F d r O A signal pgroup group parent session terminal euid uid pidfile ns nslist";
    let is_signal = |text: &str| {
        let name = text.trim_start_matches('-');
        text.starts_with('-')
            && !text.starts_with("--")
            && (is_kill(name) || name.parse::<u8>().is_ok() || (name.len() > 2 && is_capitals(name)))
    };
    let mut hard = words.iter().filter_map(Word::literal).any(|text| is_signal(text) && is_kill(text));
    let rest: Vec<Word> = words.iter().filter(|word| !word.literal().is_some_and(is_signal)).cloned().collect();
    let options = Options::read(&rest, VALUED);
    hard |= options.values("signal").any(is_kill);
    let full = options.has("f full");
    let users: Vec<&str> = options.values("u U G euid uid group").collect();
    let of_root = users.iter().any(|names| names.split(',').any(|name| matches!(name, "root" | "0")));
    let everything = |word: &&Word| word.literal().is_some_and(stands_for_every_name);
    (hard && full)
        || options.operands.iter().any(everything)
        || (options.operands.is_empty() && (of_root || (hard && !users.is_empty())))
        || (hard && (of_root || options.has("v inverse")))
}

fn is_capitals(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
}

/// Whether a regular expression finds every name.
fn stands_for_every_name(pattern: &str) -> bool {
    matches!(pattern, "" | "." | ".*" | ".+" | "^" | "$" | "^.*" | ".*$" | "^.*$" | "^.+$" | "..*" | "[a-z]" | "[^ ]")
}

fn killall(words: &[Word]) -> bool {
    let mut literal = words.iter().filter_map(Word::literal);
    let options = Options::read(words, "s u n o y Z signal user older-than younger-than context ns");
    let hard = literal.any(|text| text.starts_with('-') && !text.starts_with("--") && is_kill(text))
        || options.values("s signal").any(is_kill);
    let of_user = options.has("u user");
    let regex = options.has("r regexp");
    hard || of_user || (regex && options.operands.iter().any(|word| word.literal().is_some_and(stands_for_every_name)))
}
