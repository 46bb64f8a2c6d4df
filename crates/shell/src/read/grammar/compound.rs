//! Groups, conditions, loops, functions.

use super::arithmetic::Until;
use super::tree::{Body, LoopKind, Node, Part, Word};
use super::word::Context;
use super::{Parser, is_meta};
use crate::read::limits::Within;
use std::rc::Rc;

impl Parser<'_, '_> {
    /// A compound command, when one starts here.
    pub(super) fn compound(&mut self) -> Within<Option<Node>> {
        let start = self.at;
        if self.byte(0) == Some(b'(') {
            if let Some(parts) = self.double_parentheses()? {
                return Ok(Some(Node::Arithmetic { parts, source: self.excerpt(start) }));
            }
            self.at += 1;
            return Ok(Some(Node::Subshell(self.closed(&[")"])?)));
        }
        let Some(keyword) = self.keyword() else { return Ok(None) };
        let node = match keyword {
            "{" => {
                self.at += 1;
                Node::Group(self.closed(&["}"])?)
            }
            "if" => self.condition()?,
            "while" => self.repeat(LoopKind::While)?,
            "until" => self.repeat(LoopKind::Until)?,
            "for" | "select" => self.each(keyword)?,
            "case" => self.case()?,
            "[[" => self.test(start)?,
            "function" => return self.function().map(Some),
            "coproc" => self.coprocess()?,
            _ => return Ok(None),
        };
        Ok(Some(node))
    }

    /// Takes a closing keyword, or notes that it is missing.
    fn expect(&mut self, word: &str) {
        if self.keyword() == Some(word) { self.close(word) } else { self.broken() }
    }

    /// Statements and the one token that closes them.
    pub(super) fn closed(&mut self, stops: &'static [&'static str]) -> Within<Body> {
        let body = self.body(stops)?;
        match stops {
            [")"] => self.close(")"),
            _ => self.expect(stops.first().copied().unwrap_or_default()),
        }
        Ok(body)
    }

    fn condition(&mut self) -> Within<Node> {
        self.at += "if".len();
        let mut arms = Vec::new();
        loop {
            let condition = self.closed(&["then"])?;
            let body = self.body(&["elif", "else", "fi"])?;
            arms.push((condition, body));
            if self.keyword() != Some("elif") {
                break;
            }
            self.budget.node(self.base)?;
            self.at += "elif".len();
        }
        let otherwise = if self.keyword() == Some("else") {
            self.at += "else".len();
            self.body(&["fi"])?
        } else {
            Vec::new()
        };
        self.expect("fi");
        Ok(Node::If { arms, otherwise })
    }

    fn repeat(&mut self, kind: LoopKind) -> Within<Node> {
        self.at += "while".len();
        let condition = self.closed(&["do"])?;
        let body = self.closed(&["done"])?;
        Ok(Node::Loop { kind, condition, body })
    }

    /// `do … done`, or the braces that bash takes in its place.
    fn loop_body(&mut self) -> Within<Body> {
        self.gap()?;
        if self.peek() == Some(';') {
            self.at += 1;
            self.gap()?;
        }
        match self.keyword() {
            Some("do") => {
                self.at += "do".len();
                self.closed(&["done"])
            }
            Some("{") => {
                self.at += 1;
                self.closed(&["}"])
            }
            _ => {
                self.broken();
                Ok(Vec::new())
            }
        }
    }

    fn each(&mut self, keyword: &str) -> Within<Node> {
        self.at += keyword.len();
        self.blanks();
        if self.starts("((") {
            self.at += 2;
            let mut head = Vec::new();
            loop {
                head.push(self.arithmetic(Until::Clause)?);
                if !self.take(";") {
                    break;
                }
            }
            self.close("))");
            return Ok(Node::ForArithmetic { head, body: self.loop_body()? });
        }
        let name = self.word(Context::Word)?;
        self.gap()?;
        let mut values = None;
        if self.keyword() == Some("in") {
            self.at += "in".len();
            let mut words = Vec::new();
            loop {
                self.blanks();
                if !self.at_word() {
                    break;
                }
                words.push(self.word(Context::Word)?);
            }
            values = Some(words);
        }
        let body = self.loop_body()?;
        Ok(Node::For { name: name.constant().unwrap_or_default().into_owned(), values, body })
    }

    fn case(&mut self) -> Within<Node> {
        self.at += "case".len();
        self.blanks();
        let word = self.word(Context::Word)?;
        self.gap()?;
        self.expect("in");
        let mut items = Vec::new();
        loop {
            self.gap()?;
            if self.peek().is_none() || self.keyword() == Some("esac") {
                break;
            }
            let start = self.at;
            self.take("(");
            let mut patterns = Vec::new();
            loop {
                self.blanks();
                patterns.push(self.word(Context::Pattern)?);
                self.blanks();
                if !self.take("|") {
                    break;
                }
            }
            self.close(")");
            let body = self.body(&[";;", "esac"])?;
            items.push((patterns, body));
            for end in [";;&", ";;", ";&"] {
                if self.take(end) {
                    break;
                }
            }
            if self.at == start {
                break;
            }
        }
        self.expect("esac");
        Ok(Node::Case { word, items })
    }

    fn test(&mut self, start: usize) -> Within<Node> {
        self.at += "[[".len();
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.gap()?;
            if self.take("]]") {
                break;
            }
            if let Some(operator) = ["&&", "||", "(", ")", "<", ">"].into_iter().find(|operator| self.starts(operator))
            {
                self.at += operator.len();
                words.push(Word { parts: vec![Part::Raw(operator.to_owned())] });
                continue;
            }
            if self.peek().is_none_or(is_meta) {
                self.broken();
                break;
            }
            let pattern = words.last().and_then(Word::bare) == Some("=~");
            words.push(self.word(if pattern { Context::Regex } else { Context::Pattern })?);
        }
        Ok(Node::Test { words, source: self.excerpt(start) })
    }

    fn function(&mut self) -> Within<Node> {
        self.at += "function".len();
        self.blanks();
        let name = self.word(Context::Word)?;
        self.blanks();
        if self.take("(") {
            self.blanks();
            self.close(")");
        }
        self.function_body(name.constant().unwrap_or_default().into_owned())
    }

    /// What follows `name()`.
    pub(super) fn function_body(&mut self, name: String) -> Within<Node> {
        self.gap()?;
        let body = self.command()?;
        if matches!(body, Node::Simple(_)) {
            self.broken();
        }
        Ok(Node::Function { name, body: Rc::new(body) })
    }

    fn coprocess(&mut self) -> Within<Node> {
        self.at += "coproc".len();
        self.blanks();
        let start = self.at;
        // A name stands before compound commands only.
        let length = super::name_length(self.rest());
        if length > 0 && self.keyword().is_none() {
            self.at += length;
            self.blanks();
            if self.byte(0) != Some(b'(') && self.keyword().is_none_or(|word| word == "!" || word == "in") {
                self.at = start;
            }
        }
        Ok(Node::Coprocess(Box::new(self.command()?)))
    }
}
