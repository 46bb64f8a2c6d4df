//! Writing the new text from the old one and the placed hunks.
//!
//! It decides line ends and indentation of added lines and refuses to touch any other byte.

use std::borrow::Cow;

use super::apply::{Applied, HunkReport, Placed, Reindented, signed};
use super::index::Whitespace;
use super::parsed::LineKind;
use super::reindent::Indentation;
use crate::edit::lines::{LineEnd, Lines, dominant_end};

/// Writes the new text.
pub(super) struct Output<'a> {
    old: &'a Lines<'a>,
    source: &'a str,
    text: String,
}

impl<'a> Output<'a> {
    pub(super) fn of(source: &'a str, old: &'a Lines<'a>) -> Self {
        Self { old, source, text: String::new() }
    }

    pub(super) fn write(mut self, placed: &[Placed<'_>]) -> Applied {
        let lengths = placed.iter().flat_map(|placed| &placed.body).map(|line| line.text.len() + 2);
        self.text.reserve(self.source.len() + lengths.sum::<usize>());
        let (mut next, mut added, mut removed) = (0, 0, 0);
        let mut hunks = Vec::with_capacity(placed.len());
        for hunk in placed {
            self.push(self.old.span(next..hunk.at));
            let reindented = self.hunk(hunk);
            next = hunk.at + hunk.covers;
            added += hunk.body.iter().filter(|line| line.kind == LineKind::Added).count();
            removed += hunk.body.iter().filter(|line| line.kind == LineKind::Removed).count();
            hunks.push(HunkReport {
                hunk: hunk.number,
                line: hunk.placement.at + 1,
                offset: hunk.stated.map_or(0, |stated| signed(hunk.placement.at) - signed(stated)),
                whitespace: hunk.placement.whitespace,
                others: hunk.placement.others,
                reindented,
            });
        }
        self.push(self.old.span(next..self.old.len()));
        Applied { text: self.text, hunks, added, removed }
    }

    /// Appends raw lines of the old text.
    fn push(&mut self, raw: &str) {
        if !raw.is_empty() {
            self.begin_line();
            self.text.push_str(raw);
        }
    }

    /// Two lines never become one: a line without an ending gets one when another follows.
    fn begin_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(self.usual_end().as_str());
        }
    }

    /// The ending that most lines have; only asked for where no neighbour gives one.
    fn usual_end(&self) -> LineEnd {
        match dominant_end(self.source) {
            LineEnd::None => LineEnd::Lf,
            end => end,
        }
    }

    fn hunk(&mut self, hunk: &Placed<'_>) -> Reindented {
        let literal = hunk.placement.whitespace == Whitespace::Exact;
        let indentation = indentation(self.old, hunk);
        let mut at = hunk.at;
        for line in &hunk.body {
            match line.kind {
                LineKind::Context => {
                    self.push(self.old.raw(at));
                    at += 1;
                }
                LineKind::Removed => at += 1,
                LineKind::Added => {
                    let text = indentation.as_ref().map_or(Cow::Borrowed(line.text), |rule| rule.apply(line.text));
                    // Without old lines to compare, only a plain `\n` may mean "whatever the file has".
                    let own = literal || (hunk.covers == 0 && line.end == LineEnd::CrLf);
                    let end = if own { line.end } else { self.end_near(at, line.end) };
                    self.begin_line();
                    self.text.push_str(&text);
                    self.text.push_str(end.as_str());
                }
            }
        }
        if !literal {
            self.settle_end(hunk, at);
        }
        if indentation.is_some() { Reindented::Yes } else { Reindented::No }
    }

    /// The ending of an added line that is not taken literally: as the line before it, else after it, else its own.
    fn end_near(&self, at: usize, own: LineEnd) -> LineEnd {
        let neighbours = [at.checked_sub(1), Some(at)];
        let end = neighbours.into_iter().flatten().map(|at| self.old.end(at)).find(|end| *end != LineEnd::None);
        match end {
            Some(end) => end,
            None if self.old.len() > 0 => self.usual_end(),
            None => own,
        }
    }

    /// Gives the last line of the file its ending, when an added line became the last one: as the file had it, unless
    /// the patch itself adds or takes the final newline.
    fn settle_end(&mut self, hunk: &Placed<'_>, at: usize) {
        let last_added = hunk.body.last().is_some_and(|line| line.kind == LineKind::Added);
        if at < self.old.len() || !last_added || self.old.len() == 0 {
            return;
        }
        let bare = |without: LineKind| {
            hunk.body.iter().rev().find(|line| line.kind != without).is_some_and(|line| line.end == LineEnd::None)
        };
        let (before, after) = (bare(LineKind::Added), bare(LineKind::Removed));
        let file = self.old.end(self.old.len() - 1) == LineEnd::None;
        let bare_after = if before == after { file } else { after };
        // An empty line without its break would be no line.
        let empty = hunk.body.last().is_some_and(|line| line.text.is_empty());
        if bare_after && !empty && self.text.ends_with('\n') {
            self.text.pop();
            if self.text.ends_with('\r') {
                self.text.pop();
            }
        }
    }
}

/// The rule by which added lines are indented, when the hunk matched only without indentation.
fn indentation<'x>(old: &'x Lines<'_>, hunk: &'x Placed<'_>) -> Option<Indentation<'x>> {
    if hunk.placement.whitespace != Whitespace::Indentation {
        return None;
    }
    let matched = hunk.body.iter().filter(|line| line.kind != LineKind::Added);
    Indentation::learn(matched.zip(hunk.at..).map(|(line, at)| (line.text, old.text(at))))
}
