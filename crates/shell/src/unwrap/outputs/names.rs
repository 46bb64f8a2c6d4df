//! Programs that print something that follows from their words alone.

use super::echo;
use crate::command::{Command, Directory};
use crate::unwrap::words::{LIMIT, folded};
use std::path::Path;

/// Their names.
pub(super) const NAMES: &str = "echo printf print true false : cd test [ sleep pwd command which type whence where \
    basename dirname realpath readlink grealpath seq yes expr date";

/// What one of them prints, when that is known.
pub(super) fn text(name: &str, arguments: &[&str], command: &Command) -> Option<String> {
    let here = match &command.directory {
        Directory::Known(path) => Some(&**path),
        Directory::Unknown => None,
    };
    let line = |path: &Path| format!("{}\n", path.display());
    match (name, arguments) {
        ("echo", words) => Some(echo::echo(words, echo::escapes_by_default(command))),
        ("printf", words) => echo::printf(words),
        ("true" | "false" | ":" | "cd" | "test" | "[" | "sleep", _) => Some(String::new()),
        ("pwd", _) => here.map(line),
        ("basename", [one]) => Path::new(one).file_name().map(Path::new).map(line),
        ("dirname", ["/"]) => Some("/\n".to_owned()),
        ("dirname", [one]) => {
            Path::new(one).parent().map(|up| line(if up.as_os_str().is_empty() { Path::new(".") } else { up }))
        }
        ("seq", [to]) => seq("1", to),
        ("seq", [from, to]) => seq(from, to),
        // Without end, yet a shell that reads it reads the same line again.
        ("yes", []) => Some("y\n".to_owned()),
        ("yes", words) => Some(words.join(" ") + "\n"),
        (_, [options @ .., one]) if options.iter().all(|option| option.starts_with('-')) && !one.starts_with('-') => {
            let has = |letters: &[char]| options.iter().any(|option| option.contains(letters));
            match name {
                // By name only: a link may lead elsewhere, and a rule about the name still holds.
                "realpath" | "readlink" | "grealpath" if one.starts_with('/') => Some(line(&folded(Path::new(one)))),
                "realpath" | "readlink" | "grealpath" => here.map(|here| line(&folded(&here.join(one)))),
                "command" if !has(&['v']) => None,
                "type" if !has(&['p', 'P']) => None,
                "command" | "type" | "which" | "whence" | "where" if one.contains('/') => Some(format!("{one}\n")),
                "command" | "type" | "which" | "whence" | "where" => Some(format!("/usr/bin/{one}\n")),
                _ => None,
            }
        }
        _ => None,
    }
}

fn seq(from: &str, to: &str) -> Option<String> {
    let (from, to): (i64, i64) = (from.parse().ok()?, to.parse().ok()?);
    // A line has two bytes at least.
    let short = to.checked_sub(from)? < i64::try_from(LIMIT / 2).ok()?;
    short.then(|| (from..=to).map(|number| format!("{number}\n")).collect())
}
