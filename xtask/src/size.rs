//! Files stay small enough to be read at once, and `lib.rs` is a table of contents. Test files are not counted: a table
//! of cases may be long. Exceptions stand in `xtask/exceptions.txt`; the list may only shrink, so a line that is no
//! longer needed fails too.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::names;
use crate::report::Report;
use crate::workspace::Workspace;

const MOST_LINES: usize = 600;
const MANY_LINES: usize = 400;
const MOST_LIB_LINES: usize = 80;
/// Longer test modules move into a file of their own.
const MOST_INLINE_TEST_LINES: usize = 60;

const EXCEPTIONS: &str = "xtask/exceptions.txt";

pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let exceptions = exceptions(&workspace.root)?;
    let mut needed = Vec::new();
    for package in &workspace.packages {
        for file in source_files(&package.folder)? {
            let path = workspace.relative(&file);
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
            let mut found = Report::default();
            judge(&path, &text, &mut found);
            report.warnings.append(&mut found.warnings);
            if exceptions.contains(&path) && !found.failures.is_empty() {
                needed.push(path);
            } else {
                report.failures.append(&mut found.failures);
            }
        }
    }
    for path in exceptions {
        if !needed.contains(&path) {
            report.fail(format!("{EXCEPTIONS}: {path} needs no exception; remove the line"));
        }
    }
    Ok(())
}

/// One file by its path relative to the root.
fn judge(path: &str, text: &str, report: &mut Report) {
    let is_test = is_test_file(path);
    if !is_test {
        let (lines, test_lines) = count(text);
        if lines > MOST_LINES {
            report.fail(format!("{path}: {lines} lines without tests; split it (at most {MOST_LINES})"));
        } else if lines > MANY_LINES {
            report.warn(format!("{path}: {lines} lines without tests; aim below {MANY_LINES}"));
        }
        if path.ends_with("/src/lib.rs") && lines > MOST_LIB_LINES {
            report.fail(format!(
                "{path}: {lines} lines; lib.rs holds docs, `mod` and `pub use` (at most {MOST_LIB_LINES})"
            ));
        }
        if test_lines > MOST_INLINE_TEST_LINES {
            report.warn(format!(
                "{path}: {test_lines} lines of tests inside; move them into a sibling `tests.rs` (past {MOST_INLINE_TEST_LINES})"
            ));
        }
    }
    for (number, line) in text.lines().enumerate() {
        if let Some(name) = names::empty_name(line) {
            report.fail(format!("{path}:{}: the name {name} says nothing; name what it is", number + 1));
        }
    }
}

/// Lines outside and inside of a test module that ends the file.
pub fn count(text: &str) -> (usize, usize) {
    let lines: Vec<&str> = text.lines().collect();
    let inline = lines
        .windows(2)
        .position(|pair| pair[0].trim() == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{'));
    match inline {
        Some(start) => (start, lines.len() - start),
        None => (lines.len(), 0),
    }
}

pub fn is_test_file(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    name == "tests.rs" || name.ends_with("_tests.rs") || parts.contains(&"tests")
}

/// Every `.rs` file of a package but those of other packages below it and of build output, sorted.
pub fn source_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                if !path.join("Cargo.toml").exists() && !path.ends_with("target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// One path a line; the rest of the line says why. `#` begins a comment.
fn exceptions(root: &Path) -> Result<Vec<String>> {
    let path = root.join(EXCEPTIONS);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {EXCEPTIONS}"))?;
    Ok(text.lines().filter_map(|line| line.split('#').next()?.split_whitespace().next()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests;
