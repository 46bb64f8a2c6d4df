use std::fs;

use super::{check, links};
use crate::report::Report;
use crate::workspace::Workspace;

#[test]
fn relative_links_outside_code() {
    for (text, expected) in [
        ("[a](b.md), ![c](d/e.svg)", &["b.md", "d/e.svg"][..]),
        ("[`call`](f.md#g)", &["f.md"]),
        ("[here](#there) [web](https://example.org)", &[]),
        ("`[a](b.md)` and\n```\n[a](b.md)\n```\n[c](d.md)", &["d.md"]),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn pages_are_listed_and_links_lead_somewhere() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir(root.join("docs")).unwrap();
    let failures = |index: &str, page: &str| {
        fs::write(root.join("docs/README.md"), index).unwrap();
        fs::write(root.join("docs/a.md"), page).unwrap();
        let mut report = Report::default();
        check(&Workspace { root: root.to_path_buf(), packages: Vec::new() }, &mut report).unwrap();
        report.failures
    };
    assert_eq!(failures("[a](a.md)", "[index](README.md)"), [""; 0]);
    assert_eq!(failures("", ""), ["docs/a.md: is not in docs/README.md; add a link"]);
    assert_eq!(failures("[a](a.md)", "[b](../b.md)"), ["docs/a.md: links to ../b.md, which does not exist"]);
}
