//! The text that a change adds, with as much around it as its diff shows: rules on content judge what is new, and may need
//! the lines beside it to understand it.
//!
//! Text that was there before and stays is never new, wherever it moves.

use palanca_core::Preview;
use palanca_core::call::Effect;
use palanca_core::gate::CheckedCall;
use palanca_core::tool::FileDelta;
use std::collections::HashMap;
use std::ops::Range;

/// One stretch of a file as it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The file, as the diff names it.
    pub(super) path: String,
    /// Its lines, each ended by `\n` alone.
    pub(super) text: String,
    /// Where in the text the new lines are, in order.
    new: Vec<Range<usize>>,
}

impl Stretch {
    fn empty(path: &str) -> Self {
        Self { path: path.to_owned(), text: String::new(), new: Vec::new() }
    }

    /// A text in which everything is new.
    pub(super) fn whole(path: &str, text: &str) -> Self {
        let mut stretch = Self::empty(path);
        text.lines().for_each(|line| stretch.push(line, Line::New));
        stretch
    }

    fn push(&mut self, line: &str, kind: Line) {
        let start = self.text.len();
        self.text.push_str(line.strip_suffix('\r').unwrap_or(line));
        self.text.push('\n');
        if kind == Line::New {
            match self.new.last_mut() {
                Some(last) if last.end == start => last.end = self.text.len(),
                _ => self.new.push(start..self.text.len()),
            }
        }
    }

    /// Whether something in this range is new.
    pub(super) fn is_new(&self, found: &Range<usize>) -> bool {
        // An empty match is where it stands.
        let end = found.end.max(found.start + 1);
        self.new.iter().any(|new| new.start < end && found.start < new.end)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    New,
    Kept,
}

/// The stretches of a unified diff that have something new. Lines are counted by the hunk's head, so that content which looks
/// like a head is content.
pub(super) fn of_diff(diff: &str) -> Vec<Stretch> {
    let mut found = Vec::new();
    let mut path = String::new();
    let mut lines = diff.split('\n');
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("+++ ") {
            let name = name.trim_end_matches('\t');
            path = name.strip_prefix("b/").unwrap_or(name).to_owned();
        }
        let Some((mut old, mut new)) = sizes(line) else { continue };
        let mut stretch = Stretch::empty(&path);
        while old + new > 0 {
            let Some(line) = lines.next() else { break };
            match line.split_at_checked(1) {
                Some(("+", text)) => {
                    new = new.saturating_sub(1);
                    stretch.push(text, Line::New);
                }
                Some(("-", _)) => old = old.saturating_sub(1),
                Some(("\\", _)) => {}
                other => {
                    old = old.saturating_sub(1);
                    new = new.saturating_sub(1);
                    stretch.push(other.map_or("", |(_, text)| text), Line::Kept);
                }
            }
        }
        if !stretch.new.is_empty() {
            found.push(stretch);
        }
    }
    found
}

/// The files of a preview that its diff cannot show, as no text or too large to compare, with the content that a call would
/// write: new as a whole.
pub(super) fn unseen<'p>(
    call: &'p CheckedCall,
    preview: &'p Preview,
) -> impl Iterator<Item = (&'p FileDelta, &'p [u8])> {
    let written = |delta: &FileDelta| {
        let writes = |effect: &Effect| matches!(effect, Effect::WriteFile { path, .. } if *path == delta.path);
        delta.added + delta.removed == 0 && call.effects().iter().any(writes)
    };
    preview.files.iter().filter(move |delta| written(delta)).filter_map(|delta| Some((delta, delta.after.as_deref()?)))
}

/// How many lines a hunk has on each side.
fn sizes(head: &str) -> Option<(usize, usize)> {
    let (old, rest) = head.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let size = |range: &str| range.split_once(',').map_or(Some(1), |(_, size)| size.parse().ok());
    Some((size(old)?, size(new)?))
}

/// The stretches of new lines between two contents.
pub(super) fn between(path: &str, before: &[u8], after: &[u8]) -> Vec<Stretch> {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let mut known: HashMap<&str, usize> = HashMap::new();
    before.lines().for_each(|line| *known.entry(line).or_default() += 1);
    let mut found = Vec::new();
    let mut stretch = Stretch::empty(path);
    for line in after.lines() {
        match known.get_mut(line) {
            Some(left) if *left > 0 => {
                *left -= 1;
                if !stretch.text.is_empty() {
                    found.push(std::mem::replace(&mut stretch, Stretch::empty(path)));
                }
            }
            _ => stretch.push(line, Line::New),
        }
    }
    if !stretch.text.is_empty() {
        found.push(stretch);
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    fn new_text(stretch: &Stretch) -> String {
        stretch.new.iter().map(|range| &stretch.text[range.clone()]).collect()
    }

    #[test]
    fn only_added_lines_are_new() {
        let diff = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n++++ b/odd\r\n three\n\\ No newline at end of file\n\
                    --- /dev/null\n+++ b/y z.py\t\n@@ -0,0 +1 @@\n+@@ -1 +1 @@\n--- a/w\n+++ b/w\n@@ -1,2 +1 @@\n a\n-b\n";
        let found = of_diff(diff);
        let shown: Vec<_> = found.iter().map(|stretch| (stretch.path.as_str(), new_text(stretch))).collect();
        let expected = [("x.py", "2\n+++ b/odd\n".to_owned()), ("y z.py", "@@ -1 +1 @@\n".to_owned())];
        assert_eq!(shown, expected);
        assert_eq!(found[0].text, "one\n2\n+++ b/odd\nthree\n");
        assert!(!found[0].is_new(&(0..3)) && found[0].is_new(&(2..5)) && !found[0].is_new(&(16..18)));
    }

    #[test]
    fn lines_that_only_moved_are_not_new() {
        let found = between("x", b"a\nb\nc\n", b"c\nnew\nb\nb\n");
        assert_eq!(found.iter().map(new_text).collect::<Vec<_>>(), ["new\n", "b\n"]);
        assert!(between("x", b"a\n", b"a\n").is_empty());
    }
}
