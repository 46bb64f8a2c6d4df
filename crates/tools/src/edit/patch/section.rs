//! The header of one file's section: gathers header lines, then decides which file is meant and what happens to it.

use super::error::PatchErrorKind;
use super::name::{self, GitNames, Side, Stamp};
use super::parsed::{Extent, FileChange, FileMode, FilePatch, Hunk, LineKind, Stated};
use super::scan::Source;

/// What the header lines of one section said so far.
#[derive(Debug, Default)]
pub(super) struct Section<'a> {
    /// 0-based line of the patch where it starts.
    pub(super) at: usize,
    pub(super) hunks: Vec<Hunk<'a>>,
    /// The path argument, for hunks without any header.
    argument: Option<String>,
    /// It begins with `diff --git`, whose names may be unclear.
    delimited: bool,
    git: Option<GitNames>,
    old: Option<Side>,
    new: Option<Side>,
    rename: (Option<String>, Option<String>),
    copy: (Option<String>, Option<String>),
    created: bool,
    deleted: bool,
    mode: Option<FileMode>,
    /// The `index` line names an old content that is not empty.
    had_content: bool,
    /// Hunks that changed nothing were left out.
    pub(super) left_out: bool,
}

impl<'a> Section<'a> {
    pub(super) fn at(at: usize) -> Self {
        Self { at, ..Self::default() }
    }

    pub(super) fn git(at: usize, rest: &str) -> Result<Self, PatchErrorKind> {
        Ok(Self { delimited: true, git: name::from_git_header(rest)?, ..Self::at(at) })
    }

    /// Hunks without a header, for the path argument.
    pub(super) fn headerless(at: usize, path: &str) -> Self {
        Self { argument: Some(path.to_owned()), ..Self::at(at) }
    }

    /// Whether `---` and `+++` lines that come now belong to this section.
    pub(super) fn awaits_names(&self) -> bool {
        self.hunks.is_empty() && self.old.is_none() && self.new.is_none() && self.argument.is_none() && !self.left_out
    }

    /// Takes the names of a `---` and a `+++` line.
    pub(super) fn set_names(&mut self, [old, new]: [Option<Side>; 2]) {
        self.old = old;
        self.new = new;
    }

    /// Whether this line must begin another section, because what it says was already said.
    pub(super) fn is_full(&self, line: &str) -> bool {
        if self.delimited {
            return false;
        }
        let moved = self.rename.0.is_some() || self.copy.0.is_some();
        let replaced = self.created || self.deleted;
        let starts = |starts: [&str; 2]| starts.into_iter().any(|start| line.starts_with(start));
        (moved && starts(["rename from ", "copy from "]))
            || ((moved || replaced) && starts(["new file mode ", "deleted file mode "]))
    }

    /// Whether `---` and `+++` lines with these names belong to a section that moves a file: a move without changes may
    /// be followed by another file's plain header.
    pub(super) fn moves_another(&self, names: &[Option<Side>; 2]) -> bool {
        [&self.rename, &self.copy].into_iter().any(|pair| {
            let (Some(from), Some(to)) = pair else { return false };
            let [old, new] = names;
            !(fits(old, from) && fits(new, to))
        })
    }

    /// The best name known so far, for messages.
    pub(super) fn label(&self) -> Option<String> {
        self.argument
            .clone()
            .or_else(|| self.rename.1.clone())
            .or_else(|| self.copy.1.clone())
            .or_else(|| self.git.as_ref().map(|git| git.path.clone()))
            .or_else(|| present(&self.new).or_else(|| present(&self.old)).map(|name| name::alone(name).to_owned()))
    }

    /// Takes one extended header line; `false` when it is none.
    pub(super) fn extended(&mut self, line: &str) -> Result<bool, PatchErrorKind> {
        let split = |start: &&'static str| Some((*start, line.strip_prefix(*start)?));
        let Some((start, value)) = EXTENDED.iter().find_map(split) else { return Ok(false) };
        match start {
            "new file mode " => {
                self.created = true;
                self.mode = Some(mode(value)?);
            }
            "deleted file mode " => {
                self.deleted = true;
                mode(value)?;
            }
            "old mode " => _ = mode(value)?,
            "new mode " => self.mode = Some(mode(value)?),
            "rename from " => self.rename.0 = Some(name::whole(value)?),
            "rename to " => self.rename.1 = Some(name::whole(value)?),
            "copy from " => self.copy.0 = Some(name::whole(value)?),
            "copy to " => self.copy.1 = Some(name::whole(value)?),
            // `index OLD..NEW MODE` is how git shows the mode of a link or submodule that keeps it.
            "index " => {
                let old = value.split_once("..").map_or("", |(old, _)| old);
                self.had_content = !old.is_empty() && !EMPTY.iter().any(|empty| empty.starts_with(old));
                if let Some((hashes, value)) = value.trim_end().split_once(' ')
                    && hashes.contains("..")
                {
                    mode(value)?;
                }
            }
            // How similar two files are says nothing about them.
            _ => {}
        }
        let kinds = [self.created, self.deleted, self.rename != (None, None), self.copy != (None, None)];
        match kinds.iter().filter(|kind| **kind).count() {
            0 | 1 => Ok(true),
            _ => Err(PatchErrorKind::Contradiction(line.to_owned())),
        }
    }

    /// Decides what the section means. `only` is the path argument when this is the only section of the patch.
    pub(super) fn finish(self, only: Option<&str>, prefixes: &Prefixes) -> Result<FilePatch<'a>, PatchErrorKind> {
        let change = match self.change(prefixes) {
            Err(PatchErrorKind::TwoNames(..) | PatchErrorKind::NameMissing) if only.is_some() => {
                FileChange::Modify { path: only.unwrap_or_default().to_owned() }
            }
            other => other?,
        };
        let named = |path: &str| if path.is_empty() { Err(PatchErrorKind::Name(String::new())) } else { Ok(()) };
        named(change.path())?;
        named(change.source().unwrap_or("-"))?;
        let mut hunks = self.hunks;
        let several = hunks.len() > 1;
        for hunk in &mut hunks {
            if (several || self.had_content) && hunk.stated.is_some_and(|at| [at.old_start, at.old_count] == [0, 0]) {
                hunk.extent = Extent::StartOfFile;
            }
        }
        match change {
            FileChange::Create { .. } => {
                for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
                    match line.kind {
                        LineKind::Added => {}
                        // A new file has no context, so an empty line without its + can only be an added one.
                        LineKind::Context if line.text.is_empty() => line.kind = LineKind::Added,
                        _ => return Err(PatchErrorKind::OldLinesInCreation),
                    }
                }
            }
            FileChange::Delete { .. } => {
                for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
                    match line.kind {
                        LineKind::Removed => {}
                        LineKind::Context if line.text.is_empty() => line.kind = LineKind::Removed,
                        _ => return Err(PatchErrorKind::NewLinesInDeletion),
                    }
                }
            }
            FileChange::Modify { .. } if hunks.is_empty() && self.mode.is_none() => {
                return Err(PatchErrorKind::NoChange);
            }
            _ => {}
        }
        Ok(FilePatch { change, mode: self.mode, hunks, patch_line: self.at + 1 })
    }

    fn change(&self, prefixes: &Prefixes) -> Result<FileChange, PatchErrorKind> {
        if let Some(path) = &self.argument {
            return Ok(FileChange::Modify { path: name::tidy(path) });
        }
        if let Some((from, to)) = both(&self.rename, "rename from", "rename to")? {
            self.check_move(&from, &to)?;
            return Ok(FileChange::Rename { from, to });
        }
        if let Some((from, to)) = both(&self.copy, "copy from", "copy to")? {
            self.check_move(&from, &to)?;
            return Ok(FileChange::Copy { from, to });
        }
        let path = self.path(prefixes)?;
        Ok(if self.created || self.absent(&self.old, |stated| [stated.old_start, stated.old_count]) {
            FileChange::Create { path }
        } else if self.deleted || self.absent(&self.new, |stated| [stated.new_start, stated.new_count]) {
            FileChange::Delete { path }
        } else {
            FileChange::Modify { path }
        })
    }

    /// Whether one side of the header says that there is no file. A file may really be as old as the epoch, so its time
    /// stamp counts only beside one hunk with `0,0` for this side.
    fn absent(&self, side: &Option<Side>, numbers: impl Fn(&Stated) -> [usize; 2]) -> bool {
        let Some(side) = side else { return false };
        let nothing = || matches!(self.hunks.as_slice(), [one] if one.stated.as_ref().map(numbers) == Some([0, 0]));
        name::is_absent(&side.name) || (side.stamp == Stamp::Epoch && nothing())
    }

    fn path(&self, prefixes: &Prefixes) -> Result<String, PatchErrorKind> {
        let (old, new) = (present(&self.old), present(&self.new));
        let named = match (old, new) {
            (Some(old), Some(new)) => name::agree(old, new),
            (Some(old), None) => Ok(Prefixes::strip(&prefixes.old, old)),
            (None, Some(new)) => Ok(Prefixes::strip(&prefixes.new, new)),
            (None, None) => return self.git.as_ref().map(|git| git.path.clone()).ok_or(PatchErrorKind::NameMissing),
        };
        let Some(git) = &self.git else { return named };
        let as_written =
            |name: Option<&str>, written: &str| name.is_none_or(|name| name == written || name::tidy(name) == git.path);
        match named {
            Ok(path) if path == git.path => Ok(path),
            _ if as_written(old, &git.old) && as_written(new, &git.new) => Ok(git.path.clone()),
            Ok(path) => Err(PatchErrorKind::TwoNames(git.path.clone(), path)),
            Err(kind) => Err(kind),
        }
    }

    /// `---` and `+++` beside a rename must name the same two files.
    fn check_move(&self, from: &str, to: &str) -> Result<(), PatchErrorKind> {
        for (side, moved) in [(&self.old, from), (&self.new, to)] {
            if !fits(side, moved) {
                return Err(PatchErrorKind::TwoNames(
                    moved.to_owned(),
                    side.as_ref().map_or_else(String::new, |side| side.name.clone()),
                ));
            }
        }
        Ok(())
    }
}

/// What stands before the paths of a patch that compares two trees, where every section with both names says the same.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prefixes {
    old: String,
    new: String,
}

impl Prefixes {
    pub(super) fn of(sections: &[Section<'_>]) -> Self {
        let mut all = sections.iter().filter_map(|section| {
            let (old, new) = (present(&section.old)?, present(&section.new)?);
            let path = name::agree(old, new).ok()?;
            Some(Self { old: old.strip_suffix(&path)?.to_owned(), new: new.strip_suffix(&path)?.to_owned() })
        });
        let first = all.next().unwrap_or_default();
        if all.all(|other| other == first) { first } else { Self::default() }
    }

    /// A name whose partner is missing, without the prefix that the other sections have on its side.
    fn strip(prefix: &str, name: &str) -> String {
        let stripped = name.strip_prefix(prefix).filter(|rest| !prefix.is_empty() && !rest.is_empty());
        name::tidy(stripped.unwrap_or_else(|| name::alone(name)))
    }
}

/// The name on one side, unless it stands for no file.
fn present(side: &Option<Side>) -> Option<&str> {
    side.as_ref().map(|side| side.name.as_str()).filter(|name| !name::is_absent(name))
}

/// Whether a header name, with or without a prefix, is this path; a name that is not given fits.
fn fits(side: &Option<Side>, path: &str) -> bool {
    side.as_ref().is_none_or(|side| {
        let name = name::tidy(&side.name);
        name.strip_suffix(path).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('/'))
    })
}

type Pair = (Option<String>, Option<String>);

fn both(pair: &Pair, from: &'static str, to: &'static str) -> Result<Option<(String, String)>, PatchErrorKind> {
    match pair {
        (None, None) => Ok(None),
        (Some(a), Some(b)) => Ok(Some((a.clone(), b.clone()))),
        (Some(_), None) => Err(PatchErrorKind::HalfMove(from)),
        (None, Some(_)) => Err(PatchErrorKind::HalfMove(to)),
    }
}

/// Reads a git file mode, of which git keeps only whether the owner may execute the file. Links and submodules are refused
/// here, whatever the patch wants with them.
fn mode(value: &str) -> Result<FileMode, PatchErrorKind> {
    let bits = u32::from_str_radix(value.trim(), 8).map_err(|_| PatchErrorKind::Mode(value.to_owned()))?;
    match bits & 0o170_000 {
        0o100_000 if bits & 0o100 != 0 => Ok(FileMode::Executable),
        0o100_000 => Ok(FileMode::Regular),
        0o120_000 => Err(PatchErrorKind::Symlink),
        0o160_000 => Err(PatchErrorKind::Submodule),
        _ => Err(PatchErrorKind::Mode(value.to_owned())),
    }
}

/// The names of no content and of empty content, SHA-1 and SHA-256, of which `index` lines show the beginning.
const EMPTY: [&str; 3] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

/// The beginnings of header lines that only git writes.
const EXTENDED: [&str; 11] = [
    "new file mode ",
    "deleted file mode ",
    "old mode ",
    "new mode ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "index ",
    "similarity index ",
    "dissimilarity index ",
];

/// Whether a section may start with this extended line, without `diff --git` before it: prose may say "rename to",
/// so the line must have its shape and, where it has one, its partner.
pub(super) fn starts_loosely(source: &Source<'_>, at: usize) -> bool {
    let line = source.text(at);
    let digits = |start: &str| {
        line.strip_prefix(start).is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|c| c.is_ascii_digit()))
    };
    let partner = |start: &str, next: &str| {
        line.starts_with(start) && at + 1 < source.len() && source.text(at + 1).starts_with(next)
    };
    digits("new file mode ")
        || digits("deleted file mode ")
        || (digits("old mode ") && partner("old mode ", "new mode "))
        || partner("rename from ", "rename to ")
        || partner("copy from ", "copy to ")
}
