//! Rules from text: the operator's file with its examples tried, and the rules that people made by answering.

use super::deed::Subject;
use super::row::{Asker, Document, Example, Kind, Row, Says, word};
use super::rule::Rule;
use super::{RuleFileError, glob, judge};
use crate::address::Address;
use crate::commands::{CommandJudge, Rules as ShellRules};
use palanca_core::call::{
    Act, CanonicalPath, Effect, Effects, HttpAccess, Launch, Method, Outgoing, SessionId, Shell, WriteKind,
};
use palanca_core::ports::CommandReader;
use palanca_core::{Origin, Scope};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Rule ids that would be taken for others'.
const OTHERS: [&str; 9] =
    ["answered.", "remembered.", "shell.", "paths.", "confirm.", "guardrails.", "net.", "secrets.", "taint."];

/// Reads commands as the gate does, without the operator's own words on them.
pub(super) fn reader(workspace: &Path) -> CommandJudge {
    CommandJudge::new(ShellRules::default(), (workspace.to_owned(), Vec::new()), None)
}

/// Reads a file and tries every example. `known` are rules of other files.
pub(super) fn file(name: &str, text: &str, workspace: &Path, known: &[String]) -> Result<Vec<Rule>, RuleFileError> {
    let document: Document<Spanned<Row>> = toml::from_str(text).map_err(|error| {
        let words = error.to_string();
        RuleFileError(format!(
            "{name}: {}\nCorrect the file; docs/approval-rules.md shows the format.",
            words.trim_end()
        ))
    })?;
    let reader = reader(workspace);
    let mut ids: HashSet<String> = known.iter().cloned().collect();
    let mut rules: Vec<Rule> = Vec::with_capacity(document.rule.len());
    for spanned in document.rule {
        let start = spanned.span().start;
        let row = spanned.into_inner();
        let wrong = |near: Option<&str>, words: &str| {
            let (line, column) = place(text, start, near);
            RuleFileError(format!("{name}:{line}:{column}: rule '{}': {words}", row.id))
        };
        check_id(&row.id).map_err(|words| wrong(None, words))?;
        if !ids.insert(row.id.clone()) {
            return Err(wrong(Some(&row.id), "the id is there twice; give every rule its own"));
        }
        let rule = Rule::new(&row).map_err(|(near, words)| wrong(near.as_deref(), &words))?;
        if row.matches.is_empty() || row.not_matches.is_empty() {
            return Err(wrong(
                None,
                "it needs at least one example in 'matches' and one in 'not_matches'; write what you mean, and the look-alike \
                 that you fear",
            ));
        }
        let examples = row.matches.iter().map(|one| (one, true)).chain(row.not_matches.iter().map(|one| (one, false)));
        for (example, expected) in examples {
            let found = example.tried(&rule, &reader, workspace).map_err(|words| wrong(None, &words))?;
            if found != expected {
                let (list, says) = if expected { ("matches", "is not") } else { ("not_matches", "is") };
                let verb = match rule.row.decision {
                    Says::Allow => "covered",
                    Says::Ask | Says::Deny => "caught",
                };
                let near = example.deed().and_then(|(_, texts)| texts.first());
                return Err(wrong(
                    near.map(String::as_str),
                    &format!("the example {example} of '{list}' {says} {verb} by it; correct the rule or the example"),
                ));
            }
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// Reads rules that a person made.
pub(super) fn answered(text: &str) -> Result<Vec<Rule>, String> {
    let document: Document<Row> = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let rules = document.rule.iter().map(|row| Rule::new(row).map_err(|(_, words)| words));
    let rules: Vec<_> = rules.collect::<Result<_, _>>()?;
    if rules.is_empty() { Err("it holds no rule".to_owned()) } else { Ok(rules) }
}

fn check_id(id: &str) -> Result<(), &'static str> {
    let plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '.' | '-' | '_');
    if id.is_empty() || !id.chars().all(plain) {
        return Err("it needs an 'id' of lower-case letters, digits, '.', '-' and '_'");
    }
    if OTHERS.iter().any(|other| id.starts_with(other)) {
        return Err(
            "the id begins like those of built-in rules (answered, remembered, shell, paths, confirm, guardrails, net, secrets, taint); rename it",
        );
    }
    Ok(())
}

/// Line and column, from 1: of `near` where it stands in the rule that begins at `start`, else of the rule.
fn place(text: &str, start: usize, near: Option<&str>) -> (usize, usize) {
    let own = text.get(start..).unwrap_or_default();
    let end = own.get(2..).and_then(|rest| rest.find("[[rule]]")).map_or(own.len(), |end| end + 2);
    let own = own.get(..end).unwrap_or(own);
    let at = start + near.and_then(|near| own.find(near)).unwrap_or(0);
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (line, column)
}

impl Example {
    /// Whether this rule alone decides on the example.
    fn tried(&self, rule: &Rule, reader: &CommandJudge, workspace: &Path) -> Result<bool, String> {
        let (effect, commands) = self.effect(reader)?;
        let effects = Effects::from(effect);
        let asker = self.also("origin");
        let origin = match asker.map_or(Some(Asker::Person), word) {
            Some(Asker::Person) => Origin::Person,
            Some(Asker::Model) => Origin::Model { step: 1 },
            Some(Asker::Subagent) => Origin::Subagent { depth: 1, task: "t1".into() },
            Some(Asker::Hook) => Origin::Hook { name: String::new() },
            Some(Asker::Client) => Origin::Client { name: String::new() },
            Some(Asker::Schedule) => Origin::Schedule { job: String::new() },
            Some(Asker::Bot) => Origin::Bot { id: "".into() },
            Some(Asker::Console) => Origin::Console { person: String::new() },
            Some(Asker::Script) => Origin::Script { tool: String::new() },
            None => return Err(format!("the example {self} names no origin; write person, model, subagent or hook")),
        };
        if asker.is_some() && !rule.is_for(&origin) {
            return Ok(false);
        }
        let scope = Scope::session(SessionId::new("example"));
        let subject =
            Subject { effects: &effects, commands: &commands, origin: &origin, scope: &scope, sensitive: false };
        let deeds = subject.deeds(workspace);
        Ok(match rule.row.decision {
            Says::Allow => judge::covering(&[rule], &subject, &deeds, workspace).is_some(),
            Says::Ask | Says::Deny => judge::strictest(std::iter::once(rule), &deeds, workspace).is_some(),
        })
    }

    fn effect(&self, reader: &CommandJudge) -> Result<(Effect, Vec<palanca_core::ports::CommandReading>), String> {
        let path = |text: &str| {
            let (root, rest) = glob::rooted(text);
            let rest = if rest == "." { "" } else { rest };
            if rest.starts_with('/') || rest.split('/').any(|part| part == "..") {
                return Err(format!(
                    "the example {self} leaves the workspace; write its path from the workspace's root"
                ));
            }
            Ok(CanonicalPath::new(root, PathBuf::from(rest)))
        };
        let directory = path(self.also("in").unwrap_or("."))?;
        let launch = |text: &str| Launch::script(Shell::Sh, text, directory.clone());
        let (effect, reading) = match self.deed() {
            Some((Kind::Move, [from, to])) => (Effect::Move { from: path(from)?, to: path(to)? }, None),
            Some((Kind::Read, [text])) => (Effect::ReadFile(path(text)?), None),
            Some((Kind::Write, [text])) => (Effect::WriteFile { path: path(text)?, kind: WriteKind::Replace }, None),
            Some((Kind::Delete, [text])) => (Effect::Delete(path(text)?), None),
            Some((Kind::Run, [text])) => {
                let launch = launch(text);
                let reading = reader.read(&launch);
                (Effect::Run(Box::new(launch)), Some(reading))
            }
            Some((Kind::Feed, [text])) => {
                let reading = reader.read_input(&launch("sh"), "", text);
                (Effect::Feed { process: "example".into(), input: text.clone() }, Some(reading))
            }
            Some((Kind::Stop, [name])) => (Effect::Stop(name.as_str().into()), None),
            Some((Kind::Http, [text])) => (Effect::Http(Box::new(self.exchange(text)?)), None),
            Some((Kind::Message, [text])) => (Effect::Message(Box::new(self.told(text)?)), None),
            Some((Kind::Act(kind), [text])) => (Effect::Act(Box::new(Act::new(kind, text, ""))), None),
            _ => {
                return Err(format!(
                    "the example {self} must say exactly one of {}, beside it at most 'in' and 'origin'",
                    Kind::names()
                ));
            }
        };
        Ok((effect, reading.into_iter().collect()))
    }

    fn told(&self, text: &str) -> Result<Outgoing, String> {
        match text.split_once(':') {
            Some((channel, to)) if !channel.is_empty() && !to.is_empty() => {
                Ok(Outgoing { channel: channel.into(), to: to.into(), text: String::new() })
            }
            _ => Err(format!("the example {self} names nobody; write CHANNEL:RECIPIENT")),
        }
    }

    fn exchange(&self, text: &str) -> Result<HttpAccess, String> {
        let named = text.split_once(' ').and_then(|(name, url)| {
            let method = Method::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(name))?;
            Some((method, url))
        });
        let (method, url) = named.unwrap_or((Method::Get, text));
        let Some(address) = Address::read(url) else {
            return Err(format!("the example {self} is no address; write it whole, with https:// and without a user"));
        };
        Ok(HttpAccess { method, ..HttpAccess::get(address.as_str()) })
    }
}
