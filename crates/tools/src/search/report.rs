//! Search results: hits in the documented layout of each tool, and notes on skipped files.

use super::find_text::{FilePattern, FindText};
use super::{Counts, End, FileHits, Found, LeftOut, Line, Role};
use crate::files::{one_line, shown};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::Visit;
use palanca_core::{Message, Output, Text};
use serde_json::json;
use std::fmt::Write as _;

/// How hits are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A file's name on a line, then its lines as `read_file` numbers them, hits marked with `>`.
    Listing,
    /// `file:line` before each group, then its lines; hits marked with `>`.
    Groups,
    /// One hit a line: `file:line:text`.
    Lines,
}

/// The result of a search in text.
pub(super) fn text(query: &FindText<'_>, start: &CanonicalPath, found: &Found) -> Output {
    let mut text = Text::new();
    if found.hits == 0 {
        text = text.line(Message::new("search-nothing").with("pattern", query.pattern).with("path", shown(start)));
    } else {
        if query.layout == Layout::Groups {
            let message = Message::new("search-found").with("hits", found.hits).with("pattern", query.pattern);
            text = text.line(message).line("");
        }
        text = text.line(body(query.layout, &found.files));
    }
    text = notes(query, found).into_iter().fold(text, Text::line);
    let data = json!({
        "hits": found.hits,
        "files": found.files.iter().map(file_data).collect::<Vec<_>>(),
        "end": end_data(found.end),
        "searched": found.counts.searched,
        "excluded": found.counts.excluded,
        "binary": found.counts.binary,
        "secret": found.counts.secret,
        "too_large": found.counts.too_large,
        "unfetched": found.counts.unfetched,
        "pointers": found.counts.pointers,
        "failed": found.counts.failed,
        "left_out": found.left_out.count,
    });
    let output = Output::text(text).with_data(data);
    if found.end == End::Complete { output } else { output.truncated() }
}

pub(super) const fn end_data(end: End) -> &'static str {
    match end {
        End::Complete => "complete",
        End::Limit => "limit",
        End::Halted => "halted",
    }
}

fn file_data(file: &FileHits) -> serde_json::Value {
    let lines: Vec<_> = file
        .lines
        .iter()
        .map(|line| json!({"line": line.number, "text": line.text, "hit": line.role == Role::Hit}))
        .collect();
    json!({"path": file.path, "lines": lines})
}

fn body(layout: Layout, files: &[FileHits]) -> String {
    let mut body = String::new();
    for (number, file) in files.iter().enumerate() {
        let path = one_line(&file.path);
        match layout {
            Layout::Listing => {
                let gap = if number > 0 { "\n" } else { "" };
                push(&mut body, format_args!("{gap}{path}"));
                for group in groups(&file.lines) {
                    if group.first().map(|line| line.number) != file.lines.first().map(|line| line.number) {
                        push(&mut body, format_args!("      …"));
                    }
                    for line in group {
                        push(&mut body, format_args!("{}{:4} | {}", mark(line), line.number, Shown(line)));
                    }
                }
            }
            Layout::Groups => {
                for group in groups(&file.lines) {
                    let hit = group.iter().find(|line| line.role == Role::Hit).map_or(0, |line| line.number);
                    let gap = if body.is_empty() { "" } else { "\n" };
                    push(&mut body, format_args!("{gap}{path}:{hit}"));
                    for line in group {
                        push(&mut body, format_args!("{} {:4}: {}", mark(line), line.number, Shown(line)));
                    }
                }
            }
            Layout::Lines => {
                for line in file.lines.iter().filter(|line| line.role == Role::Hit) {
                    push(&mut body, format_args!("{path}:{}:{}", line.number, Shown(line)));
                }
            }
        }
    }
    body
}

fn push(body: &mut String, line: std::fmt::Arguments<'_>) {
    if !body.is_empty() {
        body.push('\n');
    }
    // ignored: writing to a String cannot fail.
    let _ = body.write_fmt(line);
}

/// Lines that follow one another.
fn groups(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
    lines.chunk_by(|one, next| one.number + 1 == next.number)
}

const fn mark(line: &Line) -> char {
    match line.role {
        Role::Hit => '>',
        Role::Context => ' ',
    }
}

/// A line with marks where it was cut.
struct Shown<'a>(&'a Line);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (before, after) = self.0.cut.marks();
        write!(f, "{before}{}{after}", self.0.text)
    }
}

fn notes(query: &FindText<'_>, found: &Found) -> Vec<Message> {
    let (counts, complete) = (&found.counts, found.end == End::Complete);
    let mut notes = ended(found.end, found.hits, query.options.search_time.as_secs()).into_iter().collect::<Vec<_>>();
    if let FilePattern::Default(pattern) = query.files
        && counts.excluded > 0
    {
        notes.push(match complete {
            true => Message::new("search-excluded").with("count", counts.excluded).with("pattern", pattern),
            false => Message::new("search-default-pattern").with("pattern", pattern),
        });
    }
    notes.extend(not_searched(*counts, found.end));
    if complete && found.hits == 0 && counts.binary > 0 {
        notes.push(Message::new("search-binary").with("count", counts.binary));
    }
    notes.extend(left_out((&found.left_out, found.end), query.reach.ignored, "include_ignored"));
    notes.extend(unreadable(&found.unreadable));
    notes
}

/// Files that were met and not searched. Where a search ended early, chance decides which ones it had met on a disk; a
/// source that leaves files out itself hands them over in order.
pub(super) fn not_searched(counts: Counts, end: End) -> impl Iterator<Item = Message> {
    let complete = end == End::Complete;
    let all = [
        ("search-secret", counts.secret, complete),
        ("search-pointers", counts.pointers, true),
        ("search-too-large", counts.too_large, true),
        ("search-unfetched", counts.unfetched, true),
        ("search-failed", counts.failed, complete),
    ];
    all.into_iter()
        .filter(|(_, count, said)| *said && *count > 0)
        .map(|(key, count, _)| Message::new(key).with("count", count))
}

/// How a search ended, when it did not simply find everything.
pub(super) fn ended(end: End, shown: usize, seconds: u64) -> Option<Message> {
    match end {
        End::Complete => None,
        End::Limit => Some(Message::new("search-limit").with("shown", shown)),
        End::Halted => Some(Message::new("search-halted").with("seconds", seconds)),
    }
}

/// What was left out, and the argument that includes it. Of a search that ended early, how much was met depends on chance.
pub(crate) fn left_out((left_out, end): (&LeftOut, End), ignored: Visit, argument: &'static str) -> Option<Message> {
    if end != End::Complete {
        return (ignored != Visit::Show).then(|| Message::new("search-left-out-some").with("argument", argument));
    }
    let mut names = left_out.names.iter().map(|name| one_line(name).into_owned()).collect::<Vec<_>>();
    if names.len() < left_out.count {
        names.push("…".to_owned());
    }
    (left_out.count > 0).then(|| {
        Message::new("search-left-out")
            .with("count", left_out.count)
            .with("names", names.join(", "))
            .with("argument", argument)
    })
}

/// What could not be read.
pub(crate) fn unreadable(reasons: &[String]) -> impl Iterator<Item = Message> + '_ {
    reasons.iter().map(|reason| Message::new("search-unreadable").with("reason", one_line(reason).as_ref()))
}
