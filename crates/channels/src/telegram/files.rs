//! Files that people send: what a message says of them, and their bytes, from the API's own address alone.

use super::{PATIENCE, Telegram, nonsense};
use crate::messenger::{Attached, Trouble};
use bytes::Bytes;
use palanca_core::Message;
use palanca_core::ports::http::{HttpRequest, HttpTimeouts, Method};
use palanca_policy::marking::shown_line;
use serde_json::{Value, json};
use std::time::Duration;

/// The largest file that a bot can fetch: <https://core.telegram.org/bots/api#getfile>.
pub(super) const LARGEST: usize = 20 << 20;
/// Bytes of a photo that is taken in a smaller size where it has one.
const LARGE_PHOTO: u64 = 2 << 20;
/// Characters of a file's name.
const LONGEST_NAME: usize = 64;
/// Parts of a message that can be fetched, and what they are called if they have no name. What is an animation, too, is one.
const FETCHED: [(&str, &str); 3] = [("document", "document"), ("audio", "audio"), ("voice", "voice.ogg")];
/// Parts of a message that nobody here can read.
pub(super) const UNREAD: [&str; 8] =
    ["animation", "video", "video_note", "sticker", "location", "contact", "poll", "venue"];

/// What came with a message, in the API's form.
pub(super) fn attached(message: &Value) -> Vec<Attached> {
    if let Some(unread) = UNREAD.iter().find(|kind| message.get(kind).is_some()) {
        return vec![Attached { id: None, name: (*unread).to_owned(), bytes: None }];
    }
    let photo = message.get("photo").and_then(Value::as_array).and_then(|sizes| photo(sizes));
    let fetched = FETCHED.iter().filter_map(|(kind, name)| {
        let file = message.get(kind)?;
        let given = file.get("file_name").and_then(Value::as_str).map(short).filter(|name| !name.is_empty());
        one(file, given.unwrap_or_else(|| (*name).to_owned()))
    });
    photo.into_iter().chain(fetched).collect()
}

/// A photo comes in several sizes: the largest that is not very large.
fn photo(sizes: &[Value]) -> Option<Attached> {
    let all = || sizes.iter().filter_map(|size| one(size, "photo.jpg".to_owned()));
    let area = |size: &Value| {
        let side = |key: &str| size.get(key).and_then(Value::as_u64).unwrap_or_default();
        side("width").saturating_mul(side("height"))
    };
    let is_usual =
        |size: &&Value| size.get("file_size").and_then(Value::as_u64).is_none_or(|bytes| bytes <= LARGE_PHOTO);
    let best = sizes.iter().filter(is_usual).max_by_key(|size| area(size));
    best.and_then(|size| one(size, "photo.jpg".to_owned())).or_else(|| all().next())
}

fn one(file: &Value, name: String) -> Option<Attached> {
    let id = file.get("file_id")?.as_str()?.to_owned();
    Some(Attached { id: Some(id), name, bytes: file.get("file_size").and_then(Value::as_u64) })
}

/// The last part of a name, on one line, without brackets, which stand around names.
fn short(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = shown_line(name);
    let kept = plain.trim().chars().filter(|character| !matches!(character, '[' | ']'));
    kept.take(LONGEST_NAME).collect()
}

impl Telegram {
    /// The bytes of a file, unless it has more.
    pub(super) async fn download(&self, file: &str, most: usize) -> Result<Bytes, Trouble> {
        let too_large = || Trouble::Never(Message::new("telegram-file-too-large"));
        let said = self.call("getFile", json!({"file_id": file}), Duration::ZERO).await?;
        if said.get("file_size").and_then(Value::as_u64).is_some_and(|bytes| bytes > most as u64) {
            return Err(too_large());
        }
        let path = said.get("file_path").and_then(Value::as_str).filter(|path| is_plain(path));
        let path = path.ok_or_else(|| Trouble::Never(Message::new("telegram-file-elsewhere")))?;
        let request = HttpRequest {
            method: Method::Get,
            url: format!("{}/file/bot{}/{path}", self.base, self.token.reveal()),
            headers: Vec::new(),
            body: Bytes::new(),
            timeouts: HttpTimeouts::all(PATIENCE),
        };
        match self.answer(request, most).await? {
            (200, Some(read)) => Ok(read.into()),
            (200, None) => Err(too_large()),
            (status @ 400..=499, _) => {
                let detail = format!("{status}");
                Err(Trouble::Never(Message::new("telegram-never").with("detail", detail)))
            }
            (status, _) => Err(nonsense(status)),
        }
    }
}

/// A relative path that means the same whoever reads it: a server on this machine may give paths of its own disk, which are not asked for.
fn is_plain(path: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_is_taken_in_its_largest_usual_size_and_names_are_plain() {
        let size =
            |id: &str, side: u32, bytes: u64| json!({"file_id": id, "width": side, "height": side, "file_size": bytes});
        let file = |id: &str, name: &str, bytes| Attached { id: Some(id.to_owned()), name: name.to_owned(), bytes };
        for (message, expected) in [
            (
                json!({"photo": [size("s", 90, 1000), size("m", 320, 20_000), size("l", 1280, 200_000), size("x", 5000, 9 << 20)]}),
                vec![file("l", "photo.jpg", Some(200_000))],
            ),
            (json!({"photo": [size("x", 5000, 9 << 20)]}), vec![file("x", "photo.jpg", Some(9 << 20))]),
            (json!({"photo": [{"width": 5}, 7]}), vec![]),
            (json!({"document": {"file_id": "d", "file_name": "../a/[b]\nc.txt"}}), vec![file("d", r"b\nc.txt", None)]),
            (json!({"voice": {"file_id": "v", "file_size": 5}}), vec![file("v", "voice.ogg", Some(5))]),
            (
                json!({"animation": {"file_id": "g"}, "document": {"file_id": "g"}}),
                vec![Attached { id: None, name: "animation".to_owned(), bytes: None }],
            ),
            (json!({"text": "x"}), vec![]),
        ] {
            assert_eq!(attached(&message), expected, "{message}");
        }
    }

    #[test]
    fn only_paths_below_the_api_are_asked_for() {
        for path in ["photos/file_0.jpg", "a", "documents/a-b_c.tar.gz"] {
            assert!(is_plain(path), "{path}");
        }
        for path in
            ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/.hidden", "a?b", "a#b", "http://x/y", "a%2e", "a\\b", "ä"]
        {
            assert!(!is_plain(path), "{path}");
        }
    }
}
