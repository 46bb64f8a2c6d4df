#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod drafts;
mod files;
mod hosts;
mod people;
mod semantics;
mod shelf;

use super::deed::Subject;
use super::{RuleBook, load};
use crate::commands::CommandJudge;
use crate::paths::PathRules;
use palanca_core::Origin;
use palanca_core::call::{
    Act, CanonicalPath, Effect, Effects, HttpAccess, Launch, Method, Outgoing, Root, Scope, SessionId, Shell, WriteKind,
};
use palanca_core::ports::{CommandReader, CommandReading, Decision, RuleDraft};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const WORKSPACE: &str = "/w/project";

fn book() -> RuleBook {
    let paths = Arc::new(PathRules::new(&[], &[], None).unwrap());
    RuleBook::new(WORKSPACE.into(), paths, Duration::from_secs(30 * 86_400))
}

/// A book with these rules; each gets an id and examples that any rule passes.
fn rules(bodies: &[&str]) -> RuleBook {
    let mut book = book();
    for (number, body) in bodies.iter().enumerate() {
        let row: super::row::Row = toml::from_str(&format!("id = 'r{number}'\n{body}")).expect(body);
        let rule = super::rule::Rule::new(&row).expect(body);
        if rule.row.decision == super::row::Says::Allow { book.allowing.push(rule) } else { book.strict.push(rule) }
    }
    book
}

/// A call without a gate.
struct Case {
    effects: Effects,
    commands: Vec<CommandReading>,
    origin: Origin,
    scope: Scope,
    sensitive: bool,
}

fn path(text: &str) -> CanonicalPath {
    CanonicalPath::new(Root::Workspace, PathBuf::from(if text == "." { "" } else { text }))
}

fn judge_of_commands() -> CommandJudge {
    load::reader(Path::new(WORKSPACE))
}

/// `write a`, `delete a`, `read a`, `search a`, `move a b`, `run text`, `reach address`, `post address`, `tell channel:to`, `KIND target` of an act, with ` ;; ` between
/// several.
fn case(text: &str) -> Case {
    let judge = judge_of_commands();
    let mut commands = Vec::new();
    let effects = text.split(" ;; ").map(|one| {
        let (verb, rest) = one.split_once(' ').expect(one);
        match verb {
            "write" => Effect::WriteFile { path: path(rest), kind: WriteKind::Replace },
            "delete" => Effect::Delete(path(rest)),
            "read" => Effect::ReadFile(path(rest)),
            "search" => Effect::ReadTree(path(rest)),
            "move" => {
                let (from, to) = rest.split_once(' ').expect(rest);
                Effect::Move { from: path(from), to: path(to) }
            }
            "run" => {
                let launch = Launch::script(Shell::Sh, rest, path("."));
                commands.push(judge.read(&launch));
                Effect::Run(Box::new(launch))
            }
            "feed" => {
                commands.push(judge.read_input(&Launch::script(Shell::Sh, "sh", path(".")), "", rest));
                Effect::Feed { process: "p".into(), input: rest.to_owned() }
            }
            "reach" => Effect::Http(Box::new(HttpAccess::get(rest))),
            "post" => Effect::Http(Box::new(HttpAccess {
                method: Method::Post,
                body: "x".to_owned(),
                ..HttpAccess::get(rest)
            })),
            "tell" => {
                let (channel, to) = rest.split_once(':').expect(rest);
                Effect::Message(Box::new(Outgoing { channel: channel.into(), to: to.into(), text: "x".to_owned() }))
            }
            kind => {
                let kind = super::row::word(kind).expect(kind);
                Effect::Act(Box::new(Act::new(kind, rest, "x")))
            }
        }
    });
    let effects = effects.collect();
    let scope = Scope::session(SessionId::new("s"));
    Case { effects, commands, origin: Origin::Model { step: 1 }, scope, sensitive: false }
}

impl Case {
    fn subject(&self) -> Subject<'_> {
        Subject {
            effects: &self.effects,
            commands: &self.commands,
            origin: &self.origin,
            scope: &self.scope,
            sensitive: self.sensitive,
        }
    }

    fn judged(&self, book: &RuleBook) -> Option<Decision> {
        book.judged(&self.subject()).map(|verdict| verdict.decision)
    }

    fn drafts(&self, book: &RuleBook) -> Vec<RuleDraft> {
        super::drafts::drafts(book, &self.subject())
    }
}

fn check(book: &RuleBook, text: &str, expected: Option<Decision>) {
    assert_eq!(case(text).judged(book), expected, "{text}");
}
