//! How much each node says, with everything in it. Texts are counted once; a weighing is a few passes over numbers, since
//! every choice weighs anew what the choices before it left.

use super::super::tags::Tag;
use super::super::tree::{Tree, number};

/// Characters from which on a block's own text is more than a label.
const SENTENCE: u32 = 50;
/// Characters from which on it is a paragraph of running text.
const PARAGRAPH: u32 = 80;

/// What weighing needs to know of a page.
pub(super) struct Survey<'t> {
    pub(super) tree: &'t Tree,
    /// Characters of each text that are not blanks.
    characters: Vec<u32>,
    /// The block in which each node stands.
    block: Vec<u32>,
    in_link: Vec<bool>,
}

/// What is counted for a node, in characters that are not blanks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    pub(super) text: u32,
    /// Those of them that stand in links.
    pub(super) linked: u32,
    /// Those in sentences, code and tables, and not in links.
    pub(super) prose: u32,
}

/// The weight of every node.
pub(super) struct Weights {
    nodes: Vec<Weight>,
    /// Characters of the longest run of paragraphs beside each other: an article has one, a list of teasers has none.
    pub(super) column: u32,
}

impl Weights {
    pub(super) fn of(&self, index: usize) -> Weight {
        self.nodes.get(index).copied().unwrap_or_default()
    }

    /// Everything.
    pub(super) fn all(&self) -> Weight {
        self.of(0)
    }

    /// Sentences outside of a node.
    pub(super) fn prose_outside(&self, index: usize) -> u32 {
        self.all().prose.saturating_sub(self.of(index).prose)
    }
}

impl<'t> Survey<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let count = tree.nodes.len();
        let mut survey = Self {
            tree,
            characters: Vec::with_capacity(count),
            block: Vec::with_capacity(count),
            in_link: Vec::with_capacity(count),
        };
        for (index, node) in tree.nodes.iter().enumerate() {
            let parent = node.parent as usize;
            let block = if node.tag.is_block() { None } else { survey.block.get(parent).copied() };
            let in_link = node.tag == Tag::Anchor || survey.in_link.get(parent) == Some(&true);
            survey.characters.push(if node.tag == Tag::Text { visible(tree.words(node)) } else { 0 });
            survey.block.push(block.unwrap_or(number(index)));
            survey.in_link.push(in_link);
        }
        survey
    }

    /// Characters of a text.
    pub(super) fn characters(&self, index: usize) -> u32 {
        self.characters.get(index).copied().unwrap_or(0)
    }

    /// Weighs every node, without what is `dropped`.
    pub(super) fn weigh(&self, dropped: &[bool]) -> Weights {
        let count = self.tree.nodes.len();
        let kept = |index: usize| dropped.get(index) != Some(&true);
        let mut own = vec![0_u32; count];
        for (index, block) in self.block.iter().enumerate() {
            if kept(index) && self.in_link.get(index) == Some(&false) {
                add(&mut own, *block as usize, self.characters(index));
            }
        }
        let mut nodes = vec![Weight::default(); count];
        let mut columns = vec![0_u32; count];
        // From the end, in which everything comes before what it stands in.
        for (index, node) in self.tree.nodes.iter().enumerate().rev() {
            let own = own.get(index).copied().unwrap_or(0);
            let Some(weight) = nodes.get_mut(index) else { continue };
            match node.tag {
                Tag::Text if kept(index) => weight.text = self.characters(index),
                Tag::Anchor => weight.linked = weight.text,
                Tag::Preformatted | Tag::Cell | Tag::HeadCell | Tag::Term | Tag::Definition => {
                    weight.prose = weight.prose.saturating_add(own);
                }
                _ if own >= SENTENCE => weight.prose = weight.prose.saturating_add(own),
                _ => {}
            }
            let (weight, parent) = (*weight, node.parent as usize);
            if index == 0 {
                continue;
            }
            if let Some(parent) = nodes.get_mut(parent) {
                parent.text = parent.text.saturating_add(weight.text);
                parent.linked = parent.linked.saturating_add(weight.linked);
                parent.prose = parent.prose.saturating_add(weight.prose);
            }
            if own >= PARAGRAPH && matches!(node.tag, Tag::Paragraph | Tag::Blockquote | Tag::Block) {
                add(&mut columns, parent, own);
            }
        }
        Weights { nodes, column: columns.into_iter().max().unwrap_or(0) }
    }
}

fn add(numbers: &mut [u32], index: usize, more: u32) {
    if let Some(number) = numbers.get_mut(index) {
        *number = number.saturating_add(more);
    }
}

fn visible(text: &str) -> u32 {
    // Bytes that begin a character and are no blanks: nearly the same as characters, and a tenth of the time.
    let count = text.bytes().filter(|byte| *byte > b' ' && (*byte & 0xc0) != 0x80).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}
