//! Globs for listings: on names, or on paths below the directory that is listed; never on anything above it.

use globset::{GlobBuilder, GlobMatcher};
use palanca_core::call::ErrorKind;
use palanca_core::{Message, ToolError};
use std::path::{Component, Path};

/// A compiled glob.
pub(crate) struct Pattern {
    matcher: GlobMatcher,
    on: On,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    Name,
    Path,
}

impl Pattern {
    /// Reads a glob. One without `/` is held against names; one with `/` against paths below the listed directory.
    pub(crate) fn new(pattern: &str) -> Result<Self, ToolError> {
        let relative = pattern.strip_prefix("./").unwrap_or(pattern);
        let leaves = Path::new(relative).components().any(|part| !matches!(part, Component::Normal(_)));
        if leaves {
            return Err(ToolError::new(
                ErrorKind::InvalidArguments,
                Message::new("glob-leaves").with("pattern", pattern),
            ));
        }
        let glob = GlobBuilder::new(relative).literal_separator(true).build().map_err(|error| {
            ToolError::new(
                ErrorKind::InvalidArguments,
                Message::new("glob-invalid").with("pattern", pattern).with("reason", error.kind().to_string()),
            )
        })?;
        Ok(Self { matcher: glob.compile_matcher(), on: if relative.contains('/') { On::Path } else { On::Name } })
    }

    /// Whether it can match something that is not directly in the listed directory.
    pub(crate) fn looks_below(&self) -> bool {
        self.on == On::Path || self.matcher.glob().glob().contains("**")
    }

    /// Whether it matches this path, which is relative to the listed directory.
    pub(crate) fn matches(&self, below: &Path) -> bool {
        match self.on {
            On::Path => self.matcher.is_match(below),
            On::Name => below.file_name().is_some_and(|name| self.matcher.is_match(Path::new(name))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, missing_docs)]
    use super::*;

    #[test]
    fn names_and_paths() {
        for (pattern, path, expected) in [
            ("*.py", "a.py", true),
            ("*.py", "src/a.py", true),
            ("**/*.md", "a.md", true),
            ("**/*.md", "docs/x/a.md", true),
            ("src/**/*.ts", "src/a.ts", true),
            ("src/**/*.ts", "lib/src/a.ts", false),
            ("src/*.ts", "src/x/a.ts", false),
            ("./src/*.ts", "src/a.ts", true),
            ("*.{a,b}", "x.b", true),
            ("..name", "..name", true),
        ] {
            let matched = Pattern::new(pattern).unwrap().matches(Path::new(path));
            assert_eq!(matched, expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn nothing_above_is_named() {
        for pattern in ["../*", "/etc/*", "a/../../b", "[", ""] {
            let error = Pattern::new(pattern).err();
            assert_eq!(error.is_some(), !pattern.is_empty(), "{pattern}");
        }
    }
}
