//! The document of the picoclaw tools: each example as it stands there, run through the gate, its result compared to the
//! letter; each line under "Errors", "Notes" and "Features".

use crate::support::{builder, done, failed, gate, options};
use palanca_core::ports::Exit;
use palanca_core::{ConfirmMode, ToolResult};
use palanca_testkit::processes::finished;
use palanca_testkit::web::page;
use palanca_testkit::{FakeProcesses, FakeWeb, TempWorkspace, TestGate};
use palanca_text::Locale;
use palanca_tools::ToolsetName;
use serde_json::{Value, json};
use std::sync::Arc;

fn on(workspace: &TempWorkspace) -> TestGate {
    gate(workspace, ToolsetName::Picoclaw)
}

fn in_spanish(workspace: &TempWorkspace) -> TestGate {
    builder(workspace, ToolsetName::Picoclaw, &options()).locale(Locale::Es).build()
}

/// The result as picoclaw has it: a string, or an error.
fn shape(gate: &TestGate, result: &ToolResult) -> Value {
    result.to_json(gate.toolset.shape())
}

/// What the document writes as JSON.
fn example(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[tokio::test]
async fn example_1_read_file() {
    let config = "{\n  \"name\": \"demo\",\n  \"lines\": 3\n}\n";
    let workspace = TempWorkspace::with(&[("config.json", config)]);
    let gate = on(&workspace);
    let arguments = example(r#"{ "file_path": "config.json", "offset": 0, "limit": 50 }"#);
    let result = done(&gate, "read_file", arguments).await;
    assert_eq!(shape(&gate, &result), json!(config));
    assert_eq!(result.repairs, Vec::<String>::new());
}

#[tokio::test]
async fn lines_are_counted_from_zero() {
    let workspace = TempWorkspace::with(&[("f", "a\nb\nc\nd"), ("empty", ""), ("crlf", "a\r\nb\r\n")]);
    let gate = on(&workspace);
    for (arguments, expected) in [
        (json!({"file_path": "f"}), "a\nb\nc\nd"),
        (json!({"file_path": "f", "offset": 0}), "a\nb\nc\nd"),
        (json!({"file_path": "f", "offset": 1}), "b\nc\nd"),
        (json!({"file_path": "f", "offset": 1, "limit": 2}), "b\nc\n"),
        (json!({"file_path": "f", "limit": 1}), "a\n"),
        (json!({"file_path": "f", "offset": 3, "limit": 1}), "d"),
        (json!({"file_path": "f", "offset": 2.0, "limit": "1"}), "c\n"),
        (json!({"file_path": "f", "offset": "3", "limit": 18_446_744_073_709_551_615_u64}), "d"),
        (json!({"file_path": "empty"}), ""),
        (json!({"file_path": "crlf", "offset": 1}), "b\r\n"),
        (json!({"path": "f", "limit": 1}), "a\n"),
        (json!({"file_path": "crlf", "path": "", "limit": 1}), "a\r\n"),
    ] {
        let result = done(&gate, "read_file", arguments.clone()).await;
        assert_eq!(result.output, expected, "{arguments}");
    }
    for (arguments, code, says) in [
        (json!({"file_path": "f", "offset": 4}), "invalid_arguments", "'f' has 4 lines; offset=4 is past its end."),
        (json!({"file_path": "f", "offset": -1}), "invalid_arguments", "offset"),
        (json!({"file_path": "f", "offset": 1.5}), "invalid_arguments", "offset"),
        (json!({"file_path": "f", "limit": 0}), "invalid_arguments", "limit"),
        (json!({"file_path": 7}), "not_found", "'7' does not exist"),
        (json!({"file_path": ["f"]}), "invalid_arguments", "file_path"),
        (json!({"file_path": "f", "path": "empty"}), "invalid_arguments", "path"),
        (json!({}), "invalid_arguments", "file_path"),
        (json!({"file_path": ""}), "invalid_arguments", "empty"),
    ] {
        let (found, text) = failed(&gate, "read_file", arguments.clone()).await;
        assert_eq!(found, code, "{arguments}: {text}");
        assert!(text.contains(says), "{arguments}: {text}");
    }
}

#[tokio::test]
async fn a_long_file_says_with_which_offset_to_go_on() {
    let lines: String = (0..2_000).map(|line| format!("{line} {}\n", "x".repeat(90))).collect();
    let workspace = TempWorkspace::with(&[("long", &lines)]);
    let gate = on(&workspace);
    let first = done(&gate, "read_file", json!({"file_path": "long"})).await;
    let (read, note) = first.output.rsplit_once("\n[").unwrap();
    let next = read.lines().count();
    let expected =
        format!("Lines 0-{} of 2000, counted from 0. Call read_file again with offset={next} for more.]", next - 1);
    assert_eq!(note, expected);
    let second = done(&gate, "read_file", json!({"file_path": "long", "offset": next})).await;
    let (rest, _) = second.output.split_once("\n[").unwrap_or((&second.output, ""));
    let both = format!("{}\n{}\n", read.trim_end(), rest.trim_end());
    assert_eq!((both.len(), both == lines), (lines.len(), true), "{}", rest.get(rest.len() - 200..).unwrap());
}

#[tokio::test]
async fn errors_of_read_file() {
    let workspace = TempWorkspace::with(&[("f", "x"), ("closed", "x"), (".env", "KEY=1")]);
    let gate = on(&workspace);
    std::fs::create_dir(workspace.root().join("dir")).unwrap();
    // Archivo no existe.
    let result = gate.call("read_file", json!({"file_path": "none.txt"})).await;
    assert_eq!(result.code.as_deref(), Some("not_found"));
    assert_eq!(shape(&gate, &result), json!({"error": "'none.txt' does not exist.\nIn '.' there is: closed, dir, f"}));
    // Permisos insuficientes: root reads what it likes, so what the door itself closes stands for it there.
    let (code, _) = failed(&gate, "read_file", json!({"file_path": ".env"})).await;
    assert_eq!(code, "paths.secret_file");
    use std::os::unix::fs::PermissionsExt as _;
    let closed = workspace.root().join("closed");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&closed).is_err() {
        let (code, text) = failed(&gate, "read_file", json!({"file_path": "closed"})).await;
        assert_eq!(code, "permission_denied", "{text}");
    }
    // Path fuera del workspace.
    std::os::unix::fs::symlink("/etc", workspace.root().join("link")).unwrap();
    for outside in ["../x", "/etc/passwd", "dir/../../x", "link/passwd"] {
        let (code, text) = failed(&gate, "read_file", json!({"file_path": outside})).await;
        assert_eq!(code, "paths.outside_workspace", "{outside}: {text}");
    }
    let evil = format!("{}-evil/x", workspace.root().display());
    let (code, _) = failed(&gate, "read_file", json!({"file_path": evil})).await;
    assert_eq!(code, "paths.outside_workspace", "p01: a name that begins alike is another place");
}

#[tokio::test]
async fn example_2_write_file() {
    let arguments = || example(r#"{ "file_path": "hello.txt", "content": "Hola Mundo" }"#);
    let workspace = TempWorkspace::new();
    let gate = in_spanish(&workspace);
    let result = done(&gate, "write_file", arguments()).await;
    assert_eq!(shape(&gate, &result), json!("Archivo hello.txt creado exitosamente (10 bytes)"));
    assert_eq!(workspace.text("hello.txt"), "Hola Mundo");
    // Sobrescribe archivo si existe.
    let result = done(&gate, "write_file", json!({"file_path": "hello.txt", "content": "ñ"})).await;
    assert_eq!(shape(&gate, &result), json!("Archivo hello.txt sobrescrito exitosamente (2 bytes)"));
    assert_eq!(workspace.text("hello.txt"), "ñ");
    // Crea directorios si no existen.
    let english = on(&workspace);
    let result = done(&english, "write_file", json!({"file_path": "a/b/c.txt", "content": "x"})).await;
    assert_eq!(shape(&english, &result), json!("File a/b/c.txt created successfully (1 byte)"));
    let again = done(&english, "write_file", json!({"file_path": "a/b/c.txt", "content": "x"})).await;
    assert_eq!(shape(&english, &again), json!("File a/b/c.txt overwritten successfully (1 byte)"));
    assert_eq!(workspace.text("a/b/c.txt"), "x");
    for missing in [json!({"file_path": "x"}), json!({"content": "x"})] {
        assert_eq!(failed(&english, "write_file", missing).await.0, "invalid_arguments");
    }
    let outside = json!({"file_path": "/tmp/palanca-never.txt", "content": "x"});
    assert_eq!(failed(&english, "write_file", outside).await.0, "paths.outside_workspace");
}

#[tokio::test]
async fn example_3_list_dir() {
    let workspace = TempWorkspace::with(&[
        ("b.txt", ""),
        ("a/z.txt", ""),
        ("a/deep/x", ""),
        ("c", ""),
        (".hidden", ""),
        ("DIR:  x", ""),
        (".gitignore", "c\n"),
    ]);
    std::os::unix::fs::symlink("b.txt", workspace.root().join("link")).unwrap();
    std::fs::create_dir(workspace.root().join("none")).unwrap();
    let gate = on(&workspace);
    let here = "FILE: .gitignore\nFILE: .hidden\nFILE: DIR:  x\nDIR:  a\nFILE: b.txt\nFILE: c\nLINK: link\nDIR:  none";
    let all = "FILE: .gitignore\nFILE: .hidden\nFILE: DIR:  x\nDIR:  a\nDIR:  a/deep\nFILE: a/deep/x\nFILE: a/z.txt\nFILE: b.txt\nFILE: c\nLINK: link\nDIR:  none";
    for (arguments, expected) in [
        (json!({}), here),
        (json!({"path": "."}), here),
        (json!({"path": "./"}), here),
        (json!({"path": ".", "recursive": false}), here),
        (json!({"path": ".", "recursive": true}), all),
        (json!({"recursive": "true"}), all),
        (json!({"path": "a"}), "DIR:  deep\nFILE: z.txt"),
        (json!({"path": "a/"}), "DIR:  deep\nFILE: z.txt"),
        (json!({"path": "a", "recursive": true}), "DIR:  deep\nFILE: deep/x\nFILE: z.txt"),
        (json!({"path": "a/deep", "recursive": true}), "FILE: x"),
        (json!({"path": "none"}), "(empty directory)"),
    ] {
        let result = done(&gate, "list_dir", arguments.clone()).await;
        assert_eq!(shape(&gate, &result), json!(expected), "{arguments}");
    }
    for (path, code) in [("missing", "not_found"), ("b.txt", "wrong_type"), ("..", "paths.outside_workspace")] {
        let (found, text) = failed(&gate, "list_dir", json!({"path": path})).await;
        assert_eq!(found, code, "{path}: {text}");
    }
}

#[tokio::test]
async fn example_4_exec() {
    let workspace = TempWorkspace::new();
    let door = Arc::new(FakeProcesses::default());
    let gate = builder(&workspace, ToolsetName::Picoclaw, &options()).processes(Arc::clone(&door) as _).build();
    door.then(Ok(finished(Exit::Code(0), "total 0\n", "")));
    let result = done(&gate, "exec", example(r#"{ "command": "ls -la", "timeout": 10 }"#)).await;
    assert_eq!(shape(&gate, &result), json!("total 0"));
    assert_eq!(door.limits()[0].time.as_secs(), 10, "p02: the documented timeout counts");
    done(&gate, "exec", json!({"command": "ls"})).await;
    assert_eq!(door.limits()[1].time.as_secs(), 30, "the documented default");
    for (end, expected) in [
        (finished(Exit::Code(0), "", ""), json!("(no output)")),
        (finished(Exit::Code(0), "out\n", "err\n"), json!("out\nSTDERR:\nerr")),
        (finished(Exit::Code(2), "out\n", "err\n"), json!({"error": "out\nSTDERR:\nerr\nExit code: 2"})),
        (
            finished(Exit::Code(0), "é".repeat(10_004), ""),
            json!(format!("{}\n... (truncated, 4 more chars)", "é".repeat(10_000))),
        ),
    ] {
        door.then(Ok(end));
        let result = gate.call("exec", json!({"command": "ls"})).await;
        assert_eq!(shape(&gate, &result), expected);
    }
    door.then(Ok(finished(Exit::TimedOut, "", "")));
    let late = gate.call("exec", json!({"command": "sleep 100", "timeout": 1})).await;
    assert_eq!(late.code.as_deref(), Some("timeout"), "{}", late.for_model());
}

#[tokio::test]
async fn example_5_and_6_the_web() {
    let workspace = TempWorkspace::new();
    let found = json!({"type": "search", "web": {"results": [
        {"title": "Effective Go", "url": "https://go.dev/doc/effective_go", "description": "Tips."}
    ]}});
    let web = FakeWeb::default()
        .at(&crate::support::search_address("golang best practices"), page(200, "application/json", found.to_string()))
        .at("https://example.com", page(200, "text/html", "<h1>Example Domain</h1><p>For use in documents.</p>"));
    let gate = builder(&workspace, ToolsetName::Picoclaw, &options()).with(|gate| gate.web(Arc::new(web))).build();
    let result = done(&gate, "web_search", example(r#"{ "query": "golang best practices" }"#)).await;
    let expected = "Results for: golang best practices\n1. Effective Go\n   https://go.dev/doc/effective_go\n   Tips.";
    assert_eq!(shape(&gate, &result), json!(expected));
    let arguments = example(r#"{ "url": "https://example.com", "format": "markdown", "max_length": 5000 }"#);
    let result = done(&gate, "web_fetch", arguments).await;
    let fetched: Value = serde_json::from_str(shape(&gate, &result).as_str().unwrap()).unwrap();
    let expected = json!({
        "url": "https://example.com", "status": 200, "extractor": "markdown", "truncated": false,
        "length": fetched["text"].as_str().unwrap().chars().count(),
        "text": "# Example Domain\n\nFor use in documents.",
    });
    assert_eq!(fetched, expected);
    // Requiere API key de Brave Search.
    let mut without = options();
    without.web.search.providers.clear();
    let gate = builder(&workspace, ToolsetName::Picoclaw, &without).build();
    let result = gate.call("web_search", json!({"query": "x"})).await;
    let error = shape(&gate, &result)["error"].as_str().unwrap().to_owned();
    assert!(error.contains("BRAVE_API_KEY"), "{error}");
}

#[tokio::test]
async fn example_9_edit_file() {
    let workspace = TempWorkspace::with(&[("config.txt", "name: x\nversion: 1.0\n")]);
    let gate = in_spanish(&workspace);
    let arguments =
        example(r#"{ "file_path": "config.txt", "old_string": "version: 1.0", "new_string": "version: 2.0" }"#);
    let result = done(&gate, "edit_file", arguments).await;
    let expected = "config.txt editado: 1 reemplazo, línea 2\n\n--- a/config.txt\n+++ b/config.txt\n@@ -1,2 +1,2 @@\n name: x\n-version: 1.0\n+version: 2.0\n";
    assert_eq!(shape(&gate, &result), json!(expected));
    assert_eq!(workspace.text("config.txt"), "name: x\nversion: 2.0\n");
}

#[tokio::test]
async fn features_of_edit_file() {
    let text = "fn a() {\n    one();\r\n\tone();\n}\nliteral \\n";
    let workspace = TempWorkspace::with(&[("f", text)]);
    let gate = on(&workspace);
    // Verificación de cambios.
    for (arguments, code, says) in [
        (
            json!({"file_path": "f", "old_string": "one();", "new_string": "two();"}),
            "conflict",
            "old_string is not unique in f: it occurs 2 times (lines 2, 3). Add lines around it, or set replaceAll.",
        ),
        (json!({"file_path": "f", "old_string": "none", "new_string": "x"}), "conflict", "old_string not found in f."),
        (
            json!({"file_path": "f", "old_string": "", "new_string": "x"}),
            "invalid_arguments",
            "old_string is empty. To add text to f, repeat an existing line and add to it; to replace everything use write_file.",
        ),
        (
            json!({"file_path": "f", "old_string": "one", "new_string": "one"}),
            "invalid_arguments",
            "old_string and new_string are the same: nothing would change in f.",
        ),
        (json!({"file_path": "g", "old_string": "a", "new_string": "b"}), "not_found", "'g' does not exist."),
        (json!({"file_path": "f", "old_string": "a"}), "invalid_arguments", "new_string"),
    ] {
        let (found, said) = failed(&gate, "edit_file", arguments.clone()).await;
        assert_eq!(found, code, "{arguments}: {said}");
        assert!(said.contains(says), "{arguments}: {said}");
    }
    assert_eq!(workspace.text("f"), text, "nothing was changed by what failed");
    // Preserva indentación, and every other byte.
    done(&gate, "edit_file", json!({"file_path": "f", "old_string": "    one();", "new_string": "    two();"})).await;
    assert_eq!(workspace.text("f"), "fn a() {\n    two();\r\n\tone();\n}\nliteral \\n");
    done(&gate, "edit_file", json!({"file_path": "f", "old_string": "\\n", "new_string": "\\t"})).await;
    // Soporta múltiples reemplazos con replaceAll.
    for all in ["replaceAll", "replace_all"] {
        let (old, new) = if all == "replaceAll" { ("o", "0") } else { ("0", "o") };
        let result =
            done(&gate, "edit_file", json!({"file_path": "f", "old_string": old, "new_string": new, all: true})).await;
        assert!(result.output.starts_with("f edited: 2 replacements, line 2"), "{}", result.output);
    }
    assert_eq!(workspace.text("f"), "fn a() {\n    two();\r\n\tone();\n}\nliteral \\t");
    for (old, new) in [("old_text", "new_text"), ("oldText", "newText"), ("old_str", "new_str")] {
        done(&gate, "edit_file", json!({"path": "f", old: "two", new: "2"})).await;
        done(&gate, "edit_file", json!({"path": "f", old: "2", new: "two"})).await;
    }
}

#[tokio::test]
async fn the_echo_tool() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let result = done(&gate, "echo", json!({"message": "hola\n"})).await;
    assert_eq!(shape(&gate, &result), json!("hola\n"));
    for wrong in [json!({}), json!({"message": ["x"]}), json!({"message": null}), json!({"message": {"a": 1}})] {
        let (code, text) = failed(&gate, "echo", wrong.clone()).await;
        assert_eq!(code, "invalid_arguments", "{wrong}");
        assert!(text.contains("message"), "{text}");
    }
}

/// Name, type, whether it is required, default.
#[test]
fn schemas_are_the_documents() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    for (tool, expected) in [
        ("read_file", json!({"file_path": "string!", "offset": "integer", "limit": "integer"})),
        ("write_file", json!({"file_path": "string!", "content": "string!"})),
        ("list_dir", json!({"path": "string", "recursive": "boolean"})),
        ("exec", json!({"command": "string!", "timeout": "integer"})),
        ("web_search", json!({"query": "string!"})),
        ("web_fetch", json!({"url": "string!", "format": "string", "max_length": "integer"})),
        (
            "edit_file",
            json!({"file_path": "string!", "old_string": "string!", "new_string": "string!", "replaceAll": "boolean"}),
        ),
        ("message", json!({"content": "string!", "channel": "string", "to": "string"})),
        ("echo", json!({"message": "string!"})),
    ] {
        let schema = gate.toolset.get(tool).unwrap_or_else(|| panic!("{tool}")).schema().clone();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, kind) in expected.as_object().unwrap() {
            let mark = if required.contains(&json!(name)) { "!" } else { "" };
            let found = format!("{}{mark}", schema["properties"][name]["type"].as_str().unwrap_or("none"));
            assert_eq!(found, kind.as_str().unwrap(), "{tool}.{name}");
            assert!(schema["properties"][name]["description"].is_string(), "{tool}.{name} is described");
        }
        let more: Vec<&String> =
            schema["properties"].as_object().unwrap().keys().filter(|name| expected.get(name).is_none()).collect();
        let allowed: &[&str] = match tool {
            "exec" => &["working_dir"],
            "web_search" => &["count"],
            _ => &[],
        };
        assert_eq!(more, allowed, "{tool}: what the document does not have is optional and few");
    }
    let formats = &gate.toolset.get("web_fetch").unwrap().schema()["properties"]["format"]["enum"];
    assert_eq!(*formats, json!(["markdown", "text", "html"]));
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    let workspace = TempWorkspace::new();
    let gate = builder(&workspace, ToolsetName::Picoclaw, &options()).mode(ConfirmMode::ConfirmAll).build();
    let result = gate.call("delete_file", json!({"path": "x"})).await;
    assert_eq!(result.code.as_deref(), Some("unknown_tool"), "{}", result.for_model());
    assert!(shape(&gate, &result)["error"].is_string());
}
