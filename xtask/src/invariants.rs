//! A README that names a test tells the truth: in tables whose last column is `held by` or `Test`, every name in backticks
//! is a file, a module, a crate or a function of this workspace. A name that ends in `…` is the beginning of a function's.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::size::source_files;
use crate::workspace::{Package, Workspace};

pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let names = Names::collect(workspace)?;
    for package in &workspace.packages {
        let path = package.folder.join("README.md");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for name in held_by(&text) {
            if !is_path(package, workspace, &names, name) && !names.know(name) {
                report.fail(format!(
                    "{}: there is no `{name}`; name the test that holds the invariant",
                    workspace.relative(&path)
                ));
            }
        }
    }
    Ok(())
}

/// What stands in backticks in the last cells of the tables of invariants; commands and settings are left out.
fn held_by(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let Some(last) = line.trim_end().strip_suffix('|').and_then(|row| row.rsplit('|').next()) else {
            inside = false;
            continue;
        };
        inside |= ["held by", "test"].contains(&last.trim().to_lowercase().as_str());
        if inside {
            let quoted = last.split('`').skip(1).step_by(2);
            names.extend(quoted.filter(|name| !name.contains(['=', '#']) && !name.starts_with("cargo ")));
        }
    }
    names
}

/// A file or folder of the package or of a room, and behind `::` a function.
fn is_path(package: &Package, workspace: &Workspace, names: &Names, name: &str) -> bool {
    let (path, function) = name.split_once("::").unwrap_or((name, ""));
    let below = ["", "src", "tests"].map(|folder| package.folder.join(folder));
    let rooms = workspace.root.join("crates");
    path.contains(['/', '.'])
        && below.iter().chain([&rooms]).any(|folder| folder.join(path).exists())
        && names.know(function)
}

/// Every name that a README may mean.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Names {
    fn collect(workspace: &Workspace) -> Result<Self> {
        let mut names = Self::default();
        for package in &workspace.packages {
            names.0.insert(package.name.trim_start_matches("palanca-").to_owned());
            for file in source_files(&package.folder)? {
                let parts = file.with_extension("");
                names.0.extend(parts.iter().map(|part| part.to_string_lossy().into_owned()));
                names.add(&fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?);
            }
        }
        Ok(names)
    }

    /// Functions and modules of one file.
    fn add(&mut self, text: &str) {
        let words = text.lines().filter_map(|line| {
            let (_, rest) = line.split_once("fn ").or_else(|| line.split_once("mod "))?;
            rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
        });
        self.0.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
    }

    /// `cli: dry_run`, `set::tests::a_message_goes_…`, `door: commits`: every part is known.
    fn know(&self, name: &str) -> bool {
        name.split([':', ',', ' ']).filter(|part| !part.is_empty() && *part != "*").all(|part| {
            match part.strip_suffix('…') {
                Some(start) => self.0.range(start.to_owned()..).next().is_some_and(|found| found.starts_with(start)),
                None => self.0.contains(part),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, held_by};

    #[test]
    fn names_in_the_last_column_are_known_or_not() {
        let page = "| Invariant | held by |\n|---|---|\n| a `b` | `door: races`, `tests::it_…` (`X=1`) |\n\n| a | what |\n| b | `c` |\n";
        assert_eq!(held_by(page), ["door: races", "tests::it_…"]);
        let mut names = Names::default();
        names.add("mod door {\n    async fn races() {}\n}\nmod tests;\nfn it_holds() {}\n");
        let known = |name: &str| names.know(name);
        assert!(known("door: races") && known("tests::it_…"));
        assert!(!known("door: race") && !known("tests::is_…"));
    }
}
