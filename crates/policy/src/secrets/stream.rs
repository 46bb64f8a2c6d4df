//! Redaction of text in pieces. What could be the beginning of a secret is held back: the last run of characters that a
//! token may consist of, what a known value begins with, a private key until its end. What was given out is remembered for a
//! while, because a name that gives a value away may be part of it.

use super::Found;
use super::search::Search;
use palanca_core::ports::RedactStream;
use std::sync::Arc;

/// Bytes that were given out and are still looked at.
const CONTEXT: usize = 256;
/// More is not held back: a run this long is given out, and the rest of a secret that was found in it is swallowed.
const MOST_HELD: usize = 64 << 10;

pub(super) struct Stream {
    search: Arc<Search>,
    /// Given out first, then held back.
    text: String,
    /// Where the second part begins.
    given: usize,
    /// A secret was given out as found while it may go on: characters that could belong to it are dropped.
    swallowing: bool,
}

impl Stream {
    pub(super) fn new(search: Arc<Search>) -> Self {
        Self { search, text: String::new(), given: 0, swallowing: false }
    }

    /// Gives out everything before `until`, redacted.
    fn give(&mut self, until: usize, found: &[Found]) -> String {
        let mut out = String::new();
        let mut done = self.given;
        for secret in found.iter().filter(|secret| secret.end > self.given && secret.start < until) {
            let start = secret.start.max(self.given);
            out.push_str(self.text.get(done..start).unwrap_or_default());
            out.push_str(&secret.mark());
            done = secret.end;
        }
        let end = until.max(done);
        out.push_str(self.text.get(done..end).unwrap_or_default());
        self.given = end;
        let forget = self.given.saturating_sub(CONTEXT);
        let forget = (forget..=self.given).find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        self.text.drain(..forget);
        self.given -= forget;
        out
    }

    /// The first byte that must wait.
    fn hold(&self) -> usize {
        let text = self.text.as_str();
        let run = text
            .char_indices()
            .rev()
            .take_while(|(at, character)| *at >= self.given && in_run(*character))
            .last()
            .map_or(text.len(), |(at, _)| at);
        let pending = text.get(self.given..).unwrap_or_default();
        let key =
            pending.rfind("-----BEGIN").map(|at| (at, pending.get(at..).unwrap_or_default())).and_then(|(at, key)| {
                let open =
                    key.find("-----END").is_none_or(|end| !key.get(end + 8..).unwrap_or_default().contains("-----"));
                let header = key.get(10..).unwrap_or_default();
                let private = match header.split_once("-----") {
                    Some((header, _)) => header.contains("PRIVATE KEY"),
                    None => header.len() < 64,
                };
                (open && private).then_some(self.given + at)
            });
        let quoted = self.open_quote();
        let known = self.search.begun(text).max(self.given);
        run.min(known).min(key.unwrap_or(usize::MAX)).min(quoted.unwrap_or(usize::MAX)).max(self.given)
    }

    /// A scheme (`Bearer`) whose value has not begun is no secret yet; a run right behind it is held as every run is. Blanks
    /// at the end are held, so that a value which is broken by them can be put together.
    fn open_quote(&self) -> Option<usize> {
        let text = self.text.as_str();
        let trimmed = text.trim_end_matches(|character: char| character.is_ascii_whitespace());
        (trimmed.len() < text.len() && trimmed.len() >= self.given && self.search.begun(trimmed) < trimmed.len())
            .then(|| self.search.begun(trimmed))
    }
}

/// Whether a token may hold this character, or hide it.
const fn in_run(character: char) -> bool {
    character.is_ascii_graphic() || crate::marking::is_hidden(character)
}

impl RedactStream for Stream {
    fn push(&mut self, piece: &str) -> String {
        let mut piece = piece;
        if self.swallowing {
            let rest = piece.trim_start_matches(|character: char| in_run(character));
            self.swallowing = rest.is_empty();
            piece = rest;
        }
        self.text.push_str(piece);
        let mut until = self.hold();
        if until == self.given && self.text.len() - self.given <= MOST_HELD {
            return String::new();
        }
        let found = self.search.find(&self.text);
        if self.text.len() - until > MOST_HELD {
            until = self.text.len();
            self.swallowing = found.last().is_some_and(|secret| secret.end == until);
        } else if let Some(open) = found.iter().find(|secret| secret.start < until && secret.end > until) {
            until = open.start.max(self.given);
        }
        self.give(until, &found)
    }

    fn finish(&mut self) -> String {
        let found = self.search.find(&self.text);
        self.swallowing = false;
        self.give(self.text.len(), &found)
    }
}
