//! Lists, `&&` and `||`, pipelines.

use super::tree::{AndOr, Body, Link, Node, Place, Simple};
use super::{Parser, is_meta};
use crate::read::limits::Within;

/// Words that begin or end a compound command where a command may stand.
const KEYWORDS: [&str; 21] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "select", "then",
    "time", "until", "while", "{", "}", "in",
];
/// Those of them that end or continue one.
const CLOSERS: [&str; 8] = ["do", "done", "elif", "else", "esac", "fi", "then", "}"];

impl Parser<'_, '_> {
    /// Statements up to one of `stops`, which is left in place.
    pub(super) fn body(&mut self, stops: &'static [&'static str]) -> Within<Body> {
        self.waiting.push(stops);
        let body = self.statements(stops);
        self.waiting.pop();
        body
    }

    fn statements(&mut self, stops: &[&str]) -> Within<Body> {
        let mut body = Vec::new();
        loop {
            self.gap()?;
            let Some(next) = self.peek() else { return Ok(body) };
            if self.stops(stops) {
                return Ok(body);
            }
            let unexpected = if self.closes() {
                if self.waiting.iter().any(|outer| self.stops(outer)) {
                    return Ok(body);
                }
                self.keyword().map_or(1, str::len)
            } else {
                usize::from(matches!(next, ';' | '&' | '|') && !self.starts("&>"))
            };
            if unexpected > 0 {
                self.broken();
                self.at += unexpected;
                continue;
            }
            let before = self.at;
            body.push(self.and_or()?);
            self.separator();
            if self.at == before {
                self.broken();
                self.bump();
            }
        }
    }

    /// Takes one `;`; anything else that may follow a statement is left.
    fn separator(&mut self) {
        self.blanks();
        match self.peek() {
            None | Some('\n' | ')') => {}
            Some(';') => self.at += usize::from(!self.starts(";;") && !self.starts(";&")),
            Some(_) if self.slice(0).trim_end().ends_with('&') => {}
            Some(_) => self.broken(),
        }
    }

    fn stops(&self, stops: &[&str]) -> bool {
        stops.iter().any(|stop| match *stop {
            ")" => self.byte(0) == Some(b')'),
            ";;" => self.starts(";;") || self.starts(";&"),
            word => self.keyword() == Some(word),
        })
    }

    /// Whether something here ends a construct, whichever.
    fn closes(&self) -> bool {
        self.byte(0) == Some(b')')
            || self.starts(";;")
            || self.starts(";&")
            || self.keyword().is_some_and(|word| CLOSERS.contains(&word))
    }

    /// The keyword that stands here.
    pub(super) fn keyword(&self) -> Option<&'static str> {
        let rest = self.text.as_bytes().get(self.at..)?;
        if !rest.first().is_some_and(|first| b"![cdefistuw{}".contains(first)) {
            return None;
        }
        let length = rest.iter().take(9).position(|byte| is_meta(char::from(*byte))).unwrap_or(rest.len());
        let token = rest.get(..length)?;
        KEYWORDS.into_iter().find(|word| word.as_bytes() == token)
    }

    fn and_or(&mut self) -> Within<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let link = if self.take("&&") {
                Link::And
            } else if self.take("||") {
                Link::Or
            } else {
                break;
            };
            self.gap()?;
            rest.push((link, self.pipeline()?));
        }
        let place = if self.peek() == Some('&') && !self.starts("&>") {
            self.at += 1;
            Place::Background
        } else {
            Place::Foreground
        };
        Ok(AndOr { first, rest, place })
    }

    fn pipeline(&mut self) -> Within<Node> {
        self.blanks();
        match self.keyword() {
            Some("!") => {
                self.at += 1;
                return self.nested(|parser| Ok(Node::Negated(Box::new(parser.pipeline()?))));
            }
            Some("time") if self.times() => return self.nested(Self::pipeline),
            _ => {}
        }
        let first = self.command()?;
        let mut stages = Vec::new();
        loop {
            self.blanks();
            if self.starts("||") || !(self.take("|&") || self.take("|")) {
                break;
            }
            self.gap()?;
            stages.push(self.command()?);
        }
        if stages.is_empty() {
            return Ok(first);
        }
        stages.insert(0, first);
        Ok(Node::Pipeline(stages))
    }

    /// Takes the keyword `time` and its `-p`. With any other option it is the program of that name.
    fn times(&mut self) -> bool {
        let start = self.at;
        self.at += "time".len();
        self.blanks();
        if self.starts("-p") && self.byte(2).is_none_or(|after| is_meta(char::from(after))) {
            self.at += 2;
            self.blanks();
        }
        let program = matches!(self.peek(), None | Some('\n' | ';' | '&' | '|' | ')' | '-'));
        if program {
            self.at = start;
        }
        !program
    }

    /// One command of any kind.
    pub(super) fn command(&mut self) -> Within<Node> {
        self.budget.node(self.base)?;
        self.blanks();
        self.nested(|parser| {
            if parser.closes() || matches!(parser.peek(), None | Some('\n' | ';' | '|')) {
                parser.broken();
                return Ok(Node::Simple(Box::<Simple>::default()));
            }
            match parser.compound()? {
                Some(node) => parser.redirected(node),
                None => parser.simple(),
            }
        })
    }
}
