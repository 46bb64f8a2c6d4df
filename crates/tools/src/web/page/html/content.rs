//! Which part of a page is its content. Taken away, not picked out: what frames a page (navigation, notices, lists of links
//! beside the text) and what follows an article (comments, teasers of others) is marked and the rest kept, since an agent
//! loses more by a missing paragraph than by a stray line. What is left out is counted, so that it can be asked for.
//!
//! | step | leaves out |
//! |---|---|
//! | [`hidden`] | what people do not see |
//! | [`frames`] | what its elements or names call a frame |
//! | [`extras`] | what readers said, teasers, sections headed "Related" |
//! | [`root`] | everything around the node that holds nearly all sentences |

mod extras;
mod frames;
mod weights;

use super::super::{Extent, LeftOut, Parts};
use super::attributes::{Hint, Sight};
use super::tags::Tag;
use super::tree::{Node, Tree};
use weights::{Survey, Weights};

/// Characters below which a text is too little to be a page's content.
const LITTLE: u32 = 140;
/// Characters of running text from which on a page is an article, whatever else it shows.
const ARTICLE: u32 = 1500;

/// Characters of sentences in which to look for the innermost node.
const ENOUGH: u32 = 400;

/// Which part of the page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What was found to be its content.
    Content,
    /// Its links, since it has nothing else.
    Links,
    /// All of it, since hardly anything was found.
    Everything,
    /// All of it, as asked for.
    Asked,
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
    /// Whether pictures are described that stand on their own.
    pub(super) with_pictures: bool,
    pub(super) left_out: LeftOut,
}

/// Chooses.
pub(super) fn choose(tree: &Tree, extent: Extent) -> Chosen {
    let survey = Survey::new(tree);
    let whole = survey.weigh(&[]);
    let hidden = hidden(tree, &whole);
    let seen = survey.weigh(&hidden);
    let mut chosen = Chosen {
        part: Part::Asked,
        root: 0,
        heading: None,
        dropped: hidden,
        has_block: frames::holding(tree, |index, node| index > 0 && node.tag.is_block()),
        with_pictures: true,
        left_out: LeftOut::default(),
    };
    chosen.left_out.hidden = count(tree, &whole, |index| chosen.dropped.get(index) == Some(&true));
    if extent == Extent::Whole {
        return chosen;
    }
    let mut dropped = chosen.dropped.clone();
    frames::frames(&survey, &seen, &mut dropped);
    extras::comments(&survey, &mut dropped);
    extras::teasers(&survey, &mut dropped);
    extras::sections(&survey, &mut dropped);
    let kept = survey.weigh(&dropped);
    let root = descend(tree, &kept, root(tree, &kept, &dropped));
    let found = kept.of(root);
    if found.text < LITTLE && found.text * 2 < seen.all().text {
        chosen.part = Part::Everything;
        return chosen;
    }
    let only_links = found.prose == 0 && found.linked > 0 && found.linked * 5 >= found.text * 4;
    chosen.part = if only_links { Part::Links } else { Part::Content };
    chosen.with_pictures = found.text < LITTLE;
    chosen.heading = heading(&survey, root);
    chosen.left_out.chosen = count(tree, &seen, |index| {
        let shown = |from: usize| {
            let end = |index: usize| tree.get(index).map_or(0, |node| node.end as usize);
            (from..end(from)).contains(&index) || (index..end(index)).contains(&from)
        };
        dropped.get(index) == Some(&true) || !(shown(root) || chosen.heading.is_some_and(shown))
    });
    chosen.root = root;
    chosen.dropped = dropped;
    chosen
}

/// What people do not see, and what is shown only where no script runs. What is not seen yet and holds most of a page is
/// shown: no page hides its own content for good.
fn hidden(tree: &Tree, whole: &Weights) -> Vec<bool> {
    let most = |index: usize| whole.of(index).text.saturating_mul(2) > whole.all().text;
    let is_hidden = |(index, node): (usize, &Node)| match node.sight {
        Sight::Seen => node.tag == Tag::Noscript && !most(index),
        Sight::Later => !most(index),
        Sight::Hidden => true,
    };
    let mut hidden = tree.nodes.iter().enumerate().map(is_hidden).collect::<Vec<_>>();
    inherit(tree, &mut hidden);
    hidden
}

/// Counts what is left out, each part once.
fn count(tree: &Tree, weights: &Weights, is_out: impl Fn(usize) -> bool) -> Parts {
    let (mut parts, mut index) = (Parts::default(), 0);
    while let Some(node) = tree.get(index) {
        if !is_out(index) {
            index += 1;
            continue;
        }
        let characters = weights.of(index).text as usize;
        parts.parts += usize::from(characters > 0);
        parts.characters += characters;
        index = node.end as usize;
    }
    parts
}

/// What stands in something dropped is dropped with it, so that later passes need to look at one node alone.
fn inherit(tree: &Tree, dropped: &mut [bool]) {
    for (index, node) in tree.nodes.iter().enumerate().skip(1) {
        if dropped.get(node.parent as usize) == Some(&true) {
            mark(dropped, index);
        }
    }
}

fn mark(marks: &mut [bool], index: usize) {
    if let Some(mark) = marks.get_mut(index) {
        *mark = true;
    }
}

/// The node in which the content stands: what the page itself says, if that holds a good part of what is left.
fn root(tree: &Tree, kept: &Weights, dropped: &[bool]) -> usize {
    let weight = |index: usize| kept.of(index).text;
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

/// The innermost node that holds nearly all sentences of `root`; of an article fewer, since more stands around it.
fn descend(tree: &Tree, kept: &Weights, root: usize) -> usize {
    let all = kept.of(root).prose;
    if all < ENOUGH {
        return root;
    }
    let percent = if kept.column >= ARTICLE { 85 } else { 96 };
    let is_container = |index: usize| {
        let tag = tree.get(index).map(|node| node.tag);
        matches!(
            tag,
            Some(Tag::Block | Tag::Article | Tag::Main | Tag::Body | Tag::Inline | Tag::Form)
                | Some(Tag::Table | Tag::Row | Tag::RowGroup | Tag::Cell)
        )
    };
    let mut at = root;
    let holds_nearly_all = |index: &usize| {
        is_container(*index) && kept.of(*index).prose.saturating_mul(100) >= all.saturating_mul(percent)
    };
    while let Some(inner) = tree.children(at).find(holds_nearly_all) {
        at = inner;
    }
    at
}

/// The page's heading where the content does not begin with one of its own.
fn heading(survey: &Survey<'_>, root: usize) -> Option<usize> {
    let tree = survey.tree;
    let end = tree.get(root)?.end as usize;
    let mut before = 0_u32;
    for (index, node) in tree.nodes.iter().enumerate().take(end).skip(root) {
        match node.tag {
            Tag::Heading(1..=3) if before < LITTLE => return None,
            Tag::Heading(1) => return None,
            _ => before = before.saturating_add(survey.characters(index)),
        }
    }
    tree.nodes.get(..root)?.iter().rposition(|node| node.tag == Tag::Heading(1))
}

#[cfg(test)]
mod tests;
