//! One page: asked for, read, and shown part by part.
//!
//! A status that is no success is a failure, whatever the body says: a page that says "not found" must not read like the page
//! that was looked for. The beginning of such a body still comes along, marked as the host's words.

mod told;

use super::ask::Ask;
use super::content;
pub(crate) use super::page::{Extent, Format};
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{Claims, Effect, ErrorKind, HttpAccess};
use palanca_core::ports::http::Header;
use palanca_core::ports::{WebAnswer, WebError, WebErrorKind, WebLimits};
use palanca_core::{Message, Output, ToolCx, ToolError};

/// How a page is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All that is known of it, above its text.
    Described,
    /// Its text, below its address.
    Plain,
    /// One JSON object.
    Json,
}

pub(crate) struct Fetch<'a> {
    pub(crate) url: &'a str,
    pub(crate) format: Format,
    pub(crate) extent: Extent,
    /// Characters; the operator's limit holds beside it.
    pub(crate) max_length: usize,
    /// Characters that were shown before.
    pub(crate) offset: usize,
    pub(crate) shape: Shape,
    pub(crate) limits: WebLimits,
    pub(crate) options: &'a ToolOptions,
}

impl Operation for Fetch<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        super::switched_on("web_fetch", self.options)?;
        let url = self.url.trim();
        if url.is_empty() {
            return Err(ToolError::new(ErrorKind::InvalidArguments, Message::new("web-fetch-empty")));
        }
        Ok(Effect::Http(Box::new(HttpAccess::get(url))).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let web = cx.web();
        let Some(reach) = web.granted().next() else {
            return Err(WebError::new(WebErrorKind::NotGranted, self.url).into_tool_error());
        };
        let headers = [self.accept()];
        let ask = Ask { headers: &headers, limits: self.limits, fresh: self.options.web.fetch.fresh };
        let answer = ask.send(web, reach, WebAnswer::is_success).await.map_err(WebError::into_tool_error)?;
        let page = content::read(&answer, self.format, self.extent).await;
        self.tell(&reach.url, &answer, &page)
    }
}

impl Fetch<'_> {
    /// Some hosts have their pages as markdown, which is what is wanted, unless it is the source.
    fn accept(&self) -> Header {
        let kinds = match self.format {
            Format::Html => "text/html, application/xhtml+xml, */*;q=0.5",
            Format::Markdown | Format::Text => {
                "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5"
            }
        };
        Header::new("Accept", kinds)
    }

    fn most(&self) -> usize {
        self.max_length.min(self.options.web.fetch.max_content_length).max(1)
    }
}
