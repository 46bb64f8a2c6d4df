#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::{Extent, Style, read};

fn check(html: &str, expected: &str) {
    let page = read(html, "https://a.test/", (Style::Plain, Extent::Main));
    assert_eq!(page.text.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{html}");
}

#[test]
fn streamed_parts_stand_where_their_scripts_put_them() {
    let first = "<p>one<template id='B:0'></template><p>three";
    check(&format!("{first}<div hidden id='S:0'>two</div><script>$RC(\"B:0\",\"S:0\")</script>"), "one two three");
    check(
        &format!("{first}<script>$RC=function(a,b){{}};$RC(\"B:0\",\"S:7\")</script><div hidden id='S:7'>two</div>"),
        "one two three",
    );
    check(
        "<div><template id='x-P:1a'></template></div><p>b<div hidden id='x-S:1a'>a</div><script>$RS(\"x-S:1a\",\"x-P:1a\")</script>",
        "a b",
    );
    // One within another, which came before it.
    check(
        &format!(
            "{first}<div hidden id='S:1'>2b</div><div hidden id='S:0'>2a<template id='B:1'></template>2c</div>\
            <script>$RC(\"B:1\",\"S:1\");$RC(\"B:0\",\"S:0\")</script>"
        ),
        "one 2a 2b 2c three",
    );
}

#[test]
fn parts_that_no_script_moves_stay_where_they_are() {
    check("<p>a<div hidden id='S:0'>b</div>c", "a b c");
    check("<p>a<div hidden id='S:0'>b</div><script>$RC(\"B:0\",\"S:0\")</script>c", "a b c");
    check("<p>a<div hidden id='Sx'>b</div>c", "a c");
    // Places within each other's parts.
    let parts = "<div hidden id='S:0'>b<template id='B:1'></template></div><div hidden id='S:1'>c<template id='B:0'></template></div>";
    check(&format!("a{parts}<script>$RC(\"B:0\",\"S:0\");$RC(\"B:1\",\"S:1\")</script>"), "a b c");
    check("a<div hidden id='S:0'>b<template id='B:0'></template></div><script>$RC(\"B:0\",\"S:0\")</script>", "a b");
}
