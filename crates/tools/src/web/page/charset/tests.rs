#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

fn check(body: &[u8], content_type: Option<&str>, expected: &str, note: Option<&str>) {
    let decoded = decode(body, content_type, Textual::Html);
    assert_eq!(
        (&*decoded.text, decoded.note.as_ref().map(Message::key)),
        (expected, note),
        "{body:?} {content_type:?}"
    );
}

#[test]
fn the_mark_comes_before_the_header_and_the_header_before_the_document() {
    let latin = Some("text/html; charset=ISO-8859-1");
    check(b"\xef\xbb\xbf\xc3\xb1", latin, "ñ", None);
    check(b"\xff\xfe\xf1\0!\0", None, "ñ!", None);
    check(b"\xfe\xff\0\xf1\0!", None, "ñ!", None);
    check(b"<meta charset=utf-8>\xf1", Some("text/html; charset=\"windows-1252\""), "<meta charset=utf-8>ñ", None);
    check(b"<meta charset='windows-1251'>\xe4\xe0", None, "<meta charset='windows-1251'>да", None);
    check(
        b"<meta content=\"text/html; charset=Shift_JIS\">\x82\xa0",
        None,
        "<meta content=\"text/html; charset=Shift_JIS\">あ",
        None,
    );
    check(
        b"<?xml version='1.0' encoding='ISO-8859-15'?>\xa4",
        None,
        "<?xml version='1.0' encoding='ISO-8859-15'?>€",
        None,
    );
}

#[test]
fn a_claim_in_a_comment_or_behind_the_first_kilobyte_is_none() {
    check(b"<!-- <meta charset=windows-1251> -->\xc3\xb1", None, "<!-- <meta charset=windows-1251> -->ñ", None);
    let far = [b" ".repeat(1024), b"<meta charset=windows-1251>\xc3\xb1".to_vec()].concat();
    assert!(decode(&far, None, Textual::Html).text.ends_with('ñ'));
}

#[test]
fn a_claim_that_the_bytes_contradict_is_not_believed() {
    check(b"a\xc3\xb1o", Some("text/html; charset=ISO-8859-1"), "año", None);
    check(b"a\xf1o", Some("text/html; charset=utf-8"), "año", Some("page-encoding-guessed"));
    // A stale claim over UTF-8, whole, cut within a character, with a broken byte, or over a script of three bytes each.
    let latin = Some("text/html; charset=iso-8859-1");
    let long = "ñandú ".repeat(20);
    check(long.as_bytes(), latin, &long, None);
    check(&[long.as_bytes(), b"\xc3"].concat(), latin, &long, None);
    check(
        &[long.as_bytes(), b"\xff"].concat(),
        Some("text/html; charset=windows-1252"),
        &format!("{long}\u{fffd}"),
        Some("page-malformed"),
    );
    let kana = "ひらがなとカタカナ";
    for claim in ["shift_jis", "gbk", "big5", "euc-kr", "utf-16", "windows-1251", "iso-2022-kr"] {
        check(kana.as_bytes(), Some(&format!("text/html; charset={claim}")), kana, None);
    }
    // What the claim explains stays as it claims.
    check(b"caf\xe9 \xa9 a\xf1o", latin, "café © año", None);
    check("ñ".repeat(20).as_bytes(), Some("text/html; charset=nonsense"), &"ñ".repeat(20), None);
}

#[test]
fn what_does_not_fit_is_replaced_and_said() {
    let mut body = "ñ".repeat(20).into_bytes();
    body.push(0xff);
    check(&body, None, &format!("{}\u{fffd}", "ñ".repeat(20)), Some("page-malformed"));
    // A body that was cut within a character loses that character, no more.
    body.pop();
    body.push(0xc3);
    check(&body, None, &"ñ".repeat(20), None);
    check(b"h\0i\0,\0 \0y\0o\0", None, "hi, yo", None);
}
