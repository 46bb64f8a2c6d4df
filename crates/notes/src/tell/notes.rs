//! The section of notes.

use super::words::{attribute, beginning, unmarked};
use super::{Told, Trust};
use crate::find::{Note, Origin};
use std::fmt::Write as _;

/// Bytes of one note, and of all of them.
const MAX_ONE: usize = 32 << 10;
const MAX_ALL: usize = 64 << 10;
/// Maximum number of other notes that are listed.
const MAX_STRAYS: usize = 50;

/// A note in the prompt.
#[derive(Clone, Copy, Debug)]
pub struct TellNote<'n> {
    /// The note.
    pub note: &'n Note,
    /// Whether the user has vouched for it.
    pub trust: Trust,
}

/// The section: `notes` from the farthest to the nearest; `strays` are paths of notes in other folders. None if there
/// are no notes.
#[must_use]
pub fn notes_section(notes: &[TellNote<'_>], strays: &[String]) -> Option<Told> {
    if notes.is_empty() && strays.is_empty() {
        return None;
    }
    let (mut text, mut cut) = (String::new(), Vec::new());
    if !notes.is_empty() {
        text.push_str(include_str!("../../prompts/notes.md"));
        if notes.iter().any(|told| told.trust == Trust::Unvouched) || !strays.is_empty() {
            text.push_str(include_str!("../../prompts/unvouched.md"));
        }
    }
    for (told, share) in notes.iter().zip(shares(notes)) {
        let note = told.note;
        let shown = beginning(&note.text, share);
        let whole = shown.len() == note.text.len() && note.is_whole();
        // ignored: writing to a String cannot fail.
        let _ = writeln!(
            text,
            "\n<note file=\"{}\" for=\"{}\" accepted=\"{}\">\n{}",
            attribute(&note.path),
            scope(note),
            told.trust.word(),
            unmarked(shown).trim_end()
        );
        if !whole {
            // ignored: writing to a String cannot fail.
            let _ = writeln!(text, "[cut here: {} of {} bytes are shown]", shown.len(), note.size);
            cut.push(note.path.clone());
        }
        text.push_str("</note>\n");
    }
    if !strays.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(include_str!("../../prompts/strays.md"));
        for path in strays.iter().take(MAX_STRAYS) {
            let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
            // ignored: writing to a String cannot fail.
            let _ = writeln!(text, "- {} (for files below {}/)", attribute(path), attribute(folder));
        }
        if strays.len() > MAX_STRAYS {
            // ignored: writing to a String cannot fail.
            let _ = writeln!(text, "- and {} more", strays.len() - MAX_STRAYS);
        }
    }
    Some(Told { title: "Project notes", text, cut })
}

fn scope(note: &Note) -> String {
    match (note.origin, note.folder.as_str()) {
        (Origin::User, _) => "everything the user does".to_owned(),
        (Origin::Workspace, "") => "the whole workspace".to_owned(),
        (Origin::Workspace, folder) => format!("files below {}/", attribute(folder)),
    }
}

/// How many bytes each note gets: the nearest first, since it matters most.
fn shares(notes: &[TellNote<'_>]) -> Vec<usize> {
    let mut left = MAX_ALL;
    let mut shares: Vec<usize> = notes
        .iter()
        .rev()
        .map(|told| {
            let share = told.note.text.len().min(MAX_ONE).min(left);
            left -= share;
            share
        })
        .collect();
    shares.reverse();
    shares
}
