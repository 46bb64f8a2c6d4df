#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::{Extent, Style, read};
use super::*;

fn outline(html: &str) -> String {
    let tree = tree(html);
    for (index, node) in tree.nodes.iter().enumerate() {
        let parent = tree.get(node.parent as usize).unwrap();
        assert!(
            node.end as usize > index && (node.parent as usize) <= index && parent.end >= node.end,
            "{html}: {node:?}"
        );
    }
    let mut outline = String::new();
    let mut open: Vec<u32> = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        while open.pop_if(|end| *end as usize <= index).is_some() {
            outline.push(')');
        }
        if node.tag == Tag::Text {
            outline.push_str(tree.words(node));
        } else {
            outline.push_str(&format!("{:?}(", node.tag));
            open.push(node.end);
        }
    }
    outline += &")".repeat(open.len());
    outline.strip_prefix("Html(").and_then(|outline| outline.strip_suffix(')')).unwrap().to_owned()
}

#[test]
fn ends_that_are_not_written_are_found() {
    let check = |html: &str, expected: &str| assert_eq!(outline(html), expected, "{html}");
    check("<p>a<p>b<div>c</div>", "Paragraph(a)Paragraph(b)Block(c)");
    check("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "Bulleted(Item(a)Item(bBulleted(Item(c)))Item(d))");
    check("<table><tr><td>a<td>b<tr><td>c</table>d", "Table(Row(Cell(a)Cell(b))Row(Cell(c)))d");
    check("<p>a<b>b</p>c", "Paragraph(aStrong(b))c");
    check("<b><p>a</b>b</p>c</b>d", "Strong(Paragraph(ab)c)d");
    check("<div><a href=x>a<a href=y>b</a></div>", "Block(Anchor(a)Anchor(b))");
    check("<div>a</span></p></div>b</div>c", "Block(a)bc");
    check("<html><head><title>t</title><body>a</body></html>b", "Head()Body(ab)");
    check("a</br>b<h1>c</h2>d", "aBreak()bHeading(1)(c)d");
    check("<p hidden>a<p>b<div hidden><p>c</div>d", "Paragraph(a)Paragraph(b)Block(Paragraph(c))d");
    check("<template>a<p>b</template><div><template shadowrootmode=open>c</template></div>", "Block(Block(c))");
    check("<td><div>a</td><td>b", "Cell(Block(a))Cell(b)");
}

#[test]
fn titles_are_bounded_and_the_first_counts() {
    let title = |html: &str| read(html, "https://a.test/", (Style::Plain, Extent::Main)).title;
    assert_eq!(title("<title> a\n b </title><title>c</title>x").as_deref(), Some("a b"));
    assert_eq!(title("<svg><title>no</title></svg>").as_deref(), None);
    assert_eq!(title(&format!("<title>{}", "ñ".repeat(2_000_000))).unwrap().chars().count(), 300);
}
