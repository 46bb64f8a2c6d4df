//! The rest of an output that was too long: stored in full when it was truncated, read here page by page.
//!
//! A page that names no length is never longer than what a conversation shows of a result, because truncating
//! it again would make a model ask forever. It ends at a line where that costs less than half of it.

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use palanca_core::call::{ArtifactId, Claims, Effect, ErrorKind, MediaKind, Part, Resource, Sense};
use palanca_core::ports::{StoreFault, StoredMedia};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use serde_json::json;

/// Bytes of the longest page: as long as the longest that `read_file` shows.
const LONGEST: usize = 128 << 10;

#[derive(Args)]
pub(crate) struct ReadArtifact {
    /// The id given in the shortened result
    id: String,
    /// The byte to start at; the shortened result gives the offset of its gap
    #[arg(default = 0, min = 0)]
    offset: u64,
    /// Maximum number of bytes to show, up to 131072; leave out for a page of the default length
    #[arg(min = 1)]
    limit: Option<u64>,
}

impl Offer for ReadArtifact {
    const NAME: &'static str = "read_artifact";
    const DESCRIPTION: &'static str = "Read more of a shortened output. A result whose middle was omitted gives the id of the full output and the offset where the gap begins. Shows one page from that offset, and the offset of the next page.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Paged { args: self, options }
    }
}

pub(crate) struct Paged<'a> {
    args: &'a ReadArtifact,
    options: &'a ToolOptions,
}

impl Paged<'_> {
    fn id(&self) -> ArtifactId {
        ArtifactId::new(self.args.id.trim())
    }
}

impl Operation for Paged<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        Ok(Claims::from_iter([Effect::ReadArtifact(self.id())]))
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let id = self.id();
        let most = self.options.artifact_page_bytes.max(1);
        let wanted =
            self.args.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(most).min(most.max(LONGEST));
        let page = match cx.artifacts().page(&id, self.args.offset, wanted).await {
            Err(StoreFault::NotText { .. }) => return seen_again(&id, cx).await,
            page => page.map_err(|fault| failed(&id, &fault))?,
        };
        if page.text.is_empty() && self.args.offset > 0 {
            let message = Message::new("artifact-past-end")
                .with("id", id.as_str())
                .with("bytes", page.bytes)
                .with("offset", self.args.offset);
            return Err(ToolError::new(ErrorKind::InvalidArguments, message));
        }
        let whole = page.offset + page.text.len() as u64 >= page.bytes;
        let shown = if whole { page.text.as_str() } else { to_a_line(&page.text) };
        let next = page.offset + shown.len() as u64;
        let message = Message::new(if whole { "artifact-page-last" } else { "artifact-page" })
            .with("from", page.offset)
            .with("to", next)
            .with("bytes", page.bytes);
        let data = json!({
            "id": id.as_str(),
            "text": shown,
            "offset": page.offset,
            "bytes": page.bytes,
            "next_offset": (!whole).then_some(next),
        });
        let output = Output::text(Text::from(shown.trim_end_matches('\n')).line(message)).with_data(data).chosen();
        let output = if whole { output } else { output.truncated() };
        Ok(match page.foreign {
            Some(source) => output.foreign(source),
            None => output,
        })
    }
}

/// An image, audio or other bytes, as they were in the result that they were stored for.
async fn seen_again(id: &ArtifactId, cx: &ToolCx) -> Result<Output, ToolError> {
    let StoredMedia { media, foreign } = cx.artifacts().media(id).await.map_err(|fault| failed(id, &fault))?;
    let message = Message::new("artifact-media")
        .with("id", id.as_str())
        .with("type", media.media_type())
        .with("bytes", media.bytes().len());
    let output = Output::from(message);
    let part = match media.kind().map(MediaKind::sense) {
        Some(Sense::Sight) => Part::Image(media),
        Some(Sense::Hearing) => Part::Audio(media),
        None => Resource::bytes(format!("artifact:{id}"), media)?.into(),
    };
    let output = output.with_part(part);
    Ok(match foreign {
        Some(source) => output.foreign(source),
        None => output,
    })
}

/// Up to the end of its last whole line, unless that leaves out half of it.
fn to_a_line(text: &str) -> &str {
    let end = text.rfind('\n').map_or(0, |at| at + 1);
    if end > text.len() / 2 { text.get(..end).unwrap_or(text) } else { text }
}

fn failed(id: &ArtifactId, fault: &StoreFault) -> ToolError {
    match fault {
        StoreFault::Missing { .. } => {
            ToolError::new(ErrorKind::NotFound, Message::new("artifact-missing").with("id", id.as_str()))
        }
        fault => ToolError::new(ErrorKind::Io, fault.message()),
    }
}
