use crate::support::{builder, done, failed, gate, options, spanish};
use palanca_testkit::TempWorkspace;
use palanca_tools::{ToolOptions, ToolsetName};
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;

const PATCH: &str = "\
diff --git a/src/a.rs b/src/a.rs
--- a/src/a.rs
+++ b/src/a.rs
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/new.txt b/new.txt
new file mode 100755
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+hello
+++ i;
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/from.txt b/to.txt
similarity index 100%
rename from from.txt
rename to to.txt
";

fn workspace() -> TempWorkspace {
    TempWorkspace::with(&[("src/a.rs", "one\ntwo\nthree\n"), ("old.txt", "bye\n"), ("from.txt", "moved\n")])
}

#[tokio::test]
async fn several_files_at_once() {
    let workspace = workspace();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let result = done(&gate, "apply_patch", json!({"patch": PATCH})).await;
    assert_eq!(
        result.output,
        "Patch applied: 4 files, 3 hunks, +3 -2\nM src/a.rs\nA new.txt\nD old.txt\nR from.txt -> to.txt"
    );
    assert_eq!(workspace.text("src/a.rs"), "one\nTWO\nthree\n");
    assert_eq!(workspace.text("new.txt"), "hello\n++ i;\n");
    assert_eq!(workspace.text("to.txt"), "moved\n");
    assert!(!workspace.has("old.txt") && !workspace.has("from.txt"));
    let mode = std::fs::metadata(workspace.root().join("new.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
    let data = result.data.unwrap();
    assert_eq!(data["files"][3], json!({"path": "to.txt", "from": "from.txt", "did": "renamed"}));
    let (code, text) = failed(&gate, "apply_patch", json!({"patch": PATCH})).await;
    assert_eq!(code, "conflict");
    assert!(text.contains("already applied to src/a.rs"), "{text}");
}

#[tokio::test]
async fn all_or_nothing() {
    let workspace = workspace();
    let before = workspace.everything();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let patch = PATCH.replace("-two\n", "-tow\n");
    let (code, text) = failed(&gate, "apply_patch", json!({"patch": patch})).await;
    assert_eq!(code, "conflict");
    assert!(text.starts_with("Error: The patch does not apply (1 of 4 files fail). Nothing was changed.\n"), "{text}");
    for part in ["src/a.rs, hunk 1 (line 4 of the patch)", "Expected:\n      | one\n      | tow", "    2 | two"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(workspace.everything(), before);
}

#[tokio::test]
async fn deletions_need_leave_and_links_are_refused() {
    let workspace = workspace();
    workspace.link("old.txt", "link");
    let before = workspace.everything();
    let gate = builder(&workspace, ToolsetName::Palanca, &ToolOptions::default()).build();
    let (code, text) = failed(&gate, "apply_patch", json!({"patch": PATCH})).await;
    assert_eq!(code, "disabled");
    assert!(text.contains("deletion is disabled"), "{text}");
    let link = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n";
    let (code, text) = failed(&gate, "apply_patch", json!({"patch": link})).await;
    assert_eq!(code, "invalid_arguments");
    assert!(text.contains("symbolic link"), "{text}");
    for (path, expected) in [
        ("../out.txt", "paths.outside_workspace"),
        (".env", "paths.secret_file"),
        (".git/hooks/x", "paths.protected_file"),
    ] {
        let patch = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
        let (code, text) = failed(&gate, "apply_patch", json!({"patch": patch})).await;
        assert_eq!(code, expected, "{path}: {text}");
    }
    assert_eq!(workspace.everything(), before);
}

/// What `git diff -M` prints: the names of the new side come in between those of the old one.
#[tokio::test]
async fn files_become_folders_and_folders_files() {
    let workspace = TempWorkspace::with(&[
        ("a", "one\ntwo\n"),
        ("d/x/deep", "deep\n"),
        ("d/y", "y\n"),
        ("moved", "m\n"),
        ("up/down", "u\n"),
    ]);
    let gate = gate(&workspace, ToolsetName::Palanca);
    let patch = "\
diff --git a/a b/a/b
similarity index 100%
rename from a
rename to a/b
diff --git a/moved b/a/c/moved
similarity index 100%
rename from moved
rename to a/c/moved
diff --git a/d b/d
new file mode 100644
--- /dev/null
+++ b/d
@@ -0,0 +1 @@
+a file
diff --git a/d/x/deep b/d/x/deep
deleted file mode 100644
--- a/d/x/deep
+++ /dev/null
@@ -1 +0,0 @@
-deep
diff --git a/d/y b/e
similarity index 100%
rename from d/y
rename to e
diff --git a/up/down b/up
similarity index 100%
rename from up/down
rename to up
";
    let kept = patch.replace("diff --git a/d/y b/e\nsimilarity index 100%\nrename from d/y\nrename to e\n", "");
    let before = workspace.everything();
    let (code, text) = failed(&gate, "apply_patch", json!({"patch": kept})).await;
    assert_eq!(code, "invalid_arguments", "{text}");
    assert!(
        text.contains("'d' cannot be used: it is a directory that holds more than what this removes: d/y"),
        "{text}"
    );
    assert_eq!(workspace.everything(), before);
    let result = done(&gate, "apply_patch", json!({"patch": patch})).await;
    assert_eq!(
        result.output,
        "Patch applied: 6 files, 2 hunks, +1 -1\nR a -> a/b\nR moved -> a/c/moved\nA d\nD d/x/deep\nR d/y -> e\nR \
         up/down -> up"
    );
    for (path, content) in [("a/b", "one\ntwo\n"), ("a/c/moved", "m\n"), ("d", "a file\n"), ("e", "y\n"), ("up", "u\n")]
    {
        assert_eq!(workspace.text(path), content);
    }
    assert!(!workspace.has("moved"));
    let (_, text) =
        failed(&gate, "apply_patch", json!({"patch": "--- /dev/null\n+++ b/d/z\n@@ -0,0 +1 @@\n+x\n"})).await;
    assert!(text.contains("'d' is not a directory"), "{text}");
}

#[tokio::test]
async fn the_form_of_each_file_is_kept() {
    let workspace = TempWorkspace::new();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let patch = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+\u{e9}\n";
    for (before, after) in [
        (&b"a\r\nb\r\n"[..], &b"a\r\n\xc3\xa9\r\n"[..]),
        (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\n\xc3\xa9\n"),
        (b"a\nb\n\xf1\n", b"a\n\xe9\n\xf1\n"),
        (b"a\nb", b"a\n\xc3\xa9"),
        (b"\xff\xfea\0\n\0b\0\n\0", b"\xff\xfea\0\n\0\xe9\0\n\0"),
    ] {
        workspace.write("f", before);
        std::fs::set_permissions(workspace.root().join("f"), std::fs::Permissions::from_mode(0o751)).unwrap();
        done(&gate, "apply_patch", json!({"patch": patch})).await;
        assert_eq!(workspace.read("f"), after, "{before:?}");
        let mode = std::fs::metadata(workspace.root().join("f")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o751);
    }
    assert!(!workspace.has("f.orig") && !workspace.has("f.rej"));
}

#[tokio::test]
async fn what_was_overlooked_is_told() {
    let workspace = TempWorkspace::with(&[("f", "0\n0\n0\na\nb  \nc\nd\n")]);
    let gate = gate(&workspace, ToolsetName::Palanca);
    let patch = "--- a/f\n+++ b/f\n@@ -1,4 +1,9 @@\n a\n b\n-c\n+C\n d\n";
    let result = done(&gate, "apply_patch", json!({"patch": patch})).await.output;
    assert_eq!(
        result,
        "Patch applied: 1 file, 1 hunk, +1 -1\nM f\nNote: f, hunk 1 at line 4: 3 lines from where its header says\nNote: f, hunk \
         1 at line 4: trailing white space was ignored\nNote: line 3 of the patch: the hunk header counts -4 +9, the \
         hunk has -4 +4; the lines were used"
    );
    assert_eq!(workspace.text("f"), "0\n0\n0\na\nb  \nC\nd\n");
}

#[tokio::test]
async fn the_document_names_the_file() {
    let workspace = TempWorkspace::with(&[("src/utils.py", "def foo():\n    return 1\n")]);
    let gate = spanish(&workspace, ToolsetName::Architect);
    let patch = "@@ -1,2 +1,2 @@\n def foo():\n-    return 1\n+    return 2\n";
    let result = gate.json("apply_patch", json!({"path": "src/utils.py", "patch": patch})).await;
    assert_eq!(
        result,
        json!({"success": true, "output": "Patch aplicado: 1 archivo, 1 hunk, +1 -1\nM src/utils.py", "error": null})
    );
    let (code, _) = failed(&gate, "apply_patch", json!({"patch": patch})).await;
    assert_eq!(code, "invalid_arguments", "path is required");
    let (code, text) = failed(&gate, "apply_patch", json!({"path": "src/utlis.py", "patch": patch})).await;
    assert_eq!(code, "not_found");
    assert!(text.contains("¿Quisiste decir: src/utils.py") && text.contains("/dev/null"), "{text}");
}

/// Every way in which a text is no patch has a sentence of its own, in both languages.
#[tokio::test]
async fn every_fault_of_a_patch_is_said() {
    let cases: &[(&str, &str, &str)] = &[
        ("", "it is empty", "está vacío"),
        ("hello\n", "there is no hunk", "no contiene ningún hunk"),
        ("--- a/f\n+++ b/f\n", "changes nothing in this file", "no cambia nada en este archivo"),
        (
            "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n",
            "*** End Patch is missing",
            "falta la línea *** End Patch",
        ),
        (
            "*** Update File: f\n@@\n-a\n+b\n*** End Patch\n",
            "*** Begin Patch is missing",
            "falta la línea *** Begin Patch",
        ),
        (
            "*** Begin Patch\n*** Copy File: f\n*** End Patch\n",
            "'*** Copy File: f' does not belong",
            "no corresponde aquí",
        ),
        ("*** Begin Patch\n*** Add File: g\nx\n*** End Patch\n", "'x' does not start with +", "'x' no empieza por +"),
        (
            "cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: g\n+x\n*** End Patch\nEOF\n",
            "relative to the workspace",
            "relativas al workspace",
        ),
        (
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n*** Begin Patch\n*** Add File: g\n+x\n*** End Patch\n",
            "send one of them",
            "envía solo uno de los dos",
        ),
        ("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "search/replace block", "bloque de buscar y reemplazar"),
        ("*** f\n--- f\n***************\n*** 1 ****\n! a\n", "context diff", "diff de contexto"),
        ("1c1\n< a\n---\n> b\n", "without file names", "sin nombres de archivo"),
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n[-a-]{+b+}\n", "word diff", "diff por palabras"),
        ("\u{1b}[1m--- a/f\u{1b}[m\n", "color codes", "códigos de color"),
        ("--- \"a/x\\ny\"\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "line break", "salto de línea"),
        ("--- a/x\ty\n+++ b/x\ty\n@@ -1 +1 @@\n-a\n+b\n", "there is a tab", "hay un tabulador"),
        ("@@ -1 +1 @@\n-a\n+b\n", "no file header", "no tiene cabecera"),
        (
            "--- a/f\n+++ b/f\n@@ -99999999999999999999 +1 @@\n-a\n+b\n",
            "hunk header '@@ -99999999999999999999 +1 @@'",
            "cabecera de hunk '@@ -99999999999999999999 +1 @@'",
        ),
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n", "the hunk has no lines", "el hunk no tiene líneas"),
        ("--- \"a/\\q\"\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "file name", "nombre de archivo"),
        ("--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n", "two files, 'f' and 'g'", "dos archivos, 'f' y 'g'"),
        ("diff --git a/f b/g\nrename from f\n", "without its partner", "sin su pareja"),
        ("diff --git a/f b/f\nGIT binary patch\nliteral 0\n", "binary file", "archivo binario"),
        (
            "diff --git a/f b/f\nnew file mode 160000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
            "submodule",
            "submódulo",
        ),
        (
            "diff --git a/f b/f\nnew file mode 100xyz\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
            "'100xyz'",
            "'100xyz'",
        ),
        ("--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "can only add lines", "solo puede añadir líneas"),
        ("--- a/f\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "can only remove lines", "solo puede quitar líneas"),
        (
            "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n--a\n++b\n",
            "combined diff",
            "diff combinado",
        ),
    ];
    let workspace = TempWorkspace::with(&[("f", "a\n")]);
    let before = workspace.everything();
    let english = gate(&workspace, ToolsetName::Palanca);
    let spanish = builder(&workspace, ToolsetName::Palanca, &options()).locale(palanca_text::Locale::Es).build();
    for (patch, en, es) in cases {
        for (gate, part) in [(&english, en), (&spanish, es)] {
            let (code, text) = failed(gate, "apply_patch", json!({"patch": patch})).await;
            assert_eq!(code, "invalid_arguments", "{patch}: {text}");
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    assert_eq!(workspace.everything(), before);
}

/// Every way in which a patch does not fit has a sentence of its own.
#[tokio::test]
async fn every_misfit_is_said() {
    let twice = "x\nsame\ny\nx\nsame\ny\n";
    let cases: &[(&str, &str, &str)] = &[
        ("a\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-b\n+c\n", "its old lines are not in the file"),
        (twice, "--- a/f\n+++ b/f\n@@ @@\n x\n-same\n+new\n y\n", "fits equally well at lines 1, 4"),
        ("a\nb\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+x\n@@ -1 +1 @@\n-a\n+y\n", "hunk 1"),
        ("a\nb\n", "--- a/f\n+++ b/f\n@@ @@\n+c\n", "does not say where"),
        (
            "a\nb\n",
            "*** Begin Patch\n*** Update File: f\n@@ class C\n-a\n+c\n*** End Patch\n",
            "no line of the file reads 'class C'",
        ),
        (
            "a\nf\nb\n",
            "*** Begin Patch\n*** Update File: f\n@@ f\n-a\n+c\n*** End Patch\n",
            "at line 1, not below its @@ lines",
        ),
        (
            "a\nb\na\n",
            "*** Begin Patch\n*** Update File: f\n@@\n-a\n+c\n*** End Patch\n",
            "fits equally well at lines 1, 3; add context",
        ),
        ("a\n", "*** Begin Patch\n*** Add File: f\n+b\n*** End Patch\n", "f already exists"),
        ("a\n", "--- a/f\n+++ b/f\n@@ -9,0 +9 @@\n+c\n", "past the end; the file has 1 lines"),
        ("a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n", "f already exists"),
        ("a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n", "already applied to f"),
        ("a\nb\n", "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "one of its lines would remain"),
        (
            "a\n",
            "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-b\n+c\n--- a/h\n+++ b/h\n@@ -1 +1 @@\n-b\n+c\n",
            "g does not exist. To create",
        ),
        (
            "a\n",
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/link\n+++ b/link\n@@ -1 +1 @@\n-a\n+c\n",
            "under two spellings",
        ),
    ];
    let workspace = TempWorkspace::new();
    workspace.link("f", "link");
    let gate = gate(&workspace, ToolsetName::Palanca);
    for (content, patch, part) in cases {
        workspace.write("f", content);
        let result = gate.call("apply_patch", json!({"patch": patch})).await;
        let text = result.for_model();
        assert!(!result.success && text.contains(part), "{part}\n{patch}\n{text}");
        assert_eq!(workspace.text("f"), *content);
    }
}

const ENVELOPE: &str = "\
*** Begin Patch
*** Update File: src/a.rs
@@
 one
-two
+TWO
*** Add File: new/n.txt
+hello
*** Delete File: old.txt
*** Update File: from.txt
*** Move to: to.txt
@@
-moved
+MOVED
*** End Patch
";

/// The envelope makes the same plan as a diff: the same effects, the same report, all or nothing.
#[tokio::test]
async fn envelopes_are_taken() {
    let workspace = workspace();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let failing = ENVELOPE.replace("-two\n", "-tow\n");
    let before = workspace.everything();
    let (code, text) = failed(&gate, "apply_patch", json!({"patch": failing})).await;
    assert_eq!(code, "conflict");
    for part in [
        "1 of 4 files fail",
        "src/a.rs, hunk 1 (line 3 of the patch)",
        "Expected:\n      | one\n      | tow",
        "    2 | two",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(workspace.everything(), before);
    let result = done(&gate, "apply_patch", json!({"patch": format!("apply_patch <<'EOF'\n{ENVELOPE}EOF\n")})).await;
    assert_eq!(
        result.output,
        "Patch applied: 4 files, 3 hunks, +3 -3\nM src/a.rs\nA new/n.txt\nD old.txt\nR from.txt -> to.txt"
    );
    assert_eq!(workspace.text("src/a.rs"), "one\nTWO\nthree\n");
    assert_eq!(workspace.text("new/n.txt"), "hello\n");
    assert_eq!(workspace.text("to.txt"), "MOVED\n");
    assert!(!workspace.has("old.txt") && !workspace.has("from.txt"));
    let absolute = workspace.root().canonicalize().unwrap().join("to.txt");
    let patch = format!("*** Begin Patch\n*** Update File: {}\n@@\n-MOVED\n+m\n*** End Patch", absolute.display());
    done(&gate, "apply_patch", json!({"patch": patch})).await;
    assert_eq!(workspace.text("to.txt"), "m\n");
}

#[tokio::test]
async fn envelopes_are_judged() {
    let workspace = workspace();
    let before = workspace.everything();
    let gate = builder(&workspace, ToolsetName::Palanca, &ToolOptions::default()).build();
    let (code, _) = failed(&gate, "apply_patch", json!({"patch": ENVELOPE})).await;
    assert_eq!(code, "disabled");
    for (path, expected) in [
        ("../out.txt", "paths.outside_workspace"),
        ("/etc/passwd", "paths.outside_workspace"),
        (".env", "paths.secret_file"),
        (".git/hooks/x", "paths.protected_file"),
    ] {
        for section in [
            format!("*** Add File: {path}\n+x\n"),
            format!("*** Update File: {path}\n@@\n-x\n+y\n"),
            format!("*** Update File: from.txt\n*** Move to: {path}\n"),
        ] {
            let patch = format!("*** Begin Patch\n{section}*** End Patch\n");
            let (code, text) = failed(&gate, "apply_patch", json!({"patch": patch})).await;
            assert_eq!(code, expected, "{section}: {text}");
        }
    }
    assert_eq!(workspace.everything(), before);
}

#[tokio::test]
async fn links_are_neither_moved_nor_copied() {
    let workspace = workspace();
    workspace.link("old.txt", "link");
    workspace.link("nowhere", "broken");
    workspace.link("/etc/passwd", "outside");
    let before = workspace.everything();
    let gate = gate(&workspace, ToolsetName::Palanca);
    for link in ["link", "broken", "outside"] {
        for patch in [
            format!("rename from {link}\nrename to new\n"),
            format!("*** Begin Patch\n*** Delete File: {link}\n*** End Patch\n"),
            format!("*** Begin Patch\n*** Update File: {link}\n*** Move to: new\n*** End Patch\n"),
        ] {
            let (code, text) = failed(&gate, "apply_patch", json!({"patch": patch})).await;
            assert_eq!(code, "invalid_arguments", "{patch}: {text}");
            assert!(text.contains("is a symbolic link"), "{patch}: {text}");
        }
    }
    let copy = "copy from link\ncopy to new\n";
    let (_, text) = failed(&gate, "apply_patch", json!({"patch": copy})).await;
    assert!(text.contains("is a symbolic link"), "{text}");
    assert_eq!(workspace.everything(), before);
}

/// A copy is a copy of the file before the patch, with its mode and its encoding.
#[tokio::test]
async fn copies_and_swaps_keep_what_their_original_was() {
    let workspace = TempWorkspace::with(&[("run", "1\n"), ("plain", "2\n")]);
    workspace.write("wide", b"\xff\xfea\0\n\0");
    std::fs::set_permissions(workspace.root().join("run"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let patch = "\
diff --git a/run b/run
--- a/run
+++ b/run
@@ -1 +1 @@
-1
+one
diff --git a/run b/copy
similarity index 100%
copy from run
copy to copy
diff --git a/wide b/wide2
similarity index 50%
copy from wide
copy to wide2
--- a/wide
+++ b/wide2
@@ -1 +1,2 @@
 a
+b
";
    done(&gate, "apply_patch", json!({"patch": patch})).await;
    assert_eq!((workspace.text("run").as_str(), workspace.text("copy").as_str()), ("one\n", "1\n"));
    assert_eq!(workspace.read("wide2"), b"\xff\xfea\0\n\0b\0\n\0");
    let swap = "rename from copy\nrename to plain\nrename from plain\nrename to copy\n";
    done(&gate, "apply_patch", json!({"patch": swap})).await;
    assert_eq!((workspace.text("copy").as_str(), workspace.text("plain").as_str()), ("2\n", "1\n"));
    let runs = |path: &str| std::fs::metadata(workspace.root().join(path)).unwrap().permissions().mode() & 0o100 != 0;
    assert_eq!(["run", "copy", "plain"].map(runs), [true, false, true]);
}
