//! Variables that programs execute.

use super::Value;
use crate::catalogue::has;
use crate::command::{Command, Piece, Word};
use crate::unwrap::words::{assigned, push};

const NAMES: &str = "GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS \
    GIT_PROXY_COMMAND PAGER MANPAGER EDITOR VISUAL FCEDIT HGEDITOR SVN_EDITOR SVN_SSH CVS_RSH \
    RSYNC_RSH RSYNC_CONNECT_PROG SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR SYSTEMD_PAGER SYSTEMD_EDITOR \
    PSQL_PAGER PSQL_EDITOR AWS_PAGER BAT_PAGER DELTA_PAGER GH_PAGER GH_EDITOR GH_BROWSER KUBE_EDITOR \
    KUBECTL_EXTERNAL_DIFF BROWSER PROMPT_COMMAND LESSOPEN LESSCLOSE FZF_DEFAULT_COMMAND RUSTC_WRAPPER \
    RUSTC_WORKSPACE_WRAPPER JOURNAL_PAGER MYSQL_PAGER TEXEDIT DIFFPROG PERLDB_PAGER ANSIBLE_PAGER";

/// Values that a shell expands: what a substitution in them runs is run.
const EXPANDED: &str = "BASH_ENV ENV PS0 PS1 PS2 PS3 PS4 RPROMPT PROMPT MAILPATH";

/// Programs that a build starts, with options.
const BUILD: &str = "CC CXX LD AR MAKE CPP FC AS RUSTC GO CMAKE_C_COMPILER_LAUNCHER";

/// Whether a variable is one of these.
pub(super) fn executed(name: &str) -> bool {
    has(NAMES, name) || has(EXPANDED, name) || has(BUILD, name)
}

/// Assignments before the program, and those that `export` and its like make.
pub(super) fn find(command: &Command, found: &mut Vec<Value>) {
    for one in &command.assignments {
        add(&one.name, &one.value, found);
    }
    if command
        .program()
        .is_some_and(|name| matches!(name, "export" | "declare" | "typeset" | "local" | "readonly" | "setenv"))
    {
        for (name, value) in command.operands().iter().filter_map(assigned) {
            add(name, &value, found);
        }
    }
    git_pairs(command, found);
}

fn add(name: &str, value: &Word, found: &mut Vec<Value>) {
    if has(NAMES, name) {
        found.push(Value::text(name, pipe_free(name, value)));
    } else if has(EXPANDED, name) {
        let mut text = Word::text(": \"");
        value.pieces.iter().for_each(|piece| push(&mut text, piece.clone()));
        push(&mut text, Piece::Text("\"".to_owned()));
        if value.literal().is_none_or(|text| text.contains(['$', '`'])) {
            found.push(Value::text(name, text));
        }
    } else if has(BUILD, name) && value.literal().is_some_and(|text| text.contains([' ', ';', '|', '&', '$'])) {
        found.push(Value::text(name, value.clone()));
    }
}

/// `LESSOPEN='|program %s'`
fn pipe_free(name: &str, value: &Word) -> Word {
    match value.literal() {
        Some(text) if name.starts_with("LESS") => Word::text(text.trim_start_matches(['|', '-', '@'])),
        _ => value.clone(),
    }
}

/// `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0`
fn git_pairs(command: &Command, found: &mut Vec<Value>) {
    for one in &command.assignments {
        let Some(number) = one.name.strip_prefix("GIT_CONFIG_KEY_") else { continue };
        let value =
            command.assignments.iter().find(|other| other.name.strip_prefix("GIT_CONFIG_VALUE_") == Some(number));
        if let (Some(key), Some(value)) = (one.value.literal(), value) {
            super::git::key(key, &value.value, found);
        }
    }
}
