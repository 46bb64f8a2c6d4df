//! What was found, by words, by meaning, or by both, in one order: by the places in both, so that two kinds of score need not be compared.

use super::conversations;
use jiff::civil::Date;
use palanca_core::Message;
use palanca_core::ports::{FoundPassage, NewPassage};
use palanca_memory::fused;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How a passage is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Words,
    Meaning,
}

/// A passage with its scores.
pub(super) struct Hit {
    pub(super) found: FoundPassage,
    date: Option<Date>,
    words: Option<f64>,
    meaning: Option<f64>,
}

/// Passages by where they are, the latest one last.
pub(super) struct Hits {
    least: f64,
    all: BTreeMap<(String, u64, u64), Hit>,
}

impl Hits {
    /// None yet; what has a lower score is no hit.
    pub(super) const fn new(least: f64) -> Self {
        Self { least, all: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, by: By, score: f64, found: FoundPassage, date: Option<Date>) {
        if score < self.least {
            return;
        }
        let place = (found.source.clone(), found.passage.first, found.passage.last);
        let hit = self.all.entry(place).or_insert(Hit { found, date, words: None, meaning: None });
        match by {
            By::Words => hit.words = Some(score),
            By::Meaning => hit.meaning = Some(score),
        }
    }

    /// The best, first ones first; of equal ones the later note.
    pub(super) fn best(self, most: usize) -> Vec<Hit> {
        let hits: Vec<Hit> = self.all.into_values().collect();
        let mut weights = vec![0.0; hits.len()];
        for score in [|hit: &Hit| hit.words, |hit: &Hit| hit.meaning] {
            let mut order: Vec<(usize, f64)> =
                hits.iter().enumerate().filter_map(|(at, hit)| Some((at, score(hit)?))).collect();
            order.sort_by(|(one, first), (other, second)| second.total_cmp(first).then(other.cmp(one)));
            for (place, (at, _)) in order.into_iter().enumerate() {
                if let Some(weight) = weights.get_mut(at) {
                    *weight += fused([place]);
                }
            }
        }
        let mut hits: Vec<(f64, Hit)> = weights.into_iter().zip(hits).rev().collect();
        hits.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        hits.into_iter().map(|(_, hit)| hit).take(most).collect()
    }
}

impl Hit {
    /// The better one.
    fn score(&self) -> f64 {
        self.words.unwrap_or(0.0).max(self.meaning.unwrap_or(0.0))
    }

    const fn via(&self) -> &'static str {
        match (self.words, self.meaning) {
            (_, None) => "keyword",
            (None, _) => "vector",
            _ => "both",
        }
    }

    /// The path that is shown.
    fn path(&self) -> &str {
        conversations::shown(&self.found.source).unwrap_or(&self.found.source)
    }

    pub(super) fn heading(&self, number: u64) -> Message {
        let NewPassage { first, last, .. } = self.found.passage;
        let (path, score) = (self.path(), format!("{:.2}", self.score()));
        let is_said = conversations::shown(&self.found.source).is_some();
        let heading = Message::new(if is_said { "memory-hit-said" } else { "memory-hit" })
            .with("number", number)
            .with("path", path)
            .with("first", first)
            .with("last", last)
            .with("score", score)
            .with("via", self.via());
        if is_said { heading.with("date", self.date.map(|date| date.to_string()).unwrap_or_default()) } else { heading }
    }

    pub(super) fn data(&self) -> Value {
        let NewPassage { first, last, text, foreign, .. } = &self.found.passage;
        let kind = if conversations::shown(&self.found.source).is_some() { "session" } else { "memory" };
        json!({
            "path": self.path(), "kind": kind, "first": first, "last": last, "score": self.score(), "via": self.via(),
            "date": self.date.map(|date| date.to_string()), "foreign": foreign, "text": text,
        })
    }
}
