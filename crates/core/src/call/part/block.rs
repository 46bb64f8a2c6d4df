//! Parts as JSON: content blocks of the Model Context Protocol.

use super::{Content, Link, Media, Part, PartError, Resource};
use crate::call::ids::ArtifactId;
use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block {
    Image(Encoded),
    Audio(Encoded),
    #[serde(rename_all = "camelCase")]
    ResourceLink {
        uri: String,
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<u64>,
    },
    Resource {
        resource: Embedded,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Encoded {
    data: String,
    mime_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    artifact: Option<ArtifactId>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Embedded {
    uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blob: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    artifact: Option<ArtifactId>,
}

/// Of bytes without a media type.
const ANY: &str = "application/octet-stream";

impl From<Media> for Encoded {
    fn from(media: Media) -> Self {
        Self { data: BASE64.encode(&media.bytes), mime_type: media.media_type, artifact: media.artifact }
    }
}

impl From<Part> for Block {
    fn from(part: Part) -> Self {
        match part {
            Part::Image(media) => Self::Image(media.into()),
            Part::Audio(media) => Self::Audio(media.into()),
            Part::Link(Link { uri, name, title, description, media_type, size }) => {
                Self::ResourceLink { uri, name, title, description, mime_type: media_type, size }
            }
            Part::Resource(Resource { uri, content }) => {
                let (mime_type, text, blob, artifact) = match content {
                    Content::Text { media_type, text } => (media_type, Some(text), None, None),
                    Content::Bytes(media) => {
                        (Some(media.media_type), None, Some(BASE64.encode(&media.bytes)), media.artifact)
                    }
                };
                Self::Resource { resource: Embedded { uri, mime_type, text, blob, artifact } }
            }
        }
    }
}

/// Texts are taken as they are: they were judged when the part was made, and a secret may have been taken out of them since.
impl TryFrom<Block> for Part {
    type Error = PartError;

    fn try_from(block: Block) -> Result<Self, PartError> {
        let kept = |part: Result<Self, PartError>, artifact| {
            part.map(|mut part| {
                if let Some(media) = part.media_mut() {
                    media.artifact = artifact;
                }
                part
            })
        };
        match block {
            Block::Image(Encoded { data, mime_type, artifact }) => {
                kept(Self::image(&mime_type, Self::decode(&data)?), artifact)
            }
            Block::Audio(Encoded { data, mime_type, artifact }) => {
                kept(Self::audio(&mime_type, Self::decode(&data)?), artifact)
            }
            Block::ResourceLink { uri, name, title, description, mime_type, size } => {
                Ok(Self::Link(Link { uri, name, title, description, media_type: mime_type, size }))
            }
            Block::Resource { resource: Embedded { uri, mime_type, text, blob, artifact } } => match blob {
                Some(blob) => {
                    let media = Media::new(mime_type.as_deref().unwrap_or(ANY), Self::decode(&blob)?)?;
                    kept(Ok(Self::Resource(Resource { uri, content: Content::Bytes(media) })), artifact)
                }
                None => {
                    let text = text.unwrap_or_default();
                    Ok(Self::Resource(Resource { uri, content: Content::Text { media_type: mime_type, text } }))
                }
            },
        }
    }
}
