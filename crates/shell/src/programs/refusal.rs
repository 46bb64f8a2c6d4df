//! Why a command is not safe or not a development tool: one variant a cause, and the sentence for each.
//!
//! It decides nothing; the tables and the checks do.

use crate::Sentence;
use crate::verdict::Reason;

/// A cause. The texts are what a person wrote, shortened to [`SHOWN`] characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// In no table.
    UnknownProgram(String),
    /// A program named by a path that is not a system directory.
    ProgramByPath(String),
    /// The program's name is not in the text.
    NamelessProgram,
    /// A known program, but not this part of it: program, subcommand.
    UnknownSubcommand(String, String),
    /// An option that no row lists: program, option.
    UnknownOption(String, String),
    /// An option that writes, runs or never ends: program, option.
    HarmfulOption(String, String),
    /// An operand that does more than name what to read: program, operand.
    Operand(String, String),
    /// A program text (sed, awk, jq) that is not provably read-only: the program.
    Script(String),
    /// A path that is not in the workspace.
    Outside(String),
    /// A path with a name that secrets have.
    Secret(String),
    /// A redirection that opens a file for writing, or a network address.
    Redirect(String),
    /// A variable that changes what programs do.
    Assignment(String),
    /// Reached through something that does more than pass it on.
    Through(String),
    /// A word that the text does not tell.
    UnknownWord(String),
    /// A word with characters that nobody sees, or that look like others.
    Invisible,
    /// The directory is not in the workspace.
    DirectoryOutside(String),
    /// The directory is not known.
    DirectoryUnknown,
    /// Reads stdin, and nothing is connected: the program.
    NoInput(String),
}

/// Characters of a word that a reason shows.
const SHOWN: usize = 80;

impl Refusal {
    /// The rule and the sentence.
    pub(super) fn reason(self) -> Reason {
        let (rule, message) = match self {
            Self::UnknownProgram(program) => {
                ("shell.program.unknown", Sentence::new("shell-program-unknown").with("program", short(&program)))
            }
            Self::ProgramByPath(program) => {
                ("shell.program.path", Sentence::new("shell-program-path").with("program", short(&program)))
            }
            Self::NamelessProgram => ("shell.program.nameless", Sentence::new("shell-program-nameless")),
            Self::UnknownSubcommand(program, command) => (
                "shell.program.subcommand",
                Sentence::new("shell-subcommand-unknown")
                    .with("program", short(&program))
                    .with("command", short(&command)),
            ),
            Self::UnknownOption(program, option) => (
                "shell.option.unknown",
                Sentence::new("shell-option-unknown").with("program", short(&program)).with("option", short(&option)),
            ),
            Self::HarmfulOption(program, option) => (
                "shell.option.harmful",
                Sentence::new("shell-option-harmful").with("program", short(&program)).with("option", short(&option)),
            ),
            Self::Operand(program, operand) => (
                "shell.operand",
                Sentence::new("shell-operand-harmful")
                    .with("program", short(&program))
                    .with("operand", short(&operand)),
            ),
            Self::Script(program) => {
                ("shell.script", Sentence::new("shell-script-unsure").with("program", short(&program)))
            }
            Self::Outside(path) => {
                ("shell.path.outside", Sentence::new("shell-path-outside").with("path", short(&path)))
            }
            Self::Secret(path) => ("shell.path.secret", Sentence::new("shell-path-secret").with("path", short(&path))),
            Self::Redirect(path) => {
                ("shell.redirect.write", Sentence::new("shell-redirect-write").with("path", short(&path)))
            }
            Self::Assignment(name) => {
                ("shell.assignment", Sentence::new("shell-assignment").with("name", short(&name)))
            }
            Self::Through(how) => ("shell.through", Sentence::new("shell-through").with("how", short(&how))),
            Self::UnknownWord(word) => {
                ("shell.word.unknown", Sentence::new("shell-word-unknown").with("word", short(&word)))
            }
            Self::Invisible => ("shell.word.invisible", Sentence::new("shell-word-invisible")),
            Self::DirectoryOutside(path) => {
                ("shell.directory.outside", Sentence::new("shell-directory-outside").with("path", short(&path)))
            }
            Self::DirectoryUnknown => ("shell.directory.unknown", Sentence::new("shell-directory-unknown")),
            Self::NoInput(program) => {
                ("shell.input.none", Sentence::new("shell-input-none").with("program", short(&program)))
            }
        };
        Reason { rule: rule.into(), message }
    }
}

fn short(text: &str) -> String {
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
