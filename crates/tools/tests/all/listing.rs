use crate::support::{done, failed, gate, options};
use palanca_testkit::TempWorkspace;
use palanca_tools::ToolsetName;
use serde_json::{Value, json};

fn tree() -> TempWorkspace {
    let workspace = TempWorkspace::with(&[
        ("README.md", "x"),
        ("src/main.py", "x"),
        ("src/app/view.ts", "x"),
        ("src/app/deep/model.ts", "x"),
        ("target/out.o", "x"),
        (".gitignore", "target/\n"),
        (".git/HEAD", "ref"),
        (".hidden", "x"),
    ]);
    workspace.link("src/main.py", "link.py");
    workspace
}

#[tokio::test]
async fn one_directory_and_trees() {
    let workspace = tree();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let check = async |arguments: Value, expected: &[&str]| {
        let result = done(&gate, "list_files", arguments).await;
        assert_eq!(result.output.lines().collect::<Vec<_>>(), expected);
    };
    let note = "[Left out: 1 entry (target/). Give include_ignored=true to include what ignore files exclude and hidden \
                directories.]";
    let top = [".git/", ".gitignore", ".hidden", "README.md", "link.py@", "src/", "target/"];
    check(json!({}), &top).await;
    check(json!({"path": "src/../."}), &top).await;
    check(json!({"path": "src"}), &["src/app/", "src/main.py"]).await;
    check(json!({"pattern": "*.py"}), &["link.py@"]).await;
    check(json!({"pattern": "*.ts", "recursive": true}), &["src/app/deep/model.ts", "src/app/view.ts", note]).await;
    check(json!({"pattern": "src/**/*.ts"}), &["src/app/deep/model.ts", "src/app/view.ts"]).await;
    check(json!({"pattern": "**/*.md"}), &["README.md", note]).await;
    check(json!({"pattern": "*.o", "recursive": true}), &["Nothing in '.' matches '*.o'.", note]).await;
    check(json!({"pattern": "*.o", "recursive": true, "include_ignored": true}), &["target/out.o"]).await;
    check(
        json!({"path": "src", "recursive": true, "max_results": 2}),
        &["src/app/", "src/app/deep/", "[Showing 2 of 5 or more. Narrow the path or give a pattern.]"],
    )
    .await;
    let all = done(&gate, "list_files", json!({"recursive": true})).await;
    assert!(all.output.contains(".git/") && !all.output.contains(".git/HEAD"), "{}", all.output);
    assert_eq!(all.data.unwrap()["entries"][4], json!({"path": "link.py", "kind": "link"}));
}

#[tokio::test]
async fn the_document_marks_kinds_and_counts() {
    let workspace = tree();
    let gate = gate(&workspace, ToolsetName::Architect);
    let list = done(&gate, "list_files", json!({"path": "src", "recursive": true})).await;
    assert_eq!(
        list.output,
        "Contents of src:\n\nDIR  src/app\nDIR  src/app/deep\nFILE src/app/deep/model.ts\nFILE src/app/view.ts\nFILE \
         src/main.py\n\nTotal: 5 items"
    );
    let everything = done(&gate, "list_files", json!({"recursive": true})).await.output;
    assert!(everything.contains("FILE target/out.o") && everything.contains("LINK link.py"), "{everything}");
    workspace.write("void/x", "");
    std::fs::remove_file(workspace.root().join("void/x")).unwrap();
    let empty = done(&gate, "list_files", json!({"path": "void"})).await.output;
    assert_eq!(empty, "Contents of void:\n\n(empty directory)\n\nTotal: 0 items");
}

#[tokio::test]
async fn globs_do_not_leave_the_workspace() {
    let workspace = tree();
    std::fs::write(workspace.outside().join("xsecret"), "s").unwrap();
    for toolset in [ToolsetName::Palanca, ToolsetName::Architect] {
        let gate = gate(&workspace, toolset);
        for (tool, pattern) in [
            ("list_files", "../x*"),
            ("list_files", "/etc/*"),
            ("list_files", "src/../../*"),
            ("list_files", "{a,../x*}"),
            ("find_files", "../x*"),
            ("find_files", "/etc/pass*"),
        ] {
            let result = gate.call(tool, json!({"pattern": pattern, "recursive": true})).await;
            assert!(!result.success, "{tool} {pattern}: {}", result.output);
            assert!(!result.for_model().contains("xsecret"), "{}", result.for_model());
        }
        let (code, text) = failed(&gate, "search_code", json!({"pattern": "x", "file_pattern": "../*"})).await;
        assert_eq!(code, "outside_workspace", "{text}");
    }
}

#[tokio::test]
async fn files_and_missing_directories() {
    let workspace = tree();
    for toolset in [ToolsetName::Palanca, ToolsetName::Architect] {
        let gate = gate(&workspace, toolset);
        for arguments in [json!({"path": "README.md"}), json!({"path": "README.md", "recursive": true})] {
            let (code, text) = failed(&gate, "list_files", arguments).await;
            assert_eq!(code, "wrong_type");
            assert!(text.contains("'README.md' is not a directory"), "{text}");
        }
        let (code, text) = failed(&gate, "list_files", json!({"path": "scr"})).await;
        assert_eq!(code, "not_found");
        assert!(text.contains("Did you mean: src"), "{text}");
    }
    assert!(options().skipped_directories.contains(&".git".to_owned()));
}

#[tokio::test]
async fn names_that_would_break_the_listing_are_escaped() {
    let workspace = TempWorkspace::with(&[("a\nFILE fake", "x"), ("b\u{202e}cod.exe", "x"), ("c\u{1b}[2J", "x")]);
    let gate = gate(&workspace, ToolsetName::Palanca);
    for tool in ["list_files", "find_files"] {
        let list = done(&gate, tool, json!({"pattern": "*"})).await.output;
        assert_eq!(list, "a\\nFILE fake\nb\\u{202e}cod.exe\nc\\u{1b}[2J");
    }
}
