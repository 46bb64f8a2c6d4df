//! A program to start, in full: this one value is judged, shown, hashed and run.

use super::ids::Digest;
use super::path::CanonicalPath;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which shell reads a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shell {
    /// `/bin/sh`
    #[default]
    Sh,
    /// `bash`, found along the path.
    Bash,
}

impl Shell {
    /// The program.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Self::Sh => "/bin/sh",
            Self::Bash => "bash",
        }
    }
}

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandLine {
    /// A text that a shell reads.
    Script {
        /// The shell.
        shell: Shell,
        /// The text.
        text: String,
    },
    /// A program and its arguments, which no shell reads.
    Program(Vec<String>),
}

impl CommandLine {
    /// The program and its arguments as passed to the system.
    #[must_use]
    pub fn argv(&self) -> Vec<String> {
        match self {
            Self::Script { shell, text } => vec![shell.program().to_owned(), "-c".to_owned(), text.clone()],
            Self::Program(argv) => argv.clone(),
        }
    }
}

/// For people; control characters are escaped, so that nothing can hide in a terminal.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Script { text, .. } => write_visible(f, text),
            Self::Program(argv) => {
                for (place, argument) in argv.iter().enumerate() {
                    if place > 0 {
                        f.write_str(" ")?;
                    }
                    write_visible(f, argument)?;
                }
                Ok(())
            }
        }
    }
}

fn write_visible(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.chars().try_for_each(|character| match character {
        '\n' | '\t' => write!(f, "{character}"),
        _ if character.is_control() || is_invisible(character) => write!(f, "{}", character.escape_unicode()),
        _ => write!(f, "{character}"),
    })
}

/// Characters that reverse or hide text: zero-width, bidirectional controls, tags, fillers.
const fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// How long a program may live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lifetime {
    /// Until the call ends.
    #[default]
    Call,
    /// Until it is ended, or this process ends.
    Session,
}

/// The size of a terminal, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TerminalSize {
    /// Lines.
    pub rows: u16,
    /// Characters a line.
    pub columns: u16,
}

impl Default for TerminalSize {
    fn default() -> Self {
        Self { rows: 24, columns: 80 }
    }
}

/// Whether a program reaches the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// No network.
    #[default]
    None,
    /// The machine's network: every host that the machine reaches, its own services included.
    Open,
}

impl Network {
    const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// A program to start. `P` is a path as given, or canonical once the gate has seen it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Launch<P = CanonicalPath> {
    /// What to run.
    pub command: CommandLine,
    /// Where.
    pub directory: P,
    /// Variables in addition to those that every program gets, sorted by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<(String, String)>,
    /// A terminal instead of plain streams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalSize>,
    /// How long it may live.
    pub lifetime: Lifetime,
    /// Whether it reaches the network. As a claim: whether the call asks for it.
    #[serde(skip_serializing_if = "Network::is_none")]
    pub network: Network,
    /// Protected files that it may change nevertheless: a person is asked about each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<P>,
}

impl<P> Launch<P> {
    /// A shell text that ends with its call, without extra variables, terminal or network.
    #[must_use]
    pub fn script(shell: Shell, text: impl Into<String>, directory: P) -> Self {
        Self {
            command: CommandLine::Script { shell, text: text.into() },
            directory,
            environment: Vec::new(),
            terminal: None,
            lifetime: Lifetime::Call,
            network: Network::None,
            writes: Vec::new(),
        }
    }

    /// The variables, then the command, as a person would type them. For searching and showing, not for running:
    /// nothing is quoted.
    #[must_use]
    pub fn typed(&self) -> String {
        let mut typed: String = self.environment.iter().map(|(name, value)| format!("{name}={value} ")).collect();
        match &self.command {
            CommandLine::Script { text, .. } => typed.push_str(text),
            CommandLine::Program(argv) => typed.push_str(&argv.join(" ")),
        }
        typed
    }

    /// The same program with every path converted.
    ///
    /// # Errors
    /// The first error of `turn`.
    pub fn try_at<Q, E>(&self, mut turn: impl FnMut(&P) -> Result<Q, E>) -> Result<Launch<Q>, E> {
        Ok(Launch {
            command: self.command.clone(),
            directory: turn(&self.directory)?,
            environment: self.environment.clone(),
            terminal: self.terminal,
            lifetime: self.lifetime,
            network: self.network,
            writes: self.writes.iter().map(turn).collect::<Result<_, E>>()?,
        })
    }
}

impl Launch {
    /// SHA-256 over program, arguments, directory, environment, terminal, lifetime, network and the requested files.
    #[must_use]
    pub fn digest(&self) -> Digest {
        // ignored: a launch always serialises; it contains only texts and numbers.
        Digest::of_bytes(&serde_json::to_vec(self).unwrap_or_default())
    }
}
