//! Places that code asks the system for: the home, the root, what a pattern finds.

use super::Value;
use crate::command::{Piece, Word};
use crate::unwrap::words::push;

/// The home directory.
pub(in crate::unwrap::code) fn home() -> Value {
    Value::Text(at_home(""))
}

/// Whether a value is the home directory itself.
pub(super) fn is_home(value: &Value) -> bool {
    matches!(value, Value::Text(word) if matches!(word.pieces.as_slice(), [Piece::Home(_)]))
}

/// Whether a name, sigil and all, stands for the variables of the process or reads one.
pub(super) fn reads_environment(name: &str) -> bool {
    let name = name.trim_start_matches(['$', '@', '%']);
    matches!(name, "environ" | "ENV" | "env" | "ENVIRON" | "_ENV" | "_SERVER")
        || matches!(name, "getenv" | "get_env" | "get" | "fetch")
}

/// A place that is written as a path of names without a call.
pub(super) fn constant(path: &str) -> Option<Value> {
    let last_two = path.rsplitn(3, '.').take(2).collect::<Vec<_>>();
    match last_two.as_slice() {
        ["home", "Dir"] | ["HOME", "env"] => Some(home()),
        ["dir", "getpwuid"] => Some(home()),
        ["sep", "os" | "path"] | ["SEPARATOR", "File"] | ["DIRECTORY_SEPARATOR"] => Some(Value::Text(Word::text("/"))),
        _ => None,
    }
}

/// What a call for a place gives.
pub(super) fn asked(name: &str, arguments: &[Value]) -> Option<Value> {
    let first = arguments.first().and_then(Value::known);
    match (name, first.as_deref()) {
        ("homedir" | "home" | "user_home" | "getpwuid" | "getpwnam" | "posix_getpwuid", _) => Some(home()),
        (name, Some("HOME")) if reads_environment(name) => Some(home()),
        ("expanduser" | "expand_path" | "expandPath" | "expand", Some(text)) => tilde(text).map(Value::Text),
        ("expandvars", Some(text)) => {
            let rest = text.strip_prefix("$HOME").or_else(|| text.strip_prefix("${HOME}"))?;
            Some(Value::Text(at_home(rest)))
        }
        // The home is already in it.
        ("expandvars", None) => arguments.first().cloned(),
        ("glob" | "iglob" | "bsd_glob" | "globSync", _) => Some(Value::Text(pattern(&arguments.first()?.word()?))),
        _ => None,
    }
}

/// A path that begins at a home: `~/x`.
pub(in crate::unwrap::code) fn tilde(text: &str) -> Option<Word> {
    let rest = text.strip_prefix('~')?;
    (rest.is_empty() || rest.starts_with('/')).then(|| at_home(rest))
}

fn at_home(rest: &str) -> Word {
    let mut word = Word { pieces: vec![Piece::Home(None)] };
    push(&mut word, Piece::Text(rest.to_owned()));
    word
}

/// The names that a pattern stands for.
fn pattern(text: &Word) -> Word {
    let start = text.literal().and_then(|text| tilde(text.split(['*', '?', '[', '{']).next().unwrap_or(text)));
    let mut out = Word::default();
    for piece in &text.pieces {
        match piece {
            Piece::Text(text) => {
                let (fixed, open) = text.split_at(text.find(['*', '?', '[', '{']).unwrap_or(text.len()));
                let fixed = start.clone().unwrap_or_else(|| Word::text(fixed));
                fixed.pieces.into_iter().for_each(|piece| push(&mut out, piece));
                if !open.is_empty() {
                    out.pieces.push(Piece::Glob(open.to_owned()));
                }
            }
            other => push(&mut out, other.clone()),
        }
    }
    out
}
