//! `tools/search.py` of the document.

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::search::{self, Case, FilePattern, FindText, Layout, Reach, Syntax};
use palanca_core::ports::Visit;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::LazyLock;

/// Directories that the document's searches leave out, beside every one whose name starts with a dot.
static SKIPPED: LazyLock<Vec<String>> =
    LazyLock::new(|| ["node_modules", "__pycache__", "venv", "dist", "build"].into_iter().map(str::to_owned).collect());
/// The names that one `find_files` shows; the document knows no limit.
const NAMES: usize = 10_000;

fn reach(recursive: bool, include_ignored: bool, options: &ToolOptions) -> Reach<'_> {
    let depth = if recursive { usize::MAX } else { 1 };
    match include_ignored {
        true => Reach { depth, ignored: Visit::Show, skip: &options.skipped_directories, dotted: Visit::Show },
        false => Reach { depth, ignored: Visit::Mention, skip: &SKIPPED, dotted: Visit::Hide },
    }
}

/// Written out for one thing that `#[derive(Args)]` does not say: a default that is shown, while it is still known whether
/// the model gave the value.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct SearchCode {
    /// Regular expression, held against each line.
    pattern: String,
    /// Directory to search in, relative to the workspace.
    #[serde(default = "here")]
    path: String,
    /// Glob that filters the files.
    #[serde(default)]
    #[schemars(with = "String", extend("default" = "*.py"))]
    file_pattern: Option<String>,
    /// Lines before and after each match.
    #[serde(default = "two")]
    #[schemars(range(min = 0, max = 10))]
    context_lines: u32,
    /// Limit of results.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 500))]
    max_results: u32,
    /// Whether upper and lower case are told apart.
    #[serde(default = "yes")]
    case_sensitive: bool,
    /// Whether to search what is left out otherwise: what ignore files exclude, hidden directories, and directories such as
    /// node_modules and build.
    #[serde(default)]
    include_ignored: bool,
}
impl Args for SearchCode {}

fn here() -> String {
    ".".to_owned()
}

const fn two() -> u32 {
    2
}

const fn fifty() -> u32 {
    50
}

const fn yes() -> bool {
    true
}

impl Offer for SearchCode {
    const NAME: &'static str = "search_code";
    const DESCRIPTION: &'static str = "Search the source code with a regular expression; shows matches with line numbers and context. Only *.py files unless file_pattern says otherwise.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        FindText {
            pattern: &self.pattern,
            syntax: Syntax::Backtracking,
            case: if self.case_sensitive { Case::Sensitive } else { Case::Insensitive },
            path: &self.path,
            files: FilePattern::choose(self.file_pattern.as_deref(), options, Some("*.py")),
            reach: reach(true, self.include_ignored, options),
            context: self.context_lines as usize,
            limit: self.max_results as usize,
            layout: Layout::Groups,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct Grep {
    /// Literal text, no regular expression.
    pattern: String,
    /// Directory to search in, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Glob that filters the files.
    #[arg(default = "*")]
    file_pattern: String,
    /// Whether to search below, too.
    #[arg(default = true)]
    recursive: bool,
    /// Whether upper and lower case are told apart.
    #[arg(default = true)]
    case_sensitive: bool,
    /// Limit of results.
    #[arg(default = 100, min = 1, max = 500)]
    max_results: u32,
    /// Whether to search what is left out otherwise: what ignore files exclude, hidden directories, and directories such as
    /// node_modules and build.
    #[arg(default = false)]
    include_ignored: bool,
}

impl Offer for Grep {
    const NAME: &'static str = "grep";
    const DESCRIPTION: &'static str = "Search for literal text in files.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        FindText {
            pattern: &self.pattern,
            syntax: Syntax::Literal,
            case: if self.case_sensitive { Case::Sensitive } else { Case::Insensitive },
            path: &self.path,
            files: FilePattern::choose(Some(&self.file_pattern), options, None),
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
    /// Glob on file names, such as `*.yaml`, `test_*.py` or `README*`.
    pattern: String,
    /// Directory where the search begins.
    #[arg(default = ".")]
    path: String,
    /// Whether to search below, too.
    #[arg(default = true)]
    recursive: bool,
    /// Whether to show what is left out otherwise: what ignore files exclude, and what is in hidden directories or in
    /// directories such as node_modules and build.
    #[arg(default = false)]
    include_ignored: bool,
}

impl Offer for FindFiles {
    const NAME: &'static str = "find_files";
    const DESCRIPTION: &'static str = "Find files by name with a glob.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        search::FindFiles {
            pattern: &self.pattern,
            path: &self.path,
            reach: reach(self.recursive, self.include_ignored, options),
            limit: NAMES,
            heading: true,
            options,
        }
    }
}
