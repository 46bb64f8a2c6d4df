use crate::support::{builder, done, failed, gate, options, spanish};
use palanca_testkit::TempWorkspace;
use palanca_tools::{ToolOptions, ToolsetName};
use serde_json::{Value, json};
use std::time::Duration;

/// What every search in [`project`] says that leaves it out.
const BUILD: &str = "[Left out: 1 entry (build/). Give include_ignored=true to include what ignore files exclude and \
                     hidden directories.]";

fn project() -> TempWorkspace {
    TempWorkspace::with(&[
        ("app/main.py", "import os\n\ndef run(path):\n    return open(path)\n\nrun('a')\nrun('b')\n"),
        ("app/util.py", "def helper():\n    pass\n"),
        ("app/view.ts", "export function run() {}\n"),
        ("docs/run.md", "how to run it: run(x)\n"),
        ("build/gen.py", "run('generated')\n"),
        (".env", "run=secret\n"),
        (".gitignore", "build/\n"),
    ])
}

#[tokio::test]
async fn search_code_as_the_document_says() {
    let workspace = project();
    let gate = gate(&workspace, ToolsetName::Architect);
    let found = done(&gate, "search_code", json!({"pattern": "run\\("})).await;
    assert_eq!(
        found.output,
        "Found 3 matches of 'run\\(':\n\napp/main.py:3\n     1: import os\n     2: \n>    3: def run(path):\n     4:     \
         return open(path)\n     5: \n>    6: run('a')\n>    7: run('b')\n[4 files were not searched, because \
         file_pattern is '*.py' unless given. Give file_pattern=\"*\" to search all.]\n"
            .to_owned()
            + BUILD
    );
    let all = done(&gate, "search_code", json!({"pattern": "run\\(", "file_pattern": "*", "context_lines": 0})).await;
    let paths: Vec<&str> =
        all.output.lines().filter(|line| line.contains(":") && !line.starts_with(['>', '['])).collect();
    assert_eq!(
        paths,
        ["Found 5 matches of 'run\\(':", "app/main.py:3", "app/main.py:6", "app/view.ts:1", "docs/run.md:1"]
    );
    assert!(all.output.ends_with(&format!("[1 file that holds secrets was not searched.]\n{BUILD}")), "{}", all.output);
    let one = done(&gate, "search_code", json!({"pattern": "run", "path": "app/view.ts"})).await.output;
    assert!(one.contains("app/view.ts:1"), "a file may be searched too: {one}");
}

#[tokio::test]
async fn grep_shows_one_hit_a_line_from_the_root() {
    let workspace = project();
    for toolset in [ToolsetName::Palanca, ToolsetName::Architect] {
        let gate = gate(&workspace, toolset);
        let check = async |arguments: Value, expected: &str| {
            let result = done(&gate, "grep", arguments).await.output;
            assert_eq!(
                result
                    .lines()
                    .filter(|line| !line.starts_with("[1 file that") && *line != BUILD)
                    .collect::<Vec<_>>()
                    .join("\n"),
                expected
            );
        };
        check(
            json!({"pattern": "run("}),
            "app/main.py:3:def run(path):\napp/main.py:6:run('a')\napp/main.py:7:run('b')\napp/view.ts:1:export function \
             run() {}\ndocs/run.md:1:how to run it: run(x)",
        )
        .await;
        check(
            json!({"pattern": "RUN(", "case_sensitive": false, "path": "docs"}),
            "docs/run.md:1:how to run it: run(x)",
        )
        .await;
        check(
            json!({"pattern": "run(", "path": "app", "file_pattern": "*.ts"}),
            "app/view.ts:1:export function run() {}",
        )
        .await;
        check(
            json!({"pattern": "run(", "max_results": 1}),
            "app/main.py:3:def run(path):\n[These are the first 1; there are more. Narrow the path or the pattern, or \
             raise max_results.]\n[Files excluded by ignore files are not included. Give include_ignored=true to include them.]",
        )
        .await;
        check(json!({"pattern": "--pre=./evil.sh"}), "No results for '--pre=./evil.sh' in '.'.").await;
        check(json!({"text": "helper"}), "app/util.py:1:def helper():").await;
        let flat = done(&gate, "grep", json!({"pattern": "run", "recursive": false})).await.output;
        assert!(flat.starts_with("No results"), "{flat}");
    }
}

#[tokio::test]
async fn the_default_toolset_hides_nothing_by_name() {
    let workspace = project();
    let gate = gate(&workspace, ToolsetName::Palanca);
    let found = done(&gate, "search_code", json!({"pattern": "run\\(.b", "context_lines": 1})).await.output;
    assert_eq!(
        found,
        format!(
            "app/main.py\n    6 | run('a')\n>   7 | run('b')\n[1 file that holds secrets was not searched.]\n{BUILD}"
        )
    );
    let all = done(&gate, "search_code", json!({"pattern": "generated|function", "context_lines": 0})).await.output;
    assert_eq!(
        all,
        format!(
            "app/view.ts\n>   1 | export function run() {{}}\n[1 file that holds secrets was not searched.]\n{BUILD}"
        )
    );
    let ignored = json!({"pattern": "generated", "context_lines": 0, "include_ignored": true});
    let ignored = done(&gate, "search_code", ignored).await.output;
    assert!(ignored.starts_with("build/gen.py\n>   1 | run('generated')"), "{ignored}");
}

#[tokio::test]
async fn the_operator_may_set_the_default_pattern() {
    let workspace = project();
    let set = ToolOptions { default_file_pattern: Some("*.ts".into()), ..options() };
    for toolset in [ToolsetName::Palanca, ToolsetName::Architect] {
        let gate = builder(&workspace, toolset, &set).build();
        let found = done(&gate, "search_code", json!({"pattern": "run"})).await.output;
        assert!(found.contains("app/view.ts") && !found.contains("main.py"), "{found}");
        assert!(found.contains("file_pattern is '*.ts' unless given"), "{found}");
    }
}

#[tokio::test]
async fn names_are_found_and_sorted() {
    let workspace = project();
    let palanca = gate(&workspace, ToolsetName::Palanca);
    let check = async |arguments: Value, expected: &str| {
        let found = done(&palanca, "find_files", arguments).await.output;
        assert_eq!(found.lines().filter(|line| *line != BUILD).collect::<Vec<_>>().join("\n"), expected);
    };
    check(json!({"pattern": "*.py"}), "app/main.py\napp/util.py").await;
    check(json!({"pattern": "app/*.ts"}), "app/view.ts").await;
    check(json!({"pattern": "*.py", "include_ignored": true}), "app/main.py\napp/util.py\nbuild/gen.py").await;
    check(json!({"pattern": "*.env*"}), ".env").await;
    check(json!({"pattern": "*", "recursive": false}), ".env\n.gitignore").await;
    check(
        json!({"pattern": "*", "max_results": 2}),
        ".env\n.gitignore\n[Showing 2 of 6 or more. Narrow the path or give a pattern.]",
    )
    .await;
    check(json!({"pattern": "*.rs"}), "No file in '.' matches '*.rs'.").await;
    let document = gate(&workspace, ToolsetName::Architect);
    let found = done(&document, "find_files", json!({"pattern": "*.py"})).await.output;
    assert_eq!(found, format!("Files matching '*.py' (2 found):\n  app/main.py\n  app/util.py\n{BUILD}"));
}

#[tokio::test]
async fn what_a_search_leaves_out_is_named_and_can_be_included() {
    let workspace = TempWorkspace::with(&[
        (".gitignore", ".env\n*.log\ndist/\n"),
        (".env", "KEY=1\n"),
        ("sub/.env.local", "KEY=2\n"),
        ("run.log", "KEY\n"),
        ("dist/out.js", "KEY\n"),
        (".github/ci.env", "KEY\n"),
        ("node_modules/x/.env", "KEY\n"),
        ("a.py", "KEY = 3\n"),
    ]);
    let left_out = |count: usize, names: &str| {
        let entries = if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") };
        format!("[Left out: {entries} ({names}). ")
    };
    for (toolset, tool, arguments, hits, note) in [
        (
            ToolsetName::Architect,
            "find_files",
            json!({"pattern": "*.env*"}),
            "  sub/.env.local",
            left_out(4, ".env, .github/, dist/, node_modules/"),
        ),
        (
            ToolsetName::Palanca,
            "find_files",
            json!({"pattern": "*.env*"}),
            ".github/ci.env",
            left_out(3, ".env, dist/, node_modules/x/.env"),
        ),
        (ToolsetName::Palanca, "find_files", json!({"pattern": "*.log"}), "No file", left_out(2, "dist/, run.log")),
        (
            ToolsetName::Palanca,
            "grep",
            json!({"pattern": "KEY"}),
            "a.py:1:KEY",
            left_out(4, ".env, dist/, node_modules/x/.env, run.log"),
        ),
        (
            ToolsetName::Palanca,
            "grep",
            json!({"pattern": "KEY", "file_pattern": "*.py"}),
            "a.py:1:KEY",
            left_out(1, "dist/"),
        ),
        (
            ToolsetName::Architect,
            "grep",
            json!({"pattern": "KEY"}),
            "a.py:1:KEY",
            left_out(5, ".env, .github/, dist/, node_modules/, run.log"),
        ),
        (
            ToolsetName::Architect,
            "search_code",
            json!({"pattern": "KEY"}),
            "a.py:1",
            left_out(3, ".github/, dist/, node_modules/"),
        ),
        (
            ToolsetName::Palanca,
            "list_files",
            json!({"recursive": true}),
            "a.py",
            left_out(4, ".env, dist/, node_modules/x/.env, run.log"),
        ),
        (
            ToolsetName::Contracts,
            "search_code",
            json!({"query": "KEY"}),
            "a.py",
            left_out(4, ".env, dist/, node_modules/x/.env, run.log"),
        ),
    ] {
        let gate = gate(&workspace, toolset);
        let told = done(&gate, tool, arguments.clone()).await.output;
        assert!(told.contains(hits) && told.contains(&note), "{toolset} {tool} {arguments}: {told}");
        let argument = if toolset == ToolsetName::Contracts { "includeIgnored" } else { "include_ignored" };
        assert!(told.contains(&format!("{argument}=true")), "{told}");
        let mut all = arguments;
        all[argument] = json!(true);
        let told = done(&gate, tool, all).await.output;
        assert!(!told.contains("Left out"), "{toolset} {tool}: {told}");
        if tool == "find_files" && toolset == ToolsetName::Architect {
            assert!(told.contains("  .env\n  .github/ci.env\n  node_modules/x/.env\n  sub/.env.local"), "{told}");
        }
    }
}

#[tokio::test]
async fn patterns_that_cannot_be_used() {
    let workspace = project();
    let gate = gate(&workspace, ToolsetName::Palanca);
    for (pattern, part) in [
        ("run(", "unclosed group"),
        ("(?=x)", "look-around"),
        ("", "pattern is empty"),
        ("a\nb", "line by line"),
        ("(\\w{1000}){1000}", "too large"),
    ] {
        let (code, text) = failed(&gate, "search_code", json!({"pattern": pattern})).await;
        assert_eq!(code, "invalid_arguments");
        assert!(text.contains(part), "{pattern}: {text}");
    }
    let (code, text) = failed(&gate, "grep", json!({"pattern": "x", "path": "ap"})).await;
    assert_eq!(code, "not_found");
    assert!(text.contains("Did you mean: app"), "{text}");
    for tool in ["grep", "search_code"] {
        let (code, text) = failed(&gate, tool, json!({"pattern": "x", "path": ".env"})).await;
        assert_eq!(code, "paths.secret_file", "{text}");
    }
}

#[tokio::test]
async fn a_search_that_takes_too_long_shows_what_it_has() {
    let workspace = project();
    let hasty = ToolOptions { search_time: Duration::ZERO, ..options() };
    let gate = builder(&workspace, ToolsetName::Palanca, &hasty).build();
    for tool in ["grep", "search_code", "find_files"] {
        let result = done(&gate, tool, json!({"pattern": "run"})).await;
        assert!(result.truncated && result.output.contains("results may be incomplete"), "{}", result.output);
    }
}

#[tokio::test]
async fn in_spanish() {
    let workspace = project();
    let gate = spanish(&workspace, ToolsetName::Architect);
    let found = done(&gate, "search_code", json!({"pattern": "helper"})).await.output;
    assert!(found.starts_with("1 coincidencia de 'helper':") && found.contains("No se buscó en 4 archivos"), "{found}");
    let nothing = done(&gate, "find_files", json!({"pattern": "*.rs"})).await.output;
    assert!(nothing.contains("Ningún archivo en '.' coincide con '*.rs'."), "{nothing}");
}
