//! Rules on effects: what the operator wrote, and what people decided by answering.
//!
//! It owns the language of rules, their examples, and the drafts that spare a person the next question. It knows no tool by
//! name and reads nothing but the call. The surprising decision: what allows must be sure, what refuses may guess. A rule
//! that allows takes only words and paths that are known letter by letter; one that refuses takes whatever could be meant.
//!
//! | module | owns |
//! |---|---|
//! | `row` | a rule as written |
//! | `load` | files, their examples, their errors; rules made by answering |
//! | `rule`, `glob`, `words`, `named`, `hosts`, `people` | one compiled rule, and what it covers or touches |
//! | `shelf` | rules by what they name |
//! | `deed`, `judge` | a call laid out for rules, and what they say together |
//! | `drafts`, `banned` | what may be allowed from now on, and what never is |

mod banned;
mod deed;
mod drafts;
mod glob;
mod hosts;
mod judge;
mod load;
mod named;
mod people;
mod row;
mod rule;
mod shelf;
mod words;

#[cfg(test)]
mod tests;

use crate::commands::CommandJudge;
use crate::paths::{Access, PathRules, PathVerdict};
use deed::{Deed, Subject};
use palanca_core::Message;
use palanca_core::call::{CanonicalPath, Launch, Root, Scope, SessionId, Shell};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{ApprovalRules, CommandReader, CommandWord, Decision, Guard, Lasts, RuleDraft, Verdict};
use palanca_core::tool::Sensitivity;
use parking_lot::RwLock;
use row::{Kind, Says};
use rule::Rule;
use shelf::{Shelf, Wanted};
use std::borrow::Borrow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What is wrong with a rule: where it stands, which rule, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleFileError(pub String);

/// One rule that holds, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRule {
    /// Its id: as in the file, `remembered.…`, or `answered.…`.
    pub id: String,
    /// What it decides.
    pub decision: Decision,
    /// The operator's own words, where there are any.
    pub reason: Option<String>,
}

/// The rules of one workspace. Safe to ask from many threads; what is learned holds at once.
pub struct RuleBook {
    workspace: PathBuf,
    paths: Arc<PathRules>,
    remember: Duration,
    reader: CommandJudge,
    /// Those that refuse and ask.
    strict: Shelf<Rule>,
    allowing: Shelf<Rule>,
    learned: RwLock<Shelf<Learned>>,
    /// How many were answered so far.
    answered: AtomicUsize,
}

/// A rule that a person made, and the text that it is known by.
struct Learned {
    text: Arc<str>,
    rule: Rule,
}

impl Borrow<Rule> for Learned {
    fn borrow(&self) -> &Rule {
        &self.rule
    }
}

impl RuleBook {
    /// No rule yet, in this workspace (absolute). `paths` says which files no rule is offered for; rules that last are offered
    /// for this long.
    #[must_use]
    pub fn new(workspace: PathBuf, paths: Arc<PathRules>, remember: Duration) -> Self {
        let reader = load::reader(&workspace);
        Self {
            workspace,
            paths,
            remember,
            reader,
            strict: Shelf::default(),
            allowing: Shelf::default(),
            learned: RwLock::default(),
            answered: AtomicUsize::new(0),
        }
    }

    /// With the rules of this file; `name` is for messages.
    ///
    /// # Errors
    /// The first rule that is wrong or whose examples fail: file, line, column, rule, and what to do.
    pub fn with_file(mut self, name: &str, text: &str) -> Result<Self, RuleFileError> {
        let known: Vec<String> = self.list().into_iter().map(|rule| rule.id).collect();
        for rule in load::file(name, text, &self.workspace, &known)? {
            if rule.row.decision == Says::Allow { self.allowing.push(rule) } else { self.strict.push(rule) }
        }
        Ok(self)
    }

    /// Applies rules that people made in earlier sessions, each with the name that it is kept under; those that apply already
    /// stay as they are. Returns what is wrong with those that are no rules any more: they are left out.
    #[must_use]
    pub fn remember(&self, rules: impl IntoIterator<Item = (String, String)>) -> Vec<RuleFileError> {
        let mut faults = Vec::new();
        for (id, text) in rules {
            if self.learned.read().has(|learned| *learned.text == *text) {
                continue;
            }
            match self.made_by_answering(&text) {
                Ok(rules) => self.keep(&text, rules, &format!("remembered.{id}")),
                Err(words) => faults.push(RuleFileError(format!(
                    "the remembered rule {id} is left out: {words}. Revoke it, and answer again when you are asked."
                ))),
            }
        }
        faults
    }

    fn keep(&self, text: &str, rules: Vec<Rule>, name: &str) {
        let text: Arc<str> = text.into();
        let kept =
            rules.into_iter().map(|rule| Learned { text: Arc::clone(&text), rule: rule.called(name.to_owned()) });
        self.learned.write().extend(kept);
    }

    /// Whether any rule that a person made by answering holds.
    #[must_use]
    pub fn has_learned(&self) -> bool {
        !self.learned.read().is_empty()
    }

    /// Lets rules go that were taken back or ran out, by the texts that they are kept as.
    pub fn forget(&self, texts: &[String]) {
        let mut learned = self.learned.write();
        *learned = std::mem::take(&mut *learned).without(|learned| texts.iter().any(|text| **text == *learned.text));
    }

    fn forget_session(&self, session: &SessionId) {
        let goes = |learned: &Learned| learned.rule.session() == Some(session.as_str());
        if self.learned.read().has(goes) {
            let mut learned = self.learned.write();
            *learned = std::mem::take(&mut *learned).without(goes);
        }
    }

    /// Every rule: those of files first, then those that people made.
    #[must_use]
    pub fn list(&self) -> Vec<ListedRule> {
        let listed = |rule: &Rule| ListedRule {
            id: rule.id.clone(),
            decision: rule.row.decision.into(),
            reason: rule.row.reason.clone(),
        };
        let learned = self.learned.read();
        self.strict.iter().chain(self.allowing.iter()).chain(learned.iter()).map(listed).collect()
    }

    fn judged(&self, subject: &Subject<'_>) -> Option<Verdict> {
        if self.strict.is_empty() && self.allowing.is_empty() && !self.has_learned() {
            return None;
        }
        let deeds = subject.deeds(&self.workspace);
        if deeds.is_empty() {
            return None;
        }
        self.judged_by(&Wanted::of(&deeds), subject, &deeds)
    }

    fn judged_by(&self, wanted: &Wanted, subject: &Subject<'_>, deeds: &[Deed<'_>]) -> Option<Verdict> {
        let holds = |rule: &&Rule| rule.holds(subject.origin, subject.scope, &self.workspace);
        let strict = self.strict.asked(wanted).into_iter().filter(holds);
        if let Some(rule) = judge::strictest(strict, deeds, &self.workspace) {
            return Some(judge::verdict(rule, subject.effects));
        }
        let learned = self.learned.read();
        let allowing = self.allowing.asked(wanted).into_iter().chain(learned.asked(wanted));
        let rule = judge::covering(&allowing.filter(holds).collect::<Vec<_>>(), subject, deeds, &self.workspace)?;
        Some(judge::verdict(rule, subject.effects))
    }

    /// Whether these rules alone allow a call.
    fn would_allow(&self, rules: &[Rule], subject: &Subject<'_>) -> bool {
        let holds = |rule: &&Rule| rule.holds(subject.origin, subject.scope, &self.workspace);
        let rules: Vec<&Rule> = rules.iter().filter(holds).collect();
        judge::covering(&rules, subject, &subject.deeds(&self.workspace), &self.workspace).is_some()
    }

    /// Reads rules that a person made, and holds them to what may be made so: a forged answer gets no more.
    fn made_by_answering(&self, text: &str) -> Result<Vec<Rule>, String> {
        let rules = load::answered(text)?;
        for rule in &rules {
            if let Some(words) = self.too_much(rule) {
                return Err(words.to_owned());
            }
        }
        Ok(rules)
    }

    /// Why a rule cannot be made by answering.
    fn too_much(&self, rule: &Rule) -> Option<&'static str> {
        let row = &rule.row;
        if rule.row.decision != Says::Allow {
            return Some("only rules that allow are made by answering");
        }
        if row.workspace.is_none() {
            return Some("it says no workspace");
        }
        if row.kinds().iter().any(|kind| matches!(kind, Kind::Feed | Kind::Stop | Kind::Read)) {
            return Some("it is about effects that nobody is offered to allow");
        }
        if rule.hosts.as_ref().is_some_and(|hosts| !hosts.are_exact()) {
            return Some("it is about more hosts than one by one");
        }
        if row.method.is_none() && rule.hosts.is_some() {
            return Some("it says no method");
        }
        let closed = |glob: &String| {
            let fixed = glob.trim_end_matches("**").trim_end_matches('/');
            fixed.is_empty() || self.paths.judge(Path::new(&unescaped(fixed)), Access::Write) != PathVerdict::Allow
        };
        if row.paths.iter().any(closed) {
            return Some("it names the whole workspace, or a protected place");
        }
        let programs = row.kinds().contains(&Kind::Run);
        match (&rule.words, &row.text) {
            (Some(words), _) => {
                let fixed = words.fixed();
                let wide = words.open() && (row.class.is_none() || banned::too_wide(&fixed));
                (wide || banned::forbids(&fixed)).then_some("it is about a program that runs whatever it is told")
            }
            (None, Some(text)) => {
                let root = CanonicalPath::new(Root::Workspace, PathBuf::new());
                let reading = self.reader.read(&Launch::script(Shell::Sh, text.as_str(), root));
                let banned =
                    reading.parts.iter().filter(|part| part.class > palanca_core::ports::CommandClass::Safe).any(
                        |part| banned::forbids(&part.words.iter().map_while(CommandWord::known).collect::<Vec<_>>()),
                    );
                (banned || !rule.is_of_a_session()).then_some("it is about a program that runs whatever it is told")
            }
            (None, None) => programs.then_some("it is about every program"),
        }
    }
}

impl Guard for RuleBook {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        self.judged(&subject(call))
    }

    fn leave(&self, scope: &Scope) {
        self.forget_session(&scope.session);
    }
}

impl ApprovalRules for RuleBook {
    fn drafts(&self, call: &CheckedCall) -> Vec<RuleDraft> {
        let subject = subject(call);
        // What a rule of the operator asks for is asked again whatever people allow.
        match self.judged(&subject) {
            None => drafts::drafts(self, &subject),
            Some(_) => Vec::new(),
        }
    }

    fn learn(&self, draft: &RuleDraft) -> Result<(), Message> {
        let wrong = |words: &str| Message::new("rule-not-learned").with("reason", words);
        let rules = self.made_by_answering(&draft.rule).map_err(|words| wrong(&words))?;
        if draft.lasts == Lasts::Session && !rules.iter().all(Rule::is_of_a_session) {
            return Err(wrong("it does not say which session it is for"));
        }
        let number = self.answered.fetch_add(1, Ordering::Relaxed) + 1;
        self.keep(&draft.rule, rules, &format!("answered.{number}"));
        Ok(())
    }
}

fn subject(call: &CheckedCall) -> Subject<'_> {
    Subject {
        effects: call.effects(),
        commands: call.commands(),
        origin: call.origin(),
        scope: call.scope(),
        sensitive: call.spec().sensitivity == Sensitivity::Always,
    }
}

/// A literal glob as the path that it names.
fn unescaped(glob: &str) -> String {
    let mut plain = String::with_capacity(glob.len());
    let mut rest = glob.chars();
    while let Some(one) = rest.next() {
        match one {
            '[' => plain.extend(rest.by_ref().take_while(|end| *end != ']')),
            other => plain.push(other),
        }
    }
    plain
}
