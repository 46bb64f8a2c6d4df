//! The operator's rules on effects, from the file to the gate.

use crate::harness::Bench;

/// The example of docs/approval-rules.md, so that it is tried as it stands there.
fn documented() -> String {
    let page = std::fs::read_to_string(crate::harness::repository().join("docs/approval-rules.md")).unwrap();
    page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

fn bench() -> (Bench, String) {
    let bench = Bench::new(&[("docs/a.md", "one\n"), ("src/a.rs", "one\n"), ("Cargo.lock", "one\n")]);
    let rules = bench.home().join("rules.toml");
    std::fs::write(&rules, documented()).unwrap();
    let config = bench.home().join("own.yaml");
    std::fs::write(&config, format!("approvals:\n  rules_file: {}\n", rules.display())).unwrap();
    (bench, config.display().to_string())
}

#[test]
fn the_documented_rules_decide_on_calls() {
    let (bench, config) = bench();
    let write = |path: &str, code: i32| {
        let arguments = format!("{{\"path\": \"{path}\", \"content\": \"two\\n\"}}");
        bench.run(&["-c", &config, "call", "write_file", &arguments]).expect(code)
    };
    write("docs/a.md", 0);
    assert_eq!(bench.read("docs/a.md"), "two\n");
    // Nobody is there to ask.
    write("src/a.rs", 6);
    for mode in ["yolo", "confirm-sensitive", "confirm-all"] {
        let arguments = "{\"path\": \"Cargo.lock\", \"content\": \"two\\n\"}";
        let refused = bench.run(&["-c", &config, "--mode", mode, "call", "write_file", arguments]);
        let said = format!("{}{}", refused.stdout, refused.stderr);
        assert!(said.contains("'lock'") && said.contains("cargo writes it"), "{mode}: {said}");
    }
    assert_eq!(bench.read("Cargo.lock"), "one\n");
}

#[test]
fn a_rule_file_is_tried_and_listed() {
    let (bench, _) = bench();
    let file = bench.home().join("rules.toml").display().to_string();
    let listed = bench.run(&["check", "rules", &file]).expect(0);
    assert_eq!(
        listed.stdout,
        "deny   lock    cargo writes it\nask    push\nallow  tests\nallow  docs\nallow  crates\nallow  issues\n"
    );
    std::fs::write(&file, documented().replace("write = \"docs/a.md\"", "write = \"src/b.md\"")).unwrap();
    let wrong = bench.run(&["check", "rules", &file]).expect(3);
    assert!(wrong.stderr.contains("rules.toml:15:23") && wrong.stderr.contains("rule 'docs'"), "{}", wrong.stderr);
}

#[test]
fn no_file_of_the_workspace_brings_rules() {
    let (bench, _) = bench();
    let rules = bench.home().join("rules.toml").display().to_string();
    bench.write("palanca.yaml", &format!("approvals:\n  rules_file: {rules}\n"));
    bench.run(&["config", "trust"]);
    bench.run(&["call", "write_file", "{\"path\": \"docs/a.md\", \"content\": \"two\\n\"}"]).expect(6);
}
