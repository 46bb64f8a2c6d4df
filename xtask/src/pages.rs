//! Documentation that can be found and followed: every page under `docs/` is in its index, every relative link leads to a
//! file. Anchors and addresses on the web are not tried.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::Workspace;

const INDEX: &str = "docs/README.md";

pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let docs = pages(&workspace.root.join("docs"))?;
    let index = workspace.root.join(INDEX);
    let listed: Vec<PathBuf> = links(&read(&index)?).iter().map(|link| index.with_file_name(link)).collect();
    for page in &docs {
        if *page != index && !listed.contains(page) {
            report.fail(format!("{}: is not in {INDEX}; add a link", workspace.relative(page)));
        }
    }
    let rooms = workspace.packages.iter().map(|package| package.folder.join("README.md"));
    for page in pages(&workspace.root)?.into_iter().chain(docs).chain(rooms.filter(|page| page.exists())) {
        for link in links(&read(&page)?) {
            if !page.with_file_name(&link).exists() {
                report.fail(format!("{}: links to {link}, which does not exist", workspace.relative(&page)));
            }
        }
    }
    Ok(())
}

/// The Markdown files directly in a folder, sorted.
fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut pages = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    Ok(pages)
}

fn read(page: &Path) -> Result<String> {
    fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))
}

/// The targets of relative links, without anchors; what stands in code is no link.
fn links(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2).flat_map(|block| block.split('`').step_by(2));
    prose
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|rest| rest.split_once(')'))
        .filter_map(|(target, _)| target.split('#').next())
        .filter(|target| !target.is_empty() && !target.contains(':'))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;
