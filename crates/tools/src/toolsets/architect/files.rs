//! `tools/filesystem.py` of the document.

use crate::files::{
    self, Depth, Directories, First, LineRange, Look, SeenFrom, Sentences, Style, Unchanged, WriteMode,
};
use crate::operation::Offer;
use crate::options::ToolOptions;
use palanca_core::ports::Visit;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

/// Entries of one listing; the document knows no limit.
const LISTED: usize = 10_000;

/// How a listing looks.
const LOOK: Look = Look {
    file: ("FILE ", ""),
    directory: ("DIR  ", ""),
    link: ("LINK ", ""),
    special: ("SPEC ", ""),
    seen_from: SeenFrom::Workspace,
    framed: true,
};

#[derive(Args)]
pub(crate) struct ReadArgs {
    /// File to read, relative to the workspace root.
    path: String,
    /// First line to show, from 1. Leave out to start at the beginning.
    #[arg(min = 1)]
    start_line: Option<u64>,
    /// Last line to show, inclusive. Leave out to read to the end.
    #[arg(min = 1)]
    end_line: Option<u64>,
}

pub(crate) struct ReadFile;

impl Offer for ReadFile {
    type Args = ReadArgs;
    type Operation<'a> = files::ReadFile<'a>;
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str = "Read a file as text, whole or a range of lines. A long file is shown page by page: the result says with which start_line to go on.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ReadArgs, options: &'a ToolOptions) -> files::ReadFile<'a> {
        files::ReadFile {
            path: &args.path,
            lines: LineRange { start: args.start_line, end: args.end_line },
            style: Style::Headed,
            first: First::One,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct WriteArgs {
    /// File to write, relative to the workspace root. Missing parent directories are made.
    path: String,
    /// The content.
    content: String,
    /// `overwrite` or `append`.
    #[arg(default = WriteMode::Overwrite)]
    mode: WriteMode,
}

pub(crate) struct WriteFile;

impl Offer for WriteFile {
    type Args = WriteArgs;
    type Operation<'a> = files::WriteFile<'a>;
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str = "Write or append to a file. For new files and complete rewrites; for partial changes use edit_file or apply_patch.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a WriteArgs, options: &'a ToolOptions) -> files::WriteFile<'a> {
        files::WriteFile {
            path: &args.path,
            content: &args.content,
            mode: args.mode,
            sentences: Sentences { created: None, overwritten: "write-overwritten", unchanged: Unchanged::Below },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct DeleteArgs {
    /// File to delete, relative to the workspace root.
    path: String,
}

pub(crate) struct DeleteFile;

impl Offer for DeleteFile {
    type Args = DeleteArgs;
    type Operation<'a> = files::DeleteFile<'a>;
    const NAME: &'static str = "delete_file";
    const DESCRIPTION: &'static str = "Delete a file (requires allow_delete=true).";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a DeleteArgs, options: &'a ToolOptions) -> files::DeleteFile<'a> {
        files::DeleteFile { path: &args.path, directories: Directories::Refuse, options }
    }
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Directory to list, relative to the workspace root.
    #[arg(default = ".")]
    path: String,
    /// Glob, such as `*.py`, `**/*.md` or `src/**/*.ts`.
    pattern: Option<String>,
    /// Whether to list everything below, too.
    #[arg(default = false)]
    recursive: bool,
}

pub(crate) struct ListFiles;

impl Offer for ListFiles {
    type Args = ListArgs;
    type Operation<'a> = files::ListFiles<'a>;
    const NAME: &'static str = "list_files";
    const DESCRIPTION: &'static str = "List the files of a directory, optionally with a glob and recursively.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ListArgs, options: &'a ToolOptions) -> files::ListFiles<'a> {
        files::ListFiles {
            path: &args.path,
            pattern: args.pattern.as_deref(),
            depth: if args.recursive { Depth::Tree } else { Depth::One },
            ignored: Visit::Show,
            limit: LISTED,
            look: LOOK,
            options,
        }
    }
}
