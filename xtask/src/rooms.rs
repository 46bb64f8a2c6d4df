//! A folder is a room: every crate says in a short README what lives there, and every dependency from outside has a row
//! in `DEPENDENCIES.md`, so that it was chosen and not merely added.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::{From, Workspace};

const MOST_README_LINES: usize = 40;
const DEPENDENCIES: &str = "DEPENDENCIES.md";

pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    readmes(workspace, report)?;
    dependencies(workspace, report)
}

fn readmes(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let crates = workspace.root.join("crates");
    for package in &workspace.packages {
        if !package.folder.starts_with(&crates) {
            continue;
        }
        let path = package.folder.join("README.md");
        let name = workspace.relative(&path);
        if !path.exists() {
            report.fail(format!(
                "{name}: is missing; say what lives here, what never does, what it depends on, and which test holds each invariant"
            ));
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        let lines = text.lines().count();
        if lines > MOST_README_LINES {
            report.fail(format!("{name}: {lines} lines; a room's README has at most {MOST_README_LINES}"));
        }
    }
    Ok(())
}

fn dependencies(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let text =
        fs::read_to_string(workspace.root.join(DEPENDENCIES)).with_context(|| format!("cannot read {DEPENDENCIES}"))?;
    let rows = rows(&text);
    // Crate → one package that uses it.
    let mut used = BTreeMap::new();
    for package in &workspace.packages {
        for dependency in &package.dependencies {
            if dependency.from == From::Registry {
                used.entry(dependency.name.as_str()).or_insert(package.name.as_str());
            }
        }
    }
    for (name, user) in &used {
        if !rows.contains(name) {
            report.fail(format!(
                "{DEPENDENCIES}: no row for `{name}`, which {user} uses; add why, features and the alternative"
            ));
        }
    }
    for row in rows {
        if !used.contains_key(row) {
            report.fail(format!("{DEPENDENCIES}: `{row}` has a row and no user; remove the row"));
        }
    }
    Ok(())
}

/// The crates that have a row: the first cell of a table line, in backticks.
fn rows(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| {
            let cell = line.strip_prefix("| `")?;
            cell.split_once('`').map(|(name, _)| name)
        })
        .collect()
}

#[cfg(test)]
mod tests;
