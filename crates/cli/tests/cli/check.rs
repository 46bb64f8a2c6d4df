//! `check paths`, `check urls`, `tools`, `agents`, `doctor`.

use crate::harness::Bench;

#[test]
fn the_bench_judges_paths_and_counts_agreement() {
    let bench = Bench::new(&[("a.txt", "x"), (".env", "x")]);
    std::os::unix::fs::symlink("/etc", bench.workspace().join("out")).unwrap();
    let cases = concat!(
        "{\"id\": 1, \"input\": \"a.txt\", \"expect\": \"allow\"}\n",
        "{\"id\": 2, \"input\": \".env\", \"op\": \"read\", \"expect\": \"deny\"}\n",
        "{\"id\": 3, \"input\": \"out/passwd\", \"expect\": \"deny\"}\n",
        "{\"id\": 4, \"input\": \"new.txt\", \"op\": \"write\", \"expect\": \"allow\"}\n",
        "{\"id\": 5, \"input\": \"a.txt -> ../b\", \"op\": \"move\", \"expect\": \"deny\"}\n",
        "{\"id\": 6, \"input\": \"../*\", \"op\": \"glob\", \"expect\": \"deny\"}\n",
        "{\"id\": 7, \"input\": \".git/config\", \"op\": \"write\", \"expect\": \"deny\"}\n",
    );
    let ended = bench.run_with(&["check", "paths", "-"], cases).expect(0);
    assert_eq!(ended.stdout.lines().count(), 7);
    assert!(ended.stderr.contains("7 of 7 agree"), "{}", ended.stderr);
    let wrong = bench.run_with(&["check", "paths"], "{\"input\": \"a.txt\", \"expect\": \"deny\"}\n").expect(1);
    assert!(wrong.stderr.contains("differs") && wrong.stderr.contains("0 of 1 agree"), "{}", wrong.stderr);
}

#[test]
fn the_bench_judges_addresses_by_the_lists_of_the_configuration() {
    let bench = Bench::new(&[("palanca.yaml", "net: {deny_hosts: [denied.example], private_hosts: [wiki.corp]}\n")]);
    let cases = concat!(
        "{\"id\": 1, \"input\": \"https://example.com/\", \"expect\": \"allow\"}\n",
        "{\"id\": 2, \"input\": \"http://0x7f.1/\", \"expect\": \"deny\"}\n",
        "{\"id\": 3, \"input\": \"http://example.com:6379/\", \"expect\": \"deny\"}\n",
        "{\"id\": 4, \"input\": \"https://www.denied.example/\", \"expect\": \"deny\"}\n",
        // A project's file makes no host private, whoever trusts it.
        "{\"id\": 5, \"input\": \"http://wiki.corp/\", \"expect\": \"deny\"}\n",
    );
    let ended = bench.run_with(&["check", "urls", "-"], cases).expect(0);
    let rules: Vec<serde_json::Value> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["rule"].clone())
        .collect();
    assert_eq!(
        rules,
        [serde_json::Value::Null, "net.private".into(), "net.port".into(), "net.denied".into(), "net.private".into()]
    );
    assert!(ended.stderr.contains("private_hosts") && ended.stderr.contains("5 of 5 agree"), "{}", ended.stderr);
    let own = bench.home().join("own.yaml");
    std::fs::write(&own, "net: {allow_hosts: [wiki.corp], private_hosts: ['wiki.corp:8443']}\n").unwrap();
    let cases = concat!(
        "{\"id\": 1, \"input\": \"https://example.com/\", \"expect\": \"deny\"}\n",
        "{\"id\": 2, \"input\": \"https://wiki.corp:8443/\", \"expect\": \"allow\"}\n",
        "{\"id\": 3, \"input\": \"https://wiki.corp/\", \"expect\": \"deny\"}\n",
    );
    let own = own.display().to_string();
    bench.run_with(&["-c", &own, "check", "urls", "-"], cases).expect(0);
    std::fs::write(&own, "net: {allow_hosts: ['http://example.com/']}\n").unwrap();
    let wrong = bench.run_with(&["-c", &own, "check", "urls", "-"], "").expect(3);
    assert!(
        wrong.stderr.contains("net.allow_hosts") && wrong.stderr.contains("http://example.com/"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn tools_are_listed_shown_and_rendered() {
    let bench = Bench::new(&[]);
    for toolset in ["palanca", "architect"] {
        let list = bench.run(&["tools", "list", "--toolset", toolset]).expect(0).stdout;
        assert!(list.contains("apply_patch") && list.contains("search_code"), "{list}");
    }
    for (format, key) in
        [("openai", "/0/function/parameters"), ("anthropic", "/0/input_schema"), ("mcp", "/0/inputSchema")]
    {
        let schema = bench.run(&["tools", "schema", "grep", "--format", format]).expect(0).json();
        assert_eq!(schema.pointer(key).unwrap()["type"], "object");
    }
    assert!(bench.run(&["tools", "show", "grp"]).expect(3).stderr.contains("grep"));
    let agents = bench.run(&["agents", "--json"]).expect(0).json();
    assert_eq!(agents.as_array().unwrap().len(), 4);
}

#[test]
fn the_doctor_says_what_is_enforced() {
    let bench = Bench::new(&[]);
    let page = bench.run(&["doctor"]).expect(0).stdout;
    assert!(page.contains("containment") && page.contains("OPENAI_API_KEY is not set"), "{page}");
    bench.run(&["doctor", "-w", "missing"]).expect(1);
}
