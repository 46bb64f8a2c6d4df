//! How dangerous a call's program is: read before any question.

use crate::call::{Access, Launch, Network};
use crate::message::Message;
use serde::Serialize;
use std::path::PathBuf;

/// How a command is treated; later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandClass {
    /// Only reads, inside the workspace. Needs no approval, like reading a file.
    Safe,
    /// A known development tool.
    Dev,
    /// Anything else.
    Dangerous,
    /// Never runs.
    Blocked,
}

impl CommandClass {
    /// The word in results, records and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Dev => "dev",
            Self::Dangerous => "dangerous",
            Self::Blocked => "blocked",
        }
    }

    /// The word for people, in their language.
    #[must_use]
    pub const fn message(self) -> Message {
        match self {
            Self::Safe => Message::new("class-safe"),
            Self::Dev => Message::new("class-dev"),
            Self::Dangerous => Message::new("class-dangerous"),
            Self::Blocked => Message::new("class-blocked"),
        }
    }
}

/// One word of a command, as far as it is known without running anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandWord {
    /// Exactly these characters.
    Known(String),
    /// With a pattern in it, as written: stands for the names that match.
    Pattern(String),
    /// Not known; what a person would have written.
    Unknown(String),
}

impl CommandWord {
    /// The characters, when all are known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Pattern(_) | Self::Unknown(_) => None,
        }
    }
}

/// One simple command of the text and what was thought of it. Wrappers and what they start are parts of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPart {
    /// As written, at most 200 characters.
    pub source: String,
    /// The program and its arguments after every expansion that can be known.
    pub words: Vec<CommandWord>,
    /// The variables that are set for it.
    pub assignments: Vec<String>,
    /// The files that it is redirected from and to.
    pub redirects: Vec<(CommandWord, Access)>,
    /// Whether anything is connected to its stdin: a pipe, a file, a text.
    pub fed: bool,
    /// Where it would run, absolute, when that is known.
    pub directory: Option<PathBuf>,
    /// Its class.
    pub class: CommandClass,
    /// The rule's id.
    pub rule: String,
    /// Why.
    pub reason: Message,
}

/// What a reader thinks of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandReading {
    /// The worst class of any part.
    pub class: CommandClass,
    /// The rule that decided.
    pub rule: String,
    /// Why.
    pub reason: Message,
    /// Why it may not run at all, when it may not: it is blocked, or the configuration allows only known commands.
    pub refused: Option<Message>,
    /// Each part, in reading order.
    pub parts: Vec<CommandPart>,
    /// The hosts that the text names, where a part of it is known to need the network; there may be none.
    pub hosts: Option<Vec<String>>,
    /// What the program has. The gate sets it, from the launch.
    pub network: Network,
}

impl CommandReading {
    /// What is thought of a program that nothing reads: it could do anything.
    #[must_use]
    pub fn unread() -> Self {
        Self {
            class: CommandClass::Dangerous,
            rule: "shell.unread".to_owned(),
            reason: Message::new("shell-unread"),
            refused: None,
            parts: Vec::new(),
            hosts: None,
            network: Network::None,
        }
    }
}

/// Reads what would be run. Quick: no process, a few milliseconds at worst.
pub trait CommandReader: Send + Sync {
    /// Reads a program before it is started.
    fn read(&self, launch: &Launch) -> CommandReading;

    /// Reads text before it is sent to a running program. `before` is what was sent to it so far, as far as it is
    /// remembered, so that a command in two halves is still one command.
    fn read_input(&self, launch: &Launch, before: &str, input: &str) -> CommandReading;
}

/// No reader: every program counts as dangerous, none is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReader;

impl CommandReader for NoReader {
    fn read(&self, _launch: &Launch) -> CommandReading {
        CommandReading::unread()
    }

    fn read_input(&self, _launch: &Launch, _before: &str, _input: &str) -> CommandReading {
        CommandReading::unread()
    }
}
