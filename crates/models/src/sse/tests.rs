#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use proptest::prelude::*;

fn parse(bytes: &[u8], size: usize) -> Vec<(String, String)> {
    let mut parser = SseParser::default();
    let mut events = Vec::new();
    for chunk in bytes.chunks(size.max(1)) {
        parser.push(chunk).unwrap();
        while let Some(event) = parser.next() {
            events.push((event.name, event.data));
        }
    }
    events.extend(parser.finish().map(|event| (event.name, event.data)));
    events
}

#[test]
fn every_way_to_write_an_event() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        for size in [1, 2, 7, 20, 1000] {
            let got = parse(text.as_bytes(), size);
            let got: Vec<(&str, &str)> = got.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(got, expected, "{text:?} in pieces of {size}");
        }
    };
    check("data: a\n\ndata: b\n\n", &[("", "a"), ("", "b")]);
    check("event: x\ndata: a\n\n", &[("x", "a")]);
    check("data: a\r\n\r\ndata: b\r\r", &[("", "a"), ("", "b")]);
    check("data:a\ndata: b\n\n", &[("", "a\nb")]);
    check(": ping\n\nretry: soon\nid\nwhatever: 1\ndata: a\n\n", &[("", "a")]);
    check("\u{feff}data: ü\n\n", &[("", "ü")]);
    check("data: last", &[("", "last")]);
    check("\n\n\n", &[]);
    check("event: only\n\n", &[("only", "")]);
}

#[test]
fn an_event_that_never_ends_is_refused() {
    let mut parser = SseParser::default();
    let block = vec![b'x'; 1 << 20];
    let outcome = (0..20).find_map(|_| parser.push(&block).err());
    assert_eq!(outcome, Some(EndlessEvent));
}

proptest! {
    #[test]
    fn pieces_do_not_matter(text in "(data|event|id|: |x)?:? ?[a-zü{}\"\r\n]{0,80}", size in 1_usize..9) {
        prop_assert_eq!(parse(text.as_bytes(), size), parse(text.as_bytes(), 10_000));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), size in 1_usize..9) {
        parse(&bytes, size);
    }
}
