//! Globs as models write them. Refuses every glob that could name something outside the directory it is applied to:
//! absolute ones and those with `..`, also when only one alternative of a brace does, or only after unescaping.
//!
//! The surprising decision: brackets are a character class *and* themselves, so that `app/[id]/*.tsx` finds what is in the
//! folder of that name without a lesson on character classes.

use super::Case;
use globset::{Candidate, ErrorKind, GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::Path;

/// Alternatives that braces may stand for; more is no pattern that a person would write.
const MOST_ALTERNATIVES: usize = 1_000;
/// Bytes of a pattern.
const LONGEST: usize = 4_096;

/// A glob that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// It is empty.
    #[error("the glob is empty")]
    Empty,
    /// It is absolute, starts at a home directory, or has `..`, at least in one alternative.
    #[error("glob {pattern}: leads out of the directory that is searched")]
    Outside {
        /// As given.
        pattern: String,
    },
    /// It does not parse.
    #[error("glob {pattern}: {reason}")]
    Invalid {
        /// As given.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
}

/// A compiled glob. `*` and `?` never match `/`; `**` does; `{a,b}`, `[a-z]`, `[!a]` and `\` work as in shells.
#[derive(Clone, Debug)]
pub struct Glob {
    text: String,
    set: GlobSet,
    subject: Subject,
}

/// What a glob is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// File names, in any directory.
    Name,
    /// Whole paths below the start.
    Path,
}

impl Glob {
    /// Reads a glob. One without `/` is held against names at any depth, one with `/` against paths below the start.
    /// A leading `./` means nothing.
    ///
    /// # Errors
    /// See [`GlobError`].
    pub fn new(pattern: &str, case: Case) -> Result<Self, GlobError> {
        check(pattern)?;
        let text = strip_here(pattern).trim_end_matches('/');
        if text.is_empty() {
            return Err(GlobError::Empty);
        }
        let subject = if text.contains('/') { Subject::Path } else { Subject::Name };
        Self::build(text, subject, case)
    }

    /// Reads a glob whose leading literal directories say where to start: `src/app/*.rs` is `*.rs` in `src/app`.
    /// Returns that directory, as given, and the rest, which then matches only below it. `..` and absolute paths are
    /// fine in the directory: they are judged when the path is located.
    ///
    /// # Errors
    /// See [`GlobError`]; the rest may not lead out.
    pub fn split(pattern: &str, case: Case) -> Result<(Option<&str>, Self), GlobError> {
        let mut cut = 0;
        for (at, byte) in pattern.bytes().enumerate() {
            match byte {
                b'/' => cut = at.saturating_add(1),
                b'*' | b'?' | b'[' | b'{' | b'\\' => break,
                _ => {}
            }
        }
        let (directory, rest) = pattern.split_at_checked(cut).unwrap_or(("", pattern));
        check(rest)?;
        let rest = rest.trim_end_matches('/');
        if rest.is_empty() {
            return Err(GlobError::Empty);
        }
        if strip_here(directory).is_empty() && !directory.starts_with('/') {
            return Ok((None, Self::new(rest, case)?));
        }
        let directory = if directory == "/" { directory } else { directory.trim_end_matches('/') };
        Ok((Some(directory), Self::build(rest, Subject::Path, case)?))
    }

    fn build(text: &str, subject: Subject, case: Case) -> Result<Self, GlobError> {
        let insensitive = match case {
            Case::Sensitive => false,
            Case::Insensitive => true,
            Case::Smart => !text.chars().any(char::is_uppercase),
        };
        let invalid =
            |error: globset::Error| GlobError::Invalid { pattern: text.to_owned(), reason: error.kind().to_string() };
        let glob = |text: &str| {
            GlobBuilder::new(text)
                .literal_separator(true)
                .backslash_escape(true)
                .empty_alternates(true)
                .case_insensitive(insensitive)
                .build()
        };
        // A set of one, where it can be: unlike a single matcher, it looks up plain names and extensions instead of running
        // a regex.
        let mut set = GlobSetBuilder::new();
        let named = text.contains('[');
        match glob(text) {
            Ok(glob) => _ = set.add(glob),
            Err(error) if named && matches!(error.kind(), ErrorKind::InvalidRange(..)) => {}
            Err(error) => return Err(invalid(error)),
        }
        if named {
            set.add(glob(&with_plain_brackets(text)).map_err(invalid)?);
        }
        let set = set.build().map_err(invalid)?;
        Ok(Self { text: text.to_owned(), set, subject })
    }

    /// Whether it matches this path, which is relative to the start.
    #[must_use]
    pub fn matches(&self, below: &Path) -> bool {
        let subject = match self.subject {
            Subject::Path => below,
            Subject::Name => below.file_name().map_or(below, Path::new),
        };
        self.set.is_match_candidate(&Candidate::new(subject)) || subject.as_os_str() == self.text.as_str()
    }

    /// Whether it can match something that is not directly in the start: it holds a `/` or a `**`.
    #[must_use]
    pub fn looks_below(&self) -> bool {
        self.text.contains('/') || self.text.contains("**")
    }

    /// As it is applied.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// The glob in which brackets stand for themselves.
fn with_plain_brackets(text: &str) -> String {
    let mut plain = String::with_capacity(text.len() + 8);
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => plain.extend([Some('\\'), chars.next()].into_iter().flatten()),
            '[' | ']' => plain.extend(['\\', char]),
            _ => plain.push(char),
        }
    }
    plain
}

fn strip_here(mut pattern: &str) -> &str {
    while let Some(rest) = pattern.strip_prefix("./") {
        pattern = rest.trim_start_matches('/');
    }
    pattern
}

/// Refuses what could name something outside.
fn check(pattern: &str) -> Result<(), GlobError> {
    if pattern.is_empty() {
        return Err(GlobError::Empty);
    }
    let invalid = |reason: &str| GlobError::Invalid { pattern: pattern.to_owned(), reason: reason.to_owned() };
    if pattern.len() > LONGEST {
        return Err(invalid("longer than 4,096 bytes"));
    }
    if pattern.contains('\0') {
        return Err(invalid("holds a NUL character"));
    }
    let alternatives = expand(pattern).ok_or_else(|| invalid("braces with more than 1,000 alternatives"))?;
    if alternatives.iter().any(|alternative| leads_out(alternative)) {
        return Err(GlobError::Outside { pattern: pattern.to_owned() });
    }
    Ok(())
}

fn leads_out(alternative: &str) -> bool {
    let home = alternative == "~" || alternative.starts_with("~/");
    home || alternative.starts_with('/') || alternative.split('/').any(|component| component == "..")
}

/// All strings that the braces stand for, unescaped, classes of one character resolved. `None` when there are too many.
/// Wildcards stay as they are: none of them can match `..`, because a walk never meets that name.
fn expand(pattern: &str) -> Option<Vec<String>> {
    // One frame an open brace: the finished alternatives, and what the current one has grown to.
    let mut outer: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    let mut finished: Vec<String> = Vec::new();
    let mut current = vec![String::new()];
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => append(&mut current, chars.next().unwrap_or('\\')),
            '[' => {
                let mut ahead = chars.clone();
                match (ahead.next(), ahead.next()) {
                    (Some(only), Some(']')) if only != '!' && only != '^' => {
                        append(&mut current, only);
                        chars = ahead;
                    }
                    _ => append(&mut current, '['),
                }
            }
            '{' => {
                outer.push((std::mem::take(&mut finished), current));
                current = vec![String::new()];
            }
            ',' if !outer.is_empty() => {
                finished.append(&mut current);
                current.push(String::new());
            }
            '}' if !outer.is_empty() => {
                finished.append(&mut current);
                let (before, grown) = outer.pop()?;
                let inner = std::mem::replace(&mut finished, before);
                if grown.len().checked_mul(inner.len())? > MOST_ALTERNATIVES {
                    return None;
                }
                current =
                    grown.iter().flat_map(|left| inner.iter().map(move |right| format!("{left}{right}"))).collect();
            }
            other => append(&mut current, other),
        }
        if finished.len().saturating_add(current.len()) > MOST_ALTERNATIVES {
            return None;
        }
    }
    // A brace that is never closed is for the glob parser to refuse; what it holds is looked at all the same.
    while let Some((before, grown)) = outer.pop() {
        finished.append(&mut current);
        finished.extend(before);
        current = grown;
    }
    finished.append(&mut current);
    Some(finished)
}

fn append(strings: &mut [String], char: char) {
    for string in strings {
        string.push(char);
    }
}

#[cfg(test)]
mod tests;
