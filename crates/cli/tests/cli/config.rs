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
