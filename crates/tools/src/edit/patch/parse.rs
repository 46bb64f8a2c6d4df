//! The parser of diffs: one pass over the lines of the patch, section by section. An envelope on the way is read by
//! [`envelope`](super::envelope).
//!
//! Prose, markdown fences and trailing text around the patch are skipped; anything skipped that looks like a change is
//! reported. It refuses other patch languages by name rather than finding "no hunks" in them.

use super::envelope;
use super::error::{Format, PatchError, PatchErrorKind};
use super::hunk;
use super::name;
use super::note::{Note, NoteKind};
use super::parsed::{FileChange, FilePatch, Language, LineKind, ParsedPatch};
use super::scan::{Returns, Source};
use super::section::{Prefixes, Section, starts_loosely};

/// Reads a unified diff, plain or git style, or a `*** Begin Patch` envelope.
///
/// `path` names the file for hunks without a header, and wins over the header's name when the patch has one section.
///
/// # Errors
/// The first thing that cannot be read, with its line. A patch is read whole or not at all.
pub fn parse<'a>(text: &'a str, path: Option<&str>) -> Result<ParsedPatch<'a>, PatchError> {
    let mut parser =
        Parser { source: Source::of(text), path, sections: Vec::new(), enveloped: Vec::new(), notes: Vec::new() };
    if parser.source.returns == Returns::Transport {
        parser.note(0, NoteKind::CrlfPatch);
    }
    let mut at = 0;
    while at < parser.source.len() {
        at = parser.step(at)?;
    }
    parser.finish(text)
}

struct Parser<'a, 'p> {
    source: Source<'a>,
    path: Option<&'p str>,
    sections: Vec<Section<'a>>,
    /// What the text has in envelopes.
    enveloped: Vec<FilePatch<'a>>,
    notes: Vec<Note>,
}

impl<'a> Parser<'a, '_> {
    fn note(&mut self, at: usize, kind: NoteKind) {
        self.notes.push(Note { line: at + 1, kind });
    }

    fn error(&self, at: usize, kind: PatchErrorKind) -> PatchError {
        PatchError { line: at + 1, file: self.sections.last().and_then(Section::label), hunk: None, kind }
    }

    /// Reads what starts at line `at` and returns the next line to read.
    fn step(&mut self, at: usize) -> Result<usize, PatchError> {
        let line = self.source.text(at);
        if let Some(rest) = line.strip_prefix("diff --git ") {
            let section = Section::git(at, rest).map_err(|kind| self.error(at, kind))?;
            self.sections.push(section);
            return Ok(at + 1);
        }
        if line.trim() == envelope::BEGIN {
            let mut read = envelope::read(&self.source, at)?;
            self.enveloped.append(&mut read.files);
            self.notes.append(&mut read.notes);
            return Ok(read.next);
        }
        if line.starts_with("@@@ ") || line.starts_with("diff --cc ") || line.starts_with("diff --combined ") {
            return Err(self.error(at, PatchErrorKind::CombinedDiff));
        }
        if self.source.is_hunk_header(at) {
            return self.hunk(at);
        }
        if self.source.is_file_header(at) {
            self.names(at, [Some(at), Some(at + 1)])?;
            return Ok(at + 2);
        }
        if self.source.is_half_header(at) {
            let sides = if line.starts_with('-') { [Some(at), None] } else { [None, Some(at)] };
            self.names(at, sides)?;
            self.note(at, NoteKind::HalfHeader);
            return Ok(at + 1);
        }
        if self.is_binary(line) {
            return Err(self.error(at, PatchErrorKind::Binary));
        }
        if is_submodule_log(line) {
            return Err(self.error(at, PatchErrorKind::Submodule));
        }
        self.other(at)?;
        Ok(at + 1)
    }

    /// Takes the lines of a `---`/`+++` header, of which one may be missing.
    fn names(&mut self, at: usize, lines: [Option<usize>; 2]) -> Result<(), PatchError> {
        let read = |line: Option<usize>| match line {
            None => Ok(None),
            Some(line) => match name::read(self.source.text(line).get(4..).unwrap_or("")) {
                Ok(name) => Ok(Some(name)),
                Err(kind) => Err(self.error(line, kind)),
            },
        };
        let [old, new] = lines;
        let names = [read(old)?, read(new)?];
        let open = self.sections.last().is_some_and(|last| last.awaits_names() && !last.moves_another(&names));
        if !open {
            self.sections.push(Section::at(at));
        }
        if let Some(section) = self.sections.last_mut() {
            section.set_names(names);
        }
        Ok(())
    }

    fn hunk(&mut self, at: usize) -> Result<usize, PatchError> {
        if self.sections.is_empty() {
            match self.path {
                Some(path) => {
                    self.sections.push(Section::headerless(at, path));
                }
                // Without numbers and without a file, a line that starts with @@ is prose.
                None if matches!(hunk::header(self.source.text(at)), Ok(None)) => return Ok(at + 1),
                None => return Err(self.error(at, PatchErrorKind::HunkWithoutFile)),
            }
        }
        let number = self.sections.last().map_or(0, |section| section.hunks.len()) + 1;
        let mut read = hunk::read(&self.source, at)
            .map_err(|(line, kind)| PatchError { hunk: Some(number), ..self.error(line, kind) })?;
        read.hunk.number = number;
        for kind in read.notes {
            self.note(at, kind);
        }
        let empty = read.hunk.lines.iter().all(|line| line.kind == LineKind::Context);
        if empty {
            self.note(at, NoteKind::EmptyHunk);
        }
        if let Some(section) = self.sections.last_mut() {
            if empty {
                section.left_out = true;
            } else {
                section.hunks.push(read.hunk);
            }
        }
        Ok(read.next)
    }

    fn is_binary(&self, line: &str) -> bool {
        let header = self.sections.last().is_some_and(Section::awaits_names);
        (header && line == "GIT binary patch") || (line.starts_with("Binary files ") && line.ends_with(" differ"))
    }

    /// A line that is neither a file header nor a hunk: an extended header line, or text around the patch.
    fn other(&mut self, at: usize) -> Result<(), PatchError> {
        let line = self.source.text(at);
        let open = self.sections.last().is_some_and(|last| last.awaits_names() && !last.is_full(line));
        if !open && starts_loosely(&self.source, at) {
            self.sections.push(Section::at(at));
        }
        let inside = self.sections.last_mut().filter(|section| section.awaits_names());
        if let Some(section) = inside
            && section.extended(line).map_err(|kind| self.error(at, kind))?
        {
            return Ok(());
        }
        let after_hunk = self.sections.last().is_some_and(|section| !section.hunks.is_empty());
        if after_hunk && line.starts_with(['+', '-']) && !self.source.is_boundary(at) {
            self.note(at, NoteKind::Ignored);
        }
        Ok(())
    }

    fn finish(self, text: &str) -> Result<ParsedPatch<'a>, PatchError> {
        let Self { sections, enveloped: mut files, mut notes, path, .. } = self;
        let language = if files.is_empty() { Language::Diff } else { Language::Envelope };
        match (sections.first(), files.first()) {
            (None, None) => return Err(PatchError { line: 1, file: None, hunk: None, kind: nothing_found(text) }),
            (Some(section), Some(_)) => {
                let (line, file) = (section.at + 1, section.label());
                return Err(PatchError { line, file, hunk: None, kind: PatchErrorKind::Mixed });
            }
            _ => {}
        }
        let argument = path.map(name::tidy);
        let single = sections.len() == 1;
        let prefixes = Prefixes::of(&sections);
        files.reserve(sections.len());
        for section in sections {
            let (line, file) = (section.at + 1, section.label());
            let only = argument.as_deref().filter(|_| single);
            let finished = section.finish(only, &prefixes);
            files.push(finished.map_err(|kind| PatchError { line, file, hunk: None, kind })?);
        }
        if let Some(argument) = argument {
            let named = |change: &FileChange| change.path() == argument || change.source() == Some(&argument);
            if let [file] = files.as_mut_slice()
                && let FileChange::Create { path } | FileChange::Modify { path } | FileChange::Delete { path } =
                    &mut file.change
            {
                if *path != argument {
                    let header = std::mem::replace(path, argument);
                    notes.push(Note { line: file.patch_line, kind: NoteKind::PathOverridden { header } });
                }
            } else if !files.iter().any(|file| named(&file.change)) {
                let kind = PatchErrorKind::PathNotInPatch(argument);
                return Err(PatchError { line: 1, file: None, hunk: None, kind });
            }
        }
        Ok(ParsedPatch { language, files, notes })
    }
}

/// `Submodule PATH 1234567..89abcde`, from `git diff --submodule=log`.
fn is_submodule_log(line: &str) -> bool {
    let Some((hashes, _)) = line.strip_prefix("Submodule ").and_then(|rest| rest.rsplit_once([':', ')'])) else {
        return false;
    };
    let hashes = hashes.split_whitespace().find_map(|word| word.split_once(".."));
    let is_hash = |text: &str| text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    hashes.is_some_and(|(old, new)| is_hash(old) && is_hash(new.trim_start_matches('.')))
}

/// Why a text without sections is not a patch: another format is named when it is recognised.
fn nothing_found(text: &str) -> PatchErrorKind {
    let line_starts = |start: &str| text.lines().any(|line| line.starts_with(start));
    if text.trim().is_empty() {
        PatchErrorKind::Empty
    } else if ["Add", "Update", "Delete"].iter().any(|what| line_starts(&format!("*** {what} File:"))) {
        PatchErrorKind::EnvelopeStart
    } else if line_starts("<<<<<<< ") {
        PatchErrorKind::OtherFormat(Format::SearchReplace)
    } else if line_starts("***************") {
        PatchErrorKind::OtherFormat(Format::Context)
    } else if line_starts("\u{1b}[") {
        PatchErrorKind::OtherFormat(Format::Coloured)
    } else if line_starts("< ") || line_starts("> ") {
        PatchErrorKind::OtherFormat(Format::Normal)
    } else {
        PatchErrorKind::NoHunks
    }
}
