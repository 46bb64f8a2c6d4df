//! Puts streamed parts in place. A server that streams its page sends parts that come late at the end, hidden
//! (`<div hidden id="S:1">`), and a script that moves each to where it belongs (`<template id="B:0">`, `$RC("B:0","S:1")`).
//! React and what is built on it do so. No script runs here; the calls alone are read.

use super::tree::{Node, Tree, number};
use std::collections::HashMap;

/// Parts at most; further ones stay where they are.
const PARTS: usize = 10_000;
/// Bytes in which a call names both.
const CALL: usize = 200;

/// What is known of the parts while a page is read.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// Where parts belong.
    places: HashMap<String, u32>,
    segments: HashMap<String, u32>,
    /// Which segment goes to which place.
    moves: Vec<(String, String)>,
}

impl Stream {
    /// Whether an id names a place for a part: `B:` or `P:` and a number, perhaps behind a prefix.
    pub(super) fn is_place(id: &str) -> bool {
        is_numbered(id, "B:") || is_numbered(id, "P:")
    }

    pub(super) fn place(&mut self, id: &str, node: Option<u32>) {
        if let Some(node) = node.filter(|_| self.places.len() < PARTS) {
            self.places.insert(id.to_owned(), node);
        }
    }

    /// Whether a hidden element is a part that a script shows.
    pub(super) fn segment(&mut self, id: &str, node: u32) -> bool {
        let is_segment = is_numbered(id, "S:");
        if is_segment && self.segments.len() < PARTS {
            self.segments.insert(id.to_owned(), node);
        }
        is_segment
    }

    /// Reads the calls in a script: `$RC("B:0","S:0")`, `$RS("S:1","P:1")`.
    pub(super) fn script(&mut self, text: &[u8]) {
        for at in memchr::memmem::find_iter(text, b"$R") {
            let rest = text.get(at + 2..).unwrap_or_default();
            let rest = rest.get(..rest.len().min(CALL)).unwrap_or_default();
            let call = rest.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
            let mut ids = call.split('"').take(4).skip(1).step_by(2);
            let (Some(first), Some(second)) = (ids.next(), ids.next()) else { continue };
            if self.moves.len() < PARTS {
                let segment_first = is_numbered(first, "S:");
                let (place, segment) = if segment_first { (second, first) } else { (first, second) };
                self.moves.push((place.to_owned(), segment.to_owned()));
            }
        }
    }

    /// Moves every part to its place, in one pass.
    pub(super) fn put_in_place(self, tree: &mut Tree) {
        let mut segment_of = HashMap::new();
        let mut moved = HashMap::new();
        for (place, segment) in &self.moves {
            if let (Some(place), Some(segment)) = (self.places.get(place), self.segments.get(segment))
                && moved.insert(*segment, false).is_none()
            {
                segment_of.insert(*place, *segment);
            }
        }
        if segment_of.is_empty() {
            return;
        }
        let mut rebuilt = Vec::with_capacity(tree.nodes.len());
        copy(&tree.nodes, 0, &mut rebuilt, (&segment_of, &mut moved));
        // Parts whose places stand in each other are reached from nowhere.
        let mut left: Vec<u32> = moved.iter().filter(|(_, done)| !**done).map(|(segment, _)| *segment).collect();
        left.sort_unstable();
        for segment in left {
            if moved.insert(segment, true) == Some(false) {
                copy(&tree.nodes, segment, &mut rebuilt, (&segment_of, &mut moved));
            }
        }
        let end = number(rebuilt.len());
        if let Some(root) = rebuilt.first_mut() {
            root.end = end;
        }
        tree.nodes = rebuilt;
    }
}

/// Whether an id ends in `kind` and a hexadecimal number.
fn is_numbered(id: &str, kind: &str) -> bool {
    id.rsplit_once(kind).is_some_and(|(prefix, digits)| {
        prefix.len() <= 32 && (1..=8).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}

/// An element that is being copied.
struct Open {
    /// The end of what was there.
    end: u32,
    /// Its number in the copy.
    copy: u32,
    /// Where to go on when it is a part in its place.
    then: Option<u32>,
}

/// Copies a node with everything in it, parts at their places, each once.
fn copy(
    nodes: &[Node],
    root: u32,
    to: &mut Vec<Node>,
    (segment_of, done): (&HashMap<u32, u32>, &mut HashMap<u32, bool>),
) {
    let mut open: Vec<Open> = Vec::new();
    let mut at = root;
    loop {
        while let Some(ended) = open.pop_if(|open| open.end <= at) {
            let end = number(to.len());
            if let Some(node) = to.get_mut(ended.copy as usize) {
                node.end = end;
            }
            at = ended.then.unwrap_or(at);
        }
        let first = at == root;
        if !first && open.is_empty() {
            return;
        }
        if !first && done.contains_key(&at) {
            at = nodes.get(at as usize).map_or(u32::MAX, |node| node.end);
            continue;
        }
        let part = segment_of.get(&at).filter(|part| done.insert(**part, true) == Some(false));
        let from = part.copied().unwrap_or(at);
        let Some(node) = nodes.get(from as usize) else { return };
        let copy = number(to.len());
        let parent = open.last().map_or(0, |open| open.copy);
        to.push(Node { parent, ..*node });
        open.push(Open { end: node.end, copy, then: part.map(|_| at + 1) });
        at = from + 1;
    }
}

#[cfg(test)]
mod tests;
