//! `memory_get`: lines of one file of a bot's folder.
//!
//! Nothing that is reached through a link is shown, even where the link stays in the folder: whoever reads a memory's name
//! reads that file.

use crate::files::{First, LineRange, ReadFile, Style, shown};
use crate::operation::{Operation, ToolOptions};
use palanca_core::call::{CanonicalPath, Claims, ErrorKind};
use palanca_core::ports::FilesHandle;
use palanca_core::{Message, Output, ToolCx, ToolError};
use serde_json::json;
use std::path::{Component, Path};

pub(crate) struct MemoryFile<'a> {
    /// From the bot's folder.
    path: &'a str,
    whole: String,
    lines: LineRange,
    options: &'a ToolOptions,
}

impl<'a> MemoryFile<'a> {
    pub(crate) fn new(path: &'a str, lines: LineRange, options: &'a ToolOptions) -> Self {
        Self { path, whole: format!("{}/{path}", options.soul.dir), lines, options }
    }

    fn read(&self) -> ReadFile<'_> {
        let (style, first) = (Style::Labelled, First::From);
        ReadFile { path: &self.whole, lines: self.lines, style, first, options: self.options }
    }

    /// The names of the path below the folder.
    fn names(&self) -> Result<Vec<&'a str>, ToolError> {
        let refused = || {
            let message = Message::new("memory-path").with("path", self.path);
            ToolError::new(ErrorKind::PermissionDenied, message)
        };
        let mut names = Vec::new();
        for component in Path::new(self.path).components() {
            match component {
                Component::Normal(name) => names.push(name.to_str().ok_or_else(refused)?),
                Component::CurDir => {}
                Component::RootDir | Component::ParentDir | Component::Prefix(_) => return Err(refused()),
            }
        }
        if names.is_empty() { Err(refused()) } else { Ok(names) }
    }

    /// Where it really is.
    fn located(&self, files: &FilesHandle) -> Result<CanonicalPath, ToolError> {
        let path = files.locate(&self.whole)?;
        let plain = self.names()?.into_iter().fold(files.locate(&self.options.soul.dir)?, |at, name| at.join(name));
        if path == plain {
            return Ok(path);
        }
        let message = Message::new("memory-link").with("path", self.path);
        Err(ToolError::new(ErrorKind::PermissionDenied, message))
    }
}

impl Operation for MemoryFile<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        self.names()?;
        self.read().claims()
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let path = self.located(cx.files())?;
        match self.read().run(cx).await {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let missing = Message::new("memory-no-file").with("path", self.path);
                Ok(Output::text(missing).with_data(json!({"path": shown(&path), "total_lines": null})))
            }
            read => read,
        }
    }
}
