//! Reading a file, or some of its lines.
//!
//! What is shown is bounded in bytes and ends at a line; the rest is there by paging. Files up to [`WHOLE`] are decoded
//! from whatever encoding they have; larger ones are read as a stream of UTF-8 lines, up to the last line that is shown,
//! so a page of a huge file costs what stands before it and no memory.

use super::content::{TextForm, binary, failed_read, read_up_to};
use super::missing::open;
use super::page::{Page, PageLimit};
use super::shown::shown;
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{CanonicalPath, Claims, Effect, ErrorKind};
use palanca_core::ports::OpenFile;
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use serde_json::json;
use std::borrow::Cow;

/// Larger files are not decoded as a whole.
const WHOLE: u64 = 16 << 20;

/// How lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `   12 | text`, below a line that names the file.
    Numbered,
    /// `12: text`, and nothing else.
    Labelled,
    /// As they are in the file.
    Plain,
    /// As they are in the file, below a line that says whose they are.
    Headed,
}

/// From which number a tool counts lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    Zero,
    One,
    /// From 1, with an offset in place of a first line.
    Offset,
    /// From 1, from a line on.
    From,
}

/// Lines by their number from 1; both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineRange {
    pub(crate) start: Option<u64>,
    pub(crate) end: Option<u64>,
}

pub(crate) struct ReadFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) lines: LineRange,
    pub(crate) style: Style,
    pub(crate) first: First,
    pub(crate) options: &'a ToolOptions,
}

struct Read {
    page: Page,
    /// How the text is encoded, when that is not plain UTF-8.
    form: Option<&'static str>,
}

impl Operation for ReadFile<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        if let (Some(start), Some(end)) = (self.lines.start, self.lines.end)
            && start > end
        {
            return Err(ToolError::new(
                ErrorKind::InvalidArguments,
                Message::new("read-range-reversed").with("start", start).with("end", end),
            ));
        }
        Ok(Effect::ReadFile(self.path.to_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let files = cx.files();
        let opened = open(files, self.path)?;
        let (path, size) = (opened.path.clone(), opened.info.size);
        let read = if size <= WHOLE { self.whole(&path, opened)? } else { self.stream(cx, &path, opened)? };
        let start = self.lines.start.unwrap_or(1);
        if let Some(total) = read.page.total
            && start > total.max(1)
        {
            let (key, start) = match self.first {
                First::Zero => ("read-past-end-offset", start - 1),
                First::One => ("read-past-end", start),
                First::Offset => ("read-past-end-offset", start),
                First::From => ("read-past-end-from", start),
            };
            return Err(ToolError::new(
                ErrorKind::InvalidArguments,
                Message::new(key).with("path", shown(&path)).with("start", start).with("lines", total),
            ));
        }
        Ok(self.say(&path, size, read))
    }
}

impl ReadFile<'_> {
    fn limit(&self) -> PageLimit {
        PageLimit {
            start: self.lines.start.unwrap_or(1),
            end: self.lines.end.unwrap_or(u64::MAX),
            bytes: self.options.max_read_bytes,
        }
    }

    fn whole(&self, path: &CanonicalPath, opened: OpenFile) -> Result<Read, ToolError> {
        let bytes = read_up_to(opened, path, WHOLE)?;
        let Some((text, form)) = TextForm::decode(&bytes) else {
            return Err(binary(path, bytes.len() as u64));
        };
        Ok(Read { page: Page::of_text(&text, self.limit()), form: form.notable() })
    }

    fn stream(&self, cx: &ToolCx, path: &CanonicalPath, opened: OpenFile) -> Result<Read, ToolError> {
        let size = opened.info.size;
        let page =
            Page::of_stream(opened.content, self.limit(), cx.cancel()).map_err(|error| failed_read(path, &error))?;
        match page {
            None => Err(binary(path, size)),
            Some(page) => Ok(Read { page, form: None }),
        }
    }

    fn say(&self, path: &CanonicalPath, size: u64, read: Read) -> Output {
        let Read { page, form } = read;
        let name = shown(path);
        let body = match self.style {
            Style::Numbered => numbered(&page, |number| format!("{number:5} | ")),
            Style::Labelled => numbered(&page, |number| format!("{number}: ")),
            Style::Plain | Style::Headed => Cow::Borrowed(page.text.as_str()),
        };
        let mut text = match self.style {
            Style::Headed => Text::from(Message::new("read-contents").with("path", &name)).then("\n\n").then(&*body),
            Style::Plain | Style::Labelled => Text::from(&*body),
            Style::Numbered => header(&name, size, &page).then("\n").then(&*body),
        };
        if page.total == Some(0) && self.style != Style::Plain {
            text = text.then(Message::new("read-empty"));
        }
        for note in self.notes(&name, &page, form) {
            text = text.line(note);
        }
        let data = json!({
            "path": path.to_string(),
            "size": size,
            "start_line": page.first,
            "end_line": page.last,
            "total_lines": page.total,
            "encoding": form,
        });
        let output = Output::text(text).with_data(data);
        let output = if self.lines == LineRange::default() { output } else { output.chosen() };
        if page.more { output.truncated() } else { output }
    }

    /// What the reader must know beside the text: where it goes on, and what is not as it seems.
    fn notes(&self, name: &str, page: &Page, form: Option<&str>) -> Vec<Message> {
        let mut notes = Vec::new();
        if let Some(encoding) = form {
            notes.push(Message::new("read-encoding").with("encoding", encoding));
        }
        if page.lossy {
            notes.push(Message::new("read-lossy"));
        }
        if page.cut_line {
            notes
                .push(Message::new("read-line-cut").with("line", page.last).with("limit", self.options.max_read_bytes));
        }
        if page.more {
            // Where lines are counted from 0, the last one's number from 1 is the next one's.
            let (first, last, next) = match self.first {
                First::Zero => (page.first - 1, page.last.saturating_sub(1), page.last),
                First::One | First::Offset | First::From => (page.first, page.last, page.last + 1),
            };
            let range = |key| {
                let message =
                    Message::new(key).with("first", first).with("last", last).with("next", next).with("path", name);
                match page.total {
                    Some(total) => message.with("total", total),
                    None => message,
                }
            };
            notes.push(range(match (self.first, page.total) {
                (First::Zero, Some(_)) => "read-more-offset",
                (First::Zero, None) => "read-more-offset-unknown",
                (First::One, Some(_)) => "read-more",
                (First::One, None) => "read-more-unknown",
                (First::Offset, Some(_)) => "read-more-from",
                (First::Offset, None) => "read-more-from-unknown",
                (First::From, Some(_)) => "read-more-memory",
                (First::From, None) => "read-more-memory-unknown",
            }));
        }
        notes
    }
}

fn header(name: &str, size: u64, page: &Page) -> Text {
    let message = match page.total {
        Some(total) => Message::new("read-header").with("path", name).with("lines", total).with("bytes", size),
        None => Message::new("read-header-unknown").with("path", name).with("bytes", size),
    };
    message.into()
}

fn numbered(page: &Page, label: impl Fn(u64) -> String) -> Cow<'_, str> {
    let lines = page.text.split_inclusive('\n');
    let mut text = String::with_capacity(page.text.len() + page.text.len() / 4);
    for (line, number) in lines.zip(page.first..) {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&label(number));
        text.push_str(line);
    }
    Cow::Owned(text)
}
