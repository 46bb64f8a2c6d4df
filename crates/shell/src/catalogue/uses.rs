//! Which uses of programs only read, and which are development: one paragraph a program, as text. What it does not say is
//! refused.
//!
//! | written | means |
//! |---|---|
//! | `cat tac = safe files -n --lines=` | programs, the class of these uses, what is said of them, their options |
//! | `[git] = by-name -C+` | a program with subcommands, and the options before them; the rows below it are theirs |
//! | `stash list\|log = safe @log` | subcommands; an empty one stands for none |
//!
//! The options are written as [`crate::options`] reads them. Of a row may be said:
//!
//! | word | means |
//! |---|---|
//! | `nothing` `text` `files` `revisions` | what its operands are; names of files that are not shown otherwise |
//! | `at-most:1` | at most so many files |
//! | `only:a,b` | these words alone |
//! | `needs:-m,-F` | one of these options must be there |
//! | `pattern` `pattern:-e,-f` | a pattern first, unless one of these options gave it; then files |
//! | `words` `raw` | options are whole words after one dash; there are none |
//! | `guarded` | a name that a pattern finds could be a harmful option: `sort *` where a file is called `-oout` |
//! | any other | the check of this name judges what options and operands alone do not tell |
//!
//! Of a program with subcommands: `enters:-C`, an option that changes the directory; `by-name`, it must be called by its name
//! alone, because the sandbox puts a program of ours in its place on the PATH; `toolchain`, `+name` may come first.

mod builtins;
mod containers;
mod files;
mod git;
mod go;
mod jvm;
mod native;
mod node;
mod other;
mod python;
mod rust;
mod scripts;
mod search;
mod system;
mod text;

use super::table::{Paragraph, paragraphs};

const TABLES: &[&str] = &[
    builtins::TABLE,
    containers::TABLE,
    files::TABLE,
    git::TABLE,
    go::TABLE,
    jvm::TABLE,
    native::TABLE,
    node::TABLE,
    other::TABLE,
    python::TABLE,
    rust::TABLE,
    scripts::TABLE,
    search::TABLE,
    system::TABLE,
    text::TABLE,
];

/// Programs with subcommands, or those of a table without.
#[derive(Debug, Default)]
pub(crate) struct Section {
    /// With blanks between them; empty for programs without subcommands, whose names the rows have.
    pub(crate) programs: &'static str,
    /// What is said of all of them, and of what stands before the subcommand.
    pub(crate) said: Paragraph,
    /// Names and what is said of each.
    pub(crate) rows: Vec<Paragraph>,
}

/// Every table.
pub(crate) fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for table in TABLES {
        sections.push(Section::default());
        for said in paragraphs(table) {
            if let Some(programs) = said.head.strip_prefix('[').and_then(|head| head.strip_suffix(']')) {
                sections.push(Section { programs, said, rows: Vec::new() });
            } else if let Some(section) = sections.last_mut() {
                section.rows.push(said);
            }
        }
    }
    sections
}
