//! What `apply_patch` says: its summary, what it tolerated, and why a patch cannot be read or does not fit.
//!
//! The values come from [`super::patch`], the sentences from the catalogue; where one sentence has many variants, the
//! catalogue chooses by `$kind`.

use super::apply_patch::{Fate, Report, is_remarkable};
use super::patch::{
    ApplyError, FailureReason, FileFailure, Format, HunkFailure, HunkReport, Note, NoteKind, PatchError,
    PatchErrorKind, PlanError, Reindented, Whitespace,
};
use crate::files::{one_line, shown, with_help};
use palanca_core::call::ErrorKind;
use palanca_core::ports::{FileError, FileErrorKind, FilesHandle};
use palanca_core::{Message, Text, ToolError};

/// What was done, file by file, and whatever did not simply fit.
pub(super) fn summary(report: &Report) -> Text {
    let hunks: usize = report.files.iter().map(|file| file.hunks.len()).sum();
    let added: usize = report.files.iter().map(|file| file.added).sum();
    let removed: usize = report.files.iter().map(|file| file.removed).sum();
    if report.fates.is_empty() {
        return Message::new("patch-no-effect").into();
    }
    let mut text = Text::from(
        Message::new("patch-applied")
            .with("files", report.fates.len())
            .with("hunks", hunks)
            .with("added", added)
            .with("removed", removed),
    );
    for fate in &report.fates {
        text = text.line(match fate {
            Fate::Created(path) => Message::new("patch-created").with("path", shown(path)),
            Fate::Changed(path) => Message::new("patch-changed").with("path", shown(path)),
            Fate::Deleted(path) => Message::new("patch-deleted").with("path", shown(path)),
            Fate::Renamed(from, to) => Message::new("patch-renamed").with("from", shown(from)).with("path", shown(to)),
        });
    }
    for file in &report.files {
        for hunk in file.hunks.iter().filter(|hunk| is_remarkable(hunk)) {
            text = remarks(&file.path, hunk).into_iter().fold(text, Text::line);
        }
    }
    report.notes.iter().fold(text, |text, tolerated| text.line(note(tolerated)))
}

fn remarks(path: &str, hunk: &HunkReport) -> Vec<Text> {
    let mut remarks = Vec::new();
    let mut remark = |kind: &'static str, value: i64| {
        let message = Message::new("patch-remark")
            .with("path", one_line(path).as_ref())
            .with("hunk", hunk.hunk)
            .with("line", hunk.line)
            .with("kind", kind)
            .with("value", value);
        remarks.push(Text::from(message));
    };
    let small = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    if hunk.offset != 0 {
        remark("offset", hunk.offset.try_into().unwrap_or(i64::MAX));
    }
    match hunk.whitespace {
        Whitespace::Exact | Whitespace::LineEnds => {}
        Whitespace::Trailing => remark("trailing-space", 0),
        Whitespace::Indentation => remark("indentation", 0),
    }
    if hunk.others > 0 {
        remark("others", small(hunk.others));
    }
    if hunk.reindented == Reindented::Yes {
        remark("reindented", 0);
    }
    remarks
}

fn note(note: &Note) -> Message {
    let (kind, first, second) = match &note.kind {
        NoteKind::CountsCorrected { stated, actual } => {
            ("counts", format!("-{} +{}", stated.0, stated.1), format!("-{} +{}", actual.0, actual.1))
        }
        NoteKind::PositionMissing => ("position", String::new(), String::new()),
        NoteKind::SpaceRestored { lines } => ("space", lines.to_string(), String::new()),
        NoteKind::EmptyHunk => ("empty-hunk", String::new(), String::new()),
        NoteKind::Ignored => ("ignored", String::new(), String::new()),
        NoteKind::PathOverridden { header } => ("path", header.clone(), String::new()),
        NoteKind::HalfHeader => ("half-header", String::new(), String::new()),
        NoteKind::Appended => ("appended", String::new(), String::new()),
        NoteKind::CrlfPatch => ("crlf", String::new(), String::new()),
    };
    Message::new("patch-note").with("line", note.line).with("kind", kind).with("first", first).with("second", second)
}

/// A text that is no patch.
pub(super) fn unreadable(error: &PatchError) -> ToolError {
    use PatchErrorKind as K;
    let (kind, first, second) = match &error.kind {
        K::Empty => ("empty", "", ""),
        K::NoHunks => ("no-hunks", "", ""),
        K::OtherFormat(Format::SearchReplace) => ("search-replace", "", ""),
        K::OtherFormat(Format::Context) => ("context-diff", "", ""),
        K::OtherFormat(Format::Normal) => ("normal-diff", "", ""),
        K::OtherFormat(Format::Words) => ("word-diff", "", ""),
        K::OtherFormat(Format::Coloured) => ("coloured", "", ""),
        K::Mixed => ("mixed", "", ""),
        K::EnvelopeStart => ("envelope-start", "", ""),
        K::EnvelopeEnd => ("envelope-end", "", ""),
        K::EnvelopeLine(line) => ("envelope-line", line.as_str(), ""),
        K::UnsignedAddition(line) => ("unsigned-addition", line.as_str(), ""),
        K::Elsewhere(line) => ("elsewhere", line.as_str(), ""),
        K::CombinedDiff => ("combined", "", ""),
        K::HunkWithoutFile => ("no-file", "", ""),
        K::HunkHeader(header) => ("header", header.as_str(), ""),
        K::EmptyBody => ("empty-body", "", ""),
        K::Unsigned(line) => ("unsigned", line.as_str(), ""),
        K::Name(name) => ("name", name.as_str(), ""),
        K::NameBreak(name) => ("name-break", name.as_str(), ""),
        K::NameTab(name) => ("name-tab", name.as_str(), ""),
        K::NameMissing => ("name-missing", "", ""),
        K::TwoNames(one, other) => ("two-names", one.as_str(), other.as_str()),
        K::HalfMove(header) => ("half-move", *header, ""),
        K::Contradiction(line) => ("contradiction", line.as_str(), ""),
        K::PathNotInPatch(path) => ("path", path.as_str(), ""),
        K::Binary => ("binary", "", ""),
        K::Symlink => ("symlink", "", ""),
        K::Submodule => ("submodule", "", ""),
        K::Mode(mode) => ("mode", mode.as_str(), ""),
        K::OldLinesInCreation => ("creation", "", ""),
        K::NewLinesInDeletion => ("deletion", "", ""),
        K::NoChange => ("no-change", "", ""),
    };
    let mut place = error.line.to_string();
    let hunk = error.hunk.map(|hunk| format!("hunk {hunk}"));
    let file = error.file.as_deref().map(|file| one_line(file).into_owned());
    let parts: Vec<String> = file.into_iter().chain(hunk).collect();
    if !parts.is_empty() {
        place = format!("{place} ({})", parts.join(", "));
    }
    ToolError::new(
        ErrorKind::InvalidArguments,
        Message::new("patch-unreadable")
            .with("where", place)
            .with("kind", kind)
            .with("first", first)
            .with("second", second),
    )
}

/// A patch that does not fit: what fails, and what stands there instead.
pub(super) fn unfit(files: &FilesHandle, error: PlanError<ToolError>) -> ToolError {
    let (total, mut failures) = (error.files, error.failures);
    let failed = failures.len();
    if let [FileFailure::Read { .. }] = failures.as_slice()
        && let Some(FileFailure::Read { error, .. }) = failures.pop()
    {
        return error;
    }
    if let [FileFailure::Missing { path }] = failures.as_slice()
        && let Ok(canonical) = files.locate(path)
    {
        let error = FileError::new(FileErrorKind::NotFound, canonical.to_string());
        let error = with_help(files, &canonical, error);
        let help = error.output().cloned().unwrap_or_default();
        return error.with_output(Text::from(Message::new("patch-to-create")).line(help));
    }
    let details = failures.into_iter().fold(Text::new(), detail);
    ToolError::new(ErrorKind::Conflict, Message::new("patch-unfit").with("failed", failed).with("files", total))
        .with_output(details)
}

fn detail(text: Text, failure: FileFailure<ToolError>) -> Text {
    let about = |key, path: &str| Message::new(key).with("path", one_line(path).as_ref());
    match failure {
        FileFailure::Apply(error) if error.already_applied() => text.line(about("patch-already-applied", &error.file)),
        FileFailure::Apply(error) => hunks(text, &error),
        FileFailure::Read { path, error } => {
            text.line(one_line(&path).into_owned()).then(": ").then(error.message().clone())
        }
        FileFailure::Missing { path } => {
            text.line(about("patch-missing", &path)).then(" ").then(Message::new("patch-to-create"))
        }
        FileFailure::Exists { path } => text.line(about("patch-exists", &path)),
        FileFailure::AlreadyCreated { path } => text.line(about("patch-already-applied", &path)),
        FileFailure::NotEmptied { path, lines } => text.line(about("patch-not-emptied", &path).with("lines", lines)),
    }
}

fn hunks(text: Text, error: &ApplyError) -> Text {
    error.failures.iter().fold(text, |text, failure| hunk(text, &error.file, failure))
}

fn hunk(text: Text, file: &str, failure: &HunkFailure) -> Text {
    let list = |lines: &[usize]| {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        lines.join(", ")
    };
    let (kind, value) = match &failure.reason {
        FailureReason::NotFound => ("not-found", String::new()),
        FailureReason::Ambiguous { lines } => ("ambiguous", list(lines)),
        FailureReason::Overlaps { hunk } => ("overlaps", hunk.to_string()),
        FailureReason::OutOfOrder { line, hunk } => ("out-of-order", format!("{line} (hunk {hunk})")),
        FailureReason::Elsewhere { line } => ("elsewhere", line.to_string()),
        FailureReason::AlreadyApplied { line } => ("already-applied", line.to_string()),
        FailureReason::AnchorMissing { anchor } => ("anchor", anchor.clone()),
        FailureReason::NoAnchor => ("no-anchor", String::new()),
        FailureReason::PastEnd { lines } => ("past-end", lines.to_string()),
        FailureReason::NotEmpty { lines } => ("not-empty", lines.to_string()),
        FailureReason::Moved { by } => ("moved", by.to_string()),
    };
    let mut text = text.line(
        Message::new("patch-hunk-unfit")
            .with("path", one_line(file).as_ref())
            .with("hunk", failure.hunk)
            .with("line", failure.patch_line)
            .with("kind", kind)
            .with("value", value),
    );
    if !failure.expected.is_empty() {
        text = text.line(Message::new("patch-expected"));
        for line in &failure.expected {
            text = text.line(format!("      | {line}"));
        }
    }
    if !failure.found.is_empty() {
        text = text.line(Message::new("patch-found"));
        for line in &failure.found {
            text = text.line(format!("{:5} | {}", line.line, line.text));
        }
    }
    if let Some(nearest) = &failure.nearest {
        text = text.line(
            Message::new("patch-nearest")
                .with("line", nearest.line)
                .with("matching", nearest.matching)
                .with("of", nearest.of),
        );
        if let Some((wanted, there)) = &nearest.difference {
            text = text.line(Message::new("patch-difference"));
            text = text.line(format!("    - | {wanted}"));
            if let Some(there) = there {
                text = text.line(format!("{:5} | {}", there.line, there.text));
            }
        }
    }
    text
}
