//! Answers that stay answers, and calls that cannot be read.

use super::*;

const CALL: &str = r#"<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>"#;

#[test]
fn what_is_said_is_not_done() {
    for model in ["qwen3", "local", "llama-3.1", "gemma-3", "xlam", "functionary", "deepseek-r1", "gpt-oss"] {
        for text in [
            "Plain.".to_owned(),
            String::new(),
            format!("Such a call looks like this:\n```\n{CALL}\n```\nShall I make it?"),
            format!("Such a call looks like this:\n```\n{CALL}\n```"),
            format!("Such a call looks like this:\n~~~text\n{CALL}"),
            format!("````md\n```\n{CALL}\n```\n{CALL}"),
            format!("<think>I could {CALL}</think>\nWhich file?"),
            format!("<think>I could {CALL}"),
            format!("{CALL} would read it. Shall I?"),
            format!("> {CALL}"),
            format!("Write `{CALL}`"),
            format!("Write \"{CALL}"),
            format!("As code:\n\n    {CALL}"),
            "Hermes models use <tool_call> and </tool_call> around JSON.".to_owned(),
            "In Qwen's template the mark is <tool_call>".to_owned(),
            "The tags are `<tool_call>`, `<function=NAME>`, `[TOOL_CALLS]` and `<|python_tag|>`".to_owned(),
            "```rust\nfn main() { let a = \"{\"; }\n```\nand\n```json\n{\"a\": 1}\n```\nend".to_owned(),
            "```python\nprint('x')\n```".to_owned(),
            r#"{"name": "read_file"}"#.to_owned(),
            r#"{"name": "read_file", "description": "reads", "arguments": 3}"#.to_owned(),
            r#"{"name": "read_file", "descr"#.to_owned(),
            "[link](target) and more".to_owned(),
            "[1, 2]".to_owned(),
            "[x] done\n[ ] open".to_owned(),
            "{ not json".to_owned(),
            "ends with ``".to_owned(),
            "<tool_cal".to_owned(),
            "a < b && c > d, vec<T>, <div class=\"x\">y</div>".to_owned(),
            "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch".to_owned(),
            ">>> import os\n>>> os.name".to_owned(),
            "import functools\nfunctools.reduce".to_owned(),
            "\\begin{itemize}\\item[a] $x_{1} < y$ \\end{itemize}".to_owned(),
            "<xs:complexType name=\"call\"><xs:sequence/></xs:complexType>".to_owned(),
            "Review: `parse()` should not unwrap; see [docs](a.md).\n\n| a | b |\n|---|---|\n| `<` | `>` |".to_owned(),
            "- [TOOL_CALLS] is Mistral's mark.\n- <|python_tag|> is Llama's.".to_owned(),
            "Mistral writes [TOOL_CALLS] first.".to_owned(),
            "Mistral writes [TOOL_CALLS] first".to_owned(),
            "Solar's mark is <|tool_calls|> and DeepSeek's is <｜tool▁calls▁begin｜> there".to_owned(),
            "Kimi opens a section with <|tool_calls_section_begin|>".to_owned(),
            "Python's module is functools".to_owned(),
            "functools".to_owned(),
            "In JavaScript: a >>>b".to_owned(),
            "Send it to=functions.read_file or so".to_owned(),
            "The answer holds <tool_call>{\"name\": …}</tool_call> blocks, one for each call.".to_owned(),
            "<tools>\n  <tool name=\"x\"/>\n</tools>".to_owned(),
            format!("Use '{CALL}' or <q>{CALL}</q>"),
            "Don't use ' or ` alone. It`s odd.".to_owned(),
        ] {
            check(model, &text, &text, "");
        }
    }
}

#[test]
fn a_model_is_read_by_its_own_rows() {
    for text in [
        "<|python_tag|>{\"name\": \"read_file\", \"parameters\": {}}",
        "[TOOL_CALLS]list_files{}",
        "functools[{\"name\": \"list_files\"}]",
    ] {
        check("qwen3", text, text, "");
    }
    check("llama-3.1", CALL, CALL, "");
}

#[test]
fn fences_never_count_where_the_server_knows_tools() {
    let offered = offers();
    let names = Names::new(&offered);
    for model in ["gemma-3", "xlam-2"] {
        let text = "```tool_code\nlist_files()\n```\n";
        let mut scanner = Scanner::new(model, Fences::Quote);
        let shown = scanner.push(text.to_owned(), &names);
        let last = scanner.finish(&names);
        assert_eq!((format!("{shown}{}", last.text).as_str(), last.ending), (text, Ending::Words));
    }
}

#[test]
fn a_call_that_cannot_be_read_is_no_answer() {
    for (model, words, text, cause) in [
        ("qwen3", "I write. ", r#"<tool_call>{"name": "write_file", "argum"#, "cut off"),
        ("qwen3", "", r#"<tool_call>{"name": "write_file", "arguments": {"path": "a"}"#, "cut off"),
        ("qwen3", "", r#"<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_c"#, "cut off"),
        (
            "qwen3",
            "",
            r#"<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call><tool_call>{"na"#,
            "cut off",
        ),
        ("qwen3", "", r#"<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call><tool_"#, "cut off"),
        ("qwen3", "Now.\n", "<tool_call>", "cut off"),
        ("qwen3", "", r#"<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>"#, "no tool delete_all"),
        ("qwen3", "", "<tool_call>{'name': 'read_file'}</tool_call>", "unreadable"),
        ("qwen3", "", r#"<tool_call>{"path": "a"}</tool_call>"#, "unreadable"),
        ("qwen3", "", "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"</tool_call>", "unreadable"),
        ("qwen3-coder", "", "<tool_call><function=read_file><parameter=path>a", "cut off"),
        ("qwen3-coder", "", "<tool_call><function=read_file><parameter=path>a</parameter></func", "cut off"),
        ("glm-4.5", "", "<tool_call>read_file<arg_key>path</arg_key><arg_value>a", "cut off"),
        ("mistral", "", "[TOOL_CALLS]read_file[ARGS]{\"path\": ", "cut off"),
        ("mistral", "", "[TOOL_CALLS]read_file and so on", "unreadable"),
        ("deepseek", "", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{\"path\": \"a", "cut off"),
        (
            "kimi-k2",
            "",
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.gone:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
            "no tool functions.gone:0",
        ),
        (
            "gpt-oss",
            "",
            "<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{\"path\"",
            "cut off",
        ),
        ("llama-4", "", "[read_file(path=\"a", "cut off"),
        ("llama-3.2", "", r#"{"name": "read_file", "parameters": {"path""#, "cut off"),
        ("llama-3.2", "", r#"{"name": "gone", "parameters": {}}"#, "no tool gone"),
        ("minimax-m2", "", "<minimax:tool_call><invoke name=\"read_file\"><parameter name=\"path\">a", "cut off"),
    ] {
        let whole = format!("{words}{text}");
        // What had turned out to be no call was shown.
        let shown = if cause == "unreadable" { &whole } else { words };
        check(model, &whole, shown, cause);
        if !text.starts_with('{') {
            check("local", &whole, shown, cause);
        }
    }
    // JSON that names no tool may be any JSON.
    let text = r#"{"name": "Ada", "parameters": {}}"#;
    check("local", text, text, "");
}

/// The documentation and the sources of this house, as answers.
#[test]
fn no_call_is_read_in_prose_and_code() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut texts = Vec::new();
    for folder in [
        "docs",
        "crates/models/src/embedded",
        "crates/models/src/embedded/tests",
        "crates/core/src/gate",
        "crates/text/locales",
    ] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            texts.extend(std::fs::read_to_string(entry.unwrap().path()).ok());
        }
    }
    assert!(texts.len() > 50, "{}", texts.len());
    for text in texts {
        for model in
            ["local", "qwen3", "llama-3.1", "glm-4.5", "functionary", "deepseek-v3.2", "xlam", "gemma-3", "minimax-m2"]
        {
            for size in [20, usize::MAX] {
                let (shown, ending) = scan(model, &text, size);
                assert!(shown == text && ending.is_empty(), "{model}: {ending} in {text:.200}");
            }
        }
    }
}
