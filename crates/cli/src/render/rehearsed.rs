//! Changes as one diff that `git apply` and `patch -p1` take: the end of a dry run, an undo before it happens, a step of a
//! session. Bytes are shown unchanged, so that line endings and missing final newlines match; files that are not UTF-8
//! are listed by name.

use crate::exit::Failure;
use crate::say::say;
use palanca_core::{CanonicalPath, Message};
use palanca_files::{Changed, Journal, Picture, Side, UndoPlan};
use palanca_host::Session;
use palanca_policy::marking::shown_line;
use palanca_tools::edit::diff;
use std::path::Path;

/// The end of a dry run.
pub struct Rehearsed {
    /// What would have been done, as Markdown.
    pub plan: String,
    /// What would have changed; empty when nothing would.
    pub diff: String,
}

/// The end of a dry run; none of a real one.
///
/// # Errors
/// When a real file cannot be read to compare.
pub fn end(session: &Session) -> Result<Option<Rehearsed>, Failure> {
    let (Some(overlay), Some(plan)) = (session.overlay(), session.plan()) else { return Ok(None) };
    Ok(Some(Rehearsed { plan: plan.page(&**session.catalogue()), diff: of(&overlay.changes()?) }))
}

/// What an undo changes. Files of git and build tools, and ignored ones, are counted.
pub fn undone(plan: &UndoPlan, journal: &Journal) -> String {
    let mut minor = 0;
    let mut matters = |path: &CanonicalPath| {
        let matters = !plan.is_minor(path);
        minor += usize::from(!matters);
        matters
    };
    let moves = plan.moves().into_iter().filter(|(from, to)| matters(from) || matters(to));
    let mut diff: String = moves.map(|(from, to)| renamed(&from, &to)).collect();
    let changes: Vec<Changed> = plan.changes(journal).into_iter().filter(|changed| matters(&changed.path)).collect();
    diff.push_str(&of(&changes));
    for (path, target) in plan.links().iter().filter(|(path, _)| matters(path)) {
        diff.push_str(&link(path, target.as_deref()));
    }
    if minor > 0 {
        diff.push_str(&line(&Message::new("sessions-undo-minor").with("count", minor)));
    }
    diff
}

/// One unified diff over these files.
pub fn of(changes: &[Changed]) -> String {
    let moved = moved(changes);
    let mut whole = String::new();
    for changed in changes {
        if moved.iter().any(|(from, _)| from.path == changed.path) {
            continue;
        }
        if let Some((from, to)) = moved.iter().find(|(_, to)| to.path == changed.path) {
            whole.push_str(
                &diff::unified_rename(&from.path.to_string(), &to.path.to_string(), ("", 0o644), ("", 0o644)).text,
            );
            continue;
        }
        whole.push_str(&one(changed));
    }
    whole
}

fn one(Changed { path, before, after, mode_before, mode }: &Changed) -> String {
    let path = path.to_string();
    let (Some(old), Some(new)) = (text(before.as_deref()), text(after.as_deref())) else { return binary(&path) };
    let side = |text: Option<&'_ str>, mode: &Option<u32>| text.map(|_| mode.unwrap_or(0o644));
    let (old_mode, new_mode) = (side(old, mode_before), side(new, mode));
    diff::unified_with_modes(&path, old.zip(old_mode), new.zip(new_mode)).text
}

/// Files that are gone, and files that have exactly their content: each pair is one file with another name.
fn moved(changes: &[Changed]) -> Vec<(&Changed, &Changed)> {
    let gone = changes.iter().filter(|changed| changed.after.is_none());
    let mut new: Vec<&Changed> = changes.iter().filter(|changed| changed.before.is_none()).collect();
    let mut pairs = Vec::new();
    for from in gone {
        let Some(content) = from.before.as_ref().filter(|content| !content.is_empty()) else { continue };
        let fits = |to: &&Changed| to.after.as_ref() == Some(content) && to.mode == from.mode_before;
        if let Some(at) = new.iter().position(fits) {
            pairs.push((from, new.swap_remove(at)));
        }
    }
    pairs
}

/// A step of a session, as far as its contents are still to be had.
pub fn pictures(pictures: &[Picture]) -> String {
    let shown = pictures.iter().map(|Picture { path: target, moved_from, before, after }| {
        let path = target.to_string();
        if let Some(from) = moved_from {
            return renamed(from, target);
        }
        match (side(before), side(after)) {
            (Some(before), Some(after)) => {
                diff::unified_with_modes(&path, before.map(|text| (text, 0o644)), after.map(|text| (text, 0o644))).text
            }
            (None, _) | (_, None) if matches!((before, after), (Side::Unknown, _) | (_, Side::Unknown)) => {
                line(&Message::new("cli-diff-not-kept").with("path", path))
            }
            _ => line(&Message::new("cli-diff-binary-changed").with("path", path)),
        }
    });
    shown.collect()
}

/// A file or folder that has another name.
fn renamed(from: &CanonicalPath, to: &CanonicalPath) -> String {
    diff::unified_rename(&from.to_string(), &to.to_string(), ("", 0o644), ("", 0o644)).text
}

/// A link that would be made, turned or removed.
fn link(path: &CanonicalPath, target: Option<&Path>) -> String {
    match target {
        Some(target) => {
            let target = target.display().to_string();
            line(&Message::new("cli-diff-link").with("path", path.to_string()).with("target", target))
        }
        None => line(&Message::new("cli-diff-link-gone").with("path", path.to_string())),
    }
}

/// What is said between diffs; `git apply` passes it over.
fn line(message: &Message) -> String {
    format!("{}\n", shown_line(&say(message)))
}

fn binary(path: &str) -> String {
    line(&Message::new("cli-diff-binary").with("path", path))
}

fn side(side: &Side) -> Option<Option<&str>> {
    match side {
        Side::Absent => Some(None),
        Side::Content(bytes) => text(Some(bytes)),
        Side::Unknown => None,
    }
}

/// The text, where there is a file; nothing at all when it is no text.
fn text(bytes: Option<&[u8]>) -> Option<Option<&str>> {
    match bytes {
        None => Some(None),
        Some(bytes) if bytes.contains(&0) => None,
        Some(bytes) => std::str::from_utf8(bytes).ok().map(Some),
    }
}
