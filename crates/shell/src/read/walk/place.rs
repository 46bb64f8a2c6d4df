//! `cd` and its kin.

use super::Walker;
use crate::command::{Directory, Piece, Word};
use crate::read::limits::{Limit, Within};
use crate::read::state::{Entry, Key};
use crate::unwrap::folded;
use std::path::{Path, PathBuf};

/// The longest path of a directory, in bytes. Systems take four times as much, programs hardly ever need as much.
const LENGTH: usize = 1024;

impl Walker<'_> {
    /// Follows `cd`, `pushd` and `popd`.
    ///
    /// # Errors
    /// The directory lies deeper than any that exists.
    pub(super) fn change_directory(&mut self, name: &str, operands: &[Word]) -> Within<()> {
        let before = self.directories();
        let target = operands.iter().find(|word| !is_option(word));
        let after = match (name, target) {
            ("popd", _) => match self.state.get(&Key::Previous) {
                Some(Entry::Directories(all)) => all.clone(),
                _ => vec![Directory::Unknown],
            },
            ("pushd", None) | (_, Some(_)) if target.is_none_or(|word| word.literal() == Some("-")) => {
                match self.state.get(&Key::Previous) {
                    Some(Entry::Directories(all)) => all.clone(),
                    _ => vec![Directory::Unknown],
                }
            }
            (_, None) => vec![self.home_directory(None)],
            (_, Some(word)) => {
                // `CDPATH` may send a relative name elsewhere.
                let mut after: Vec<Directory> = Vec::new();
                for start in &before {
                    let next = self.entered(start, word);
                    if !after.contains(&next) {
                        after.push(next);
                    }
                }
                after
            }
        };
        for directory in &after {
            if let Directory::Known(path) = directory {
                let length = path.as_os_str().len();
                self.budget.copy(length * 4)?;
                if length > LENGTH {
                    return Err(Limit::Expansion);
                }
            }
        }
        self.state.set(Key::Previous, Entry::Directories(before));
        self.state.set(Key::Directory, Entry::Directories(after));
        Ok(())
    }

    fn home_directory(&self, user: Option<&str>) -> Directory {
        match (user, &self.surroundings.home) {
            (None, Some(home)) => Directory::Known(home.clone()),
            (Some("root"), _) => Directory::Known(PathBuf::from("/root")),
            (Some(user), _) => Directory::Known(Path::new("/home").join(user)),
            (None, None) => Directory::Unknown,
        }
    }

    /// Where `word` leads from a directory.
    pub(super) fn entered(&self, start: &Directory, word: &Word) -> Directory {
        let (base, rest) = match word.pieces.as_slice() {
            [] => return start.clone(),
            [Piece::Text(text)] => (start.clone(), text.as_str()),
            [Piece::Home(user)] => (self.home_directory(user.as_deref()), ""),
            [Piece::Home(user), Piece::Text(text)] => {
                (self.home_directory(user.as_deref()), text.trim_start_matches('/'))
            }
            _ => return Directory::Unknown,
        };
        if rest.starts_with('/') {
            return Directory::Known(folded(Path::new(rest)));
        }
        match base {
            Directory::Known(base) => Directory::Known(folded(&base.join(rest))),
            Directory::Unknown => Directory::Unknown,
        }
    }
}

fn is_option(word: &Word) -> bool {
    matches!(word.literal(), Some("-L" | "-P" | "-e" | "-@" | "-n" | "--" | "-LP" | "-PL"))
}
