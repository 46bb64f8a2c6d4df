//! `edit_file`, argument for argument as documented.

use crate::edit;
use crate::edit::replace::Occurrence;
use crate::operation::Offer;
use crate::options::ToolOptions;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

#[derive(Args)]
pub(crate) struct EditArgs {
    /// File to change, relative to the workspace.
    file_path: String,
    /// The exact text to replace, indentation included. It must occur once in the file: give enough lines around it.
    old_string: String,
    /// The text that takes its place.
    new_string: String,
    /// Whether to replace every occurrence.
    #[arg(default = false, rename = "replaceAll")]
    replace_all: bool,
}

pub(crate) struct EditFile;

impl Offer for EditFile {
    type Args = EditArgs;
    type Operation<'a> = edit::EditFile<'a>;
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str =
        "Replace one exact piece of text in a file, or with replaceAll=true every occurrence, and show the diff.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a EditArgs, options: &'a ToolOptions) -> edit::EditFile<'a> {
        edit::EditFile {
            path: &args.file_path,
            old: &args.old_string,
            new: &args.new_string,
            occurrence: if args.replace_all { Occurrence::All } else { Occurrence::Unique },
            words: edit::Words {
                old: "old_string",
                new: "new_string",
                all: Some("replaceAll"),
                empty_old: "edit-empty-old-whole",
                heading: None,
            },
            options,
        }
    }
}
