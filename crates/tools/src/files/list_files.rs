//! Listing a directory, or the tree below it. Links are shown and never followed; hidden names are shown.
//!
//! One directory is listed as it is. A tree is listed without what ignore files exclude, unless that is asked for, and
//! never from inside the directories that the operator set aside (`.git`): they are shown as one entry.

use super::missing::with_help;
use super::shown::{one_line, shown};
use crate::operation::Operation;
use crate::options::ToolOptions;
use crate::search::{End, Glob, Kinds, LeftOut, NameQuery, Named, Names, Reach, find, left_out, split, unreadable};
use palanca_core::call::{CanonicalPath, Claims, Effect};
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, FilesHandle, Visit};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use serde_json::json;
use std::borrow::Cow;

/// How far down to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The directory itself.
    One,
    /// Everything below it.
    Tree,
}

/// How names are shown.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// Before and after a name, by what stands there.
    pub(crate) file: (&'static str, &'static str),
    pub(crate) directory: (&'static str, &'static str),
    pub(crate) link: (&'static str, &'static str),
    pub(crate) special: (&'static str, &'static str),
    pub(crate) seen_from: SeenFrom,
    /// Whether a line above the names says where they are, and one below how many.
    pub(crate) framed: bool,
}

/// Where a shown path starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeenFrom {
    Workspace,
    /// The directory that is listed.
    Here,
}

pub(crate) struct ListFiles<'a> {
    pub(crate) path: &'a str,
    pub(crate) pattern: Option<&'a str>,
    pub(crate) depth: Depth,
    pub(crate) ignored: Visit,
    pub(crate) limit: usize,
    pub(crate) look: Look,
    pub(crate) options: &'a ToolOptions,
}

impl Operation for ListFiles<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        let (start, _) = self.start()?;
        Ok(Effect::ReadTree(start.into_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let files = cx.files();
        let (start, glob) = self.start()?;
        let looks_below = start != self.path || glob.as_ref().is_some_and(Glob::looks_below);
        let path = files.locate(&start)?;
        let names = if self.depth == Depth::Tree || looks_below {
            self.tree(cx, &path, glob.as_ref())
        } else {
            self.directory(files, &path, glob.as_ref())
        };
        let names = names.map_err(|error| not_a_directory(files, &path, error))?;
        Ok(self.say(&path, &names))
    }
}

impl<'a> ListFiles<'a> {
    fn start(&self) -> Result<(Cow<'a, str>, Option<Glob>), ToolError> {
        match self.pattern {
            None => Ok((Cow::Borrowed(self.path), None)),
            Some(pattern) => split(self.path, pattern).map(|(start, glob)| (start, Some(glob))),
        }
    }

    fn tree(&self, cx: &ToolCx, path: &CanonicalPath, glob: Option<&Glob>) -> Result<Names, FileError> {
        let reach = Reach {
            depth: usize::MAX,
            ignored: self.ignored,
            skip: &self.options.skipped_directories,
            dotted: Visit::Show,
        };
        let halt = || cx.cancel().is_cancelled();
        let query =
            NameQuery { glob, holding: None, kinds: Kinds::All, scope: reach.scope(), most: self.limit, halt: &halt };
        find(cx.files(), path, &query)
    }

    fn directory(&self, files: &FilesHandle, path: &CanonicalPath, glob: Option<&Glob>) -> Result<Names, FileError> {
        let mut found: Vec<Named> = files
            .entries(path)?
            .into_iter()
            .filter(|entry| glob.is_none_or(|glob| glob.matches(entry.name.as_ref())))
            .map(|entry| Named { path: path.join(entry.name).to_string(), kind: entry.kind })
            .collect();
        let total = found.len();
        found.truncate(self.limit);
        let end = if total > self.limit { End::Limit } else { End::Complete };
        Ok(Names { found, total, end, left_out: LeftOut::default(), unreadable: Vec::new() })
    }

    fn say(&self, path: &CanonicalPath, names: &Names) -> Output {
        let mut text = Text::new();
        if self.look.framed {
            text = text.line(Message::new("list-header").with("path", shown(path))).line("");
        }
        if names.found.is_empty() {
            text = text.line(match self.pattern {
                None => Message::new("list-empty").with("path", shown(path)),
                Some(pattern) => Message::new("list-no-match").with("path", shown(path)).with("pattern", pattern),
            });
        } else {
            let lines: Vec<String> = names.found.iter().map(|named| self.line(path, named)).collect();
            text = text.line(lines.join("\n"));
        }
        if self.look.framed {
            text = text.line("").line(Message::new("list-total").with("count", names.total));
        }
        if names.end != End::Complete {
            text = text.line(Message::new("list-more").with("shown", names.found.len()).with("total", names.total));
        }
        let left_out = left_out((&names.left_out, names.met()), self.ignored, "include_ignored");
        text = left_out.into_iter().chain(unreadable(&names.unreadable)).fold(text, Text::line);
        let entries: Vec<_> = names.found.iter().map(|named| json!({"path": named.path, "kind": named.kind})).collect();
        let data = json!({"path": path.to_string(), "entries": entries, "total": names.total});
        let output = Output::text(text).with_data(data);
        if names.end == End::Complete { output } else { output.truncated() }
    }

    fn line(&self, listed: &CanonicalPath, named: &Named) -> String {
        let name = match self.look.seen_from {
            SeenFrom::Here => from_here(listed, &named.path),
            SeenFrom::Workspace => named.path.as_str(),
        };
        let (before, after) = match named.kind {
            EntryKind::File => self.look.file,
            EntryKind::Directory => self.look.directory,
            EntryKind::Link => self.look.link,
            EntryKind::Special => self.look.special,
        };
        format!("{before}{}{after}", one_line(name))
    }
}

/// The path as seen from the directory that is listed.
fn from_here<'n>(listed: &CanonicalPath, name: &'n str) -> &'n str {
    let folder = listed.to_string();
    let folder = folder.strip_suffix('.').filter(|front| front.is_empty() || front.ends_with(':')).unwrap_or(&folder);
    name.strip_prefix(folder).map_or(name, |rest| rest.trim_start_matches('/'))
}

/// A walk cannot start at a file: what the door says then depends on the system, so it is looked at.
fn not_a_directory(files: &FilesHandle, path: &CanonicalPath, error: FileError) -> ToolError {
    match files.info(path) {
        Ok(info) if info.kind != EntryKind::Directory => {
            FileError::new(FileErrorKind::NotADirectory, path.to_string()).into()
        }
        _ => with_help(files, path, error),
    }
}
