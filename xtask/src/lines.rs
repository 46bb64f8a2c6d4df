//! How much code there is: lines of `src` that are neither blank nor comment nor test, a crate. Rows of data count.
//!
//! Tests are files named `tests.rs` or `…_tests.rs`, everything below a folder `tests`, and a `mod tests` that ends a file.

use std::fs;

use anyhow::{Context, Result};

use crate::size::{count, is_test_file, source_files};
use crate::workspace::Workspace;

/// Prints one line a crate, the largest first, and the sum.
pub fn print(workspace: &Workspace) -> Result<()> {
    let mut rows = Vec::new();
    for package in &workspace.packages {
        let source = package.folder.join("src");
        let mut lines = 0;
        for file in source_files(&source)? {
            let path = workspace.relative(&file);
            if !is_test_file(&path) {
                lines += code(&fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?);
            }
        }
        rows.push((lines, package.name.trim_start_matches("palanca-")));
    }
    rows.sort_unstable_by(|one, other| other.cmp(one));
    for (lines, name) in &rows {
        println!("{lines:>8}  {name}");
    }
    println!("{:>8}  all", rows.iter().map(|(lines, _)| lines).sum::<usize>());
    Ok(())
}

/// Lines of code in front of the tests that end a file.
fn code(text: &str) -> usize {
    let (outside, _) = count(text);
    text.lines().take(outside).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn blank_lines_comments_and_tests_are_not_counted() {
        let text =
            "//! About.\n\nuse a;\n\n/// One.\nfn one() {} // said\n\n#[cfg(test)]\nmod tests {\n    fn two() {}\n}\n";
        assert_eq!(code(text), 2);
    }
}
