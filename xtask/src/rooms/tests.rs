use std::fs;
use std::path::Path;

use super::check;
use crate::report::Report;
use crate::workspace::{Dependency, From, Kind, Package, Workspace};

fn workspace(root: &Path) -> Workspace {
    let external = |name: &str, kind: Kind| Dependency { name: name.into(), kind, from: From::Registry };
    Workspace {
        root: root.to_path_buf(),
        packages: vec![Package {
            name: "a".into(),
            folder: root.join("crates/a"),
            layer: Some(0),
            modules: vec![],
            dependencies: vec![
                external("serde", Kind::Normal),
                external("proptest", Kind::Dev),
                Dependency { name: "b".into(), kind: Kind::Normal, from: From::Here },
            ],
        }],
    }
}

fn failures(readme: Option<&str>, dependencies: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("crates/a")).unwrap();
    fs::write(root.join("DEPENDENCIES.md"), dependencies).unwrap();
    if let Some(text) = readme {
        fs::write(root.join("crates/a/README.md"), text).unwrap();
    }
    let mut report = Report::default();
    check(&workspace(root), &mut report).unwrap();
    report.failures
}

const ROWS: &str = "# Dependencies\n| Crate | Why |\n|---|---|\n| `serde` | x |\n| `proptest` | x |\n";

#[test]
fn a_tidy_house_passes() {
    assert_eq!(failures(Some("# a\n"), ROWS), Vec::<String>::new());
}

#[test]
fn what_is_missing_too_long_or_left_over_is_named() {
    let found = failures(None, ROWS);
    assert!(found.len() == 1 && found[0].starts_with("crates/a/README.md: is missing"), "{found:?}");
    let found = failures(Some(&"x\n".repeat(41)), ROWS);
    assert!(found.len() == 1 && found[0].contains("41 lines"), "{found:?}");
    let found = failures(Some("# a\n"), "| `serde` | x |\n| `old` | x |\n");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("no row for `proptest`, which a uses"), "{found:?}");
    assert!(found[1].contains("`old` has a row and no user"), "{found:?}");
}
