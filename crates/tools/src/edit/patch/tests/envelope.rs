use std::collections::HashMap;

use super::super::*;
use super::parsing::summary;

fn envelope(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

/// The files after the patch.
fn run(text: &str, files: &[(&str, &str)]) -> Result<HashMap<String, String>, String> {
    let mut tree: HashMap<String, String> = files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
    let patch = parse(text, None).map_err(|error| error.to_string())?;
    assert_eq!(patch.language, Language::Envelope);
    let planned = plan(&patch, |path| Ok::<_, String>(tree.get(path).cloned())).map_err(|error| error.to_string())?;
    for operation in planned.operations {
        match operation {
            FileOperation::Create { path, text, .. } => assert_eq!(tree.insert(path, text), None),
            FileOperation::Modify { path, after, .. } => assert!(tree.insert(path, after).is_some()),
            FileOperation::Delete { path, .. } => assert!(tree.remove(&path).is_some()),
            FileOperation::Rename { from, to, after, .. } => {
                assert!(tree.remove(&from).is_some());
                assert_eq!(tree.insert(to, after), None);
            }
        }
    }
    Ok(tree)
}

#[test]
fn read() {
    let update = "*** Update File: x\n@@\n-a\n+b\n";
    let plain = envelope(update);
    for (name, text, expected) in [
        ("plain", plain.clone(), "M x -+"),
        ("prose around", format!("I will do it:\n\n{plain}\nDone.\n"), "M x -+"),
        ("a fence", format!("```diff\n{plain}```\n"), "M x -+"),
        ("a here document", format!("apply_patch <<'EOF'\n{plain}EOF\n"), "M x -+"),
        ("no line break at the end", plain.trim_end().into(), "M x -+"),
        ("CRLF", plain.replace('\n', "\r\n"), "M x -+"),
        ("indented marks", format!(" *** Begin Patch\n  {update} *** End Patch \n"), "M x -+"),
        ("two envelopes", plain.clone() + &plain.replace('x', "y"), "M x -+; M y -+"),
        (
            "every section",
            envelope(
                "*** Add File: n/e w.txt\n+a\n+\n*** Delete File: gone\n*** Update File: x\n*** Move to: y\n@@ def f():\n a\n-b\n\n*** Update File: z\n+c\n d\n",
            ),
            "C n/e w.txt ++; D gone; R x y =-; M z +=",
        ),
        ("an empty file", envelope("*** Add File: n\n"), "C n"),
        ("an empty line without its sign", envelope("*** Add File: n\n+a\n\n+b\n\n"), "C n +++"),
        ("only moved", envelope("*** Update File: x\n*** Move to: y\n"), "R x y"),
        ("moved to itself", envelope("*** Update File: x\n*** Move to: ./x\n@@\n-a\n+b\n"), "M x -+"),
        (
            "marks with signs",
            envelope("*** Update File: x\n@@\n *** End Patch\n-*** Begin Patch\n+*** Add File: y\n"),
            "M x =-+",
        ),
        (
            "headers of a diff with signs",
            envelope("*** Update File: x\n@@\n--- a/y\n+++ b/y\n @@ -1 +1 @@\n"),
            "M x -+=",
        ),
        ("line numbers", envelope("*** Update File: x\n@@ -3,2 +3,2 @@ fn f()\n a\n-b\n+c\n"), "M x =-+"),
        ("several hunks", envelope("*** Update File: x\n@@ @@\n-a\n@@ ... @@\n+b\n c\n*** End of File\n"), "M x - +="),
        ("absolute", envelope("*** Add File: /etc/x\n+a\n"), "C /etc/x +"),
        ("a diff in it", "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n *** Begin Patch\n+*** End Patch\n".into(), "M x =+"),
    ] {
        let patch = parse(&text, None).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(summary(&patch), expected, "{name}");
        assert!(paths(&text, None).unwrap().len() >= patch.files.len(), "{name}");
    }
}

#[test]
fn refused() {
    for (name, text, expected) in [
        ("no end", "*** Begin Patch\n*** Delete File: x\n".into(), "line 1: the envelope does not end"),
        ("no start", "*** Delete File: x\n*** End Patch\n".into(), "does not start with *** Begin Patch"),
        ("nothing in it", envelope(""), "there is no hunk"),
        (
            "no sign",
            envelope("*** Add File: x\n+a\nb\n"),
            "line 4, file \"x\": \"b\" in a new file does not start with +",
        ),
        ("no sign in a hunk", envelope("*** Update File: x\n@@\n-a\nfn b() {\n"), "hunk 1: \"fn b() {\" inside a hunk"),
        ("an unknown section", envelope("*** Rename File: x\n"), "\"*** Rename File: x\" is not part"),
        ("lines of no file", envelope("@@\n-a\n+b\n"), "\"@@\" is not part"),
        ("a second start", envelope("*** Delete File: x\n*** Begin Patch\n"), "\"*** Begin Patch\" is not part"),
        ("after a deletion", envelope("*** Delete File: x\n-a\n"), "\"-a\" is not part"),
        ("no change", envelope("*** Update File: x\n"), "line 2, file \"x\": the patch changes nothing"),
        ("only context", envelope("*** Update File: x\n@@\n a\n"), "changes nothing"),
        ("an empty hunk", envelope("*** Update File: x\n@@ f\n*** Delete File: y\n"), "the hunk has no lines"),
        ("no name", envelope("*** Delete File: \n"), "file name"),
        (
            "another directory",
            "cd src && apply_patch <<'EOF'\n".to_owned() + &envelope("*** Delete File: x\n"),
            "relative to the workspace",
        ),
        (
            "and a diff",
            envelope("*** Delete File: x\n") + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            "line 4, file \"y\": the text holds",
        ),
        (
            "after a diff",
            "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n".to_owned() + &envelope("*** Delete File: x\n"),
            "the text holds",
        ),
    ] {
        let error = parse(&text, None).expect_err(name).to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
}

const CODE: &str = "class A:\n    def f(self):\n        x = 1\n        return x\n\nclass B:\n    def f(self):\n        x = 1\n        return x\n";

#[test]
fn applied() {
    for (name, old, body, expected) in [
        ("by context", "a\nb\nc\n", "@@\n a\n-b\n+x\n c\n", "a\nx\nc\n"),
        ("white space aside", "\ta\n\tb  \n\tc\n", "@@\n a\n-b\n+x\n c\n", "\ta\n\tx\n\tc\n"),
        ("line ends are the file's", "a\r\nb\r\n", "@@\n-b\n+x\n+y\n", "a\r\nx\r\ny\r\n"),
        ("no newline at the end stays", "a\nb", "@@\n-b\n+x\n", "a\nx"),
        (
            "below an anchor",
            CODE,
            "@@ class B:\n         x = 1\n-        return x\n+        return 2\n",
            &CODE
                .replacen("return x\n", "return 1\n", 1)
                .replace("return x", "return 2")
                .replace("return 1", "return x"),
        ),
        (
            "below two",
            CODE,
            "@@ class B:\n@@ def f(self):\n-        x = 1\n+        x = 2\n",
            &CODE.replacen("x = 1", "y", 1).replace("x = 1", "x = 2").replace("y", "x = 1"),
        ),
        (
            "the start of a line",
            "impl Config {\n    a\n}\nimpl Configs {\n    a\n}\n",
            "@@ impl Configs\n-    a\n+    b\n",
            "impl Config {\n    a\n}\nimpl Configs {\n    b\n}\n",
        ),
        (
            "a word, not its start",
            "impl Configs {\n    a\n}\nimpl Config {\n    a\n}\n",
            "@@ impl Config\n-    a\n+    b\n",
            "impl Configs {\n    a\n}\nimpl Config {\n    b\n}\n",
        ),
        (
            "the anchor is context as well",
            CODE,
            "@@ class B:\n class B:\n     def f(self):\n-        x = 1\n+        x = 2\n",
            &CODE.replacen("x = 1", "y", 1).replace("x = 1", "x = 2").replace("y", "x = 1"),
        ),
        ("the first below the anchor", "f\na\na\n", "@@ f\n-a\n+b\n", "f\nb\na\n"),
        ("one anchor of two has it", "f\na\nf\nb\n", "@@ f\n-b\n+c\n", "f\na\nf\nc\n"),
        ("the same anchor twice", "f\na\nb\nc\n", "@@ f\n-a\n+1\n@@ f\n-c\n+3\n", "f\n1\nb\n3\n"),
        ("the last lines", "a\nb\na\n", "@@\n-a\n+x\n*** End of File\n", "a\nb\nx\n"),
        ("the last lines but empty ones", "a\nb\na\n\n", "@@\n-a\n+x\n*** End of File\n", "a\nb\nx\n\n"),
        ("at the end", "a\nb\n", "@@\n+c\n*** End of File\n", "a\nb\nc\n"),
        ("without context", "a\nb\n", "@@\n+c\n", "a\nb\nc\n"),
        ("without context, no newline", "a\nb", "@@\n+c\n", "a\nb\nc"),
        ("line numbers", "x\na\nx\nb\nx\n", "@@ -5 +5 @@\n-x\n+y\n", "x\na\nx\nb\ny\n"),
        ("without @@", "a\nb\n", " a\n-b\n", "a\n"),
        ("an empty line of context", "a\n\nb\n", "@@\n a\n\n-b\n+c\n", "a\n\nc\n"),
        ("an empty line before the next hunk", "a\nb\nc\n", "@@\n-a\n+1\n\n@@\n-c\n+3\n", "1\nb\n3\n"),
    ] {
        let text = envelope(&format!("*** Update File: f\n{body}"));
        match run(&text, &[("f", old)]) {
            Ok(tree) => assert_eq!(tree["f"], expected, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn fails() {
    for (name, old, body, expected) in [
        ("in two places", "a\nb\na\n", "@@\n-a\n+x\n", "fit equally well at lines 1, 3"),
        (
            "below two anchors",
            CODE,
            "@@ def f(self):\n-        x = 1\n+        x = 2\n",
            "fit equally well at lines 3, 8",
        ),
        (
            "no such anchor",
            CODE,
            "@@ class C:\n-        x = 1\n+        x = 2\n",
            "no line of the file reads \"class C:\"",
        ),
        ("anchors in the wrong order", CODE, "@@ class B:\n@@ class A:\n-        x = 1\n", "reads \"class A:\""),
        ("not below the anchor", "a\nf\nb\n", "@@ f\n-a\n+x\n", "its lines are at line 1, not below"),
        (
            "not at the end",
            "a\nb\n",
            "@@\n-a\n+x\n*** End of File\n",
            "at line 1, not below its @@ lines or at the start or end",
        ),
        ("only an anchor", CODE, "@@ class B:\n+    y = 2\n", "does not say where"),
        ("out of order", "a\nb\n", "@@\n-b\n+2\n@@\n-a\n+1\n", "before those of hunk 1"),
        ("nowhere", "a\n", "@@\n-zz\n+x\n", "not in the file"),
    ] {
        let text = envelope(&format!("*** Update File: f\n{body}"));
        let error = run(&text, &[("f", old)]).expect_err(name);
        assert!(error.contains(expected), "{name}: {error}");
    }
}

/// Each section starts from what those before it left.
#[test]
fn sections_compose() {
    for (name, body, expected) in [
        ("deleted as it is", "*** Delete File: x\n", "y=2"),
        ("replaced", "*** Delete File: x\n*** Add File: x\n+new\n", "x=new y=2"),
        ("changed, then moved", "*** Update File: x\n@@\n-1\n+one\n*** Update File: x\n*** Move to: z\n", "y=2 z=one"),
        ("moved, then changed", "*** Update File: x\n*** Move to: z\n*** Update File: z\n@@\n-1\n+one\n", "y=2 z=one"),
        ("moved onto a deleted file", "*** Delete File: y\n*** Update File: x\n*** Move to: y\n", "y=1"),
        ("added, then changed", "*** Add File: z\n+1\n*** Update File: z\n@@\n-1\n+one\n", "x=1 y=2 z=one"),
        ("in a new folder", "*** Update File: x\n*** Move to: a/b/x\n@@\n-1\n+one\n", "a/b/x=one y=2"),
    ] {
        let tree =
            run(&envelope(body), &[("x", "1\n"), ("y", "2\n")]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut shown: Vec<_> = tree.iter().map(|(path, text)| format!("{path}={}", text.trim_end())).collect();
        shown.sort();
        assert_eq!(shown.join(" "), expected, "{name}");
    }
    for (name, body, expected) in [
        ("added onto a file", "*** Add File: x\n+2\n", "x already exists"),
        ("moved onto a file", "*** Update File: x\n*** Move to: y\n", "y already exists"),
        (
            "changed after it moved",
            "*** Update File: x\n*** Move to: z\n*** Update File: x\n@@\n-1\n+2\n",
            "x does not exist",
        ),
        ("no such file", "*** Update File: n\n@@\n+a\n", "n does not exist"),
        ("deleted twice", "*** Delete File: x\n*** Delete File: x\n", "x does not exist"),
        (
            "one of two",
            "*** Delete File: x\n*** Update File: y\n@@\n-7\n+8\n",
            "1 of 2 files of the patch fail; no file",
        ),
    ] {
        let error = run(&envelope(body), &[("x", "1\n"), ("y", "2\n")]).expect_err(name);
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn path_argument() {
    let text = envelope("*** Update File: utils.py\n@@\n-a\n+b\n");
    let patch = parse(&text, Some("src/utils.py")).unwrap();
    assert_eq!((summary(&patch).as_str(), patch.notes.len()), ("M src/utils.py -+", 1));
    let text = envelope("*** Delete File: a\n*** Delete File: b\n");
    assert_eq!(summary(&parse(&text, Some("./b")).unwrap()), "D a; D b");
    assert!(parse(&text, Some("c")).unwrap_err().to_string().contains("\"c\" is not among them"));
}
