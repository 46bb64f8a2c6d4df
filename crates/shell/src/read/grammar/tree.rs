//! The syntax tree. It owns its texts, because back quotes and nested texts have no place in the outer one.

use crate::command::RedirectKind;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// Statements one after the other.
pub(in crate::read) type Body = Vec<AndOr>;

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(in crate::read) struct AndOr {
    pub(in crate::read) first: Node,
    pub(in crate::read) rest: Vec<(Link, Node)>,
    pub(in crate::read) place: Place,
}

/// What joins two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Link {
    And,
    Or,
}

/// Whether the shell waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Place {
    Foreground,
    Background,
}

/// One command of any kind.
#[derive(Debug)]
pub(in crate::read) enum Node {
    Simple(Box<Simple>),
    Pipeline(Vec<Node>),
    Negated(Box<Node>),
    Group(Body),
    Subshell(Body),
    If {
        arms: Vec<(Body, Body)>,
        otherwise: Body,
    },
    /// `while` and `until`.
    Loop {
        kind: LoopKind,
        condition: Body,
        body: Body,
    },
    /// `for` and `select`; without values it goes over the positional parameters.
    For {
        name: String,
        values: Option<Vec<Word>>,
        body: Body,
    },
    ForArithmetic {
        head: Vec<Vec<Part>>,
        body: Body,
    },
    Case {
        word: Word,
        items: Vec<(Vec<Word>, Body)>,
    },
    Function {
        name: String,
        body: Rc<Node>,
    },
    Coprocess(Box<Node>),
    /// `[[ … ]]`, its words and operators.
    Test {
        words: Vec<Word>,
        source: Arc<str>,
    },
    /// `(( … ))`.
    Arithmetic {
        parts: Vec<Part>,
        source: Arc<str>,
    },
    Redirected {
        node: Box<Node>,
        redirects: Vec<Redirect>,
        source: Arc<str>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum LoopKind {
    While,
    Until,
}

/// A simple command as written.
#[derive(Debug, Default)]
pub(in crate::read) struct Simple {
    pub(in crate::read) assignments: Vec<Assignment>,
    pub(in crate::read) words: Vec<Operand>,
    pub(in crate::read) redirects: Vec<Redirect>,
    pub(in crate::read) source: Arc<str>,
}

/// A word after the program: `declare` and its kin take assignments there.
#[derive(Debug)]
pub(in crate::read) enum Operand {
    Word(Word),
    Assignment(Assignment),
}

#[derive(Debug)]
pub(in crate::read) struct Assignment {
    pub(in crate::read) name: String,
    pub(in crate::read) index: Option<Vec<Part>>,
    pub(in crate::read) kind: AssignmentKind,
    pub(in crate::read) value: AssignedValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum AssignmentKind {
    Set,
    Append,
}

#[derive(Debug)]
pub(in crate::read) enum AssignedValue {
    Word(Word),
    /// Elements with their subscripts.
    Array(Vec<(Option<Vec<Part>>, Word)>),
}

#[derive(Debug)]
pub(in crate::read) struct Redirect {
    /// The descriptor as written: digits or a `{name}`.
    pub(in crate::read) descriptor: Option<String>,
    pub(in crate::read) kind: RedirectKind,
    pub(in crate::read) streams: Streams,
    pub(in crate::read) target: Target,
}

/// What a redirection takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Streams {
    One,
    /// `&>`, `&>>`
    Both,
    /// `<&`, `>&`: a descriptor, or a name.
    Copied,
}

#[derive(Debug)]
pub(in crate::read) enum Target {
    Word(Word),
    /// The body of a here-document; set when the line after it was read.
    Document(Rc<OnceCell<Vec<Part>>>),
    /// A here-string.
    Text(Word),
}

/// One word as written.
#[derive(Clone, Debug, Default)]
pub(in crate::read) struct Word {
    pub(in crate::read) parts: Vec<Part>,
}

/// A part of a word.
#[derive(Clone, Debug)]
pub(in crate::read) enum Part {
    /// Outside quotes: patterns, braces and `~` mean something.
    Raw(String),
    /// Quoted or escaped; empty for `''`.
    Quoted(String),
    /// Between double quotes.
    Double(Vec<Part>),
    Parameter(Rc<Parameter>),
    /// `$(…)`, back quotes.
    Command(Rc<Body>),
    /// `$((…))`, `$[…]`.
    Arithmetic(Rc<Vec<Part>>),
    /// `<(…)`, `>(…)`.
    Process(Direction, Rc<Body>),
    /// An extended pattern such as `@(a|b)`, as written.
    Pattern(String),
    /// Something unknown that the text around was made with; its number.
    Hole(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Direction {
    /// `<(…)`: its output is read.
    From,
    /// `>(…)`: it is written to.
    Into,
}

/// `$x`, `${x…}`.
#[derive(Debug)]
pub(in crate::read) struct Parameter {
    pub(in crate::read) name: String,
    pub(in crate::read) index: Option<Index>,
    pub(in crate::read) form: Form,
    pub(in crate::read) change: Change,
}

#[derive(Debug)]
pub(in crate::read) enum Index {
    /// `[@]`
    Each,
    /// `[*]`
    Joined,
    At(Vec<Part>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Form {
    /// `$x`
    Bare,
    /// `${x}`
    Plain,
    /// `${#x}`
    Length,
    /// `${!x}`
    Indirect,
    /// `${!x*}`
    Names,
    /// `${!a[@]}`
    Places,
}

/// What is done to the value.
#[derive(Debug)]
pub(in crate::read) enum Change {
    None,
    /// `-`, `=`, `+`, `?`, with or without a colon.
    Default {
        operator: char,
        empty: WhenEmpty,
        word: Word,
    },
    Edit(Edit),
    Slice {
        offset: Vec<Part>,
        length: Option<Vec<Part>>,
    },
    /// `@P` and its kin.
    Transform(char),
}

/// What takes a pattern.
#[derive(Debug, Default)]
pub(in crate::read) struct Edit {
    /// `#`, `%`, `/`, `^`, `,`, `~`
    pub(in crate::read) operator: char,
    pub(in crate::read) reach: Reach,
    pub(in crate::read) pattern: Word,
    /// What a replacement puts there, and the end that it is bound to: `#`, `%`.
    pub(in crate::read) with: Word,
    pub(in crate::read) anchor: Option<char>,
}

/// Whether an empty value counts as unset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum WhenEmpty {
    Unset,
    Set,
}

/// The shortest or the longest, the first or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::read) enum Reach {
    #[default]
    Short,
    Long,
}

impl Word {
    /// The characters, when none needs expansion; quotes do not count.
    pub(in crate::read) fn constant(&self) -> Option<Cow<'_, str>> {
        if let [Part::Raw(text) | Part::Quoted(text)] = self.parts.as_slice() {
            return Some(Cow::Borrowed(text));
        }
        let mut text = String::new();
        constant(&self.parts, &mut text).then_some(Cow::Owned(text))
    }

    /// The characters, when the word is written without any quote: keywords are known by this.
    pub(in crate::read) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Raw(text)] => Some(text),
            _ => None,
        }
    }
}

fn constant(parts: &[Part], text: &mut String) -> bool {
    parts.iter().all(|part| match part {
        Part::Raw(raw) | Part::Quoted(raw) => {
            text.push_str(raw);
            true
        }
        Part::Double(inner) => constant(inner, text),
        _ => false,
    })
}
