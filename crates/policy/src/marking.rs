//! Marks around foreign text, and what makes such text harmless: it cannot end its own marks, speak in a model's control
//! tokens, or carry what a reader does not see. It refuses nothing and rewrites as little as it can: the words stay, in
//! their own alphabet.
//!
//! The surprising decision: a forged mark is not removed but split by one inserted word, because what is removed can make
//! a new mark of its two halves.

mod escapes;
mod forged;
mod letters;
mod shown;
mod tokens;
mod visible;

use palanca_core::ports::Marker;
use std::borrow::Cow;

pub use forged::imitates_mark;
pub use shown::{ShownPieces, shown_line, shown_lines};
pub use visible::is_hidden;
pub(crate) use visible::skip_sequence;

/// The name in both marks; the document of the bots fixes it.
pub const NAME: &str = "EXTERNAL_UNTRUSTED_CONTENT";
/// A source is cut to this many characters.
const SOURCE_CHARS: usize = 200;
/// What is left of a text that still imitates a mark after all that is done against it.
const WITHHELD: &str = "[text withheld: it imitates the marks around foreign text]";

/// Where the marks' random numbers come from.
pub type Nonces = dyn Fn() -> u128 + Send + Sync;

/// Marks foreign text:
///
/// ```text
/// <<<EXTERNAL_UNTRUSTED_CONTENT id=0123456789abcdef0123456789abcdef>>>
/// Source: web_fetch
/// ---
/// the text
/// <<<END_EXTERNAL_UNTRUSTED_CONTENT id=0123456789abcdef0123456789abcdef>>>
/// ```
///
/// The id is 128 random bits, new for each call, and never occurs in the text. The whole is at most half as long again as the
/// text, and 1,200 bytes; the time is linear.
pub struct ExternalMarker {
    nonces: Box<Nonces>,
}

impl ExternalMarker {
    /// `nonces` gives 128 unpredictable bits, new ones each time.
    pub fn new(nonces: impl Fn() -> u128 + Send + Sync + 'static) -> Self {
        Self { nonces: Box::new(nonces) }
    }
}

impl Marker for ExternalMarker {
    fn mark(&self, text: &str, source: &str) -> String {
        let body = harmless(text);
        let source: String = harmless(source).split_whitespace().collect::<Vec<_>>().join(" ");
        let source: String = source.chars().take(SOURCE_CHARS).collect();
        let folded = (body.to_ascii_lowercase(), source.to_ascii_lowercase());
        let free = |id: &String| !folded.0.contains(id) && !folded.1.contains(id);
        // The addition ends the search also where the source of numbers is stuck.
        let ids = (0_u128..).map(|more| format!("{:032x}", (self.nonces)().wrapping_add(more)));
        let id = ids.into_iter().find(free).unwrap_or_default();
        format!("<<<{NAME} id={id}>>>\nSource: {source}\n---\n{body}\n<<<END_{NAME} id={id}>>>")
    }

    fn tame(&self, text: &str) -> String {
        harmless(text).into_owned()
    }
}

/// The text without what hides, controls, or imitates a mark.
fn harmless(text: &str) -> Cow<'_, str> {
    let seen = visible::only_visible(text);
    let tamed = match tokens::without_tokens(&seen) {
        Cow::Owned(tamed) => Cow::Owned(tamed),
        Cow::Borrowed(_) => seen,
    };
    forged::split(tamed).unwrap_or(Cow::Borrowed(WITHHELD))
}

#[cfg(test)]
mod tests;
