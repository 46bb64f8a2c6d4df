//! The judgement of commands as the gate asks for it: what `palanca-shell` reads, and the operator's own rules on it.

mod judge;
mod rules;
mod secrets;

pub use judge::{judge, judge_argv};
pub use palanca_shell::{Workspace, neutral_variables};
pub use rules::{RuleError, RuleSettings, Rules};
pub use secrets::secret_names;

use palanca_core::Message;
use palanca_core::call::{Access, CanonicalPath, CommandLine, Launch, Network, Root};
use palanca_core::ports::{CommandClass, CommandPart, CommandReader, CommandReading, CommandWord, Leaves};
use palanca_shell::{
    Author, Class, Command, Directory, FindGitConfig, Judgement, Part, Reached, Reason, Redirect, RedirectKind,
    Sentence, Surroundings, Via, Word, is_this_machine,
};
use std::path::PathBuf;
use std::sync::Arc;

/// Which classes may run at all (`commands.allowed_only`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allowed {
    /// Everything that is not blocked; people and modes decide.
    #[default]
    Everything,
    /// Safe and development commands alone: what is dangerous is refused without a question.
    KnownOnly,
}

/// Whether a name leads to a program of the workspace.
pub type FindProgram = dyn Fn(&str) -> bool + Send + Sync;

/// Reads commands by the rules of the operator.
#[derive(Clone)]
pub struct CommandJudge {
    rules: Rules,
    allowed: Allowed,
    workspace: Workspace,
    roots: Vec<PathBuf>,
    home: Option<PathBuf>,
    programs: Option<Arc<FindProgram>>,
    git: Option<Arc<FindGitConfig>>,
}

impl CommandJudge {
    /// A judge for programs that start in this workspace, or in one of these further roots, all absolute; `home` is what
    /// `~` means to them.
    #[must_use]
    pub fn new(rules: Rules, (workspace, roots): (PathBuf, Vec<PathBuf>), home: Option<PathBuf>) -> Self {
        let workspace = workspace.into();
        Self { rules, allowed: Allowed::Everything, workspace, roots, home, programs: None, git: None }
    }

    /// The same judge, where the workspace has another name, by way of a link.
    #[must_use]
    pub fn linked_at(mut self, link: Option<PathBuf>) -> Self {
        self.workspace = Workspace::new(self.workspace.path().to_owned(), link);
        self
    }

    /// The same judge, where some names lead to programs of the workspace. Asked anew for each command: the one before may have
    /// installed some.
    #[must_use]
    pub fn finding(mut self, programs: Arc<FindProgram>) -> Self {
        self.programs = Some(programs);
        self
    }

    /// The same judge, naming the hosts of a repository's remotes. Asked anew for each command: the one before may have
    /// changed them.
    #[must_use]
    pub fn knowing_remotes(mut self, find: Arc<FindGitConfig>) -> Self {
        self.git = Some(find);
        self
    }

    /// The same judge, letting only these run.
    #[must_use]
    pub const fn allowing(mut self, allowed: Allowed) -> Self {
        self.allowed = allowed;
        self
    }

    /// Judges a text as it would be judged at the workspace's root.
    #[must_use]
    pub fn judge(&self, text: &str) -> Judgement {
        judge(text, &self.surroundings(&CanonicalPath::new(Root::Workspace, PathBuf::new()), &[]), &self.rules)
    }

    fn surroundings(&self, directory: &CanonicalPath, environment: &[(String, String)]) -> Surroundings {
        let root = match directory.root() {
            Root::Workspace => None,
            Root::ReadOnly(number) => self.roots.get(usize::from(number)),
        };
        let directory = root.map_or_else(|| self.workspace.path(), PathBuf::as_path).join(directory.relative());
        let (workspace, home) = (self.workspace.clone(), self.home.clone());
        Surroundings { workspace, directory, home, environment: environment.to_vec(), secrets: secret_names() }
    }

    /// What only reads as the system's program may do anything as the workspace's.
    fn of_the_workspace(&self, mut judgement: Judgement) -> Judgement {
        let Some(is_there) = self.programs.as_deref() else { return judgement };
        let read = judgement.parts.iter_mut().filter(|part| part.author == Author::Reader && part.class == Class::Safe);
        for part in read {
            let Some(program) = part.command.as_ref().and_then(|command| brought(command, is_there)) else { continue };
            let message = Sentence::new("shell-class-workspace").with("program", program);
            (part.class, part.reason) = (Class::Dev, Reason { rule: "shell.class.workspace".into(), message });
            if judgement.class == Class::Safe {
                (judgement.class, judgement.reason) = (Class::Dev, part.reason.clone());
            }
        }
        judgement
    }

    fn reading(&self, judgement: Judgement) -> CommandReading {
        let judgement = self.of_the_workspace(judgement);
        let mut message = said(&judgement.reason.message);
        if judgement.class < Class::Blocked && judgement.parts.iter().any(runs_rules) {
            message = with_rules(message);
        }
        let refused = match judgement.class {
            Class::Blocked => Some(message.clone()),
            Class::Dangerous if self.allowed == Allowed::KnownOnly => {
                Some(Message::new("command-allowed-only").with("class", CommandClass::Dangerous.name()))
            }
            _ => None,
        };
        let reached = palanca_shell::reached(&judgement.parts, self.git.as_deref());
        CommandReading {
            class: class(judgement.class),
            rule: judgement.reason.rule.into_owned(),
            reason: message,
            refused,
            leaves: match &reached {
                Some(Reached { hosts, .. }) if !hosts.is_empty() && hosts.iter().all(|host| is_this_machine(host)) => {
                    Leaves::Never
                }
                Some(reached) if reached.certainly => Leaves::Certainly,
                _ => Leaves::Perhaps,
            },
            hosts: reached.map(|reached| reached.hosts),
            network: Network::None,
            parts: judgement.parts.into_iter().map(part).collect(),
        }
    }
}

/// The program of the workspace that a command starts, is started by, or looks up.
fn brought<'c>(command: &'c Command, is_there: &FindProgram) -> Option<&'c str> {
    let by = command.via.iter().filter_map(|via| match via {
        Via::Wrapper(name) | Via::Each(name) => Some(name.as_str()),
        _ => None,
    });
    let mut words = command.words.iter().map_while(Word::literal);
    let program = words.next();
    // Where a safe command runs, none of the workspace's may.
    let looked_up = words.filter(|_| program.is_some_and(palanca_shell::looks_up));
    by.chain(program).chain(looked_up).find(|name| is_there(name))
}

impl CommandReader for CommandJudge {
    fn read(&self, launch: &Launch) -> CommandReading {
        let surroundings = self.surroundings(&launch.directory, &launch.environment);
        self.reading(match &launch.command {
            CommandLine::Script { text, .. } => judge(text, &surroundings, &self.rules),
            CommandLine::Program(argv) => judge_argv(argv, &surroundings, &self.rules),
        })
    }

    /// Whatever the program is, its input is read as a shell would read it: a shell that is told to remove everything must
    /// not be, and nothing else changes. Input is never less than dangerous, because what reads it is not known to be a shell.
    fn read_input(&self, launch: &Launch, before: &str, input: &str) -> CommandReading {
        let surroundings = self.surroundings(&launch.directory, &launch.environment);
        let judged = judge(&format!("{before}{input}"), &surroundings, &self.rules);
        let mut reading = self.reading(judged);
        if reading.class < CommandClass::Dangerous {
            reading.class = CommandClass::Dangerous;
            "shell.input".clone_into(&mut reading.rule);
            reading.reason = Message::new("shell-input");
        }
        reading
    }
}

const fn class(class: Class) -> CommandClass {
    match class {
        Class::Safe => CommandClass::Safe,
        Class::Dev => CommandClass::Dev,
        Class::Dangerous => CommandClass::Dangerous,
        Class::Blocked => CommandClass::Blocked,
    }
}

/// Whether a part is a git that runs what the repository brings.
fn runs_rules(part: &Part) -> bool {
    matches!(part.class, Class::Dev | Class::Dangerous)
        && part.command.as_ref().is_some_and(palanca_shell::git::runs_rules)
}

/// The same reason for a person who is to know that.
fn with_rules(reason: Message) -> Message {
    Message::new("shell-git-rules").with("reason", reason)
}

fn part(part: Part) -> CommandPart {
    let rules = runs_rules(&part);
    let command = part.command.as_ref();
    let (words, redirects, assignments) =
        command.map(|command| (&*command.words, &*command.redirects, &*command.assignments)).unwrap_or_default();
    CommandPart {
        words: words.iter().map(word).collect(),
        redirects: redirects.iter().flat_map(redirect).collect(),
        assignments: assignments.iter().map(|assignment| assignment.name.clone()).collect(),
        directory: command.and_then(|command| match &command.directory {
            Directory::Known(path) => Some(path.to_path_buf()),
            Directory::Unknown => None,
        }),
        fed: command.is_some_and(|command| command.input.text.is_some() || !command.input.trace.is_empty()),
        source: part.source.as_ref().to_owned(),
        class: class(part.class),
        rule: part.reason.rule.into_owned(),
        reason: if rules { with_rules(said(&part.reason.message)) } else { said(&part.reason.message) },
    }
}

fn word(word: &Word) -> CommandWord {
    match word.literal() {
        Some(text) => CommandWord::Known(text.to_owned()),
        None if word.has_glob() && !word.has_unknown() => CommandWord::Pattern(word.to_string()),
        None => CommandWord::Unknown(word.to_string()),
    }
}

fn redirect(redirect: &Redirect) -> impl Iterator<Item = (CommandWord, Access)> {
    let (first, second) = match redirect.kind {
        RedirectKind::Read => (Access::Read, None),
        RedirectKind::Write | RedirectKind::Append => (Access::Write, None),
        RedirectKind::ReadWrite => (Access::Read, Some(Access::Write)),
    };
    let target = word(&redirect.target);
    [Some(first), second].into_iter().flatten().map(move |access| (target.clone(), access))
}

/// A sentence of the reader's as one of the catalogue's.
#[must_use]
pub fn said(sentence: &Sentence) -> Message {
    sentence.args().iter().fold(Message::new(sentence.key()), |message, (name, value)| message.with(name, value))
}
