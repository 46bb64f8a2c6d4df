#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

fn with(pairs: &[(&str, &str)]) -> Attributes {
    let mut attributes = Attributes::default();
    for (name, value) in pairs {
        attributes.set(name.as_bytes(), value.as_bytes());
    }
    attributes
}

#[test]
fn what_people_do_not_see_is_hidden() {
    let seen = |pairs: &[(&str, &str)], expected: Sight| assert_eq!(with(pairs).sight(b"div"), expected, "{pairs:?}");
    let check = |pairs: &[(&str, &str)], hidden: bool| {
        seen(pairs, if hidden { Sight::Hidden } else { Sight::Seen });
    };
    for style in [
        "display:none",
        "color:red; DISPLAY : None !important",
        "font-size:0",
        "font-size:0px",
        "font-size:1px",
        "color:transparent",
        "position:absolute;left:-9999px",
        "text-indent:-999em",
        "height:0;overflow:hidden",
        "width:1px;height:1px",
        "clip:rect(0 0 0 0)",
        "clip-path: inset(50%)",
        "transform:scale(0)",
    ] {
        check(&[("style", style)], true);
    }
    for style in
        ["", "display:block", "opacity:0.5", "font-size:10px", "left:-10px", "height:0", "overflow:hidden", "opacity:1"]
    {
        check(&[("style", style)], false);
    }
    check(&[("hidden", "")], true);
    // Until a script has run, or from a screen reader alone.
    for pair in
        [("style", "visibility:hidden"), ("style", "opacity:0"), ("style", "opacity:0.01"), ("aria-hidden", "true")]
    {
        seen(&[pair], Sight::Later);
    }
    // It comes into sight when it is scrolled to; it is opened by a click, found by a search.
    check(&[("style", "opacity:0;transform:translateY(20px)")], false);
    check(&[("hidden", "until-found")], false);
    check(&[("hidden", ""), ("role", "tabpanel")], false);
    check(&[("style", "display:none"), ("role", "tabpanel")], false);
    check(&[("style", "font-size:0"), ("role", "tabpanel")], true);
    // A wide screen decides.
    check(&[("class", "hidden lg:block")], false);
    check(&[("class", "lg:hidden")], true);
    check(&[("class", "d-none d-md-flex")], false);
    check(&[("class", "d-md-none")], true);
    check(&[("class", "gutter")], true);
    check(&[("class", "grid-item--with-gutter-s-only u-gutter")], false);
    check(&[("aria-hidden", "false")], false);
    check(&[("width", "0"), ("height", "0")], true);
    check(&[("width", "1"), ("height", "100")], false);
    check(&[("class", "a sr-only")], true);
    check(&[("class", "headerlink")], true);
    check(&[("class", "overflow-hidden-not")], false);
    assert_eq!((with(&[]).sight(b"dialog"), with(&[("open", "")]).sight(b"dialog")), (Sight::Hidden, Sight::Seen));
}

#[test]
fn names_tell_frames_from_content() {
    let check = |class: &str, expected: Hint| assert_eq!(with(&[("class", class)]).hint(), expected, "{class}");
    check("site-footer", Hint::Frame);
    check("siteFooter", Hint::Frame);
    check("a NavBar", Hint::Frame);
    check("navbar", Hint::Frame);
    check("loading", Hint::None);
    check("toc", Hint::FrameOfLinks);
    check("article-body", Hint::None);
    assert_eq!(with(&[("role", "main"), ("class", "sidebar")]).hint(), Hint::Main);
    check("comment-list", Hint::Comments);
    check("post userinfo", Hint::SmallPrint);
    assert_eq!(with(&[("id", "cookies")]).hint(), Hint::FrameById);
    assert_eq!(with(&[("id", "comments")]).hint(), Hint::None);
}

#[test]
fn the_language_of_code_is_found_in_each_highlighters_form() {
    let check =
        |pairs: &[(&str, &str)], expected: Option<&str>| assert_eq!(with(pairs).code_language(), expected, "{pairs:?}");
    check(&[("class", "language-rust hljs")], Some("rust"));
    check(&[("class", "highlight highlight-source-js")], Some("js"));
    check(&[("class", "highlight-python3 notranslate")], Some("python3"));
    check(&[("class", "brush: css notranslate")], Some("css"));
    check(&[("data-lang", "c++")], Some("c++"));
    check(&[("class", "rust rust-example-rendered")], Some("rust"));
    check(&[("class", "language-none")], None);
    check(&[("class", "language-a`b")], None);
    check(&[("class", "highlight")], None);
}

#[test]
fn a_value_that_is_too_long_is_let_go_and_the_first_of_two_counts() {
    assert_eq!(with(&[("href", &"a".repeat(VALUE + 1))]).href, "");
    assert_eq!(with(&[("href", "first"), ("href", "second")]).href, "first");
}
