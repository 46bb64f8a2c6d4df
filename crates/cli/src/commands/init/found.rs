//! What of a preset is written: only gates and hooks whose programs are here, on `PATH` or in the project's virtual environment.
//!
//! A preset names each in one line, so its text is kept as it is, comments included.

use palanca_core::Message;
use palanca_files::{is_file, read_regular};
use serde_json::Value;
use std::path::Path;

/// Where a project has its own programs for Python.
const ENVIRONMENTS: [&str; 2] = [".venv/bin", "venv/bin"];

/// A gate or hook that is not written.
pub(super) struct LeftOut {
    name: String,
    command: String,
    program: String,
}

impl LeftOut {
    pub(super) fn message(&self, path: &str) -> Message {
        Message::new("init-left-out")
            .with("path", path)
            .with("program", &self.program)
            .with("name", &self.name)
            .with("command", &self.command)
    }
}

/// The configuration for this folder, and what is not in it.
pub(super) fn what_is_there(folder: &Path, preset: &str) -> (String, Vec<LeftOut>) {
    let (mut lines, mut left_out) = (Vec::new(), Vec::new());
    for line in preset.lines() {
        let Some(command) = between(line, "command: \"", "\"") else {
            lines.push(line.to_owned());
            continue;
        };
        match place(folder, command) {
            Ok(None) => lines.push(line.to_owned()),
            Ok(Some(place)) => lines.push(line.replacen(command, &format!("{place}{command}"), 1)),
            Err(program) => left_out.push(LeftOut {
                name: between(line, "name: ", ",").unwrap_or_default().to_owned(),
                command: command.to_owned(),
                program,
            }),
        }
    }
    // Last first: a section that is empty now may be the last of its own.
    for at in (0..lines.len()).rev() {
        let is_empty = lines.get(at).is_some_and(|line| {
            let below = lines.get(at + 1).is_some_and(|next| indent(next) > indent(line));
            line.ends_with(':') && !below
        });
        if is_empty {
            lines.remove(at);
        }
    }
    (lines.join("\n") + "\n", left_out)
}

fn scripts(folder: &Path) -> Value {
    let text = read_regular(&folder.join("package.json"), 1 << 20).unwrap_or_default();
    let package: Value = serde_json::from_str(&text).unwrap_or_default();
    package.get("scripts").cloned().unwrap_or_default()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn between<'a>(line: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(line.split_once(before)?.1.split_once(after)?.0)
}

/// What stands before the command so that its program is found, or the program that is not here.
fn place(folder: &Path, command: &str) -> Result<Option<String>, String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let on_path = |program: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).filter(|folder| folder.is_absolute()).any(|folder| is_file(&folder.join(program)))
    };
    let need = |program: &str| if on_path(program) { Ok(None) } else { Err(program.to_owned()) };
    match words.as_slice() {
        ["cargo", part @ ("fmt" | "clippy"), ..] => need("cargo").and_then(|_| need(&format!("cargo-{part}"))),
        ["npx", "--offline", program, ..] => {
            let is_here = is_file(&folder.join("node_modules/.bin").join(program));
            need("npx").and_then(|here| if is_here { Ok(here) } else { Err((*program).to_owned()) })
        }
        ["npm", "run", script, ..] | ["npm", script, ..] => need("npm").and_then(|here| {
            if scripts(folder).get(*script).is_some() { Ok(here) } else { Err(format!("`{script}` in package.json")) }
        }),
        [program, ..] => need(program).or_else(|missing| {
            let environment = ENVIRONMENTS.iter().find(|bin| is_file(&folder.join(bin).join(program)));
            environment.map(|bin| Some(format!("{bin}/"))).ok_or(missing)
        }),
        [] => Ok(None),
    }
}
