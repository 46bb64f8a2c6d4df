//! Folders of this machine that a container sees under names of its own: `-v /:/h`, `--mount type=bind,…`.

use crate::command::{Piece, Word};
use crate::unwrap::words::{push, without};

/// Where each one comes from and what it is called inside, longest names first.
type Mounts = Vec<(Word, String)>;

/// The folders in values such as `SOURCE:TARGET[:OPTIONS]` or `type=bind,source=…,target=…`. Named volumes are none.
pub(super) fn of<'a>(values: impl Iterator<Item = &'a Word>) -> Mounts {
    let mut all: Mounts = values.filter_map(mount).collect();
    all.sort_by_key(|(_, target)| std::cmp::Reverse(target.len()));
    all
}

fn mount(value: &Word) -> Option<(Word, String)> {
    // `-v=/:/h`
    let value = without(value, usize::from(value.prefix().starts_with('=')));
    let pairs = |text: &str| -> Option<(Word, String)> {
        let key = |names: [&str; 3]| {
            let mut pairs = text.split(',').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| names.contains(name)).map(|(_, value)| value.to_owned())
        };
        Some((Word::text(key(["source", "src", ""])?), key(["target", "destination", "dst"])?))
    };
    let (source, target) = value.literal().and_then(pairs).or_else(|| at_colon(&value))?;
    let target = target.trim_end_matches('/');
    let is_path = matches!(source.pieces.first(), Some(Piece::Home(_))) || source.prefix().starts_with(['/', '.', '~']);
    (is_path && target.starts_with('/')).then(|| (source, target.to_owned()))
}

fn at_colon(value: &Word) -> Option<(Word, String)> {
    let mut source = Word::default();
    for piece in &value.pieces {
        match piece {
            Piece::Text(text) if text.contains(':') => {
                let (before, after) = text.split_once(':')?;
                push(&mut source, Piece::Text(before.to_owned()));
                return Some((source, after.split(':').next().unwrap_or(after).to_owned()));
            }
            piece => push(&mut source, piece.clone()),
        }
    }
    None
}

/// What a word of the container's command names, as this machine would name it; also in the middle of a text for a shell.
pub(super) fn outside(mounts: &Mounts, word: &Word) -> Word {
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let mut out = Word::default();
    for piece in &word.pieces {
        let Piece::Text(text) = piece else {
            push(&mut out, piece.clone());
            continue;
        };
        for part in text.split_inclusive(|c| !of_name(c) && c != '/') {
            let named = |target: &str| part.strip_prefix(target).filter(|rest| !rest.starts_with(of_name));
            match mounts.iter().find_map(|(source, target)| Some((source, named(target)?))) {
                Some((source, rest)) => {
                    let whole_disk = source.literal() == Some("/") && rest.starts_with('/');
                    source.pieces.iter().filter(|_| !whole_disk).for_each(|piece| push(&mut out, piece.clone()));
                    push(&mut out, Piece::Text(rest.to_owned()));
                }
                None => push(&mut out, Piece::Text(part.to_owned())),
            }
        }
    }
    out
}
