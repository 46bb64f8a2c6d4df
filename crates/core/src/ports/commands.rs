//! How dangerous a call's program is: analysed before any question.

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
    /// The name in results, records and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Dev => "dev",
            Self::Dangerous => "dangerous",
            Self::Blocked => "blocked",
        }
    }

    /// The name for people, in their language.
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

/// One word of a command, as far as it can be determined without running anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandWord {
    /// Exactly these characters.
    Known(String),
    /// Contains a pattern, as written, which expands to matching names.
    Pattern(String),
    /// Not known; the text as written.
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

/// One simple command of the text and its classification. Wrappers and the commands that they start are separate parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPart {
    /// As written, at most 200 characters.
    pub source: String,
    /// The program and its arguments, expanded as far as they can be determined.
    pub words: Vec<CommandWord>,
    /// The variables that are set for it.
    pub assignments: Vec<String>,
    /// The files that it is redirected from and to.
    pub redirects: Vec<(CommandWord, Access)>,
    /// Whether anything is connected to its stdin: a pipe, a file, a text.
    pub fed: bool,
    /// The absolute directory in which it would run, if known.
    pub directory: Option<PathBuf>,
    /// Its class.
    pub class: CommandClass,
    /// The rule's id.
    pub rule: String,
    /// Why.
    pub reason: Message,
}

/// How surely a command that is known to need the network leaves this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaves {
    /// Every host that it names is this machine.
    Never,
    /// The remote of a repository that was not read may be a folder.
    #[default]
    Perhaps,
    /// It has nothing to do here without the network.
    Certainly,
}

/// A reader's classification of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandReading {
    /// The worst class of any part.
    pub class: CommandClass,
    /// The rule that decided.
    pub rule: String,
    /// Why.
    pub reason: Message,
    /// Why it may not run at all, if so: it is blocked, or the configuration allows only known commands.
    pub refused: Option<Message>,
    /// Each part, in reading order.
    pub parts: Vec<CommandPart>,
    /// The hosts named in the text, if a part of it is known to need the network; may be empty.
    pub hosts: Option<Vec<String>>,
    /// How surely it leaves this machine then.
    pub leaves: Leaves,
    /// The program's network access. The gate sets it from the launch.
    pub network: Network,
}

impl CommandReading {
    /// The reading without a reader: the program could do anything.
    #[must_use]
    pub fn unread() -> Self {
        Self {
            class: CommandClass::Dangerous,
            rule: "shell.unread".to_owned(),
            reason: Message::new("shell-unread"),
            refused: None,
            parts: Vec::new(),
            hosts: None,
            leaves: Leaves::Perhaps,
            network: Network::None,
        }
    }
}

/// Classifies commands. Fast: no process, a few milliseconds at worst.
pub trait CommandReader: Send + Sync {
    /// Classifies a program before it is started.
    fn read(&self, launch: &Launch) -> CommandReading;

    /// Classifies text before it is sent to a running program. `before` is the remembered earlier input, so that a
    /// command sent in two halves is still read as one.
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
