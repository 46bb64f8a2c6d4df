//! Both forms, what they give back, and how errors read.

use crate::bench::{Bench, function};
use palanca_scripts::ScriptError;
use serde_json::json;

pub(crate) fn both_forms_give_their_result() {
    let bench = Bench::new();
    for (source, content) in [
        ("export default async function run(args: any) { return { sum: args.a + args.b }; }", r#"{"sum":5}"#),
        ("export default (args: { a: number }) => `a is ${args.a}`;", "a is 2"),
        ("export async function run({ a, b }: Record<string, number>) { return a * b }", "6"),
        ("export default { run: (args: any) => args.b }", "3"),
        ("module.exports = (args) => args.a", "2"),
        ("exports.run = (args) => args.a + 1", "3"),
        ("const args = JSON.parse(process.argv[2]); console.log(args.a + args.b)", "5"),
        ("const args = JSON.parse(Bun.argv[2]); console.log(JSON.stringify({ success: true, content: args.b }))", "3"),
        ("const [, , text] = process.argv; process.stdout.write(text)", r#"{"a":2,"b":3}"#),
        ("async function main() { await new Promise((r) => setTimeout(r, 1)); console.log('late') }\nmain();", "late"),
        ("if (import.meta.main) console.log(import.meta.url)", "file:///tool.ts"),
        ("if (require.main === module) console.log('main')", "main"),
        ("console.log('done'); process.exit(0)", "done"),
        ("const x = await Promise.resolve(7); console.log(x)", "7"),
    ] {
        let outcome =
            bench.run_with(source, &json!({"a": 2, "b": 3})).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert_eq!((outcome.success, outcome.content.as_str()), (true, content), "{source}");
    }
}

pub(crate) fn results_are_text_or_json() {
    let bench = Bench::new();
    for (body, success, content) in [
        ("return { success: false, content: 'no such city' }", false, "no such city"),
        ("return JSON.stringify({ success: true, content: [1] })", true, "[1]"),
        ("return undefined", true, "(no output)"),
        ("console.log('printed')", true, "printed"),
        ("console.log('beside'); return 'result'", true, "result"),
        ("return null", true, "null"),
        ("return true", true, "true"),
        ("return 0.1 + 0.2", true, "0.30000000000000004"),
        ("return new Map([[1, 2]])", true, "{}"),
        ("return { a: undefined, b: 1 }", true, r#"{"b":1}"#),
        ("return { toJSON: () => ({ shown: 1 }) }", true, r#"{"shown":1}"#),
        (r"return '\u0000\ud800\u202e'", true, "\0\u{fffd}\u{202e}"),
        ("return 'é😀'", true, "é😀"),
        ("return () => 1", true, "[Function (anonymous)]"),
    ] {
        let outcome = bench.run(&function(body)).unwrap_or_else(|error| panic!("{body}: {error}"));
        assert_eq!((outcome.success, outcome.content.as_str()), (success, content), "{body}");
    }
    let outcome = bench.run(&function("console.log('one'); console.error('two'); return 3")).unwrap();
    assert_eq!((outcome.content.as_str(), outcome.log.as_str()), ("3", "one\ntwo\n"));
    let args = json!({"__proto__": {"admin": true}, "x": "'; process.exit(1); //", "z": "</script>"});
    let outcome = bench.run_with(&function("return [args.__proto__, args.x, {}.admin]"), &args).unwrap();
    assert_eq!(outcome.content, r#"[{"admin":true},"'; process.exit(1); //",null]"#);
}

pub(crate) fn errors_say_where() {
    let bench = Bench::new();
    for (source, said) in [
        (
            "interface A { x: number }\n\nfunction inner(a: A) {\n  throw new Error('wrong ' + a.x);\n}\nexport default () => inner({ x: 1 });",
            &["Error: wrong 1", "at inner (tool.ts:4:"][..],
        ),
        (
            "\nexport default async function run() {\n  return missing.x;\n}",
            &["ReferenceError: missing is not defined", "at run (tool.ts:3:"],
        ),
        ("class Wrong extends Error { name = 'Wrong' }\nthrow new Wrong('so')", &["Wrong: so", "tool.ts:2:"]),
        ("throw { code: 7 }", &["Uncaught { code: 7 }"]),
        ("throw null", &["Uncaught null"]),
        ("async function main() { throw new TypeError('lost') }\nmain()", &["TypeError: lost"]),
        ("setTimeout(() => { throw new Error('late') }, 1)", &["Error: late"]),
        ("queueMicrotask(() => { throw new Error('soon') }); await new Promise(() => {})", &["Error: soon"]),
        ("export default () => ({ big: 1n })", &["TypeError", "BigInt"]),
        ("export default () => { const a = {}; a.a = a; return a }", &["TypeError", "circular"]),
        (
            "export default () => Promise.reject({ then(f) { f('thenable') } })",
            &["Uncaught { then: [Function: then] }"],
        ),
        ("require('fs')", &["the module 'fs' cannot be required"]),
        ("await import('f' + 's')", &["fs"]),
    ] {
        let error = bench.run(source).err().unwrap_or_else(|| panic!("{source}"));
        let ScriptError::Threw { error: text, .. } = &error else { panic!("{source}: {error:?}") };
        assert!(said.iter().all(|said| text.contains(said)), "{source}: {text}");
        assert!(!text.contains("eval_script") && !text.contains("native"), "{source}: {text}");
    }
    let ScriptError::Exited { code: 3, log } = bench.run("console.error('why'); process.exit(3)").unwrap_err() else {
        panic!()
    };
    assert_eq!(log, "why\n");
    // Whoever catches it sees nothing of it.
    let ended = bench.run("try { process.exit(4) } catch {} console.log('on'); for (;;) {}").unwrap_err();
    let ScriptError::Exited { code: 4, log } = ended else { panic!("{ended:?}") };
    assert_eq!(log, "");
    for source in ["export default () => { console.log('x'); process.exitCode = 0; process.exit() }", "process.exit(0)"]
    {
        let ended = bench.run(source);
        assert!(matches!(ended, Err(ScriptError::Exited { code: 0, .. }) | Ok(_)), "{source}: {ended:?}");
    }
    assert!(matches!(bench.run("process.exit(0)"), Err(ScriptError::Exited { code: 0, .. })));
    assert!(matches!(bench.run("process.exitCode = 5"), Err(ScriptError::Exited { code: 5, .. })));
}

pub(crate) fn what_cannot_be_read_says_where() {
    let bench = Bench::new();
    for (source, line, column) in [
        ("export default async function run(args: any) {\n  const a = [1, 2;\n}", 2, 18),
        ("const a = 1;\nconst a = 2;", 1, 7),
        ("import fs from 'fs';", 1, 1),
        ("return 1; /* \u{202e} */", 1, 14),
    ] {
        for checked in [bench.check(source), bench.run(source).map(drop)] {
            let Err(ScriptError::Syntax(error)) = checked else { panic!("{source}: {checked:?}") };
            assert_eq!((error.line, error.column), (line, column), "{source}: {error}");
        }
    }
    let error = bench.check("let x = {\n  a: 1,\n  b 2,\n};").unwrap_err().to_string();
    assert_eq!(error.lines().skip(1).collect::<Vec<_>>(), ["3 |   b 2,", "  |     ^"], "{error}");
    assert!(matches!(bench.check(&" ".repeat(300_000)), Err(ScriptError::TooLong(300_000))));
    let deep = format!("export default () => {}1{}", "(".repeat(120_000), ")".repeat(120_000));
    let nested = bench.check(&deep);
    assert!(matches!(nested, Ok(()) | Err(ScriptError::Nested | ScriptError::Syntax(_))), "{nested:?}");
}

pub(crate) fn nothing_is_run_to_check() {
    let bench = Bench::new();
    bench.check("for (;;) {}").unwrap();
    bench.check("throw 1").unwrap();
    bench
        .check("const t: string = await fetch('https://example.com').then((r) => r.text()); console.log(t as any)")
        .unwrap();
}
