//! Methods that are called on values.

use super::made::{called, characters, decoded, formatted, joined, pack, reversed};
use super::{Folder, Value, home, is_home};
use crate::command::Word;
use crate::unwrap::words;

impl Folder<'_> {
    /// A method of a value.
    pub(super) fn method(&mut self, value: Value, name: &str) -> Value {
        let spelt = if name == "join" { characters(self.tokens, self.at) } else { None };
        let arguments = if self.take('(') { self.arguments(')') } else { Vec::new() };
        if let (Some(parts), Value::Text(between)) = (spelt, &value) {
            return Value::Text(words::join(&parts, between.literal().unwrap_or_default()));
        }
        match (name, &value, arguments.as_slice()) {
            ("join", Value::Text(between), [Value::List(words)])
            | ("join", Value::List(words), [Value::Text(between)]) => {
                Value::Text(words::join(words, between.literal().unwrap_or(" ")))
            }
            ("join", Value::Text(between), [Value::Text(word)]) => match word.literal() {
                Some(text) => {
                    let parts: Vec<Word> = text.chars().take(4096).map(String::from).map(Word::text).collect();
                    Value::Text(words::join(&parts, between.literal().unwrap_or_default()))
                }
                None => Value::Open,
            },
            ("join", Value::List(words), []) => Value::Text(words::join(words, "")),
            ("split", _, rest) => match (value.known(), rest.first().and_then(Value::known)) {
                (Some(text), Some(mark)) if !mark.is_empty() => {
                    Value::List(text.split(&mark).map(Word::text).collect())
                }
                (Some(text), Some(_)) => Value::List(text.chars().map(|c| Word::text(c.to_string())).collect()),
                (Some(text), None) => Value::List(text.split_whitespace().map(Word::text).collect()),
                _ => Value::Open,
            },
            ("replace" | "gsub" | "sub" | "replaceAll" | "tr", _, [from, to]) => {
                match (value.known(), from.known(), to.known()) {
                    (Some(text), Some(from), Some(to)) if !from.is_empty() && to.len() < 64 => {
                        Value::Text(Word::text(text.replace(&from, &to)))
                    }
                    _ => Value::Open,
                }
            }
            ("reverse", _, _) => reversed(&value),
            ("format", _, values) => formatted(&value, &values.iter().filter_map(Value::word).collect::<Vec<_>>()),
            ("concat", _, more) => more.iter().fold(value.clone(), |all, one| joined(&all, one)),
            ("lower" | "toLowerCase" | "downcase", ..) => {
                value.known().map_or(Value::Open, |text| Value::Text(Word::text(text.to_lowercase())))
            }
            ("upper" | "toUpperCase" | "upcase", ..) => {
                value.known().map_or(Value::Open, |text| Value::Text(Word::text(text.to_uppercase())))
            }
            ("pack", Value::List(words), [kind]) => pack(words, kind.known().as_deref()),
            ("homedir", ..) => home(),
            ("pw_dir" | "dir", ..) if is_home(&value) => value,
            ("expanduser" | "expand_path", Value::Text(_), []) => called(name, &[value]),
            ("unpack1", _, [kind]) if kind.known().is_some_and(|kind| kind.starts_with('m')) => decoded(&value),
            ("unpack1", ..) => Value::Open,
            ("chr", Value::Number(_), _) => called("chr", &[value]),
            ("execute" | "rmtree" | "deleteDir", ..) => Value::Open,
            (
                "decode" | "encode" | "toString" | "to_s" | "strip" | "trim" | "chomp" | "b" | "slice" | "raw" | "to_a"
                | "toArray" | "split_whitespace",
                ..,
            ) => value,
            // `"r" . chr(109)`
            (_, Value::Text(_), [_, ..]) => match called(name, &arguments) {
                Value::Open => Value::Open,
                more => joined(&value, &more),
            },
            // `__import__("base64").b64decode("…")`
            (_, Value::Open, [_, ..]) => called(name, &arguments),
            _ => Value::Open,
        }
    }
}
