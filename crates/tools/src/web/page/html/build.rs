//! Builds the tree from the tokenizer's events, with the few rules of HTML's nesting that matter for reading: what ends a
//! paragraph, an item, a cell. The full algorithm of browsers rebuilds formatting and moves nodes about, for which hostile
//! pages make it take minutes; a text in a wrong place is a small price. What is hidden is kept and marked as hidden: whether
//! that is a trick or a page before its scripts ran shows only when all of it is known.

use super::attributes::{Attributes, Hint, Sight};
use super::stream::Stream;
use super::tags::Tag;
use super::tree::{Node, Tree, number};
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, State, Tokenizer, naive_next_state};
use std::convert::Infallible;

/// Open elements at most; deeper ones lose their own meaning, not their text.
const DEPTH: usize = 256;
/// Nodes at most: some 5 MB.
const NODES: usize = 250_000;
/// Bytes of a title.
const TITLE: usize = 1200;

/// An element whose end was not seen yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    tag: Tag,
    node: u32,
    /// Whether its text is no text of the page, so that it has no node; `node` is the one around it.
    silent: bool,
    name: [u8; 8],
}

/// Receives the tokenizer's events.
#[derive(Debug, Default)]
struct Builder {
    tree: Tree,
    stream: Stream,
    open: Vec<Open>,
    /// Elements that were not opened because of [`DEPTH`], and whose end tags are therefore not meant for others.
    skipped: usize,
    name: Vec<u8>,
    /// The attribute whose value may follow.
    attribute: Vec<u8>,
    attributes: Attributes,
    self_closing: bool,
    /// How the tokenizer reads on after the start tag.
    next: Option<State>,
    in_title: bool,
    after_pre: bool,
}

impl Builder {
    /// Begins with the element that every page has, written or not.
    fn new() -> Self {
        let mut builder = Self::default();
        if let Some(node) = builder.push(Tag::Html, Hint::None, b"") {
            builder.open.push(Open { tag: Tag::Html, node, silent: false, name: *b"html\0\0\0\0" });
        }
        builder
    }

    /// The tree, with every element ended.
    fn finish(mut self) -> Tree {
        self.close_to(0);
        self.stream.put_in_place(&mut self.tree);
        self.tree
    }

    fn silent(&self) -> bool {
        self.open.last().is_some_and(|open| open.silent)
    }

    fn push(&mut self, tag: Tag, hint: Hint, words: &[u8]) -> Option<u32> {
        if self.tree.nodes.len() >= NODES {
            self.tree.overfull = true;
            return None;
        }
        let index = number(self.tree.nodes.len());
        let parent = self.open.last().map_or(index, |open| open.node);
        let start = number(self.tree.words.len());
        self.tree.words.extend_from_slice(words);
        let length = number(words.len());
        let sight = Sight::Seen;
        self.tree.nodes.push(Node { tag, hint, sight, parent, end: index + 1, start, length });
        Some(index)
    }

    fn text(&mut self, text: &[u8]) {
        if self.in_title {
            let room = TITLE.saturating_sub(self.tree.title.len());
            let part = text.get(..room.min(text.len())).unwrap_or_default();
            self.tree.title.push_str(String::from_utf8_lossy(part).trim_end_matches('\u{fffd}'));
            return;
        }
        if self.silent() {
            if self.open.last().is_some_and(|open| open.name == *b"script\0\0") {
                self.stream.script(text);
            }
            return;
        }
        if text.is_empty() {
            return;
        }
        let mut text = text;
        if std::mem::take(&mut self.after_pre) {
            text = text.strip_prefix(b"\n").unwrap_or(text);
        }
        let parent = self.open.last().map(|open| open.node);
        let index = self.tree.nodes.len();
        if let Some(last) = self.tree.nodes.last_mut() {
            // The tokenizer hands a text over in parts.
            if last.tag == Tag::Text && Some(last.parent) == parent && last.end as usize == index {
                self.tree.words.extend_from_slice(text);
                last.length = last.length.saturating_add(number(text.len()));
                return;
            }
        }
        let blank = text.iter().all(u8::is_ascii_whitespace);
        if blank
            && self.open.last().is_none_or(|open| matches!(open.tag, Tag::Head | Tag::Table | Tag::Row | Tag::RowGroup))
        {
            return;
        }
        if !blank && self.open.last().is_some_and(|open| open.tag == Tag::Head) {
            self.close_to(self.open.len() - 1);
        }
        self.push(Tag::Text, Hint::None, text);
    }

    /// Ends every element from position `keep` of the stack on.
    fn close_to(&mut self, keep: usize) {
        let end = number(self.tree.nodes.len());
        for open in self.open.drain(keep..) {
            if let (false, Some(node)) = (open.silent, self.tree.nodes.get_mut(open.node as usize)) {
                node.end = end;
            }
        }
    }

    /// Ends the innermost open element that `wanted` names, unless one that `stops` names is met before.
    fn close_innermost(&mut self, wanted: impl Fn(Tag) -> bool, stops: impl Fn(Tag) -> bool) {
        for (at, open) in self.open.iter().enumerate().rev() {
            if wanted(open.tag) {
                return self.close_to(at);
            }
            if stops(open.tag) {
                return;
            }
        }
    }

    /// Ends what a start tag ends without saying so.
    fn imply_ends(&mut self, tag: Tag) {
        let boundary = |open: Tag| open.is_boundary();
        let list = |open: Tag| open.is_boundary() || matches!(open, Tag::Numbered | Tag::Bulleted | Tag::Block);
        let table = |open: Tag| matches!(open, Tag::Table | Tag::Silent);
        match tag {
            Tag::Item => self.close_innermost(|open| open == Tag::Item, list),
            Tag::Term | Tag::Definition => {
                self.close_innermost(|open| matches!(open, Tag::Term | Tag::Definition), list);
            }
            Tag::Cell | Tag::HeadCell => {
                self.close_innermost(|open| matches!(open, Tag::Cell | Tag::HeadCell | Tag::Caption), table);
            }
            Tag::Row => self.close_innermost(|open| matches!(open, Tag::Row | Tag::Caption), table),
            Tag::RowGroup => self.close_innermost(|open| matches!(open, Tag::RowGroup | Tag::Caption), table),
            Tag::Heading(_) => self.close_innermost(|open| matches!(open, Tag::Heading(_)), |open| open.is_block()),
            Tag::Anchor => self.close_innermost(|open| open == Tag::Anchor, |open| open.is_block()),
            _ => {}
        }
        if tag.ends_paragraph() {
            self.close_innermost(|open| open == Tag::Paragraph, boundary);
        }
        if !matches!(tag, Tag::Head | Tag::Title | Tag::Base | Tag::Void | Tag::Silent | Tag::Noscript | Tag::Html) {
            let head = self.open.iter().position(|open| open.tag == Tag::Head);
            if let Some(at) = head.filter(|at| *at < 4) {
                self.close_to(at);
            }
        }
    }

    fn start(&mut self) {
        let tag = match Tag::of(&self.name) {
            // The browser shows it as the content of the element that it stands in.
            Tag::Silent if self.attributes.is_shadow_root => Tag::Block,
            tag => tag,
        };
        match tag {
            Tag::Title if self.tree.title.is_empty() && !self.silent() => return self.in_title = true,
            Tag::Base => {
                if self.tree.base.is_empty() {
                    self.tree.base.push_str(&self.attributes.href);
                }
                return;
            }
            Tag::Html | Tag::Body if self.open.iter().take(4).any(|open| open.tag == tag) => return,
            Tag::Silent if self.self_closing => return,
            _ => {}
        }
        self.imply_ends(tag);
        let silent = self.silent() || matches!(tag, Tag::Silent | Tag::Title);
        if tag.is_void() {
            if !silent && self.attributes.sight(&self.name) == Sight::Seen {
                self.push_void(tag);
            }
        } else if self.open.len() >= DEPTH {
            self.skipped += 1;
            if tag.is_block() && !silent {
                self.push(Tag::Break, Hint::None, b"");
            }
        } else if silent {
            if self.name == b"template" && !self.silent() && Stream::is_place(&self.attributes.id) {
                let place = self.push(Tag::Block, Hint::None, b"");
                self.stream.place(&self.attributes.id, place);
            }
            let node = self.open.last().map_or(0, |open| open.node);
            self.open.push(Open { tag, node, silent: true, name: self.short_name() });
        } else {
            self.push_element(tag);
        }
    }

    fn push_void(&mut self, tag: Tag) {
        let attributes = std::mem::take(&mut self.attributes);
        match tag {
            Tag::Image => {
                let lazy = attributes.source.is_empty() || attributes.source.starts_with("data:");
                let source = if lazy { &attributes.lazy_source } else { &attributes.source };
                let words = format!("{}\0{source}", attributes.alt);
                self.push(tag, Hint::None, words.as_bytes());
            }
            Tag::Break | Tag::Rule => {
                self.push(tag, Hint::None, b"");
            }
            _ => {}
        }
        self.attributes = attributes;
    }

    fn push_element(&mut self, tag: Tag) {
        let attributes = std::mem::take(&mut self.attributes);
        let words = match tag {
            Tag::Anchor => attributes.href.as_str(),
            Tag::Numbered => attributes.start.as_str(),
            Tag::Preformatted | Tag::Code | Tag::Block => attributes.code_language().unwrap_or_default(),
            _ => "",
        };
        let hint = match tag {
            Tag::Main => Hint::Main,
            Tag::Nav | Tag::Aside | Tag::Footer => Hint::Frame,
            Tag::Header | Tag::Form if attributes.hint() == Hint::None => Hint::FrameOfLinks,
            Tag::Html | Tag::Body => Hint::None,
            _ => attributes.hint(),
        };
        // A page that hides itself does so until its script has run.
        let sight = if tag == Tag::Body { Sight::Seen } else { attributes.sight(&self.name) };
        if let Some(node) = self.push(tag, hint, words.as_bytes()) {
            if sight != Sight::Seen
                && !self.stream.segment(&attributes.id, node)
                && let Some(hidden) = self.tree.nodes.last_mut()
            {
                hidden.sight = sight;
            }
            self.open.push(Open { tag, node, silent: false, name: self.short_name() });
        }
        self.after_pre = tag == Tag::Preformatted;
        self.attributes = attributes;
    }

    fn end(&mut self) {
        let tag = Tag::of(&self.name);
        match tag {
            Tag::Title if std::mem::take(&mut self.in_title) => return,
            Tag::Html | Tag::Body => return,
            Tag::Break => {
                if !self.silent() {
                    self.push(Tag::Break, Hint::None, b"");
                }
                return;
            }
            _ if tag.is_void() => return,
            _ => {}
        }
        let name = self.short_name();
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let same = |open: &Open| open.tag == tag && open.name == name;
        let any_heading = |open: &Open| matches!((open.tag, tag), (Tag::Heading(_), Tag::Heading(_)));
        for (at, open) in self.open.iter().enumerate().rev() {
            if same(open) || any_heading(open) {
                return self.close_to(at);
            }
            let table_part = matches!(tag, Tag::Table | Tag::Row | Tag::RowGroup | Tag::Cell | Tag::HeadCell);
            let stops = match open.tag {
                Tag::Table => true,
                boundary if boundary.is_boundary() => !table_part,
                block => tag.is_inline() && block.is_block(),
            };
            if stops {
                return;
            }
        }
    }

    fn short_name(&self) -> [u8; 8] {
        let mut short = [0; 8];
        for (to, from) in short.iter_mut().zip(&self.name) {
            *to = *from;
        }
        short
    }

    /// Takes the attribute whose name was read.
    fn end_attribute(&mut self, value: &[u8]) {
        self.attributes.set(&self.attribute, value);
        self.attribute.clear();
    }

    fn begin(&mut self, name: &[u8]) {
        self.name.clear();
        self.name.extend_from_slice(name);
        self.attribute.clear();
        self.attributes.clear();
    }
}

impl Callback<Infallible, ()> for Builder {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::String { value } => self.text(value),
            CallbackEvent::OpenStartTag { name } => self.begin(name),
            CallbackEvent::AttributeName { name } => {
                self.end_attribute(b"");
                self.attribute.extend_from_slice(name);
            }
            CallbackEvent::AttributeValue { value } => self.end_attribute(value),
            CallbackEvent::CloseStartTag { self_closing } => {
                self.end_attribute(b"");
                self.after_pre = false;
                self.self_closing = self_closing;
                self.start();
                self.next = match self.name.as_slice() {
                    b"noscript" => None,
                    b"noframes" => Some(State::RawText),
                    name => naive_next_state(name),
                };
            }
            CallbackEvent::EndTag { name } => {
                self.begin(name);
                self.after_pre = false;
                self.end();
            }
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }
}

/// The tokenizer's events, gathered into names and values by the library; how to read on is decided here.
struct Events(CallbackEmitter<Builder>);

impl ForwardingEmitter for &mut Events {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.0
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        // ignored: it says nothing, since it is not asked to.
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().next.take()
    }
}

/// The tree of a page.
pub(super) fn tree(source: &str) -> Tree {
    let mut events = Events(CallbackEmitter::new(Builder::new()));
    let Ok(()) = Tokenizer::new_with_emitter(source, &mut events).finish();
    std::mem::take(events.0.callback_mut()).finish()
}

#[cfg(test)]
mod tests;
