//! Calls that start processes, in any language that writes them as `name(arguments)` or `name arguments`.

use super::fold::{Folder, Value, home};
use super::tokens::Token;
use super::{Code, Found, Language};
use crate::command::{UnknownKind, Word};
use crate::unwrap::build::thinned;
use crate::unwrap::words::anything;
use std::collections::{HashMap, HashSet};

mod effects;
mod names;

use names::{GUARDED, OF_PATHS, REMOVE, RUN};

use effects::{chmod, opened, pair, remove};

/// Finds what the calls in `code` start.
pub(super) fn find(code: &Code<'_>, tokens: &[Token], found: &mut Vec<Found>) {
    let mut variables: HashMap<String, Value> = HashMap::new();
    if code.text.contains("process.env") {
        // `const {HOME} = process.env`
        variables.insert("HOME".to_owned(), home());
    }
    if let Some(line) = code.line {
        variables.insert("$_".to_owned(), Value::Text(Word::text(line)));
    }
    let renamed = renamed(tokens);
    let resolved: Vec<Token>;
    let mut tokens = tokens;
    if !renamed.is_empty() {
        let own = |token: &Token| match token {
            Token::Name(name) => renamed.get(name).map_or_else(|| token.clone(), |own| Token::Name(own.clone())),
            other => other.clone(),
        };
        resolved = tokens.iter().map(own).collect();
        tokens = &resolved;
    }
    let looped = looped(tokens, &variables);
    if looped.is_empty() {
        scan(code, tokens, variables.clone(), found);
    }
    for (name, word) in looped {
        let mut own = variables.clone();
        own.insert(name, Value::Text(word));
        scan(code, tokens, own, found);
    }
}

/// The first loop over a list of constants: its variable, once for each of them.
fn looped(tokens: &[Token], variables: &HashMap<String, Value>) -> Vec<(String, Word)> {
    const PASSES: usize = 32;
    let over = tokens.windows(3).enumerate().find_map(|(at, three)| match three {
        [Token::Name(word), Token::Name(name), Token::Name(within)] if word == "for" && within == "in" => {
            match Folder::new(tokens, at + 3, variables).expression() {
                Value::List(words) => Some((name.clone(), words)),
                Value::Text(word) if word.has_glob() => Some((name.clone(), vec![word])),
                _ => None,
            }
        }
        _ => None,
    });
    let Some((name, words)) = over else { return Vec::new() };
    let words = thinned(words, |word| word.literal());
    if words.len() > PASSES {
        // Many: any of them may be meant.
        return vec![(name, anything(UnknownKind::Other))];
    }
    words.into_iter().map(|word| (name.clone(), word)).collect()
}

/// Finds what is started, given what variables hold.
fn scan(code: &Code<'_>, tokens: &[Token], mut variables: HashMap<String, Value>, found: &mut Vec<Found>) {
    let mut at = 0;
    while at < tokens.len() && found.len() <= super::MOST {
        match tokens.get(at) {
            Some(Token::Quoted(_)) if code.language.quotes_run() => {
                let value = Folder::new(tokens, at, &variables).expression();
                found.extend(value.word().map(Found::Text));
            }
            // `` Bun.$`…` ``
            Some(Token::Quoted(_)) if is_template(code, tokens, at) => {
                let value = Folder::new(tokens, at, &variables).expression();
                found.extend(value.word().map(Found::Text));
            }
            // `"…".execute()`
            Some(Token::Text(text) | Token::Mixed(text)) if names_run(tokens, at + 1) => {
                found.push(Found::Text(Word::text(text.clone())))
            }
            Some(Token::Text(text) | Token::Mixed(text)) if RUN.contains(&text.as_str()) => {
                // `getattr(os, "system")("…")`, `os["system"]("…")`
                let mut next = at + 1;
                while matches!(tokens.get(next), Some(Token::Mark(')' | ']'))) {
                    next += 1;
                }
                if next > at + 1 && tokens.get(next) == Some(&Token::Mark('(')) {
                    call(text, Folder::new(tokens, next + 1, &variables).arguments(')'), found);
                }
            }
            Some(Token::Name(name)) => {
                if let Some(value) = assigned(tokens, at, &variables) {
                    variables.insert(name.clone(), value);
                } else {
                    named(code, tokens, at, &variables, found);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Other names for calls: `import system as s`, `{execSync: e}`, `s = os.system`.
fn renamed(tokens: &[Token]) -> HashMap<String, String> {
    let asks = |name: &str| matches!(name, "environ" | "getenv" | "homedir" | "expanduser");
    let runs =
        |name: &str| RUN.contains(&name) || REMOVE.contains(&name) || asks(name) || matches!(name, "run" | "call");
    let mut out = HashMap::new();
    let called: HashSet<&String> = tokens
        .windows(2)
        .filter_map(|pair| match pair {
            [Token::Name(name), Token::Mark('(')] => Some(name),
            _ => None,
        })
        .collect();
    for (at, three) in tokens.windows(3).enumerate() {
        match three {
            [Token::Name(own), Token::Name(word), Token::Name(other)] if word == "as" && runs(own) => {
                out.insert(other.clone(), own.clone());
            }
            [Token::Name(own), Token::Mark(':'), Token::Name(other)] if runs(own) => {
                out.insert(other.clone(), own.clone());
            }
            // `$f = "system"`
            [Token::Name(other), Token::Mark('='), Token::Text(own) | Token::Mixed(own)]
                if runs(own) && called.contains(other) =>
            {
                out.insert(other.clone(), own.clone());
            }
            [Token::Name(other), Token::Mark('='), Token::Name(_)] => {
                // The last name of a path that is not called.
                let path = tokens.get(at + 2..).unwrap_or_default();
                let end = path
                    .iter()
                    .position(|token| !matches!(token, Token::Name(_) | Token::Mark('.')))
                    .unwrap_or(path.len());
                let called = matches!(path.get(end), Some(Token::Mark('(' | '[') | Token::Text(_) | Token::Mixed(_)));
                if let (Some(Token::Name(own)), false) = (path.get(end.wrapping_sub(1)), called)
                    && runs(own)
                    && end < 8
                {
                    out.insert(other.clone(), own.clone());
                }
            }
            _ => {}
        }
    }
    out
}

fn is_template(code: &Code<'_>, tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1).and_then(|at| tokens.get(at)) == Some(&Token::Mark('$'))
        && ["Bun", "zx", "execa", "dax"].iter().any(|word| code.text.contains(word))
}

/// `.execute(`, `.rmtree(` after a literal.
fn names_run(tokens: &[Token], at: usize) -> bool {
    if (tokens.get(at), tokens.get(at + 1)) == (Some(&Token::Mark('.')), Some(&Token::Mark('!'))) {
        return true;
    }
    matches!((tokens.get(at), tokens.get(at + 1)), (Some(Token::Mark('.')), Some(Token::Name(name))) if matches!(name.as_str(), "execute" | "!" | "lines!"))
}

/// The value of `name = …`.
fn assigned(tokens: &[Token], at: usize, variables: &HashMap<String, Value>) -> Option<Value> {
    let mut next = at + 1;
    if tokens.get(next) == Some(&Token::Mark(':')) && tokens.get(next + 1) == Some(&Token::Mark('=')) {
        next += 1;
    }
    let plain = tokens.get(next) == Some(&Token::Mark('='))
        && !matches!(tokens.get(next + 1), Some(Token::Mark('=' | '>' | '~')));
    if !plain {
        return None;
    }
    match Folder::new(tokens, next + 1, variables).expression() {
        Value::Open => None,
        value => Some(value),
    }
}

/// The value that the call at `at` is made on.
fn receiver(tokens: &[Token], at: usize, variables: &HashMap<String, Value>) -> Option<Value> {
    let end = at.checked_sub(1).filter(|dot| tokens.get(*dot) == Some(&Token::Mark('.')))?;
    let (mut depth, mut begin) = (0_usize, end);
    while let Some(before) = begin.checked_sub(1) {
        let after_name = matches!(tokens.get(begin), Some(Token::Name(_)));
        match tokens.get(before)? {
            Token::Mark(')' | ']') => depth += 1,
            Token::Mark('(' | '[') if depth > 0 => depth -= 1,
            Token::Name(_) if depth == 0 && after_name => break,
            Token::Name(_) | Token::Text(_) | Token::Mixed(_) | Token::Mark('.' | ':') => {}
            _ if depth > 0 => {}
            _ => break,
        }
        begin = before;
    }
    Some(Folder::new(tokens.get(begin..end)?, 0, variables).expression())
}

fn named(code: &Code<'_>, tokens: &[Token], at: usize, variables: &HashMap<String, Value>, found: &mut Vec<Found>) {
    let Some(Token::Name(name)) = tokens.get(at) else { return };
    let mut begin = at + 1;
    // `open my $f, …`
    while matches!(tokens.get(begin), Some(Token::Name(word)) if matches!(word.as_str(), "my" | "our" | "local")) {
        begin += 1;
    }
    // `exec!`, `rm_rf!`
    if tokens.get(begin) == Some(&Token::Mark('!')) {
        begin += 1;
    }
    let runs = RUN.contains(&name.as_str()) || GUARDED.iter().any(|(own, _)| own == name);
    let evaluates = matches!(
        name.as_str(),
        "eval"
            | "exec"
            | "Function"
            | "compile"
            | "instance_eval"
            | "runInThisContext"
            | "runInNewContext"
            | "loadstring"
            | "load"
            | "assert"
    );
    let interesting = runs
        || evaluates
        || REMOVE.contains(&name.as_str())
        || matches!(
            name.as_str(),
            "open"
                | "kill"
                | "posix_kill"
                | "move"
                | "rename"
                | "renameSync"
                | "chmod"
                | "chmodSync"
                | "write"
                | "writeFile"
                | "writeFileSync"
                | "file_put_contents"
                | "binwrite"
                | "createWriteStream"
                | "fopen"
                | "File"
                | "write_text"
                | "write_bytes"
                | "openSync"
        );
    if !interesting {
        return;
    }
    let arguments = match tokens.get(begin) {
        Some(Token::Mark('(')) => Folder::new(tokens, begin + 1, variables).arguments(')'),
        Some(Token::Text(_) | Token::Mixed(_) | Token::List(_) | Token::Number(_) | Token::Mark('-' | '[' | '*')) => {
            Folder::new(tokens, begin, variables).arguments(';')
        }
        Some(Token::Quoted(_)) if matches!(name.as_str(), "$" | "run") => {
            Folder::new(tokens, begin, variables).arguments(';')
        }
        Some(Token::Name(next))
            if next.starts_with(['$', '@'])
                || variables.contains_key(next)
                || matches!(
                    next.as_str(),
                    "join"
                        | "chr"
                        | "scalar"
                        | "reverse"
                        | "decode_base64"
                        | "lc"
                        | "uc"
                        | "pack"
                        | "sprintf"
                        | "glob"
                        | "ENV"
                        | "Dir"
                        | "File"
                        | "Pathname"
                ) =>
        {
            Folder::new(tokens, begin, variables).arguments(';')
        }
        // perl's `<~>`
        Some(Token::Mark('<')) if REMOVE.contains(&name.as_str()) => {
            Folder::new(tokens, begin, variables).arguments(';')
        }
        _ => Vec::new(),
    };
    let arguments = match arguments.as_slice() {
        // `Pathname.new("/x").rmtree`
        [] if OF_PATHS.contains(&name.as_str()) => receiver(tokens, at, variables).into_iter().collect(),
        [] => return,
        _ => arguments,
    };
    let owner = match (tokens.get(at.wrapping_sub(2)), tokens.get(at.wrapping_sub(1))) {
        (owner, Some(Token::Mark('.'))) => owner,
        _ => None,
    };
    if evaluates && code.depth > 0 && code.language != Language::Javascript
        || evaluates && code.language == Language::Javascript && name != "exec"
    {
        for text in arguments.first().and_then(Value::word).iter().filter_map(Word::literal) {
            found.push(Found::Code(text.to_owned()));
        }
    }
    if evaluates && code.language == Language::Python {
        return;
    }
    match name.as_str() {
        "open" | "write" | "writeFile" | "writeFileSync" | "file_put_contents" | "binwrite" | "createWriteStream"
        | "fopen" | "File" | "openSync" => {
            opened(name, &arguments, found);
        }
        "kill" | "posix_kill" => {
            if arguments.iter().any(|value| matches!(value, Value::Number(-1)))
                || arguments
                    .first()
                    .and_then(Value::word)
                    .and_then(|word| word.literal().map(|text| text.starts_with('-')))
                    .unwrap_or(false)
                    && arguments.contains(&Value::Number(1))
            {
                found.push(Found::words(["kill", "-9", "-1"]));
            }
        }
        "move" | "rename" | "renameSync" => pair("mv", &arguments, found),
        "chmod" | "chmodSync" => chmod(&arguments, found),
        "write_text" | "write_bytes" => {}
        name if REMOVE.contains(&name) => remove(code, name, &arguments, found),
        name => {
            let guard = GUARDED.iter().find(|(own, _)| *own == name);
            let guarded = guard.is_none_or(|(_, words)| {
                words.iter().any(|word| code.text.contains(word)) || code.language.is_named(words)
            });
            // A pattern's `exec` starts nothing.
            let pattern = name == "exec"
                && code.language == Language::Javascript
                && (!["child_process", "execa", "shelljs", "Bun", "zx"].iter().any(|word| code.text.contains(word))
                    || owner == Some(&Token::Mark('/')));
            if guarded && !pattern {
                call(name, arguments, found);
            }
        }
    }
}

/// What a call that starts something starts.
fn call(name: &str, arguments: Vec<Value>, found: &mut Vec<Found>) {
    let mut words: Vec<Word> = Vec::new();
    for value in &arguments {
        match value {
            Value::Text(word) => words.push(word.clone()),
            value => lists(value, &mut words),
        }
    }
    let first = words.first().cloned();
    let listed = matches!(arguments.first(), Some(Value::List(_)));
    if let (Some(first), false) = (first, listed) {
        let many = words.len() > 1;
        if !many || first.literal().is_some_and(|text| text.contains([' ', '\t', ';', '|'])) {
            found.push(Found::Text(first));
        }
    }
    let named = ["execl", "execv", "spawnl", "spawnv", "posix_spawn"].iter().any(|start| name.starts_with(start));
    if named && words.len() > 2 {
        found.push(Found::Words(words.iter().skip(1).cloned().collect()));
    }
    if words.len() > 1 || listed {
        found.push(Found::Words(words));
    }
}

/// The words of every list in a value.
fn lists(value: &Value, words: &mut Vec<Word>) {
    match value {
        Value::List(list) => words.extend(list.iter().cloned()),
        Value::Parts(parts) => parts.iter().for_each(|part| lists(part, words)),
        Value::Text(_) | Value::Number(_) | Value::Open => {}
    }
}
