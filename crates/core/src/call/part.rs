//! What a result holds beside its text: images, audio, links and embedded resources.
//!
//! A part is valid as soon as it exists: its bytes are what its media type says and within the limits. So nothing behind the
//! tool has to doubt it. Its JSON is the content block of the Model Context Protocol (revision 2025-11-25).

mod block;
mod error;
mod kind;
#[cfg(test)]
mod tests;

pub use error::PartError;
pub use kind::{MediaKind, Sense};

use super::ids::ArtifactId;
use block::Block;
use bytes::Bytes;
use data_encoding::{BASE64, Encoding};
use serde::{Deserialize, Serialize};
use std::fmt;

/// With padding; a static, because what shows an encoding borrows it.
static STANDARD: Encoding = BASE64;

/// A part of a result beside its text.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::call::{Link, Part};
/// use palanca::{Output, ToolError};
///
/// fn chart(png: Vec<u8>) -> Result<Output, ToolError> {
///     let source = Link::new("https://example.com/figures.csv", "figures.csv")?;
///     Ok(Output::text("The figures as a chart.").with_part(Part::image("image/png", png)?).with_part(source))
/// }
/// assert_eq!(chart(b"GIF89a".to_vec()).unwrap_err().kind().facts().code, "failed");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Block", try_from = "Block")]
pub enum Part {
    /// PNG, JPEG, GIF or WebP.
    Image(Media),
    /// WAV, MP3, Ogg or FLAC.
    Audio(Media),
    /// Where something can be read.
    Link(Link),
    /// Something that can be read, with its content.
    Resource(Resource),
}

/// Bytes with their media type.
#[derive(Clone, PartialEq, Eq)]
pub struct Media {
    media_type: String,
    bytes: Bytes,
    artifact: Option<ArtifactId>,
}

/// A link to a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// An absolute URI.
    pub uri: String,
    /// The resource's name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Its media type.
    pub media_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
}

/// A resource with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// An absolute URI.
    pub uri: String,
    /// What it holds.
    pub content: Content,
}

/// The content of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text.
    Text {
        /// The media type, if it is known.
        media_type: Option<String>,
        /// The text.
        text: String,
    },
    /// Bytes of any media type.
    Bytes(Media),
}

impl Part {
    /// Parts of one result. Providers take about as many images with one request.
    pub const MOST: usize = 20;
    /// Bytes of one part, decoded: more than any provider takes for an image, less than an artifact may have.
    pub const MAX_BYTES: usize = 10 << 20;
    /// Bytes of all parts of one result: as base64, they fit the 32 MiB that a provider takes with one request.
    pub const MAX_ALL: usize = 23 << 20;

    /// An image: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    ///
    /// # Errors
    /// Any [`PartError`] on bytes and media types.
    pub fn image(media_type: &str, bytes: impl Into<Bytes>) -> Result<Self, PartError> {
        Media::of(Sense::Sight, media_type, bytes.into()).map(Self::Image)
    }

    /// Audio: `audio/wav`, `audio/mpeg`, `audio/ogg` or `audio/flac`.
    ///
    /// # Errors
    /// Any [`PartError`] on bytes and media types.
    pub fn audio(media_type: &str, bytes: impl Into<Bytes>) -> Result<Self, PartError> {
        Media::of(Sense::Hearing, media_type, bytes.into()).map(Self::Audio)
    }

    /// The bytes of a base64 text, whose length is judged before it is decoded.
    ///
    /// # Errors
    /// [`PartError::TooLarge`] and [`PartError::NotBase64`].
    pub fn decode(base64: &str) -> Result<Bytes, PartError> {
        within(base64.len() / 4 * 3, Self::MAX_BYTES + 2)?;
        let bytes = BASE64.decode(base64.as_bytes()).map_err(|error| PartError::NotBase64 { at: error.position })?;
        within(bytes.len(), Self::MAX_BYTES)?;
        Ok(bytes.into())
    }

    /// The image that a model can see: an image, or an embedded resource that is one.
    #[must_use]
    pub fn to_see(&self) -> Option<&Media> {
        self.media().filter(|media| media.kind().is_some_and(|kind| kind.sense() == Sense::Sight))
    }

    /// The bytes, if it has some.
    #[must_use]
    pub const fn media(&self) -> Option<&Media> {
        match self {
            Self::Image(media)
            | Self::Audio(media)
            | Self::Resource(Resource { content: Content::Bytes(media), .. }) => Some(media),
            Self::Link(_) | Self::Resource(_) => None,
        }
    }

    /// The text of an embedded resource.
    pub(crate) const fn text_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Resource(Resource { content: Content::Text { text, .. }, .. }) => Some(text),
            _ => None,
        }
    }

    pub(crate) const fn media_mut(&mut self) -> Option<&mut Media> {
        match self {
            Self::Image(media)
            | Self::Audio(media)
            | Self::Resource(Resource { content: Content::Bytes(media), .. }) => Some(media),
            Self::Link(_) | Self::Resource(_) => None,
        }
    }

    /// Its bytes and texts, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Image(media) | Self::Audio(media) => media.bytes.len(),
            Self::Link(_) | Self::Resource(_) => {
                self.texts().map(str::len).sum::<usize>() + self.media().map_or(0, |media| media.bytes.len())
            }
        }
    }

    /// Every text in it, but media types, which are names.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (uri, link, text) = match self {
            Self::Image(_) | Self::Audio(_) => (None, None, None),
            Self::Link(link) => (Some(&link.uri), Some(link), None),
            Self::Resource(Resource { uri, content: Content::Text { text, .. } }) => (Some(uri), None, Some(text)),
            Self::Resource(Resource { uri, .. }) => (Some(uri), None, None),
        };
        let of_link =
            link.into_iter().flat_map(|link| [Some(&link.name), link.title.as_ref(), link.description.as_ref()]);
        uri.into_iter().chain(of_link.flatten()).chain(text).map(String::as_str)
    }

    /// Changes every text in it.
    pub(crate) fn each_text(&mut self, change: &dyn Fn(&mut String)) {
        match self {
            Self::Image(_) | Self::Audio(_) => {}
            Self::Link(Link { uri, name, title, description, .. }) => {
                [uri, name].into_iter().chain(title).chain(description).for_each(change);
            }
            Self::Resource(Resource { uri, content }) => {
                change(uri);
                if let Content::Text { text, .. } = content {
                    change(text);
                }
            }
        }
    }
}

impl From<Link> for Part {
    fn from(link: Link) -> Self {
        Self::Link(link)
    }
}
impl From<Resource> for Part {
    fn from(resource: Resource) -> Self {
        Self::Resource(resource)
    }
}

impl Media {
    /// Bytes of any media type; of a known one, they must be what it says.
    ///
    /// # Errors
    /// [`PartError::Empty`], [`PartError::TooLarge`], [`PartError::Mismatch`], and [`PartError::UnknownType`] for what is no
    /// media type at all.
    pub fn new(media_type: &str, bytes: impl Into<Bytes>) -> Result<Self, PartError> {
        let bytes = bytes.into();
        let kind = MediaKind::named(media_type);
        let media_type = if let Some(kind) = kind { kind.name() } else { media_type };
        if !is_media_type(media_type) {
            return Err(PartError::UnknownType { media_type: shortly(media_type), known: MediaKind::list(None) });
        }
        within(bytes.len(), Part::MAX_BYTES)?;
        let media_type = media_type.to_owned();
        match kind {
            Some(_) if bytes.is_empty() => Err(PartError::Empty { media_type }),
            Some(kind) if !kind.fits(&bytes) => Err(PartError::Mismatch {
                media_type,
                found: MediaKind::of_bytes(&bytes).map_or("unknown", MediaKind::name),
            }),
            _ => Ok(Self { media_type, bytes, artifact: None }),
        }
    }

    fn of(sense: Sense, media_type: &str, bytes: Bytes) -> Result<Self, PartError> {
        match MediaKind::named(media_type) {
            Some(kind) if kind.sense() == sense => Self::new(media_type, bytes),
            _ => Err(PartError::UnknownType { media_type: shortly(media_type), known: MediaKind::list(Some(sense)) }),
        }
    }

    /// The media type: `image/png`.
    #[must_use]
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// What is known of the media type.
    #[must_use]
    pub fn kind(&self) -> Option<MediaKind> {
        MediaKind::named(&self.media_type)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes as base64.
    pub fn base64(&self) -> impl fmt::Display + '_ {
        STANDARD.encode_display(&self.bytes)
    }

    /// Where the bytes are kept, if they are many.
    #[must_use]
    pub const fn artifact(&self) -> Option<&ArtifactId> {
        self.artifact.as_ref()
    }

    pub(crate) fn kept_as(&mut self, artifact: ArtifactId) {
        self.artifact = Some(artifact);
    }
}

/// Without the bytes.
impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Media").field(&self.media_type).field(&self.bytes.len()).field(&self.artifact).finish()
    }
}

impl Link {
    /// A link to what this absolute URI names.
    ///
    /// # Errors
    /// [`PartError::InvalidUri`].
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Result<Self, PartError> {
        Ok(Self { uri: absolute(uri.into())?, name: name.into(), ..Self::default() })
    }
}

impl Resource {
    /// A resource that is a text.
    ///
    /// # Errors
    /// [`PartError::InvalidUri`] and [`PartError::TooLarge`].
    pub fn text(uri: impl Into<String>, media_type: Option<&str>, text: impl Into<String>) -> Result<Self, PartError> {
        let text = text.into();
        within(text.len(), Part::MAX_BYTES)?;
        let media_type = media_type.map(str::to_owned);
        Ok(Self { uri: absolute(uri.into())?, content: Content::Text { media_type, text } })
    }

    /// A resource that is bytes.
    ///
    /// # Errors
    /// [`PartError::InvalidUri`].
    pub fn bytes(uri: impl Into<String>, media: Media) -> Result<Self, PartError> {
        Ok(Self { uri: absolute(uri.into())?, content: Content::Bytes(media) })
    }
}

const fn within(bytes: usize, limit: usize) -> Result<(), PartError> {
    if bytes <= limit { Ok(()) } else { Err(PartError::TooLarge { bytes }) }
}

/// Bytes of the longest URI: as long as any browser or server takes.
const MAX_URI: usize = 8 << 10;

/// `scheme:rest` of RFC 3986, without blanks and control characters.
fn absolute(uri: String) -> Result<String, PartError> {
    let scheme = uri.split_once(':').filter(|(_, rest)| !rest.is_empty()).map_or("", |(scheme, _)| scheme);
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let plain = !uri.contains(|c: char| c.is_whitespace() || c.is_control());
    if named && plain && uri.len() <= MAX_URI { Ok(uri) } else { Err(PartError::InvalidUri { uri: shortly(&uri) }) }
}

/// `type/subtype` of RFC 6838, with or without parameters.
fn is_media_type(text: &str) -> bool {
    let token = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    let name = text.split(';').next().unwrap_or_default().trim_end();
    text.len() <= 255
        && !text.contains(char::is_control)
        && name.split_once('/').is_some_and(|(whole, part)| token(whole) && token(part))
}

/// The beginning, for a sentence.
fn shortly(text: &str) -> String {
    text.chars().take(100).collect()
}
