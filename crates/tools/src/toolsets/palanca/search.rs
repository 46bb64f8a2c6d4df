//! Finding text and files.

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::search::{self, Case, FilePattern, FindText, Layout, Reach, Syntax};
use palanca_core::ports::Visit;

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
pub(crate) struct SearchCode {
    /// Regular expression (no look-around, no back-references), matched against each line.
    pattern: String,
    /// Directory or file to search, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Only files whose name or path matches this glob, such as `*.rs` or `src/**/*.ts`.
    file_pattern: Option<String>,
    /// Lines shown before and after each match.
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

impl Offer for SearchCode {
    const NAME: &'static str = "search_code";
    const DESCRIPTION: &'static str =
        "Search files for a regular expression and show the matches with surrounding lines. For plain text, use grep.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        FindText {
            pattern: &self.pattern,
            syntax: Syntax::Regex,
            case: case(self.case_sensitive),
            path: &self.path,
            files: FilePattern::choose(self.file_pattern.as_deref(), options, None),
            reach: reach(true, self.include_ignored, options),
            context: self.context_lines as usize,
            limit: self.max_results as usize,
            layout: Layout::Listing,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct Grep {
    /// Plain text to find; no character has a special meaning.
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

impl Offer for Grep {
    const NAME: &'static str = "grep";
    const DESCRIPTION: &'static str = "Find plain text in files: one line per match, as file:line:text.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        FindText {
            pattern: &self.pattern,
            syntax: Syntax::Literal,
            case: case(self.case_sensitive),
            path: &self.path,
            files: FilePattern::choose(self.file_pattern.as_deref(), options, None),
            reach: reach(self.recursive, self.include_ignored, options),
            context: 0,
            limit: self.max_results as usize,
            layout: Layout::Lines,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct FindFiles {
    /// Glob on file names, such as `*.yaml` or `test_*.py`; with a `/`, on paths, such as `src/**/mod.rs`.
    pattern: String,
    /// Directory to search, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Whether to search the directories below, too.
    #[arg(default = true)]
    recursive: bool,
    /// Maximum number of files to show.
    #[arg(default = 1000, min = 1, max = 10000)]
    max_results: u32,
    /// Whether to show files that ignore files such as .gitignore exclude.
    #[arg(default = false)]
    include_ignored: bool,
}

impl Offer for FindFiles {
    const NAME: &'static str = "find_files";
    const DESCRIPTION: &'static str = "Find files by name with a glob; shows their paths, sorted.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        search::FindFiles {
            pattern: &self.pattern,
            path: &self.path,
            reach: reach(self.recursive, self.include_ignored, options),
            limit: self.max_results as usize,
            heading: false,
            options,
        }
    }
}
