//! The picoclaw toolset through the binary, and the key that its document's users look for.

use crate::harness::Bench;
use serde_json::json;

fn call(bench: &Bench, more: &[&str], tool: &str, arguments: &serde_json::Value) -> crate::harness::Ended {
    let arguments = arguments.to_string();
    bench.run(&[&["--toolset", "picoclaw", "--mode", "yolo", "call", "--json", tool, &arguments], more].concat())
}

#[test]
fn results_are_strings_or_errors() {
    let bench = Bench::new(&[("config.json", "{\"a\": 1}\n")]);
    let read = call(&bench, &[], "read_file", &json!({"file_path": "config.json", "offset": 0, "limit": 50}));
    assert_eq!(read.expect(0).json(), json!("{\"a\": 1}\n"));
    let write =
        call(&bench, &["--lang", "es"], "write_file", &json!({"file_path": "hello.txt", "content": "Hola Mundo"}));
    assert_eq!(write.expect(0).json(), json!("Archivo hello.txt creado exitosamente (10 bytes)"));
    let list = call(&bench, &[], "list_dir", &json!({}));
    assert_eq!(list.expect(0).json(), json!("FILE: config.json\nFILE: hello.txt"));
    let missing = call(&bench, &[], "read_file", &json!({"file_path": "none"})).expect(1).json();
    assert!(missing["error"].as_str().unwrap().starts_with("'none' does not exist."), "{missing}");
}

#[test]
fn what_lies_elsewhere_is_read_on_the_operators_word_and_never_written() {
    let bench = Bench::new(&[("../elsewhere/a.txt", "far\n"), ("../mine.yaml", "restrict_to_workspace: false\n")]);
    let top = bench.workspace().parent().unwrap().canonicalize().unwrap();
    let path = top.join("elsewhere/a.txt").display().to_string();
    let mine: &[&str] = &["-c", "../mine.yaml"];
    let read = |more: &[&str], path: &str| call(&bench, more, "read_file", &json!({"file_path": path}));
    read(&[], &path).expect(6);
    assert_eq!(read(mine, &path).expect(0).json(), json!("far\n"));
    for (tool, arguments) in [
        ("write_file", json!({"file_path": path, "content": "x"})),
        ("write_file", json!({"file_path": top.join("new.txt"), "content": "x"})),
        ("edit_file", json!({"file_path": path, "old_string": "far", "new_string": "near"})),
    ] {
        let refused = call(&bench, mine, tool, &arguments).expect(6).json();
        assert!(refused["error"].as_str().unwrap().contains("is outside the workspace"), "{refused}");
    }
    assert_eq!(bench.read("../elsewhere/a.txt"), "far\n");
    assert!(!top.join("new.txt").exists());
    bench.run(&["doctor"]);
    let state = bench.home().join("config").display().to_string();
    for closed in ["/proc/self/environ", "/etc/shadow", &state, "../elsewhere/a.txt"] {
        read(mine, closed).expect(6);
    }
    // A workspace does not widen itself.
    bench.write("palanca.yaml", "restrict_to_workspace: false\n");
    let told = read(&[], &path).expect(6);
    assert!(told.stderr.contains("restrict_to_workspace: is not applied"), "{}", told.stderr);
}
