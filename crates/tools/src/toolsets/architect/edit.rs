//! The incremental editing tools of the document.

use crate::edit;
use crate::edit::replace::Occurrence;
use crate::operation::Offer;
use crate::options::ToolOptions;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

#[derive(Args)]
pub(crate) struct EditArgs {
    /// File to change.
    path: String,
    /// Exact text to replace; it must be unique in the file.
    old_str: String,
    /// Replacement text.
    new_str: String,
}

pub(crate) struct EditFile;

impl Offer for EditFile {
    type Args = EditArgs;
    type Operation<'a> = edit::EditFile<'a>;
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str =
        "Replace one exact, unique block of text in a file. Preferred for a change of one contiguous block.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a EditArgs, options: &'a ToolOptions) -> edit::EditFile<'a> {
        edit::EditFile {
            path: &args.path,
            old: &args.old_str,
            new: &args.new_str,
            occurrence: Occurrence::Unique,
            words: edit::Words {
                old: "old_str",
                new: "new_str",
                all: None,
                empty_old: "edit-empty-old",
                heading: Some("edit-diff"),
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct PatchArgs {
    /// File to change.
    path: String,
    /// Unified diff with one or more hunks, or a `*** Begin Patch` envelope.
    patch: String,
}

pub(crate) struct ApplyPatch;

impl Offer for ApplyPatch {
    type Args = PatchArgs;
    type Operation<'a> = edit::ApplyPatch<'a>;
    const NAME: &'static str = "apply_patch";
    const DESCRIPTION: &'static str =
        "Apply a unified diff to a file. For several changes in one file, or a diff that is ready.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a PatchArgs, options: &'a ToolOptions) -> edit::ApplyPatch<'a> {
        edit::ApplyPatch { patch: &args.patch, path: Some(&args.path), options }
    }
}
