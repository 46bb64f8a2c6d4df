//! From a parsed patch to file operations: every section applied in memory, all of them or none.
//!
//! The surprising decision: sections compose, and the plan shows only the difference between before and after. A file
//! that two sections change is modified once, one that is created and deleted again does not occur, and swapped names
//! are two modifications. So the operations touch different paths and may be carried out in any order. What composing
//! means depends on the [`Language`](super::Language): a diff describes one step from the tree before to the tree after.

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;

use super::apply::HunkReport;
use super::failure::ApplyError;
use super::parsed::{FileMode, ParsedPatch};
use super::tree::Tree;

/// What has to be done, and how the hunks fitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Operations on different paths, in the patch's order of first mention.
    pub operations: Vec<FileOperation>,
    /// One report for each section.
    pub files: Vec<PlannedFile>,
}

/// One thing to do. Texts are whole files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum FileOperation {
    /// Write a file where none is.
    Create {
        /// Where.
        path: String,
        /// Its content.
        text: String,
        /// The mode it shall have; `None` leaves the usual one.
        mode: Option<FileMode>,
        /// The file that it is a copy of: it keeps that one's encoding and, without a `mode`, its mode.
        like: Option<String>,
    },
    /// Replace the content of a file, or only its mode when the texts are equal.
    Modify {
        /// Where.
        path: String,
        /// Its content now.
        before: String,
        /// Its content then.
        after: String,
        /// The mode it shall have; `None` keeps it.
        mode: Option<FileMode>,
        /// Another file that takes this one's place, with its encoding and mode.
        like: Option<String>,
    },
    /// Remove a file.
    Delete {
        /// Where.
        path: String,
        /// Its content now.
        before: String,
    },
    /// Move a file to where none is, possibly changing it.
    Rename {
        /// Where it is.
        from: String,
        /// Where it shall be.
        to: String,
        /// Its content now.
        before: String,
        /// Its content then.
        after: String,
        /// The mode it shall have; `None` keeps it.
        mode: Option<FileMode>,
    },
}

/// How one section of the patch fitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedFile {
    /// The file, by its new name.
    pub path: String,
    /// Its hunks.
    pub hunks: Vec<HunkReport>,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// Why one section cannot be carried out. `E` is the reader's error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileFailure<E> {
    /// Hunks do not fit.
    #[error("{0}")]
    Apply(ApplyError),
    /// The file cannot be read.
    #[error("{path} cannot be read: {error}")]
    Read {
        /// Which.
        path: String,
        /// Why.
        error: E,
    },
    /// The file to change, delete, move or copy is not there.
    #[error("{path} does not exist; to create it, start its diff with \"--- /dev/null\"")]
    Missing {
        /// Which.
        path: String,
    },
    /// The file to create is there, with another content.
    #[error("{path} already exists; the patch creates it, so send a diff against the file as it is")]
    Exists {
        /// Which.
        path: String,
    },
    /// The file to create is there with just this content: the patch is already applied.
    #[error("the patch is already applied to {path}: the file exists with this content")]
    AlreadyCreated {
        /// Which.
        path: String,
    },
    /// The patch deletes the file but does not take away all of it.
    #[error(
        "the patch deletes {path} but {lines} of its lines would remain; remove every line, or delete the file instead"
    )]
    NotEmptied {
        /// Which.
        path: String,
        /// Lines that would remain.
        lines: usize,
    },
}

/// Why a patch cannot be carried out; nothing is to be done then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError<E> {
    /// Sections of the patch.
    pub files: usize,
    /// Those that fail; a section that builds on a failed one is not tried.
    pub failures: Vec<FileFailure<E>>,
}

/// Applies a patch to what `read` gives (`None`: no such file) and says what has to be done.
///
/// Each path is read at most once.
///
/// # Errors
/// Every section that fails.
pub fn plan<E>(
    patch: &ParsedPatch<'_>,
    read: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<Plan, PlanError<E>> {
    let mut tree = Tree::of(patch, read);
    let mut files = Vec::with_capacity(patch.files.len());
    let mut failures = Vec::new();
    let mut broken: HashSet<&str> = HashSet::new();
    for file in &patch.files {
        let touched = [Some(file.change.path()), file.change.source()];
        if touched.into_iter().flatten().any(|path| broken.contains(path)) {
            continue;
        }
        match tree.step(file) {
            Ok(planned) => files.push(planned),
            Err(failure) => {
                broken.extend(touched.into_iter().flatten());
                failures.push(failure);
            }
        }
    }
    if failures.is_empty() {
        Ok(Plan { operations: tree.operations(), files })
    } else {
        Err(PlanError { files: patch.files.len(), failures })
    }
}

impl<E: fmt::Display> fmt::Display for PlanError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.files > 1 {
            writeln!(f, "{} of {} files of the patch fail; no file was changed", self.failures.len(), self.files)?;
        }
        for (number, failure) in self.failures.iter().enumerate() {
            let gap = if number > 0 { "\n" } else { "" };
            write!(f, "{gap}{failure}")?;
        }
        Ok(())
    }
}

impl<E: fmt::Display + fmt::Debug> std::error::Error for PlanError<E> {}
