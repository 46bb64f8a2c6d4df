//! git's own loops over commits and modules; each takes a text for a shell.

use super::start;
use crate::command::{Command, Word};
use crate::unwrap::Inner;
use crate::unwrap::build::{joined, script, started};
use crate::unwrap::scan;
use crate::unwrap::words::{cut_at, without};

/// What `git` starts for each commit or module.
pub(super) fn loops(command: &Command) -> Vec<Inner> {
    let words = subcommand(command.operands());
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let begin = || start(command, "git");
    match first.literal() {
        Some("submodule") => match rest.iter().position(|word| word.literal() == Some("foreach")) {
            Some(at) => {
                let own: Vec<Word> =
                    rest.iter().skip(at + 1).skip_while(|word| word.prefix().starts_with("--")).cloned().collect();
                if own.is_empty() { Vec::new() } else { vec![joined(&begin(), &own)] }
            }
            None => Vec::new(),
        },
        Some("bisect") if rest.first().and_then(Word::literal) == Some("run") => {
            started(&begin(), rest.get(1..).unwrap_or_default().to_vec()).into_iter().collect()
        }
        Some("rebase") => {
            values(rest, &["-x", "--exec"]).into_iter().map(|text| script(&begin(), text, Vec::new())).collect()
        }
        Some("filter-branch") => {
            let filters = [
                "--setup",
                "--env-filter",
                "--tree-filter",
                "--index-filter",
                "--parent-filter",
                "--msg-filter",
                "--commit-filter",
                "--tag-name-filter",
                "--subdirectory-filter-exec",
            ];
            values(rest, &filters).into_iter().map(|text| script(&begin(), text, Vec::new())).collect()
        }
        Some("difftool" | "mergetool") => {
            values(rest, &["-x", "--extcmd"]).into_iter().map(|text| script(&begin(), text, Vec::new())).collect()
        }
        Some("fetch" | "clone" | "pull" | "push" | "ls-remote" | "archive" | "fetch-pack" | "send-pack") => {
            let short: &[&str] = if first.literal() == Some("clone") { &["-u"] } else { &[] };
            let programs = values(rest, &[short, &["--upload-pack", "--receive-pack", "--exec"]].concat());
            programs.into_iter().chain(external(rest)).map(|text| script(&begin(), text, Vec::new())).collect()
        }
        Some("send-email") => {
            let programs = values(rest, &["--sendmail-cmd", "--to-cmd", "--cc-cmd", "--header-cmd", "--smtp-server"]);
            programs.into_iter().map(|text| script(&begin(), text, Vec::new())).collect()
        }
        Some("grep") => {
            let glued = |word: &Word| match word.prefix() {
                text if text.starts_with("-O") && text.len() > 2 => Some(without(word, 2)),
                text if text.starts_with("--open-files-in-pager=") => cut_at(word, '=').map(|(_, value)| value),
                _ => None,
            };
            rest.iter().filter_map(glued).map(|text| script(&begin(), text, Vec::new())).collect()
        }
        _ => Vec::new(),
    }
}

/// The subcommand and what follows it.
pub(in crate::unwrap) fn subcommand(words: &[Word]) -> &[Word] {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.prefix() {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" | "--config-env"
            | "--super-prefix" => at += 2,
            text if text.starts_with('-') => at += 1,
            _ => break,
        }
    }
    words.get(at..).unwrap_or_default()
}

/// The values of these options.
fn values(words: &[Word], names: &[&str]) -> Vec<Word> {
    names.iter().flat_map(|name| scan::values(words, name)).collect()
}

/// `ext::COMMAND` as a repository.
fn external(words: &[Word]) -> Vec<Word> {
    words.iter().filter(|word| word.prefix().starts_with("ext::")).map(|word| without(word, 5)).collect()
}
