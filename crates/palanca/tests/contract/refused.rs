//! What must not compile. Each file of `refused` says before a line which errors the compiler must tell of it, and there
//! must be no others: `//~ E0451 … private` is a code and parts of the message, its labels and its notes.

use palanca_testkit_compiler::command_line;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The compiler with the crates that this binary is linked with.
fn compiler() -> Command {
    let words = command_line!();
    let mut command = Command::new(words[0]);
    for pair in words.windows(2).filter(|pair| ["-L", "--extern"].contains(&pair[0])) {
        command.args(pair);
    }
    command.args(["--edition", "2024", "--emit", "metadata", "--error-format", "json"]);
    command
}

/// The line of the file, whatever macro the code comes from.
fn line(span: &Value, file: &Path) -> Option<u64> {
    let here = span["file_name"].as_str().is_some_and(|name| Path::new(name) == file);
    if here { span["line_start"].as_u64() } else { line(span.get("expansion")?.get("span")?, file) }
}

/// The errors that it tells of this file: the line, and the text.
fn errors(file: &Path) -> Vec<(usize, String)> {
    let folder = tempfile::tempdir().unwrap();
    let output = compiler().arg("--out-dir").arg(folder.path()).arg(file).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let messages = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{told}")));
    let errors = messages.filter(|message| message["level"] == "error").filter_map(|message| {
        let spans = message["spans"].as_array()?;
        // The last words, how many errors there were, are about no line.
        let primary = spans.iter().find(|span| span["is_primary"] == true)?;
        let texts = [&message["code"]["code"], &message["message"]].into_iter();
        let labels = spans.iter().map(|span| &span["label"]);
        let notes = message["children"].as_array()?.iter().map(|note| &note["message"]);
        let texts: Vec<&str> = texts.chain(labels).chain(notes).filter_map(Value::as_str).collect();
        Some((line(primary, file).map_or(0, |line| line as usize), texts.join("\n")))
    });
    errors.collect()
}

/// What the file says of itself: the line, and the parts.
fn expected(text: &str) -> Vec<(usize, Vec<&str>)> {
    let (mut expected, mut waiting) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        match line.trim_start().strip_prefix("//~ ") {
            Some(parts) => waiting.push(parts.split(" … ").collect()),
            None => expected.extend(waiting.drain(..).map(|parts| (at + 1, parts))),
        }
    }
    expected
}

#[test]
fn what_must_not_compile_does_not() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract/refused");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 4);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut errors = errors(&file);
        let (told, mut missing) = (format!("{errors:#?}"), expected(&text));
        missing.retain(|(line, parts)| {
            let is = |error: &(usize, String)| error.0 == *line && parts.iter().all(|part| error.1.contains(part));
            errors.iter().position(is).map(|at| errors.remove(at)).is_none()
        });
        let name = file.display();
        assert!(
            missing.is_empty() && errors.is_empty(),
            "{name}: not told {missing:#?}, in {told}, too many {errors:#?}"
        );
    }
}
