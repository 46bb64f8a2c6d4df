#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{book, check};
use palanca_core::ports::Decision::{Allow, Ask, Deny};

const GOOD: &str = r#"
[[rule]]
id = "tests"
decision = "allow"
effect = "run"
command = ["cargo", "test", "..."]
class = "dev"
matches = [{ run = "cargo test -q" }, { run = "cargo test", in = "crates/core" }]
not_matches = [{ run = "cargo test; rm -rf x" }, { run = "cargo test $(ls)" }]

[[rule]]
id = "docs"
decision = "allow"
effect = ["write", "move"]
paths = ["docs/**", "README.md"]
matches = [{ write = "docs/a.md" }, { move = ["docs/a.md", "docs/b.md"] }]
not_matches = [{ write = "src/a.md" }, { delete = "docs/a.md" }]

[[rule]]
id = "lock"
decision = "deny"
effect = ["write", "delete", "move"]
paths = ["Cargo.lock"]
reason = "cargo writes it"
matches = [{ write = "cargo.LOCK" }, { delete = "." }]
not_matches = [{ write = "Cargo.toml" }]

[[rule]]
id = "push"
decision = "ask"
effect = "run"
command = ["git", "push", "..."]
origin = ["model", "subagent"]
matches = [{ run = "git push", origin = "model" }]
not_matches = [{ run = "git push", origin = "person" }, { run = "git pull" }]
"#;

#[test]
fn a_file_holds_once_its_examples_do() {
    let book = book().with_file("rules.toml", GOOD).unwrap();
    check(&book, "run cargo test -p core", Some(Allow));
    check(&book, "write README.md", Some(Allow));
    check(&book, "write Cargo.lock", Some(Deny));
    check(&book, "run git push", Some(Ask));
    check(&book, "run cargo test --config 'build.rustc=\"x\"'", None);
    let ids: Vec<String> = book.list().into_iter().map(|rule| rule.id).collect();
    assert_eq!(ids, ["lock", "push", "tests", "docs"]);
}

#[test]
fn bad_files_name_the_place_the_rule_and_what_to_do() {
    let examples = "matches = [{ write = 'docs/a' }]\nnot_matches = [{ write = 'src/a' }]";
    let rule = |body: &str| format!("[[rule]]\nid = 'x'\n{body}");
    let good = format!("decision = 'allow'\neffect = 'write'\npaths = ['docs/**']\n{examples}");
    let twice = format!("{}\n{}", rule(&good), rule(&good));
    for (text, says) in [
        ("nonsense".to_owned(), "rules.toml: TOML parse error at line 1, column"),
        (rule(&format!("{good}\nallow = true")), "unknown field `allow`"),
        (rule(&good.replace("'allow'", "'maybe'")), "unknown variant `maybe`"),
        (rule(&good.replace("'write'\npaths", "'eat'\npaths")), "unknown variant `eat`"),
        (rule(&good.replace("'write'\npaths", "[]\npaths")), "the list is empty"),
        (
            rule("decision = 'allow'\neffect = 'write'\npaths = ['docs/**']"),
            "rules.toml:1:1: rule 'x': it needs at least one",
        ),
        (rule(&good.replace("'x'", "'X'")).replace("'x'", "'X Y'"), "lower-case letters"),
        (rule(&good).replace("'x'", "'shell.x'"), "rename it"),
        (twice, "rules.toml:9:7: rule 'x': the id is there twice"),
        (rule(&good.replace("'docs/**'", "'docs/['")), "rules.toml:5:11: rule 'x': glob \"docs/[\""),
        (rule(&good.replace("'docs/**'", "'/etc/**'")), "leaves the workspace"),
        (rule(&good.replace("'docs/**'", "'a/../b'")), "leaves the workspace"),
        (rule(&good.replace("'docs/**'", "''")), "names nothing"),
        (rule(&good.replace("paths = ['docs/**']", "")), "names none"),
        (
            rule(&good.replace("'docs/a'", "'src/b'")),
            "rules.toml:6:23: rule 'x': the example { write = \"src/b\" } of 'matches' is not covered",
        ),
        (rule(&good.replace("'src/a'", "'docs/b'")), "the example { write = \"docs/b\" } of 'not_matches' is covered"),
        (rule(&good.replace("{ write = 'docs/a' }", "{ write = 'a', read = 'b' }")), "exactly one of"),
        (rule(&good.replace("{ write = 'docs/a' }", "{ write = '../a' }")), "leaves the workspace"),
        (rule(&good.replace("'write'\npaths = ['docs/**']", "'run'")), "would allow every program"),
        (rule(&good.replace("'write'\npaths = ['docs/**']", "'run'\ncommand = ['*']")), "must name a program"),
        (
            rule(&good.replace("'write'\npaths = ['docs/**']", "'run'\ncommand = ['a', '...', 'b']")),
            "can only come last",
        ),
        (
            rule(&good.replace("'write'\npaths = ['docs/**']", "'run'\ncommand = ['a']\nwithin = ['/etc']")),
            "no folder of the workspace",
        ),
        (rule(&good.replace("'write'\npaths", "'write'\nclass = 'dev'\npaths")), "add \"run\""),
    ] {
        let error = book().with_file("rules.toml", &text).err().unwrap_or_else(|| panic!("passes: {text}")).to_string();
        assert!(error.contains(says), "{text}\n=> {error}");
    }
}
