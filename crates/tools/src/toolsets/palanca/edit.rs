//! Changing parts of files.

use crate::edit;
use crate::edit::replace::Occurrence;
use crate::operation::Offer;
use crate::options::ToolOptions;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

#[derive(Args)]
pub(crate) struct EditArgs {
    /// File to change, relative to the workspace.
    path: String,
    /// The exact text to replace, indentation included, without line numbers. It must occur once in the file: give enough
    /// lines around it.
    old_str: String,
    /// The text that takes its place.
    new_str: String,
    /// Whether to replace every occurrence.
    #[arg(default = false)]
    replace_all: bool,
}

pub(crate) struct EditFile;

impl Offer for EditFile {
    type Args = EditArgs;
    type Operation<'a> = edit::EditFile<'a>;
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str = "Replace one exact piece of text in a file and show the diff. Prefer it for a change in one place; for several places use apply_patch.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a EditArgs, options: &'a ToolOptions) -> edit::EditFile<'a> {
        edit::EditFile {
            path: &args.path,
            old: &args.old_str,
            new: &args.new_str,
            occurrence: if args.replace_all { Occurrence::All } else { Occurrence::Unique },
            words: edit::Words {
                old: "old_str",
                new: "new_str",
                all: Some("replace_all"),
                empty_old: "edit-empty-old",
                heading: None,
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct PatchArgs {
    /// A unified diff of one or more files: lines `--- a/FILE`, `+++ b/FILE`, `@@ -LINE,COUNT +LINE,COUNT @@`, then the
    /// hunk with ` `, `-` and `+` in front of each line. `/dev/null` creates or deletes a file; `rename from` and
    /// `rename to` move one. Or an envelope from `*** Begin Patch` to `*** End Patch` with sections `*** Add File: FILE`,
    /// `*** Update File: FILE` and `*** Delete File: FILE`.
    patch: String,
    /// The file that the patch is for, when its headers do not say.
    path: Option<String>,
}

pub(crate) struct ApplyPatch;

impl Offer for ApplyPatch {
    type Args = PatchArgs;
    type Operation<'a> = edit::ApplyPatch<'a>;
    const NAME: &'static str = "apply_patch";
    const DESCRIPTION: &'static str =
        "Apply a patch to one or more files: all hunks or none. Prefer it for several changes at once.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a PatchArgs, options: &'a ToolOptions) -> edit::ApplyPatch<'a> {
        edit::ApplyPatch { patch: &args.patch, path: args.path.as_deref(), options }
    }
}
