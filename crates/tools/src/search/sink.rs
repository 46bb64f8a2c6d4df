//! Collects the lines of one file from the searcher, up to the limit and the context of the last hit.

use super::line::{Line, Role};
use super::matcher::LineMatcher;
use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};
use std::io;

/// The lines of one file.
pub(super) struct Lines<'a> {
    matcher: &'a LineMatcher,
    limits: Limits,
    pub lines: Vec<Line>,
    pub hits: usize,
    /// The last line that belongs to the result, once there are enough hits.
    last: Option<u64>,
    /// Whether the searcher met a NUL.
    pub binary: bool,
}

/// How much of one file is collected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Hits. One more is collected, as proof.
    pub hits: usize,
    /// Lines around a hit.
    pub context: u64,
    /// Characters of a line.
    pub line: usize,
}

impl<'a> Lines<'a> {
    pub fn new(matcher: &'a LineMatcher, limits: Limits) -> Self {
        Self { matcher, limits, lines: Vec::new(), hits: 0, last: None, binary: false }
    }

    /// Hands out what was collected, and begins anew.
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(self.matcher, self.limits))
    }

    /// Takes back what [`Lines::take`] handed out.
    pub fn put(&mut self, taken: Self) {
        *self = taken;
    }
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let number = found.line_number().unwrap_or_default();
        let bytes = found.bytes();
        // Only a line that must be cut is searched again for where the match is.
        let around = if bytes.len() > self.limits.line {
            let found = self.matcher.find(bytes).map_err(io::Error::other)?;
            found.map(|found| found.start()..found.end())
        } else {
            None
        };
        self.lines.push(Line::new((number, Role::Hit), bytes, self.limits.line, around));
        self.hits = self.hits.saturating_add(1);
        if self.hits == self.limits.hits {
            self.last = Some(number.saturating_add(self.limits.context));
        }
        Ok(self.hits <= self.limits.hits || self.last.is_some_and(|last| number < last))
    }

    fn context(&mut self, _searcher: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        let number = context.line_number().unwrap_or_default();
        self.lines.push(Line::new((number, Role::Context), context.bytes(), self.limits.line, None));
        Ok(true)
    }

    fn binary_data(&mut self, _searcher: &Searcher, _offset: u64) -> Result<bool, io::Error> {
        self.binary = true;
        Ok(false)
    }

    fn finish(&mut self, _searcher: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.binary |= end.binary_byte_offset().is_some();
        Ok(())
    }
}

/// Keeps the first `limit` hits of a file's lines with their context; later hits that stand in it become context.
pub(super) fn keep_first(lines: &mut Vec<Line>, limit: usize, context: u64) {
    let last = lines.iter().filter(|line| line.role == Role::Hit).nth(limit.saturating_sub(1)).map(|line| line.number);
    let Some(last) = last.filter(|_| limit > 0) else { return };
    lines.retain_mut(|line| {
        if line.number > last {
            line.role = Role::Context;
        }
        line.number <= last.saturating_add(context)
    });
}
