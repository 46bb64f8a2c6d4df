use crate::support::{done, failed, gate, spanish};
use palanca_testkit::TempWorkspace;
use palanca_tools::ToolsetName;
use serde_json::json;

#[tokio::test]
async fn the_documents_example() {
    let workspace = TempWorkspace::new();
    let gate = spanish(&workspace, ToolsetName::Architect);
    let content = "print('forty-two bytes of Python source')\n";
    assert_eq!(content.len(), 42);
    let result = gate.json("write_file", json!({"path": "main.py", "content": content, "mode": "overwrite"})).await;
    assert_eq!(result, json!({"success": true, "output": "Archivo main.py sobrescrito (42 bytes)", "error": null}));
    assert_eq!(workspace.text("main.py"), content);
}

#[tokio::test]
async fn create_overwrite_append_and_leave() {
    let workspace = TempWorkspace::new();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let check = async |arguments: serde_json::Value, said: &str, content: &str| {
        let result = done(&gate, "write_file", arguments).await;
        assert_eq!(result.output, said);
        assert_eq!(workspace.text("a/b/c.txt"), content);
        result
    };
    let made = check(json!({"path": "a/b/c.txt", "content": "ñ\n"}), "File a/b/c.txt created (3 bytes)", "ñ\n").await;
    assert_eq!(made.diff.unwrap(), "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1 @@\n+ñ\n");
    check(json!({"path": "a/b/c.txt", "content": "x\n"}), "File a/b/c.txt overwritten (2 bytes)", "x\n").await;
    let added = check(
        json!({"path": "a/b/c.txt", "content": "y\n", "mode": "append"}),
        "Content appended to a/b/c.txt (2 bytes)",
        "x\ny\n",
    )
    .await;
    assert_eq!(added.data.unwrap()["size"], 4);
    assert_eq!(added.diff.unwrap(), "--- a/a/b/c.txt\n+++ b/a/b/c.txt\n@@ -1 +1,2 @@\n x\n+y\n");
    let same = check(
        json!({"path": "a/b/c.txt", "content": "x\ny\n"}),
        "No change: a/b/c.txt already has this content (4 bytes)",
        "x\ny\n",
    )
    .await;
    assert_eq!(same.data.unwrap()["changed"], false);
    let (code, text) = failed(&gate, "write_file", json!({"path": "x", "content": "y", "mode": "both"})).await;
    assert_eq!(code, "invalid_arguments");
    assert!(text.contains("mode"), "{text}");
}

#[tokio::test]
async fn the_form_of_a_text_is_kept() {
    let workspace = TempWorkspace::new();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let check = async |before: &[u8], arguments: serde_json::Value, after: &[u8]| {
        workspace.write("f", before);
        let mut arguments = arguments;
        arguments["path"] = "f".into();
        done(&gate, "write_file", arguments).await;
        assert_eq!(workspace.read("f"), after);
    };
    check(b"a\r\nb\r\n", json!({"content": "x\ny\n"}), b"x\r\ny\r\n").await;
    check(b"a\r\nb\r\n", json!({"content": "x\r\ny\n"}), b"x\r\ny\n").await;
    check(b"a\r\nb\n", json!({"content": "x\ny\n"}), b"x\ny\n").await;
    check(b"\xef\xbb\xbfa\n", json!({"content": "x"}), b"\xef\xbb\xbfx").await;
    check(b"\xef\xbb\xbfa\r\n", json!({"content": "x\n", "mode": "append"}), b"\xef\xbb\xbfa\r\nx\r\n").await;
    check(b"\xff\xfea\0", json!({"content": "ñ", "mode": "append"}), b"\xff\xfea\0\xf1\0").await;
    check(b"a\xf1o\n", json!({"content": "caña\n"}), b"ca\xf1a\n").await;
    check(b"a\xf1o\n", json!({"content": "日本\n"}), "日本\n".as_bytes()).await;
    check(b"a\xf1o\n", json!({"content": "é\n", "mode": "append"}), b"a\xf1o\n\xe9\n").await;
    check(b"\0\0bin", json!({"content": "x"}), b"x").await;
    check(b"\0\0bin", json!({"content": "\n", "mode": "append"}), b"\0\0bin\n").await;
    workspace.write("f", b"a\xf1o\n");
    let (code, text) = failed(&gate, "write_file", json!({"path": "f", "content": "x\n日", "mode": "append"})).await;
    assert_eq!(code, "invalid_arguments");
    assert!(text.contains("Windows-1252") && text.contains("'日' (line 2"), "{text}");
    assert_eq!(workspace.read("f"), b"a\xf1o\n");
}

#[tokio::test]
async fn directories_and_closed_places_are_refused() {
    let workspace = TempWorkspace::with(&[("src/main.rs", "x")]);
    let before = workspace.everything();
    let gate = gate(&workspace, ToolsetName::Palanca);
    for (path, code) in [
        ("src", "wrong_type"),
        ("../out.txt", "paths.outside_workspace"),
        (".env", "paths.secret_file"),
        (".git/config", "paths.protected_file"),
        ("src/main.rs/x", "wrong_type"),
    ] {
        let (got, text) = failed(&gate, "write_file", json!({"path": path, "content": "y"})).await;
        assert_eq!(got, code, "{path}: {text}");
    }
    assert_eq!(workspace.everything(), before);
}

#[tokio::test]
async fn deleting_needs_leave() {
    let workspace = TempWorkspace::with(&[("a.txt", "x")]);
    let document = spanish(&workspace, ToolsetName::Architect);
    for path in ["a.txt", "not-there.txt", "../outside"] {
        let refused = document.json("delete_file", json!({"path": path})).await;
        let expected = json!({
            "success": false,
            "output": "Error: eliminación deshabilitada.",
            "error": "allow_delete=False en WorkspaceConfig",
        });
        assert_eq!(refused, expected, "{path}");
    }
    assert!(workspace.has("a.txt"));
    let record = &document.recorded.records()[0];
    assert_eq!((&record["outcome"], &record["code"]), (&json!("refused"), &json!("disabled")));
}

#[tokio::test]
async fn deleting_files_and_directories() {
    let workspace = TempWorkspace::with(&[("a.txt", "one\n"), ("d/b.txt", "x"), ("d/e/c.txt", "y"), ("keep", "k")]);
    workspace.link("../keep", "d/link");
    let palanca = gate(&workspace, ToolsetName::Palanca);
    let gone = done(&palanca, "delete_file", json!({"path": "a.txt"})).await;
    assert_eq!(gone.output, "File a.txt deleted");
    assert_eq!(gone.diff.unwrap(), "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n");
    assert!(!workspace.has("a.txt"));
    let (code, text) = failed(&palanca, "delete_file", json!({"path": "a.txt"})).await;
    assert_eq!(code, "not_found", "{text}");
    let (code, text) = failed(&palanca, "delete_file", json!({"path": "d"})).await;
    assert_eq!(code, "wrong_type", "{text}");
    let (code, text) = failed(&palanca, "delete_file", json!({"path": ".", "recursive": true})).await;
    assert_eq!(code, "protected_file", "{text}");
    let document = gate(&workspace, ToolsetName::Architect);
    let (code, _) = failed(&document, "delete_file", json!({"path": "d"})).await;
    assert_eq!(code, "wrong_type");
    assert!(workspace.has("d/e/c.txt"));
    let gone = done(&palanca, "delete_file", json!({"path": "d", "recursive": true})).await;
    assert_eq!(gone.output, "Directory d deleted with 3 files");
    assert!(!workspace.has("d") && workspace.has("keep"));
}

#[tokio::test]
async fn what_is_closed_keeps_its_directory() {
    let workspace =
        TempWorkspace::with(&[("d/a.txt", "x"), ("d/deep/.env", "K=1"), ("e/b.txt", "x"), ("e/.git/config", "x")]);
    let before = workspace.everything();
    let gate = gate(&workspace, ToolsetName::Palanca);
    for (path, code) in [("d", "secret_file"), ("e", "protected_file")] {
        let (got, text) = failed(&gate, "delete_file", json!({"path": path, "recursive": true})).await;
        assert_eq!(got, code, "{text}");
    }
    let rename = "diff --git a/d b/moved\nsimilarity index 100%\nrename from d\nrename to moved\n";
    let (_, text) = failed(&gate, "apply_patch", json!({"patch": rename})).await;
    assert!(text.contains("directory"), "{text}");
    assert_eq!(workspace.everything(), before);
}

#[tokio::test]
async fn a_link_is_deleted_itself() {
    let workspace = TempWorkspace::with(&[("kept.txt", "x"), (".env", "K=1"), ("d/in.txt", "y")]);
    for (target, name) in [("kept.txt", "a"), (".env", "b"), ("d", "c"), ("../outside", "e")] {
        workspace.link(target, name);
    }
    let gate = gate(&workspace, ToolsetName::Architect);
    for name in ["a", "b", "c", "e"] {
        let gone = done(&gate, "delete_file", json!({"path": name})).await;
        assert_eq!(gone.output, format!("File {name} deleted"));
        assert!(!workspace.has(name));
    }
    assert!(workspace.has("kept.txt") && workspace.has(".env") && workspace.has("d/in.txt"));
}
