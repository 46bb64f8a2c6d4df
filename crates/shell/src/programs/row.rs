//! The form of the tables: one row a program or a subcommand.
//!
//! A row says what is allowed; whatever it does not say is refused. It is only written here; [`super::ready`] judges by
//! it.

use super::options::{Given, Style};
use super::place::Place;
use super::refusal::Refusal;
use crate::command::Word;
use crate::verdict::Class;

/// What the operands of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// There are none.
    Nothing,
    /// Any text. A pattern among them still lists a folder, so it must stay inside.
    Text,
    /// Paths, or words that must not be paths to the outside; contents are not shown.
    Names,
    /// Files that are shown.
    Files,
    /// At most so many files that are shown.
    AtMost(usize),
    /// A pattern or a program text first, unless one of these options gave it; then files that are shown.
    PatternThenFiles(&'static str),
    /// Revisions and files in them.
    Revisions,
    /// Only these words.
    Only(&'static str),
}

/// Whether a name that a pattern finds could be taken for a harmful option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patterns {
    /// No option of the program does harm.
    Harmless,
    /// `sort *` where a file is called `-oout`: a pattern must follow `./` or `--`.
    Guarded,
}

/// What a check sees.
pub(super) struct Seen<'s> {
    /// The program, with its subcommand.
    pub(super) program: &'s str,
    /// Its words, read.
    pub(super) given: &'s Given,
    /// Where it stands.
    pub(super) place: &'s Place,
    /// How many programs run inside each other so far.
    pub(super) depth: usize,
}

/// A class, or why not.
pub(super) type Answer = Result<Class, Refusal>;

/// One program or one subcommand.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// Its names: with blanks between them, and those of a subcommand, which may have two words, with `|`.
    pub(super) names: &'static str,
    pub(super) class: Class,
    /// Its own options, and sets that it shares with others.
    pub(super) options: [&'static str; 3],
    pub(super) style: Style,
    pub(super) operands: Operands,
    pub(super) patterns: Patterns,
    pub(super) check: Option<fn(&Seen<'_>) -> Answer>,
}

impl Row {
    const fn new(class: Class, names: &'static str, options: &'static str) -> Self {
        Self {
            names,
            class,
            options: [options, "", ""],
            style: Style::Letters,
            operands: Operands::Names,
            patterns: Patterns::Harmless,
            check: None,
        }
    }

    /// Only reads.
    pub(super) const fn safe(names: &'static str, options: &'static str) -> Self {
        Self::new(Class::Safe, names, options)
    }

    /// A development tool.
    pub(super) const fn dev(names: &'static str, options: &'static str) -> Self {
        Self::new(Class::Dev, names, options)
    }

    /// Options of a set, too.
    pub(super) const fn with(mut self, set: &'static str) -> Self {
        let [own, first, _] = self.options;
        self.options = if first.is_empty() { [own, set, ""] } else { [own, first, set] };
        self
    }

    /// What its operands are; [`Operands::Names`] unless said.
    pub(super) const fn takes(mut self, operands: Operands) -> Self {
        self.operands = operands;
        self
    }

    /// How its options are written; [`Style::Letters`] unless said.
    pub(super) const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// A pattern could become a harmful option.
    pub(super) const fn guarded(mut self) -> Self {
        self.patterns = Patterns::Guarded;
        self
    }

    /// Judges what the options and operands alone do not tell. Its class counts instead of the row's.
    pub(super) const fn check(mut self, check: fn(&Seen<'_>) -> Answer) -> Self {
        self.check = Some(check);
        self
    }
}

/// Looks at all words of a family and says how many to skip.
pub(super) type Before = fn(&[Word]) -> Result<usize, Refusal>;

/// A program with subcommands.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// Its names, with blanks between them.
    pub(super) names: &'static str,
    /// Options before the subcommand.
    pub(super) globals: &'static str,
    pub(super) style: Style,
    /// The subcommands; one named `""` stands for none.
    pub(super) rows: &'static [&'static [Row]],
    /// An option before the subcommand that changes the directory.
    pub(super) enters: &'static str,
    /// A check of all its words first.
    pub(super) before: Option<Before>,
    /// How it must be called for its rows to hold.
    pub(super) called: Called,
}

/// How a program is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// By its name, or by its path in a system directory.
    Anyhow,
    /// By its name alone: the sandbox puts a program of ours in its place on the PATH.
    ByName,
}

impl Family {
    /// A family without options before the subcommand.
    pub(super) const fn new(names: &'static str, rows: &'static [&'static [Row]]) -> Self {
        Self { names, globals: "", style: Style::Letters, rows, enters: "", before: None, called: Called::Anyhow }
    }

    /// By its name alone.
    pub(super) const fn by_name(mut self) -> Self {
        self.called = Called::ByName;
        self
    }

    /// Options before the subcommand.
    pub(super) const fn globals(mut self, globals: &'static str) -> Self {
        self.globals = globals;
        self
    }

    /// How those are written.
    pub(super) const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Options among those that change the directory.
    pub(super) const fn enters(mut self, enters: &'static str) -> Self {
        self.enters = enters;
        self
    }

    /// Looks at the words first and says how many to skip.
    pub(super) const fn before(mut self, before: Before) -> Self {
        self.before = Some(before);
        self
    }
}
