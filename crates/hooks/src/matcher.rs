//! Which calls a hook applies to: the tool's whole name, and the files that the call touches.
//!
//! A matcher is a regular expression that must match the whole name. An invalid one (`*_file`), and one whose only
//! special characters are `*` and `?` (`write_*`), is a glob: as a regular expression the latter would have a useless
//! meaning.

use crate::settings::Fault;
use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;
use std::path::Path;

/// Characters that only a regular expression has.
const OF_REGEX: [char; 8] = ['(', ')', '|', '\\', '+', '^', '$', '.'];

/// A compiled test of tool names.
#[derive(Clone, Debug)]
pub struct Matcher(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Regex(Regex),
    Glob(GlobMatcher),
}

impl Matcher {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Why it is neither a regular expression nor a glob.
    pub fn new(pattern: &str) -> Result<Self, Fault> {
        let special = |character: char| !(character.is_ascii_alphanumeric() || "_-".contains(character));
        let simple = pattern.chars().all(|character| !special(character) || "*?".contains(character));
        if simple && pattern.contains(special) {
            return glob(pattern).map(|glob| Self(Kind::Glob(glob)));
        }
        // Compiled alone first: `a)(b` would be valid inside our parentheses.
        match Regex::new(pattern).and_then(|_| Regex::new(&format!("^(?:{pattern})$"))) {
            Ok(regex) => Ok(Self(Kind::Regex(regex))),
            Err(error) if pattern.contains(OF_REGEX) => Err(Fault::NoRegex { detail: last_line(&error) }),
            Err(_) => glob(pattern).map(|glob| Self(Kind::Glob(glob))),
        }
    }

    /// Whether the whole name matches.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        match &self.0 {
            Kind::Regex(regex) => regex.is_match(name),
            Kind::Glob(glob) => glob.is_match(name),
        }
    }
}

/// The reason, without the preceding lines, which draw an arrow.
fn last_line(error: &regex::Error) -> String {
    error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

fn glob(pattern: &str) -> Result<GlobMatcher, Fault> {
    GlobBuilder::new(pattern)
        .literal_separator(false)
        .backslash_escape(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| Fault::NoPattern { detail: error.kind().to_string() })
}

/// Compiled globs of files. `*` also matches `/`.
#[derive(Clone, Debug, Default)]
pub struct FilePatterns(Vec<GlobMatcher>);

impl FilePatterns {
    /// Reads the patterns.
    ///
    /// # Errors
    /// The first invalid glob, and why.
    pub fn new(patterns: &[String]) -> Result<Self, (String, Fault)> {
        let read = |pattern: &String| {
            let bare = pattern.strip_prefix("./").unwrap_or(pattern);
            glob(bare).map_err(|_| (pattern.clone(), Fault::NoGlob))
        };
        patterns.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Whether there are none, so that every call matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them matches the file's name, its path in the workspace, or its absolute path.
    #[must_use]
    pub fn matches(&self, relative: &Path, whole: &Path) -> bool {
        let name = relative.file_name().map(Path::new);
        self.0
            .iter()
            .any(|glob| name.is_some_and(|name| glob.is_match(name)) || glob.is_match(relative) || glob.is_match(whole))
    }
}

#[cfg(test)]
mod tests;
