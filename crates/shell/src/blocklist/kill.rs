//! Every process at once: `kill -1`, `pkill` and `killall` with the signal that nothing survives.

use super::Rule;
use super::interpreter::{Language, code};
use super::options::{Options, Valued};
use super::view::View;
use crate::command::Word;

pub(super) const RULE: Rule = Rule {
    id: "shell.block.kill-all",
    key: "shell-block-kill-all",
    breaks,
    matches: &[
        "kill -9 -1",
        "kill -TERM -1",
        "kill -s 9 -- -1",
        "kill -- -1",
        "kill --signal=KILL -1",
        "pkill -9 -f x",
        "pkill -f -KILL x",
        "pkill --signal SIGKILL --full x",
        "pkill -u root",
        "pkill .",
        "killall -9 x",
        "killall -sKILL x",
        "killall -SIGKILL x",
        "killall5",
        "killall --user me",
        "fuser -km /",
    ],
    spares: &[
        "kill 1234",
        "kill -1 1234",
        "kill -9 1234",
        "kill -9 -1234",
        "kill %1",
        "kill -l",
        "pkill node",
        "pkill -9 node",
        "pkill -f my-server",
        "killall node",
        "killall -HUP nginx",
        "cargo test kill",
        "echo kill -9 -1",
        "pgrep -f x",
        "fuser -k 80/tcp",
    ],
};

fn is_kill(signal: &str) -> bool {
    matches!(signal.trim_start_matches('-').to_ascii_uppercase().as_str(), "9" | "KILL" | "SIGKILL")
}

fn breaks(view: &View<'_>) -> Option<String> {
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
        let options = Options::read(words, Valued { short: "nM", long: "namespace" });
        (options.letter('k') || options.name("kill")) && options.operands.iter().any(|word| word.literal() == Some("/"))
    } else {
        by_code(view)
    };
    all.then(|| view.shown())
}

fn kill(words: &[Word]) -> bool {
    let everybody = |word: &Word| word.literal().and_then(|text| text.parse::<i64>().ok()) == Some(-1);
    let rest = match words.first().and_then(Word::literal) {
        Some("-s" | "-n" | "--signal" | "-q" | "--queue") => words.get(2..),
        // Signal 0 is none: it only asks whether somebody is there.
        Some("-l" | "-L" | "--list" | "--table" | "-0") => None,
        Some("--") => words.get(1..),
        Some(text) if text.starts_with('-') => words.get(1..),
        _ => Some(words),
    };
    rest.unwrap_or_default().iter().any(everybody)
}

fn pkill(words: &[Word]) -> bool {
    const VALUED: Valued = Valued {
        short: "gGPstuUFdrOA",
        long: "signal pgroup group parent session terminal euid uid pidfile ns nslist",
    };
    let is_signal = |text: &str| {
        let name = text.trim_start_matches('-');
        text.starts_with('-')
            && !text.starts_with("--")
            && (is_kill(name) || name.parse::<u8>().is_ok() || (name.len() > 2 && is_capitals(name)))
    };
    let mut hard = words.iter().filter_map(Word::literal).any(|text| is_signal(text) && is_kill(text));
    let rest: Vec<Word> = words.iter().filter(|word| !word.literal().is_some_and(is_signal)).cloned().collect();
    let options = Options::read(&rest, VALUED);
    hard |= options.values('\0', "signal").any(is_kill);
    let full = options.letter('f') || options.name("full");
    let users: Vec<&str> =
        options.values('u', "euid").chain(options.values('U', "uid")).chain(options.values('G', "group")).collect();
    let of_root = users.iter().any(|names| names.split(',').any(|name| matches!(name, "root" | "0")));
    let everything = |word: &&Word| word.literal().is_some_and(stands_for_every_name);
    (hard && full)
        || options.operands.iter().any(everything)
        || (options.operands.is_empty() && (of_root || (hard && !users.is_empty())))
        || (hard && (of_root || options.letter('v') || options.name("inverse")))
}

fn is_capitals(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
}

/// Whether a regular expression finds every name.
fn stands_for_every_name(pattern: &str) -> bool {
    matches!(pattern, "" | "." | ".*" | ".+" | "^" | "$" | "^.*" | ".*$" | "^.*$" | "^.+$" | "..*" | "[a-z]" | "[^ ]")
}

fn killall(words: &[Word]) -> bool {
    let valued = Valued { short: "sunoyZ", long: "signal user older-than younger-than context ns" };
    let literal = words.iter().filter_map(Word::literal);
    let options = Options::read(words, valued);
    let hard = literal.clone().any(|text| text.starts_with('-') && !text.starts_with("--") && is_kill(text))
        || options.values('s', "signal").any(is_kill);
    let of_user = literal.clone().any(|text| text == "-u" || text == "--user" || text.starts_with("--user="));
    let regex = options.letter('r') || options.name("regexp");
    hard || of_user || (regex && options.operands.iter().any(|word| word.literal().is_some_and(stands_for_every_name)))
}

/// Program text that signals every process: `os.kill(-1, 9)`, `kill 9, -1`.
fn by_code(view: &View<'_>) -> bool {
    let Some(language) = Language::of(view.program).filter(|language| *language != Language::Shell) else {
        return false;
    };
    let Some(text) = code(language, view.command.operands()).map(ToString::to_string) else { return false };
    text.match_indices("kill").any(|(at, call)| {
        let rest = text.get(at + call.len()..).unwrap_or_default();
        let end = rest.find([';', '\n', '}']).unwrap_or(rest.len());
        let numbers = rest.get(..end).unwrap_or_default();
        // A call has its arguments apart; `kill -9 -1` in a string is only a text.
        numbers.contains([',', '>'])
            && numbers
                .split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'))
                .any(|number| number == "-1")
    })
}
