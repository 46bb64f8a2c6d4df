//! Reading, writing, deleting and listing.

use crate::files::{
    self, Depth, Directories, First, LineRange, Look, SeenFrom, Sentences, Style, Unchanged, WriteMode,
};
use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};

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
pub(crate) struct ReadFile {
    /// File to read, relative to the workspace.
    path: String,
    /// First line to show, from 1. Leave out to start at the beginning.
    #[arg(min = 1)]
    start_line: Option<u64>,
    /// Last line to show, inclusive. Leave out to read to the end.
    #[arg(min = 1)]
    end_line: Option<u64>,
    /// true: every line with its number, as `   12 | text`. false: the file's text unchanged.
    #[arg(default = true)]
    numbered: bool,
}

impl Offer for ReadFile {
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str = "Read a text file in the workspace, in full or a range of lines. A long file is shown in pages: the result gives the start_line of the next page.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;
    const LANE: Lane = Lane::Reading;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::ReadFile {
            path: &self.path,
            lines: LineRange { start: self.start_line, end: self.end_line },
            style: if self.numbered { Style::Numbered } else { Style::Plain },
            first: First::One,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct WriteFile {
    /// File to write, relative to the workspace. Missing directories are created.
    path: String,
    /// The content to write. A file with CRLF line endings keeps them.
    content: String,
    /// `overwrite` replaces the existing content, `append` adds to its end.
    #[arg(default = WriteMode::Overwrite)]
    mode: WriteMode,
}

impl Offer for WriteFile {
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str = "Create a file, replace its whole content, or append to it. To change part of a file, use edit_file or apply_patch.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::WriteFile {
            path: &self.path,
            content: &self.content,
            mode: self.mode,
            sentences: Sentences {
                created: Some("write-created"),
                overwritten: "write-overwritten",
                appended: "write-appended",
                unchanged: Unchanged::Instead,
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct DeleteFile {
    /// File to delete, relative to the workspace.
    path: String,
    /// Whether to delete a directory with everything in it.
    #[arg(default = false)]
    recursive: bool,
}

impl Offer for DeleteFile {
    const NAME: &'static str = "delete_file";
    const DESCRIPTION: &'static str = "Delete a file, or with recursive=true a directory and everything in it. Works only if the operator has allowed deletions.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::DeleteFile {
            path: &self.path,
            directories: if self.recursive { Directories::WithContent } else { Directories::Refuse },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct ListFiles {
    /// Directory to list, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Only names that match this glob, such as `*.py` or `src/**/*.ts`. A glob with `/` or `**` also matches in subdirectories.
    pattern: Option<String>,
    /// Whether to list everything below, too, except files that ignore files exclude.
    #[arg(default = false)]
    recursive: bool,
    /// Whether a recursive listing includes files that ignore files exclude.
    #[arg(default = false)]
    include_ignored: bool,
    /// Maximum number of entries.
    #[arg(default = 1000, min = 1, max = 10000)]
    max_results: u32,
}

impl Offer for ListFiles {
    const NAME: &'static str = "list_files";
    const DESCRIPTION: &'static str = "List a directory, or with recursive=true the tree below it. Directories end in /, links in @; links are not followed.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        use palanca_core::ports::Visit;
        files::ListFiles {
            path: &self.path,
            pattern: self.pattern.as_deref(),
            depth: if self.recursive { Depth::Tree } else { Depth::One },
            ignored: if self.include_ignored { Visit::Show } else { Visit::Mention },
            limit: self.max_results as usize,
            look: LOOK,
            options,
        }
    }
}
