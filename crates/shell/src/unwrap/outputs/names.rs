//! Programs that print something that follows from their words alone.

use super::super::words::LIMIT;
use crate::command::{Command, Directory};

/// `None`: not such a program. `Some(None)`: one, but what it prints is not known.
pub(super) fn constant(name: &str, arguments: &[&str], command: &Command) -> Option<Option<String>> {
    match name {
        "true" | "false" | ":" | "cd" | "test" | "[" | "sleep" => Some(Some(String::new())),
        "pwd" => match &command.directory {
            Directory::Known(path) => Some(Some(format!("{}\n", path.display()))),
            Directory::Unknown => Some(None),
        },
        "command" | "which" | "type" | "hash" | "whence" | "where" => looked_up(name, arguments),
        "basename" => Some(basename(arguments)),
        "dirname" => Some(dirname(arguments)),
        "realpath" | "readlink" | "grealpath" => Some(folded(arguments, &command.directory)),
        "seq" => Some(seq(arguments)),
        // Without end, yet a shell that reads it reads the same line again.
        "yes" => Some(Some(if arguments.is_empty() { "y\n".to_owned() } else { arguments.join(" ") + "\n" })),
        "expr" => expr(arguments).map(Some),
        "date" => date(arguments).map(Some),
        "print" => Some(Some(arguments.join(" ") + "\n")),
        _ => None,
    }
}

fn looked_up(name: &str, arguments: &[&str]) -> Option<Option<String>> {
    let names: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let asks = match name {
        "command" => arguments.first().is_some_and(|first| first.starts_with('-') && first.contains('v')),
        "type" => arguments.first().is_some_and(|first| first.starts_with('-') && first.contains(['p', 'P'])),
        "hash" => arguments.first() == Some(&"-t"),
        _ => true,
    };
    let [found] = names.as_slice() else { return asks.then_some(None) };
    asks.then(|| Some(if found.contains('/') { format!("{found}\n") } else { format!("/usr/bin/{found}\n") }))
}

fn basename(arguments: &[&str]) -> Option<String> {
    let (path, suffix) = match arguments {
        [path] | ["--" | "-a", path] => (*path, ""),
        ["-a", rest @ ..] if rest.len() < 64 => {
            return rest.iter().map(|path| basename(&[path])).collect::<Option<Vec<_>>>().map(|all| all.concat());
        }
        ["-s", suffix, path] | [path, suffix] if !path.starts_with('-') => (*path, *suffix),
        _ => return None,
    };
    let base = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let base = if base.is_empty() && path.starts_with('/') { "/" } else { base };
    let short = base.strip_suffix(suffix).filter(|short| !short.is_empty()).unwrap_or(base);
    Some(format!("{short}\n"))
}

fn dirname(arguments: &[&str]) -> Option<String> {
    let ([path] | ["--", path]) = arguments else { return None };
    let trimmed = path.trim_end_matches('/');
    let parent = match trimmed.rsplit_once('/') {
        _ if trimmed.is_empty() && path.starts_with('/') => "/",
        Some((parent, _)) if parent.trim_end_matches('/').is_empty() => "/",
        Some((parent, _)) => parent.trim_end_matches('/'),
        None => ".",
    };
    Some(format!("{parent}\n"))
}

/// By name only: a link may lead elsewhere, and a rule about the name still holds.
fn folded(arguments: &[&str], directory: &Directory) -> Option<String> {
    let paths: Vec<&str> = arguments.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let [path] = paths.as_slice() else { return None };
    let mut parts: Vec<&str> = Vec::new();
    let base = match directory {
        _ if path.starts_with('/') => String::new(),
        Directory::Known(directory) => directory.to_string_lossy().into_owned(),
        Directory::Unknown => return None,
    };
    let whole = format!("{base}/{path}");
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(format!("/{}\n", parts.join("/")))
}

fn seq(arguments: &[&str]) -> Option<String> {
    let (separator, rest) = match arguments {
        ["-s", separator, rest @ ..] => (*separator, rest),
        [first, rest @ ..] if first.starts_with("-s") && first.len() > 2 => (first.get(2..)?, rest),
        all => ("\n", all),
    };
    let numbers: Option<Vec<i64>> = rest.iter().map(|word| word.parse().ok()).collect();
    let (from, step, to) = match *numbers?.as_slice() {
        [to] => (1, 1, to),
        [from, to] => (from, 1, to),
        [from, step, to] if step != 0 => (from, step, to),
        _ => return None,
    };
    let mut out = Vec::new();
    let (mut at, mut size) = (from, 0);
    while (step > 0 && at <= to) || (step < 0 && at >= to) {
        let text = at.to_string();
        size += text.len() + separator.len();
        if size > LIMIT {
            return None;
        }
        out.push(text);
        at = at.checked_add(step)?;
    }
    Some(out.join(separator) + "\n")
}

fn expr(arguments: &[&str]) -> Option<String> {
    match arguments {
        [one] => Some(format!("{one}\n")),
        ["substr", text, from, most] => {
            let (from, most): (usize, usize) = (from.parse().ok()?, most.parse().ok()?);
            let part: String = text.chars().skip(from.checked_sub(1)?).take(most).collect();
            Some(part + "\n")
        }
        _ => None,
    }
}

/// A format without a directive is printed as it stands.
fn date(arguments: &[&str]) -> Option<String> {
    let [format] = arguments else { return None };
    format.strip_prefix('+').filter(|text| !text.contains('%')).map(|text| format!("{text}\n"))
}
