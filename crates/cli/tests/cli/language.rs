//! English or Spanish, and never both: what is said, in which language, and who decides.

use super::harness::{Bench, ended};

/// Words of sentences; none of them is a word of the other language, an option, a key, a word of diffs or of the reader
/// of JSON, or something that a row shows.
const ENGLISH: [&str; 25] = [
    "the", "is", "not", "with", "and", "are", "no such", "cannot", "warning", "would", "there", "which", "this",
    "that", "was", "were", "only", "steps", "run", "none", "nothing", "works", "version", "agree", "valid",
];
const SPANISH: [&str; 24] = [
    "el", "la", "los", "las", "no se", "una", "que", "con", "aviso", "para", "pasos", "hay", "esta", "archivo", "por",
    "del", "leer", "escribir", "ejecutar", "sin", "ninguna", "nada", "versión", "válida",
];

fn words(text: &str) -> String {
    let words: String = text
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphabetic() || matches!(c, '-' | '_') { c } else { ' ' })
        .collect();
    format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn of(text: &str, list: &[&'static str]) -> Vec<&'static str> {
    let words = words(text);
    list.iter().copied().filter(|word| words.contains(&format!(" {word} "))).collect()
}

const CONFIG: &str = "workspace: {readable_roots: [\"/nowhere\"]}\n";

/// Commands and what they are told on stdin.
const SITUATIONS: &[(&[&str], &str)] = &[
    (&["doctor"], ""),
    (&["--mode", "yolo", "call", "write_file", r#"{"path": "a.txt", "content": "x\n"}"#], ""),
    (&["call", "write_file", r#"{"path": "b.txt", "content": "x"}"#], ""),
    (&["--dry-run", "call", "write_file", r#"{"path": "b.txt", "content": "x"}"#], ""),
    (&["--dry-run", "call", "run_command", r#"{"command": "make x"}"#], ""),
    (&["call", "read_file", r#"{"path": "missing.txt"}"#], ""),
    (&["call", "read_file", r#"{"path": "../x"}"#], ""),
    (&["call", "read_file", r#"{"path": "empty.txt"}"#], ""),
    (&["call", "nope", "{}"], ""),
    (&["call", "--batch", "-"], "{\"x\": 1}\n"),
    (&["call", "--batch", "absent.jsonl"], ""),
    (&["explain", "edit_file", r#"{"path": "m.rs", "old_str": "a", "new_str": "b"}"#], ""),
    (&["explain", "run_command", r#"{"command": "ls; rm -rf x; make"}"#], ""),
    (&["explain", "move_file", r#"{"source": "m.rs", "destination": "n.rs"}"#], ""),
    (&["check", "paths", "-"], "{\"input\": \"m.rs\", \"op\": \"fly\", \"expect\": \"allow\"}\n{}\n"),
    (&["check", "paths", "-"], "{\"input\": \"m.rs\", \"op\": \"read\", \"expect\": \"allow\"}\n"),
    (&["check", "paths", "-"], "{\"input\": \"m.rs\", \"op\": \"move\", \"expect\": \"deny\"}\n"),
    (&["agents"], ""),
    (&["tools", "show", "nope"], ""),
    (&["config", "check"], ""),
    (&["config", "trust"], ""),
    (&["sessions", "list"], ""),
    (&["sessions", "show", "latest"], ""),
    (&["sessions", "show", "zzz"], ""),
    (&["--dry-run", "sessions", "undo", "latest"], ""),
    (&["sessions", "undo", "latest"], ""),
    (&["approvals", "list"], ""),
    (&["approvals", "show", "x"], ""),
    (&["approvals", "rules"], ""),
    (&["approvals", "revoke", "x"], ""),
    (&["audit", "verify"], ""),
    (&["run", "x"], ""),
    (&["run", "x", "--agent", "nobody", "--model", "replay:absent"], ""),
    (&["run", "x", "--model", "replay:absent"], ""),
    (&["run", "x", "--model", "openai:m"], ""),
    (&["--workspace", "absent", "call", "list_files", "{}"], ""),
    (&["--config", "absent.yaml", "config", "show"], ""),
    (&["--config", "roots.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "loops.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "off.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "empty-pattern.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "glob.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "allow.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "safe.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "no-command.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "file-pattern.yaml", "call", "list_files", "{}"], ""),
    (&["--config", "mode.yaml", "call", "list_files", "{}"], ""),
    (&["approvals", "answer", "x", "maybe"], ""),
];

fn bench() -> Bench {
    Bench::new(&[
        ("m.rs", "a\n"),
        ("empty.txt", ""),
        ("roots.yaml", CONFIG),
        ("loops.yaml", "loops: {warn: 9, refuse: 5, stop: 8}\n"),
        ("empty-pattern.yaml", "guardrails: {blocked_commands: [' ']}\n"),
        ("glob.yaml", "guardrails: {protected_files: ['/']}\n"),
        ("allow.yaml", "secrets: {allow: ['*']}\n"),
        ("safe.yaml", "commands: {safe_commands: [' ']}\n"),
        ("no-command.yaml", "hooks: {pre_tool_use: [{command: ' '}]}\n"),
        ("file-pattern.yaml", "hooks: {post_tool_use: [{command: x, file_patterns: ['[']}]}\n"),
        ("mode.yaml", "hooks: {processes: [{command: x, modes: [fly]}]}\n"),
        ("off.yaml", "guardrails: {enabled: false, protected_files: [\"x\"]}\n"),
    ])
}

/// What a command says, without what it was given: its own path and words.
fn said(bench: &Bench, language: &str, (arguments, stdin): &(&[&str], &str)) -> String {
    let whole: Vec<&str> = ["--lang", language].into_iter().chain(arguments.iter().copied()).collect();
    let ended = bench.run_with(&whole, stdin);
    let folder = bench.workspace().parent().unwrap().display().to_string();
    format!("{}\n{}", ended.stdout, ended.stderr).replace(&folder, "")
}

#[track_caller]
fn check(language: &str, foreign: &[&'static str]) {
    let bench = bench();
    let faults: Vec<String> = SITUATIONS
        .iter()
        .filter_map(|situation| {
            let text = said(&bench, language, situation);
            let found = of(&text, foreign);
            (!found.is_empty()).then(|| format!("{:?}: {found:?} in\n{text}", situation.0))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn spanish_has_no_english_words() {
    check("es", &ENGLISH);
}

#[test]
fn english_has_no_spanish_words() {
    check("en", &SPANISH);
}

#[test]
fn the_system_language_is_the_fallback() {
    let bench = bench();
    for (set, arguments, is_spanish) in [
        (&[("LANG", "es_ES.UTF-8")][..], &["sessions", "list"][..], true),
        (&[("LANG", "C")], &["sessions", "list"], false),
        (&[("LANG", "de_DE.UTF-8")], &["sessions", "list"], false),
        (&[], &["sessions", "list"], false),
        (&[("LANG", "es_ES.UTF-8"), ("LC_ALL", "C.UTF-8")], &["sessions", "list"], false),
        (&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "es_MX.UTF-8")], &["sessions", "list"], true),
        (&[("LANG", "es_ES.UTF-8")], &["--lang", "en", "sessions", "list"], false),
        (&[("LANG", "es_ES.UTF-8"), ("PALANCA_LANG", "en")], &["sessions", "list"], false),
        (&[("LANG", "es_ES.UTF-8")], &["--config", "english.yaml", "sessions", "list"], false),
        (&[], &["--config", "spanish.yaml", "sessions", "list"], true),
        (&[("LANG", "es_ES.UTF-8")], &["--config", "spanish.yaml", "--lang", "en", "sessions", "list"], false),
    ] {
        bench.write("english.yaml", "language: en\n");
        bench.write("spanish.yaml", "language: es\n");
        let mut command = bench.command(arguments);
        command.envs(set.iter().copied());
        let ended = ended(command.output().unwrap()).expect(0);
        let expected =
            if is_spanish { "Todavía no hay ninguna sesión guardada.\n" } else { "There are no sessions yet.\n" };
        assert_eq!(ended.stdout, expected, "{set:?} {arguments:?}");
    }
}

/// The configuration cannot be read, so the flag and the system decide.
#[test]
fn a_broken_configuration_is_told_of_in_the_persons_language() {
    let bench = Bench::new(&[("palanca.yaml", "nonsense: 1\n")]);
    let mut command = bench.command(&["doctor"]);
    command.env("LANG", "es_ES.UTF-8");
    let ended = ended(command.output().unwrap()).expect(1);
    assert!(ended.stdout.contains("arregla la configuración"), "{}", ended.stdout);
    let ended = bench.run(&["--config", "absent.yaml", "--lang", "es", "config", "show"]).expect(3);
    assert!(ended.stderr.contains("no se puede leer"), "{}", ended.stderr);
}

/// Records are read by programs and by whoever audits: one language, whatever the person's.
#[test]
fn records_stay_english() {
    let bench = bench();
    bench.run(&["--lang", "es", "call", "read_file", r#"{"path": ".env"}"#]).expect(6);
    let shown = bench.run(&["--lang", "es", "audit", "show"]).expect(0).stdout;
    assert_eq!(of(&shown, &SPANISH), Vec::<&str>::new(), "{shown}");
}
