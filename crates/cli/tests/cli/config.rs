//! `config` and what its values do.

use crate::harness::Bench;

#[test]
fn an_unknown_key_is_an_error_with_the_nearest_name() {
    let bench = Bench::new(&[("palanca.yaml", "workspace:\n  allow_delet: false\n")]);
    let ended = bench.run(&["call", "list_files"]).expect(3);
    assert!(ended.stderr.contains("allow_delete") && ended.stderr.contains("palanca.yaml:2"), "{}", ended.stderr);
}

#[test]
fn a_project_may_only_restrict_and_the_user_may_widen() {
    let bench = Bench::new(&[("a.txt", "x"), ("palanca.yaml", "workspace:\n  allow_delete: true\n")]);
    let delete = ["call", "delete_file", r#"{"path": "a.txt"}"#, "--mode", "yolo"];
    let refused = bench.run(&delete).expect(6);
    assert!(refused.stderr.contains("workspace.allow_delete"), "{}", refused.stderr);
    bench.write("mine.yaml", "workspace:\n  allow_delete: true\n");
    let mut own = delete.to_vec();
    own.extend(["-c", "mine.yaml"]);
    bench.run(&own).expect(0);
    assert!(!bench.workspace().join("a.txt").exists());
}

#[test]
fn a_projects_file_that_is_named_is_the_users_word() {
    let bench = Bench::new(&[("a.txt", "x"), ("palanca.yaml", "workspace:\n  allow_delete: true\n")]);
    let delete = ["call", "delete_file", r#"{"path": "a.txt"}"#, "--mode", "yolo", "-c", "./palanca.yaml"];
    assert_eq!(bench.run(&delete).expect(0).stderr, "");
    assert!(!bench.workspace().join("a.txt").exists());
}

#[test]
fn secrets_can_be_added() {
    let bench = Bench::new(&[("notes.txt", "SECRETMARK"), ("palanca.toml", "[secrets]\ndeny = [\"notes.txt\"]\n")]);
    bench.run(&["call", "read_file", r#"{"path": "notes.txt"}"#]).expect(6);
    let hits = bench.run(&["call", "grep", r#"{"pattern": "SECRETMARK"}"#]).expect(0);
    assert!(!hits.stdout.contains("notes.txt:"), "{}", hits.stdout);
}

#[test]
fn every_value_has_an_origin() {
    let bench = Bench::new(&[("palanca.json", "{ // mine\n \"mode\": \"confirm-all\" }\n")]);
    let page = bench.run(&["config", "explain", "mode", "--mode", "yolo"]).expect(0).stdout;
    assert!(page.contains("palanca.json") && page.contains("--mode"), "{page}");
    bench.run(&["config", "check"]).expect(0);
    bench.run(&["config", "show"]).expect(0);
    bench.run(&["config", "schema"]).expect(0).json();
    for (key, said) in [
        ("foo.bar", "`palanca config show` lists every key"),
        ("llm.zzz", "\"llm\" has provider, mode, model"),
        ("llm.", "\"llm\" has provider, mode, model"),
        ("mode.x", "\"mode\" has no keys"),
    ] {
        let ended = bench.run(&["config", "explain", key]).expect(3);
        assert!(ended.stderr.contains(key) && ended.stderr.contains(said), "{key}: {}", ended.stderr);
    }
    assert!(bench.run(&["config", "explain", "llm.modl"]).expect(3).stderr.contains("llm.mode"));
}

#[test]
fn trust_holds_for_one_content() {
    let bench = Bench::new(&[("a.txt", "x"), ("b.txt", "x"), ("palanca.yaml", "workspace:\n  allow_delete: true\n")]);
    bench.run(&["config", "trust"]).expect(0);
    bench.run(&["call", "delete_file", r#"{"path": "a.txt"}"#, "--mode", "yolo"]).expect(0);
    bench.write("palanca.yaml", "workspace:\n  allow_delete: true # changed\n");
    bench.run(&["call", "delete_file", r#"{"path": "b.txt"}"#, "--mode", "yolo"]).expect(6);
}

#[test]
fn check_refuses_what_calls_refuse() {
    for (yaml, words) in [
        ("guardrails: {code_rules: [{pattern: '(', message: m}]}", "code_rules"),
        ("guardrails: {protected_files: ['a[']}", "a["),
        ("guardrails: {blocked_commands: ['(']}", "("),
        ("commands: {blocked_patterns: ['(']}", "("),
        ("commands: {rules_file: none.yaml}", "none.yaml"),
        ("secrets: {deny: ['a[']}", "a["),
        ("hooks: {post_edit: [{name: p, command: 'true', file_patterns: ['[']}]}", "post_edit[0]"),
        ("hooks: {pre_tool_use: [{name: p, command: 'true', matcher: '('}]}", "pre_tool_use[0]"),
        ("approvals: {rules_file: none.yaml}", "none.yaml"),
        ("costs: {prices_file: none.json}", "none.json"),
        ("costs: {enabled: false, budget_usd: 1}", "1"),
        ("channels: {ops: {kind: webhook}}", "ops"),
        ("channels: {ops: {kind: webhook, url: 'http://127.0.0.1:9/x', secret_env: NO_SUCH}}", "NO_SUCH"),
        ("loops: {warn: 9, refuse: 2, stop: 3}", "loops"),
        ("net: {allow_hosts: ['a b']}", "a b"),
        ("workspace: {root: none}", "none"),
        ("workspace: {readable_roots: [/none]}", "/none"),
        ("{toolset: contracts, contracts: {outputTypes: {t: none.json}}}", "none.json"),
        ("{toolset: contracts, contracts: {source: github}, github: {repository: nonsense}}", "nonsense"),
    ] {
        let bench = Bench::new(&[("a.txt", "x"), ("own.yaml", yaml)]);
        let with = |arguments: &[&str]| {
            let mut command = bench.command(arguments);
            crate::harness::ended(command.args(["-c", "own.yaml"]).env("GITHUB_TOKEN", "x").output().unwrap())
        };
        let called = with(&["call", "read_file", r#"{"path": "a.txt"}"#]).expect(3);
        let checked = with(&["config", "check"]).expect(3);
        assert_eq!(checked.stderr, called.stderr, "{yaml}");
        assert!(checked.stderr.contains(words) && checked.stdout.is_empty(), "{yaml}: {}", checked.stderr);
    }
    for (yaml, words) in [
        ("llm: {model: nonsense}", "nonsense"),
        ("{llm: {model: 'openai:none'}, costs: {budget_usd: 1}}", "openai:none"),
    ] {
        let bench = Bench::new(&[("own.yaml", yaml)]);
        for arguments in [&["config", "check", "-c", "own.yaml"][..], &["run", "x", "-c", "own.yaml"]] {
            let mut command = bench.command(arguments);
            let refused = crate::harness::ended(command.env("OPENAI_API_KEY", "sk-x").output().unwrap()).expect(3);
            assert!(refused.stderr.contains(words), "{yaml}: {}", refused.stderr);
        }
    }
}

#[test]
fn tools_are_declared_by_the_user_and_exist() {
    let bench = Bench::new(&[("palanca.yaml", "tools:\n  read_file: { closed: true }\n")]);
    let told = bench.run(&["config", "check"]).expect(0);
    assert!(told.stderr.contains("tools.read_file") && told.stderr.contains("declares a tool"), "{}", told.stderr);
    for (declared, said) in [
        ("tools:\n  read_fil: { trusted: [iban] }\n", "read_file"),
        ("tools:\n  mcp_bank_*: { closed: true }\n", "tools.mcp_bank_*"),
        ("tools:\n  write_file: { targets: [recipient] }\n", "recipient"),
        ("tools:\n  read_file: {}\n", "nothing is declared"),
        ("tools:\n  message: { closed: true, targets: [to] }\n", "closed"),
        ("tools:\n  read_file: { trust: [iban] }\n", "trusted"),
    ] {
        bench.write("mine.yaml", declared);
        for command in [&["config", "check", "-c", "mine.yaml"][..], &["call", "list_files", "-c", "mine.yaml"]] {
            let ended = bench.run(command).expect(3);
            assert!(ended.stderr.contains(said), "{declared}: {}", ended.stderr);
        }
    }
    bench.write("mine.yaml", "tools:\n  read_file: { trusted: [iban], roles: [bill] }\n  message: { targets: [to] }\n");
    bench.run(&["call", "list_files", "-c", "mine.yaml"]).expect(0);
    let shown = bench.run(&["config", "show", "-c", "mine.yaml"]).expect(0).stdout;
    let line = shown.lines().find(|line| line.starts_with("tools.")).unwrap_or_default();
    assert!(line.contains("mine.yaml"), "{shown}");
}
