//! Examples in the documentation: every item at the root of `palanca` shows its use, or links to an item or a file that
//! does.

use std::fs;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::size::source_files;
use crate::workspace::Workspace;

/// The rooms whose items stand at the root of `palanca`.
const ROOMS: [&str; 3] = ["palanca", "palanca-core", "palanca-derive"];

pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let mut sources = Vec::new();
    for room in ROOMS.iter().filter_map(|name| workspace.package(name)) {
        for file in source_files(&room.folder.join("src"))? {
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            sources.push((workspace.relative(&file), text));
        }
    }
    for name in without(&sources) {
        report.fail(format!("palanca::{name}: its documentation has neither an example nor a link to one; add it"));
    }
    Ok(())
}

/// The re-exported items that have neither, from files with their paths.
fn without(sources: &[(String, String)]) -> Vec<&str> {
    let libraries = sources.iter().filter(|(path, _)| path.ends_with("src/lib.rs"));
    let exports =
        libraries.flat_map(|(_, text)| text.split("\npub use ").skip(1)).filter_map(|use_| use_.split_once(';'));
    let names = exports.filter(|(path, _)| !path.contains(" as ")).flat_map(|(path, _)| {
        let list = path.rsplit_once("::").map_or(path, |(_, last)| last);
        let list = path.split_once('{').map_or(list, |(_, list)| list);
        list.split(',').map(|name| name.trim_matches(['{', '}', ' ', '\n'])).filter(|name| !["", "*"].contains(name))
    });
    names.filter(|name| !sources.iter().any(|(_, text)| shows(text, name))).collect()
}

/// Whether this file defines the item, with an example or a link. An id is defined by its name alone, in a macro.
fn shows(text: &str, name: &str) -> bool {
    let defines = |line: &str| {
        let item = ["struct ", "enum ", "trait ", "type ", "fn "]
            .iter()
            .find_map(|kind| line.strip_prefix("pub ")?.strip_prefix(kind));
        item.and_then(|item| item.split(|c: char| !c.is_alphanumeric()).next()).unwrap_or(line) == name
    };
    text.split("\n\n").flat_map(|block| block.split("\n);\n")).any(|block| {
        let (docs, code): (Vec<_>, Vec<_>) = block.lines().map(str::trim).partition(|line| line.starts_with("///"));
        code.into_iter().any(defines) && docs.iter().any(|line| line.contains("```") || line.contains("[`"))
    })
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn examples_and_links_count() {
        let source = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let library = source(
            "a/src/lib.rs",
            "\npub use a::{\n    Plain, Linked,\n    Run, Id,\n};\npub use b as c;\npub use d::*;",
        );
        let file = source(
            "a/src/a.rs",
            "/// Text.\n#[derive(Debug)]\npub struct Plain;\n\n/// See [`Plain`].\npub enum Linked {}\n\n\
             /// ```\n/// run();\n/// ```\npub fn Run() {}\n\nid!(\n    /// [`Plain`]\n    Id\n);\n",
        );
        assert_eq!(without(&[library, file]), ["Plain"]);
    }
}
