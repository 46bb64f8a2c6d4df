//! One glob of a rule, asked in two ways: whether it surely covers a path, and whether it could touch it.
//!
//! What allows must be sure: names are compared letter by letter. What refuses takes names as the most forgiving file system
//! would, covers all below a folder that it names, and touches the folders above what it names when they would go as a whole.

use crate::paths::{folded_path, folded_text};
use globset::{Glob, GlobBuilder, GlobMatcher};
use palanca_core::call::{CanonicalPath, Root};
use std::sync::OnceLock;

/// A path below one root, ready to be compared often.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    root: Root,
    /// None for a name that is no text.
    exact: Option<String>,
    folded: String,
}

impl Spot {
    pub(super) fn of(path: &CanonicalPath) -> Self {
        let exact = path.relative().to_str().map(str::to_owned);
        let folded = folded_path(path.relative().as_os_str().as_encoded_bytes());
        Self { root: path.root(), exact, folded }
    }

    /// A path of the workspace, as `src/main.rs`; empty for the workspace itself.
    pub(super) fn in_workspace(relative: &str) -> Self {
        Self { root: Root::Workspace, exact: Some(relative.to_owned()), folded: folded_path(relative.as_bytes()) }
    }

    /// The first name of the path, letter by letter and folded; none for the root itself.
    pub(super) fn first_names(&self) -> Option<impl Iterator<Item = &str>> {
        let exact = self.exact.as_deref().map(first_name);
        (!self.folded.is_empty()).then(|| std::iter::once(first_name(&self.folded)).chain(exact))
    }
}

/// One glob from the workspace's root. `*` and `?` stay within a name, `**` stands for any folders.
#[derive(Clone, Debug)]
pub(super) struct PathGlob {
    root: Root,
    /// Characters that every path begins with, up to the first wildcard.
    begins: String,
    /// Characters that every path ends with, after the last wildcard.
    ends: String,
    pattern: Pattern,
    tree: bool,
    folded: Folded,
}

/// The same, folded.
#[derive(Clone, Debug)]
struct Folded {
    begins: String,
    /// The folders that it surely lies in, or the path itself where there is no wildcard.
    base: String,
    pattern: Pattern,
    below: Pattern,
    components: Vec<Option<Pattern>>,
}

/// What a glob says, compiled when the first path is compared that its letters alone do not decide.
#[derive(Clone, Debug)]
enum Pattern {
    /// Without a wildcard.
    Path(String),
    /// Everything below a folder: its name with a `/`.
    Below(String),
    Glob(Glob, OnceLock<GlobMatcher>),
}

impl Pattern {
    /// # Errors
    /// What is wrong, and what to write instead.
    fn new(text: &str) -> Result<Self, String> {
        let glob = GlobBuilder::new(text).literal_separator(true).backslash_escape(true).build();
        let glob = glob.map_err(|error| format!("{}; write one such as \"docs/**\"", error.kind()))?;
        let is_plain = |text: &str| !text.contains(WILD);
        Ok(match text.strip_suffix("**") {
            _ if is_plain(text) => Self::Path(text.to_owned()),
            Some(folder) if folder.ends_with('/') && is_plain(folder) => Self::Below(folder.to_owned()),
            _ => Self::Glob(glob, OnceLock::new()),
        })
    }

    fn is_match(&self, path: &str) -> bool {
        match self {
            Self::Path(own) => path == own,
            Self::Below(folder) => path.starts_with(folder),
            Self::Glob(glob, matcher) => matcher.get_or_init(|| glob.compile_matcher()).is_match(path),
        }
    }
}

const WILD: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

impl PathGlob {
    /// # Errors
    /// What is wrong, and what to write instead.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let (root, rest) = rooted(text);
        let rest = rest.strip_prefix("./").unwrap_or(rest);
        let rest = if rest == "." { "**" } else { rest };
        let pattern = rest.strip_suffix('/').map_or_else(|| rest.to_owned(), |folder| format!("{folder}/**"));
        if pattern.is_empty() {
            return Err("it names nothing; write \"**\" for the whole workspace".to_owned());
        }
        if pattern.starts_with(['/', '~']) || pattern.split('/').any(|part| part == "..") {
            return Err(
                "it leaves the workspace; write a path from the workspace's root, such as \"docs/**\"".to_owned()
            );
        }
        if pattern.split(['{', '}']).skip(1).step_by(2).any(|inside| inside.contains('/')) {
            return Err("'{…}' holds a '/'; write one glob for each folder".to_owned());
        }
        let lower = folded_text(&pattern);
        let literal = |text: &str| {
            text.find(WILD).map_or_else(|| text.to_owned(), |end| text.get(..end).unwrap_or_default().to_owned())
        };
        let begins = literal(&lower);
        let base = if begins == lower { &*begins } else { begins.rsplit_once('/').map_or("", |(folder, _)| folder) };
        let component = |part: &str| if part == "**" { Ok(None) } else { Pattern::new(part).map(Some) };
        Ok(Self {
            root,
            begins: literal(&pattern),
            ends: pattern
                .rfind(WILD)
                .map_or_else(String::new, |end| pattern.get(end + 1..).unwrap_or_default().to_owned()),
            pattern: Pattern::new(&pattern)?,
            tree: pattern == "**" || pattern.ends_with("/**"),
            folded: Folded {
                base: base.to_owned(),
                pattern: Pattern::new(&lower)?,
                below: Pattern::new(&format!("{lower}/**"))?,
                components: lower.split('/').map(component).collect::<Result<_, _>>()?,
                begins,
            },
        })
    }

    /// The first name of every path that it names, letter by letter and folded; none where a wildcard stands there.
    pub(super) fn first_names(&self) -> Option<impl Iterator<Item = &str>> {
        let is_known = self.begins.contains('/') || matches!(self.pattern, Pattern::Path(_));
        is_known.then(|| [&self.folded.begins, &self.begins].into_iter().map(|begins| first_name(begins)))
    }

    /// Whether exactly this path is named.
    pub(super) fn covers(&self, spot: &Spot) -> bool {
        let Some(path) = spot.exact.as_deref().filter(|_| self.root == spot.root) else { return false };
        path.starts_with(&self.begins) && path.ends_with(&self.ends) && self.pattern.is_match(path)
    }

    /// Whether everything below this folder is named.
    pub(super) fn covers_tree(&self, spot: &Spot) -> bool {
        let Some(path) = spot.exact.as_deref().filter(|_| self.root == spot.root && self.tree) else { return false };
        // A trailing `**` matches everything below, so one unused name stands for all.
        let below = if path.is_empty() { "\u{1}".to_owned() } else { format!("{path}/\u{1}") };
        self.pattern.is_match(&below)
    }

    /// Whether the path, or a folder that it lies in, is named in any spelling.
    pub(super) fn touches(&self, spot: &Spot) -> bool {
        let (path, own) = (&*spot.folded, &self.folded);
        self.root == spot.root
            && path.starts_with(&own.begins)
            && (own.pattern.is_match(path) || own.below.is_match(path))
    }

    /// As [`PathGlob::touches`], or what is named lies below this path for certain.
    pub(super) fn touches_whole(&self, spot: &Spot) -> bool {
        let above = || spot.folded.is_empty() || within(&self.folded.base, &spot.folded);
        self.touches(spot) || (self.root == spot.root && above())
    }

    /// As [`PathGlob::touches`], or what is named could lie below this folder.
    pub(super) fn touches_tree(&self, spot: &Spot) -> bool {
        self.touches(spot) || (self.root == spot.root && self.reaches_below(&spot.folded))
    }

    fn reaches_below(&self, folder: &str) -> bool {
        let mut own = self.folded.components.iter();
        for part in folder.split('/').filter(|part| !part.is_empty()) {
            match own.next() {
                // Anything from here on, at any depth.
                None | Some(None) => return true,
                Some(Some(name)) if name.is_match(part) => {}
                Some(Some(_)) => return false,
            }
        }
        true
    }
}

fn first_name(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// Whether one path is another or lies below it.
pub(super) fn within(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `root1:lib/**` is a glob of the first further root.
pub(super) fn rooted(text: &str) -> (Root, &str) {
    let found = text.strip_prefix("root").and_then(|rest| rest.split_once(':'));
    match found.and_then(|(number, rest)| Some((number.parse::<u16>().ok()?.checked_sub(1)?, rest))) {
        Some((number, rest)) => (Root::ReadOnly(number), rest),
        None => (Root::Workspace, text),
    }
}
