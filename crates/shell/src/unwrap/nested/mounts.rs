//! Folders of this machine that a container sees under names of its own: `-v /:/h`, `--mount type=bind,…`.

use crate::command::{Piece, Word};
use crate::unwrap::words::{cut_at, push, without};

/// Where each one comes from and what it is called inside, longest names first.
#[derive(Debug, Default)]
pub(super) struct Mounts(Vec<(Word, String)>);

impl Mounts {
    /// `SOURCE:TARGET[:OPTIONS]`, or `type=bind,source=…,target=…`.
    pub(super) fn of<'a>(values: impl Iterator<Item = &'a Word>) -> Self {
        let mut all = Self::default();
        for value in values {
            // `-v=/:/h`
            let glued = value.prefix().starts_with('=').then(|| without(value, 1));
            let value = glued.as_ref().unwrap_or(value);
            let parts = parts(value, ',');
            let key = |names: &[&str]| {
                let mut pairs = parts.iter().filter_map(|part| cut_at(part, '='));
                pairs.find(|(name, _)| names.contains(name)).map(|(_, value)| value)
            };
            let by_key = key(&["source", "src"]).zip(key(&["target", "destination", "dst"]));
            let colons = self::parts(value, ':');
            let by_place = colons.first().zip(colons.get(1)).map(|(from, to)| (from.clone(), to.clone()));
            if let Some((source, target)) = by_key.or(by_place) {
                all.add(source, &target);
            }
        }
        all
    }

    /// One more. Named volumes are no folders of this machine.
    pub(super) fn add(&mut self, source: Word, target: &Word) {
        let is_path = match source.pieces.first() {
            Some(Piece::Home(_)) => true,
            _ => source.prefix().starts_with(['/', '.', '~']),
        };
        let target = target.literal().map(|text| text.trim_end_matches('/')).filter(|text| text.starts_with('/'));
        if let (true, Some(target)) = (is_path, target) {
            self.0.push((source, target.to_owned()));
            self.0.sort_by_key(|(_, target)| std::cmp::Reverse(target.len()));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a word of the container's command names, as this machine would name it; also in the middle of a text for a
    /// shell.
    pub(super) fn outside(&self, word: &Word) -> Word {
        let mut out = Word::default();
        for (at, piece) in word.pieces.iter().enumerate() {
            match piece {
                Piece::Text(text) => self.replaced(text, at == 0, &mut out),
                other => push(&mut out, other.clone()),
            }
        }
        out
    }

    fn replaced(&self, text: &str, begins: bool, out: &mut Word) {
        let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let mut before = if begins { ' ' } else { 'x' };
        let mut rest = text;
        let mut plain = String::new();
        while let Some(next) = rest.chars().next() {
            let free = next == '/' && !of_name(before) && before != '/';
            let fits = |target: &str| rest.strip_prefix(target).filter(|after| !after.starts_with(of_name));
            let found = self.0.iter().filter(|_| free).find_map(|(source, target)| Some((source, fits(target)?)));
            let Some((source, after)) = found else {
                plain.push(next);
                before = next;
                rest = rest.get(next.len_utf8()..).unwrap_or_default();
                continue;
            };
            push(out, Piece::Text(std::mem::take(&mut plain)));
            let root = source.literal().is_some_and(|text| text.trim_end_matches('/').is_empty());
            if !root {
                source.pieces.iter().for_each(|piece| push(out, piece.clone()));
            } else if !after.starts_with('/') {
                push(out, Piece::Text("/".to_owned()));
            }
            before = '/';
            rest = after;
        }
        push(out, Piece::Text(plain));
    }
}

/// A word cut at every such mark.
fn parts(word: &Word, mark: char) -> Vec<Word> {
    let mut all = vec![Word::default()];
    for piece in &word.pieces {
        let Piece::Text(text) = piece else {
            all.iter_mut().next_back().into_iter().for_each(|last| push(last, piece.clone()));
            continue;
        };
        for (at, part) in text.split(mark).enumerate() {
            if at > 0 {
                all.push(Word::default());
            }
            all.iter_mut().next_back().into_iter().for_each(|last| push(last, Piece::Text(part.to_owned())));
        }
    }
    all
}
