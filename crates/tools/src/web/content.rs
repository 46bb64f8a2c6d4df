//! A host's answer as a page: read off the runtime's workers, since a long page or a PDF takes its time.

use super::page::{self, Completeness, Extent, Format, LeftOut, Page, PageKind, Source};
use palanca_core::ports::{BodyEnd, WebAnswer};
use palanca_core::{Message, Text};

/// What the page says, with a note when its end is missing.
pub(super) async fn read(answer: &WebAnswer, format: Format, extent: Extent) -> Page {
    let (body, url) = (answer.body.clone(), answer.url.clone());
    let content_type = answer.header("content-type").map(str::to_owned);
    let completeness = if answer.end == BodyEnd::Complete { Completeness::Whole } else { Completeness::Cut };
    let reading = tokio::task::spawn_blocking(move || {
        let source = Source { body: &body, content_type: content_type.as_deref(), url: &url, completeness };
        page::read(&source, format, extent)
    });
    match reading.await {
        Ok(page) => page,
        // Said by the gate, as every panic of a tool.
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => {
                let (text, notes) = (String::new(), Vec::new());
                Page { kind: PageKind::Empty, title: None, text, left_out: LeftOut::default(), notes }
            }
        },
    }
}

/// Everything there is to say of how the page was read.
pub(super) fn notes(answer: &WebAnswer, page: &Page) -> Vec<Text> {
    page.notes.iter().cloned().chain(cut(answer)).map(Text::from).collect()
}

/// What of the body is missing.
fn cut(answer: &WebAnswer) -> Option<Message> {
    let key = match answer.end {
        BodyEnd::Complete => return None,
        BodyEnd::Bytes => "web-fetch-cut-bytes",
        BodyEnd::Time => "web-fetch-cut-time",
        BodyEnd::Broken => "web-fetch-cut-broken",
    };
    Some(Message::new(key).with("bytes", answer.body.len()))
}

/// The type that the answer's header names.
pub(super) fn media_type(answer: &WebAnswer) -> Option<String> {
    page::media_type(answer.header("content-type")?)
}
