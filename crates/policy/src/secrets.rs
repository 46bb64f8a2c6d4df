//! Secrets taken out of text: values that configuration and environment handed out, in the usual encodings, and tokens whose
//! shape tells what they are. It never decides what a caller may do, but for two guards: a file must not be overwritten with
//! the mark that stands where a secret was, and no known value leaves for a host.
//!
//! The surprising decision: a name alone (`password: …`) redacts only what looks random or stands where no program text
//! would, because results are mostly source code, and code that was redacted cannot be worked on.

mod decoded;
mod encodings;
mod known;
mod learned;
mod looks;
mod named;
mod search;
mod sent;
mod shapes;
mod sieve;
mod stream;
mod written;

use known::Known;
use palanca_core::ports::{RedactStream, Redactor};
use search::Search;
use std::borrow::Cow;
use std::sync::Arc;

pub use learned::Learned;
pub use sent::SentSecret;
pub use written::WrittenMark;

/// How every mark begins that stands where a secret was.
pub const MARK: &str = "[REDACTED:";
/// A shorter value is not searched for: it would be found everywhere.
pub const SHORTEST: usize = palanca_core::ports::SHORTEST_SECRET;

/// Takes secrets out of text. Cheap to clone and to share.
#[derive(Clone)]
pub struct Secrets {
    search: Arc<Search>,
}

impl Secrets {
    /// `values` are secrets in full, each with the name that is shown in its place: `[REDACTED:name]`. Values shorter than
    /// [`SHORTEST`] bytes and those that are plainly no secret (`true`, `localhost`, a placeholder) are left out.
    pub fn new(values: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { search: Arc::new(Search::new(values)) }
    }

    /// The same, with values that become known later.
    #[must_use]
    pub fn sharing(self, learned: &Learned) -> Self {
        Self { search: Arc::new(Search { known: Arc::clone(&self.search.known), learned: learned.clone() }) }
    }

    /// Whether a text holds a secret.
    #[must_use]
    pub fn finds(&self, text: &str) -> bool {
        matches!(self.redact(text), Cow::Owned(_))
    }
}

impl Redactor for Secrets {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.search.find(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut clean = String::with_capacity(text.len());
        let mut done = 0;
        for secret in found {
            clean.push_str(text.get(done..secret.start).unwrap_or_default());
            clean.push_str(&secret.mark());
            done = secret.end;
        }
        clean.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(clean)
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        Box::new(stream::Stream::new(Arc::clone(&self.search)))
    }
}

/// The bytes that a word may stand for, wherever in it they begin: as base64, and as hex for each run of its digits; few or
/// none where it is neither.
pub(crate) fn bytes_of(word: &str) -> impl Iterator<Item = Vec<u8>> {
    let base64 = (0..4).map(move |at| encodings::base64_decoded(word.get(at..).unwrap_or_default()));
    let runs = word.split(|one: char| !one.is_ascii_hexdigit()).filter(|run| run.len() >= 16);
    let hex = runs.flat_map(move |run| (0..2).map(move |at| encodings::hex_decoded(run.get(at..).unwrap_or_default())));
    base64.chain(hex).filter(|bytes| bytes.len() >= 8)
}

/// A secret's place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    start: usize,
    end: usize,
    kind: Cow<'static, str>,
}

impl Found {
    fn new(start: usize, end: usize, kind: impl Into<Cow<'static, str>>) -> Self {
        Self { start, end, kind: kind.into() }
    }

    fn mark(&self) -> String {
        format!("{MARK}{}]", self.kind)
    }
}

#[cfg(test)]
mod tests;
