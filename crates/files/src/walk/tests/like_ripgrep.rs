//! On random trees with random ignore files, a walk shows what ripgrep's own walker shows.

use super::*;
use ignore::WalkBuilder;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    proptest::sample::select(vec!["a", "b", "c.rs", "d.log", ".h", "target", "a b", "ü", "a.rs", "[x]", "#c"])
        .prop_map(str::to_owned)
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(name(), 1..5).prop_map(|names| names.join("/"))
}

fn pattern() -> impl Strategy<Value = String> {
    let end = proptest::sample::select(vec!["", "", "/", "/*", "/**"]);
    let start = proptest::sample::select(vec!["", "", "/", "!", "!/", "**/", "*"]);
    let middle = prop_oneof![
        4 => path(),
        1 => proptest::sample::select(vec!["*", "*.rs", "*.log", "?", "[ab]", ".*", "**/a", "\\#c", "{a,b}", "[x", ""])
            .prop_map(str::to_owned),
    ];
    (start, middle, end).prop_map(|(start, middle, end)| format!("{start}{middle}{end}"))
}

fn ignore_file() -> impl Strategy<Value = (String, String)> {
    let place = prop_oneof![Just(String::new()), path().prop_map(|path| format!("{path}/"))];
    let name = proptest::sample::select(vec![".gitignore", ".gitignore", ".ignore", ".git/info/exclude"]);
    let lines = proptest::collection::vec(pattern(), 1..5);
    (place, name, lines).prop_map(|(place, name, lines)| (format!("{place}{name}"), lines.join("\n")))
}

/// Like [`super::shown`].
fn shown_by_ripgrep(root: &Path, hidden: Visit) -> Vec<String> {
    let mut builder = WalkBuilder::new(root);
    builder.standard_filters(false).ignore(true).git_ignore(true).git_exclude(true).require_git(false);
    builder.hidden(hidden == Visit::Hide);
    let entries = builder.build().map(Result::unwrap).filter(|entry| entry.depth() > 0);
    let mut shown: Vec<String> = entries
        .map(|entry| {
            let path = entry.path().strip_prefix(root).unwrap().as_os_str().as_bytes().escape_ascii().to_string();
            if entry.file_type().unwrap().is_dir() { path + "/" } else { path }
        })
        .collect();
    shown.sort();
    shown
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_walk_shows_what_ripgrep_shows(
        files in proptest::collection::vec(path(), 0..25),
        ignore_files in proptest::collection::vec(ignore_file(), 0..4),
        hidden in proptest::bool::ANY,
    ) {
        let root = palanca_testkit::in_memory();
        for (path, content) in files.iter().map(|path| (path, "")).chain(ignore_files.iter().map(|(p, c)| (p, &**c))) {
            let path = root.path().join(path);
            // A file may stand where another path needs a directory: then that path is left out.
            if fs::create_dir_all(path.parent().unwrap()).is_ok() && !path.is_dir() {
                fs::write(path, content).unwrap();
            }
        }
        let hidden = if hidden { Visit::Show } else { Visit::Hide };
        prop_assert_eq!(shown(root.path(), WalkOptions { hidden, ..USUAL }), shown_by_ripgrep(root.path(), hidden));
    }
}
