//! Unified diffs of two versions of one file, in the form that `git apply` and GNU `patch` accept.
//!
//! It owns rendering and counting; it refuses to know where texts come from. The surprising decision: the unchanged
//! head and tail are cut off by comparing bytes before anything is split into lines, so a one-line edit of a file of
//! 100,000 lines costs two memory comparisons and a diff of seven lines. Changes beyond `COMPARED` bytes are not compared
//! line by line, and no diff is longer than `LONGEST` bytes: it then ends with a line that says how much is left out.

mod taken_apart;

pub use taken_apart::{DiffLine, Pair, Piece, kinds, words};

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::{Duration, Instant};

use memchr::{memchr, memchr_iter, memrchr};
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, group_diff_ops};

use super::lines::Lines;

/// Lines of unchanged text around each change.
const CONTEXT: usize = 3;
/// After this, `similar` stops looking for the shortest diff and gives a correct, coarser one.
const BUDGET: Duration = Duration::from_millis(250);
/// Bytes of both texts together that differ and are still compared line by line; more are one block that goes and one that
/// comes.
const COMPARED: usize = 16 << 20;
/// Bytes of a rendered diff, the last line aside.
const LONGEST: usize = 1 << 20;
/// Bytes compared at once while looking for the first difference.
const CHUNK: usize = 4096;

/// How many lines a change adds and removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Stat {
    /// Lines that only the new version has.
    pub added: usize,
    /// Lines that only the old version has.
    pub removed: usize,
}

/// A rendered diff and its size.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Diff {
    /// Unified diff, empty when nothing changed. One that would be longer than 1 MiB is cut and ends with
    /// `\ … (+ADDED -REMOVED)`, the lines that are left out.
    pub text: String,
    /// Lines added and removed.
    pub stat: Stat,
}

/// Diffs one file: `None` on a side means that the file does not exist there (`/dev/null`).
///
/// A created or deleted empty file has no hunk, so it is shown by git's own header instead. Two absent sides, or two
/// equal texts, give an empty diff.
#[must_use]
pub fn unified(path: &str, before: Option<&str>, after: Option<&str>) -> Diff {
    let changes = Changes::between(before.unwrap_or(""), after.unwrap_or(""));
    let mut text = String::new();
    match (before, after) {
        (None, None) => return Diff::default(),
        (Some(_), Some(_)) if changes.ops.is_empty() => return Diff::default(),
        (None, Some("")) => git_header(&mut text, path, "new file mode 100644\nindex 0000000..e69de29\n"),
        (Some(""), None) => git_header(&mut text, path, "deleted file mode 100644\nindex e69de29..0000000\n"),
        _ => {
            file_line(&mut text, "--- ", before.map(|_| ("a/", path)));
            file_line(&mut text, "+++ ", after.map(|_| ("b/", path)));
        }
    }
    changes.render(&mut text);
    Diff { text, stat: changes.stat() }
}

/// Diffs a file that moved from one path to another, with permission bits on each side and git's rename headers.
#[must_use]
pub fn unified_rename(from: &str, to: &str, before: (&str, u32), after: (&str, u32)) -> Diff {
    let changes = Changes::between(before.0, after.0);
    let mut text = format!("diff --git {} {}\n", in_header("a/", from), in_header("b/", to));
    if mode(before) != mode(after) {
        text.push_str(&format!("old mode {}\nnew mode {}\n", mode(before), mode(after)));
    }
    if changes.ops.is_empty() {
        text.push_str("similarity index 100%\n");
    }
    let _infallible = writeln!(text, "rename from {}\nrename to {}", quoted("", from), quoted("", to));
    if !changes.ops.is_empty() {
        file_line(&mut text, "--- ", Some(("a/", from)));
        file_line(&mut text, "+++ ", Some(("b/", to)));
    }
    changes.render(&mut text);
    Diff { text, stat: changes.stat() }
}

/// As [`unified`], with permission bits on each side and always with git's header: sections with and without one do not mix,
/// because `git apply` takes what follows a header without a hunk for more of the same file.
#[must_use]
pub fn unified_with_modes(path: &str, before: Option<(&str, u32)>, after: Option<(&str, u32)>) -> Diff {
    let Diff { text, stat } = unified(path, before.map(|(text, _)| text), after.map(|(text, _)| text));
    let modes = match (before.map(mode), after.map(mode)) {
        (None, Some(new)) => format!("new file mode {new}\n"),
        (Some(old), None) => format!("deleted file mode {old}\n"),
        (Some(old), Some(new)) if old != new => format!("old mode {old}\nnew mode {new}\n"),
        _ if text.is_empty() => return Diff { text, stat },
        _ => String::new(),
    };
    let mut whole = String::new();
    git_header(&mut whole, path, &modes);
    // An empty file has that header already, and nothing but it.
    match text.split_once("\nindex ") {
        Some((header, rest)) if header.starts_with("diff --git") => whole.push_str(&format!("index {rest}")),
        _ => whole.push_str(&text),
    }
    Diff { text: whole, stat }
}

/// As git stores it: executable or not.
const fn mode((_, mode): (&str, u32)) -> &'static str {
    if mode & 0o111 == 0 { "100644" } else { "100755" }
}

/// Counts added and removed lines without rendering.
#[must_use]
pub fn stat(before: &str, after: &str) -> Stat {
    Changes::between(before, after).stat()
}

fn git_header(out: &mut String, path: &str, rest: &str) {
    let _infallible = write!(out, "diff --git {} {}\n{rest}", in_header("a/", path), in_header("b/", path));
}

/// A name with a space gets a tab after it, as git writes it: GNU `patch` cuts names at white space otherwise.
fn file_line(out: &mut String, lead: &str, name: Option<(&str, &str)>) {
    out.push_str(lead);
    match name {
        None => out.push_str("/dev/null"),
        Some((prefix, path)) => {
            out.push_str(&quoted(prefix, path));
            if path.contains(' ') {
                out.push('\t');
            }
        }
    }
    out.push('\n');
}

/// Two names on one line: GNU `patch` finds out where the first one ends only when it is quoted.
fn in_header(prefix: &str, path: &str) -> String {
    let name = quoted(prefix, path);
    if name.contains(' ') && !name.starts_with('"') { format!("\"{name}\"") } else { name }
}

/// Git's C-style quoting, used only for names that would break the line or the quoting itself.
fn quoted(prefix: &str, path: &str) -> String {
    if !path.chars().any(|c| c.is_control() || c == '"' || c == '\\') {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for c in path.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _infallible = write!(out, "\\{byte:03o}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The part of both texts that differs, with its context, as lines and edit operations.
struct Changes<'a> {
    old: Lines<'a>,
    new: Lines<'a>,
    /// Lines before the window, the same on both sides.
    skipped: usize,
    ops: Vec<DiffOp>,
}

impl<'a> Changes<'a> {
    fn between(old: &'a str, new: &'a str) -> Self {
        let window = Window::of(old.as_bytes(), new.as_bytes());
        let head = old.as_bytes().get(..window.start).unwrap_or_default();
        let old_lines = Lines::of(old.get(window.start..window.old_end).unwrap_or(""));
        let new_lines = Lines::of(new.get(window.start..window.new_end).unwrap_or(""));
        let ops = if old == new { Vec::new() } else { operations(&old_lines, &new_lines) };
        Self { skipped: memchr_iter(b'\n', head).count(), old: old_lines, new: new_lines, ops }
    }

    fn stat(&self) -> Stat {
        let mut stat = Stat::default();
        for op in &self.ops {
            if !matches!(op, DiffOp::Equal { .. }) {
                stat.removed += op.old_range().len();
                stat.added += op.new_range().len();
            }
        }
        stat
    }

    fn render(&self, out: &mut String) {
        let (mut left_out, longest) = (Stat::default(), out.len() + LONGEST);
        for group in group_diff_ops(self.ops.clone(), CONTEXT) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            if out.len() < longest {
                out.push_str("@@ -");
                self.range(out, first.old_range().start..last.old_range().end);
                out.push_str(" +");
                self.range(out, first.new_range().start..last.new_range().end);
                out.push_str(" @@\n");
            }
            for op in group {
                if matches!(op, DiffOp::Equal { .. }) {
                    push_lines(out, ' ', (&self.old, op.old_range()), longest);
                } else {
                    left_out.removed += push_lines(out, '-', (&self.old, op.old_range()), longest);
                    left_out.added += push_lines(out, '+', (&self.new, op.new_range()), longest);
                }
            }
        }
        if out.len() > longest {
            let _infallible = writeln!(out, "\\ … (+{} -{})", left_out.added, left_out.removed);
        }
    }

    /// `start,count`; a count of 1 is left out, and an empty range names the line before it, as in every unified diff.
    fn range(&self, out: &mut String, lines: Range<usize>) {
        let start = self.skipped + lines.start + usize::from(!lines.is_empty());
        let _infallible = match lines.len() {
            1 => write!(out, "{start}"),
            count => write!(out, "{start},{count}"),
        };
    }
}

/// Adds the lines until the text is `longest` bytes, and returns how many were left out or cut off.
fn push_lines(out: &mut String, sign: char, (lines, range): (&Lines<'_>, Range<usize>), longest: usize) -> usize {
    let end = range.end;
    for line in range {
        let Some(room) = longest.checked_sub(out.len()) else { return end - line };
        let raw = lines.raw(line);
        out.push(sign);
        if raw.len() > room {
            out.push_str(raw.get(..raw.floor_char_boundary(room)).unwrap_or_default());
            out.push_str("…\n");
            return end - line;
        }
        out.push_str(raw);
        if !raw.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
    0
}

/// Numbers stand for lines while comparing: one hash a line instead of one string comparison a step.
fn operations(old: &Lines<'_>, new: &Lines<'_>) -> Vec<DiffOp> {
    if old.bytes() + new.bytes() > COMPARED {
        return vec![DiffOp::Replace { old_index: 0, old_len: old.len(), new_index: 0, new_len: new.len() }];
    }
    let mut numbers = HashMap::with_capacity(old.len() + new.len());
    let mut number = |raw| {
        let next = numbers.len();
        *numbers.entry(raw).or_insert(next)
    };
    let before: Vec<usize> = old.iter().map(&mut number).collect();
    let after: Vec<usize> = new.iter().map(&mut number).collect();
    let deadline = Instant::now().checked_add(BUDGET);
    capture_diff_slices_deadline(Algorithm::Myers, &before, &after, deadline)
}

/// Byte ranges that hold every difference plus context, starting at the same offset in both texts.
struct Window {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Window {
    fn of(old: &[u8], new: &[u8]) -> Self {
        let head = line_start(old, common_prefix(old, new));
        let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
        let mut tail = common_suffix(old_rest, new_rest);
        let at_line_start = |text: &[u8]| {
            let at = text.len() - tail;
            at == 0 || text.get(at - 1) == Some(&b'\n')
        };
        if !(at_line_start(old_rest) && at_line_start(new_rest)) {
            let shared = old_rest.get(old_rest.len() - tail..).unwrap_or_default();
            tail = memchr(b'\n', shared).map_or(0, |at| shared.len() - at - 1);
        }
        let shared = old.get(old.len() - tail..).unwrap_or_default();
        let kept = memchr_iter(b'\n', shared).take(CONTEXT).last().map_or(shared.len(), |at| at + 1);
        let kept = if memchr_iter(b'\n', shared).take(CONTEXT).count() < CONTEXT { shared.len() } else { kept };
        let mut start = head;
        for _ in 0..CONTEXT {
            start = line_start(old, start.saturating_sub(1));
        }
        Self { start, old_end: old.len() - tail + kept, new_end: new.len() - tail + kept }
    }
}

/// Start of the line that holds byte `at`.
fn line_start(text: &[u8], at: usize) -> usize {
    memrchr(b'\n', text.get(..at).unwrap_or(text)).map_or(0, |newline| newline + 1)
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let mut length = 0;
    for (left, right) in a.chunks(CHUNK).zip(b.chunks(CHUNK)) {
        if left == right {
            length += left.len();
        } else {
            return length + left.iter().zip(right).take_while(|(x, y)| x == y).count();
        }
    }
    length
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let mut length = 0;
    for (left, right) in a.rchunks(CHUNK).zip(b.rchunks(CHUNK)) {
        if left == right {
            length += left.len();
        } else {
            return length + left.iter().rev().zip(right.iter().rev()).take_while(|(x, y)| x == y).count();
        }
    }
    length
}

#[cfg(test)]
mod tests;
