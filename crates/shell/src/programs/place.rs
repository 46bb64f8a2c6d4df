//! Where a command stands and which names it may reach: inside the workspace, and not named like a secret.
//!
//! It never looks at the disk, so a link that leads outside is not seen here; the sandbox holds those.

use super::refusal::Refusal;
use crate::command::{Directory, Piece, Surroundings, Word, Workspace};
use crate::secret_names::SecretNames;
use std::path::{Component, Path, PathBuf};

/// The directory that relative names start from, and the tree that they may not leave.
#[derive(Clone, Debug)]
pub(super) struct Place {
    workspace: Workspace,
    directory: PathBuf,
    secrets: SecretNames,
}

impl Place {
    /// The place of a command.
    pub(super) fn of(directory: &Directory, surroundings: &Surroundings) -> Result<Self, Refusal> {
        let Directory::Known(directory) = directory else { return Err(Refusal::DirectoryUnknown) };
        let Surroundings { workspace, secrets, .. } = surroundings;
        let directory = workspace.real(directory.to_path_buf());
        if workspace.within(&directory).is_none() {
            return Err(Refusal::DirectoryOutside(directory.display().to_string()));
        }
        Ok(Self { workspace: workspace.clone(), directory, secrets: secrets.clone() })
    }

    /// The place after `-C word`.
    pub(super) fn enter(&self, word: &Word) -> Result<Self, Refusal> {
        let text = word.literal().ok_or_else(|| Refusal::UnknownWord(word.to_string()))?;
        let directory = self.resolve(text).ok_or_else(|| Refusal::Outside(text.to_owned()))?;
        Ok(Self { directory, ..self.clone() })
    }

    /// A name that is looked at but whose content is not shown: it must lie in the workspace.
    pub(super) fn names(&self, word: &Word) -> Result<(), Refusal> {
        self.locate(word).map(drop)
    }

    /// A file whose content may be shown: in the workspace, and not named like a secret.
    pub(super) fn reads(&self, word: &Word) -> Result<(), Refusal> {
        let Some(path) = self.locate(word)? else { return Ok(()) };
        let relative = self.workspace.within(&path).unwrap_or(&path);
        if self.secrets.is_secret(relative) || (word.has_glob() && aims_at_secret(relative, &self.secrets)) {
            return Err(Refusal::Secret(word.to_string()));
        }
        Ok(())
    }

    /// A revision or a file in one, as git writes it: `HEAD~2`, `main:src/a.rs`, `:(top)docs`, `-L 1,5:a.rs`.
    pub(super) fn reads_revision(&self, word: &Word) -> Result<(), Refusal> {
        self.reads(word)?;
        match word.to_string().rsplit_once([':', ')', '!', '^']) {
            Some((_, path)) if !path.is_empty() => self.reads(&Word::text(path)),
            _ => Ok(()),
        }
    }

    /// `None` for the null device.
    fn locate(&self, word: &Word) -> Result<Option<PathBuf>, Refusal> {
        let mut text = String::new();
        for piece in &word.pieces {
            match piece {
                Piece::Text(part) | Piece::Glob(part) => text.push_str(part),
                Piece::Home(_) => return Err(Refusal::Outside(word.to_string())),
                Piece::Unknown(_) => return Err(Refusal::UnknownWord(word.to_string())),
            }
        }
        if text == "/dev/null" {
            return Ok(None);
        }
        let climbs = word.has_glob() && text.split('/').any(|part| part.starts_with('.') && matches(part, ".."));
        let path = if climbs { None } else { self.resolve(&text) };
        path.map(Some).ok_or_else(|| Refusal::Outside(word.to_string()))
    }

    /// Absolute, with `.` and `..` folded by name; `None` outside the workspace. A way that leaves and comes back
    /// counts as outside: what lies there decides where it leads.
    fn resolve(&self, text: &str) -> Option<PathBuf> {
        let given = Path::new(text);
        let mut path = if given.is_absolute() { PathBuf::from("/") } else { self.directory.clone() };
        for part in given.components() {
            match part {
                Component::Normal(name) => path.push(name),
                Component::ParentDir => {
                    path.pop();
                    if !given.is_absolute() && self.workspace.within(&path).is_none() {
                        return None;
                    }
                }
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        self.workspace.within(&path).is_some().then(|| self.workspace.real(path))
    }
}

/// Whether a pattern is written towards a secret: what it keeps fixed already is one's name, or begins one, or hides
/// its first letter in a bracket. A wide pattern such as `*` or `*.json` is not: the sandbox hides what it meets.
fn aims_at_secret(relative: &Path, secrets: &SecretNames) -> bool {
    let filled = relative.to_string_lossy().replace(['*', '?'], "x");
    if secrets.is_secret(Path::new(&filled)) {
        return true;
    }
    let Some(last) = relative.file_name().map(|name| name.to_string_lossy().to_lowercase()) else { return false };
    let fixed = last.split(['*', '?', '[', '(']).next().unwrap_or_default();
    if fixed.is_empty() {
        return last.starts_with('[');
    }
    let names = secrets.examples();
    let from = names.partition_point(|name| name.as_str() < fixed);
    let begin = names.iter().skip(from).take_while(|name| name.starts_with(fixed));
    fixed.len() < last.len() && begin.into_iter().any(|name| matches(&last, name))
}

/// Whether a shell pattern may match a name. A bracket stands for any character and an extended pattern for anything:
/// the answer may be yes too often, never no too often.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    if pattern.contains('(') {
        return true;
    }
    let pattern: Vec<char> = simplified(pattern);
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(wanted) = name.get(in_name) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(have) if *have == '?' || have == wanted => {
                at += 1;
                in_name += 1;
            }
            _ => match star {
                Some((star_at, from)) => {
                    star = Some((star_at, from + 1));
                    at = star_at + 1;
                    in_name = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|left| *left == '*')
}

/// The pattern with every bracket as `?`.
fn simplified(pattern: &str) -> Vec<char> {
    let mut simple = Vec::new();
    let mut rest = pattern.chars();
    while let Some(next) = rest.next() {
        match next {
            '[' if rest.as_str().contains(']') => {
                // The first `]` may be a member: `[]a]`.
                let mut first = true;
                for member in rest.by_ref() {
                    if member == ']' && !first {
                        break;
                    }
                    first = matches!(member, '!' | '^') && first;
                }
                simple.push('?');
            }
            other => simple.push(other),
        }
    }
    simple
}
