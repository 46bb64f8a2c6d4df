//! The catalogue's rows by program: which row or family a name leads to, and the checks that rows name.

use super::place::Place;
use super::refusal::Refusal;
use super::row::{Answer, Check, Row, check_value, is_option, read};
use super::{containers, find, git, languages, scripts, shell_builtins, system, versions};
use crate::catalogue::{Held, Paragraph, Section, has, obeyed, sections};
use crate::command::Word;
use crate::options::{Options, Order, Style};
use crate::verdict::Class;
use hashbrown::HashMap;
use std::sync::{LazyLock, OnceLock};

/// Runners inside runners (`uv run python -m pytest`) that are followed.
const DEPTH: usize = 4;

/// What is read from a part of the catalogue when it is first asked for; none where that is not understood, so that its
/// program is refused.
pub(super) struct Later<S: 'static, T> {
    said: &'static S,
    read: OnceLock<Option<T>>,
}

impl<S, T> Later<S, T> {
    const fn new(said: &'static S) -> Self {
        Self { said, read: OnceLock::new() }
    }

    fn get(&self, read: impl FnOnce(&'static S) -> Option<T>) -> Option<&T> {
        self.read.get_or_init(|| read(self.said)).as_ref()
    }
}

/// A row, or a program with subcommands.
pub(super) enum Program {
    /// One program.
    Row(Later<Paragraph, Row>),
    /// A program with subcommands.
    Family(Later<Section, Family>),
}

pub(super) static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(sections);

pub(super) static PROGRAMS: LazyLock<HashMap<&'static str, Program>> = LazyLock::new(|| {
    let mut programs = HashMap::new();
    for section in SECTIONS.iter() {
        if section.programs.is_empty() {
            programs.extend(rows(&section.rows, ' ').map(|(name, row)| (name, Program::Row(row))));
        } else {
            let names = section.programs.split(' ');
            programs.extend(names.map(|name| (name, Program::Family(Later::new(section)))));
        }
    }
    programs
});

/// Rows by name.
fn rows(rows: &'static [Paragraph], between: char) -> impl Iterator<Item = (&'static str, Later<Paragraph, Row>)> {
    rows.iter().flat_map(move |row| row.head.split(between).map(move |name| (name, Later::new(row))))
}

/// A program with subcommands.
pub(super) struct Family {
    globals: Options,
    /// An option before the subcommand that changes the directory.
    enters: &'static str,
    /// `+name` may come first.
    toolchain: bool,
    by_name: bool,
    rows: HashMap<&'static str, Later<Paragraph, Row>>,
}

impl Family {
    /// Reads what the catalogue says of it; none where that is not understood.
    pub(super) fn read(section: &'static Section) -> Option<Self> {
        let words = section.said.words();
        let (said, options) = words.split_at(words.iter().position(is_option).unwrap_or(words.len()));
        let (mut style, mut enters, mut toolchain, mut by_name) = (Style::Letters, "", false, false);
        for word in said {
            match word.split_once(':').unwrap_or((word, "")) {
                ("enters", option) => enters = option,
                ("toolchain", _) => toolchain = true,
                ("by-name", _) => by_name = true,
                ("words", _) => style = Style::Words,
                _ => return None,
            }
        }
        let rows = rows(&section.rows, '|').collect();
        Some(Self { globals: Options::new(options.iter().copied(), style), enters, toolchain, by_name, rows })
    }

    fn row(&self, name: &str) -> Option<&Row> {
        self.rows.get(name)?.get(Row::read)
    }

    /// Judges the words after the name.
    fn judge(&self, program: &str, mut words: &[Word], place: &Place, depth: usize) -> Answer {
        if self.toolchain
            && let Some((first, rest)) = words.split_first()
            && let Some(name) = first.literal().and_then(|first| first.strip_prefix('+'))
        {
            // A path would be a foreign compiler.
            if !languages::plain_value(name) {
                return Err(Refusal::Operand(program.to_owned(), first.to_string()));
            }
            words = rest;
        }
        let given = read(words, program, &self.globals, Order::First)?;
        let mut place = place.clone();
        for used in &given.used {
            let Some(value) = &used.value else { continue };
            if has(self.enters, &used.name) {
                place = place.enter(value)?;
            } else {
                check_value(value, used.kind, &place)?;
            }
        }
        let rest = given.operands.as_ref();
        let unknown = |name: &Word| Refusal::UnknownSubcommand(program.to_owned(), name.to_string());
        let Some(first) = rest.first() else {
            let row = self.row("").ok_or_else(|| unknown(&Word::default()))?;
            return row.judge(program, &[], &place, depth);
        };
        let name = first.literal().filter(|name| !name.is_empty()).ok_or_else(|| unknown(first))?;
        let second = rest.get(1).and_then(Word::literal).map(|second| format!("{name} {second}"));
        if let Some((row, both)) = second.and_then(|both| self.row(&both).map(|row| (row, both))) {
            return row.judge(&format!("{program} {both}"), rest.get(2..).unwrap_or_default(), &place, depth);
        }
        let row = self.row(name).ok_or_else(|| unknown(first))?;
        row.judge(&format!("{program} {name}"), rest.get(1..).unwrap_or_default(), &place, depth)
    }
}

/// The check that a row names.
pub(super) fn check(name: &str) -> Option<Check> {
    Some(match name {
        "arguments" => languages::arguments,
        "awk" => scripts::awk,
        "bracket" => shell_builtins::bracket,
        "bun_script" => languages::bun_script,
        "cd" => shell_builtins::change_directory,
        "cmake" => languages::cmake,
        "coverage_run" => languages::coverage_run,
        "date" => system::date,
        "eslint" => languages::eslint,
        "expression" => find::expression,
        "git_branch" => git::branch,
        "git_config" => git::config,
        "git_fetch" => git::fetch,
        "git_grep" => git::grep,
        "git_reflog" => git::reflog,
        "git_remote_show" => git::remote_show,
        "git_tag" => git::tag,
        "gradle" => languages::gradle,
        "jq" => scripts::jq,
        "kubectl_get" => containers::kubectl_get,
        "linker" => languages::linker,
        "make" => languages::make,
        "manual" => system::manual,
        "maven" => languages::maven,
        "module" => languages::module,
        "no_response_file" => languages::no_response_file,
        "packages" => languages::packages,
        "pip_install" => languages::pip_install,
        "printf" => shell_builtins::printf,
        "processes" => system::processes,
        "pytest" => languages::pytest,
        "runs_tool" => languages::runs_tool,
        "sed" => scripts::sed,
        "shows" => languages::shows,
        "shows_its_own" => git::shows_its_own,
        "test" => shell_builtins::test,
        _ => return None,
    })
}

/// Judges a program by its bare name.
pub(super) fn judge(program: &str, words: &[Word], place: &Place, depth: usize) -> Answer {
    if let Some(word) = words.iter().find(|word| word.has_unknown())
        && !shell_builtins::harmless_variable(program, word)
    {
        return Err(Refusal::UnknownWord(word.to_string()));
    }
    let name = unversioned(program);
    if let Some(class) = versions::asked(name, words) {
        return Ok(if obeys_its_folder(name, None) { Class::Dev } else { class });
    }
    if depth > DEPTH {
        return Err(Refusal::UnknownProgram(program.to_owned()));
    }
    let answer = match PROGRAMS.get(name) {
        Some(Program::Row(row)) => row.get(Row::read).map(|row| row.judge(program, words, place, depth)),
        Some(Program::Family(family)) => {
            family.get(Family::read).map(|family| family.judge(program, words, place, depth))
        }
        None => None,
    };
    match answer.unwrap_or_else(|| Err(Refusal::UnknownProgram(program.to_owned())))? {
        Class::Safe if obeys_its_folder(name, Some(words)) => Ok(Class::Dev),
        class => Ok(class),
    }
}

/// Whether a file of the folder could choose what a program runs that otherwise only reads: with these words, or when it is
/// only asked for its version.
pub(super) fn obeys_its_folder(name: &str, words: Option<&[Word]>) -> bool {
    obeyed(name).is_some_and(|obeyed| match obeyed.held {
        Held::Person => true,
        Held::Flag(options) => words.is_some_and(|words| {
            // What stands behind the module is the module's.
            let mut own = words.iter().map_while(Word::literal).take_while(|word| *word != "-m");
            !own.any(|word| has(options, word))
        }),
        Held::Variable(..) | Held::Sandbox => false,
    })
}

/// The file that could choose what runs where a program is only asked for its version.
pub(super) fn obeyed_when_asked(program: &str, words: &[Word]) -> Option<&'static str> {
    let name = unversioned(program);
    versions::asked(name, words).filter(|_| obeys_its_folder(name, None)).and(obeyed(name)).map(|obeyed| obeyed.file)
}

/// Whether a program of this name is listed with subcommands.
pub(super) fn has_subcommands(program: &str) -> bool {
    matches!(PROGRAMS.get(unversioned(program)), Some(Program::Family(_)))
}

/// Whether the rows of this program hold only where it is called by its name alone.
pub(super) fn is_by_name(program: &str) -> bool {
    let Some(Program::Family(family)) = PROGRAMS.get(program) else { return false };
    family.get(Family::read).is_some_and(|family| family.by_name)
}

/// Judges the command that a runner starts, which must itself be a development tool or harmless.
pub(super) fn judge_inner(words: &[Word], place: &Place, depth: usize) -> Answer {
    let name = words.first().and_then(Word::literal).ok_or(Refusal::NamelessProgram)?;
    if name.contains('/') {
        return Err(Refusal::ProgramByPath(name.to_owned()));
    }
    judge(name, words.get(1..).unwrap_or_default(), place, depth + 1)
}

/// `python3` for `python3.12`, `gcc` for `gcc-13`.
fn unversioned(program: &str) -> &str {
    const FAMILIES: &[&str] =
        &["python", "python3", "pip", "pip3", "gcc", "g++", "clang", "clang++", "ruby", "php", "node"];
    let cut = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').trim_end_matches('-');
    FAMILIES.iter().copied().find(|family| *family != program && *family == cut).unwrap_or(program)
}
