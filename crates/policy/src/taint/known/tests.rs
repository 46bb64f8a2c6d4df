#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str], absent: &[&str]) {
    let found: Vec<String> = addresses(text).into_iter().map(|found| found.address.as_str().to_owned()).collect();
    for address in expected {
        assert!(found.iter().any(|own| own == address), "{text}: no {address} in {found:?}");
    }
    for address in absent {
        assert!(!found.iter().any(|own| own == address), "{text}: {address} in {found:?}");
    }
}

#[test]
fn addresses_are_found_as_they_are_written() {
    check("see https://a.example/x.", &["https://a.example/x"], &["https://a.example/"]);
    check(
        "[t](https://a.example/x_(y))[u](http://b.example/z)",
        &["https://a.example/x_(y)", "http://b.example/z"],
        &[],
    );
    check("<a href=\"https://a.example/?a=1&amp;b=2\">", &["https://a.example/?a=1&b=2"], &[]);
    check(r#"{"url":"https:\/\/a.example\/x"}"#, &["https://a.example/x"], &[]);
    check("HTTPS://A.Example/X#top", &["https://a.example/X"], &["https://a.example/x"]);
    check("go to (docs.rs/serde), then www.a.example!", &["https://docs.rs/serde", "https://www.a.example/"], &[]);
    check("https://r.example/?u=https://a.example/x", &["https://a.example/x"], &["https://r.example/"]);
    check("https://me@a.example/ ftp://b.example/", &[], &["https://a.example/", "https://b.example/"]);
    check("https://a.exa\u{200b}mple/x", &["https://a.example/x"], &[]);
    check("version 1.2.3 and e.g., 10.0", &[], &["https://1.2.3/"]);
}

#[test]
fn links_are_followed_from_their_page() {
    let page = Address::read("https://a.example/b/c").unwrap();
    let found = links("[x](../d?e) <a href=\"f&amp;g\"> [y](https://b.example/)", &page);
    let found: Vec<&str> = found.iter().map(|found| found.address.as_str()).collect();
    assert_eq!(found, ["https://a.example/d?e", "https://a.example/b/f&g"]);
}

#[test]
fn what_choices_tell_is_counted_and_ends() {
    let mut known = Known::default();
    for number in 0..255 {
        addresses(&format!("https://s{number}.evil.example/")).into_iter().for_each(|found| known.learn(found));
    }
    let asked = (0..255_u32).filter(|number| {
        let address = Address::read(&format!("https://s{number}.evil.example/")).unwrap();
        let may = known.affords(&address);
        if may {
            known.tell(&address);
            assert_eq!(known.cost(&address), 0, "the same again");
        }
        may
    });
    assert_eq!(asked.count(), 16, "sixteen bytes");
}

#[test]
fn memory_is_bounded() {
    let mut known = Known::default();
    for round in 0..4 {
        let text: String =
            (0..MOST).map(|number| format!("https://a{round}.example/{number} b{number}.example ")).collect();
        addresses(&text).into_iter().for_each(|found| known.learn(found));
    }
    assert_eq!(known.addresses.len(), MOST);
    assert!(known.sites.len() <= MOST);
}
