#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use proptest::prelude::*;

fn format(encoding: Encoding, bom: Bom, eol: Eol, final_newline: FinalNewline) -> Format {
    Format { encoding, bom, eol, final_newline }
}

#[test]
fn what_is_found() {
    use Encoding::{Utf8, Utf16Be, Utf16Le, Windows1252};
    let (with, without) = (FinalNewline::Present, FinalNewline::Absent);
    for (bytes, text, wanted) in [
        (&b""[..], "", format(Utf8, Bom::Absent, Eol::None, with)),
        (b"a", "a", format(Utf8, Bom::Absent, Eol::None, without)),
        (b"a\nb\n", "a\nb\n", format(Utf8, Bom::Absent, Eol::Lf, with)),
        (b"a\r\nb", "a\r\nb", format(Utf8, Bom::Absent, Eol::CrLf, without)),
        (b"a\rb\r", "a\rb\r", format(Utf8, Bom::Absent, Eol::Cr, with)),
        (b"a\r\nb\nc\r\n", "a\r\nb\nc\r\n", format(Utf8, Bom::Absent, Eol::Mixed(Newline::CrLf), with)),
        (b"a\r\nb\n", "a\r\nb\n", format(Utf8, Bom::Absent, Eol::Mixed(Newline::Lf), with)),
        (b"\n\r", "\n\r", format(Utf8, Bom::Absent, Eol::Mixed(Newline::Lf), with)),
        (b"\xef\xbb\xbfa\n", "a\n", format(Utf8, Bom::Present, Eol::Lf, with)),
        (b"\xff\xfea\0\n\0", "a\n", format(Utf16Le, Bom::Present, Eol::Lf, with)),
        (b"\xfe\xff\0a\0\r\0\n", "a\r\n", format(Utf16Be, Bom::Present, Eol::CrLf, with)),
        (b"caf\xe9\n", "caf\u{e9}\n", format(Windows1252, Bom::Absent, Eol::Lf, with)),
        (b"\x80 5\n", "\u{20ac} 5\n", format(Windows1252, Bom::Absent, Eol::Lf, with)),
        (b"\xef\xbb\xbf\xe9", "\u{ef}\u{bb}\u{bf}\u{e9}", format(Windows1252, Bom::Absent, Eol::None, without)),
        ("\u{feff}\u{feff}x".as_bytes(), "\u{feff}x", format(Utf8, Bom::Present, Eol::None, without)),
        ("a\u{c}b\u{2028}c\u{85}".as_bytes(), "a\u{c}b\u{2028}c\u{85}", format(Utf8, Bom::Absent, Eol::None, without)),
    ] {
        let decoded = decode(bytes).unwrap();
        assert_eq!((&*decoded.text, decoded.format), (text, wanted), "{bytes:?}");
        assert_eq!(encode(&decoded.text, &decoded.format).unwrap(), bytes);
    }
}

#[test]
fn what_is_no_text() {
    let mut late = vec![b'a'; SAMPLE];
    late.push(0);
    assert!(decode(&late).is_ok(), "a NUL after the sample does not count");
    let mut cut = vec![b'a'; SAMPLE - 1];
    cut.extend("\u{e9}".bytes());
    assert_eq!(decode(&cut).unwrap().format.encoding, Encoding::Utf8, "a letter cut by the sample's end");
    for bytes in [
        &b"a\0b"[..],
        b"\x7fELF\x02\x01\x01\0\0\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\x1f\x8b\x08\x08\x01\x02\x03\x04",
        b"\x01\x02\x03\x04\x05\x06",
        b"\xff\xfea",
        b"\xff\xfe\x00\xd8a\0",
        b"\xff\xfe\0\0a\0\0\0",
        b"\x81\x8d\x01\xff",
    ] {
        assert_eq!(decode(bytes), Err(Binary), "{bytes:?}");
    }
}

#[test]
fn what_the_encoding_does_not_have() {
    let old = decode(b"caf\xe9\n").unwrap();
    let edited = format!("{}second\nsmile \u{263a}\n", old.text);
    let wanted = NotEncodable { character: '\u{263a}', line: 3, encoding: Encoding::Windows1252 };
    assert_eq!(encode(&edited, &old.format), Err(wanted));
    assert_eq!(encode("\u{20ac}\u{e9}", &old.format).unwrap(), b"\x80\xe9");
    let wide = decode(b"\xff\xfea\0").unwrap();
    assert_eq!(encode("\u{1f600}", &wide.format).unwrap(), b"\xff\xfe\x3d\xd8\x00\xde");
}

proptest! {
    /// Whatever is text comes back byte for byte.
    #[test]
    fn bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(decoded) = decode(&bytes) {
            prop_assert_eq!(encode(&decoded.text, &decoded.format).unwrap(), bytes);
        }
    }

    #[test]
    fn likely_bytes_survive(
        mark in proptest::sample::select(vec![&b""[..], b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]),
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![&b"abc "[..], b"\n", b"\r\n", b"\r", b"\xe9", b"\xc3\xa9", b"a\0", b"\x81"]),
            0..30,
        ),
    ) {
        let bytes = [mark, &pieces.concat()].concat();
        if let Ok(decoded) = decode(&bytes) {
            prop_assert_eq!(encode(&decoded.text, &decoded.format).unwrap(), bytes);
        }
    }

    /// Every text is a text again in the encodings that have all characters.
    #[test]
    fn texts_survive(text in "[^\0]{0,60}", encoding in 0..3) {
        let encoding = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be][encoding as usize];
        let format = format(encoding, Bom::Present, Eol::None, FinalNewline::Absent);
        let bytes = encode(&text, &format).unwrap();
        if let Ok(decoded) = decode(&bytes) {
            prop_assert_eq!(decoded.text, text);
            prop_assert_eq!(decoded.format.encoding, encoding);
        }
    }

    #[test]
    fn line_ends_are_counted(parts in proptest::collection::vec(proptest::sample::select(vec!["a", "\n", "\r\n"]), 0..20)) {
        let (crlf, lf) = (parts.iter().filter(|part| **part == "\r\n").count(), parts.iter().filter(|part| **part == "\n").count());
        let wanted = match (lf, crlf) {
            (0, 0) => Eol::None,
            (_, 0) => Eol::Lf,
            (0, _) => Eol::CrLf,
            (lf, crlf) => Eol::Mixed(if crlf > lf { Newline::CrLf } else { Newline::Lf }),
        };
        prop_assert_eq!(Eol::of(&parts.concat()), wanted);
    }
}
