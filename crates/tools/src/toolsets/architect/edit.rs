//! The incremental editing tools of the document.

use crate::edit;
use crate::edit::replace::Occurrence;
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};

#[derive(Args)]
pub(crate) struct EditFile {
    /// File to change.
    path: String,
    /// Exact text to replace; it must be unique in the file.
    old_str: String,
    /// Replacement text.
    new_str: String,
}

impl Offer for EditFile {
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str =
        "Replace one exact, unique block of text in a file. Preferred for a change of one contiguous block.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        edit::EditFile {
            path: &self.path,
            old: &self.old_str,
            new: &self.new_str,
            occurrence: Occurrence::Unique,
            words: edit::Words {
                old: "old_str",
                new: "new_str",
                all: None,
                empty_old: "edit-empty-old",
                done: "edit-done",
                heading: Some("edit-diff"),
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct ApplyPatch {
    /// File to change.
    path: String,
    /// Unified diff with one or more hunks, or a `*** Begin Patch` envelope.
    patch: String,
}

impl Offer for ApplyPatch {
    const NAME: &'static str = "apply_patch";
    const DESCRIPTION: &'static str =
        "Apply a unified diff to a file. For several changes in one file, or a diff that is ready.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        edit::ApplyPatch { patch: &self.patch, path: Some(&self.path), options }
    }
}
