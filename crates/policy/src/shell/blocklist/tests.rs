#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! Every rule catches its examples and spares its look-alikes, through the whole reading.

use super::RULES;
use super::pattern::{could_be, is_all, tokens};
use crate::shell::command::{Piece, Word};
use crate::shell::{Class, Rules, Surroundings, judge};
use std::collections::BTreeSet;

fn surroundings() -> Surroundings {
    Surroundings {
        workspace: "/home/user/project".into(),
        directory: "/home/user/project".into(),
        home: Some("/home/user".into()),
    }
}

#[test]
fn every_rule_catches_its_examples_and_spares_the_look_alikes() {
    let (around, rules) = (surroundings(), Rules::default());
    let mut wrong = Vec::new();
    for rule in RULES {
        for text in rule.matches {
            let judged = judge(text, &around, &rules);
            if judged.class != Class::Blocked || judged.parts.iter().all(|part| part.reason.rule != rule.id) {
                wrong.push(format!("{} missed {text:?}: {:?}", rule.id, judged.reason));
            }
        }
        for text in rule.spares {
            let judged = judge(text, &around, &rules);
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
        assert!(rule.matches.len() >= 8 && rule.spares.len() >= 8, "{}", rule.id);
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
