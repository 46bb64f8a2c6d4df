//! The toolset of the document *Agents Tools - Contratos*: names, arguments and JSON exactly as it says. It reads and
//! plans, and cannot write, run or send.

pub mod products;

use crate::files::contracts;
use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};
use crate::plan;
use crate::search::Matches;
use palanca_core::ports::Visit;
use serde_json::Value;

#[derive(Args)]
pub(crate) struct ListDirs {
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

impl Offer for ListDirs {
    const NAME: &'static str = "list_dirs";
    const DESCRIPTION: &'static str =
        "List the directories below a directory, one to three levels deep: {dirs: [{path, depth}], truncated}.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        contracts::ListDirs { path: &self.path, depth: self.depth as usize, limit: self.limit as usize, options }
    }
}

#[derive(Args)]
pub(crate) struct ListFiles {
    /// Directory to list, relative to the root. Leave out for the root itself.
    #[arg(default = ".")]
    path: String,
    /// Glob on file names, such as `*.tsx`.
    pattern: Option<String>,
    /// The most files.
    #[arg(default = 100, min = 1, max = 1000)]
    limit: u32,
}

impl Offer for ListFiles {
    const NAME: &'static str = "list_files";
    const DESCRIPTION: &'static str =
        "List the files of one directory, not of those below it: {files: [{path, name, size}], truncated}.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, _options: &'a ToolOptions) -> impl Operation {
        contracts::ListFiles { path: &self.path, pattern: self.pattern.as_deref(), limit: self.limit as usize }
    }
}

#[derive(Args)]
pub(crate) struct ReadFile {
    /// File to read, relative to the root.
    path: String,
}

impl Offer for ReadFile {
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str =
        "Read a text file: {path, content, size}. Content above 100 KB is cut, and truncated is then true.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;
    const LANE: Lane = Lane::Reading;

    fn operation<'a>(&'a self, _options: &'a ToolOptions) -> impl Operation {
        contracts::ReadFile { path: &self.path }
    }
}

#[derive(Args)]
pub(crate) struct SearchCode {
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

impl Offer for SearchCode {
    const NAME: &'static str = "search_code";
    const DESCRIPTION: &'static str = "Search all files for a literal text: [{path, snippet}], one for each line that has it. If no content has it, files whose path has it are given.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Matches {
            query: &self.query,
            files: self.file_pattern.as_deref(),
            limit: self.limit as usize,
            ignored: if self.include_ignored { Visit::Show } else { Visit::Mention },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct ValidateOutput {
    /// What the answer is to be: `domain_map`, or a type of the configuration.
    #[arg(rename = "outputType")]
    output_type: String,
    /// The answer.
    data: Value,
}

impl Offer for ValidateOutput {
    const NAME: &'static str = "validate_output";
    const DESCRIPTION: &'static str =
        "Check an answer against its type: {valid, errors, warnings}. Warnings never make an answer invalid.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        plan::Validate { output_type: &self.output_type, data: &self.data, types: &options.output_types }
    }
}
