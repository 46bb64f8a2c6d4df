#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

const fn limit(start: u64, end: u64, bytes: usize) -> PageLimit {
    PageLimit { start, end, bytes }
}

fn both(text: &str, limit: PageLimit) -> (Page, Page) {
    let stream = Page::of_stream(text.as_bytes(), limit, &Cancel::new());
    (Page::of_text(text, limit), stream.unwrap().unwrap())
}

#[test]
fn a_stream_and_a_text_give_the_same_page() {
    let texts = ["", "a", "a\n", "a\nb", "a\r\nb\r\n", "\n\n\n", "ñandú\nß\n", "long line here\nx\ny\nz\n"];
    for text in texts {
        for start in 1..6 {
            for end in start..7 {
                for bytes in [3, 6, 1000] {
                    let (whole, stream) = both(text, limit(start, end, bytes));
                    let told = format!("{text:?} {start}-{end} in {bytes}");
                    let shown = (&whole.text, whole.last, whole.cut_line);
                    assert_eq!(shown, (&stream.text, stream.last, stream.cut_line), "{told}");
                    if let Some(total) = stream.total {
                        assert_eq!(whole.total, Some(total), "{told}");
                    }
                    if start <= whole.total.unwrap() {
                        assert_eq!(whole.more, stream.more, "{told}");
                    }
                }
            }
        }
    }
}

#[test]
fn pages_follow_each_other_without_gap() {
    let text: String = (1..=500).map(|n| format!("line {n}\n")).collect();
    let (mut start, mut all) = (1, String::new());
    loop {
        let page = Page::of_text(&text, limit(start, u64::MAX, 100));
        all.push_str(&page.text);
        if !page.more {
            break;
        }
        assert_eq!(page.total, Some(500));
        start = page.last + 1;
    }
    assert_eq!(all, text);
}

#[test]
fn what_is_cut_is_said() {
    let (whole, stream) = both("ññññ\nb\n", limit(1, 9, 3));
    for page in [whole, stream] {
        assert_eq!(page.text, "ñ", "never half a character");
        assert!(page.cut_line && page.more);
    }
}

#[test]
fn a_stream_that_is_not_text_says_so() {
    let zero = Page::of_stream(&b"a\0b\n"[..], limit(1, 2, 100), &Cancel::new());
    assert_eq!(zero.unwrap(), None);
    let later = [vec![b'a'; 20_000], vec![b'\n', 0, b'\n']].concat();
    let later = Page::of_stream(&*later, limit(2, 2, 100), &Cancel::new());
    assert_eq!(later.unwrap(), None);
    let odd = Page::of_stream(&b"a\xff\n"[..], limit(1, 2, 100), &Cancel::new());
    assert!(odd.unwrap().unwrap().lossy);
}

#[test]
fn a_cancelled_search_for_a_line_ends() {
    let cancel = Cancel::new();
    cancel.cancel();
    let endless = io::repeat(b'x');
    let error = Page::of_stream(endless, limit(2, 2, 100), &cancel).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}
