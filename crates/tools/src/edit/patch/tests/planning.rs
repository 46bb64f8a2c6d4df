use std::collections::HashMap;

use super::super::*;

/// A short form of a plan: `C path text`, `M path before>after`, …
fn run(text: &str, files: &[(&str, &str)]) -> Result<String, String> {
    let files: HashMap<&str, &str> = files.iter().copied().collect();
    let patch = parse(text, None).map_err(|error| error.to_string())?;
    let mut reads = Vec::new();
    let plan = plan(&patch, |path| {
        reads.push(path.to_owned());
        if path == "broken" { Err("disk on fire") } else { Ok(files.get(path).map(|text| (*text).to_owned())) }
    });
    let distinct: std::collections::HashSet<_> = reads.iter().collect();
    assert_eq!(distinct.len(), reads.len(), "read once each: {reads:?}");
    let operations = plan.map_err(|error| error.to_string())?.operations.into_iter().map(|operation| {
        let mode = |mode: Option<FileMode>| mode.map_or(String::new(), |mode| format!(" {mode:?}"));
        let by = |like: Option<String>| like.map_or(String::new(), |like| format!(" like {like}"));
        match operation {
            FileOperation::Create { path, text, mode: m, like } => format!("C {path} {text:?}{}{}", mode(m), by(like)),
            FileOperation::Modify { path, before, after, mode: m, like } => {
                format!("M {path} {before:?}>{after:?}{}{}", mode(m), by(like))
            }
            FileOperation::Delete { path, before } => format!("D {path} {before:?}"),
            FileOperation::Rename { from, to, before, after, mode: m } => {
                format!("R {from}>{to} {before:?}>{after:?}{}", mode(m))
            }
        }
    });
    Ok(operations.collect::<Vec<_>>().join("; "))
}

fn modify(path: &str, from: &str, to: &str) -> String {
    format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{from}\n+{to}\n")
}

fn create(path: &str, text: &str) -> String {
    format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{text}\n")
}

fn delete(path: &str, text: &str) -> String {
    format!("--- a/{path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-{text}\n")
}

fn copy(from: &str, to: &str) -> String {
    format!("diff --git a/{from} b/{to}\nsimilarity index 100%\ncopy from {from}\ncopy to {to}\n")
}

fn rename(from: &str, to: &str) -> String {
    format!("diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n")
}

#[test]
fn plans() {
    for (name, text, expected) in [
        ("modify", modify("x", "1", "2"), r#"M x "1\n">"2\n""#),
        ("create", create("n", "1"), r#"C n "1\n""#),
        ("create without /dev/null", "--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+1\n".into(), r#"C n "1\n""#),
        ("delete", delete("x", "1"), r#"D x "1\n""#),
        ("rename", rename("x", "n"), r#"R x>n "1\n">"1\n""#),
        ("rename with changes", rename("x", "n") + "--- a/x\n+++ b/n\n@@ -1 +1 @@\n-1\n+2\n", r#"R x>n "1\n">"2\n""#),
        ("copy", "diff --git a/x b/n\ncopy from x\ncopy to n\n".into(), r#"C n "1\n" like x"#),
        ("mode", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n".into(), r#"M x "1\n">"1\n" Executable"#),
        ("several", modify("x", "1", "2") + &create("n", "3"), r#"M x "1\n">"2\n"; C n "3\n""#),
        ("twice", modify("x", "1", "2") + &modify("x", "2", "3"), r#"M x "1\n">"3\n""#),
        ("there and back", modify("x", "1", "2") + &modify("x", "2", "1"), ""),
        ("create, modify", create("n", "1") + &modify("n", "1", "2"), r#"C n "2\n""#),
        ("create, delete", create("n", "1") + &delete("n", "1"), ""),
        ("delete, create", delete("x", "1") + &create("x", "2"), r#"M x "1\n">"2\n""#),
        ("modify, delete", modify("x", "1", "2") + &delete("x", "2"), r#"D x "1\n""#),
        ("modify, rename", modify("x", "1", "2") + &rename("x", "n"), r#"M x "1\n">"2\n"; C n "1\n" like x"#),
        ("modify, copy", modify("x", "1", "2") + &copy("x", "n"), r#"M x "1\n">"2\n"; C n "1\n" like x"#),
        ("copy, modify", copy("x", "n") + &modify("x", "1", "2"), r#"M x "1\n">"2\n"; C n "1\n" like x"#),
        ("delete, copy", delete("x", "1") + &copy("x", "n"), r#"D x "1\n"; C n "1\n" like x"#),
        ("delete, rename", delete("x", "1") + &rename("x", "n"), r#"R x>n "1\n">"1\n""#),
        ("rename, copy", rename("x", "n") + &copy("x", "m"), r#"R x>n "1\n">"1\n"; C m "1\n" like x"#),
        ("rename to two", rename("x", "n") + &rename("x", "m"), r#"R x>n "1\n">"1\n"; C m "1\n" like x"#),
        ("create, copy", create("n", "1") + &copy("n", "m"), r#"C n "1\n"; C m "1\n" like n"#),
        ("create there, rename", create("x", "9") + &rename("x", "n"), r#"M x "1\n">"9\n"; C n "1\n" like x"#),
        ("rename, modify", rename("x", "n") + &modify("n", "1", "2"), r#"R x>n "1\n">"2\n""#),
        ("rename, create there", rename("x", "n") + &create("x", "9"), r#"M x "1\n">"9\n"; C n "1\n" like x"#),
        ("swap", rename("x", "y") + &rename("y", "x"), r#"M x "1\n">"1y\n" like y; M y "1y\n">"1\n" like x"#),
        ("rename twice", rename("x", "n") + &rename("n", "m"), r#"R x>m "1\n">"1\n""#),
        ("take a leaving name", rename("x", "y") + &delete("y", "1y"), r#"D x "1\n"; M y "1y\n">"1\n" like x"#),
        (
            "added at the top without context",
            "diff --git a/x b/x\nindex d00491f..1191247 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+0\n".into(),
            r#"M x "1\n">"0\n1\n""#,
        ),
        ("dotted", modify("./x", "1", "2") + &modify("x", "2", "3"), r#"M x "1\n">"3\n""#),
    ] {
        let got = run(&text, &[("x", "1\n"), ("y", "1y\n")]);
        assert_eq!(got.as_deref(), Ok(expected), "{name}");
    }
}

#[test]
fn refusals() {
    for (name, text, expected) in [
        ("missing", modify("n", "1", "2"), "n does not exist"),
        ("exists", create("x", "2"), "x already exists"),
        ("an empty file before", "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+2\n".into(), "says that the file is empty"),
        (
            "an empty file before, by its name",
            "diff --git a/x b/x\nindex e69de29..0cfbf08 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+2\n".into(),
            "says that the file is empty",
        ),
        ("already created", create("x", "1"), "already applied to x"),
        ("rename onto", rename("x", "y"), "y already exists"),
        ("delete, other content", delete("x", "2"), "do not apply to x"),
        ("delete, content left", delete("z", "1"), "1 of its lines would remain"),
        ("delete without hunks", "diff --git a/x b/x\ndeleted file mode 100644\n".into(), "would remain"),
        ("delete twice", delete("x", "1") + &delete("x", "1"), "x does not exist"),
        ("modify the renamed", rename("x", "n") + &modify("x", "1", "2"), "x does not exist"),
        ("unreadable", modify("broken", "1", "2"), "broken cannot be read: disk on fire"),
        (
            "all or none",
            modify("x", "1", "2") + &modify("n", "1", "2"),
            "1 of 2 files of the patch fail; no file was changed\nn does",
        ),
        ("both told", modify("x", "7", "2") + &modify("n", "1", "2"), "2 of 2 files"),
    ] {
        let error = run(&text, &[("x", "1\n"), ("y", "1y\n"), ("z", "1\n2\n")]).expect_err(name);
        assert!(error.contains(expected), "{name}: {error}");
    }
}
