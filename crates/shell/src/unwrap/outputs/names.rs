//! Programs that print something that follows from their words alone.

use crate::command::{Command, Directory};
use crate::unwrap::words::{LIMIT, folded};
use std::path::Path;

/// `None`: not such a program. `Some(None)`: one, but what it prints is not known.
pub(super) fn constant(name: &str, arguments: &[&str], command: &Command) -> Option<Option<String>> {
    let path = |path: Option<&Path>| Some(format!("{}\n", path?.display()));
    match name {
        "true" | "false" | ":" | "cd" | "test" | "[" | "sleep" => Some(Some(String::new())),
        "pwd" => match &command.directory {
            Directory::Known(directory) => Some(path(Some(directory))),
            Directory::Unknown => Some(None),
        },
        "command" | "which" | "type" | "whence" | "where" => looked_up(name, arguments),
        "basename" => Some(match arguments {
            [one] => path(Path::new(one).file_name().map(Path::new)),
            _ => None,
        }),
        "dirname" => Some(match arguments {
            ["/"] => Some("/\n".to_owned()),
            [one] => {
                path(Path::new(one).parent().map(|up| if up.as_os_str().is_empty() { Path::new(".") } else { up }))
            }
            _ => None,
        }),
        // By name only: a link may lead elsewhere, and a rule about the name still holds.
        "realpath" | "readlink" | "grealpath" => {
            let mut paths = arguments.iter().filter(|word| !word.starts_with('-'));
            let (Some(one), None) = (paths.next(), paths.next()) else { return Some(None) };
            Some(match &command.directory {
                _ if one.starts_with('/') => path(Some(&folded(Path::new(one)))),
                Directory::Known(directory) => path(Some(&folded(&directory.join(one)))),
                Directory::Unknown => None,
            })
        }
        "seq" => Some(seq(arguments)),
        // Without end, yet a shell that reads it reads the same line again.
        "yes" => Some(Some(if arguments.is_empty() { "y\n".to_owned() } else { arguments.join(" ") + "\n" })),
        _ => None,
    }
}

fn looked_up(name: &str, arguments: &[&str]) -> Option<Option<String>> {
    let names: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let asks = match name {
        "command" => arguments.first().is_some_and(|first| first.starts_with('-') && first.contains('v')),
        "type" => arguments.first().is_some_and(|first| first.starts_with('-') && first.contains(['p', 'P'])),
        _ => true,
    };
    let [found] = names.as_slice() else { return asks.then_some(None) };
    asks.then(|| Some(if found.contains('/') { format!("{found}\n") } else { format!("/usr/bin/{found}\n") }))
}

fn seq(arguments: &[&str]) -> Option<String> {
    let numbers: Option<Vec<i64>> = arguments.iter().map(|word| word.parse().ok()).collect();
    let (from, to) = match *numbers?.as_slice() {
        [to] => (1, to),
        [from, to] => (from, to),
        _ => return None,
    };
    // A line has two bytes at least.
    let short = to.checked_sub(from)? < i64::try_from(LIMIT / 2).ok()?;
    short.then(|| (from..=to).map(|number| format!("{number}\n")).collect())
}
