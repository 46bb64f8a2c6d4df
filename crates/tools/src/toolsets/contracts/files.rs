//! Reading: `list_dirs`, `list_files`, `read_file` and `search_code` of the document.

use crate::files::contracts;
use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::search::Matches;
use palanca_core::ports::Visit;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

#[derive(Args)]
pub(crate) struct DirsArgs {
    /// Directory to look below, relative to the root. Leave out for the root itself.
    #[arg(default = ".")]
    path: String,
    /// Levels below `path`: 1, 2 or 3.
    #[arg(default = 1, min = 1, max = 3)]
    depth: u32,
    /// The most directories.
    #[arg(default = 100, min = 1, max = 1000)]
    limit: u32,
}

pub(crate) struct ListDirs;

impl Offer for ListDirs {
    type Args = DirsArgs;
    type Operation<'a> = contracts::ListDirs<'a>;
    const NAME: &'static str = "list_dirs";
    const DESCRIPTION: &'static str =
        "List the directories below a directory, one to three levels deep: {dirs: [{path, depth}], truncated}.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a DirsArgs, options: &'a ToolOptions) -> contracts::ListDirs<'a> {
        contracts::ListDirs { path: &args.path, depth: args.depth as usize, limit: args.limit as usize, options }
    }
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Directory to list, relative to the root. Leave out for the root itself.
    #[arg(default = ".")]
    path: String,
    /// Glob on file names, such as `*.tsx`.
    pattern: Option<String>,
    /// The most files.
    #[arg(default = 100, min = 1, max = 1000)]
    limit: u32,
}

pub(crate) struct ListFiles;

impl Offer for ListFiles {
    type Args = ListArgs;
    type Operation<'a> = contracts::ListFiles<'a>;
    const NAME: &'static str = "list_files";
    const DESCRIPTION: &'static str =
        "List the files of one directory, not of those below it: {files: [{path, name, size}], truncated}.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ListArgs, _options: &'a ToolOptions) -> contracts::ListFiles<'a> {
        contracts::ListFiles { path: &args.path, pattern: args.pattern.as_deref(), limit: args.limit as usize }
    }
}

#[derive(Args)]
pub(crate) struct ReadArgs {
    /// File to read, relative to the root.
    path: String,
}

pub(crate) struct ReadFile;

impl Offer for ReadFile {
    type Args = ReadArgs;
    type Operation<'a> = contracts::ReadFile<'a>;
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str =
        "Read a text file: {path, content, size}. Content above 100 KB is cut, and truncated is then true.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ReadArgs, _options: &'a ToolOptions) -> contracts::ReadFile<'a> {
        contracts::ReadFile { path: &args.path }
    }
}

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Text to search for, taken as it is.
    query: String,
    /// Glob that filters the files, such as `*.ts` or `src/**/*.rs`.
    #[arg(rename = "filePattern")]
    file_pattern: Option<String>,
    /// The most matches.
    #[arg(default = 20, min = 1, max = 500)]
    limit: u32,
    /// Whether to search what ignore files such as .gitignore exclude.
    #[arg(rename = "includeIgnored", default = false)]
    include_ignored: bool,
}

pub(crate) struct SearchCode;

impl Offer for SearchCode {
    type Args = SearchArgs;
    type Operation<'a> = Matches<'a>;
    const NAME: &'static str = "search_code";
    const DESCRIPTION: &'static str = "Search all files for a literal text: [{path, snippet}], one for each line that has it. If no content has it, files whose path has it are given.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a SearchArgs, options: &'a ToolOptions) -> Matches<'a> {
        Matches {
            query: &args.query,
            files: args.file_pattern.as_deref(),
            limit: args.limit as usize,
            ignored: if args.include_ignored { Visit::Show } else { Visit::Mention },
            options,
        }
    }
}
