//! `memory_get`.

use crate::files::LineRange;
use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};
use crate::soul::MemoryFile;

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
        MemoryFile::new(&self.path, lines, options)
    }
}
