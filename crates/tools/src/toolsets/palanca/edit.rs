//! Changing parts of files.

use crate::edit;
use crate::edit::replace::Occurrence;
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};

#[derive(Args)]
pub(crate) struct EditFile {
    /// File to change, relative to the workspace.
    path: String,
    /// The exact text to replace, including indentation, without line numbers. It must occur exactly once in the file: include
    /// enough surrounding lines.
    old_str: String,
    /// The replacement text.
    new_str: String,
    /// Whether to replace every occurrence.
    #[arg(default = false)]
    replace_all: bool,
}

impl Offer for EditFile {
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str = "Replace one exact piece of text in a file and show the diff. Prefer it for a change in one place; use apply_patch for several.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        edit::EditFile {
            path: &self.path,
            old: &self.old_str,
            new: &self.new_str,
            occurrence: if self.replace_all { Occurrence::All } else { Occurrence::Unique },
            words: edit::Words {
                old: "old_str",
                new: "new_str",
                all: Some("replace_all"),
                empty_old: "edit-empty-old",
                done: "edit-done",
                heading: None,
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct ApplyPatch {
    /// A unified diff of one or more files: lines `--- a/FILE`, `+++ b/FILE`, `@@ -LINE,COUNT +LINE,COUNT @@`, then the
    /// hunk with ` `, `-` or `+` at the start of each line. `/dev/null` creates or deletes a file; `rename from` and
    /// `rename to` move one. Or an envelope from `*** Begin Patch` to `*** End Patch` with sections `*** Add File: FILE`,
    /// `*** Update File: FILE` and `*** Delete File: FILE`.
    patch: String,
    /// The file to patch, if the patch's headers do not name it.
    path: Option<String>,
}

impl Offer for ApplyPatch {
    const NAME: &'static str = "apply_patch";
    const DESCRIPTION: &'static str =
        "Apply a patch to one or more files: either all hunks or none. Prefer it for several changes at once.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        edit::ApplyPatch { patch: &self.patch, path: self.path.as_deref(), options }
    }
}
