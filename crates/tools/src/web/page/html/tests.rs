#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    missing_docs
)]

use super::*;
use std::time::{Duration, Instant};

/// What hostile pages are made of, and text that must come through all the same.
fn hostile() -> Vec<(&'static str, String)> {
    let many = |count: usize, of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<String>();
    vec![
        ("100,000 open blocks", format!("{}here", "<div>".repeat(100_000))),
        ("100,000 blocks", format!("{}here{}", "<div>".repeat(100_000), "</div>".repeat(100_000))),
        ("open marks", format!("{}here", "<b>".repeat(600_000))),
        ("marks and paragraphs", format!("{}here", many(20_000, &|n| format!("<b x={n}><p>")))),
        ("open links", format!("{}here", "<a href=x>".repeat(200_000))),
        ("tables in tables", format!("{}here", "<table><tr><td>".repeat(10_000))),
        ("lists in lists", format!("{}here", "<ul><li>".repeat(100_000))),
        ("quotations", format!("{}here", "<blockquote>".repeat(100_000))),
        ("a million attributes", format!("<p {}>here", many(250_000, &|n| format!("a{n} ")))),
        ("a long attribute", format!("<a href='{}'>here</a>", "a".repeat(2_000_000))),
        ("a long name", format!("<{}>here", "a".repeat(2_000_000))),
        ("a long line", format!("{}here", "word ".repeat(400_000))),
        ("ends without beginnings", format!("{}here", "</div></p></table>".repeat(100_000))),
        ("entities", format!("{}here", "&amp".repeat(500_000))),
        ("half tags", format!("{}>here", "<".repeat(1_000_000))),
        ("many cells", format!("<table><tr>{}<tr><td>here</table>", "<td>a".repeat(200_000))),
        ("many rows", format!("<table>{}<tr><td>here<td>b</table>", "<tr><td>a<td>b".repeat(60_000))),
        ("hidden blocks", format!("{}{}here", "<div hidden>".repeat(100_000), "</div>".repeat(100_000))),
        ("definitions", format!("{}here", "<dl><dd>".repeat(100_000))),
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
        ("calls", format!("<script>{}</script>here", "$R".repeat(500_000))),
        ("headings", format!("{}here", "<div><h2>Related</h2>".repeat(50_000))),
        ("flat headings", format!("{}here", "<h2>Related</h2><p>a".repeat(50_000))),
        ("teasers", format!("{}here", "<div><a href=x><img src=a>title</a><h3>b</h3>".repeat(30_000))),
        ("comments", format!("{}here", "<!-- - -- -->".repeat(100_000))),
    ]
}

#[test]
fn hostile_pages_take_bounded_time_and_keep_their_text() {
    for (name, source) in hostile() {
        for style in [Style::Markdown, Style::Plain] {
            let began = Instant::now();
            let page = read(&source, "https://a.test/", (style, Extent::Main));
            // Ten times what it takes, and some for a busy machine: these take minutes where time is not linear.
            assert!(began.elapsed() < Duration::from_secs(10), "{name}: {:?}", began.elapsed());
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
    pages.extend(hostile());
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
