//! `find_files`: names in a tree.

use super::find_text::{Reach, unusable_glob};
use super::report::{end_data, ended, left_out, unreadable};
use super::{Case, End, Glob, Kinds, NameQuery, Names, find};
use crate::files::{one_line, with_help};
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{Claims, Effect};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use serde_json::json;
use std::borrow::Cow;

pub(crate) struct FindFiles<'a> {
    pub(crate) pattern: &'a str,
    pub(crate) path: &'a str,
    pub(crate) reach: Reach<'a>,
    pub(crate) limit: usize,
    /// Whether a line above the names says how many there are.
    pub(crate) heading: bool,
    pub(crate) options: &'a ToolOptions,
}

/// Where a search for names starts, and what it looks for there: `src/app/*.rs` in `.` is `*.rs` in `./src/app`.
pub(crate) fn split<'a>(path: &'a str, pattern: &'a str) -> Result<(Cow<'a, str>, Glob), ToolError> {
    let (directory, glob) = Glob::split(pattern, Case::Sensitive).map_err(|error| unusable_glob(&error))?;
    let start = match directory {
        None => Cow::Borrowed(path),
        Some(absolute) if absolute.starts_with('/') => Cow::Borrowed(absolute),
        Some(below) if path == "." => Cow::Borrowed(below),
        Some(below) => Cow::Owned(format!("{}/{below}", path.trim_end_matches('/'))),
    };
    Ok((start, glob))
}

impl Operation for FindFiles<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        let (start, _) = split(self.path, self.pattern)?;
        Ok(Effect::ReadTree(start.into_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let (start, glob) = split(self.path, self.pattern)?;
        let start = cx.files().locate(&start)?;
        let begun = cx.clock().elapsed();
        let halt =
            || cx.cancel().is_cancelled() || cx.clock().elapsed().saturating_sub(begun) > self.options.search_time;
        let query = NameQuery {
            glob: Some(&glob),
            holding: None,
            kinds: Kinds::Files,
            scope: self.reach.scope(),
            most: self.limit,
            halt: &halt,
        };
        let names = find(cx.files(), &start, &query).map_err(|error| with_help(cx.files(), &start, error))?;
        Ok(self.say(&names))
    }
}

impl FindFiles<'_> {
    fn say(&self, names: &Names) -> Output {
        let (indent, mut text) = if self.heading {
            let header = Message::new("find-header").with("pattern", self.pattern).with("count", names.total);
            ("  ", Text::from(header))
        } else {
            ("", Text::new())
        };
        if names.found.is_empty() {
            text = text.line(Message::new("find-nothing").with("pattern", self.pattern).with("path", self.path));
        } else {
            let lines: Vec<String> =
                names.found.iter().map(|named| format!("{indent}{}", one_line(&named.path))).collect();
            text = text.line(lines.join("\n"));
        }
        if names.end == End::Limit {
            let more = Message::new("list-more").with("shown", names.found.len()).with("total", names.total);
            text = text.line(more);
        } else if let Some(note) = ended(names.end, names.found.len(), self.options.search_time.as_secs()) {
            text = text.line(note);
        }
        let left_out = left_out((&names.left_out, names.met()), self.reach.ignored, "include_ignored");
        text = left_out.into_iter().chain(unreadable(&names.unreadable)).fold(text, Text::line);
        let data = json!({
            "files": names.found.iter().map(|named| &named.path).collect::<Vec<_>>(),
            "total": names.total,
            "left_out": names.left_out.count,
            "end": end_data(names.end),
        });
        let output = Output::text(text).with_data(data);
        if names.end == End::Complete { output } else { output.truncated() }
    }
}
