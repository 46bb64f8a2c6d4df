#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! What holds for any words: no panic, and an option that no table knows never stays safe.

use super::super::tables::PROGRAMS;
use super::{command, surroundings};
use crate::command::{Assignment, Command, Piece, Redirect, RedirectKind, Unknown, UnknownKind, Word};
use crate::programs::class;
use crate::{Class, Via};

/// A small generator of numbers, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

fn programs() -> Vec<&'static str> {
    let mut names: Vec<&str> = PROGRAMS.keys().copied().collect();
    names.sort_unstable();
    names
}

const SOUP: &[&str] = &[
    "-",
    "--",
    "-a",
    "-é",
    "--output=x",
    "--outp",
    "-oé",
    "-n5",
    "--=",
    "-=",
    "log",
    "run",
    "test",
    "status",
    "-C",
    "é",
    "a b",
    "..",
    "/",
    "-exec",
    "[",
    "]",
    "-D",
    "-Dx=",
    "=",
    ":",
    "@x",
    "+1",
    "-1x",
    "--color=",
    "--color",
    "\u{1F600}",
    "-\u{1F600}",
    "s/é/x/e",
    "{",
    "'",
    "-L",
    "1,5:é",
    "-m",
    "pytest",
    "install",
    "get",
    "config",
    "branch",
    "\"",
    "/[/",
    "\\",
    "-o",
    "pid",
    "stash",
    "list",
];

fn soup(dice: &mut Dice, programs: &[&str]) -> Command {
    let mut command = command(programs[dice.roll(programs.len())]);
    for _ in 0..dice.roll(6) {
        let mut word = Word::text(SOUP[dice.roll(SOUP.len())]);
        match dice.roll(12) {
            0 => word.pieces.push(Piece::Glob("*".into())),
            1 => word.pieces.insert(0, Piece::Glob("[é]?".into())),
            2 => word.pieces.push(Piece::Home(None)),
            3 => {
                word.pieces.push(Piece::Unknown(Unknown { kind: UnknownKind::Other, splits: true, may_be_empty: true }))
            }
            4 => word.pieces.clear(),
            _ => {}
        }
        command.words.push(word);
    }
    command
}

#[test]
fn soup_never_panics_and_what_is_not_told_is_never_safe() {
    let programs = programs();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..60_000 {
        let mut command = soup(&mut dice, &programs);
        let (before, _) = class(&command, &surroundings());
        let told = command.words.iter().all(|word| {
            !word.pieces.iter().any(|piece| matches!(piece, Piece::Unknown(Unknown { kind: UnknownKind::Other, .. })))
        });
        assert!(told || before == Class::Dangerous, "{command:?}");
        if before == Class::Safe {
            command.redirects.push(Redirect { kind: RedirectKind::Append, target: Word::text("out") });
            assert_eq!(class(&command, &surroundings()).0, Class::Dangerous, "redirected: {command:?}");
            command.redirects.clear();
            command.assignments.push(Assignment { name: "X".into(), value: Word::text("1") });
            assert_ne!(class(&command, &surroundings()).0, Class::Safe, "assigned: {command:?}");
            command.assignments.clear();
            command.via.push(Via::Substitution);
            assert_ne!(class(&command, &surroundings()).0, Class::Safe, "substituted: {command:?}");
        }
    }
}

/// Programs whose words are all text, so that no word is an option.
const RAW: &[&str] = &["expr", "echo", "printf", "true", "false", ":", "test", "[", "[["];

#[test]
fn an_option_that_no_table_knows_is_never_safe() {
    for program in programs().into_iter().filter(|program| !RAW.contains(program)) {
        for tail in ["", " a", " a b", " status", " log", " list", " branch", " show x", " config --list"] {
            for option in ["--no-such-option-x", "--outputt=x", "-\u{e9}"] {
                let text = format!("{program}{tail} {option}");
                assert_ne!(class(&command(&text), &surroundings()).0, Class::Safe, "{text}");
                let text = format!("{program} {option}{tail}");
                assert_ne!(class(&command(&text), &surroundings()).0, Class::Safe, "{text}");
            }
        }
    }
}

/// Long commands of each costly kind stay far below the budget of one reading.
#[test]
#[ignore = "measures; run it alone, optimised"]
fn long_commands_are_quick() {
    let many = |start: &str, word: &str| format!("{start}{}", word.repeat(64 * 1024 / word.len()));
    for text in [
        many("git log", " -p"),
        many("git log", " --no-merges"),
        many("ls -", "a"),
        many("cat", " a*"),
        many("cat", " .x*z"),
        many("cat", " a/../b"),
        many("find . ", " -o -name x"),
        many("sed -n 's/a/", "[b"),
        many("awk '{ print ", "a/b/"),
        many("jq '", ".a|"),
        many("pip install", " -e ."),
        many("ps ", "o pid "),
        many("[[ 1 -eq 1", " -a 1"),
        many("grep -", "e"),
    ] {
        let command = command(&text);
        let _ = class(&command, &surroundings());
        let start = std::time::Instant::now();
        let (found, _) = class(&command, &surroundings());
        println!("{:>9.1?} {found:?} {}", start.elapsed(), text.chars().take(30).collect::<String>());
    }
    for text in ["ls -la src", "git log --oneline -5", "cargo test --workspace", "cat README.md", "find . -name '*.rs'"]
    {
        let command = command(text);
        let start = std::time::Instant::now();
        for _ in 0..1000 {
            let _ = class(&command, &surroundings());
        }
        println!("{:>9.1?} {text}", start.elapsed() / 1000);
    }
}
