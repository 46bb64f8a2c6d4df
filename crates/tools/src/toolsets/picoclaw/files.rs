//! Reading, writing and listing, argument for argument as documented.

use crate::files::{self, Depth, First, LineRange, Look, SeenFrom, Sentences, Style, Unchanged, WriteMode};
use crate::operation::Offer;
use crate::options::ToolOptions;
use palanca_core::ports::Visit;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

/// Entries of one listing; the document knows no limit.
const LISTED: usize = 10_000;

/// How a listing looks.
const LOOK: Look = Look {
    file: ("FILE: ", ""),
    directory: ("DIR:  ", ""),
    link: ("LINK: ", ""),
    special: ("SPEC: ", ""),
    seen_from: SeenFrom::Here,
    framed: false,
};

#[derive(Args)]
pub(crate) struct ReadArgs {
    /// File to read, relative to the workspace.
    file_path: String,
    /// First line to show, counted from 0.
    #[arg(default = 0, min = 0)]
    offset: u64,
    /// The most lines to show. Leave out to read to the end.
    #[arg(min = 1)]
    limit: Option<u64>,
}

pub(crate) struct ReadFile;

impl Offer for ReadFile {
    type Args = ReadArgs;
    type Operation<'a> = files::ReadFile<'a>;
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str = "Read a text file, whole or from line `offset` (counted from 0) on for `limit` lines. Returns the content as it is. Of a long file the result says with which offset to go on.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ReadArgs, options: &'a ToolOptions) -> files::ReadFile<'a> {
        files::ReadFile {
            path: &args.file_path,
            lines: LineRange {
                start: (args.offset > 0).then(|| args.offset.saturating_add(1)),
                end: args.limit.map(|limit| args.offset.saturating_add(limit)),
            },
            style: Style::Plain,
            first: First::Zero,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct WriteArgs {
    /// File to write, relative to the workspace. Missing directories are made.
    file_path: String,
    /// The content to write.
    content: String,
}

pub(crate) struct WriteFile;

impl Offer for WriteFile {
    type Args = WriteArgs;
    type Operation<'a> = files::WriteFile<'a>;
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str = "Write a file: it is created, or replaced as a whole where it is there already. To change a part use edit_file.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(args: &'a WriteArgs, options: &'a ToolOptions) -> files::WriteFile<'a> {
        files::WriteFile {
            path: &args.file_path,
            content: &args.content,
            mode: WriteMode::Overwrite,
            sentences: Sentences {
                created: Some("write-created-whole"),
                overwritten: "write-overwritten-whole",
                unchanged: Unchanged::Hidden,
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Directory to list, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Whether to list everything below, too.
    #[arg(default = false)]
    recursive: bool,
}

pub(crate) struct ListDir;

impl Offer for ListDir {
    type Args = ListArgs;
    type Operation<'a> = files::ListFiles<'a>;
    const NAME: &'static str = "list_dir";
    const DESCRIPTION: &'static str = "List the files and directories of a directory, one a line: `DIR:  name`, `FILE: name`, `LINK: name`. With recursive=true everything below, by its path from there.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ListArgs, options: &'a ToolOptions) -> files::ListFiles<'a> {
        files::ListFiles {
            path: &args.path,
            pattern: None,
            depth: if args.recursive { Depth::Tree } else { Depth::One },
            ignored: Visit::Show,
            limit: LISTED,
            look: LOOK,
            options,
        }
    }
}
