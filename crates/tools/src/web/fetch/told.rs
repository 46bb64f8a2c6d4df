//! What is told of a page, in each shape.

use super::{Fetch, Format, Shape};
use crate::web::content;
use crate::web::page::{Page, PageKind, Parts, Window, window};
use crate::web::status;
use palanca_core::call::ErrorKind;
use palanca_core::ports::{BodyEnd, WebAnswer};
use palanca_core::{Message, Output, Text, ToolError};
use serde_json::{Value, json};

/// Characters of a failed answer's body that are shown.
const FAILED_CHARS: usize = 2000;

/// One answer on its way to the model.
struct Told<'a> {
    /// What was asked for.
    asked: &'a str,
    answer: &'a WebAnswer,
    page: &'a Page,
    part: Window<'a>,
    extractor: &'static str,
}

impl Fetch<'_> {
    pub(super) fn tell(&self, asked: &str, answer: &WebAnswer, page: &Page) -> Result<Output, ToolError> {
        let part = match answer.is_success() {
            true => window(&page.text, self.offset, self.most()),
            false => window(&page.text, 0, self.most().min(FAILED_CHARS)),
        };
        if part.shown == 0 && part.offset > 0 {
            let message = Message::new("web-fetch-past-end").with("offset", self.offset).with("total", part.total);
            return Err(ToolError::new(ErrorKind::InvalidArguments, message));
        }
        let told = Told { asked, answer, page, part, extractor: self.extractor(page.kind) };
        if !answer.is_success() {
            return Err(told.failure(self.shape));
        }
        let text = match self.shape {
            Shape::Described => told.described(),
            Shape::Plain => told.plain(),
            Shape::Json => told.json(),
        };
        let output = Output::text(text).with_data(told.facts()).foreign(told.source());
        let output = if self.offset > 0 { output.chosen() } else { output };
        Ok(if told.is_cut() { output.truncated() } else { output })
    }

    /// In the words of picoclaw's document.
    const fn extractor(&self, kind: PageKind) -> &'static str {
        match (kind, self.format) {
            (PageKind::Json, Format::Markdown | Format::Text) => "json",
            (PageKind::Html, Format::Markdown) => "markdown",
            (PageKind::Html, Format::Text) | (PageKind::Pdf, _) => "text",
            _ => "raw",
        }
    }
}

impl Told<'_> {
    fn is_cut(&self) -> bool {
        self.part.next().is_some() || self.answer.end != BodyEnd::Complete
    }

    /// For the mark around the text.
    fn source(&self) -> String {
        format!("web_fetch {}", self.answer.url)
    }

    fn described(&self) -> Text {
        let kind = content::media_type(self.answer).unwrap_or_else(|| "?".to_owned());
        let head = Message::new("web-fetch-head")
            .with("url", &self.answer.url)
            .with("status", status::named(self.answer.status))
            .with("type", kind);
        let title = self.page.title.as_deref().map(|title| Message::new("web-fetch-title").with("title", title));
        let above = status::way(self.answer)
            .into_iter()
            .chain(title.map(Text::from))
            .chain(self.left_out())
            .chain(self.notes());
        let text = above.fold(Text::from(head), Text::line);
        let text = if self.part.text.is_empty() { text } else { text.paragraph(self.part.text) };
        match self.which_part() {
            Some(part) => text.paragraph(part),
            None => text,
        }
    }

    /// Nothing when the part is the whole.
    fn which_part(&self) -> Option<Message> {
        let (first, last) = (self.part.offset, self.part.offset + self.part.shown);
        let key = match self.part.next() {
            Some(_) => "web-fetch-part",
            None if first > 0 => "web-fetch-last-part",
            None => return None,
        };
        Some(Message::new(key).with("first", first + 1).with("last", last).with("total", self.part.total))
    }

    fn plain(&self) -> Text {
        let head = Text::from(format!("Content from {}:", self.asked));
        let text = if self.part.text.is_empty() { head } else { head.paragraph(self.part.text) };
        let text = if self.is_cut() { text.paragraph("[Content truncated]") } else { text };
        let left_out = parts("page-left-out-short", self.page.left_out.chosen);
        left_out.map(Text::from).into_iter().chain(self.notes()).fold(text, Text::line)
    }

    fn json(&self) -> Text {
        let mut shape = json!({
            "url": self.asked,
            "status": self.answer.status,
            "extractor": self.extractor,
            "truncated": self.is_cut(),
            "length": self.part.shown,
            "text": self.part.text,
        });
        if self.page.left_out.chosen.parts > 0
            && let Some(shape) = shape.as_object_mut()
        {
            shape.insert("left_out".to_owned(), json!(self.page.left_out.chosen.characters));
        }
        if self.answer.url != self.asked
            && let Some(shape) = shape.as_object_mut()
        {
            shape.insert("final_url".to_owned(), self.answer.url.as_str().into());
        }
        // A value of this form is always written.
        let written = serde_json::to_string_pretty(&shape).unwrap_or_default();
        self.notes().fold(Text::from(written), Text::line)
    }

    /// Not what was asked for. The body is the host's word, not ours, so it stands apart from the error.
    fn failure(&self, shape: Shape) -> ToolError {
        let status = status::named(self.answer.status);
        let kind = status::kind(self.answer.status);
        let error = match shape {
            Shape::Plain => return ToolError::new(kind, Message::new("web-fetch-failed").with("status", status)),
            _ => ToolError::new(kind, status::advice(self.answer, self.asked)),
        };
        if shape == Shape::Json {
            return error.with_foreign_output(self.json(), self.source());
        }
        let above = status::way(self.answer).into_iter().chain(self.notes());
        let text = above.fold(Text::new(), |text, line| if text.is_empty() { line } else { text.line(line) });
        let text = match (text.is_empty(), self.part.text) {
            (_, "") => text,
            (true, body) => Text::from(body),
            (false, body) => text.paragraph(body),
        };
        if text.is_empty() { error } else { error.with_foreign_output(text, self.source()) }
    }

    /// What of the page is not in its text; once, with its beginning.
    fn left_out(&self) -> impl Iterator<Item = Text> {
        let left_out = self.page.left_out;
        let told = [parts("page-left-out", left_out.chosen), parts("page-hidden", left_out.hidden)];
        told.into_iter().flatten().filter(|_| self.part.offset == 0).map(Text::from)
    }

    fn notes(&self) -> impl Iterator<Item = Text> {
        content::notes(self.answer, self.page).into_iter()
    }

    /// The same for a program; the text is not repeated.
    fn facts(&self) -> Value {
        let left_out = self.page.left_out;
        json!({
            "url": self.asked,
            "final_url": self.answer.url,
            "redirects": self.answer.hops,
            "status": self.answer.status,
            "type": content::media_type(self.answer),
            "title": self.page.title,
            "extractor": self.extractor,
            "offset": self.part.offset,
            "length": self.part.shown,
            "total": self.part.total,
            "next_offset": self.part.next(),
            "left_out": { "parts": left_out.chosen.parts, "characters": left_out.chosen.characters },
            "hidden": { "parts": left_out.hidden.parts, "characters": left_out.hidden.characters },
            "truncated": self.is_cut(),
            "age_seconds": self.answer.age.map(|age| age.as_secs()),
        })
    }
}

/// A sentence about parts, if there are any.
fn parts(key: &'static str, parts: Parts) -> Option<Message> {
    (parts.parts > 0).then(|| Message::new(key).with("parts", parts.parts).with("characters", parts.characters))
}
