//! What the shell does itself. Builtins that change the shell, its variables or its options are in no table.

use super::options::Style;
use super::place::Place;
use super::refusal::Refusal;
use super::row::{Answer, Operands::*, Row, Seen};
use crate::catalogue::has;
use crate::command::{Piece, UnknownKind, Word};
use crate::verdict::Class;

/// The table.
pub(super) const ROWS: &[Row] = &[
    Row::safe("echo", "").style(Style::Raw).takes(Text),
    Row::safe("printf", "").style(Style::Raw).takes(Text).check(printf),
    Row::safe("type", "-afpPt").takes(Text),
    Row::safe("command", "-vVp").takes(Text).check(command),
    Row::safe("help", "-dms").takes(Text),
    Row::safe("exit return break continue", "").takes(Text),
    Row::safe("jobs times", "-lnprs").takes(Nothing),
];

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
    match seen.given.operands.as_slice() {
        [word] if word.literal().is_some_and(|text| !text.is_empty() && text != "-") => Ok(Class::Safe),
        words => Err(Refusal::Outside(words.first().map_or_else(|| "~".to_owned(), ToString::to_string))),
    }
}

/// `-v` writes a variable, whose subscript is run.
fn printf(seen: &Seen<'_>) -> Answer {
    let first = seen.given.operands.first().map(Word::prefix).unwrap_or_default();
    let option = first.starts_with('-') && first != "--" && first.len() > 1;
    if option { Err(Refusal::HarmfulOption("printf".to_owned(), first.to_owned())) } else { Ok(Class::Safe) }
}

/// Without `-v` it runs its operands, which are judged by themselves.
fn command(seen: &Seen<'_>) -> Answer {
    if seen.given.has("-v -V") || seen.given.operands.is_empty() {
        return Ok(Class::Safe);
    }
    let first = seen.given.operands.first().map(ToString::to_string).unwrap_or_default();
    Err(Refusal::Operand("command".to_owned(), first))
}

/// `test`: names of files and plain comparisons; `-v` and `-R` look at a variable, whose subscript is run.
pub(super) fn test(words: &[Word], place: &Place) -> Answer {
    words.iter().try_for_each(|word| match word.literal() {
        Some(option @ ("-v" | "-R")) => Err(Refusal::HarmfulOption("test".to_owned(), option.to_owned())),
        _ => place.names(word),
    })?;
    Ok(Class::Safe)
}

/// `[ … ]`.
pub(super) fn bracket(words: &[Word], place: &Place) -> Answer {
    closed(words, "]").and_then(|words| test(words, place))
}

/// `[[ … ]]`: numeric comparisons evaluate their operands as arithmetic, which can run commands.
pub(super) fn double_bracket(words: &[Word], place: &Place) -> Answer {
    const NUMERIC: &str = "-eq -ne -lt -le -gt -ge";
    let words = closed(words, "]]")?;
    let integer = |word: &Word| word.literal().is_some_and(|text| text.parse::<i64>().is_ok());
    for (at, word) in words.iter().enumerate() {
        let sides = [at.checked_sub(1), at.checked_add(1)];
        let sides = sides.into_iter().map(|side| side.and_then(|side| words.get(side)));
        if word.literal().is_some_and(|text| has(NUMERIC, text))
            && !sides.into_iter().all(|side| side.is_some_and(integer))
        {
            return Err(Refusal::Operand("[[".to_owned(), word.to_string()));
        }
    }
    test(words, place)
}

fn closed<'w>(words: &'w [Word], end: &str) -> Result<&'w [Word], Refusal> {
    match words.split_last() {
        Some((last, rest)) if last.literal() == Some(end) => Ok(rest),
        _ => Err(Refusal::Operand("[".to_owned(), words.last().map(ToString::to_string).unwrap_or_default())),
    }
}
