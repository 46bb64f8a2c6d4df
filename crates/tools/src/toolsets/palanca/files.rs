//! Reading, writing, deleting and listing.

use crate::files::{
    self, Depth, Directories, First, LineRange, Look, SeenFrom, Sentences, Style, Unchanged, WriteMode,
};
use crate::operation::Offer;
use crate::options::ToolOptions;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

/// How a listing looks.
const LOOK: Look = Look {
    file: ("", ""),
    directory: ("", "/"),
    link: ("", "@"),
    special: ("", "|"),
    seen_from: SeenFrom::Workspace,
    framed: false,
};

#[derive(Args)]
pub(crate) struct ReadArgs {
    /// File to read, relative to the workspace.
    path: String,
    /// First line to show, from 1. Leave out to start at the beginning.
    #[arg(min = 1)]
    start_line: Option<u64>,
    /// Last line to show, inclusive. Leave out to read to the end.
    #[arg(min = 1)]
    end_line: Option<u64>,
    /// true: every line with its number, as `   12 | text`. false: the text as it is in the file.
    #[arg(default = true)]
    numbered: bool,
}

pub(crate) struct ReadFile;

impl Offer for ReadFile {
    type Args = ReadArgs;
    type Operation<'a> = files::ReadFile<'a>;
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str = "Read a text file of the workspace, whole or a range of lines. A long file is shown page by page: the result says with which start_line to go on.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ReadArgs, options: &'a ToolOptions) -> files::ReadFile<'a> {
        files::ReadFile {
            path: &args.path,
            lines: LineRange { start: args.start_line, end: args.end_line },
            style: if args.numbered { Style::Numbered } else { Style::Plain },
            first: First::One,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct WriteArgs {
    /// File to write, relative to the workspace. Missing directories are made.
    path: String,
    /// The content to write. A file whose lines end in CRLF keeps that.
    content: String,
    /// `overwrite` replaces what is there, `append` adds to its end.
    #[arg(default = WriteMode::Overwrite)]
    mode: WriteMode,
}

pub(crate) struct WriteFile;

impl Offer for WriteFile {
    type Args = WriteArgs;
    type Operation<'a> = files::WriteFile<'a>;
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str = "Create a file, replace it as a whole, or append to it. To change a part of a file use edit_file or apply_patch.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a WriteArgs, options: &'a ToolOptions) -> files::WriteFile<'a> {
        files::WriteFile {
            path: &args.path,
            content: &args.content,
            mode: args.mode,
            sentences: Sentences {
                created: Some("write-created"),
                overwritten: "write-overwritten",
                unchanged: Unchanged::Instead,
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct DeleteArgs {
    /// File to delete, relative to the workspace.
    path: String,
    /// Whether a directory may be deleted, with everything in it.
    #[arg(default = false)]
    recursive: bool,
}

pub(crate) struct DeleteFile;

impl Offer for DeleteFile {
    type Args = DeleteArgs;
    type Operation<'a> = files::DeleteFile<'a>;
    const NAME: &'static str = "delete_file";
    const DESCRIPTION: &'static str = "Delete a file, or with recursive=true a directory with everything in it. Only works where the operator has allowed deletions.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a DeleteArgs, options: &'a ToolOptions) -> files::DeleteFile<'a> {
        files::DeleteFile {
            path: &args.path,
            directories: if args.recursive { Directories::WithContent } else { Directories::Refuse },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Directory to list, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Only names that match this glob, such as `*.py` or `src/**/*.ts`. One with a `/` or `**` looks below.
    pattern: Option<String>,
    /// Whether to list everything below, too. What ignore files exclude is left out then.
    #[arg(default = false)]
    recursive: bool,
    /// Whether a recursive listing shows what ignore files exclude.
    #[arg(default = false)]
    include_ignored: bool,
    /// The most entries to list.
    #[arg(default = 1000, min = 1, max = 10000)]
    max_results: u32,
}

pub(crate) struct ListFiles;

impl Offer for ListFiles {
    type Args = ListArgs;
    type Operation<'a> = files::ListFiles<'a>;
    const NAME: &'static str = "list_files";
    const DESCRIPTION: &'static str = "List a directory, or with recursive=true the tree below it. Directories end in /, links in @ and are not followed.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ListArgs, options: &'a ToolOptions) -> files::ListFiles<'a> {
        use palanca_core::ports::Visit;
        files::ListFiles {
            path: &args.path,
            pattern: args.pattern.as_deref(),
            depth: if args.recursive { Depth::Tree } else { Depth::One },
            ignored: if args.include_ignored { Visit::Show } else { Visit::Mention },
            limit: args.max_results as usize,
            look: LOOK,
            options,
        }
    }
}
