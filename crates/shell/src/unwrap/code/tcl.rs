//! Languages whose calls are words in a row: Tcl's `exec rm -rf /`, expect's `spawn`, Lisp's `(system "…")`.

use super::Found;
use super::fold::tilde;
use crate::command::Word;
use crate::unwrap::words::split;

const LINES: usize = 8192;

/// Commands of a Tcl text that start something.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let text = &text.replace("{*}", "");
    for line in text.split(['\n', ';', '[', '{', ']', '}']).take(LINES) {
        let line = line.trim();
        let Some((name, rest)) = line.split_once([' ', '\t']) else { continue };
        if matches!(name, "exec" | "spawn" | "system" | "overlay") {
            let words = split(rest).into_iter().skip_while(|word| word.starts_with('-')).collect::<Vec<_>>();
            found.push(match (name, words.as_slice()) {
                ("system", _) => Found::Text(Word::text(words.join(" "))),
                _ => Found::Words(words.iter().map(Word::text).collect()),
            });
        } else if name == "open" && rest.trim_start_matches(['"', '{']).starts_with('|') {
            found.push(Found::Text(Word::text(rest.trim_matches(['"', '{', '}', '|', ' ']))));
        }
    }
    // Braces and quotes may hold the command and its words together.
    for name in ["exec ", "spawn ", "system ", "send "] {
        for (_, rest) in
            text.match_indices(name).filter_map(|(at, _)| text.split_at_checked(at + name.len())).take(LINES)
        {
            let line = rest.split(['\n', ']']).next().unwrap_or(rest).trim();
            if let Some(own) = line
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next())
                .or_else(|| line.strip_prefix('{').and_then(|rest| rest.split('}').next()))
            {
                if name != "send " {
                    found.push(Found::Text(Word::text(own)));
                } else {
                    found.push(Found::Text(Word::text(own.replace("\\r", "\n").replace("\\n", "\n"))));
                }
            }
        }
    }
    if let Some((_, rest)) =
        text.split_once("file delete ").filter(|(_, rest)| rest.contains(['/', '~']) || rest.contains(HOME))
    {
        let line = rest.split(['\n', ';', ']']).next().unwrap_or(rest);
        let paths = split(line).into_iter().filter(|word| !word.starts_with('-')).map(|path| place(&path));
        found.push(Found::Words([Word::text("rm"), Word::text("-rf")].into_iter().chain(paths).collect()));
    }
}

/// Tcl's variable for the home.
const HOME: &str = "env(HOME)";

/// A path as these languages read it: `~/x`, `$env(HOME)/x`.
fn place(path: &str) -> Word {
    let home = path.split_once(HOME).filter(|(sigil, _)| matches!(*sigil, "$" | "$::"));
    let path = home.map_or_else(|| path.to_owned(), |(_, rest)| format!("~{rest}"));
    tilde(&path).unwrap_or_else(|| Word::text(path))
}

/// `(name "text" …)`
pub(super) fn lists(text: &str, found: &mut Vec<Found>) {
    const NAMES: [&str; 14] = [
        "system",
        "shell-command",
        "shell-command-to-string",
        "sh",
        "shell",
        "run-program",
        "call-process",
        "start-process",
        "process-lines",
        "system*",
        "delete-directory",
        "run-shell-command",
        "execvp",
        "execlp",
    ];
    for part in text.split('(').skip(1).take(LINES) {
        let name = part.split([' ', '\t', '\n', ')']).next().unwrap_or_default();
        let short = name.rsplit(['/', ':']).next().unwrap_or_default();
        if !NAMES.contains(&short) {
            continue;
        }
        let words: Vec<&str> = part.split('"').skip(1).step_by(2).collect();
        match words.as_slice() {
            [] if short == "delete-directory" && text.contains("(getenv \"HOME\")") => {
                found.push(Found::Words(vec![Word::text("rm"), Word::text("-rf"), place("~")]));
            }
            [] => {}
            paths if short == "delete-directory" => {
                let paths = paths.iter().map(|path| place(path));
                found.push(Found::Words([Word::text("rm"), Word::text("-rf")].into_iter().chain(paths).collect()));
            }
            [_, words @ ..] if short == "start-process" && !words.is_empty() => {
                // A name and a buffer stand first; the buffer may be a text, too.
                let after = |skip: usize| words.iter().skip(skip).map(|word| Word::text(*word)).collect();
                found.push(Found::Words(after(0)));
                if words.len() > 1 {
                    found.push(Found::Words(after(1)));
                }
            }
            [one] => found.push(Found::Text(Word::text(*one))),
            many => found.push(Found::Words(many.iter().map(|word| Word::text(*word)).collect())),
        }
    }
}
