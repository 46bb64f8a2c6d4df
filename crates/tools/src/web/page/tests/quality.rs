//! How much of real pages' main text is read, and how much else, held at what was measured. `benches/pages/measure.py` sets
//! it beside other extractors.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::disallowed_methods, missing_docs)]

use super::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A page's name, the least recall and the most noise, in thousandths of the words.
const PAGES: &[(&str, u32, u32)] = &[
    ("apache", 990, 100),
    ("apache-module", 990, 40),
    ("doxygen", 980, 20),
    ("expat", 980, 20),
    ("javadoc", 980, 20),
    ("libxslt", 990, 60),
    ("mdbook", 990, 20),
    ("nodejs", 990, 20),
    ("postgresql", 990, 20),
    ("postgresql-index", 990, 20),
    ("postgresql-long", 990, 20),
    ("rustdoc", 990, 20),
    ("sphinx", 990, 20),
    ("sphinx-theme", 980, 30),
    ("sqlite", 990, 20),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pages")
}

fn read_page(name: &str, format: Format) -> Page {
    let body = std::fs::read(folder().join(format!("{name}.html"))).unwrap();
    let url = "https://docs.test/manual/page.html";
    read(
        &Source { body: &body, content_type: Some("text/html"), url, completeness: Completeness::Whole },
        format,
        Extent::Main,
    )
}

fn words(text: &str) -> HashMap<String, u32> {
    let mut words = HashMap::new();
    let split = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    for word in split {
        *words.entry(word.to_lowercase()).or_default() += 1;
    }
    words
}

fn score(name: &str) -> (u32, u32) {
    let expected = std::fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    compared(&expected, &read_page(name, Format::Text).text)
}

/// Recall and noise, in thousandths.
fn compared(expected: &str, got: &str) -> (u32, u32) {
    let (expected, got) = (words(expected), words(got));
    let total = |words: &HashMap<String, u32>| words.values().sum::<u32>().max(1);
    let common: u32 = expected.iter().map(|(word, count)| *count.min(got.get(word).unwrap_or(&0))).sum();
    (common * 1000 / total(&expected), 1000 - common * 1000 / total(&got))
}

#[test]
fn the_main_text_comes_through_and_little_else() {
    let scores: Vec<_> = PAGES.iter().map(|(name, ..)| (*name, score(name))).collect();
    for ((name, recall, noise), (_, measured)) in PAGES.iter().zip(&scores) {
        assert!(measured.0 >= *recall && measured.1 <= *noise, "{name}: {measured:?}, all: {scores:?}");
    }
}

#[test]
fn tables_code_and_links_of_real_pages_are_kept() {
    let check = |name: &str, wanted: &str| {
        let text = read_page(name, Format::Markdown).text;
        assert!(text.contains(wanted), "{name} without {wanted:?}");
    };
    check("mdbook", "# Cargo.toml vs Cargo.lock");
    check("mdbook", "```toml\n[package]\nname = \"hello_world\"");
    check("rustdoc", "```rust\nuse std::cell::OnceCell;");
    check("sphinx", "```python\n@click.command()");
    check("apache", "| Character | Meaning | Example |\n| --- | --- | --- |\n| `.` |");
    check("sphinx", "](https://docs.test/manual/");
    check("postgresql-index", "https://docs.test/manual/");
}

/// Means over pairs of `KIND-NAME.html` and `KIND-NAME.txt`, as in the table of `docs/performance.md`.
#[test]
#[ignore = "measures the folder that PALANCA_PAIRS names"]
#[allow(clippy::print_stdout, clippy::cast_precision_loss)]
fn pairs() {
    let folder = PathBuf::from(std::env::var_os("PALANCA_PAIRS").expect("PALANCA_PAIRS names a folder"));
    let mut kinds: std::collections::BTreeMap<String, Vec<[f64; 3]>> = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = std::fs::read_to_string(path.with_extension("txt")).unwrap_or_default();
        if path.extension().is_none_or(|end| end != "html") || words(&expected).is_empty() {
            continue;
        }
        let body = std::fs::read(&path).unwrap();
        let source =
            Source { body: &body, content_type: None, url: "https://a.test/", completeness: Completeness::Whole };
        let (recall, noise) = compared(&expected, &read(&source, Format::Text, Extent::Main).text);
        let (recall, precision) = (f64::from(recall) / 10.0, 100.0 - f64::from(noise) / 10.0);
        let score = [recall, 100.0 - precision, 2.0 * recall * precision / (recall + precision).max(0.1)];
        for kind in [name.split('-').next().unwrap_or_default(), "~ all"] {
            kinds.entry(kind.to_owned()).or_default().push(score);
        }
    }
    for (kind, scores) in kinds {
        let mean = |at: usize| scores.iter().map(|score| score[at]).sum::<f64>() / scores.len() as f64;
        println!("{kind}: {} pages, {:.1} / {:.1} / {:.1}", scores.len(), mean(0), mean(1), mean(2));
    }
}

/// For `benches/pages/measure.py`, which sets them beside other extractors' texts.
#[test]
#[ignore = "writes files, into the folder that PALANCA_PAGES names"]
fn pages_are_written() {
    let to = PathBuf::from(std::env::var_os("PALANCA_PAGES").expect("PALANCA_PAGES names a folder"));
    for (name, ..) in PAGES {
        std::fs::write(to.join(format!("{name}.md")), read_page(name, Format::Markdown).text).unwrap();
    }
}
