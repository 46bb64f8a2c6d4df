//! Where a word points to, as far as the text tells, and whether that is a whole system or home directory.
//!
//! Paths are folded by name: no link is followed, so a link to `/` has to be kept in by the sandbox.

use super::pattern::{Token, could_be, is_all, literal, tokens};
use crate::command::{Command, Directory, Piece, Surroundings, Word};

/// An absolute place: one pattern for each name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) names: Vec<Vec<Token>>,
    /// The word begins with characters that are not known, read as none.
    guessed: bool,
}

/// How holes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holes {
    /// Those that may be empty are.
    Empty,
    /// They hold any name.
    Anything,
}

/// A whole that is never removed or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// `/`, a top-level directory, or one right below that a system cannot live without.
    System,
    /// A home directory.
    Home,
}

const TOP: &str = "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var Users \
    System Library Applications nix private";

const BELOW: [(&str, &[&str]); 4] = [
    ("usr", &["bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "local", "include"]),
    ("var", &["lib", "log", "spool", "mail"]),
    ("etc", &["pam.d", "systemd", "ssh", "ssl", "init.d", "security"]),
    ("boot", &["grub", "efi"]),
];

const HOMES: &str = "home Users";

/// Where `word` points to. `None`: that is not known.
pub(super) fn target(word: &Word, command: &Command, surroundings: &Surroundings, holes: Holes) -> Option<Target> {
    let all = tokens(word, surroundings);
    let leading = matches!(all.first(), Some(Token::Hole(_)));
    if leading && holes == Holes::Anything {
        return None;
    }
    let read: Vec<Token> = all
        .into_iter()
        .filter_map(|token| match (token, holes) {
            (Token::Hole(_), Holes::Anything) => Some(Token::Many),
            (Token::Hole(true), Holes::Empty) => None,
            (token, _) => Some(token),
        })
        .collect();
    match read.first()? {
        Token::Char('/') => Some(fold(Vec::new(), &read, leading)),
        Token::Hole(_) => None,
        _ => match &command.directory {
            Directory::Unknown => None,
            Directory::Known(path) => {
                let base = path.to_string_lossy();
                let names = base.split('/').filter(|name| !name.is_empty());
                Some(fold(names.map(|name| name.chars().map(Token::Char).collect()).collect(), &read, leading))
            }
        },
    }
}

fn fold(mut names: Vec<Vec<Token>>, path: &[Token], guessed: bool) -> Target {
    let mut climbs = false;
    for name in path.split(|token| *token == Token::Char('/')) {
        match name {
            [] | [Token::Char('.')] => {}
            [Token::Char('.'), Token::Char('.')] => {
                climbs = true;
                names.pop();
            }
            name => names.push(name.to_vec()),
        }
    }
    // `/proc/self/root` is `/` again.
    while let [first, _, third, ..] = names.as_slice()
        && literal(first).as_deref() == Some("proc")
        && literal(third).as_deref() == Some("root")
    {
        names.drain(..3);
    }
    // `$DIR/../lib` is the neighbour of an unknown folder far more often than it is `/lib`.
    if guessed && climbs && !names.is_empty() {
        names.push(vec![Token::Hole(false)]);
    }
    Target { names, guessed }
}

impl Target {
    /// What would be lost as a whole.
    pub(super) fn whole(&self, surroundings: &Surroundings) -> Option<Whole> {
        if let Some(home) = surroundings.home.as_deref().filter(|home| home.components().count() > 1) {
            let home = home.to_string_lossy();
            let home: Vec<&str> = home.split('/').filter(|name| !name.is_empty()).collect();
            if let Some(rest) = self.below(&home)
                && (rest.is_empty() || matches!(rest, [name] if is_all(name)))
            {
                return Some(Whole::Home);
            }
        }
        let top = |name: &[Token]| TOP.split(' ').any(|top| could_be(name, top));
        match self.names.as_slice() {
            [] => Some(Whole::System),
            [name] => (is_all(name) || top(name)).then_some(Whole::System),
            [first, second] if is_home_folder(first) => {
                let all = is_all(second) || !self.guessed;
                all.then_some(Whole::Home)
            }
            [first, second] => {
                let below = BELOW.iter().any(|(top, names)| {
                    could_be(first, top) && names.iter().any(|name| could_be(second, name)) && !self.guessed
                });
                ((top(first) && is_all(second)) || below).then_some(Whole::System)
            }
            [first, _, third] if is_home_folder(first) => is_all(third).then_some(Whole::Home),
            [first, second, third] => {
                let below = |(top, names): &(&str, &[&str])| {
                    could_be(first, top) && names.iter().any(|name| could_be(second, name))
                };
                (BELOW.iter().any(below) && is_all(third)).then_some(Whole::System)
            }
            _ => None,
        }
    }

    /// Whether this is `/` or a directory that holds the system itself: a change of its owner breaks it. Homes, mounts
    /// and places for local software are not.
    pub(super) fn is_system_root(&self) -> bool {
        const LOCAL: &str = "home root media mnt opt srv Users nix Applications";
        match self.names.as_slice() {
            [] => true,
            [name] | [name, _] if LOCAL.split(' ').any(|local| literal(name).as_deref() == Some(local)) => false,
            [name] => is_all(name) || TOP.split(' ').any(|top| could_be(name, top)),
            [name, rest] => is_all(rest) && TOP.split(' ').any(|top| could_be(name, top)),
            _ => false,
        }
    }

    /// The names after these, when the first ones could be these.
    pub(super) fn below(&self, names: &[&str]) -> Option<&[Vec<Token>]> {
        let (own, rest) = self.names.split_at_checked(names.len())?;
        own.iter().zip(names).all(|(own, name)| could_be(own, name)).then_some(rest)
    }

    /// Whether it could be exactly this path.
    pub(super) fn could_be(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        self.below(&names).is_some_and(<[_]>::is_empty)
    }
}

fn is_home_folder(name: &[Token]) -> bool {
    HOMES.split(' ').any(|home| could_be(name, home))
}

/// Whether the word may turn into an option: it begins with what is not known and may split.
pub(super) fn may_be_option(word: &Word) -> bool {
    match word.pieces.first() {
        Some(Piece::Unknown(unknown)) => unknown.splits && word.pieces.len() == 1,
        Some(Piece::Text(text)) => text.starts_with('-') && word.has_unknown(),
        _ => false,
    }
}
