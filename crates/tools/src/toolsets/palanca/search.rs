//! Finding text and files.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::search::{self, Case, FilePattern, FindText, Layout, Reach, Syntax};
use palanca_core::ports::Visit;
use palanca_core::tool::Annotations;
use palanca_derive::Args;

/// Everything but what ignore files exclude and the operator set aside; hidden files and directories too.
fn reach(recursive: bool, include_ignored: bool, options: &ToolOptions) -> Reach<'_> {
    Reach {
        depth: if recursive { usize::MAX } else { 1 },
        ignored: if include_ignored { Visit::Show } else { Visit::Mention },
        skip: &options.skipped_directories,
        dotted: Visit::Show,
    }
}

const fn case(sensitive: bool) -> Case {
    if sensitive { Case::Sensitive } else { Case::Insensitive }
}

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Regular expression (no look-around, no back-references), held against each line.
    pattern: String,
    /// Directory or file to search, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Only files whose name or path matches this glob, such as `*.rs` or `src/**/*.ts`.
    file_pattern: Option<String>,
    /// Lines shown before and after each hit.
    #[arg(default = 2, min = 0, max = 10)]
    context_lines: u32,
    /// The most lines that match.
    #[arg(default = 50, min = 1, max = 1000)]
    max_results: u32,
    /// Whether upper and lower case are told apart.
    #[arg(default = true)]
    case_sensitive: bool,
    /// Whether to search what ignore files such as .gitignore exclude.
    #[arg(default = false)]
    include_ignored: bool,
}

pub(crate) struct SearchCode;

impl Offer for SearchCode {
    type Args = SearchArgs;
    type Operation<'a> = FindText<'a>;
    const NAME: &'static str = "search_code";
    const DESCRIPTION: &'static str =
        "Search files for a regular expression and show the hits with the lines around them. For plain text use grep.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a SearchArgs, options: &'a ToolOptions) -> FindText<'a> {
        FindText {
            pattern: &args.pattern,
            syntax: Syntax::Regex,
            case: case(args.case_sensitive),
            path: &args.path,
            files: FilePattern::choose(args.file_pattern.as_deref(), options, None),
            reach: reach(true, args.include_ignored, options),
            context: args.context_lines as usize,
            limit: args.max_results as usize,
            layout: Layout::Listing,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct GrepArgs {
    /// Plain text to find; no character is special.
    pattern: String,
    /// Directory or file to search, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Only files whose name or path matches this glob, such as `*.rs` or `src/**/*.ts`.
    file_pattern: Option<String>,
    /// Whether to search the directories below, too.
    #[arg(default = true)]
    recursive: bool,
    /// Whether upper and lower case are told apart.
    #[arg(default = true)]
    case_sensitive: bool,
    /// The most lines that match.
    #[arg(default = 100, min = 1, max = 1000)]
    max_results: u32,
    /// Whether to search what ignore files such as .gitignore exclude.
    #[arg(default = false)]
    include_ignored: bool,
}

pub(crate) struct Grep;

impl Offer for Grep {
    type Args = GrepArgs;
    type Operation<'a> = FindText<'a>;
    const NAME: &'static str = "grep";
    const DESCRIPTION: &'static str = "Find plain text in files: one line for each hit, as file:line:text.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a GrepArgs, options: &'a ToolOptions) -> FindText<'a> {
        FindText {
            pattern: &args.pattern,
            syntax: Syntax::Literal,
            case: case(args.case_sensitive),
            path: &args.path,
            files: FilePattern::choose(args.file_pattern.as_deref(), options, None),
            reach: reach(args.recursive, args.include_ignored, options),
            context: 0,
            limit: args.max_results as usize,
            layout: Layout::Lines,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct FindArgs {
    /// Glob on file names, such as `*.yaml` or `test_*.py`; with a `/`, on paths, such as `src/**/mod.rs`.
    pattern: String,
    /// Directory to search, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Whether to search the directories below, too.
    #[arg(default = true)]
    recursive: bool,
    /// The most files to show.
    #[arg(default = 1000, min = 1, max = 10000)]
    max_results: u32,
    /// Whether to show what ignore files such as .gitignore exclude.
    #[arg(default = false)]
    include_ignored: bool,
}

pub(crate) struct FindFiles;

impl Offer for FindFiles {
    type Args = FindArgs;
    type Operation<'a> = search::FindFiles<'a>;
    const NAME: &'static str = "find_files";
    const DESCRIPTION: &'static str = "Find files by name with a glob; shows their paths, sorted.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a FindArgs, options: &'a ToolOptions) -> search::FindFiles<'a> {
        search::FindFiles {
            pattern: &args.pattern,
            path: &args.path,
            reach: reach(args.recursive, args.include_ignored, options),
            limit: args.max_results as usize,
            heading: false,
            options,
        }
    }
}
