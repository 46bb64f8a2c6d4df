use super::super::*;

/// A short form of what was parsed: `C path`, `M path`, `R from to`, with the signs of each hunk's lines.
pub(super) fn summary(patch: &ParsedPatch<'_>) -> String {
    let files = patch.files.iter().map(|file| {
        let change = match &file.change {
            FileChange::Create { path } => format!("C {path}"),
            FileChange::Modify { path } => format!("M {path}"),
            FileChange::Delete { path } => format!("D {path}"),
            FileChange::Rename { from, to } => format!("R {from} {to}"),
            FileChange::Copy { from, to } => format!("K {from} {to}"),
        };
        let mode = match file.mode {
            None => "",
            Some(FileMode::Regular) => " 644",
            Some(FileMode::Executable) => " 755",
        };
        let hunks = file.hunks.iter().map(|hunk| {
            let signs = hunk.lines.iter().map(|line| match line.kind {
                LineKind::Context => '=',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            });
            format!(" {}", signs.collect::<String>())
        });
        format!("{change}{mode}{}", hunks.collect::<String>())
    });
    files.collect::<Vec<_>>().join("; ")
}

fn epoch(name: &str, old: &str, new: &str, hunk: &str) -> String {
    format!("diff -ruN a/{name} b/{name}\n--- a/{name}\t{old}\n+++ b/{name}\t{new}\n@@ -{hunk}\n")
}

#[test]
fn accepted() {
    let fenced = "Here is the fix:\n\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n\n- I changed a to b\n";
    for (name, text, expected) in [
        ("plain", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "M x =-+"),
        ("missing counts are 1", "--- x\n+++ x\n@@ -3 +3 @@\n-a\n+b\n", "M x -+"),
        ("time stamps", "--- a/x\t2024-01-01 00:00:00 +0000\n+++ b/x\t2024-02-01\n@@ -1 +1 @@\n-a\n+b\n", "M x -+"),
        ("headers in content", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- i;\n+++ i;\n z\n", "M x -+="),
        (
            "headers in content, then a file",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/q\n+++ b/q\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            "M x -+; M y -+",
        ),
        ("created", "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n", "C x ++"),
        ("deleted", "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "D x --"),
        (
            "git create",
            "diff --git a/x b/x\nnew file mode 100755\nindex 0000000..e69de29\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
            "C x 755 +",
        ),
        ("git create empty", "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n", "C x 644"),
        ("git delete empty", "diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n", "D x"),
        ("mode", "diff --git a/s p.sh b/s p.sh\nold mode 100644\nnew mode 100755\n", "M s p.sh 755"),
        (
            "rename",
            "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            "R x y -+",
        ),
        ("rename without git line", "rename from README.md\nrename to ../evil.md\n", "R README.md ../evil.md"),
        ("copy", "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n", "K x y"),
        (
            "quoted",
            "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n--- \"a/\\303\\251\"\n+++ \"b/\\303\\251\"\n@@ -1 +1 @@\n-a\n+b\n",
            "M é -+",
        ),
        (
            "several files",
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            "M x -+; M y -+",
        ),
        ("fence and prose", fenced, "M x -+"),
        (
            "format-patch mail",
            "From 0123 Mon Sep 17\nSubject: [PATCH] x\n\n---\n x | 2 +-\n 1 file changed\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ fn x\n a\n-b\n+c\n-- \n2.47.3\n\n",
            "M x =-+",
        ),
        ("no prefix", "diff --git x/y x/y\n--- x/y\n+++ x/y\n@@ -1 +1 @@\n-a\n+b\n", "M x/y -+"),
        ("no prefix, folder b", "diff --git b/y b/y\n--- b/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "M b/y -+"),
        (
            "folder b, created",
            "diff --git b/y b/y\nnew file mode 100644\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+b\n",
            "C b/y 644 +",
        ),
        ("mnemonic prefixes", "diff --git i/y w/y\n--- i/y\n+++ w/y\n@@ -1 +1 @@\n-a\n+b\n", "M y -+"),
        (
            "diff -r",
            "diff -ru old/x new/x\n--- old/x\t2024-01-01 10:00:00\n+++ new/x\t2024-01-02 10:00:00\n@@ -1 +1 @@\n-a\n+b\nOnly in new: z\n",
            "M x -+",
        ),
        ("svn", "Index: x\n=====\n--- x\t(revision 1)\n+++ x\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n", "M x -+"),
        ("blank context", "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n\n-b\n+c\n d\n", "M x ==-+="),
        ("tab context", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n\ta\n-b\n+c\n", "M x =-+"),
        ("counts too small", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n+d\n e\n", "M x =-++="),
        ("counts too large", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n+c\n", "M x =-+"),
        (
            "counts too large before a file",
            "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n+c\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            "M x =-+; M y -+",
        ),
        ("counts wrong, blank in between", "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n\n+c\n d\n", "M x -+=+="),
        ("counts wrong, then prose", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\n\nThat is all.\n- really\n", "M x -+"),
        ("bare header", "--- a/x\n+++ b/x\n@@\n a\n-b\n+c\n", "M x =-+"),
        ("header with a name only", "--- a/x\n+++ b/x\n@@ def f(): @@\n a\n-b\n+c\n", "M x =-+"),
        ("half header", "+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "M x -+"),
        ("no context lines are left out", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n@@ -5 +5 @@\n-a\n+b\n", "M x -+"),
        ("created with bare blank lines", "--- /dev/null\n+++ b/x\n@@ -0,0 +1,3 @@\n+a\n\n+b\n", "C x +++"),
        ("backup name", "--- x.orig\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", "M x -+"),
        ("dot slash", "--- ./x\n+++ ./x\n@@ -1 +1 @@\n-a\n+b\n", "M x -+"),
        ("escaping", "--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n", "M ../../x -+"),
        ("a signature of words", "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b\n-- \nsent from the train\n", "M x =-"),
        (
            "GNU deletion",
            &epoch("x", "2024-01-01 10:00:00 +0000", "1970-01-01 01:00:00.000000000 +0100", "1 +0,0 @@\n-a"),
            "D x -",
        ),
        ("GNU creation", &epoch("x", "1969-12-31 19:00:00 -0500", "2024-01-01 10:00:00", "0,0 +1 @@\n+a"), "C x +"),
        (
            "a file as old as the epoch",
            &epoch("x", "1970-01-01 00:00:00", "2024-01-01 10:00:00", "1 +1 @@\n-a\n+b"),
            "M x -+",
        ),
        ("both as old", &epoch("x", "1970-01-01 00:00:00", "1970-01-01 00:00:00", "1 +0,0 @@\n-a"), "D x -"),
        (
            "mnemonic, created",
            "diff --git i/y w/y\nnew file mode 100644\n--- /dev/null\n+++ w/y\n@@ -0,0 +1 @@\n+b\n",
            "C y 644 +",
        ),
        (
            "mnemonic, deleted",
            "diff --git c/y i/y\ndeleted file mode 100644\n--- c/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
            "D y -",
        ),
        (
            "mnemonic, reversed",
            "diff --git w/y c/y\nnew file mode 100755\n--- /dev/null\n+++ c/y\n@@ -0,0 +1 @@\n+b\n",
            "C y 755 +",
        ),
        ("mnemonic, empty", "diff --git o/y w/y\nnew file mode 100644\n", "C y 644"),
        (
            "own prefixes",
            "diff --git old/s/y new/s/y\nnew file mode 100644\n--- /dev/null\n+++ new/s/y\n@@ -0,0 +1 @@\n+b\n",
            "C s/y 644 +",
        ),
        (
            "own long prefixes",
            "diff --git one/two/y z three/y z\ndeleted file mode 100644\n--- one/two/y z\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
            "D y z -",
        ),
        (
            "own prefixes, moved",
            "diff --git one/two/y three/z\nrename from y\nrename to z\n--- one/two/y\n+++ three/z\n@@ -1 +1 @@\n-a\n+b\n",
            "R y z -+",
        ),
        (
            "prefixes learned from the other sections",
            "--- old/x\n+++ new/x\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ new/y\n@@ -0,0 +1 @@\n+b\n--- old/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
            "M x -+; C y +; D z -",
        ),
        ("a mode that only the group executes", "diff --git a/y b/y\nnew file mode 100654\n", "C y 644"),
        ("a mode that only the owner executes", "diff --git a/y b/y\nnew file mode 100744\n", "C y 755"),
        ("a date in a moved name", "rename from y 2024-01-01 10:00:00\nrename to z\n", "R y 2024-01-01 10:00:00 z"),
        ("a tab in a moved name", "rename from y\tq\nrename to z\n", "R y\tq z"),
        ("empty lines at the end", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\n\n", "M x -+"),
        ("no newline at the end", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", "M x -+"),
        ("signed prose afterwards", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\n- done\n+ more\n", "M x -+"),
    ] {
        match parse(text, None) {
            Ok(patch) => assert_eq!(summary(&patch), expected, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
        paths(text, None).unwrap();
    }
}

#[test]
fn refused() {
    for (name, text, path, expected) in [
        ("empty", " \n", None, "patch line 1: the patch is empty"),
        ("prose", "please fix it\n", None, "patch line 1: there is no hunk in it"),
        (
            "a tab in a plain name",
            "--- a/x\ty\n+++ b/x\ty\n@@ -1 +1 @@\n-a\n+b\n",
            None,
            "patch line 1: the file name \"a/x\\ty\" has a tab",
        ),
        (
            "a line break in a name",
            "diff --git \"a/x\\ny\" \"b/x\\ny\"\nnew file mode 100644\n",
            None,
            "has a line break",
        ),
        ("a line break in a new name", "rename from x\nrename to \"x\\ny\"\n", None, "has a line break"),
        (
            "word diff",
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n    one\n    [-two-]{+three+}\n",
            None,
            "this is a word diff",
        ),
        (
            "word diff without indentation",
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\none\n[-two-]{+three+}\n",
            None,
            "this is a word diff",
        ),
        (
            "word diff for programs",
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one \n-two\n+three\n~\n four\n~\n",
            None,
            "this is a word diff",
        ),
        (
            "colours",
            "\u{1b}[1mdiff --git a/x b/x\u{1b}[m\n\u{1b}[36m@@ -1 +1 @@\u{1b}[m\n",
            None,
            "this is a coloured diff",
        ),
        ("no options", "1c1\n< a\n---\n> b\n", None, "this is a diff without -u"),
        ("submodule log", "Submodule lib 1234567..89abcde:\n  > a commit\n", None, "changes a submodule"),
        ("new submodule", "Submodule lib 0000000...89abcde (new submodule)\n", None, "changes a submodule"),
        ("context diff", "*** x\n--- x\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n", None, "a context diff"),
        ("search block", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", None, "a search/replace block"),
        ("combined", "diff --cc x\n@@@ -1 -1 +1 @@@\n", None, "patch line 1: this is a combined diff"),
        ("no file", "@@ -1 +1 @@\n-a\n+b\n", None, "patch line 1: the hunk has no file header"),
        (
            "bad header",
            "--- a/x\n+++ b/x\n@@ -1,x +1 @@\n-a\n+b\n",
            None,
            "patch line 3, file \"x\", hunk 1: the hunk header",
        ),
        ("huge number", "--- a/x\n+++ b/x\n@@ -99999999999999999999 +1 @@\n-a\n+b\n", None, "hunk 1: the hunk header"),
        (
            "no lines",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n",
            None,
            "patch line 3, file \"x\", hunk 1: the hunk has no lines",
        ),
        ("no hunk", "--- a/x\n+++ b/x\n", None, "patch line 1, file \"x\": the patch changes nothing"),
        (
            "unsigned context",
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\nfn main() {\n-c\n+d\n",
            None,
            "patch line 6, file \"x\", hunk 1: \"fn main() {\" inside a hunk starts with none of",
        ),
        (
            "two names",
            "--- a/x\n+++ ../../evil.txt\n@@ -0,0 +1 @@\n+x\n",
            None,
            "name two files, \"x\" and \"../../evil.txt\"",
        ),
        (
            "git disagrees",
            "diff --git a/x b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            None,
            "two files, \"x\" and \"y\"",
        ),
        (
            "rename disagrees",
            "rename from x\nrename to y\n--- a/x\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n",
            None,
            "name two files",
        ),
        ("half rename", "diff --git a/x b/y\nrename from x\n", None, "\"rename from\" without its partner"),
        (
            "new and renamed",
            "diff --git a/x b/y\nnew file mode 100644\nrename from x\nrename to y\n",
            None,
            "patch line 3: \"rename from x\" contradicts",
        ),
        (
            "renamed and new",
            "diff --git a/x b/y\nrename from x\nrename to y\nnew file mode 100644\n",
            None,
            "\"new file mode 100644\" contradicts",
        ),
        (
            "copied and new",
            "diff --git a/x b/y\ncopy from x\ncopy to y\nnew file mode 100644\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            None,
            "\"new file mode 100644\" contradicts",
        ),
        (
            "renamed and deleted",
            "diff --git a/x b/y\ndeleted file mode 100644\nrename from x\nrename to y\n",
            None,
            "contradicts",
        ),
        ("renamed and copied", "diff --git a/x b/y\nrename from x\nrename to y\ncopy from x\n", None, "contradicts"),
        (
            "new and deleted",
            "diff --git a/x b/x\nnew file mode 100644\ndeleted file mode 100644\n",
            None,
            "contradicts",
        ),
        (
            "the last line of context without its sign",
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\nd\n",
            None,
            "patch line 7, file \"x\", hunk 1: \"d\" inside a hunk starts with none of",
        ),
        (
            "binary",
            "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\nA\n",
            None,
            "patch line 3, file \"x\": the patch changes a binary",
        ),
        ("binary differ", "diff --git a/x b/x\nBinary files a/x and b/x differ\n", None, "binary file"),
        (
            "symlink",
            "new file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+/etc/passwd\n",
            None,
            "symbolic link",
        ),
        (
            "symlink target",
            "diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n+b\n",
            None,
            "symbolic link",
        ),
        (
            "submodule",
            "diff --git a/m b/m\nindex 1..2 160000\n--- a/m\n+++ b/m\n@@ -1 +1 @@\n-Subproject commit a\n+Subproject commit b\n",
            None,
            "submodule",
        ),
        ("mode", "diff --git a/m b/m\nold mode 100644\nnew mode 040000\n", None, "file mode \"040000\""),
        ("creation with context", "--- /dev/null\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n+b\n", None, "can only add lines"),
        ("deletion with additions", "--- a/x\n+++ /dev/null\n@@ -1,2 +1 @@\n-a\n+b\n", None, "can only remove lines"),
        ("absent twice", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+b\n", None, "does not say clearly which file"),
        ("bad name", "--- \"a/\\9\"\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", None, "patch line 1: the file name"),
        ("empty name", "--- ./\n+++ ./\n@@ -1 +1 @@\n-a\n+b\n", None, "the file name"),
        (
            "path of no section",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            Some("z"),
            "\"z\" is not among them",
        ),
    ] {
        let error = parse(text, path).expect_err(name);
        assert!(error.to_string().contains(expected), "{name}: {error}");
        assert_eq!(paths(text, path), Err(error), "{name}");
    }
}

#[test]
fn path_argument() {
    for (name, text, path, expected, notes) in [
        ("headerless", "@@ -1 +1 @@\n-a\n+b\n", "src/x", "M src/x -+", 0),
        ("headerless, bare", "@@\n-a\n+b\n", "x", "M x -+", 1),
        ("same", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "./x", "M x -+", 0),
        ("wins", "--- a/utils.py\n+++ b/utils.py\n@@ -1 +1 @@\n-a\n+b\n", "src/utils.py", "M src/utils.py -+", 1),
        ("settles two names", "--- before\n+++ after\n@@ -1 +1 @@\n-a\n+b\n", "x", "M x -+", 0),
        ("created", "--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+a\n", "x", "C x +", 1),
        ("rename", "rename from x\nrename to y\n", "x", "R x y", 0),
    ] {
        let patch = parse(text, Some(path)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((summary(&patch).as_str(), patch.notes.len()), (expected, notes), "{name}: {:?}", patch.notes);
    }
}

#[test]
fn oddities_are_reported() {
    let text = "--- a/x\r\n+++ b/x\r\n@@ -1,5 +1,7 @@\r\n a\r\n\r\n-b\r\n+c\r\n d\r\n\r\nBye.\r\n+ not me\r\n";
    let patch = parse(text, None).unwrap();
    let notes: Vec<_> = patch.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "patch line 1: the patch has CRLF line ends; they were not taken as part of the content",
            "patch line 3: the hunk header says 5 old and 7 new lines, the hunk has 4 and 4; the lines were used",
            "patch line 3: 1 context line(s) without their leading space were accepted",
            "patch line 11: this line is not part of any hunk; it was ignored",
        ]
    );
}

#[test]
fn touched_paths() {
    let text = "rename from a\nrename to b\ncopy from c\ncopy to d\n--- /dev/null\n+++ b/e\n@@ -0,0 +1 @@\n+x\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n";
    let touched: Vec<_> = paths(text, None).unwrap().into_iter().map(|one| (one.path, one.access)).collect();
    let expected = [
        ("a", Access::Delete),
        ("b", Access::Create),
        ("c", Access::Read),
        ("d", Access::Create),
        ("e", Access::Create),
        ("f", Access::Delete),
        ("g", Access::Modify),
    ];
    assert_eq!(touched, expected.map(|(path, access)| (path.to_owned(), access)));
}
