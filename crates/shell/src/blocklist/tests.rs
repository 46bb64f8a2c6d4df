#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! Every rule catches its examples and spares its look-alikes, through the whole reading.

use super::RULES;
use super::pattern::{could_be, is_all, tokens};
use super::target::{Holes, Whole, target};
use super::view::Program;
use crate::command::{Command, Piece, Unknown, UnknownKind, Word};
use crate::unwrap::Source;
use crate::{Class, Surroundings, judge};
use std::collections::BTreeSet;

fn surroundings() -> Surroundings {
    Surroundings {
        workspace: "/home/user/project".into(),
        directory: "/home/user/project".into(),
        home: Some("/home/user".into()),
        environment: Vec::new(),
        secrets: crate::secret_names::of_tests(),
    }
}

/// What a rule catches, and what it spares.
fn examples(rule: &str) -> (Vec<String>, Vec<String>) {
    let text = include_str!("tests/examples.txt");
    let rows = text.lines().skip_while(|line| *line != rule).skip(1).take_while(|line| !line.is_empty());
    let marked = |mark| rows.clone().filter_map(move |row: &str| row.strip_prefix(mark));
    let texts = |mark| marked(mark).map(|row| row.replace("\\n", "\n")).collect();
    (texts("+ "), texts("- "))
}

#[test]
fn every_rule_catches_its_examples_and_spares_the_look_alikes() {
    let around = surroundings();
    let mut wrong = Vec::new();
    for rule in RULES {
        let (matches, spares) = examples(rule.id);
        for text in matches {
            let judged = judge(&text, &around);
            if judged.class != Class::Blocked || judged.parts.iter().all(|part| part.reason.rule != rule.id) {
                wrong.push(format!("{} missed {text:?}: {:?}", rule.id, judged.reason));
            }
        }
        for text in spares {
            let judged = judge(&text, &around);
            if judged.class == Class::Blocked {
                wrong.push(format!("{} should spare {text:?}: {:?}", rule.id, judged.reason));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn rules_are_well_formed() {
    let ids: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), RULES.len());
    for rule in RULES {
        let (matches, spares) = examples(rule.id);
        assert!(matches.len() >= 8 && spares.len() >= 8, "{}", rule.id);
        assert!(rule.id.starts_with("shell.block."), "{}", rule.id);
    }
}

#[test]
fn patterns_stand_for_names() {
    let pattern = |text: &str| tokens(&Word { pieces: vec![Piece::Glob(text.to_owned())] }, &surroundings());
    for (text, name, expected) in [
        ("*", "usr", true),
        ("???", "usr", true),
        ("???", "home", false),
        ("[a-z]*", "home", true),
        ("[!a-z]*", "home", false),
        ("u[[:lower:]]r", "usr", true),
        ("u*r*x", "usr", false),
        ("*s*", "usr", true),
        ("[", "[", true),
        ("!(tmp)", "usr", true),
        ("@(usr|etc)x", "usr", false),
        ("*.o", "usr", false),
    ] {
        assert_eq!(could_be(&pattern(text), name), expected, "{text} {name}");
    }
    for (text, expected) in
        [("*", true), ("?*", true), ("[!.]*", true), (".*", true), (".[!.]*", true), ("*.o", false), ("b*", false)]
    {
        assert_eq!(is_all(&pattern(text)), expected, "{text}");
    }
}

fn word(text: &str) -> Word {
    // Text, `*` and `?` as patterns, `~` at the start as the own home, `$` as a variable that may be empty.
    let mut word = Word::default();
    for character in text.chars() {
        let piece = match character {
            '~' if word.pieces.is_empty() => Piece::Home(None),
            '*' | '?' => Piece::Glob(character.to_string()),
            '$' => Piece::Unknown(Unknown {
                kind: UnknownKind::Variable("X".to_owned()),
                splits: false,
                may_be_empty: true,
            }),
            other => Piece::Text(other.to_string()),
        };
        match (word.pieces.last_mut(), piece) {
            (Some(Piece::Text(text)), Piece::Text(next)) | (Some(Piece::Glob(text)), Piece::Glob(next)) => {
                text.push_str(&next)
            }
            (_, piece) => word.pieces.push(piece),
        }
    }
    word
}

#[test]
fn wholes_are_seen_through_their_spellings() {
    let around = surroundings();
    let command = Command::plain(["rm"], &around);
    for (text, expected) in [
        ("/", Some(Whole::System)),
        ("//./usr/..", Some(Whole::System)),
        ("/*", Some(Whole::System)),
        ("/usr", Some(Whole::System)),
        ("/u*", Some(Whole::System)),
        ("/usr/?*", Some(Whole::System)),
        ("/usr/lib/", Some(Whole::System)),
        ("/var/lib/*", Some(Whole::System)),
        ("../../..", Some(Whole::System)),
        ("$/", Some(Whole::System)),
        ("/$", Some(Whole::System)),
        ("$/*", Some(Whole::System)),
        ("$/usr", Some(Whole::System)),
        ("~", Some(Whole::Home)),
        ("~/.", Some(Whole::Home)),
        ("~/*", Some(Whole::Home)),
        ("~/$", Some(Whole::Home)),
        ("..", Some(Whole::Home)),
        ("/home/other", Some(Whole::Home)),
        ("/home/$", Some(Whole::System)),
        ("/home/other/.*", Some(Whole::Home)),
        (".", None),
        ("*", None),
        ("build", None),
        ("$", None),
        ("$/build", None),
        ("$/../lib", None),
        ("~/x", None),
        ("/tmp", None),
        ("/tmp/*", None),
        ("/t*", None),
        ("/usr/src", None),
        ("/var/lib/apt/lists/*", None),
        ("/home/user/project", None),
        ("/opt/x", None),
    ] {
        let whole = target(&word(text), &command, &around, Holes::Empty).and_then(|target| target.whole(&around));
        assert_eq!(whole, expected, "{text}");
    }
}

#[test]
fn interpreters_say_where_their_program_comes_from() {
    let around = surroundings();
    for (text, expected) in [
        ("bash", "stdin"),
        ("bash -s -- -y", "stdin"),
        ("bash -s x", "stdin"),
        ("bash -x -", "stdin"),
        ("bash -o pipefail /dev/stdin", "stdin"),
        ("bash -lc x", "code x"),
        ("bash -c -e x", "code x"),
        ("bash x.sh -c", "file x.sh"),
        ("zsh --rcfile a b", "file b"),
        ("python3.12 -u -", "stdin"),
        ("python3 -W ignore", "stdin"),
        ("python3 -m json.tool", "nothing"),
        ("python3 -Bc x", "code x"),
        ("perl", "stdin"),
        ("perl -Mstrict -ne x", "code x"),
        ("perl -i.orig -pe x f", "code x"),
        ("perl -w f", "file f"),
        ("ruby -rjson -e x", "code x"),
        ("node -p x", "code x"),
        ("node -r ./a", "stdin"),
        ("node --eval x", "code x"),
        ("php -d a=b", "stdin"),
        ("lua5.4 -", "stdin"),
        ("node --version", "nothing"),
    ] {
        let command = Command::plain(text.split(' '), &around);
        let read = match Program::of(&command, &around).runs(command.operands()).expect(text).1 {
            Source::Stdin => "stdin".to_owned(),
            Source::Nothing => "nothing".to_owned(),
            Source::Code(codes) => format!("code {}", codes[0]),
            Source::File(word) => format!("file {word}"),
        };
        assert_eq!(read, expected, "{text}");
    }
    for text in ["ls", "shellcheck", "pythonic", "nodemon", "perlcritic"] {
        let command = Command::plain([text], &around);
        assert_eq!(Program::of(&command, &around).runs(&[]), None, "{text}");
    }
}
