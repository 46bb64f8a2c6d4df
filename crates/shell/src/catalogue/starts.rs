//! What stands before the command in the operands of programs that start one: one paragraph a program, as text.
//!
//! `[docker podman] exec|run = far before:1 -it -w=dir --workdir=dir`: the programs, the subcommand when there is one, what is said of it,
//! and the options as [`crate::options`] reads them. Without more, the operands are a program and its arguments.
//!
//! | word | means |
//! |---|---|
//! | `text` | the operands are joined with blanks and given to a shell |
//! | `texts` | each one is a text for a shell |
//! | `either` | text when there is one, words when there are more |
//! | `shell` | arguments of a shell |
//! | `typed` | typed into a terminal |
//! | `nothing` | they are no command |
//! | `nothing:-p` | with these options nothing is started |
//! | `unjoined:-x` | with these no shell reads the operands |
//! | `own:-o` | these do something beside starting the command |
//! | `passes` | the program adds nothing of its own |
//! | `far` | the command runs elsewhere |
//! | `any-order` | options may follow operands |
//! | `before:1` | so many operands before the command: a duration, a machine, a lock |
//! | `loose` | those may be missing |
//! | `again` | options may follow those |
//! | `assigns` | `NAME=value` may stand before the command |

mod far;
mod near;
mod nested;
mod rights;

use super::table::{Paragraph, paragraphs};
use crate::options::{Options, Order, Style};
use crate::unwrap::Outer;
use hashbrown::HashMap;
use std::sync::{LazyLock, OnceLock};

/// One program, or several that are written alike.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    /// The words of the subcommand that does, with `|` between those that mean the same; empty for a program without.
    pub(crate) path: &'static str,
    pub(crate) options: Options,
    pub(crate) order: Order,
    pub(crate) before: usize,
    pub(crate) loose: bool,
    pub(crate) again: bool,
    pub(crate) assigns: bool,
    pub(crate) far: bool,
    pub(crate) nothing: &'static str,
    pub(crate) own: &'static str,
    pub(crate) unjoined: &'static str,
    pub(crate) tail: Tail,
    pub(crate) outer: Outer,
}

/// What becomes of the operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tail {
    #[default]
    Words,
    Text,
    Texts,
    Either,
    Shell,
    Typed,
    Nothing,
}

/// What is said of one program, read when it is first asked for.
#[derive(Default)]
struct Said {
    paragraphs: Vec<Paragraph>,
    read: OnceLock<Vec<Starts>>,
}

static BY_NAME: LazyLock<HashMap<&'static str, Said>> = LazyLock::new(|| {
    let mut all: HashMap<&'static str, Said> = HashMap::new();
    for paragraph in every() {
        let (names, _) = names_and_path(paragraph.head).unwrap_or_default();
        names.split(' ').for_each(|name| all.entry(name).or_default().paragraphs.push(paragraph));
    }
    all
});

fn every() -> impl Iterator<Item = Paragraph> {
    [near::TABLE, rights::TABLE, far::TABLE, nested::TABLE].into_iter().flat_map(paragraphs)
}

fn names_and_path(head: &'static str) -> Option<(&'static str, &'static str)> {
    head.strip_prefix('[')?.split_once(']')
}

/// How a program starts what stands in its operands.
pub(crate) fn starts(name: &str) -> &'static [Starts] {
    // Loaders and emulators, whose names tell a machine.
    let begins = ["ld-linux", "ld-musl", "ld.so", "qemu-"].into_iter().find(|begin| name.starts_with(begin));
    let Some(said) = BY_NAME.get(begins.unwrap_or(name)) else { return &[] };
    said.read.get_or_init(|| said.paragraphs.iter().filter_map(Starts::read).collect())
}

/// Every program that starts a command without a subcommand.
#[cfg(test)]
pub(crate) fn wrappers() -> impl Iterator<Item = &'static str> {
    let heads = every().filter_map(|paragraph| names_and_path(paragraph.head));
    heads.filter(|(_, path)| path.is_empty()).flat_map(|(names, _)| names.split(' '))
}

impl Starts {
    fn read(paragraph: &Paragraph) -> Option<Self> {
        let (_, path) = names_and_path(paragraph.head)?;
        let words = paragraph.words();
        let mut row = Self { path: path.trim_start(), ..Self::default() };
        let (said, options) =
            words.split_at(words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len()));
        row.options = Options::new(options.iter().copied(), Style::Letters);
        for word in said {
            match word.split_once(':').unwrap_or((word, "")) {
                ("text", _) => row.tail = Tail::Text,
                ("texts", _) => row.tail = Tail::Texts,
                ("either", _) => row.tail = Tail::Either,
                ("shell", _) => row.tail = Tail::Shell,
                ("typed", _) => row.tail = Tail::Typed,
                ("nothing", "") => row.tail = Tail::Nothing,
                ("nothing", options) => row.nothing = options,
                ("unjoined", options) => row.unjoined = options,
                ("own", options) => row.own = options,
                ("passes", _) => row.outer = Outer::PassedThrough,
                ("far", _) => row.far = true,
                ("any-order", _) => row.order = Order::Anywhere,
                ("before", number) => row.before = number.parse().ok()?,
                ("loose", _) => row.loose = true,
                ("again", _) => row.again = true,
                ("assigns", _) => row.assigns = true,
                _ => return None,
            }
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_paragraph_is_understood() {
        for paragraph in super::every() {
            assert!(super::Starts::read(&paragraph).is_some(), "{}: {:?}", paragraph.head, paragraph.words());
        }
    }
}
