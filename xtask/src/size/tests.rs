use std::fs;

use super::{check, judge};
use crate::report::Report;
use crate::workspace::{Package, Workspace};

fn lines(count: usize) -> String {
    "// x\n".repeat(count)
}

fn verdict(path: &str, text: &str) -> (usize, usize) {
    let mut report = Report::default();
    judge(path, text, &mut report);
    (report.failures.len(), report.warnings.len())
}

#[test]
fn sizes() {
    let with_tests =
        |code: usize, tests: usize| format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", lines(code), lines(tests));
    for (path, text, expected) in [
        ("crates/a/src/b.rs", lines(400), (0, 0)),
        ("crates/a/src/b.rs", lines(401), (0, 1)),
        ("crates/a/src/b.rs", lines(601), (1, 0)),
        ("crates/a/src/b/tests.rs", lines(2000), (0, 0)),
        ("crates/a/src/b/race_tests.rs", lines(2000), (0, 0)),
        ("crates/a/tests/all.rs", lines(2000), (0, 0)),
        ("crates/a/src/lib.rs", lines(80), (0, 0)),
        ("crates/a/src/lib.rs", lines(81), (1, 0)),
        ("crates/a/src/b.rs", with_tests(390, 50), (0, 0)),
        ("crates/a/src/b.rs", with_tests(390, 300), (0, 1)),
        ("crates/a/src/b.rs", "pub struct ToolManager;\n".to_owned(), (1, 0)),
    ] {
        assert_eq!(verdict(path, &text), expected, "{path} with {} lines", text.lines().count());
    }
}

#[test]
fn exceptions_excuse_and_must_be_needed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let package = root.join("crates/a");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::create_dir_all(root.join("xtask")).unwrap();
    fs::write(package.join("src/long.rs"), lines(700)).unwrap();
    fs::write(package.join("src/short.rs"), lines(7)).unwrap();
    let workspace = Workspace {
        root: root.to_path_buf(),
        packages: vec![Package {
            name: "a".into(),
            folder: package,
            layer: Some(0),
            modules: vec![],
            dependencies: vec![],
        }],
    };
    let failures = |exceptions: &str| {
        fs::write(root.join("xtask/exceptions.txt"), exceptions).unwrap();
        let mut report = Report::default();
        check(&workspace, &mut report).unwrap();
        report.failures
    };
    assert_eq!(failures("# none\n").len(), 1);
    assert_eq!(failures("crates/a/src/long.rs because\n"), Vec::<String>::new());
    assert_eq!(
        failures("crates/a/src/long.rs\ncrates/a/src/short.rs\n"),
        ["xtask/exceptions.txt: crates/a/src/short.rs needs no exception; remove the line"]
    );
}
