//! File tools that work in one folder, and keep away from names that the operator, or experience, calls secret.
//!
//! The fence is beside what the gate holds, never in place of it: a path is judged as the file door knows it, links followed,
//! and relative to the folder, so that what lies above it says nothing.

use crate::operation::{Operation, ToolOptions};
use palanca_core::call::{CanonicalPath, Claims, ErrorKind, Root};
use palanca_core::ports::FilesHandle;
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};
use regex::RegexSet;
use std::borrow::Cow;
use std::path::{Component, Path};

/// Parts of names that are refused, in any letter case: alone, at the beginning, at the end, anywhere.
const NAMES: [&str; 5] = [".env", "id_rsa", "id_ed25519", ".ssh", "shadow"];
const BEGINNINGS: [&str; 1] = [".env."];
const ENDS: [&str; 5] = [".key", ".pem", ".p12", ".pfx", "shadow"];
const PARTS: [&str; 3] = ["credentials", ".secret", "token.json"];

/// Paths that the file tools of bots refuse (`fileTools.deniedPatterns`), beside those that are built in.
#[derive(Clone, Debug, Default)]
pub struct DeniedPaths {
    patterns: Vec<String>,
    /// None without patterns: most toolsets never look.
    set: Option<RegexSet>,
}

impl DeniedPaths {
    /// Regular expressions, held against the path from the tools' folder.
    ///
    /// # Errors
    /// One that does not compile.
    pub fn new(patterns: Vec<String>) -> Result<Self, regex::Error> {
        let set = if patterns.is_empty() { None } else { Some(RegexSet::new(&patterns)?) };
        Ok(Self { patterns, set })
    }

    /// The pattern that refuses this path.
    fn refusing(&self, path: &Path) -> Option<&str> {
        let names = path.components().map(|name| name.as_os_str().to_string_lossy().to_lowercase());
        names.into_iter().find_map(|name| built_in(&name)).or_else(|| {
            let own = self.set.as_ref()?.matches(&path.to_string_lossy()).into_iter().next()?;
            self.patterns.get(own).map(String::as_str)
        })
    }
}

impl PartialEq for DeniedPaths {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for DeniedPaths {}

fn built_in(name: &str) -> Option<&'static str> {
    let find = |texts: &[&'static str], test: &dyn Fn(&str) -> bool| texts.iter().copied().find(|text| test(text));
    find(&NAMES, &|text| name == text)
        .or_else(|| find(&BEGINNINGS, &|text| name.starts_with(text)))
        .or_else(|| find(&ENDS, &|text| name.ends_with(text)))
        .or_else(|| find(&PARTS, &|text| name.contains(text)))
}

/// What works on the file of a path.
pub(crate) trait OnFile: Send + Sync {
    /// The operation on a path from the workspace.
    fn at<'p>(&'p self, path: &'p str, options: &'p ToolOptions) -> impl Operation + 'p;
}

/// Such an operation, with its path taken from the tools' folder.
pub(crate) struct Based<'a, T> {
    path: Cow<'a, str>,
    tool: &'a T,
    options: &'a ToolOptions,
}

impl<'a, T: OnFile> Based<'a, T> {
    pub(crate) fn new(tool: &'a T, path: &'a str, options: &'a ToolOptions) -> Self {
        let base = folder(&options.file_tools.base);
        let path = if base.is_empty() || path.trim().is_empty() || Path::new(path).is_absolute() {
            Cow::Borrowed(path)
        } else {
            Cow::Owned(format!("{base}/{path}"))
        };
        Self { path, tool, options }
    }

    fn check(&self, files: &FilesHandle) -> Result<(), ToolError> {
        let path = files.locate(&self.path)?;
        let relative = self.relative(&path)?;
        match self.options.file_tools.denied.refusing(relative) {
            None => Ok(()),
            Some(pattern) => {
                let refused = Message::new("file-tools-denied").with("path", path.to_string()).with("pattern", pattern);
                Err(ToolError::new(ErrorKind::PermissionDenied, refused))
            }
        }
    }

    fn relative<'p>(&self, path: &'p CanonicalPath) -> Result<&'p Path, ToolError> {
        let base = folder(&self.options.file_tools.base);
        let within = path.relative().strip_prefix(base).ok().filter(|_| path.root() == Root::Workspace);
        within.ok_or_else(|| {
            let base = self.options.file_tools.base.as_str();
            let outside = Message::new("file-tools-outside").with("path", path.to_string()).with("base", base);
            ToolError::new(ErrorKind::PermissionDenied, outside)
        })
    }
}

/// `./` and the like are the workspace.
fn folder(base: &str) -> &str {
    let plain = base.trim_start_matches("./").trim_end_matches('/');
    if plain == "." { "" } else { plain }
}

/// Whether the tools can work there: a folder of the workspace, written from its root.
#[must_use]
pub fn is_base(base: &str) -> bool {
    let path = Path::new(base);
    !path.is_absolute() && path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

impl<T: OnFile> Operation for Based<'_, T> {
    fn claims(&self) -> Result<Claims, ToolError> {
        self.tool.at(&self.path, self.options).claims()
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        self.check(files)?;
        self.tool.at(&self.path, self.options).preview(files)
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        self.check(cx.files())?;
        self.tool.at(&self.path, self.options).run(cx).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_refused_whatever_lies_above_the_folder() {
        let denied = DeniedPaths::new(vec!["^private/".to_owned(), r"\.log$".to_owned()]).unwrap();
        for path in [
            ".env",
            "a/.ENV",
            ".env.local",
            "a/.env.x/b",
            "aws-Credentials.json",
            "credentials/a",
            "server.key",
            "a.PEM",
            "id_rsa",
            ".ssh/config",
            "etc/shadow",
            "my.secret.txt",
            "token.json",
            "private/a",
            "a/b.log",
        ] {
            assert!(denied.refusing(Path::new(path)).is_some(), "{path}");
        }
        for path in
            ["a.txt", "environment.md", "keys.md", "a.env", "monkey", "tokens.md", "x/private/a", "a.log.txt", "..name"]
        {
            assert_eq!(denied.refusing(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn a_base_is_a_folder_of_the_workspace() {
        for (base, expected) in
            [("./", true), (".", true), ("data/files", true), ("./data", true), ("/x", false), ("../x", false)]
        {
            assert_eq!(is_base(base), expected, "{base}");
        }
        assert_eq!([folder("./"), folder("."), folder("./data/"), folder("a/b")], ["", "", "data", "a/b"]);
    }
}
