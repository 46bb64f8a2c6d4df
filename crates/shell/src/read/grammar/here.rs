//! Here-documents: announced by `<<`, read at the end of the line.

use super::tree::{Part, Word};
use super::word::Context;
use super::{HOLE, Parser, with_holes};
use crate::read::limits::Within;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

/// A here-document whose body was not read yet.
pub(super) struct Pending {
    delimiter: String,
    quoted: bool,
    tabs_stripped: bool,
    body: Rc<OnceCell<Vec<Part>>>,
}

impl Pending {
    pub(super) fn new(delimiter: &Word, tabs_stripped: bool) -> Self {
        let quoted = !delimiter.parts.iter().all(|part| matches!(part, Part::Raw(_)));
        // An expansion means nothing in a delimiter; bash takes its characters. Such a text never ends here.
        let delimiter = delimiter.constant().map_or_else(|| HOLE.to_string(), Cow::into_owned);
        Self { delimiter, quoted, tabs_stripped, body: Rc::default() }
    }

    pub(super) fn body(&self) -> Rc<OnceCell<Vec<Part>>> {
        Rc::clone(&self.body)
    }
}

impl Parser<'_, '_> {
    /// Reads the bodies of every announced document, from here.
    pub(super) fn finish_documents(&mut self) -> Within<()> {
        for document in std::mem::take(&mut self.documents) {
            let mut body = String::new();
            let mut ended = false;
            while self.at < self.text.len() {
                let rest = self.rest();
                let end = rest.find('\n').unwrap_or(rest.len());
                let mut line = rest.get(..end).unwrap_or_default();
                if document.tabs_stripped {
                    line = line.trim_start_matches('\t');
                }
                let bare = line.trim_end_matches('\r');
                if bare == document.delimiter {
                    self.at += (end + 1).min(rest.len());
                    ended = true;
                    break;
                }
                // bash ends a document at the end of the substitution that it stands in, and warns.
                if self.waiting.len() > 1 && bare.strip_prefix(document.delimiter.as_str()) == Some(")") {
                    self.at += document.delimiter.len() + (end - line.len()).min(rest.len());
                    ended = true;
                    break;
                }
                self.at += (end + 1).min(rest.len());
                body.push_str(line);
                body.push('\n');
            }
            if !ended {
                self.broken();
            }
            let parts = if document.quoted {
                with_holes(&body)
            } else {
                let depth = self.depth;
                Parser::new(&body, depth, self.budget).parts(Context::Document)?
            };
            // It is set only here: the cell was made with this document.
            let _ = document.body.set(parts);
        }
        Ok(())
    }
}
