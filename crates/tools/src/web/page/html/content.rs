//! Which part of a page is its content. Taken away, not picked out: what frames a page (navigation, notices, lists of links
//! beside the text) is marked and the rest kept, since an agent loses more by a missing paragraph than by a stray line. Where
//! a page names its content (`main`, a single `article`), that is where the search begins.

use super::attributes::Hint;
use super::tags::Tag;
use super::tree::{Node, Tree};

/// Characters below which a text is too little to be a page's content.
const LITTLE: u32 = 140;

/// Which part of the page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What was found to be its content.
    Content,
    /// All of it, since hardly anything was found.
    Everything,
}

/// What is shown of a page.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) part: Part,
    /// The node with the content.
    pub(super) root: usize,
    /// A node that comes first, since it stands outside of `root`: the page's heading.
    pub(super) heading: Option<usize>,
    /// For each node whether it is left out with everything in it.
    pub(super) dropped: Vec<bool>,
    /// For each node whether a block stands in it.
    pub(super) has_block: Vec<bool>,
}

/// What is counted for every node, with everything in it.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    /// Characters that are not blanks.
    text: u32,
    /// Those of them that stand in links.
    linked: u32,
}

/// Chooses.
pub(super) fn choose(tree: &Tree) -> Chosen {
    let has_block = blocks(tree);
    let weights = weigh(tree, &[]);
    let all = weights.first().copied().unwrap_or_default();
    let dropped = frames(tree, &weights, all);
    let kept = weigh(tree, &dropped);
    let root = root(tree, &kept, &dropped);
    let found = kept.get(root).copied().unwrap_or_default();
    if found.text < LITTLE && found.text * 2 < all.text {
        let dropped = tree.nodes.iter().map(|node| node.tag == Tag::Noscript && found.text > 0).collect();
        return Chosen { part: Part::Everything, root: 0, heading: None, dropped, has_block };
    }
    let heading = heading(tree, root);
    Chosen { part: Part::Content, root, heading, dropped, has_block }
}

fn blocks(tree: &Tree) -> Vec<bool> {
    let mut has_block = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        if (node.tag.is_block() || has_block.get(index) == Some(&true))
            && let Some(parent) = has_block.get_mut(node.parent as usize).filter(|_| node.parent as usize != index)
        {
            *parent = true;
        }
    }
    has_block
}

/// Weighs every node, without what is `dropped`. One pass from the end, in which everything comes before what it stands in.
fn weigh(tree: &Tree, dropped: &[bool]) -> Vec<Weight> {
    let mut weights = vec![Weight::default(); tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        if dropped.get(index) == Some(&true) {
            if let Some(weight) = weights.get_mut(index) {
                *weight = Weight::default();
            }
            continue;
        }
        let Some(weight) = weights.get_mut(index) else { continue };
        match node.tag {
            Tag::Text => weight.text = visible(tree.words(node)),
            Tag::Anchor => weight.linked = weight.text,
            _ => {}
        }
        let weight = *weight;
        if node.parent as usize != index
            && let Some(parent) = weights.get_mut(node.parent as usize)
        {
            parent.text = parent.text.saturating_add(weight.text);
            parent.linked = parent.linked.saturating_add(weight.linked);
        }
    }
    weights
}

fn visible(text: &str) -> u32 {
    // Bytes that begin a character and are no blanks: nearly the same as characters, and a tenth of the time.
    let count = text.bytes().filter(|byte| *byte > b' ' && (*byte & 0xc0) != 0x80).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What frames the page.
fn frames(tree: &Tree, weights: &[Weight], all: Weight) -> Vec<bool> {
    let holds_heading = holding(tree, |node| node.tag == Tag::Heading(1));
    let holds_main = holding(tree, |node| node.hint == Hint::Main || node.tag == Tag::Article);
    let mut within_content = vec![false; tree.nodes.len()];
    let mut dropped = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        let inherited = index > 0 && within_content.get(node.parent as usize) == Some(&true);
        let content = inherited || node.hint == Hint::Main || node.tag == Tag::Article;
        if let Some(within) = within_content.get_mut(index) {
            *within = content;
        }
        let weight = weights.get(index).copied().unwrap_or_default();
        // Most of a page is not its frame, whatever it is called.
        let large = weight.text.saturating_mul(2) > all.text;
        let mostly_links = weight.linked.saturating_mul(10) > weight.text.saturating_mul(5);
        let frame = match (node.tag, node.hint) {
            (Tag::Noscript, _) => true,
            (Tag::Button, _) => heading_around(tree, index).is_none_or(|at| 2 * weight.text <= weight_of(weights, at)),
            _ if holds_main.get(index) == Some(&true) => false,
            // A heading's own anchor may be called `header`, a term `search`.
            (tag, Hint::Frame | Hint::FrameOfLinks)
                if !tag.is_block() || matches!(tag, Tag::Heading(_) | Tag::Term) =>
            {
                false
            }
            (_, Hint::Frame) => !large || (node.tag == Tag::Nav && mostly_links && weight.text * 10 < all.text * 8),
            (Tag::Header, _) => !content && !large && holds_heading.get(index) != Some(&true),
            (Tag::Form, _) => weight.text < LITTLE,
            (_, Hint::FrameOfLinks) => mostly_links && !large,
            (Tag::Bulleted | Tag::Numbered, _) => {
                !content
                    && !large
                    && weight.linked.saturating_mul(10) > weight.text.saturating_mul(9)
                    && weight.linked > 0
            }
            _ => false,
        };
        if let Some(dropped) = dropped.get_mut(index) {
            *dropped = frame;
        }
    }
    // What stands in something dropped is dropped with it, so that later passes need to look at one node alone.
    for (index, node) in tree.nodes.iter().enumerate().skip(1) {
        if dropped.get(node.parent as usize) == Some(&true)
            && let Some(dropped) = dropped.get_mut(index)
        {
            *dropped = true;
        }
    }
    dropped
}

/// For each node whether it, or a node in it, is wanted.
fn holding(tree: &Tree, wanted: impl Fn(&Node) -> bool) -> Vec<bool> {
    let mut holds = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        let found = wanted(node) || holds.get(index) == Some(&true);
        for at in [index, node.parent as usize] {
            if let Some(holds) = holds.get_mut(at).filter(|_| found) {
                *holds = true;
            }
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

fn weight_of(weights: &[Weight], index: usize) -> u32 {
    weights.get(index).map_or(0, |weight| weight.text)
}

/// The node in which the content stands: what the page itself says, if that holds a good part of what is left.
fn root(tree: &Tree, kept: &[Weight], dropped: &[bool]) -> usize {
    let weight = |index: usize| kept.get(index).map_or(0, |weight| weight.text);
    let all = weight(0);
    let best = |wanted: &dyn Fn(&Node) -> bool| {
        let found =
            tree.nodes.iter().enumerate().filter(|(index, node)| dropped.get(*index) != Some(&true) && wanted(node));
        found.map(|(index, _)| index).max_by_key(|index| (weight(*index), std::cmp::Reverse(*index)))
    };
    let enough = |index: &usize| weight(*index) >= LITTLE && weight(*index).saturating_mul(4) >= all;
    let main = best(&|node| node.hint == Hint::Main).filter(|index| enough(index) || weight(*index) > 2000);
    if let Some(main) = main {
        return main;
    }
    best(&|node| node.tag == Tag::Article)
        .filter(|index| weight(*index).saturating_mul(10) >= all.saturating_mul(6))
        .unwrap_or(0)
}

/// The page's heading where the content does not begin with one of its own.
fn heading(tree: &Tree, root: usize) -> Option<usize> {
    let end = tree.get(root)?.end as usize;
    let mut before = 0_u32;
    for node in tree.nodes.get(root..end)? {
        match node.tag {
            Tag::Heading(1..=3) if before < LITTLE => return None,
            Tag::Heading(1) => return None,
            Tag::Text => before = before.saturating_add(visible(tree.words(node))),
            _ => {}
        }
    }
    tree.nodes.get(..root)?.iter().rposition(|node| node.tag == Tag::Heading(1))
}

#[cfg(test)]
mod tests;
