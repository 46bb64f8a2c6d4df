//! `find -exec` and `fd --exec`: what they find stands under where they start.

use super::start;
use crate::catalogue::has;
use crate::command::{Command, Piece, Word};
use crate::unwrap::Inner;
use crate::unwrap::build::started;
use crate::unwrap::words::{push, replaced};

/// Starting points that are looked at one by one.
const STARTS: usize = 256;

/// Where `find` starts, and its tests and actions.
pub(crate) fn places_and_tests(words: &[Word]) -> (&[Word], &[Word]) {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += match word.prefix() {
            "-D" => 2,
            text if has("-H -L -P -E -X -s -x -d --", text) || text.starts_with("-O") => 1,
            _ => break,
        };
    }
    let rest = words.get(at..).unwrap_or_default();
    let is_test = |word: &Word| word.prefix().starts_with(['-', '(', '!', ')', ',']);
    rest.split_at(rest.iter().position(is_test).unwrap_or(rest.len()))
}

/// What `find` starts for each name.
pub(super) fn find(command: &Command, name: &str) -> Vec<Inner> {
    let (places, tests) = places_and_tests(command.operands());
    let mut places: Vec<Word> = places.iter().take(STARTS).cloned().collect();
    if places.is_empty() {
        places.push(Word::text("."));
    }
    let depth_zero = tests.windows(2).any(|pair| {
        matches!(pair, [option, number] if option.literal() == Some("-maxdepth") && number.literal() == Some("0"))
    });
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(word) = tests.get(at) {
        at += 1;
        let beside = match word.literal() {
            Some("-exec" | "-ok") => false,
            Some("-execdir" | "-okdir") => true,
            _ => continue,
        };
        let after = tests.get(at..).unwrap_or_default();
        let ends = |place: usize, word: &Word| {
            word.literal() == Some(";")
                || (word.literal() == Some("+")
                    && place > 0
                    && after.get(place - 1).is_some_and(|last| last.literal() == Some("{}")))
        };
        let length = after.iter().enumerate().position(|(place, word)| ends(place, word)).unwrap_or(after.len());
        let own = after.get(..length).unwrap_or_default();
        at += length + 1;
        for place in &places {
            let item = if depth_zero { place.clone() } else { under(place) };
            let words: Vec<Word> = own.iter().map(|word| replaced(word, "{}", &item)).collect();
            let mut begin = start(command, name);
            if beside {
                begin.directory = crate::Directory::Unknown;
            }
            found.extend(started(&begin, words));
            if !own
                .iter()
                .any(|word| word.pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains("{}"))))
            {
                break;
            }
        }
    }
    found
}

/// Some name in a directory.
fn under(place: &Word) -> Word {
    let mut out = place.clone();
    let ends = matches!(out.pieces.last(), Some(Piece::Text(text)) if text.ends_with('/'));
    if !ends {
        push(&mut out, Piece::Text("/".to_owned()));
    }
    push(&mut out, Piece::Glob("*".to_owned()));
    out
}

/// What `fd` starts for each name.
pub(super) fn fd(command: &Command, name: &str) -> Vec<Inner> {
    let words = command.operands();
    let starts = |word: &Word| {
        let text = word.prefix();
        matches!(text, "--exec" | "--exec-batch" | "-x" | "-X")
            || (text.len() > 1 && text.starts_with('-') && !text.starts_with("--") && text.ends_with(['x', 'X']))
    };
    let Some(at) = words.iter().position(starts) else { return Vec::new() };
    let own = words.get(at + 1..).unwrap_or_default();
    let own: Vec<Word> = own.iter().take_while(|word| word.literal() != Some(";")).cloned().collect();
    let before: Vec<&Word> = words.iter().take(at).filter(|word| !word.prefix().starts_with('-')).collect();
    let mut places: Vec<Word> = before.iter().skip(1).take(STARTS).map(|word| (*word).clone()).collect();
    places.extend(words.iter().filter_map(|word| word.prefix().strip_prefix("--search-path=").map(Word::text)));
    if let Some(pair) = words.windows(2).find(|pair| {
        pair.first().is_some_and(|word| matches!(word.literal(), Some("--base-directory" | "-C" | "--search-path")))
    }) {
        places.extend(pair.get(1).cloned());
    }
    if places.is_empty() {
        places.push(Word::text("."));
    }
    let marked = own.iter().any(|word| word.to_string().contains('{'));
    let words = |place: &Word| {
        let item = under(place);
        let marks = ["{}", "{/}", "{//}", "{.}", "{/.}"];
        let mut words: Vec<Word> =
            own.iter().map(|word| marks.iter().fold(word.clone(), |word, mark| replaced(&word, mark, &item))).collect();
        if !marked {
            words.push(item);
        }
        words
    };
    places.iter().filter_map(|place| started(&start(command, name), words(place))).collect()
}
