//! The document *Agents Tools - Contratos*: each of its examples, input and output compared literally, through the gate.

use crate::support::{builder, done, failed, gate};
use palanca_testkit::{TempWorkspace, TestGate};
use palanca_text::Locale;
use palanca_tools::{ToolOptions, ToolsetName};
use serde_json::{Value, json};

/// The document's text: its examples are read from here and nowhere else.
const DOCUMENT: &str = include_str!("data/contracts.md");

/// The JSON after this heading of a tool's chapter.
fn example(tool: &str, heading: &str) -> Value {
    let chapter = DOCUMENT.split(&format!("### {tool}\n")).nth(1).unwrap();
    let chapter = chapter.split("\n### ").next().unwrap();
    let block = chapter.split(&format!("{heading}:\n")).nth(1).unwrap();
    let json = block.split("```json\n").nth(1).unwrap().split("\n```").next().unwrap();
    serde_json::from_str(json).unwrap()
}

fn workspace() -> TempWorkspace {
    let main = "x".repeat(1020);
    let button = format!("export function Button() {{ {} }}", "/".repeat(2048 - 29));
    TempWorkspace::with(&[
        ("apps/webapp/src/domains/identity.ts", "// nothing\n"),
        ("apps/webapp/src/routes/index.ts", "// nothing\n"),
        ("apps/webapp/src/main.tsx", &main),
        ("apps/webapp/src/styles.css", "body {}\n"),
        ("src/components/button.tsx", &button),
        ("src/auth/login.tsx", "export function LoginForm() {\n  return null\n}\n"),
    ])
}

fn shaped(gate: &TestGate) -> palanca_core::Toolset {
    gate.shaped(ToolsetName::Contracts)
}

/// The example's input must give the example's output: the same values, the same fields in the same order.
async fn holds(gate: &TestGate, tool: &str) {
    let (input, output) = (example(tool, "Input"), example(tool, "Output"));
    let result = gate.call(tool, input.clone()).await.to_json(shaped(gate).shape());
    let expected = json!({"name": tool, "input": input, "output": output});
    assert_eq!(result, expected, "{tool}");
    assert_eq!(result.to_string(), expected.to_string(), "{tool}: the order of fields, too");
}

#[tokio::test]
async fn every_example_of_the_document() {
    let workspace = workspace();
    for locale in Locale::ALL {
        let gate = builder(&workspace, ToolsetName::Contracts, &ToolOptions::default()).locale(locale).build();
        for tool in ["list_dirs", "list_files", "search_code", "todo_manager", "validate_output"] {
            holds(&gate, tool).await;
        }
    }
}

/// The document writes `...` for what it leaves out of a content of 2,048 bytes.
#[tokio::test]
async fn the_example_of_read_file() {
    let workspace = workspace();
    let gate = gate(&workspace, ToolsetName::Contracts);
    let mut expected =
        json!({"name": "read_file", "input": example("read_file", "Input"), "output": example("read_file", "Output")});
    let content = expected["output"]["content"].as_str().unwrap().replace("...", &"/".repeat(2048 - 29));
    expected["output"]["content"] = content.into();
    let result = gate.call("read_file", example("read_file", "Input")).await;
    assert_eq!(result.to_json(shaped(&gate).shape()).to_string(), expected.to_string());
    assert_eq!(result.output, expected["output"].to_string(), "the text is the JSON");
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_a_result_with_an_error() {
    let gate = gate(&workspace(), ToolsetName::Contracts);
    let input = json!({"path": "src"});
    let result = gate.call("write_file", input.clone()).await.to_json(shaped(&gate).shape());
    let error = result["error"].as_str().unwrap();
    assert!(error.starts_with("Tool not found: 'write_file'"), "{error}");
    assert_eq!(result, json!({"name": "write_file", "input": input, "error": error}));
}

#[tokio::test]
async fn the_toolset_is_the_documents_table() {
    let gate = builder(&workspace(), ToolsetName::Contracts, &ToolOptions::default()).build();
    let names: Vec<String> = gate
        .gate
        .registry()
        .get_definitions()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect();
    let table = DOCUMENT.split("## Contratos de tools").nth(1).unwrap().split("\n---").next().unwrap();
    let mut listed: Vec<&str> =
        table.lines().filter_map(|row| row.strip_prefix("| ")).filter_map(|row| row.split(" |").next()).collect();
    listed.retain(|name| !matches!(*name, "Tool" | "---"));
    listed.sort_unstable();
    assert_eq!(names, listed);
    let items = gate.toolset.get("todo_manager").unwrap().schema()["properties"]["items"].clone();
    assert_eq!(items["maxItems"], 15, "{items}");
    let keys = |tool: &str| {
        let schema = gate.toolset.get(tool).unwrap().schema().clone();
        let all: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        (all.join(" "), schema["required"].clone())
    };
    assert_eq!(keys("list_dirs"), ("path depth limit".to_owned(), Value::Null));
    assert_eq!(keys("list_files"), ("path pattern limit".to_owned(), Value::Null));
    assert_eq!(keys("read_file"), ("path".to_owned(), json!(["path"])));
    assert_eq!(keys("search_code"), ("query filePattern limit includeIgnored".to_owned(), json!(["query"])));
    assert_eq!(keys("todo_manager"), ("items".to_owned(), json!(["items"])));
    assert_eq!(keys("validate_output"), ("outputType data".to_owned(), json!(["outputType", "data"])));
}

#[tokio::test]
async fn content_above_100_kb_is_cut_at_a_character_and_its_size_is_true() {
    let workspace = TempWorkspace::new();
    let gate = gate(&workspace, ToolsetName::Contracts);
    for (content, kept, truncated) in [
        ("a".repeat(102_400), 102_400, false),
        ("a".repeat(102_401), 102_400, true),
        (format!("{}ñx", "a".repeat(102_399)), 102_399, true),
        (format!("{}🦀x", "a".repeat(102_397)), 102_397, true),
        ("línea\n".repeat(60_000), 102_396, true),
        (String::new(), 0, false),
    ] {
        workspace.write("big.txt", &content);
        let data = done(&gate, "read_file", json!({"path": "big.txt"})).await.data.unwrap();
        let mut expected =
            json!({"path": "big.txt", "content": content[..kept.min(content.len())], "size": content.len()});
        if truncated {
            expected["truncated"] = true.into();
        }
        if content.starts_with('l') {
            let shown = data["content"].as_str().unwrap();
            assert!(content.starts_with(shown) && shown.len() <= 102_400 && shown.len() > 102_396, "{}", shown.len());
            expected["content"] = shown.into();
        }
        assert_eq!(data.to_string(), expected.to_string(), "{}", content.len());
    }
}

#[tokio::test]
async fn reading_says_what_is_not_there_and_what_is_no_text() {
    let workspace = workspace();
    workspace.write("logo.png", b"\x89PNG\0\0\0");
    workspace.write(".env", "KEY=1\n");
    let gate = gate(&workspace, ToolsetName::Contracts);
    for (path, code) in [
        ("src/components/buton.tsx", "not_found"),
        ("src/components", "wrong_type"),
        ("logo.png", "binary"),
        (".env", "paths.secret_file"),
        ("../x", "paths.outside_workspace"),
    ] {
        let (told, text) = failed(&gate, "read_file", json!({"path": path})).await;
        assert_eq!(told, code, "{text}");
    }
}

#[tokio::test]
async fn directories_have_a_depth_of_three_at_most_and_a_limit() {
    let workspace = TempWorkspace::with(&[
        ("a/b/c/d/e.txt", ""),
        ("a/x.txt", ""),
        ("z/y.txt", ""),
        (".git/objects/pack.txt", ""),
        ("out/skipped.txt", ""),
        (".gitignore", "out/\n"),
    ]);
    workspace.link("a", "link");
    let gate = gate(&workspace, ToolsetName::Contracts);
    let dirs = async |input: Value| done(&gate, "list_dirs", input).await.data.unwrap();
    let named = |named: &[(&str, u64)]| -> Value {
        named.iter().map(|(path, depth)| json!({"path": path, "depth": depth})).collect()
    };
    for (input, expected, truncated) in [
        (json!({}), vec![("a", 1), ("z", 1)], false),
        (json!({"path": "", "depth": 1}), vec![("a", 1), ("z", 1)], false),
        (json!({"depth": 3}), vec![("a", 1), ("a/b", 2), ("a/b/c", 3), ("z", 1)], false),
        (json!({"path": "a", "depth": 3}), vec![("a/b", 1), ("a/b/c", 2), ("a/b/c/d", 3)], false),
        (json!({"depth": 2, "limit": 2}), vec![("a", 1), ("a/b", 2)], true),
        (json!({"depth": 2, "limit": 3}), vec![("a", 1), ("a/b", 2), ("z", 1)], false),
        (json!({"path": "a/b/c/d"}), vec![], false),
    ] {
        assert_eq!(dirs(input).await, json!({"dirs": named(&expected), "truncated": truncated}));
    }
    for (input, word) in [
        (json!({"depth": 4}), "3"),
        (json!({"depth": 0}), "1"),
        (json!({"limit": 0}), "1"),
        (json!({"path": "a/x.txt"}), "directory"),
        (json!({"path": "nowhere"}), "nowhere"),
    ] {
        let (_, text) = failed(&gate, "list_dirs", input).await;
        assert!(text.contains(word), "{text}");
    }
}

#[tokio::test]
async fn files_are_those_of_one_directory() {
    let workspace =
        TempWorkspace::with(&[("a.ts", "12345"), ("b.ts", ""), ("c.md", "x"), ("sub/d.ts", ""), (".env", "K=1")]);
    workspace.link("a.ts", "link.ts");
    let gate = gate(&workspace, ToolsetName::Contracts);
    let names = async |input: Value| {
        let data = done(&gate, "list_files", input).await.data.unwrap();
        let names: Vec<String> =
            data["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect();
        (names.join(" "), data["truncated"].as_bool().unwrap())
    };
    for (input, expected, truncated) in [
        (json!({}), "a.ts b.ts c.md", false),
        (json!({"path": ""}), "a.ts b.ts c.md", false),
        (json!({"pattern": "*.ts"}), "a.ts b.ts", false),
        (json!({"pattern": "**/*.ts"}), "a.ts b.ts", false),
        (json!({"pattern": "*.{ts,md}", "limit": 2}), "a.ts b.ts", true),
        (json!({"path": "sub", "pattern": "*.rs"}), "", false),
    ] {
        assert_eq!(names(input).await, (expected.to_owned(), truncated));
    }
    for (input, word) in [
        (json!({"pattern": "sub/*.ts"}), "Put the directory in path"),
        (json!({"pattern": "../*"}), "../*"),
        (json!({"pattern": ""}), "glob is empty"),
        (json!({"path": "a.ts"}), "directory"),
    ] {
        let (_, text) = failed(&gate, "list_files", input).await;
        assert!(text.contains(word), "{text}");
    }
}

#[tokio::test]
async fn search_is_literal_and_widened_only_when_it_finds_nothing() {
    let workspace = TempWorkspace::with(&[
        ("a.ts", "one (a+b)\ntwo\n"),
        ("b.tsx", "  three (a+b)  \nonly here\n"),
        ("deep/name.md", "\n\n# Title\n"),
        (".env", "SECRET=(a+b)\n"),
    ]);
    let gate = gate(&workspace, ToolsetName::Contracts);
    let found = async |input: Value| done(&gate, "search_code", input).await.data.unwrap();
    let (a, b) = (json!({"path": "a.ts", "snippet": "one (a+b)"}), json!({"path": "b.tsx", "snippet": "three (a+b)"}));
    for (input, expected) in [
        (json!({"query": "(a+b)"}), json!([a, b])),
        (json!({"query": "(a+b)", "filePattern": "*.ts"}), json!([a])),
        (json!({"query": "(a+b)", "limit": 1}), json!([a])),
        (json!({"query": "only here", "filePattern": "*.ts"}), json!([{"path": "b.tsx", "snippet": "only here"}])),
        (json!({"query": "name"}), json!([{"path": "deep/name.md", "snippet": "# Title"}])),
        (json!({"query": "a+b", "filePattern": ".env"}), json!([])),
        (json!({"query": "env"}), json!([])),
        (json!({"query": "a.b"}), json!([])),
        (json!({"query": "A+B"}), json!([])),
    ] {
        assert_eq!(found(input.clone()).await, expected, "{input}");
    }
    for (input, word) in [
        (json!({"query": ""}), "empty"),
        (json!({"query": "one\ntwo"}), "line"),
        (json!({"query": "x", "filePattern": "../*.ts"}), "../*.ts"),
    ] {
        let (_, text) = failed(&gate, "search_code", input).await;
        assert!(text.contains(word), "{text}");
    }
}

fn step(status: &str) -> Value {
    json!({"content": "Do", "activeForm": "Doing", "status": status})
}

#[tokio::test]
async fn a_plan_has_fifteen_steps_and_one_of_them_under_way() {
    let workspace = TempWorkspace::new();
    for locale in Locale::ALL {
        let gate = builder(&workspace, ToolsetName::Contracts, &ToolOptions::default()).locale(locale).build();
        let plan = async |items: Vec<Value>| done(&gate, "todo_manager", json!({"items": items})).await.data.unwrap();
        let statuses = |plan: &Value| -> Vec<String> {
            plan["items"].as_array().unwrap().iter().map(|item| item["status"].as_str().unwrap().to_owned()).collect()
        };
        let all_done = plan(vec![step("completed"), step("completed")]).await;
        assert_eq!(all_done["currentItem"], Value::Null);
        assert_eq!(statuses(&all_done), ["completed", "completed"]);
        let none = plan(vec![]).await;
        assert_eq!(none, json!({"items": [], "maxItems": 15, "currentItem": null}));
        let promoted = plan(vec![step("completed"), step("pending"), step("pending")]).await;
        assert_eq!(statuses(&promoted), ["completed", "in_progress", "pending"]);
        assert_eq!(promoted["currentItem"], promoted["items"][1]);
        assert_eq!(promoted["currentItem"]["id"], "step-2");
        let kept = plan(vec![step("pending"), step("in_progress")]).await;
        assert_eq!(statuses(&kept), ["pending", "in_progress"], "only when none is under way");
        assert_eq!(plan(vec![step("pending"); 15]).await["items"].as_array().unwrap().len(), 15);
        let again = plan(promoted["items"].as_array().unwrap().clone()).await;
        assert_eq!(again, promoted, "a result may be sent back as it is");

        let missing = json!({"content": "Do", "status": "pending"});
        let empty = json!({"content": "Do", "activeForm": " ", "status": "pending"});
        let odd = json!({"content": "Do", "activeForm": "Doing", "status": "doing"});
        for (items, words) in [
            (vec![step("pending"); 16], ["16", "15"]),
            (vec![step("in_progress"), step("pending"), step("in_progress")], ["in_progress", "1, 3"]),
            (vec![missing], ["activeForm", "items/0"]),
            (vec![step("pending"), empty], ["activeForm", "2"]),
            (vec![odd], ["status", "in_progress"]),
        ] {
            let (code, text) = failed(&gate, "todo_manager", json!({"items": items})).await;
            assert_eq!(code, "invalid_arguments");
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
        }
    }
}

#[tokio::test]
async fn outputs_are_checked_and_warnings_never_count() {
    let mut options = ToolOptions::default();
    let schema =
        json!({"type": "object", "required": ["score"], "properties": {"score": {"type": "integer", "minimum": 1}}});
    options.output_types.insert("review".to_owned(), schema);
    let workspace = TempWorkspace::new();
    let gate = builder(&workspace, ToolsetName::Contracts, &options).build();
    let whole = json!({"domains": [{"name": "auth"}], "layout": {}, "summary": {}});
    let text = whole.to_string();
    for (kind, data, errors, warnings) in [
        ("domain_map", whole, json!([]), json!([])),
        (
            "domain_map",
            json!({}),
            json!(["Missing 'domains' array"]),
            json!(["Missing 'layout' object", "Missing 'summary' object"]),
        ),
        (
            "domain_map",
            json!({"domains": "x", "layout": {}, "summary": {}}),
            json!(["Missing 'domains' array"]),
            json!([]),
        ),
        (
            "domain_map",
            json!({"domains": [1, {}, {"name": "a"}, {"id": "a"}], "layout": [], "summary": {}, "more": 1}),
            json!([]),
            json!([
                "'domains[0]' is not an object",
                "'domains[1]' has no 'name'",
                "'domains[3]' repeats the name 'a'",
                "'layout' is not an object",
                "Unknown field 'more'"
            ]),
        ),
        ("domain_map", json!([]), json!(["Expected an object with 'domains', 'layout' and 'summary'"]), json!([])),
        ("domain_map", json!(text), json!([]), json!(["The answer came as text; the JSON in it was checked"])),
        ("review", json!({"score": 3}), json!([]), json!([])),
        ("review", json!({}), json!(["\"score\" is a required property"]), json!([])),
        ("review", json!({"score": 0}), json!(["score: 0 is less than the minimum of 1"]), json!([])),
    ] {
        let result = done(&gate, "validate_output", json!({"outputType": kind, "data": data})).await.data.unwrap();
        let valid = errors.as_array().unwrap().is_empty();
        assert_eq!(result.to_string(), json!({"valid": valid, "errors": errors, "warnings": warnings}).to_string());
    }
    let (code, text) = failed(&gate, "validate_output", json!({"outputType": "domain_mapp", "data": {}})).await;
    assert_eq!(code, "invalid_arguments");
    assert!(text.contains("'domain_mapp'") && text.contains("domain_map, review"), "{text}");
}
