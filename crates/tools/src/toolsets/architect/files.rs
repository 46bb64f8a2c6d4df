//! `tools/filesystem.py` of the document.

use crate::files::{
    self, Depth, Directories, First, LineRange, Look, SeenFrom, Sentences, Style, Unchanged, WriteMode,
};
use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};
use palanca_core::ports::Visit;

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
pub(crate) struct ReadFile {
    /// File to read, relative to the workspace root.
    path: String,
    /// First line to show, from 1. Leave out to start at the beginning.
    #[arg(min = 1)]
    start_line: Option<u64>,
    /// Last line to show, inclusive. Leave out to read to the end.
    #[arg(min = 1)]
    end_line: Option<u64>,
}

impl Offer for ReadFile {
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str = "Read a file as text, whole or a range of lines. A long file is shown page by page: the result says with which start_line to go on.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;
    const LANE: Lane = Lane::Reading;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::ReadFile {
            path: &self.path,
            lines: LineRange { start: self.start_line, end: self.end_line },
            style: Style::Headed,
            first: First::One,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct WriteFile {
    /// File to write, relative to the workspace root. Missing parent directories are made.
    path: String,
    /// The content.
    content: String,
    /// `overwrite` or `append`.
    #[arg(default = WriteMode::Overwrite)]
    mode: WriteMode,
}

impl Offer for WriteFile {
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str = "Write or append to a file. For new files and complete rewrites; for partial changes use edit_file or apply_patch.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::WriteFile {
            path: &self.path,
            content: &self.content,
            mode: self.mode,
            sentences: Sentences {
                created: None,
                overwritten: "write-overwritten",
                appended: "write-appended",
                unchanged: Unchanged::Below,
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct DeleteFile {
    /// File to delete, relative to the workspace root.
    path: String,
}

impl Offer for DeleteFile {
    const NAME: &'static str = "delete_file";
    const DESCRIPTION: &'static str = "Delete a file (requires allow_delete=true).";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::DeleteFile { path: &self.path, directories: Directories::Refuse, options }
    }
}

#[derive(Args)]
pub(crate) struct ListFiles {
    /// Directory to list, relative to the workspace root.
    #[arg(default = ".")]
    path: String,
    /// Glob, such as `*.py`, `**/*.md` or `src/**/*.ts`.
    pattern: Option<String>,
    /// Whether to list everything below, too.
    #[arg(default = false)]
    recursive: bool,
}

impl Offer for ListFiles {
    const NAME: &'static str = "list_files";
    const DESCRIPTION: &'static str = "List the files of a directory, optionally with a glob and recursively.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::ListFiles {
            path: &self.path,
            pattern: self.pattern.as_deref(),
            depth: if self.recursive { Depth::Tree } else { Depth::One },
            ignored: Visit::Show,
            limit: LISTED,
            look: LOOK,
            options,
        }
    }
}
