//! `file_read`, `file_write`, `file_edit`.

use crate::edit::replace::Occurrence;
use crate::files::{Based, First, LineRange, OnFile, Sentences, Style, Unchanged, WriteMode};
use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};
use crate::{edit, files};

#[derive(Args)]
pub(crate) struct FileRead {
    /// File to read, relative to the folder of the file tools.
    path: String,
    /// First line to show, counted from 1.
    #[arg(default = 1, min = 1)]
    offset: u64,
    /// The most lines to show. Leave out to read to the end.
    #[arg(min = 1)]
    limit: Option<u64>,
}

impl OnFile for FileRead {
    fn at<'p>(&'p self, path: &'p str, options: &'p ToolOptions) -> impl Operation + 'p {
        files::ReadFile {
            path,
            lines: LineRange {
                start: (self.offset > 1).then_some(self.offset),
                end: self.limit.map(|limit| self.offset.saturating_add(limit) - 1),
            },
            style: Style::Numbered,
            first: First::Offset,
            options,
        }
    }
}

impl Offer for FileRead {
    const NAME: &'static str = "file_read";
    const DESCRIPTION: &'static str = "Read a text file with line numbers, whole or from line `offset` (counted from 1) on for `limit` lines. Of a long file the result says with which offset to go on.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;
    const LANE: Lane = Lane::Reading;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Based::new(self, &self.path, options)
    }
}

#[derive(Args)]
pub(crate) struct FileWrite {
    /// File to write, relative to the folder of the file tools. Missing directories are made.
    path: String,
    /// The content to write.
    content: String,
    /// true: add the content to the end of the file.
    #[arg(default = false)]
    append: bool,
}

impl OnFile for FileWrite {
    fn at<'p>(&'p self, path: &'p str, options: &'p ToolOptions) -> impl Operation + 'p {
        files::WriteFile {
            path,
            content: &self.content,
            mode: if self.append { WriteMode::Append } else { WriteMode::Overwrite },
            sentences: Sentences {
                created: None,
                overwritten: "write-done-to",
                appended: "write-done-append",
                unchanged: Unchanged::Hidden,
            },
            options,
        }
    }
}

impl Offer for FileWrite {
    const NAME: &'static str = "file_write";
    const DESCRIPTION: &'static str = "Write a file: it is created, or replaced as a whole where it is there already; with append=true the content is added to its end. To change a part use file_edit.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Based::new(self, &self.path, options)
    }
}

#[derive(Args)]
pub(crate) struct FileEdit {
    /// File to change, relative to the folder of the file tools.
    path: String,
    /// The exact text to replace, indentation included. It must occur once in the file: give enough lines around it.
    old_text: String,
    /// The text that takes its place.
    new_text: String,
    /// Whether to replace every occurrence.
    #[arg(default = false)]
    replace_all: bool,
}

impl OnFile for FileEdit {
    fn at<'p>(&'p self, path: &'p str, options: &'p ToolOptions) -> impl Operation + 'p {
        edit::EditFile {
            path,
            old: &self.old_text,
            new: &self.new_text,
            occurrence: if self.replace_all { Occurrence::All } else { Occurrence::Unique },
            words: edit::Words {
                old: "old_text",
                new: "new_text",
                all: Some("replace_all"),
                empty_old: "edit-empty-old-whole",
                done: "edit-done-times",
                heading: None,
            },
            options,
        }
    }
}

impl Offer for FileEdit {
    const NAME: &'static str = "file_edit";
    const DESCRIPTION: &'static str =
        "Replace one exact piece of text in a file, or with replace_all=true every occurrence, and show the diff.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Based::new(self, &self.path, options)
    }
}
