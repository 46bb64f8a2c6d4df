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
    /// A word with invisible characters, or with ones that look like others.
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
        let (rule, key, values) = match &self {
            Self::UnknownProgram(name) => ("shell.program.unknown", "shell-program-unknown", vec![("program", name)]),
            Self::ProgramByPath(name) => ("shell.program.path", "shell-program-path", vec![("program", name)]),
            Self::NamelessProgram => ("shell.program.nameless", "shell-program-nameless", Vec::new()),
            Self::UnknownSubcommand(name, command) => {
                ("shell.program.subcommand", "shell-subcommand-unknown", vec![("program", name), ("command", command)])
            }
            Self::UnknownOption(name, own) => {
                ("shell.option.unknown", "shell-option-unknown", vec![("program", name), ("option", own)])
            }
            Self::HarmfulOption(name, own) => {
                ("shell.option.harmful", "shell-option-harmful", vec![("program", name), ("option", own)])
            }
            Self::Operand(name, operand) => {
                ("shell.operand", "shell-operand-harmful", vec![("program", name), ("operand", operand)])
            }
            Self::Script(name) => ("shell.script", "shell-script-unsure", vec![("program", name)]),
            Self::Outside(path) => ("shell.path.outside", "shell-path-outside", vec![("path", path)]),
            Self::Secret(path) => ("shell.path.secret", "shell-path-secret", vec![("path", path)]),
            Self::Redirect(path) => ("shell.redirect.write", "shell-redirect-write", vec![("path", path)]),
            Self::Assignment(name) => ("shell.assignment", "shell-assignment", vec![("name", name)]),
            Self::Through(how) => ("shell.through", "shell-through", vec![("how", how)]),
            Self::UnknownWord(word) => ("shell.word.unknown", "shell-word-unknown", vec![("word", word)]),
            Self::Invisible => ("shell.word.invisible", "shell-word-invisible", Vec::new()),
            Self::DirectoryOutside(path) => {
                ("shell.directory.outside", "shell-directory-outside", vec![("path", path)])
            }
            Self::DirectoryUnknown => ("shell.directory.unknown", "shell-directory-unknown", Vec::new()),
            Self::NoInput(name) => ("shell.input.none", "shell-input-none", vec![("program", name)]),
        };
        let message = values.into_iter().fold(Sentence::new(key), |all, (name, value)| all.with(name, short(value)));
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
