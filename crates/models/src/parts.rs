//! What a request shows of the parts of a result or of a user's message: images and audio as they are where the model takes
//! them, everything else in words.

use crate::message::Message;
use crate::senses::Takes;
use palanca_core::call::{ArtifactId, Content, Link, Media, MediaKind, Part, Resource, Sense};
use serde::{Serialize, Serializer};

/// A part as a request has it.
pub(crate) enum Shown<'a> {
    Image(&'a Media),
    Audio(&'a Media),
    Words(String),
}

/// How a request has this part.
pub(crate) fn shown(part: &Part, takes: Takes) -> Shown<'_> {
    match part.media().map(|media| (media, media.kind())) {
        Some((media, Some(kind))) if kind.sense() == Sense::Sight => {
            within(part, takes.image_bytes, (media, Shown::Image), "images")
        }
        Some((media, Some(MediaKind::Wav | MediaKind::Mp3))) => {
            within(part, takes.audio_bytes, (media, Shown::Audio), "audio")
        }
        Some((media, Some(_))) => Shown::Words(not_shown(part, media, "this model does not take this kind of audio")),
        Some((media, None)) => Shown::Words(not_shown(part, media, "only text and images can be read")),
        None => Shown::Words(words(part)),
    }
}

fn within<'a>(
    part: &Part,
    limit: usize,
    (media, shown): (&'a Media, fn(&'a Media) -> Shown<'a>),
    what: &str,
) -> Shown<'a> {
    match limit {
        0 => Shown::Words(not_shown(part, media, &format!("this model takes no {what}"))),
        limit if media.bytes().len() > limit => {
            Shown::Words(not_shown(part, media, &format!("this model takes {what} of at most {limit} bytes")))
        }
        _ => shown(media),
    }
}

fn not_shown(part: &Part, media: &Media, why: &str) -> String {
    let named = match part {
        Part::Resource(Resource { uri, .. }) => uri.strip_prefix("artifact:"),
        _ => None,
    };
    let kept = media.artifact().map(ArtifactId::as_str).or(named);
    let kept = kept.map(|artifact| format!(", stored as {artifact}")).unwrap_or_default();
    format!("[{}, {} bytes{kept}; not shown: {why}]", media.media_type(), media.bytes().len())
}

/// A part without bytes.
fn words(part: &Part) -> String {
    match part {
        Part::Link(Link { uri, name, title, description, media_type, size }) => {
            let size = size.map(|bytes| format!("{bytes} bytes"));
            let more: Vec<&str> =
                [title, description, media_type, &size].into_iter().flatten().map(String::as_str).collect();
            let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join("; ")) };
            format!("[link] {name}: {uri}{more}")
        }
        Part::Resource(Resource { uri, content: Content::Text { media_type, text } }) => {
            let media_type = media_type.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
            format!("[resource] {uri}{media_type}\n{text}")
        }
        Part::Image(_) | Part::Audio(_) | Part::Resource(_) => String::new(),
    }
}

/// A text followed by everything beside it, in words.
pub(crate) fn in_words(text: &str, parts: &[Part]) -> String {
    let mut whole = text.to_owned();
    for part in parts {
        if let Shown::Words(words) = shown(part, Takes::NOTHING) {
            add_words(&mut whole, &words);
        }
    }
    whole
}

/// Words on a line of their own.
pub(crate) fn add_words(text: &mut String, words: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(words);
}

/// The parts of a message.
pub(crate) fn of(message: &Message) -> &[Part] {
    match message {
        Message::User { parts, .. } | Message::Tool { parts, .. } => parts,
        Message::System { .. } | Message::Assistant { .. } => &[],
    }
}

/// Bytes as base64.
#[derive(Clone)]
pub(crate) struct Base64<'a>(pub(crate) &'a Media);

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.base64())
    }
}

/// Bytes as an URL that holds them.
#[derive(Clone)]
pub(crate) struct InlineUrl<'a>(pub(crate) &'a Media);

impl Serialize for InlineUrl<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("data:{};base64,{}", self.0.media_type(), self.0.base64()))
    }
}
