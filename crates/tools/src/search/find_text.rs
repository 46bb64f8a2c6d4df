//! `search_code` and `grep`: text in files, with the defaults and limits of a toolset around the engine.

use super::report::{self, Layout};
use super::{Case, ContentQuery, Glob, GlobError, Needle, NeedleError, Scope, Syntax};
use crate::files::with_help;
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{Claims, Effect, ErrorKind};
use palanca_core::ports::{Visit, WalkOptions};
use palanca_core::{Message, Output, ToolCx, ToolError};

/// Characters of one line that are shown.
const LONGEST_LINE: usize = 500;

/// Which files are searched, by their names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FilePattern<'a> {
    /// As the model said.
    Given(&'a str),
    /// As the toolset or the operator says, because the model said nothing.
    Default(&'a str),
    /// All of them.
    Any,
}

impl<'a> FilePattern<'a> {
    /// What the model said, else what the operator says, else what the toolset says.
    pub(crate) fn choose(given: Option<&'a str>, options: &'a ToolOptions, toolset: Option<&'a str>) -> Self {
        match (given, options.default_file_pattern.as_deref().or(toolset)) {
            (Some("*" | "**" | "**/*"), _) | (None, None | Some("*")) => Self::Any,
            (Some(given), _) => Self::Given(given),
            (None, Some(default)) => Self::Default(default),
        }
    }

    pub(super) fn glob(self) -> Result<Option<Glob>, ToolError> {
        match self {
            Self::Any => Ok(None),
            Self::Given(pattern) | Self::Default(pattern) => {
                Glob::new(pattern, Case::Sensitive).map(Some).map_err(|error| unusable_glob(&error))
            }
        }
    }
}

/// Which part of the tree is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<'a> {
    /// Levels below the start.
    pub(crate) depth: usize,
    /// Whether what ignore files exclude is looked at.
    pub(crate) ignored: Visit,
    /// Directories that are not entered.
    pub(crate) skip: &'a [String],
    /// Whether directories whose names start with a dot are entered.
    pub(crate) dotted: Visit,
}

impl<'a> Reach<'a> {
    pub(crate) const fn scope(self) -> Scope<'a> {
        let walk = WalkOptions { max_depth: self.depth, ignore_files: self.ignored, hidden: Visit::Show };
        Scope { walk, skip: self.skip, dotted: self.dotted }
    }
}

pub(crate) struct FindText<'a> {
    pub(crate) pattern: &'a str,
    pub(crate) syntax: Syntax,
    pub(crate) case: Case,
    pub(crate) path: &'a str,
    pub(crate) files: FilePattern<'a>,
    pub(crate) reach: Reach<'a>,
    pub(crate) context: usize,
    pub(crate) limit: usize,
    pub(crate) layout: Layout,
    pub(crate) options: &'a ToolOptions,
}

impl Operation for FindText<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        Ok(Effect::ReadTree(self.path.to_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let needle = Needle::new(self.pattern, self.syntax, self.case).map_err(|error| unusable_needle(&error))?;
        let glob = self.files.glob()?;
        let start = cx.files().locate(self.path)?;
        let begun = cx.clock().elapsed();
        let halt =
            || cx.cancel().is_cancelled() || cx.clock().elapsed().saturating_sub(begun) > self.options.search_time;
        let query = ContentQuery {
            needle: &needle,
            files: glob.as_ref(),
            scope: self.reach.scope(),
            context: self.context,
            most_hits: self.limit,
            longest_line: LONGEST_LINE,
            halt: &halt,
        };
        let found = super::search(cx.files(), &start, &query).map_err(|error| with_help(cx.files(), &start, error))?;
        if needle.gave_up() {
            return Err(ToolError::new(ErrorKind::InvalidArguments, Message::new("search-pattern-too-slow")));
        }
        Ok(report::text(self, &start, &found))
    }
}

pub(super) fn unusable_needle(error: &NeedleError) -> ToolError {
    let message = match error {
        NeedleError::Empty => Message::new("search-pattern-empty"),
        NeedleError::LineBreak => Message::new("search-pattern-line-break"),
        NeedleError::TooLarge => Message::new("search-pattern-too-large"),
        NeedleError::Invalid { reason } => Message::new("search-pattern-invalid").with("reason", reason),
    };
    ToolError::new(ErrorKind::InvalidArguments, message)
}

pub(crate) fn unusable_glob(error: &GlobError) -> ToolError {
    match error {
        GlobError::Empty => ToolError::new(ErrorKind::InvalidArguments, Message::new("glob-empty")),
        GlobError::Outside { pattern } => {
            ToolError::new(ErrorKind::Outside, Message::new("glob-leaves").with("pattern", pattern))
        }
        GlobError::Invalid { pattern, reason } => ToolError::new(
            ErrorKind::InvalidArguments,
            Message::new("glob-invalid").with("pattern", pattern).with("reason", reason),
        ),
    }
}
