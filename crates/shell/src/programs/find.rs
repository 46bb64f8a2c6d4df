//! `find`: its expression is a language of its own, and one word of it decides whether it reads, deletes or runs.

use super::place::{Place, matches};
use super::refusal::Refusal;
use super::row::Answer;
use crate::catalogue::has;
use crate::command::Word;
use crate::verdict::Class;

const ALONE: &str = "-print -print0 -ls -prune -quit -true -false -empty -depth -d -mount -xdev -daystart -noleaf \
    -nouser -nogroup -readable -writable -executable -o -or -a -and -not ! ( ) , -ignore_readdir_race \
    -noignore_readdir_race -warn -nowarn -help --help -version --version -P -H";

const WITH_TEXT: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -regextype -type \
    -xtype -size -mtime -atime -ctime -mmin -amin -cmin -used -perm -user -group -uid -gid -links \
    -inum -maxdepth -mindepth -fstype -printf -context -newermt -newerat -newerct -newerBt";

const WITH_PATH: &str = "-newer -anewer -cnewer -samefile";

const HARMFUL: &str = "-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -files0-from -L -follow";

/// Judges the words after `find`.
pub(super) fn judge(words: &[Word], place: &Place) -> Answer {
    let operand = |word: &Word| Refusal::Operand("find".to_owned(), word.to_string());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word.prefix().is_empty() && word.has_glob() {
            // A file may be called `-delete`.
            return Err(operand(word));
        }
        let Some(text) = word.literal() else {
            if word.prefix().starts_with('-') {
                return Err(operand(word));
            }
            place.names(word)?;
            continue;
        };
        if has(HARMFUL, text) {
            return Err(Refusal::HarmfulOption("find".to_owned(), text.to_owned()));
        }
        if has(ALONE, text) {
            continue;
        }
        if has(WITH_TEXT, text) {
            let value = rest.next().ok_or_else(|| operand(word))?;
            let pattern = value.to_string();
            if value.has_glob() && HARMFUL.split(' ').any(|harmful| matches(&pattern, harmful)) {
                // One of several names that it stands for would be the next predicate.
                return Err(operand(value));
            }
        } else if has(WITH_PATH, text) || is_newer(text) {
            place.names(rest.next().ok_or_else(|| operand(word))?)?;
        } else if text.starts_with('-') && !is_optimisation(text) {
            return Err(Refusal::UnknownOption("find".to_owned(), text.to_owned()));
        } else if !is_optimisation(text) {
            place.names(word)?;
        }
    }
    Ok(Class::Safe)
}

/// `-newerac` and its like compare with a file.
fn is_newer(text: &str) -> bool {
    text.strip_prefix("-newer").is_some_and(|kinds| kinds.len() == 2 && kinds.chars().all(|kind| "aBcm".contains(kind)))
}

fn is_optimisation(text: &str) -> bool {
    matches!(text, "-O0" | "-O1" | "-O2" | "-O3")
}
