use crate::support::{builder, done, failed, gate, spanish};
use palanca_testkit::TempWorkspace;
use palanca_tools::{ToolOptions, ToolsetName};
use serde_json::{Value, json};

const CODE: &str = "def calculate(a, b):\n    return a + b\n\nprint(calculate(1, 2))\n";

#[tokio::test]
async fn the_documents_example() {
    let workspace = TempWorkspace::with(&[("src/utils.py", CODE)]);
    let gate = gate(&workspace, ToolsetName::Architect);
    let arguments = json!({
        "path": "src/utils.py",
        "old_str": "def calculate(a, b):\n    return a + b",
        "new_str": "def calculate(a: int, b: int) -> int:\n    \"\"\"Suma dos enteros.\"\"\"\n    return a + b",
    });
    let result = gate.json("edit_file", arguments).await;
    let diff = "--- a/src/utils.py\n+++ b/src/utils.py\n@@ -1,4 +1,5 @@\n-def calculate(a, b):\n+def calculate(a: int, b: int) \
                -> int:\n+    \"\"\"Suma dos enteros.\"\"\"\n     return a + b\n \n print(calculate(1, 2))\n";
    let output = format!("src/utils.py edited: 1 replacement, line 1\n\nDiff:\n{diff}");
    assert_eq!(result, json!({"success": true, "output": output, "error": null}));
    assert!(workspace.text("src/utils.py").contains("Suma dos enteros"));
}

#[tokio::test]
async fn one_all_and_bytes_that_stay() {
    let workspace = TempWorkspace::new();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let check = async |before: &[u8], arguments: Value, after: &[u8]| {
        workspace.write("f", before);
        let mut arguments = arguments;
        arguments["path"] = "f".into();
        let result = done(&gate, "edit_file", arguments).await;
        assert_eq!(workspace.read("f"), after);
        result
    };
    check(b"a b a", json!({"old_str": "b", "new_str": "x"}), b"a x a").await;
    let all = check(b"a b a", json!({"old_str": "a", "new_str": "x", "replace_all": true}), b"x b x").await;
    assert_eq!(all.data.unwrap()["replacements"], 2);
    check(b"a\r\nb\r\nc", json!({"old_str": "a\nb", "new_str": "x\ny"}), b"x\r\ny\r\nc").await;
    check(b"a\r\nb\nc\r\n", json!({"old_str": "b", "new_str": "x"}), b"a\r\nx\nc\r\n").await;
    check(b"\xef\xbb\xbfa\n", json!({"old_str": "a", "new_str": "b"}), b"\xef\xbb\xbfb\n").await;
    check(b"ca\xf1a a\n", json!({"old_str": "a a", "new_str": "a \u{e9}"}), b"ca\xf1a \xe9\n").await;
    check(b"\xff\xfea\0b\0", json!({"old_str": "b", "new_str": "\u{f1}"}), b"\xff\xfea\0\xf1\0").await;
    check(b"a\x0cb\xe2\x80\xa8c\n", json!({"old_str": "c", "new_str": "d"}), b"a\x0cb\xe2\x80\xa8d\n").await;
    check(b"x\n", json!({"old_text": "x", "newString": "y", "path": "f"}), b"y\n").await;
}

#[tokio::test]
async fn what_does_not_fit_says_why() {
    let workspace = TempWorkspace::with(&[("src/utils.py", CODE), ("twice", "a\na\n"), ("image", "\0\0")]);
    let before = workspace.everything();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let check = async |arguments: Value, expected: (&str, &str)| {
        let (code, text) = failed(&gate, "edit_file", arguments).await;
        assert_eq!(code, expected.0, "{text}");
        assert!(text.contains(expected.1), "{text}");
    };
    let py = |old: &str| json!({"path": "src/utils.py", "old_str": old, "new_str": "x"});
    check(py("nothing like this at all"), ("conflict", "old_str not found in src/utils.py.")).await;
    check(
        py("def calculate(a, b):\n  return a + b"),
        (
            "conflict",
            "nearest text is at line 1; only the indentation differs:\ndef calculate(a, b):\n    return a + b",
        ),
    )
    .await;
    check(py("    2 |     return a + b"), ("conflict", "line numbers")).await;
    check(py("def Calculate(a, b)"), ("conflict", "upper and lower case")).await;
    check(py("calculate"), ("conflict", "occurs 2 times (lines 1, 4). Add lines around it, or set replace_all.")).await;
    check(py(""), ("invalid_arguments", "old_str is empty")).await;
    check(py("x"), ("invalid_arguments", "the same")).await;
    check(
        json!({"path": "utils.py", "old_str": "a", "new_str": "b"}),
        ("not_found", "In '.' there is: image, src, twice"),
    )
    .await;
    check(json!({"path": "image", "old_str": "a", "new_str": "b"}), ("binary", "not text")).await;
    check(json!({"path": "src", "old_str": "a", "new_str": "b"}), ("wrong_type", "'src' holds: utils.py")).await;
    assert_eq!(workspace.everything(), before);
}

#[tokio::test]
async fn the_documents_errors_in_spanish() {
    let workspace = TempWorkspace::with(&[("f", "uno\nuno\n")]);
    let gate = spanish(&workspace, ToolsetName::Architect);
    for (old, start) in [("dos", "old_str no encontrado"), ("uno", "old_str no es único")] {
        let result = gate.json("edit_file", json!({"path": "f", "old_str": old, "new_str": "x"})).await;
        assert_eq!(result["success"], false);
        for field in ["output", "error"] {
            let text = result[field].as_str().unwrap();
            assert!(text.starts_with(start) && !text.contains("replace_all"), "{field}: {text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn forty_edits_at_once_keep_all_forty() {
    let text: String = (0..40).map(|n| format!("line {n:02} is old\n")).collect();
    let workspace = TempWorkspace::with(&[("f.txt", &text)]);
    let gate = builder(&workspace, ToolsetName::Palanca, &ToolOptions::default()).build();
    let edit = |n: usize| json!({"path": "f.txt", "old_str": format!("line {n:02} is old"), "new_str": format!("line {n:02} is new")});
    let calls = (0..40).map(|n| gate.submission("edit_file", edit(n))).collect();
    let results = gate.turn(calls).await;
    for (n, result) in results.iter().enumerate() {
        assert!(result.success, "{n}: {:?}", result.error);
        assert_eq!(result.id.as_str(), format!("call-{}", n + 1), "results come in call order");
        assert!(result.diff.as_ref().unwrap().contains(&format!("+line {n:02} is new")));
    }
    assert_eq!(workspace.text("f.txt"), text.replace("old", "new"));
    assert_eq!(gate.recorded.records().len(), 40);
}

/// Other processes do not wait at our gate: here two gates stand for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn edits_of_another_process_are_not_lost() {
    let text: String = (0..20).map(|n| format!("line {n:02} is old\n")).collect();
    let workspace = TempWorkspace::with(&[("f.txt", &text)]);
    let edit = |n: usize| json!({"path": "f.txt", "old_str": format!("line {n:02} is old"), "new_str": format!("line {n:02} is new")});
    let tasks: Vec<_> = (0..2)
        .map(|which| {
            let gate = builder(&workspace, ToolsetName::Palanca, &ToolOptions::default()).build();
            tokio::spawn(async move {
                for n in (which..20).step_by(2) {
                    let mut tries = 0;
                    loop {
                        let result = gate.call("edit_file", edit(n)).await;
                        if result.success {
                            break;
                        }
                        assert_eq!(result.code.as_deref(), Some("conflict"), "{:?}", result.error);
                        tries += 1;
                        assert!(tries < 50);
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(workspace.text("f.txt"), text.replace("old", "new"));
}
