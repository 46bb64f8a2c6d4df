#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::message::Keys;

fn shortened(text: &str, limit: usize) -> Option<String> {
    shorten::shorten(text, limit, &Keys)
}

#[test]
fn what_fits_is_not_touched() {
    assert_eq!(shortened("abc", 3), None);
    assert_eq!(shortened("ñññ", 3), None, "characters count, not bytes");
    assert_eq!(shortened(&"x".repeat(9000), 0), None, "0 switches it off");
}

#[test]
fn few_long_lines_are_cut_by_characters() {
    let text: String = "0123456789".repeat(100);
    let cut = shortened(&text, 100).unwrap();
    let lines: Vec<&str> = cut.lines().collect();
    assert_eq!((lines[0], lines[2]), (&text[..50], &text[text.len() - 25..]));
    assert_eq!(lines[1], "agent-result-shortened(lines=1, characters=925)");
    for limit in 1..8 {
        let odd = shortened("ñandú €", limit.min(6)).unwrap();
        assert!(odd.contains("agent-result-shortened"), "{limit}: {odd}");
    }
}

#[test]
fn lines_that_are_too_long_fall_back_to_characters() {
    let text = format!("{}\n", "y".repeat(500)).repeat(100);
    let cut = shortened(&text, 8000).unwrap();
    assert!(cut.chars().count() < 8000, "{}", cut.len());
}

#[test]
fn size_is_counted_as_it_grows() {
    let mut history = History::new(ContextLimits::default());
    history.instruct("12345678".into());
    history.ask("1234");
    assert_eq!(history.tokens(), (8 + 16 + 4 + 16) / 4);
    history.instruct("1234".into());
    history.ask("12345678");
    assert_eq!(history.tokens(), (4 + 16 + 4 + 16 + 8 + 16) / 4);
    assert_eq!(history.messages().len(), 3);
    let whole: usize = history.messages.iter().map(size_of).sum();
    assert_eq!(history.size, whole);
}
