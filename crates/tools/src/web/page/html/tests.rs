#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    missing_docs
)]

use super::*;
use palanca_testkit::spent;
use std::time::{Duration, Instant};

/// What hostile pages are made of, and text that must come through all the same; or a part of the size.
fn hostile(part: usize) -> Vec<(&'static str, String)> {
    let many = |count: usize, of: &dyn Fn(usize) -> String| (0..count / part).map(of).collect::<String>();
    let times = |count: usize, of: &str| of.repeat(count / part);
    vec![
        ("100,000 open blocks", format!("{}here", times(100_000, "<div>"))),
        ("100,000 blocks", format!("{}here{}", times(100_000, "<div>"), times(100_000, "</div>"))),
        ("open marks", format!("{}here", times(600_000, "<b>"))),
        ("marks and paragraphs", format!("{}here", many(20_000, &|n| format!("<b x={n}><p>")))),
        ("open links", format!("{}here", times(200_000, "<a href=x>"))),
        ("tables in tables", format!("{}here", times(10_000, "<table><tr><td>"))),
        ("lists in lists", format!("{}here", times(100_000, "<ul><li>"))),
        ("quotations", format!("{}here", times(100_000, "<blockquote>"))),
        ("a million attributes", format!("<p {}>here", many(250_000, &|n| format!("a{n} ")))),
        ("a long attribute", format!("<a href='{}'>here</a>", times(2_000_000, "a"))),
        ("a long name", format!("<{}>here", times(2_000_000, "a"))),
        ("a long line", format!("{}here", times(400_000, "word "))),
        ("ends without beginnings", format!("{}here", times(100_000, "</div></p></table>"))),
        ("entities", format!("{}here", times(500_000, "&amp"))),
        ("half tags", format!("{}>here", times(1_000_000, "<"))),
        // Of fewer cells, those of the first row alone are what the page is about.
        ("many cells", format!("<table><tr>{}<tr><td>here</table>", "<td>a".repeat(200_000))),
        ("many rows", format!("<table>{}<tr><td>here<td>b</table>", times(60_000, "<tr><td>a<td>b"))),
        ("hidden blocks", format!("{}{}here", times(100_000, "<div hidden>"), times(100_000, "</div>"))),
        ("definitions", format!("{}here", times(100_000, "<dl><dd>"))),
        (
            "hidden parts",
            format!(
                "{}{}here",
                many(20_000, &|n| format!("<template id=B:{n:x}></template>")),
                many(20_000, &|n| format!(
                    "<div hidden id=S:{n:x}>a<script>$RC(\"B:{n:x}\",\"S:{n:x}\")$R$R</script></div>"
                ))
            ),
        ),
        ("calls", format!("<script>{}</script>here", times(500_000, "$R"))),
        ("headings", format!("{}here", times(50_000, "<div><h2>Related</h2>"))),
        ("flat headings", format!("{}here", times(50_000, "<h2>Related</h2><p>a"))),
        ("teasers", format!("{}here", times(30_000, "<div><a href=x><img src=a>title</a><h3>b</h3>"))),
        ("comments", format!("{}here", times(100_000, "<!-- - -- -->"))),
    ]
}

#[test]
fn hostile_pages_take_bounded_time_and_keep_their_text() {
    read_hostile(8);
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn hostile_pages_take_bounded_time_and_keep_their_text() {
        super::read_hostile(1);
    }
}

fn read_hostile(part: u32) {
    for (name, source) in hostile(part as usize) {
        for style in [Style::Markdown, Style::Plain] {
            let (page, time) = spent(|| read(&source, "https://a.test/", (style, Extent::Main)));
            // Ten times what it takes: these take minutes where time is not linear.
            assert!(time < Duration::from_secs(10) / part, "{name}: {time:?}");
            let cut = page.notes.iter().any(|note| note.key() == "page-overfull");
            assert!(page.text.contains("here") || cut, "{name}: {:?}", page.text.get(..100));
            assert!(page.text.len() <= 7 << 20, "{name}: {}", page.text.len());
        }
    }
}

#[test]
fn a_page_with_too_many_nodes_says_so() {
    let page = read(&"<b>a</b>".repeat(150_000), "https://a.test/", (Style::Plain, Extent::Main));
    assert_eq!(page.notes.iter().map(Message::key).collect::<Vec<_>>(), ["page-overfull"]);
    assert!(page.text.len() > 100_000);
}

#[test]
fn marks_that_never_end_swallow_no_more_than_a_browser_lets_them() {
    let check =
        |html: &str, expected: &str| assert_eq!(read(html, "", (Style::Plain, Extent::Main)).text, expected, "{html}");
    check("a<script>b", "a");
    check("a<!-- b", "a");
    check("a<p>b<i>c</p>d", "a\n\nbc\n\nd");
    check("a<b", "a");
    check("a<style>x</style>b<textarea>c</textarea>d", "abd");
}

/// The figures of `docs/performance.md`: `cargo test --release -p palanca-tools --lib -- --ignored --nocapture how_long`.
#[test]
#[ignore = "measures"]
fn how_long() {
    let long = include_str!("../../../../tests/data/pages/postgresql-long.html").repeat(5);
    let api = include_str!("../../../../tests/data/pages/rustdoc.html").repeat(9);
    let at = |text: &str| text.get(..500_000).unwrap_or(text).to_owned();
    let mut pages = vec![("500 KB of prose and tables", at(&long)), ("500 KB of an API's reference", at(&api))];
    pages.extend(hostile(1));
    for (name, page) in pages {
        let mut times: Vec<Duration> = (0..9)
            .map(|_| {
                let began = Instant::now();
                std::hint::black_box(read(&page, "https://a.test/", (Style::Markdown, Extent::Main)));
                began.elapsed()
            })
            .collect();
        times.sort();
        println!("{name}: {} KB, median {:?}, best {:?}", page.len() >> 10, times[4], times[0]);
    }
}
