//! What people send beside words: fetched before the answer, and given to the bot's session if anybody here can read it.
//!
//! What cannot be read, or is too large, is told to the person and to the model; what is known to be too large is not fetched.

use super::chat::Worker;
use super::sending::Pauses;
use palanca_channels::{Attached, Heard, Trouble};
use palanca_core::Message;
use palanca_core::call::{Content, Media, MediaKind, Part};
use palanca_host::Enclosed;
use palanca_tools::pdf_text;

/// What a PDF document begins with.
const PDF: &[u8] = b"%PDF-";
/// How often a file is asked for before it is given up: for about a minute.
const TRIES: u32 = 6;

/// What came with some messages.
#[derive(Default)]
pub(super) struct Fetched {
    pub(super) files: Vec<Enclosed>,
    /// Why others are not there.
    pub(super) problems: Vec<Message>,
}

impl Worker {
    /// Fetches what came with these messages; none where the process ends first.
    pub(super) async fn fetch(&self, heard: &[Heard]) -> Option<Fetched> {
        let (mut fetched, mut left) = (Fetched::default(), Part::MAX_ALL);
        for (place, file) in heard.iter().flat_map(|heard| &heard.files).enumerate() {
            let most = self.line.messenger.abilities().file_bytes.min(Part::MAX_BYTES).min(left);
            let known = usize::try_from(file.bytes.unwrap_or_default()).unwrap_or(usize::MAX);
            if place >= Part::MOST || known > most {
                fetched.problems.push(too_large(file));
                continue;
            }
            match self.fetch_one(file, most).await? {
                Ok(file) => {
                    left = left.saturating_sub(size(&file.content));
                    fetched.files.push(file);
                }
                Err(problem) => fetched.problems.push(problem),
            }
        }
        Some(fetched)
    }

    async fn fetch_one(&self, file: &Attached, most: usize) -> Option<Result<Enclosed, Message>> {
        let unreadable = || Message::new("people-file-unreadable").with("name", &file.name);
        let Some(id) = &file.id else { return Some(Err(unreadable())) };
        let mut pauses = Pauses::new();
        for tries in 1.. {
            let came = tokio::select! {
                biased;
                () = self.line.stop.cancelled() => return None,
                came = self.line.messenger.fetch(id, most) => came,
            };
            let trouble = match came {
                Ok(bytes) if bytes.starts_with(PDF) => return Some(self.document(bytes.into(), &file.name).await),
                Ok(bytes) => {
                    let content = content(bytes.into(), &file.name).ok_or_else(unreadable);
                    return Some(content.map(|content| Enclosed { name: file.name.clone(), content, foreign: None }));
                }
                Err(trouble) => trouble,
            };
            let pause = match &trouble {
                Trouble::Busy(time) => *time,
                Trouble::Away(_) if tries < TRIES => pauses.next(),
                trouble => {
                    let why = trouble.message();
                    return Some(Err(Message::new("people-file-not-fetched")
                        .with("name", &file.name)
                        .with("why", why)));
                }
            };
            self.line.rest(pause).await;
        }
        None
    }

    /// The text of a PDF document, with what is missing of it. Few people wrote what they pass on as one, so it is foreign text.
    async fn document(&self, bytes: Vec<u8>, name: &str) -> Result<Enclosed, Message> {
        let read = tokio::task::spawn_blocking(move || pdf_text(&bytes)).await;
        let (mut text, notes) = read.unwrap_or_default();
        let notes: Vec<String> = notes.iter().map(|note| self.line.terms().say(note)).collect();
        if text.is_empty() {
            let why = notes.join(" ");
            return Err(Message::new("people-file-not-read").with("name", name).with("why", why));
        }
        text.extend(notes.iter().map(|note| format!("\n\n[{note}]")));
        let content = Content::Text { media_type: None, text };
        Ok(Enclosed { name: name.to_owned(), content, foreign: Some(name.to_owned()) })
    }
}

fn too_large(file: &Attached) -> Message {
    let limit = format!("{} MB", Part::MAX_BYTES >> 20);
    Message::new("people-file-too-large").with("name", &file.name).with("limit", limit)
}

const fn size(content: &Content) -> usize {
    match content {
        Content::Text { text, .. } => text.len(),
        Content::Bytes(media) => media.bytes().len(),
    }
}

/// An image, audio or a text, by its bytes: what it is called says nothing.
fn content(bytes: Vec<u8>, name: &str) -> Option<Content> {
    if let Some(kind) = MediaKind::of_bytes(&bytes) {
        return Media::new(kind.name(), bytes).ok().map(Content::Bytes);
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.is_empty() && !text.contains('\0'))?;
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let media_type = match ending.as_deref() {
        Some("csv") => "text/csv",
        Some("htm" | "html") => "text/html",
        Some("json") => "application/json",
        Some("md") => "text/markdown",
        Some("xml") => "application/xml",
        _ => "text/plain",
    };
    Some(Content::Text { media_type: Some(media_type.to_owned()), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_bytes_are() {
        let kind = |bytes: &[u8], name: &str| match content(bytes.to_vec(), name) {
            Some(Content::Text { media_type, .. }) => media_type,
            Some(Content::Bytes(media)) => Some(media.media_type().to_owned()),
            None => None,
        };
        for (bytes, name, expected) in [
            (&b"\xff\xd8\xff\xe0rest"[..], "a.txt", Some("image/jpeg")),
            (b"OggS\0", "voice.ogg", Some("audio/ogg")),
            ("añil\n".as_bytes(), "notes", Some("text/plain")),
            (b"a;b", "A.CSV", Some("text/csv")),
            (b"not a picture", "photo.png", Some("text/plain")),
            (b"%PDF-1.7\0\x93", "a.pdf", None),
            (b"PK\x03\x04\xff", "a.zip", None),
            (b"a\0b", "a.txt", None),
            (b"", "a.txt", None),
        ] {
            assert_eq!(kind(bytes, name).as_deref(), expected, "{name}");
        }
    }
}
