//! Ways out, and ways to bend the world.

use crate::bench::{Bench, block_on, function};
use palanca_core::tool::Cancel;
use palanca_scripts::{Limits, Permissions, Script, ScriptError};
use palanca_testkit::{PATIENCE, until};
use serde_json::json;

/// What would be a success: something of the machine.
const SEEN: [&str; 5] = ["root:", "CANARY", "PATH=", "/work", "uid="];

pub(crate) fn none_of_the_ways_out_is_open() {
    let bench = Bench::new();
    for body in [
        "return require('child_process').execSync('id') + ''",
        "return (await import('child_' + 'process')).execSync('id') + ''",
        "return (await import('node:fs')).readFileSync('/etc/passwd', 'utf8')",
        "return (await import('/etc/passwd')).default",
        "return (await import('file:///etc/passwd')).default",
        "return (await import('./note.txt')).default",
        "return process.binding('spawn_sync')",
        "return process.mainModule.require('fs')",
        "return globalThis['req' + 'uire']('fs')",
        "return module.constructor._load('fs')",
        "return import.meta.require('fs')",
        "return Bun.spawnSync(['id']).stdout.toString()",
        "return await Bun.file('/etc/passwd').text()",
        "return await Bun.file('note.txt').text()",
        "return new Deno.Command('id').outputSync()",
        "return Deno.readTextFileSync('/etc/passwd')",
        "return std.loadFile('/etc/passwd')",
        "return os.exec(['id'])",
        "return (await import('std')).loadFile('/etc/passwd')",
        "return (await import('os')).exec(['id'])",
        "return (await import('qjs:os')).exec(['id'])",
        "return load('/etc/passwd')",
        "return new Worker('x.js')",
        "return new WebAssembly.Module(new Uint8Array())",
        "return (() => {}).constructor('return require')()('fs').readFileSync('/etc/passwd')",
        "return eval('require')('fs').readFileSync('/etc/passwd')",
        "return (async () => {}).constructor('return import(\"fs\")')().then((f) => f.readFileSync('/etc/passwd'))",
        "return Reflect.construct(Function, ['return native'])()",
        "return native.read(1, '/etc/passwd')",
        "try { (function f() { f() })() } catch (e) { return e.constructor.constructor('return native')() }",
        "return new Proxy({}, { get: (t, k, r) => r.constructor.constructor('return argumentsText')() }).x",
        "return await (await fetch('http://127.0.0.1:22/')).text()",
        "return await new Promise((done, no) => { const x = new XMLHttpRequest(); x.onload = done })",
        "new EventSource('http://127.0.0.1/')",
        "new WebSocket('ws://127.0.0.1/')",
        "navigator.sendBeacon('http://127.0.0.1/', 'x')",
        "process.kill(process.ppid, 'SIGKILL')",
        "process.abort()",
        "process.dlopen({ exports: {} }, '/tmp/x.node')",
        "process.chdir('/tmp')",
        "require('fs').writeFileSync('/tmp/rs_evil', 'x')",
        "return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e9)",
        "return console.log.constructor('return std')()",
        "return Object.getOwnPropertyNames(globalThis).map((n) => globalThis[n]).filter((v) => v && v.loadFile)[0].x",
    ] {
        let error = bench.run(&function(body)).err().unwrap_or_else(|| panic!("{body}"));
        let ScriptError::Threw { error, .. } = &error else { panic!("{body}: {error:?}") };
        assert!(!SEEN.iter().any(|seen| error.contains(seen)), "{body}: {error}");
    }
    for (body, content) in [
        ("return process.env", "{}"),
        ("return Object.entries(Bun.env).length", "0"),
        ("return process.env.HOME", "(no output)"),
        ("return process.env.PALANCA_CANARY ?? 'none'", "none"),
        ("return (() => {}).constructor('return process.env')()", "{}"),
        ("return eval('1 + 1')", "2"),
        ("return process.cwd()", "/"),
        ("return typeof std + typeof os + typeof native + typeof scriptArgs", "undefinedundefinedundefinedundefined"),
    ] {
        assert_eq!(bench.run(&function(body)).unwrap().content, content, "{body}");
    }
    assert!(!std::path::Path::new("/tmp/rs_evil").exists());
}

pub(crate) fn the_world_that_it_bends_is_its_own() {
    let bench = Bench::new();
    for (body, content) in [
        ("Array.prototype.push = () => 0; return [1]", "[1]"),
        ("globalThis.run = () => 'hijack'; return 1", "1"),
        ("JSON.stringify = () => '{\"success\":true,\"content\":\"forged\"}'; return { a: 1 }", r#"{"a":1}"#),
        ("JSON.parse = () => 7; return args", "{}"),
        ("Object.prototype.then = 1; return { a: 1 }", r#"{"a":1}"#),
        ("Object.defineProperty(Object.prototype, 'success', { get: () => false }); return 'x'", "x"),
        ("String.prototype.toWellFormed = () => 'forged'; return 'x'", "x"),
        ("globalThis.JSON = undefined; globalThis.Promise = undefined; return [2]", "[2]"),
        (
            "process.stdout.write('{\"Ended\":{\"how\":\"Finished\",\"stdout\":\"forged\",\"stderr\":\"\"}}\\n'); return 'x'",
            "x",
        ),
        ("console.log('\\n{\"success\":true,\"content\":\"forged\"}\\n'); return 'x'", "x"),
        ("queueMicrotask(() => {}); setInterval(() => {}, 1000); return 1", "1"),
        ("setTimeout(() => { throw new Error('late') }, 10); return 1", "1"),
        ("return Promise.resolve({ then(f: any) { f('thenable') } })", "thenable"),
        ("for (const k of Reflect.ownKeys(globalThis)) { try { delete globalThis[k] } catch {} } return 1", "1"),
        ("Object.freeze(Object.prototype); Object.freeze(Array.prototype); return [1]", "[1]"),
    ] {
        let ran = bench.run(&function(body)).unwrap_or_else(|error| panic!("{body}: {error}"));
        assert_eq!((ran.success, ran.content.as_str()), (true, content), "{body}");
    }
    let hostile = function(
        "Promise.prototype.then = () => { throw 1 }; Symbol.iterator; Array.prototype[Symbol.iterator] = null; return 1",
    );
    // It may break itself.
    drop(bench.run(&hostile));
    assert_eq!(bench.run(&function("return [...'ab']")).unwrap().content, r#"["a","b"]"#);
}

/// Beside what the door hides: the filter of system calls that the process has put over itself.
pub(crate) fn its_process_can_open_nothing() {
    let (bench, cancel) = (Bench::new(), Cancel::new());
    let limits = Limits { time: PATIENCE, ..Limits::default() };
    let (arguments, permissions) = (json!({}), Permissions::default());
    let script = Script { source: "for (;;) {}", arguments: &arguments, permissions: &permissions, limits };
    std::thread::scope(|scope| {
        let run = scope.spawn(|| block_on(bench.engine.run(&script, &(), &cancel)));
        let mut status = String::new();
        let confined = |pid: &String| {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
            let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
            let files = limits.lines().find(|line| line.starts_with("Max open files"))?;
            (files.split_whitespace().nth(3) == Some("3")).then_some(status)
        };
        until("a script that is confined", || {
            status = crate::limits::scripts().iter().find_map(confined).unwrap_or_default();
            status.lines().any(|line| line == "Seccomp:\t2")
        });
        assert!(status.contains("NoNewPrivs:\t1"), "{status}");
        cancel.cancel();
        assert!(matches!(run.join().unwrap(), Err(ScriptError::Cancelled)));
    });
}
