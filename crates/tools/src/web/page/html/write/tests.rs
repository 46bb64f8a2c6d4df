#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::read;
use super::super::{Extent, Style};

fn check(html: &str, expected: &str) {
    assert_eq!(read(html, "https://a.test/d/", (Style::Markdown, Extent::Main)).text, expected, "{html}");
}

fn check_plain(html: &str, expected: &str) {
    assert_eq!(read(html, "https://a.test/d/", (Style::Plain, Extent::Main)).text, expected, "{html}");
}

#[test]
fn blocks_stand_apart_and_blanks_are_one() {
    check("<h1>A  b</h1><p>c\n d<p>e", "# A b\n\nc d\n\ne");
    check("a<br>b<hr>c", "a\nb\n\n---\n\nc");
    check("<div>a<div>b</div>c</div>", "a\nb\nc");
    check("a <b> b </b>c <i>d</i>", "a **b** c *d*");
    check("<b><i>a</i></b><b></b>", "***a***");
    check("<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc");
    check("10<sup>6</sup>, a<sup>th</sup>, b<sup><a href=#n>1</a></sup>", "10^6, ath, b1");
    check("<h2><a href=x><code>f</code></a></h2>", "## [f](https://a.test/d/x)");
}

#[test]
fn lists_keep_their_levels_and_numbers() {
    check("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c");
    check("<ol start=3><li>a<li><p>b</p><p>c</p></ol>d", "3. a\n4. b\n\n   c\n\nd");
    check("<dl><dt>a<dd>b<dt>c<dd>d<p>e</dl>", "a\n: b\n\nc\n: d\n\n  e");
    check("<ul><li></li><li>a</li></ul>", "- a");
    check_plain("<ul><li>a<li>b</ul>", "- a\n- b");
}

#[test]
fn links_and_images_have_absolute_addresses() {
    check("see <a href=x>the <b>x</b></a>.", "see [the **x**](https://a.test/d/x).");
    check("<a href=#x>here</a> <a href='javascript:x'>there</a>", "here there");
    check("<a href=x></a>a<a href=#s>¶</a>", "a");
    check("<a href=https://b.test/>https://b.test/</a>", "<https://b.test/>");
    check("<a href=x>a]</a>", "[a\\]](https://a.test/d/x)");
    check(
        "<img src=i.png alt='A cat'><img src=j.png><img alt=pixel width=1 height=1>",
        "![A cat](https://a.test/d/i.png)",
    );
    check("<img src='data:image/png;base64,AAAA' alt=a data-src=real>", "![a](https://a.test/d/real)");
    check_plain("<a href=x>a</a> <img src=i alt=b>", "a b");
}

#[test]
fn code_is_kept_as_it_was() {
    check("<pre><code class=language-sh>$ a\n\n  b</code></pre>", "```sh\n$ a\n\n  b\n```");
    check(
        "<div class=highlight-python><div class=highlight><pre><span>a</span> = 1</pre></div></div>",
        "```python\na = 1\n```",
    );
    check("<pre>```\na</pre>", "````\n```\na\n````");
    check("<pre>a<br>b</pre>", "```\na\nb\n```");
    check("use <code>a</code> or <code>`b`</code>", "use `a` or `` `b` ``");
    check("<ul><li>a<pre>b\nc</pre></ul>", "- a\n\n  ```\n  b\n  c\n  ```");
    check_plain("<pre>a\n  b</pre>", "a\n  b");
}

#[test]
fn tables_of_data_are_tables_and_tables_of_layout_are_not() {
    check("<table><tr><th>a<th>b<tr><td>1|2<td><p>x<p>y</table>", "| a | b |\n| --- | --- |\n| 1\\|2 | x y |");
    check("<table><tr><td>a<td>b</table>", "|  |  |\n| --- | --- |\n| a | b |");
    check("<table><tr><td>a<tr><td>b</table>", "a\nb");
    check(
        "<table><tr><td><h2>a</h2>b<td><table><tr><td>c<td>d</table></table>",
        "## a\n\nb\n\n|  |  |\n| --- | --- |\n| c | d |",
    );
    check_plain("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a\tb\n1\t2");
}

#[test]
fn control_characters_of_entities_do_not_come_through() {
    check("a&#27;[31mb&#0;c&#8;d&#x7f;e<pre>f&#27;g</pre>", "a[31mb\u{fffd}cde\n\n```\nfg\n```");
}
