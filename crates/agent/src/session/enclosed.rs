//! What people send with their words: kept as artifacts of the session, so that rows hold a name made from the content, and no bytes.
//!
//! In a request the newest are seen ([`Conversation::unseen`]); older ones are named, and can be read again by their name.

use crate::context::Conversation;
use palanca_core::call::{ArtifactId, Content, Link, Media, MediaKind, Part, PartError, Resource};
use palanca_models::Message as Said;

/// Before the name of an artifact in a part.
const SCHEME: &str = "artifact:";
/// Images and the like that a request shows of what people have sent, the newest.
const MOST_SEEN: usize = 8;
/// Bytes of all of them.
const MOST_BYTES: usize = Part::MAX_ALL / 2;

/// A stored image or the like, as a request shows it.
///
/// # Errors
/// None in practice: a name is short and plain.
pub fn seen(id: &ArtifactId, media: Media) -> Result<Part, PartError> {
    Ok(Resource::bytes(format!("{SCHEME}{id}"), media)?.into())
}

/// A stored file as it is named: what it is called, its media type, its size in bytes.
#[must_use]
pub fn named(id: &ArtifactId, name: &str, media_type: &str, bytes: usize) -> Part {
    Part::Link(Link {
        uri: format!("{SCHEME}{id}"),
        name: name.to_owned(),
        media_type: Some(media_type.to_owned()),
        size: Some(bytes as u64),
        ..Link::default()
    })
}

/// A part as rows have it: stored bytes are named.
#[must_use]
pub(crate) fn without_bytes(part: &Part) -> Part {
    match part {
        Part::Resource(Resource { uri, content: Content::Bytes(media) }) => match uri.strip_prefix(SCHEME) {
            Some(id) => named(&id.into(), id, media.media_type(), media.bytes().len()),
            None => part.clone(),
        },
        _ => part.clone(),
    }
}

/// The artifact of a part that is only named, and could be seen or heard.
fn to_see(part: &Part) -> Option<(ArtifactId, u64)> {
    let Part::Link(Link { uri, media_type: Some(media_type), size, .. }) = part else { return None };
    MediaKind::named(media_type)?;
    Some((uri.strip_prefix(SCHEME)?.into(), size.unwrap_or(u64::MAX)))
}

/// Where a part is in a conversation: its message, its place there, its artifact.
pub struct Unseen {
    at: (usize, usize),
    /// What is to be read.
    pub id: ArtifactId,
}

impl Conversation {
    /// The newest of what people have sent that could be seen and is only named. All older ones stay named.
    #[must_use]
    pub fn unseen(&self) -> Vec<Unseen> {
        let mut bytes = 0;
        let messages = self.messages.iter().enumerate().rev().filter_map(|(at, message)| match message {
            Said::User { parts, .. } => Some((at, parts)),
            _ => None,
        });
        let parts = messages.flat_map(|(at, parts)| parts.iter().enumerate().rev().map(move |part| (at, part)));
        let named = parts.filter_map(|(at, (place, part))| {
            let (id, size) = to_see(part)?;
            Some((Unseen { at: (at, place), id }, usize::try_from(size).unwrap_or(usize::MAX)))
        });
        let within = named.take(MOST_SEEN).take_while(|(_, size)| {
            bytes = size.saturating_add(bytes);
            bytes <= MOST_BYTES
        });
        within.map(|(unseen, _)| unseen).collect()
    }

    /// Shows one of them.
    pub fn see(&mut self, unseen: &Unseen, media: Media) {
        let (at, place) = unseen.at;
        let Some(Said::User { parts, .. }) = self.messages.get_mut(at) else { return };
        if let (Some(part), Ok(shown)) = (parts.get_mut(place), seen(&unseen.id, media)) {
            *part = shown;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    fn image() -> Media {
        Media::new("image/png", b"\x89PNG\r\n\x1a\n123".to_vec()).unwrap()
    }

    #[test]
    fn the_newest_are_seen_and_a_row_has_no_bytes() {
        let id = |number: usize| ArtifactId::new(format!("art-{number}"));
        let mut conversation = Conversation::default();
        for number in 0..MOST_SEEN + 2 {
            conversation.ask(String::new(), vec![named(&id(number), "a.png", "image/png", 11)]);
        }
        conversation.ask("and this".to_owned(), vec![named(&id(99), "a.txt", "text/plain", 11)]);
        let before = conversation.clone();
        for unseen in conversation.unseen().iter().filter(|unseen| unseen.id != id(9)) {
            conversation.see(unseen, image());
        }
        let is_seen = |message: &Said| matches!(message, Said::User { parts, .. } if parts[0].to_see().is_some());
        let seen: Vec<usize> = (0..11).filter(|at| is_seen(&conversation.messages[*at])).collect();
        // One is no longer there, and a text is never shown.
        assert_eq!(seen, [2, 3, 4, 5, 6, 7, 8]);
        for (now, then) in conversation.messages.iter().zip(&before.messages) {
            let (Said::User { parts: now, .. }, Said::User { parts: then, .. }) = (now, then) else { continue };
            let named = |part: &Part| serde_json::to_value(without_bytes(part)).unwrap()["uri"].clone();
            assert_eq!(named(&now[0]), named(&then[0]));
        }
        let row = serde_json::to_string(&without_bytes(&super::seen(&id(1), image()).unwrap())).unwrap();
        assert!(row.contains("artifact:art-1") && !row.contains("blob"), "{row}");
        let large = named(&id(1), "a.png", "image/png", MOST_BYTES + 1);
        let mut conversation = Conversation::default();
        conversation.ask(String::new(), vec![large]);
        assert!(conversation.unseen().is_empty());
    }
}
