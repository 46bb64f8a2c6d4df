//! What frames a page, by what its elements are and are called: navigation, notices, sign-ups, lists of links.

use super::super::attributes::Hint;
use super::super::tags::Tag;
use super::super::tree::{Node, Tree};
use super::weights::{Survey, Weights};
use super::{LITTLE, inherit, mark};

/// Characters that small print has at most.
const SMALL: u32 = 300;

/// What is known of every node beside its weight: whether it holds what speaks for it.
struct Holds {
    title: Vec<bool>,
    heading: Vec<bool>,
    /// The main content, or an article.
    main: Vec<bool>,
    /// The main content, or an article that is a good part of the page.
    most: Vec<bool>,
}

/// Adds what frames the page to what is `dropped`.
pub(super) fn frames(survey: &Survey<'_>, weights: &Weights, dropped: &mut [bool]) {
    let tree = survey.tree;
    let large = |index: usize| weights.of(index).text.saturating_mul(5) >= weights.all().text;
    let holds = Holds {
        title: holding(tree, |_, node| node.tag == Tag::Heading(1)),
        heading: holding(tree, |_, node| matches!(node.tag, Tag::Heading(_))),
        main: holding(tree, |_, node| node.hint == Hint::Main || node.tag == Tag::Article),
        most: holding(tree, |index, node| node.hint == Hint::Main || (node.tag == Tag::Article && large(index))),
    };
    let mut content = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        let within = content.get(node.parent as usize) == Some(&true);
        if within || node.hint == Hint::Main || node.tag == Tag::Article {
            mark(&mut content, index);
        }
        if is_frame(tree, (index, node), weights, &holds, within) {
            mark(dropped, index);
        }
    }
    inherit(tree, dropped);
}

fn is_frame(tree: &Tree, (index, node): (usize, &Node), weights: &Weights, holds: &Holds, in_content: bool) -> bool {
    let (weight, all) = (weights.of(index), weights.all());
    let is = |holds: &[bool]| holds.get(index) == Some(&true);
    // Most of a page is not its frame, whatever it is called.
    let large = weight.text.saturating_mul(2) > all.text;
    let mostly_links = weight.linked.saturating_mul(2) > weight.text;
    let named_frame = matches!(node.tag, Tag::Nav | Tag::Aside | Tag::Footer);
    match (node.tag, node.hint) {
        (Tag::Button, _) => heading_around(tree, index).is_none_or(|at| 2 * weight.text <= weights.of(at).text),
        _ if is(if named_frame { &holds.most } else { &holds.main }) => false,
        (tag, Hint::SmallPrint) => tag.is_block() && weight.text <= SMALL && !is(&holds.heading),
        // A heading's own anchor may be called `header`, a term `search`.
        (tag, Hint::Frame | Hint::FrameById | Hint::FrameOfLinks)
            if !tag.is_block() || matches!(tag, Tag::Heading(_) | Tag::Term) =>
        {
            false
        }
        (_, Hint::Frame) => !large || (node.tag == Tag::Nav && mostly_links && weight.text * 10 < all.text * 8),
        // Headings become ids: `cookies` is what a section is about, not what it is.
        (_, Hint::FrameById) => !(large || is(&holds.heading) && !mostly_links),
        (Tag::Header, _) => !in_content && !large && !is(&holds.title),
        (Tag::Form, _) => {
            let few_sentences = weight.prose.saturating_mul(2) < weight.text;
            weight.text < LITTLE || (few_sentences && weight.text.saturating_mul(4) < all.text)
        }
        (_, Hint::FrameOfLinks) => mostly_links && !large,
        (Tag::Bulleted | Tag::Numbered, _) => {
            let only_links = weight.linked > 0 && weight.linked.saturating_mul(10) > weight.text.saturating_mul(9);
            !in_content && !large && only_links
        }
        _ => false,
    }
}

/// For each node whether it, or a node in it, is wanted.
pub(super) fn holding(tree: &Tree, wanted: impl Fn(usize, &Node) -> bool) -> Vec<bool> {
    let mut holds = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        if holds.get(index) == Some(&true) || wanted(index, node) {
            mark(&mut holds, index);
            mark(&mut holds, node.parent as usize);
        }
    }
    holds
}

/// The heading that a button may be all of, as in pages whose sections fold.
fn heading_around(tree: &Tree, index: usize) -> Option<usize> {
    let mut at = index;
    for _ in 0..4 {
        let node = tree.get(at)?;
        if matches!(node.tag, Tag::Heading(_) | Tag::Term) {
            return Some(at);
        }
        at = node.parent as usize;
    }
    None
}
