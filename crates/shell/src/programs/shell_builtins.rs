//! What the shell does itself. Builtins that change the shell, its variables or its options are in no table.

use super::refusal::Refusal;
use super::row::{Answer, Seen};
use crate::catalogue::has;
use crate::command::{Piece, UnknownKind, Word};
use crate::verdict::Class;

/// Whether an unknown word holds only numbers, or variables that show nothing secret, in a command that only prints it.
pub(super) fn harmless_variable(program: &str, word: &Word) -> bool {
    const HARMLESS: &str = "USER LOGNAME HOME PWD OLDPWD SHELL LANG LC_ALL PATH HOSTNAME TERM UID EUID RANDOM SECONDS \
        LINENO PPID SHLVL OSTYPE MACHTYPE HOSTTYPE BASH_VERSION EDITOR TZ ? $ # ! - 0 COLUMNS LINES";
    matches!(program, "echo" | "printf")
        && word.pieces.iter().all(|piece| match piece {
            Piece::Unknown(unknown) => match &unknown.kind {
                UnknownKind::Number => true,
                UnknownKind::Variable(name) => program == "echo" && has(HARMLESS, name.as_str()),
                _ => false,
            },
            // A pattern beside it could grow into any path.
            Piece::Glob(_) => false,
            _ => true,
        })
}

/// `cd` alone goes home and `cd -` to where the text does not tell.
pub(super) fn change_directory(seen: &Seen<'_>) -> Answer {
    match seen.given.operands.as_ref() {
        [word] if word.literal().is_some_and(|text| !text.is_empty() && text != "-") => Ok(Class::Safe),
        words => Err(Refusal::Outside(words.first().map_or_else(|| "~".to_owned(), ToString::to_string))),
    }
}

/// `-v` writes a variable, whose subscript is run.
pub(super) fn printf(seen: &Seen<'_>) -> Answer {
    let first = seen.given.operands.first().map(Word::prefix).unwrap_or_default();
    let option = first.starts_with('-') && first != "--" && first.len() > 1;
    if option { Err(Refusal::HarmfulOption("printf".to_owned(), first.to_owned())) } else { Ok(Class::Safe) }
}

/// `test`: names of files and plain comparisons; `-v` and `-R` look at a variable, whose subscript is run.
pub(super) fn test(seen: &Seen<'_>) -> Answer {
    match seen.given.operands.iter().find(|word| matches!(word.literal(), Some("-v" | "-R"))) {
        Some(word) => Err(Refusal::HarmfulOption(seen.program.to_owned(), word.to_string())),
        None => Ok(seen.class),
    }
}

/// `[ … ]`, and `[[ … ]]`, whose numeric comparisons evaluate their operands as arithmetic, which can run commands.
pub(super) fn bracket(seen: &Seen<'_>) -> Answer {
    const NUMERIC: &str = "-eq -ne -lt -le -gt -ge";
    let words = seen.given.operands.as_ref();
    let end = if seen.program == "[[" { "]]" } else { "]" };
    if words.last().and_then(Word::literal) != Some(end) {
        return Err(seen.refused(words.last().unwrap_or(&Word::default())));
    }
    let integer = |word: Option<&Word>| word.and_then(Word::literal).is_some_and(|text| text.parse::<i64>().is_ok());
    for (at, word) in words.iter().enumerate().filter(|_| seen.program == "[[") {
        let sides = [at.checked_sub(1).and_then(|at| words.get(at)), words.get(at + 1)];
        if word.literal().is_some_and(|text| has(NUMERIC, text)) && !sides.into_iter().all(integer) {
            return Err(seen.refused(word));
        }
    }
    test(seen)
}
