//! Own rows: `cases/*.tsv`, a class, a tab, a text in which `\n`, `\t` and `\\` are escapes. A class may be several,
//! joined by `|`, or `!blocked`.

use super::{judged, name};

fn check(file: &str, text: &str) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let (label, text) = line.split_once('\t').unwrap_or_else(|| panic!("no tab in {line:?}"));
        let text = unescape(text);
        let judgement = judged(&text);
        let class = name(judgement.class);
        count += 1;
        let fits = label.split('|').any(|label| label == class || (label == "!blocked" && class != "blocked"));
        if !fits {
            wrong.push(format!("{label} judged {class} ({}): {text:?}", judgement.reason.rule));
        }
    }
    assert!(count > 20, "{file} has only {count} rows");
    assert!(wrong.is_empty(), "{} of {count} rows of {file} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('\\') => out.push('\\'),
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out
}

#[test]
fn blocked_rows() {
    check("blocked.tsv", include_str!("../cases/blocked.tsv"));
    check("disguises.tsv", include_str!("../cases/disguises.tsv"));
    check("redteam.tsv", include_str!("../cases/redteam.tsv"));
}

#[test]
fn look_alikes() {
    check("lookalikes.tsv", include_str!("../cases/lookalikes.tsv"));
    check("spared.tsv", include_str!("../cases/spared.tsv"));
    check("alike.tsv", include_str!("../cases/alike.tsv"));
}

#[test]
fn ordinary_rows() {
    check("ordinary.tsv", include_str!("../cases/ordinary.tsv"));
}
