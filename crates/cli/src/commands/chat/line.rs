//! Lines of a person or a pipe: words for the agent, or a command for us.

use crate::render::stderr;
use crate::wire::asker::input::{Input, Line as Typed};
use crate::wire::signals::Underway;
use palanca_config::closest;
use std::io::{BufRead as _, IsTerminal as _, Read as _};

/// A line is at most this long; what goes beyond it is another one.
const MOST: u64 = 16 << 20;

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    Words(String),
    Command(Command),
    /// The name of no command, and one that is near.
    Unknown(String, Option<&'static str>),
}

/// What can be done beside talking.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Undo,
    /// Who answers; None asks for the name.
    Model(Option<String>),
    Quit,
}

const NAMES: [&str; 4] = ["help", "undo", "model", "quit"];

impl Line {
    /// A command begins with a slash at the very beginning, and its name is letters; a path is not one. None for a blank line.
    pub fn of(line: &str) -> Option<Self> {
        let words = line.trim();
        if words.is_empty() {
            return None;
        }
        let command =
            line.strip_prefix('/').map(|line| line.trim_end().split_once(' ').unwrap_or((line.trim_end(), "")));
        let command = command.filter(|(name, _)| !name.is_empty() && name.chars().all(char::is_alphabetic));
        let Some((name, argument)) = command else { return Some(Self::Words(words.to_owned())) };
        let argument = Some(argument.trim()).filter(|argument| !argument.is_empty());
        Some(match name {
            "help" => Self::Command(Command::Help),
            "undo" => Self::Command(Command::Undo),
            "model" => Self::Command(Command::Model(argument.map(str::to_owned))),
            "quit" | "exit" => Self::Command(Command::Quit),
            _ => Self::Unknown(name.to_owned(), closest(name, NAMES.into_iter())),
        })
    }
}

/// What came.
pub enum Heard {
    Line(Line),
    End,
    /// Ctrl-C instead of a line.
    Interrupt,
}

/// Stdin, line by line.
pub struct Lines {
    /// Whether a person is shown that it is their turn.
    prompts: bool,
}

impl Lines {
    pub fn new(tells: bool) -> Self {
        Self { prompts: tells && std::io::stdin().is_terminal() }
    }

    /// Whether a prompt stands on the screen while a line is waited for.
    pub const fn prompts(&self) -> bool {
        self.prompts
    }

    /// The next line that is not blank.
    pub async fn next(&mut self, underway: &Underway) -> Heard {
        loop {
            if self.prompts {
                stderr::prompt(">");
            }
            let typed = if std::io::stdin().is_terminal() {
                let Ok((input, waker)) = Input::new() else { return Heard::End };
                let typed = tokio::task::spawn_blocking(move || input.line());
                tokio::select! {
                    typed = typed => typed.unwrap_or(Typed::End),
                    () = underway.idle() => {
                        drop(waker);
                        return Heard::Interrupt;
                    }
                }
            } else {
                tokio::select! {
                    typed = tokio::task::spawn_blocking(piped) => typed.unwrap_or(Typed::End),
                    () = underway.idle() => return Heard::Interrupt,
                }
            };
            match typed {
                Typed::Text(line) => {
                    if let Some(line) = Line::of(line.trim_end_matches(['\r', '\n'])) {
                        return Heard::Line(line);
                    }
                }
                Typed::End | Typed::TakenBack => return Heard::End,
            }
        }
    }
}

fn piped() -> Typed {
    let mut line = Vec::new();
    match std::io::stdin().lock().take(MOST).read_until(b'\n', &mut line) {
        Err(_) | Ok(0) => Typed::End,
        Ok(_) => Typed::Text(String::from_utf8_lossy(&line).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, Line};

    #[test]
    fn a_line_is_words_or_a_command() {
        let words = |text: &str| Some(Line::Words(text.to_owned()));
        for (line, expected) in [
            ("", None),
            ("  \t", None),
            ("hello there", words("hello there")),
            ("/etc/hosts: what is it?", words("/etc/hosts: what is it?")),
            (" /help is a word here", words("/help is a word here")),
            ("/", words("/")),
            ("/help", Some(Line::Command(Command::Help))),
            ("/undo  ", Some(Line::Command(Command::Undo))),
            ("/model", Some(Line::Command(Command::Model(None)))),
            ("/model ollama:qwen3", Some(Line::Command(Command::Model(Some("ollama:qwen3".to_owned()))))),
            ("/quit", Some(Line::Command(Command::Quit))),
            ("/exit", Some(Line::Command(Command::Quit))),
            ("/modle x", Some(Line::Unknown("modle".to_owned(), Some("model")))),
            ("/zzzzzzzz", Some(Line::Unknown("zzzzzzzz".to_owned(), None))),
        ] {
            assert_eq!(Line::of(line), expected, "{line:?}");
        }
    }
}
