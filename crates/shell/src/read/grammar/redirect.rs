//! Redirections.

use super::here::Pending;
use super::tree::{Node, Redirect, Streams, Target};
use super::word::Context;
use super::{Parser, name_length};
use crate::command::RedirectKind;
use crate::read::limits::Within;

/// Longest first.
const OPERATORS: [(&str, RedirectKind, Streams); 12] = [
    ("<<<", RedirectKind::Read, Streams::One),
    ("<<-", RedirectKind::Read, Streams::One),
    ("&>>", RedirectKind::Append, Streams::Both),
    ("<<", RedirectKind::Read, Streams::One),
    ("<&", RedirectKind::Read, Streams::Copied),
    ("<>", RedirectKind::ReadWrite, Streams::One),
    (">>", RedirectKind::Append, Streams::One),
    (">&", RedirectKind::Write, Streams::Copied),
    (">|", RedirectKind::Write, Streams::One),
    ("&>", RedirectKind::Write, Streams::Both),
    ("<", RedirectKind::Read, Streams::One),
    (">", RedirectKind::Write, Streams::One),
];

impl Parser<'_, '_> {
    /// A redirection, when one starts here.
    pub(super) fn redirect(&mut self) -> Within<Option<Redirect>> {
        let rest = self.rest();
        let length = descriptor_length(rest);
        let after = rest.get(length..).unwrap_or_default();
        if !after.starts_with(['<', '>', '&']) || (length > 0 && after.starts_with('&')) {
            return Ok(None);
        }
        let operator = OPERATORS.into_iter().find(|(token, ..)| after.starts_with(token));
        let Some((token, kind, streams)) = operator.filter(|_| !after.starts_with("<(") && !after.starts_with(">("))
        else {
            return Ok(None);
        };
        self.budget.node(self.base)?;
        let descriptor = (length > 0).then(|| rest.get(..length).unwrap_or_default().to_owned());
        self.at += length + token.len();
        self.blanks();
        if !self.at_word() {
            self.broken();
        }
        let target = match token {
            "<<<" => Target::Text(self.word(Context::Word)?),
            "<<" | "<<-" => {
                let delimiter = self.word(Context::Word)?;
                let pending = Pending::new(&delimiter, token == "<<-");
                let target = Target::Document(pending.body());
                self.documents.push(pending);
                target
            }
            _ => Target::Word(self.word(Context::Word)?),
        };
        Ok(Some(Redirect { descriptor, kind, streams, target }))
    }

    /// The redirections after a compound command.
    pub(super) fn redirected(&mut self, node: Node) -> Within<Node> {
        let start = self.at;
        let mut redirects = Vec::new();
        if matches!(node, Node::Function { .. } | Node::Coprocess(_)) {
            return Ok(node);
        }
        self.blanks();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
            self.blanks();
        }
        if redirects.is_empty() {
            return Ok(node);
        }
        Ok(Node::Redirected { node: Box::new(node), redirects, source: self.excerpt(start) })
    }
}

/// The length of `2` or `{name}` when a redirection may follow it.
fn descriptor_length(text: &str) -> usize {
    if let Some(inner) = text.strip_prefix('{') {
        let name = name_length(inner);
        let closed = inner.get(name..).is_some_and(|after| after.starts_with("}<") || after.starts_with("}>"));
        return if name > 0 && closed { name + 2 } else { 0 };
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if text.get(digits..).is_some_and(|after| after.starts_with(['<', '>'])) { digits } else { 0 }
}
