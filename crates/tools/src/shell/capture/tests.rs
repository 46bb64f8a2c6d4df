#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::message::Keys;
use proptest::prelude::*;

fn whole(bytes: impl AsRef<[u8]>) -> Captured {
    Captured { head: bytes.as_ref().to_vec(), ..Captured::default() }
}

/// What a door keeps of these bytes.
fn kept(bytes: &[u8], head: usize, tail: usize) -> Captured {
    if bytes.len() <= head + tail {
        return whole(bytes);
    }
    let middle = &bytes[head..bytes.len() - tail];
    Captured {
        head: bytes[..head].to_vec(),
        tail: bytes[bytes.len() - tail..].to_vec(),
        omitted_bytes: middle.len() as u64,
        omitted_lines: middle.iter().filter(|byte| **byte == b'\n').count() as u64,
        whole: None,
    }
}

fn shown(captured: &Captured, lines: usize, bytes: usize) -> String {
    show(captured, Room { lines, bytes }).text.render(&Keys)
}

fn numbered(count: usize) -> String {
    (1..=count).map(|number| format!("{number}\n")).collect()
}

#[test]
fn lines_within_the_limit_are_all_there() {
    let check = |given: &str, expected: &str| {
        let result = show(&whole(given), Room { lines: 20, bytes: 1000 });
        assert_eq!(result.text.render(&Keys), expected, "{given:?}");
        assert!(!result.cut && !result.mended);
    };
    check("", "");
    check("\n\n", "");
    check("one", "one");
    check("one\ntwo\n", "one\ntwo");
    check("\n\none\n\ntwo\n\n", "\n\none\n\ntwo");
    check("a\r\nb\r\n", "a\r\nb");
    check("10%\r20%\n", "20%");
    check("ñandú\n", "ñandú");
    // A line may lie in both parts that a door keeps.
    let halves = Captured { head: b"10%\r20".to_vec(), tail: b"%\r100%\nend".to_vec(), ..Captured::default() };
    assert_eq!(shown(&halves, 20, 1000), "100%\nend");
    check(numbered(20).as_str(), numbered(20).trim_end());
}

#[test]
fn of_more_lines_the_first_half_and_the_last_quarter() {
    let check = |count: usize, limit: usize| {
        let text = shown(&whole(numbered(count)), limit, 100_000);
        let lines: Vec<&str> = text.lines().collect();
        let omitted = count - limit / 2 - limit / 4;
        assert_eq!(lines.len(), limit / 2 + limit / 4 + 1);
        assert_eq!(lines[limit / 2], format!("command-lines-omitted(lines={omitted})"));
        assert_eq!((lines[0], *lines.last().unwrap()), ("1", count.to_string().as_str()));
        // A door that kept less says the same.
        for (head, tail) in [(60, 40), (200, 30), (limit * 4, limit * 4)] {
            let torn = kept(numbered(count).as_bytes(), head, tail);
            if head >= limit * 2 + 6 && tail > limit {
                assert_eq!(shown(&torn, limit, 100_000), text, "{count} {limit} {head} {tail}");
            }
        }
    };
    check(21, 20);
    check(100, 20);
    check(100, 10);
    check(5001, 5000);
    let windows = numbered(100).replace('\n', "\r\n");
    let text = shown(&whole(&windows), 20, 100_000);
    assert!(text.contains("10\r\ncommand-lines-omitted(lines=85)\n96\r\n"), "{text:?}");
}

#[test]
fn one_line_of_50_mb_costs_itself() {
    let mut captured = kept(b"", 0, 0);
    captured.head = vec![b'x'; 128 << 10];
    captured.tail = vec![b'x'; 64 << 10];
    captured.omitted_bytes = (50 << 20) - (192 << 10);
    let text = shown(&captured, 200, 64_000);
    assert!(text.len() < 64_100, "{}", text.len());
    let marker = format!("\ncommand-bytes-omitted(bytes={})\n", (50 << 20) - 64_000);
    assert!(text.contains(&marker), "{}", &text[31_990..32_100]);

    // Among short ones, they are all there.
    let long = format!("first\n{}\nlast\n", "y".repeat(100_000));
    let text = shown(&whole(long), 200, 64_000);
    assert!(text.starts_with("first\nyyy") && text.ends_with("yyy\nlast"), "{}", text.len());
    assert!(text.contains(&format!("y command-bytes-omitted(bytes={}) y", 100_000 - (64_000 - 9))), "{}", text.len());
    let many: String = (0..200).map(|_| format!("{}\n", "z".repeat(10_000))).collect();
    let text = shown(&whole(many), 200, 64_000);
    assert!(text.len() < 64_000 + 200 * 45, "{}", text.len());
    assert_eq!(text.matches("bytes=9680").count(), 200);
}

#[test]
fn characters_are_never_torn() {
    for width in 1..40 {
        let long = "añ€😀".repeat(100);
        let text = shown(&whole(&long), 10, width);
        assert!(!text.contains('\u{fffd}'), "{width}: {text}");
        let torn = kept(long.as_bytes(), 30 + width, 20 + width);
        let result = show(&torn, Room { lines: 10, bytes: 1000 });
        assert!(!result.mended && !result.text.render(&Keys).contains('\u{fffd}'), "{width}");
    }
}

#[test]
fn what_is_not_text_is_said() {
    let check = |given: &[u8], expected: &str, mended: bool| {
        let result = show(&whole(given), Room { lines: 10, bytes: 1000 });
        assert_eq!((result.text.render(&Keys).as_str(), result.mended), (expected, mended));
    };
    check(b"\x7fELF\x00\x01\x02", "command-binary(bytes=7)", false);
    check(b"caf\xe9 \xff\n", "caf\u{fffd} \u{fffd}", true);
    check("caf\u{e9} \u{fffd}\n".as_bytes(), "café \u{fffd}", false);
    let noise: Vec<u8> = (1..=255_u8).cycle().step_by(7).take(1000).collect();
    check(&noise, "command-binary(bytes=1000)", false);
    let latin: Vec<u8> = "El pingüino Wenceslao hizo kilómetros bajo lluvia y frío, añoraba a su querido cachorro."
        .chars()
        .map(|c| c as u8)
        .collect();
    assert!(!is_binary(&whole(&latin)), "text in another encoding is still text");
    assert!(!is_binary(&whole("\u{1b}[31mr\u{1b}[0m\t\u{7}".repeat(20))), "colours are text");
    assert!(!is_binary(&whole("Хочешь? Ещё раз, 日本語 😀 ".repeat(9))));
    let mut torn = kept(&[b'a'; 100], 10, 10);
    torn.tail[3] = 0;
    torn.whole = Some("place".to_owned());
    assert_eq!(shown(&torn, 10, 1000), "command-binary(bytes=100)\ncommand-whole(place=place)");
}

#[test]
fn where_everything_is_is_told_when_something_is_missing() {
    let mut torn = kept(numbered(1000).as_bytes(), 300, 300);
    torn.whole = Some("place".to_owned());
    assert!(shown(&torn, 20, 1000).ends_with("\n1000\ncommand-whole(place=place)"));
    let mut all = whole("all\n");
    all.whole = Some("place".to_owned());
    assert_eq!(shown(&all, 20, 1000), "all");
}

fn share_of(lengths: &[usize], room: usize) -> usize {
    let lines: Vec<Vec<u8>> = lengths.iter().map(|length| vec![b'x'; *length]).collect();
    let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
    share(lines.iter(), room)
}

#[test]
fn short_lines_leave_their_room_to_the_long() {
    assert_eq!(share_of(&[], 10), usize::MAX);
    assert_eq!(share_of(&[3, 3, 4], 10), usize::MAX);
    assert_eq!(share_of(&[100], 10), 10);
    assert_eq!(share_of(&[1, 1, 100], 10), 8);
    assert_eq!(share_of(&[100, 1, 100], 11), 5);
}

proptest! {
    #[test]
    fn never_more_than_the_room_and_never_a_panic(
        bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(0xc3_u8), 0x80..=0xbf_u8, 1..=255_u8], 0..2000),
        (head, tail) in (0..300_usize, 0..300_usize),
        (lines, room) in (10..60_usize, 1..2000_usize),
    ) {
        let captured = kept(&bytes, head, tail);
        let result = show(&captured, Room { lines, bytes: room });
        let text = result.text.render(&Keys);
        prop_assert!(text.lines().count() <= lines + 1 || !text.contains("omitted"));
        // A replaced byte is shown in three.
        let markers = text.matches("command-").count() * 48;
        prop_assert!(text.len() <= room * 3 + markers + lines * 2 + 60, "{} of {room}", text.len());
    }
}
