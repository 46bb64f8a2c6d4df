//! `memory_search` and `memory_get`.

use crate::files::LineRange;
use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};
use crate::soul;

#[derive(Args)]
pub(crate) struct MemorySearch {
    /// What you want to know, in words that a note about it would have.
    query: String,
    /// The most passages to show. Leave out for the configured number, usually 5.
    #[arg(rename = "maxResults", min = 1, max = 100)]
    max_results: Option<u32>,
    /// The lowest score, from 0 to 1, of a passage that is shown. Leave out for the configured one, usually 0.1.
    #[arg(rename = "minScore")]
    min_score: Option<f64>,
}

impl Offer for MemorySearch {
    const NAME: &'static str = "memory_search";
    const DESCRIPTION: &'static str = "Search your memory: daily logs, older notes and earlier conversations. Shows the passages that match best, with file, lines and score; memory_get reads around those in files. Search before you answer about people, preferences or what was before.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let foreign = soul::Foreign::Found;
        soul::MemorySearch { query: &self.query, most: self.max_results, least: self.min_score, foreign, options }
    }
}

#[derive(Args)]
pub(crate) struct MemoryGet {
    /// File of your memory, from your own folder: `memory/2026-11-28.md`.
    path: String,
    /// First line to show, counted from 1.
    #[arg(min = 1)]
    from: Option<u64>,
    /// The most lines to show. Leave out to read to the end.
    #[arg(min = 1)]
    lines: Option<u64>,
}

impl Offer for MemoryGet {
    const NAME: &'static str = "memory_get";
    const DESCRIPTION: &'static str = "Read a file of your memory with line numbers, whole or from line `from` on for `lines` lines: what stands around something that you remember.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;
    const LANE: Lane = Lane::Reading;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let first = self.from.unwrap_or(1);
        let lines = LineRange {
            start: (first > 1).then_some(first),
            end: self.lines.map(|lines| first.saturating_add(lines) - 1),
        };
        soul::MemoryFile::new(&self.path, lines, options)
    }
}
