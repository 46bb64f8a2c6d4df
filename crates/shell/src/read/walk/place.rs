//! `cd` and its kin.

use super::Walker;
use crate::command::{Directory, Piece, UnknownKind, Word};
use crate::read::limits::{Limit, Within};
use crate::read::state::{Entry, Key, Reach, Value};
use crate::unwrap::words::{anything, moved};

/// The longest path of a directory, in bytes. Systems take four times as much, programs hardly ever need as much.
const LENGTH: usize = 1024;

impl Walker<'_> {
    /// Follows `cd`, `pushd` and `popd`. `CDPATH`, which may send a relative name elsewhere, is not.
    ///
    /// # Errors
    /// The directory lies deeper than any that exists.
    pub(super) fn change_directory(&mut self, name: &str, operands: &[Word]) -> Within<()> {
        let before = self.directories();
        let target = operands.iter().find(|word| !is_option(word));
        let back = match target {
            Some(word) => word.literal() == Some("-"),
            None => name == "pushd",
        };
        let targets = match target {
            _ if back || name == "popd" => self.held("OLDPWD"),
            None => vec![Value::Scalar(Word { pieces: vec![Piece::Home(None)] })],
            Some(word) => vec![Value::Scalar(word.clone())],
        };
        let mut after: Vec<Directory> = Vec::new();
        for start in &before {
            for target in &targets {
                let Value::Scalar(target) = target else { continue };
                let next = moved(start, target, self.surroundings.home.as_deref());
                if let Directory::Known(path) = &next {
                    let length = path.as_os_str().len();
                    self.budget.copy(length * 4)?;
                    if length > LENGTH {
                        return Err(Limit::Expansion);
                    }
                }
                if !after.contains(&next) {
                    after.push(next);
                }
            }
        }
        let previous = before.iter().map(|directory| match directory {
            Directory::Known(path) => Value::Scalar(Word::text(path.to_string_lossy())),
            Directory::Unknown => Value::Scalar(anything(UnknownKind::Variable("OLDPWD".to_owned()))),
        });
        self.state.assign("OLDPWD", previous.collect(), Reach::Exported);
        self.state.set(Key::Directory, Entry::Directories(after));
        Ok(())
    }
}

fn is_option(word: &Word) -> bool {
    matches!(word.literal(), Some("-L" | "-P" | "-e" | "-@" | "-n" | "--" | "-LP" | "-PL"))
}
