//! How well a passage answers a question, from 0 to 1, more is better: BM25 as a part of what it could be at most, so that a score means
//! the same in a memory of three notes and of thirty thousand. The usual form, which is not bounded, falls to nothing where most
//! notes have the word.

use crate::query::{Query, Term};
use std::collections::HashMap;

/// How soon repeating a word stops to matter, and how much the length of a passage does.
const SATURATION: f64 = 0.8;
const LENGTH: f64 = 0.6;
/// What a word counts in another form than the one that was asked for.
const OTHER_FORM: f64 = 0.8;
/// How often the beginning of a longer word counts.
const BEGINNING: f64 = 0.5;
/// Days after which half of what age can take is gone, and what it can take.
const HALF_LIFE: f64 = 30.0;
const AGE: f64 = 0.3;

/// All passages that are searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Corpus {
    /// How many.
    pub passages: u64,
    /// The words of one, on average.
    pub mean_words: f64,
    /// For each term of the query, in its order: how many passages have it.
    pub with: Vec<u64>,
}

/// One passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<'p> {
    /// As [`Stems::of`](crate::Stems::of) wrote them.
    pub stems: &'p str,
    /// Its words.
    pub words: u32,
    /// Its age in days, where it has one.
    pub age: Option<f64>,
}

/// The score of a passage.
#[must_use]
pub fn score(query: &Query, corpus: &Corpus, candidate: &Candidate<'_>) -> f64 {
    let mut counts = HashMap::<&str, f64>::new();
    for form in candidate.stems.split_ascii_whitespace() {
        *counts.entry(form).or_default() += 1.0;
    }
    let length = 1.0 - LENGTH + LENGTH * f64::from(candidate.words) / corpus.mean_words.max(1.0);
    let (mut reached, mut most) = (0.0, 0.0);
    for (at, term) in query.terms().iter().enumerate() {
        let with = corpus.with.get(at).copied().unwrap_or(0);
        // Whoever asks uses little words that nobody notes; and a passage that has only such ones answers nothing.
        if at >= query.telling().len() && (with == 0 || reached == 0.0) {
            continue;
        }
        let weight = rarity(corpus, with);
        let often = often(&counts, term);
        let is_there = term.forms.first().is_some_and(|word| counts.contains_key(&**word));
        let form = if is_there { 1.0 } else { OTHER_FORM };
        reached += weight * form * often / (often + SATURATION * length);
        most += weight;
    }
    let plain = if most > 0.0 { reached / most } else { 0.0 };
    aged(plain, candidate.age)
}

/// A score with what age takes of it, in days.
#[must_use]
pub fn aged(score: f64, age: Option<f64>) -> f64 {
    score * age.map_or(1.0, |days| 1.0 - AGE + AGE * 0.5_f64.powf(days.max(0.0) / HALF_LIFE))
}

/// Always above 0, so that a word which every passage has still counts.
fn rarity(corpus: &Corpus, with: u64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "nobody has so many notes")]
    let (all, with) = (corpus.passages as f64, with as f64);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln().max(0.05)
}

/// How often a passage has a word: its most frequent form, since one word is there in several.
fn often(counts: &HashMap<&str, f64>, term: &Term) -> f64 {
    let exact = term.forms.iter().filter_map(|form| counts.get(&**form)).copied().fold(0.0, f64::max);
    match term.beginning() {
        Some(word) if exact == 0.0 => {
            let longer = counts.iter().filter(|(form, _)| form.starts_with(word)).map(|(_, count)| *count);
            BEGINNING * longer.fold(0.0, f64::max)
        }
        _ => exact,
    }
}

#[cfg(test)]
mod tests;
