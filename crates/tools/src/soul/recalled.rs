//! What a bot's memory has on some words, looked for unasked. No toolset offers this: whoever makes a bot's prompt calls it for itself.
//! Foreign text is not found here, because nobody decided to read it.

use super::{Foreign, MemorySearch};
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use palanca_memory::LONGEST_QUERY;

#[derive(Args)]
pub(crate) struct MemoryRecalled {
    /// The words; the first of them count.
    words: String,
    /// The most passages.
    most: u32,
    /// The lowest score, 0 to 1.
    least: f64,
}

impl Offer for MemoryRecalled {
    const NAME: &'static str = "memory_recalled";
    const DESCRIPTION: &'static str = "Looks for what the memory has on some words.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let end = self.words.char_indices().nth(LONGEST_QUERY).map_or(self.words.len(), |(end, _)| end);
        let query = self.words.get(..end).unwrap_or_default();
        let (most, least) = (Some(self.most), Some(self.least));
        MemorySearch { query, most, least, foreign: Foreign::LeftOut, options }
    }
}
