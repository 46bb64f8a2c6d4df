//! The words of the document, to the letter, as they come out of the gate; and that errors bring their output along.

use crate::support::{builder, done, spanish};
use palanca_core::ports::{Answer, FileError, FileErrorKind, HookReply, RemoteFault};
use palanca_core::{Catalogue as _, ConfirmMode};
use palanca_testkit::{Answers, Deny, Said, TempWorkspace, TestGateBuilder, TestHook};
use palanca_text::{FluentCatalogue, Locale};
use palanca_tools::{ToolOptions, ToolsetName};
use serde_json::{Value, json};
use std::sync::Arc;

fn document(workspace: &TempWorkspace) -> TestGateBuilder {
    builder(workspace, ToolsetName::Architect, &ToolOptions::default()).locale(Locale::Es)
}

fn write() -> Value {
    json!({"path": "main.py", "content": "x"})
}

async fn says(gate: TestGateBuilder, tool: &str, arguments: Value) -> (bool, String) {
    let result = gate.build().json(tool, arguments).await;
    let (output, error) = (result["output"].as_str().unwrap(), result["error"].as_str());
    assert!(error.is_none_or(|error| error == output), "{result}");
    (result["success"] == true, output.to_owned())
}

#[tokio::test]
async fn the_ten_steps() {
    let workspace = TempWorkspace::with(&[("f", "uno\nuno\n")]);
    let on = || document(&workspace);
    let (_, text) = says(on(), "borrar_todo", json!({})).await;
    assert!(text.starts_with("Tool no encontrada"), "{text}");
    let (_, text) = says(on(), "write_file", json!({"path": "x"})).await;
    assert!(text.starts_with("Argumentos inválidos: ") && text.contains("content"), "{text}");
    let guard = Deny { tool: "write_file".into(), reason: "archivo protegido".into() };
    let (_, text) = says(on().guard(guard), "write_file", write()).await;
    assert_eq!(text, "Guardrail: archivo protegido");
    let hook = TestHook::new(Said { before: Some(HookReply::Block("sin tests".into())), after: None });
    let (_, text) = says(on().hook(Arc::new(hook)), "write_file", write()).await;
    assert_eq!(text, "Bloqueado por hook: sin tests");
    let asking = |answers| on().mode(ConfirmMode::ConfirmSensitive).answers(answers);
    let (_, text) = says(asking(Answers::nobody()), "write_file", write()).await;
    assert!(text.starts_with("No hay TTY para confirmar"), "{text}");
    for remedy in ["Modo confirm requiere TTY interactiva. ", "--mode yolo", "--dry-run", "configuración"] {
        assert!(text.contains(remedy), "{remedy}: {text}");
    }
    let (_, text) = says(asking(Answers::always(Answer::No)), "write_file", write()).await;
    assert_eq!(text, "Acción cancelada por usuario");
    let (success, text) = says(asking(Answers::nobody()).dry_run(&workspace), "write_file", write()).await;
    assert!(success, "{text}");
    assert!(
        text.starts_with("[DRY-RUN] Se ejecutaría: write_file({\"path\":\"main.py\",\"content\":\"x\"})"),
        "{text}"
    );
    let (_, text) = says(on(), "read_file", json!({"path": "../../etc/passwd"})).await;
    assert!(text.starts_with("Path '../../etc/passwd' escapa del workspace"), "{text}");
}

#[tokio::test]
async fn an_error_brings_its_output_along() {
    let workspace = TempWorkspace::with(&[("f", "x")]);
    let gate = spanish(&workspace, ToolsetName::Architect);
    let result = gate.call("delete_file", json!({"path": "f"})).await;
    let (output, error) = ("Error: eliminación deshabilitada.", "allow_delete=False en WorkspaceConfig");
    assert_eq!(result.to_json(ToolsetName::Architect), json!({"success": false, "output": output, "error": error}));
    for shape in [ToolsetName::Bots, ToolsetName::Picoclaw, ToolsetName::Contracts, ToolsetName::Palanca] {
        let shown = result.to_json(shape).to_string();
        assert!(shown.contains(output) && shown.contains(error), "{shown}");
    }
    assert_eq!(result.for_model(), format!("Error: {error}\n{output}"));
}

#[tokio::test]
async fn schemas_are_the_documents() {
    let workspace = TempWorkspace::new();
    let gate = document(&workspace).build();
    let properties = |name: &str| {
        let schema = gate.toolset.get(name).unwrap().schema().clone();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let defaults: serde_json::Map<String, Value> = schema["properties"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, property)| (key.clone(), property.get("default").cloned().unwrap_or_default()))
            .collect();
        (Value::Array(required), Value::Object(defaults))
    };
    for (tool, required, defaults) in [
        // Beside what the document names: a way through long files, and to what searches leave out.
        ("read_file", json!(["path"]), json!({"path": null, "start_line": null, "end_line": null})),
        ("write_file", json!(["path", "content"]), json!({"path": null, "content": null, "mode": "overwrite"})),
        ("delete_file", json!(["path"]), json!({"path": null})),
        ("list_files", json!([]), json!({"path": ".", "pattern": null, "recursive": false})),
        ("edit_file", json!(["path", "old_str", "new_str"]), json!({"path": null, "old_str": null, "new_str": null})),
        ("apply_patch", json!(["path", "patch"]), json!({"path": null, "patch": null})),
        (
            "search_code",
            json!(["pattern"]),
            json!({"pattern": null, "path": ".", "file_pattern": "*.py", "context_lines": 2, "max_results": 50, "case_sensitive": true, "include_ignored": false}),
        ),
        (
            "grep",
            json!(["pattern"]),
            json!({"pattern": null, "path": ".", "file_pattern": "*", "recursive": true, "case_sensitive": true, "max_results": 100, "include_ignored": false}),
        ),
        (
            "find_files",
            json!(["pattern"]),
            json!({"pattern": null, "path": ".", "recursive": true, "include_ignored": false}),
        ),
        ("run_command", json!(["command"]), json!({"command": null, "cwd": ".", "timeout": 30, "env": null})),
    ] {
        assert_eq!(properties(tool), (required, defaults), "{tool}");
    }
    let ten = gate.gate.registry().get_definitions();
    assert_eq!(ten.len(), 10 + 1, "and read_artifact");
    assert!(
        ten.iter().all(|schema| schema["type"] == "function" && schema["function"]["parameters"]["type"] == "object")
    );
}

#[test]
fn every_file_error_is_said_in_both_languages() {
    use FileErrorKind as K;
    use palanca_core::ports::ClosedBy as By;
    let kinds = [
        K::Outside,
        K::Invalid,
        K::NotFound,
        K::Exists,
        K::Secret(By::Rule),
        K::Protected(By::Rule),
        K::Protected(By::Moved),
        K::Protected(By::GitInPlace),
        K::Protected(By::GitKey),
        K::Protected(By::GitUnreadable),
        K::Protected(By::GitHook),
        K::Protected(By::GitRepository),
        K::Protected(By::GitObeyed),
        K::ReadOnly,
        K::Special,
        K::IsDirectory,
        K::NotADirectory,
        K::Changed,
        K::NotGranted,
        K::TooLarge,
        K::PermissionDenied,
        K::DiskFull,
        K::Io,
        K::Remote(RemoteFault::Missing),
        K::Remote(RemoteFault::NoSuchRef),
        K::Remote(RemoteFault::Empty),
        K::Remote(RemoteFault::Expired),
        K::Remote(RemoteFault::Forbidden),
        K::Remote(RemoteFault::RateLimited),
        K::Remote(RemoteFault::TooLarge),
        K::Remote(RemoteFault::Unavailable),
        K::Remote(RemoteFault::Malformed),
        K::Remote(RemoteFault::Elsewhere),
        K::Remote(RemoteFault::Submodule),
        K::Remote(RemoteFault::Link),
        K::Remote(RemoteFault::Pointer),
        K::Remote(RemoteFault::Unreadable),
        K::Remote(RemoteFault::LeftOut),
    ];
    for locale in Locale::ALL {
        let catalogue = FluentCatalogue::new(locale);
        let mut sentences: Vec<String> = kinds
            .into_iter()
            .map(|kind| {
                let error = FileError::new(kind, "src/a.rs").detail("why").into_tool_error();
                let sentence = catalogue.render(error.message());
                assert!(
                    sentence.contains("src/a.rs") && sentence.contains(' ') && !sentence.contains('{'),
                    "{sentence}"
                );
                sentence
            })
            .collect();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), kinds.len(), "each has its own");
    }
}

#[tokio::test]
async fn names_that_models_really_use_are_understood() {
    let workspace = TempWorkspace::with(&[("f.txt", "one two\n")]);
    let gate = builder(&workspace, ToolsetName::Palanca, &ToolOptions::default()).build();
    for (tool, arguments) in [
        ("read_file", json!({"file_path": "f.txt", "start_line": "1", "end_line": 1.0})),
        ("edit_file", json!({"filePath": "f.txt", "oldText": "one", "newText": "1"})),
        ("edit_file", json!({"file": "f.txt", "search": "1", "replace": "one", "replaceAll": "false"})),
        ("grep", json!({"query": "two", "include": "*.txt", "maxResults": "5", "path": null})),
        ("search_code", json!({"regex": "t.o", "contextLines": 0})),
    ] {
        let result = done(&gate, tool, arguments).await;
        assert!(!result.repairs.is_empty(), "{tool}: every repair is told");
        assert!(result.for_model().contains("Note: the argument"), "{}", result.for_model());
    }
    assert_eq!(workspace.text("f.txt"), "one two\n");
}
