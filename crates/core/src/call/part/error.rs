//! Why something cannot be a part of a result, and what to do.

use super::Part;
use crate::call::error::{ErrorKind, ToolError};
use crate::message::Message;

/// Why something cannot be a part of a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// Not a media type for images or audio.
    #[error("'{media_type}' is not a known media type; use one of {known}")]
    UnknownType {
        /// As given.
        media_type: String,
        /// Those that are possible, separated by commas.
        known: String,
    },
    /// The bytes are not of the media type.
    #[error("the bytes are not {media_type}: they look like {found}")]
    Mismatch {
        /// As given.
        media_type: String,
        /// The media type that they begin like; `unknown` for none of those here.
        found: &'static str,
    },
    /// There are no bytes.
    #[error("no bytes of {media_type}")]
    Empty {
        /// As given.
        media_type: String,
    },
    /// The text is not base64 of RFC 4648 with padding.
    #[error("not base64 at byte {at}")]
    NotBase64 {
        /// The first wrong byte.
        at: usize,
    },
    /// Longer than [`Part::MAX_BYTES`].
    #[error("{bytes} bytes, of at most {}", Part::MAX_BYTES)]
    TooLarge {
        /// Its length.
        bytes: usize,
    },
    /// Not an absolute URI.
    #[error("'{uri}' is not an absolute URI")]
    InvalidUri {
        /// The beginning of what was given.
        uri: String,
    },
}

impl PartError {
    /// The sentence for people and models.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::UnknownType { media_type, known } => {
                Message::new("part-unknown-type").with("type", media_type).with("known", known)
            }
            Self::Mismatch { media_type, found } => {
                Message::new("part-mismatch").with("type", media_type).with("found", *found)
            }
            Self::Empty { media_type } => Message::new("part-empty").with("type", media_type),
            Self::NotBase64 { at } => Message::new("part-not-base64").with("at", *at),
            Self::TooLarge { bytes } => {
                Message::new("part-too-large").with("bytes", *bytes).with("limit", Part::MAX_BYTES)
            }
            Self::InvalidUri { uri } => Message::new("part-invalid-uri").with("uri", uri),
        }
    }
}

impl From<PartError> for ToolError {
    fn from(error: PartError) -> Self {
        let kind = match error {
            PartError::TooLarge { .. } => ErrorKind::TooLarge,
            _ => ErrorKind::Failed,
        };
        Self::new(kind, error.message())
    }
}
