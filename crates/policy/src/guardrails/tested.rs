//! `guardrails.require_test_after_edit`: between two edits, a test must run and succeed.
//!
//! A test is a command of the class `dev` that is one of the known ones, or of those that the operator names, and whose exit
//! code is that of the command as a whole: `pytest || true` and `pytest | tail` succeed whatever the test says, so they are
//! none. An edit is a change of a file, by a tool's own hand or by a command: one that visibly changes a file is refused
//! before, and whatever a command has changed counts afterwards.

use super::programs::Changed;
use super::{PerSession, code, commands, denied, programs};
use crate::texts::holds;
use palanca_core::Message;
use palanca_core::call::{CallId, Outcome, Scope};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{CommandClass, CommandPart, CommandReading, CommandWord, Guard, Verdict};
use palanca_core::tool::is_of_tools;
use palanca_shell::Workspace;

const RULE: &str = "guardrails.require_test_after_edit";

pub(super) struct TestAfterEdit {
    workspace: Workspace,
    known: Known,
    sessions: PerSession<Untested>,
}

/// The first words of the commands that are tests, whatever their class: the operator said so. Empty: the usual ones.
#[derive(Debug)]
struct Known(Vec<Vec<String>>);

/// The edits since the last test.
#[derive(Debug, Default)]
struct Untested {
    edited: bool,
    /// Edits that have begun.
    running: Vec<CallId>,
}

impl TestAfterEdit {
    /// `named` are the first words of what the operator calls a test; none for the usual ones.
    pub(super) fn new(workspace: Workspace, named: &[String]) -> Self {
        Self { workspace, known: Known::of(named), sessions: PerSession::default() }
    }

    fn edits(&self, call: &CheckedCall) -> bool {
        if self.known.tests(call) {
            return false;
        }
        let parts = call.commands().iter().flat_map(|reading| &reading.parts);
        code::changes_files(call) || parts.into_iter().any(|part| self.writes_here(part))
    }

    /// Judges a call; an edit that is not refused does something, in one step.
    fn refused(&self, call: &CheckedCall, otherwise: impl FnOnce(&mut Untested)) -> Option<Verdict> {
        if !self.edits(call) {
            return None;
        }
        let waits = self.sessions.with(&call.scope().session, |untested| {
            let waits = untested.edited || !untested.running.is_empty();
            if !waits {
                otherwise(untested);
            }
            waits
        });
        let evidence = "a file was changed and no test has succeeded since";
        waits.then(|| denied(RULE, Message::new("guardrail-test-first"), evidence))
    }

    fn writes_here(&self, part: &CommandPart) -> bool {
        let here = |word: &CommandWord| {
            let start = part.directory.as_deref().unwrap_or_else(|| self.workspace.path());
            let path = word.known().map(|path| start.join(path));
            path.is_some_and(|path| self.workspace.within(&path).is_some_and(|path| !is_of_tools(path)))
        };
        let redirected = programs::written_redirects(part).any(here);
        let name = programs::name(part);
        let rewrites = holds("sed gsed perl tee patch ed ex sponge", &name);
        let replaces = holds("cp install mv rm truncate unlink", &name);
        let operands = programs::operands(part);
        redirected
            || (rewrites && !operands.is_empty())
            || (replaces && operands.iter().any(|(Changed::It(word) | Changed::Into(word, _))| here(word)))
    }
}

impl Guard for TestAfterEdit {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        self.refused(call, |_| {})
    }

    fn begin(&self, call: &CheckedCall) -> Option<Verdict> {
        self.refused(call, |untested| untested.running.push(call.id().clone()))
    }

    fn leave(&self, scope: &Scope) {
        self.sessions.leave(&scope.session);
    }

    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        let done = matches!(outcome, Outcome::Done(_));
        let tested = done && self.known.tests(call);
        let changed = call.edited_by_programs().next().is_some();
        self.sessions.with(&call.scope().session, |untested| {
            if let Some(at) = untested.running.iter().position(|running| running == call.id()) {
                untested.running.swap_remove(at);
                // A command that failed may have written all the same.
                untested.edited |= done || changed;
            }
            if tested {
                untested.edited = false;
            } else if changed {
                untested.edited = true;
            }
        });
        None
    }
}

impl Known {
    fn of(named: &[String]) -> Self {
        let words = |command: &String| command.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Self(named.iter().map(words).filter(|words| !words.is_empty()).collect())
    }

    /// Whether a call is a test whose failure would be the call's own.
    fn tests(&self, call: &CheckedCall) -> bool {
        let mut texts = commands::texts(call);
        let (Some(text), None, [reading]) = (texts.next(), texts.next(), call.commands()) else { return false };
        self.hold(&text, reading)
    }

    /// Whether a command is nothing worse than a test, and ends as one.
    fn hold(&self, text: &str, reading: &CommandReading) -> bool {
        let Some(deciding) = deciding(text) else { return false };
        let harmless = match self.0.is_empty() {
            true => reading.class <= CommandClass::Dev,
            false => reading.parts.iter().all(|part| part.class <= CommandClass::Dev || self.is_test(part)),
        };
        harmless && reading.parts.iter().any(|part| deciding.contains(part.source.trim()) && self.is_test(part))
    }

    fn is_test(&self, part: &CommandPart) -> bool {
        if self.0.is_empty() { is_test(part) } else { self.0.iter().any(|words| begins(part, words)) }
    }
}

/// Whether a command has these first words, tests something, and writes no file by the way.
fn begins(part: &CommandPart, words: &[String]) -> bool {
    let known: Vec<Option<&str>> = part.words.iter().map(CommandWord::known).collect();
    let (first, rest) = known.split_at(words.len().min(known.len()));
    first.len() == words.len()
        && first.iter().zip(words).all(|(word, expected)| *word == Some(expected))
        && !rest.iter().flatten().any(|word| holds(IDLE, word))
        && programs::written_redirects(part).next().is_none()
}

/// The end of a text that decides its exit code: commands joined by `&&` alone.
fn deciding(text: &str) -> Option<String> {
    let plain = without_quoted(text.trim().trim_end_matches(';'));
    let last = plain.rsplit(['\n', ';']).next().unwrap_or_default();
    let single = last.replace("&&", " ").replace("2>&1", " ").replace(">&2", " ").replace("&>", " ");
    let hidden = single.contains(['|', '&', '`', '!', '(', '{']);
    // As it was written: the part's own words are looked for in it.
    let tail = text.trim().trim_end_matches(';').rsplit(['\n', ';']).next().unwrap_or_default();
    (!hidden).then(|| tail.to_owned())
}

/// The text with what stands in quotes left out.
fn without_quoted(text: &str) -> String {
    let mut open = None;
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        match open {
            Some(quote) if quote == character => open = None,
            Some(_) => {}
            None if matches!(character, '\'' | '"') => open = Some(character),
            None => kept.push(character),
        }
    }
    kept
}

/// Programs that are tests as they are.
const RUNNERS: &str = "pytest py.test tox nox nosetests jest vitest mocha ava tap rspec phpunit pest ctest trial \
    behave gotestsum cargo-nextest busted bats minitest";

/// Programs with the words that make a test of them.
const VERBS: &[(&str, &str)] = &[
    ("cargo", "test t nextest"),
    ("go deno bun dotnet swift sbt mix flutter dart stack cabal bazel zig", "test"),
    ("npm pnpm yarn", "test t tst"),
    ("make gmake just task ninja meson", "test tests check"),
    ("mvn mvnw", "test verify integration-test"),
    ("gradle gradlew", "test check build"),
    ("rake rails composer lein", "test spec"),
    ("playwright cypress ng hatch", "test run"),
];

/// Programs that start another one.
const STARTERS: &str = "npx bunx uv uvx poetry pipenv pdm hatch bundle rye pnpm yarn";

/// Options with which nothing is tested.
const IDLE: &str = "--no-run --collect-only --co --list --version -V --help -h --dry-run -n --listTests";

fn is_test(part: &CommandPart) -> bool {
    if part.class > CommandClass::Dev {
        return false;
    }
    let words: Vec<&str> = part.words.iter().filter_map(CommandWord::known).collect();
    // `pytest -n 4` runs on four workers; `make -n` runs nothing.
    let parallel = words.iter().any(|word| word.contains("pytest"));
    if words.iter().skip(1).any(|word| holds(IDLE, word) && !(parallel && *word == "-n")) {
        return false;
    }
    let mut words = words.as_slice();
    while let [first, rest @ ..] = words {
        let name = base(first);
        if holds(RUNNERS, &name) {
            return true;
        }
        let plain = || rest.iter().filter(|word| !word.starts_with('-'));
        match name.as_str() {
            "python" => {
                let module = rest.iter().skip_while(|word| **word != "-m").nth(1);
                return module.is_some_and(|module| holds(RUNNERS, module) || *module == "unittest")
                    || (plain().any(|word| base(word) == "manage.py") && plain().any(|word| *word == "test"));
            }
            "node" if rest.contains(&"--test") => return true,
            _ => {}
        }
        let verbs = VERBS.iter().find(|(programs, _)| holds(programs, &name)).map(|(_, verbs)| *verbs);
        if let Some(verbs) = verbs
            && plain().take(2).any(|word| holds(verbs, word) || script(word))
        {
            return true;
        }
        if !holds(STARTERS, &name) {
            return false;
        }
        words = rest
            .iter()
            .position(|word| !word.starts_with('-') && !matches!(*word, "run" | "exec" | "tool"))
            .and_then(|at| rest.get(at..))
            .unwrap_or_default();
    }
    false
}

/// `npm run test:unit`.
fn script(word: &str) -> bool {
    word.strip_prefix("test").is_some_and(|rest| rest.starts_with([':', '-']))
}

/// A program's name without folders and version; a file's without folders.
fn base(word: &str) -> String {
    let name = word.rsplit('/').next().unwrap_or(word);
    if name == "py.test" || name == "manage.py" {
        return name.to_owned();
    }
    name.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.').to_owned()
}

#[cfg(test)]
mod tests;
