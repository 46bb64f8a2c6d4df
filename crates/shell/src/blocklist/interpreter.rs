//! Programs that run what they read, and what a given call would read: stdin, an operand's text, or a file.

use super::view::Program;
pub(super) use crate::catalogue::Language;
use crate::catalogue::{self, Fact, names_with};
use crate::command::Word;

/// Where the program text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source<'a> {
    Stdin,
    Code(&'a Word),
    File(&'a Word),
    /// It runs nothing of ours: `--version`, a module.
    Nothing,
}

/// Program, letters that give code, letters that take another value, long options that give code.
struct Table {
    code: &'static str,
    valued: &'static str,
    /// Letters whose value is always glued: `-Mstrict`, `-i.bak`.
    glued: &'static str,
    long_code: &'static [&'static str],
    long_valued: &'static [&'static str],
    /// Letters after which no program is read from stdin.
    nothing: &'static str,
}

impl Language {
    pub(super) fn of(program: &Program) -> Option<Self> {
        match program.name() {
            Some(name) => catalogue::language(name),
            None => names_with(|fact| matches!(fact, Fact::Speaks(_)))
                .find(|name| program.is(name))
                .and_then(catalogue::language),
        }
    }

    const fn table(self) -> Table {
        const NONE: Table =
            Table { code: "ec", valued: "", glued: "", long_code: &["eval"], long_valued: &[], nothing: "Vh" };
        match self {
            Self::Shell => Table {
                code: "c",
                valued: "oO",
                glued: "",
                long_code: &["command"],
                long_valued: &["rcfile", "init-file", "init-command"],
                nothing: "",
            },
            Self::Python => Table { code: "c", valued: "WXQ", nothing: "Vhm", long_code: &[], ..NONE },
            Self::Perl => {
                Table { code: "eE", valued: "", glued: "MmIxi0FDCld", long_code: &[], nothing: "vVh", ..NONE }
            }
            Self::Ruby => Table { code: "e", valued: "rIC", glued: "xi0FEKT", long_code: &[], nothing: "h", ..NONE },
            Self::Node => Table {
                code: "ep",
                valued: "rC",
                long_code: &["eval", "print"],
                long_valued: &["require", "import", "loader", "conditions"],
                nothing: "vh",
                ..NONE
            },
            Self::Php => Table {
                code: "rRBE",
                valued: "dczSt",
                long_code: &["run", "process-code", "process-begin", "process-end"],
                long_valued: &["define", "php-ini"],
                nothing: "vhimlswF",
                ..NONE
            },
            Self::Lua => Table { code: "e", valued: "l", nothing: "v", long_code: &[], ..NONE },
            Self::Other => NONE,
        }
    }
}

/// Where a call takes its program from.
pub(super) fn source(language: Language, words: &[Word]) -> Source<'_> {
    let table = language.table();
    let mut rest = words.iter();
    let mut stdin_forced = false;
    let mut code_next = false;
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else { return operand(word, code_next) };
        if text == "--" && stdin_forced && !code_next {
            return Source::Stdin;
        }
        if text == "--" {
            return rest.next().map_or(Source::Stdin, |word| operand(word, code_next));
        }
        if let Some(name) = text.strip_prefix("--") {
            let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            if table.long_code.contains(&name) {
                return match value {
                    Some(_) => Source::Code(word),
                    None => rest.next().map_or(Source::Nothing, Source::Code),
                };
            }
            if table.long_valued.contains(&name) && value.is_none() {
                rest.next();
            }
            if matches!(name, "version" | "help") {
                return Source::Nothing;
            }
            continue;
        }
        let options = match text.strip_prefix('-') {
            Some("") => return Source::Stdin,
            Some(options) => options,
            None if language == Language::Shell && text.starts_with('+') => continue,
            None if stdin_forced => return Source::Stdin,
            None => return operand(word, code_next),
        };
        for (at, letter) in options.char_indices() {
            let last = at + letter.len_utf8() == options.len();
            if table.glued.contains(letter) {
                break;
            }
            if table.nothing.contains(letter) {
                return Source::Nothing;
            }
            if table.code.contains(letter) {
                // Shells take the first operand after all options; the others the rest of the cluster or the next word.
                if language == Language::Shell {
                    code_next = true;
                    continue;
                }
                return if last { rest.next().map_or(Source::Nothing, Source::Code) } else { Source::Code(word) };
            }
            if language == Language::Shell && letter == 's' {
                stdin_forced = true;
            }
            if table.valued.contains(letter) {
                if last {
                    rest.next();
                }
                break;
            }
        }
    }
    if code_next { Source::Nothing } else { Source::Stdin }
}

fn operand(word: &Word, is_code: bool) -> Source<'_> {
    match word.literal() {
        _ if is_code => Source::Code(word),
        Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Source::Stdin,
        _ => Source::File(word),
    }
}

/// The code that a call carries in its words.
pub(super) fn code(language: Language, words: &[Word]) -> Option<&Word> {
    match source(language, words) {
        Source::Code(word) => Some(word),
        _ => None,
    }
}
