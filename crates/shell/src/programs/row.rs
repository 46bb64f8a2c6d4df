//! One row: a program or a subcommand, its options ready to look up, because a hostile text may give thousands.

use super::place::Place;
use super::refusal::Refusal;
use super::tables;
use crate::catalogue::{Paragraph, has};
use crate::command::Word;
use crate::options::{self, Doubt, Given, Kind, Options, Order, Style};
use crate::verdict::Class;

/// What the operands of a row are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Operands {
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
    PatternThenFiles(String),
    /// Revisions and files in them.
    Revisions,
    /// Only these words.
    Only(String),
}

/// What a check sees.
pub(super) struct Seen<'s> {
    /// The program, with its subcommand.
    pub(super) program: &'s str,
    /// The row's class.
    pub(super) class: Class,
    /// Its words, read.
    pub(super) given: &'s Given<'s>,
    /// Where it stands.
    pub(super) place: &'s Place,
    /// How many programs run inside each other so far.
    pub(super) depth: usize,
}

impl Seen<'_> {
    /// The row's class, when every operand is known and fits.
    pub(super) fn all(&self, fits: impl Fn(&str) -> bool) -> Answer {
        match self.given.operands.iter().find(|word| !word.literal().is_some_and(&fits)) {
            Some(word) => Err(self.refused(word)),
            None => Ok(self.class),
        }
    }

    /// The row's class, when every value of these options fits.
    pub(super) fn values(&self, options: &str, fits: impl Fn(&str) -> bool) -> Answer {
        let misfit = self.given.values(options).map(ToString::to_string).find(|value| !fits(value));
        let option = options.split(' ').next().unwrap_or(options);
        match misfit {
            Some(value) => Err(Refusal::HarmfulOption(self.program.to_owned(), format!("{option} {value}"))),
            None => Ok(self.class),
        }
    }

    pub(super) fn refused(&self, operand: &Word) -> Refusal {
        Refusal::Operand(self.program.to_owned(), operand.to_string())
    }
}

/// A class, or why not.
pub(super) type Answer = Result<Class, Refusal>;

/// Judges what the options and operands alone do not tell. Its class counts instead of the row's.
pub(super) type Check = fn(&Seen<'_>) -> Answer;

/// One program or one subcommand.
pub(super) struct Row {
    class: Class,
    options: Options,
    operands: Operands,
    guarded: bool,
    /// It must have one of these options, when there are any.
    needs: String,
    check: Option<Check>,
}

impl Row {
    /// Reads what the catalogue says of it; none where that is not understood.
    pub(super) fn read(paragraph: &Paragraph) -> Option<Self> {
        let words = paragraph.words();
        let (said, options) = words.split_at(words.iter().position(is_option).unwrap_or(words.len()));
        let (class, said) = said.split_first()?;
        let class = match *class {
            "safe" => Class::Safe,
            "dev" => Class::Dev,
            _ => return None,
        };
        let (mut operands, mut style, mut guarded) = (Operands::Names, Style::Letters, false);
        let (mut needs, mut check) = (String::new(), None);
        for word in said {
            let (word, list) = word.split_once(':').unwrap_or((word, ""));
            match word {
                "nothing" => operands = Operands::Nothing,
                "text" => operands = Operands::Text,
                "files" => operands = Operands::Files,
                "revisions" => operands = Operands::Revisions,
                "at-most" => operands = Operands::AtMost(list.parse().ok()?),
                "pattern" => operands = Operands::PatternThenFiles(list.replace(',', " ")),
                "only" => operands = Operands::Only(list.replace(',', " ")),
                "words" => style = Style::Words,
                "raw" => style = Style::Raw,
                "guarded" => guarded = true,
                "needs" => needs = list.replace(',', " "),
                name => check = Some(tables::check(name)?),
            }
        }
        Some(Self { class, options: Options::new(options.iter().copied(), style), operands, guarded, needs, check })
    }

    /// Judges the words after the name.
    pub(super) fn judge(&self, program: &str, words: &[Word], place: &Place, depth: usize) -> Answer {
        let given = read(words, program, &self.options, Order::Anywhere)?;
        for used in &given.used {
            if let Some(value) = &used.value {
                check_value(value, used.kind, place)?;
            }
        }
        if self.guarded {
            let could_be_option = |word: &&Word| word.prefix().is_empty() && word.has_glob();
            let values = given.used.iter().filter_map(|used| used.value.as_ref());
            let words = given.operands.iter().take(given.dashes.unwrap_or(usize::MAX)).chain(values);
            if let Some(word) = words.into_iter().find(could_be_option) {
                return Err(Refusal::Operand(program.to_owned(), word.to_string()));
            }
        }
        self.operands.check(program, &given, place)?;
        if !self.needs.is_empty() && !given.has(&self.needs) {
            let (program, command) = program.split_once(' ').unwrap_or((program, ""));
            return Err(Refusal::UnknownSubcommand(program.to_owned(), command.to_owned()));
        }
        match self.check {
            Some(check) => check(&Seen { program, class: self.class, given: &given, place, depth }),
            None => Ok(self.class),
        }
    }
}

/// Reads words and refuses what the list does not tell.
pub(super) fn read<'w>(
    words: &'w [Word],
    program: &str,
    options: &Options,
    order: Order,
) -> Result<Given<'w>, Refusal> {
    let given = options::read(words, options, order);
    match given.doubt {
        None => Ok(given),
        Some(Doubt::Unknown(word)) => Err(Refusal::UnknownOption(program.to_owned(), word)),
        Some(Doubt::Harmful(name)) => Err(Refusal::HarmfulOption(program.to_owned(), name)),
    }
}

/// Whether a word of the catalogue lists an option.
pub(super) fn is_option(word: &&str) -> bool {
    word.starts_with(['-', '!'])
}

impl Operands {
    fn check(&self, program: &str, given: &Given<'_>, place: &Place) -> Result<(), Refusal> {
        let refuse = |word: &Word| Err(Refusal::Operand(program.to_owned(), word.to_string()));
        let words = given.operands.as_ref();
        match self {
            Self::Nothing => words.first().map_or(Ok(()), refuse),
            Self::Text => words.iter().try_for_each(|word| check_value(word, Kind::Text, place)),
            Self::Names => words.iter().try_for_each(|word| place.names(word)),
            Self::Files => words.iter().try_for_each(|word| place.reads(word)),
            Self::Revisions => words.iter().try_for_each(|word| place.reads_revision(word)),
            Self::AtMost(most) => {
                // A pattern may stand for several names, and the second one is written to.
                let many = words.iter().find(|word| *most > 0 && word.has_glob());
                if let Some(extra) = many.or(words.get(*most)) {
                    return refuse(extra);
                }
                words.iter().try_for_each(|word| place.reads(word))
            }
            Self::PatternThenFiles(instead) => {
                let patterns = usize::from(!given.has(instead));
                let mut pattern = words.iter().take(patterns);
                pattern.try_for_each(|word| check_value(word, Kind::Text, place))?;
                words.iter().skip(patterns).try_for_each(|word| place.reads(word))
            }
            Self::Only(known) => {
                let other = words.iter().find(|word| !word.literal().is_some_and(|text| has(known, text)));
                other.map_or(Ok(()), refuse)
            }
        }
    }
}

/// Whether a value may be what it is.
pub(super) fn check_value(value: &Word, kind: Kind, place: &Place) -> Result<(), Refusal> {
    match kind {
        // A variable here is one that prints nothing secret: others were refused before any row was asked.
        Kind::Text if value.has_glob() => place.names(value),
        Kind::Text | Kind::Directory | Kind::Script | Kind::Program | Kind::Mount | Kind::Split => Ok(()),
        Kind::Read => place.reads(value),
        Kind::Name => place.names(value),
        Kind::Revision => place.reads_revision(value),
    }
}
