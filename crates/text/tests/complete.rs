//! Holds the catalogues complete: against each other, and against every `Message::new` of the workspace.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::disallowed_methods, missing_docs)]

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};
use palanca_core::{Catalogue as _, Message};
use palanca_text::{FluentCatalogue, Locale};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

type Variables = BTreeSet<String>;

fn catalogue(locale: Locale) -> BTreeMap<String, Variables> {
    let resource =
        fluent_syntax::parser::parse(locale.source()).unwrap_or_else(|(_, errors)| panic!("{locale}: {errors:?}"));
    let mut keys = BTreeMap::new();
    for entry in resource.body {
        match entry {
            Entry::Message(message) => {
                let pattern = message.value.expect("every message has a text");
                let before = keys.insert(message.id.name.to_owned(), variables(&pattern));
                assert!(before.is_none(), "{locale}: {} twice", message.id.name);
            }
            Entry::Junk { content } => panic!("{locale}: cannot be read: {content}"),
            _ => {}
        }
    }
    keys
}

/// The variables of a text, and in brackets the variants that it chooses between.
fn variables(pattern: &Pattern<&str>) -> Variables {
    let mut found = Variables::new();
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, &mut found);
        }
    }
    found
}

fn of_expression(expression: &Expression<&str>, found: &mut Variables) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, found),
        Expression::Select { selector, variants } => {
            of_inline(selector, found);
            for variant in variants {
                let name = match &variant.key {
                    VariantKey::Identifier { name } => name,
                    VariantKey::NumberLiteral { value } => value,
                };
                found.insert(format!("[{name}]"));
                found.extend(variables(&variant.value));
            }
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, found: &mut Variables) {
    match inline {
        InlineExpression::VariableReference { id } => drop(found.insert(id.name.to_owned())),
        InlineExpression::Placeable { expression } => of_expression(expression, found),
        InlineExpression::FunctionReference { arguments, .. } => {
            for argument in &arguments.positional {
                of_inline(argument, found);
            }
        }
        _ => {}
    }
}

/// Every Rust source of the workspace's crates, without tests.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut folders = vec![crates];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of this workspace") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                if !["tests", "benches", "target", "fuzz"].contains(&&*name) {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a source file");
                let code = text.split("#[cfg(test)]\nmod tests {").next();
                found.push((path.clone(), code.unwrap_or_default().to_owned()));
            }
        }
    }
    found
}

/// One `Message::new("key")` and the names that the chain of `.with("name", …)` behind it gives.
#[derive(Debug)]
struct Said {
    key: String,
    names: Variables,
}

fn messages(code: &str) -> Vec<Said> {
    let mut said = Vec::new();
    for (at, _) in code.match_indices("Message::new(") {
        let rest = &code[at + "Message::new(".len()..];
        let Some((key, after)) = literal(rest) else {
            continue;
        };
        let mut names = Variables::new();
        let mut rest = after.trim_start().trim_start_matches(')').trim_start();
        while let Some(call) = rest.strip_prefix(".with(") {
            let Some((name, _)) = literal(call) else {
                break;
            };
            names.insert(name.to_owned());
            rest = call[closing(call)..].trim_start();
        }
        said.push(Said { key: key.to_owned(), names });
    }
    said
}

fn literal(code: &str) -> Option<(&str, &str)> {
    code.trim_start().strip_prefix('"')?.split_once('"')
}

/// The index after the parenthesis that closes an open one, strings and characters skipped.
fn closing(code: &str) -> usize {
    let mut depth = 1;
    let mut quoted = false;
    let mut before = ' ';
    for (at, c) in code.char_indices() {
        match c {
            '"' if before != '\\' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
        before = c;
    }
    code.len()
}

fn given(wanted: &Variables, names: &Variables) -> bool {
    wanted.iter().all(|name| name.starts_with('[') || names.contains(name))
}

#[test]
fn both_languages_have_the_same_keys_and_variables() {
    assert_eq!(catalogue(Locale::En), catalogue(Locale::Es));
}

#[test]
fn every_message_is_in_the_catalogue_with_its_variables() {
    let catalogue = catalogue(Locale::En);
    let mut faults = Vec::new();
    for (path, code) in sources() {
        for said in messages(&code) {
            match catalogue.get(&said.key) {
                None => faults.push(format!("{}: no key '{}'", path.display(), said.key)),
                Some(wanted) if !given(wanted, &said.names) => {
                    faults.push(format!("{}: '{}' says {wanted:?} and gets {:?}", path.display(), said.key, said.names))
                }
                Some(_) => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Words of English sentences; none of them is Spanish, a name, or what the documents call a thing in both languages.
const ENGLISH: [&str; 44] = [
    "the", "is", "not", "with", "and", "are", "cannot", "there", "which", "this", "that", "was", "were", "only",
    "none", "nothing", "works", "agree", "valid", "seconds", "second", "minutes", "hours", "days", "steps", "lines",
    "files", "folder", "write", "delete", "move", "send", "failed", "because", "yes", "allowed", "denied", "missing",
    "found", "more", "than", "from", "into", "unknown",
];

/// What stands in quotation marks of any kind, or is a value of JSON, is somebody's word or a name.
fn without_quotes(text: &str) -> String {
    let mut quoted = None;
    let keep = |one: char| match (quoted, one) {
        (None, '`' | '"' | '\'') => {
            quoted = Some(one);
            ' '
        }
        (None, '«') => {
            quoted = Some('»');
            ' '
        }
        (Some(end), _) if one == end => {
            quoted = None;
            ' '
        }
        (Some(_), _) => ' ',
        (None, _) => one,
    };
    text.chars().map(keep).collect()
}

#[test]
fn no_english_stands_in_a_spanish_sentence() {
    let spanish = FluentCatalogue::new(Locale::Es);
    let mut faults = Vec::new();
    // The contracts' documents prescribe these words.
    let prescribed = ["remote-not-connected", "web-fetch-failed"];
    let sentences = catalogue(Locale::Es).into_iter().filter(|(key, _)| !prescribed.contains(&&**key));
    for (key, variables) in sentences {
        for value in ["1", "2", "X"] {
            let key: &'static str = key.clone().leak();
            let said = variables.iter().filter(|name| !name.starts_with('[')).fold(Message::new(key), |said, name| {
                let name: &'static str = name.clone().leak();
                said.with(name, value)
            });
            let text = without_quotes(&spanish.render(&said).to_lowercase());
            let words: Vec<&str> = text.split(|one: char| !one.is_alphanumeric() && one != '_' && one != '-').collect();
            let english = words.iter().find(|word| ENGLISH.contains(word));
            let plural = words.windows(2).find(|pair| {
                pair[0] == "1"
                    && ["segundos", "minutos", "horas", "días", "pasos", "líneas", "archivos"].contains(&pair[1])
            });
            if english.is_some() || (plural.is_some() && !NEVER_ONE.contains(&key)) {
                faults.push(format!("{key} with {value}: {english:?} {plural:?} in {}", spanish.render(&said)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_sentence_within_a_sentence_is_in_the_same_language() {
    let effect = Message::new("effect-write").with("path", "a.txt");
    let rule = Message::new("rule-draft-again").with("what", effect);
    assert_eq!(FluentCatalogue::new(Locale::En).render(&rule), "in this session: write a.txt, whatever the content");
    assert_eq!(
        FluentCatalogue::new(Locale::Es).render(&rule),
        "en esta sesión: escribir a.txt, sea cual sea el contenido"
    );
}

#[test]
fn a_number_in_words_chooses_the_plural_form() {
    for (value, expected) in [("1", "1 segundo)"), ("1.5", "1.5 segundos)"), ("30", "30 segundos)")] {
        let said = Message::new("hook-failure-timeout").with("seconds", value);
        let text = FluentCatalogue::new(Locale::Es).render(&said);
        assert!(text.ends_with(expected.trim_end_matches(')')), "{text}");
    }
    for name in ["007", "1e3", "inf", "1.", ".5", "12345678901234567890"] {
        let said = Message::new("effect-write").with("path", name);
        assert_eq!(FluentCatalogue::new(Locale::En).render(&said), format!("write {name}"));
    }
}

#[test]
fn no_key_is_unused() {
    let everything: String = sources().into_iter().map(|(_, code)| code).collect();
    // Between two quotation marks stands a key or something else.
    let quoted: HashSet<&str> = everything.split('"').collect();
    let unused: Vec<String> = catalogue(Locale::En).into_keys().filter(|key| !quoted.contains(key.as_str())).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_scanner_reads_chains() {
    let code = r#"Message::new("a-b")
        .with("x", f(")", 1))
        .with("y", &g)"#;
    let said = messages(code);
    assert_eq!(said[0].key, "a-b");
    assert_eq!(said[0].names, ["x".to_owned(), "y".to_owned()].into());
}

/// Each sentence in each variant, with numbers and with words: nothing is left unfilled, and every value is shown somewhere.
#[test]
fn every_sentence_can_be_said() {
    for locale in Locale::ALL {
        let catalogue = FluentCatalogue::new(locale);
        for (key, variables) in catalogue_keys(locale) {
            let variants: Vec<&str> = variables.iter().filter_map(|name| name.strip_prefix('[')).collect();
            let words = variants.iter().map(|variant| variant.trim_end_matches(']')).chain(["x", "7"]);
            let mut said = BTreeSet::new();
            for word in words {
                let mut message = Message::new(key);
                for name in variables.iter().filter(|name| !name.starts_with('[')) {
                    let name: &'static str = name.clone().leak();
                    message = match word.parse::<i64>() {
                        Ok(number) => message.with(name, number),
                        Err(_) => message.with(name, word),
                    };
                }
                let sentence = catalogue.render(&message);
                assert!(!sentence.contains("{$") && !sentence.contains("{ "), "{locale}: {sentence}");
                assert!(!sentence.is_empty() && sentence != key, "{locale}: {key}");
                said.insert(sentence);
            }
            let differ = variants.iter().filter(|variant| variant.parse::<i64>().is_err()).count();
            assert!(said.len() >= differ.min(2), "{locale}: {key} says the same for every variant: {said:?}");
        }
    }
}

/// Words after a number 1 that end like a plural and are none.
const SINGULAR: [&str; 16] = [
    "is",
    "was",
    "has",
    "does",
    "es",
    "points",
    "belongs",
    "holds",
    "redirects",
    "limits",
    "refuses",
    "ignores",
    "needs",
    "agrees",
    "works",
    "más",
];

/// Sentences that name what never is one: sizes above a limit, sizes of what has a head to be known by, the occurrences of a text that is not unique, the third
/// failure in a row.
const NEVER_ONE: [&str; 17] = [
    "note-too-long",
    "skill-field-long",
    "read-line-cut",
    "file-too-large-to-change",
    "hook-failure-too-long",
    "edit-not-unique",
    "edit-not-unique-or-all",
    "agent-gates-again",
    "loop-refuse",
    "loop-warn",
    "patch-remark",
    "patch-hunk-unfit",
    "page-image",
    "page-pdf-cut",
    "page-pdf-pages",
    "web-fetch-cut-bytes",
    "web-search-too-long",
];

#[test]
fn one_of_a_thing_is_said_in_the_singular() {
    let mut faults = Vec::new();
    for locale in Locale::ALL {
        let catalogue = FluentCatalogue::new(locale);
        for (key, variables) in catalogue_keys(locale).into_iter().filter(|(key, _)| !NEVER_ONE.contains(key)) {
            let names = variables.into_iter().filter(|name| !name.starts_with('['));
            let message = names.fold(Message::new(key), |message, name| message.with(&*name.leak(), 1));
            let sentence = catalogue.render(&message);
            let words: Vec<&str> = sentence.split_whitespace().collect();
            let is_plural = |word: &str| {
                let word = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
                word.starts_with(char::is_alphabetic)
                    && word.len() > 1
                    && word.ends_with('s')
                    && !SINGULAR.contains(&word)
            };
            let counts = |word: &str| word.trim_start_matches(|c: char| c.is_ascii_punctuation()) == "1";
            if words.windows(2).any(|pair| counts(pair[0]) && is_plural(pair[1])) {
                faults.push(format!("{locale}: {key}: {sentence}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn catalogue_keys(locale: Locale) -> Vec<(&'static str, Variables)> {
    catalogue(locale).into_iter().map(|(key, variables)| (&*key.leak(), variables)).collect()
}

/// Calls of the binary's rooms that show a text to a person.
const SHOWN: [&str; 7] = [
    "stderr::line(",
    "stderr::warning(",
    "stderr::prompt(",
    "stdout::text(",
    "stdout::piece(",
    "Failure::usage(",
    "anyhow!(",
];

/// Literals that stay: none but those whose words are the same in every language.
const STAY: [&str; 0] = [];

/// The string literals of a piece of code.
fn literals(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = None;
    let mut escaped = false;
    for (at, c) in code.char_indices() {
        match (c, from) {
            _ if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            ('"', None) => from = Some(at + 1),
            ('"', Some(start)) => {
                found.push(&code[start..at]);
                from = None;
            }
            _ => {}
        }
    }
    found
}

/// Two words with a space between them, placeholders left out.
fn is_sentence(literal: &str) -> bool {
    let mut depth = 0;
    let plain: String = literal
        .replace("\\n", "\n")
        .chars()
        .map(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth > 0 || c == '}' { '.' } else { c }
        })
        .collect();
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.len() > 1 && word.chars().all(char::is_alphabetic)
    };
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.windows(2).any(|pair| pair.iter().all(is_word))
}

/// Sentences in the arguments of calls that show them.
fn uncatalogued(code: &str) -> Vec<String> {
    let calls = SHOWN.iter().flat_map(|call| code.match_indices(call).map(move |(at, _)| at + call.len()));
    let shown = calls.flat_map(|at| {
        let rest = &code[at..];
        literals(&rest[..closing(rest) - 1])
    });
    shown.filter(|literal| is_sentence(literal) && !STAY.contains(literal)).map(str::to_owned).collect()
}

#[test]
fn the_binary_says_nothing_that_is_not_in_the_catalogue() {
    let mut faults = Vec::new();
    for (path, code) in sources() {
        if path.components().any(|part| part.as_os_str() == "cli") {
            faults.extend(uncatalogued(&code).iter().map(|literal| format!("{}: {literal}", path.display())));
        }
    }
    assert!(faults.is_empty(), "make these keys of the catalogue:\n{}", faults.join("\n"));
}

#[test]
fn sentences_are_told_from_layouts() {
    for (code, expected) in [
        (r#"stderr::line("two words")"#, &["two words"][..]),
        (r#"stderr::warning(&format!("{error}: nothing is kept"))"#, &["{error}: nothing is kept"]),
        (r#"Failure::usage(format!("no (\"{x}\") is", y("a b")))"#, &[]),
        (r#"Failure::usage(format!("no file", y("a bc")))"#, &["no file"]),
        (r#"stdout::text(&format!("{a} {b:<10}\n{some name}"))"#, &[]),
        (r#"other("two words")"#, &[]),
    ] {
        assert_eq!(uncatalogued(code), expected, "{code}");
    }
}
