#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The beginning of each known kind.
pub(crate) const BEGINNINGS: [(&str, &[u8]); 11] = [
    ("image/png", b"\x89PNG\r\n\x1a\n rest"),
    ("image/jpeg", b"\xff\xd8\xff\xe0 rest"),
    ("image/gif", b"GIF87a"),
    ("image/gif", b"GIF89a"),
    ("image/webp", b"RIFF\x01\x02\x03\x04WEBPVP8 "),
    ("audio/wav", b"RIFF\x01\x02\x03\x04WAVEfmt "),
    ("audio/mpeg", b"ID3\x04"),
    ("audio/mpeg", b"\xff\xfb\x90\x00"),
    ("audio/mpeg", b"\xff\xf3\x40\xc0"),
    ("audio/ogg", b"OggS\x00"),
    ("audio/flac", b"fLaC\x00"),
];

fn made(media_type: &str, bytes: &[u8]) -> Result<Part, PartError> {
    let bytes = bytes.to_vec();
    if media_type.starts_with("audio") { Part::audio(media_type, bytes) } else { Part::image(media_type, bytes) }
}

#[test]
fn bytes_are_what_their_media_type_says() {
    for (actual, bytes) in BEGINNINGS {
        for kind in MediaKind::ALL {
            let part = made(kind.name(), bytes);
            if kind.name() == actual {
                assert_eq!(part.unwrap().media().unwrap().bytes(), bytes, "{actual}");
            } else {
                let media_type = kind.name().to_owned();
                assert_eq!(
                    part,
                    Err(PartError::Mismatch { media_type, found: MediaKind::named(actual).unwrap().name() })
                );
            }
        }
        let blob = Media::new(&actual.replace('/', "/x-other-"), bytes.to_vec()).unwrap();
        assert_eq!(blob.kind(), None, "any other media type may be anything");
    }
}

#[test]
fn what_is_no_part_is_named() {
    let image = |media_type: &str, bytes: &[u8]| Part::image(media_type, bytes.to_vec()).unwrap_err();
    let unknown = |error: PartError| matches!(error, PartError::UnknownType { .. });
    for name in ["", "png", "image/", "image/bmp", "image/svg+xml", "audio/wav", "\u{0}/\u{0}", "🦀/🦀"] {
        assert!(unknown(image(name, b"GIF89a")), "{name}");
    }
    assert!(unknown(Part::audio("image/png", b"ID3".to_vec()).unwrap_err()));
    assert!(unknown(Media::new("no media type", Vec::new()).unwrap_err()));
    assert_eq!(image("image/png", b""), PartError::Empty { media_type: "image/png".to_owned() });
    let text = image("image/png", b"<html>404</html>");
    assert_eq!(text, PartError::Mismatch { media_type: "image/png".to_owned(), found: "unknown" });
    for bytes in [b"RIFF".as_slice(), b"RIFF\0\0\0\0WEB", b"\xff", b"\xff\xe0", b"\x89PNG"] {
        for (media_type, _) in BEGINNINGS {
            assert!(matches!(made(media_type, bytes), Err(PartError::Mismatch { .. })), "{media_type} {bytes:?}");
        }
    }
    let mut large = b"GIF89a".to_vec();
    large.resize(Part::MAX_BYTES, 0);
    assert!(Part::image("image/gif", large.clone()).is_ok());
    large.push(0);
    assert_eq!(Part::image("image/gif", large.clone()), Err(PartError::TooLarge { bytes: Part::MAX_BYTES + 1 }));
    assert_eq!(
        Resource::text("a:b", None, "x".repeat(Part::MAX_BYTES + 1)),
        Err(PartError::TooLarge { bytes: Part::MAX_BYTES + 1 })
    );
}

#[test]
fn base64_is_strict_and_judged_before_it_is_decoded() {
    for (text, at) in [("x", 0), ("=", 0), ("R0lGODlh\n", 8), ("R0lGODl", 4), ("R0lGOD-_", 6), ("ñ", 0)] {
        assert_eq!(Part::decode(text), Err(PartError::NotBase64 { at }), "{text}");
    }
    assert_eq!(Part::decode("R0lGODlh").unwrap(), b"GIF89a".as_slice());
    // 100 MB of what is no base64 at all: the length is what counts.
    assert!(matches!(Part::decode(&"!".repeat(100_000_000)), Err(PartError::TooLarge { bytes: 75_000_000 })));
    for over in [0, 1, 2] {
        let bytes = vec![0; Part::MAX_BYTES + over];
        assert_eq!(Part::decode(&BASE64.encode(&bytes)).is_ok(), over == 0, "{over}");
    }
}

#[test]
fn uris_are_absolute() {
    for uri in
        ["https://example.com/a?b#c", "file:///a%20b", "urn:isbn:1", "test://static-text", "data:,x", "a+b-c.d:e"]
    {
        assert_eq!(Link::new(uri, "n").unwrap().uri, uri);
    }
    let long = format!("https://{}", "a".repeat(8 << 10));
    for uri in ["", "a", "/etc/passwd", "https:", ":x", "1a:x", "a b:c", "https://a b", "https://a\nb", &long] {
        assert!(matches!(Link::new(uri, "n"), Err(PartError::InvalidUri { .. })), "{uri}");
        assert!(
            Resource::text(uri, None, "").is_err() && Resource::bytes(uri, Media::new("a/b", "x").unwrap()).is_err()
        );
    }
}

#[test]
fn json_is_that_of_the_protocol_and_comes_back() {
    let link = Link { title: Some("T".into()), size: Some(3), ..Link::new("a:b", "n").unwrap() };
    let mut kept = Part::image("image/jpg", b"\xff\xd8\xff".to_vec()).unwrap();
    kept.media_mut().unwrap().kept_as("art-1".into());
    for (part, expected) in [
        (
            Part::image("image/gif", "GIF89a").unwrap(),
            json!({"type": "image", "data": "R0lGODlh", "mimeType": "image/gif"}),
        ),
        (kept, json!({"type": "image", "data": "/9j/", "mimeType": "image/jpeg", "artifact": "art-1"})),
        (
            Part::audio("audio/x-wav", "RIFF....WAVE").unwrap(),
            json!({"type": "audio", "data": "UklGRi4uLi5XQVZF", "mimeType": "audio/wav"}),
        ),
        (Link::new("a:b", "n").unwrap().into(), json!({"type": "resource_link", "uri": "a:b", "name": "n"})),
        (link.into(), json!({"type": "resource_link", "uri": "a:b", "name": "n", "title": "T", "size": 3})),
        (
            Resource::text("a:b", Some("text/html"), "é\u{0}").unwrap().into(),
            json!({"type": "resource", "resource": {"uri": "a:b", "mimeType": "text/html", "text": "é\u{0}"}}),
        ),
        (
            Resource::bytes("a:b", Media::new("application/pdf", "%PDF").unwrap()).unwrap().into(),
            json!({"type": "resource", "resource": {"uri": "a:b", "mimeType": "application/pdf", "blob": "JVBERg=="}}),
        ),
    ] {
        let value = serde_json::to_value(&part).unwrap();
        assert_eq!(value, expected);
        assert_eq!(serde_json::from_value::<Part>(value).unwrap(), part);
        assert!(part.size() > 0, "{part:?}");
    }
    let wrong = |value: Value| serde_json::from_value::<Part>(value).unwrap_err().to_string();
    assert!(
        wrong(json!({"type": "image", "data": "R0lGODlh", "mimeType": "image/png"}))
            .contains("they look like image/gif")
    );
    assert!(wrong(json!({"type": "image", "data": "?", "mimeType": "image/png"})).contains("not base64 at byte 0"));
    assert!(wrong(json!({"type": "video"})).contains("video"));
}

proptest! {
    #[test]
    fn nothing_panics_and_every_part_comes_back(media_type in "\\PC{0,12}", known in 0..11_usize, bytes: Vec<u8>, text in "\\PC{0,40}") {
        let (name, begin) = BEGINNINGS[known];
        for bytes in [bytes.clone(), [begin, &bytes].concat()] {
            for media_type in [media_type.as_str(), name] {
                let parts = [Part::image(media_type, bytes.clone()), Part::audio(media_type, bytes.clone()),
                    Media::new(media_type, bytes.clone()).and_then(|media| Resource::bytes(text.as_str(), media)).map(Part::from)];
                for part in parts.into_iter().flatten() {
                    prop_assert_eq!(part.media().map(|media| media.bytes().to_vec()), Some(bytes.clone()));
                    prop_assert_eq!(serde_json::from_str::<Part>(&serde_json::to_string(&part).unwrap()).unwrap(), part);
                }
            }
        }
        let _ = Part::decode(&text);
        let _ = Link::new(text, "n");
    }
}
