//! The nodes of a page, as one flat list in the order of the document: what stands in a node follows it, up to its `end`.
//! That makes every pass a loop, so no depth of nesting can overflow a stack, and a node costs 20 bytes.

use super::attributes::{Hint, Sight};
use super::tags::Tag;

/// An element or a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) tag: Tag,
    pub(super) hint: Hint,
    pub(super) sight: Sight,
    /// The node in which it stands; its own number at the root.
    pub(super) parent: u32,
    /// The node after the last one in it.
    pub(super) end: u32,
    /// Where its words stand: a text, an address, a language, alt text and address.
    pub(super) start: u32,
    pub(super) length: u32,
}

/// A page.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// What nodes say, one after the other.
    pub(super) words: Vec<u8>,
    pub(super) title: String,
    pub(super) base: String,
    /// Whether the page had more nodes than are read.
    pub(super) overfull: bool,
}

/// A node's number.
pub(super) const fn number(index: usize) -> u32 {
    // The builder stops long before.
    if index > u32::MAX as usize { u32::MAX } else { index as u32 }
}

impl Tree {
    /// What a node says.
    pub(super) fn words(&self, node: &Node) -> &str {
        let start = node.start as usize;
        let bytes = self.words.get(start..start + node.length as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)
    }

    /// The numbers of the nodes directly in a node.
    pub(super) fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.get(index).map_or(0, |node| node.end as usize);
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.get(child)?.end as usize;
            Some(child)
        })
    }
}
