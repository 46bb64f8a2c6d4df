#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

#[test]
fn addresses_are_absolute_and_can_be_followed() {
    let check = |base: &str, address: &str, expected: Option<&str>| {
        let links = Links::new("https://a.test/dir/page?q=1", base);
        assert_eq!(links.absolute(address).as_deref(), expected, "{address} on {base:?}");
        assert_eq!(links.absolute(address).as_deref(), expected, "the second time");
    };
    check("", "other#part", Some("https://a.test/dir/other#part"));
    check("", "/root", Some("https://a.test/root"));
    check("", "//b.test/x y", Some("https://b.test/x%20y"));
    check("", "a(b)", Some("https://a.test/dir/a%28b%29"));
    check("../up/", "x", Some("https://a.test/up/x"));
    check("https://c.test/", "x", Some("https://c.test/x"));
    check("javascript:1", "x", None);
    check("", "mailto:a@b.test", Some("mailto:a@b.test"));
    check("", "#part", None);
    check("", "javascript:alert(1)", None);
    check("", " JavaScript:alert(1)", None);
    check("", "data:text/html,x", None);
    check("", "file:///etc/passwd", None);
    check("", &"a".repeat(SHOWN), None);
    check("", "", None);
}
