//! Modes and owners: everything to everybody, the system's own directories as a whole, a shell that keeps its owner's
//! rights.

use super::found::{Choice, Found, names_any, starts};
use super::options::Options;
use super::staged::place;
use super::view::{Program, View};
use crate::catalogue::has;
use crate::command::{Surroundings, Word};
use crate::read::Reading;
use crate::unwrap::Inner;

const CHMOD: &str = "chmod gchmod";

pub(super) fn world_writable(view: &View<'_>) -> Option<String> {
    if !view.program.is_any(CHMOD) {
        return None;
    }
    let modes = modes(view.command.operands());
    modes.into_iter().find(|mode| opens_all(mode)).map(|_| view.shown())
}

/// The words that may be the mode: the first operand, or any when the first is none.
fn modes(words: &[Word]) -> Vec<&str> {
    let mut operands = words.iter().filter_map(Word::literal).filter(|text| *text != "--");
    // A mode may begin with `-`, an option never looks like one.
    let option = |text: &str| text.starts_with('-') && !text.trim_start_matches('-').starts_with(is_mode_letter);
    let candidates: Vec<&str> = operands.by_ref().filter(|text| !option(text)).collect();
    match candidates.first() {
        Some(first) if is_mode(first) => candidates.into_iter().take(1).collect(),
        _ => candidates.into_iter().filter(|text| is_mode(text)).collect(),
    }
}

fn is_mode_letter(letter: char) -> bool {
    matches!(letter, 'r' | 'w' | 'x' | 's' | 't' | 'X')
}

fn octal(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches(['=', '+']);
    u32::from_str_radix(digits, 8).ok().filter(|_| !digits.is_empty())
}

fn is_mode(text: &str) -> bool {
    octal(text).is_some() || text.split(',').all(|clause| parts(clause).is_some())
}

/// `who`, `operator and permissions`.
fn parts(clause: &str) -> Option<(&str, &str)> {
    let at = clause.find(['+', '-', '='])?;
    let (who, rest) = clause.split_at_checked(at)?;
    let known =
        who.chars().all(|letter| "ugoa".contains(letter)) && rest.chars().all(|letter| "+-=rwxXstugo".contains(letter));
    known.then_some((who, rest))
}

/// Whether owner, group and others would all have all rights. What the umask takes away from a bare `+` is not given.
fn opens_all(mode: &str) -> bool {
    if let Some(bits) = octal(mode) {
        return bits & 0o777 == 0o777;
    }
    let mut given = [0_u8; 3];
    for clause in mode.split(',') {
        let Some((who, rest)) = parts(clause) else { return false };
        let who = if who.contains('a') || (who.is_empty() && rest.starts_with('=')) { "ugo" } else { who };
        let mut operator = '+';
        for letter in rest.chars() {
            let copied = |own: &(char, u8)| own.0 == letter;
            let bits = match letter {
                'r' => 4,
                'w' => 2,
                'x' | 'X' => 1,
                _ => "ugo".chars().zip(given).find(copied).map_or(0, |(_, bits)| bits),
            };
            if matches!(letter, '+' | '-' | '=') {
                operator = letter;
            }
            for (_, all) in "ugo".chars().zip(&mut given).filter(|(own, _)| who.contains(*own)) {
                match (letter, operator) {
                    ('=', _) => *all = 0,
                    (_, '-') => *all &= !bits,
                    _ => *all |= bits,
                }
            }
        }
    }
    given == [7, 7, 7]
}

const CHANGERS: &str = "chmod gchmod chown gchown chgrp setfacl chattr chcon";

pub(super) fn system_mode(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    let system = |word: &&Word| view.target(word).is_some_and(|target| target.is_system_root());
    if view.program.is_any(CHANGERS) {
        let options = Options::read(words, "m reference from");
        let recursive = options.has("R recursive") || options.doubtful || (view.is_each() && !view.is_found());
        return options.operands.into_iter().filter(|_| recursive).find(system).map(ToString::to_string);
    }
    if view.program.is("find") {
        let found = Found::read(words);
        let root = found.roots.iter().filter(|_| found.choice() == Choice::All).find(system)?;
        let changes = |inner: &Inner| match inner {
            Inner::Command(inner) => inner.program().is_some_and(|program| has(CHANGERS, program)),
            Inner::Script(script) => names_any(&script.text, CHANGERS),
        };
        return starts(view.command, view.surroundings, &changes).then(|| root.to_string());
    }
    None
}

pub(super) fn setuid_shell(view: &View<'_>) -> Option<String> {
    let arms = if view.program.is_any(INSTALL) {
        installing(view.command.operands()).values("m mode").any(sets_user)
    } else {
        arms(view)
    };
    (arms && view.texts().any(is_shell)).then(|| view.shown())
}

/// A copy of a shell that one command makes, and another gives its owner's rights.
pub(super) fn armed_copy(reading: &Reading, surroundings: &Surroundings) -> Option<String> {
    let mut copies: Vec<String> = Vec::new();
    for command in &reading.commands {
        let program = Program::of(command, surroundings);
        let view = View { command, surroundings, program: &program };
        if arms(&view) {
            let operands = command.operands().iter();
            let mut places = operands.filter_map(|word| place(word, command, surroundings));
            if places.any(|place| copies.contains(&place)) {
                return Some(view.shown());
            }
        } else if view.texts().any(|text| is_shell(text.strip_prefix("if=").unwrap_or(text))) {
            copies.extend(made(&view).and_then(|word| place(&word, command, surroundings)));
        }
    }
    None
}

/// The file that a copying command makes.
fn made(view: &View<'_>) -> Option<Word> {
    let words = view.command.operands();
    if view.program.is_any("cp gcp ln mv rsync") {
        return words.iter().rfind(|word| !word.prefix().starts_with('-')).cloned();
    }
    if view.program.is_any(INSTALL) {
        return installing(words).operands.last().map(|word| (*word).clone());
    }
    if view.program.is("dd") {
        return view.texts().find_map(|text| text.strip_prefix("of=")).map(Word::text);
    }
    view.command.writes_to().next().cloned()
}

const INSTALL: &str = "install ginstall";

fn installing(words: &[Word]) -> Options<'_> {
    Options::read(words, "m g o S t mode group owner suffix target-directory")
}

/// Whether `chmod` gives the rights of the file's owner to everybody who runs it.
fn arms(view: &View<'_>) -> bool {
    view.program.is_any(CHMOD) && modes(view.command.operands()).into_iter().any(sets_user)
}

fn sets_user(mode: &str) -> bool {
    match octal(mode) {
        Some(bits) => bits & 0o4000 != 0,
        None => mode.split(',').filter_map(parts).any(|(who, rest)| {
            (who.is_empty() || who.contains(['u', 'a'])) && rest.contains('s') && !rest.starts_with('-')
        }),
    }
}

/// Whether a path ends in the name of a program that runs what it is given.
fn is_shell(path: &str) -> bool {
    const SHELLS: &str = "sh bash dash zsh ksh ash fish busybox python perl env ruby";
    let name = path.rsplit('/').next().unwrap_or(path);
    has(SHELLS, name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.'))
}
