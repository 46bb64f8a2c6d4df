//! What has no end of its own.

use crate::bench::{Bench, block_on, function};
use palanca_core::tool::Cancel;
use palanca_scripts::{Limit, Limits, Permissions, Script, ScriptError};
use palanca_testkit::{PATIENCE, until};
use serde_json::json;
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(300);

fn ended(bench: &Bench, source: &str, time: Duration) -> ScriptError {
    let ran = bench.run_as((source, &json!({})), (&Permissions::default(), &()), time);
    ran.err().unwrap_or_else(|| panic!("{source}"))
}

pub(crate) fn what_does_not_end_is_ended() {
    let bench = Bench::new();
    for source in [
        "for (;;) {}",
        "for (;;) { try { for (;;) {} } catch {} }",
        "try { for (;;) {} } finally { for (;;) {} }",
        "for (;;) await null",
        "const again = () => Promise.resolve().then(again); await again()",
        "setInterval(() => {}, 1)",
        "(function again() { setTimeout(again, 0) })()",
        "const again = () => queueMicrotask(again); again()",
        "await new Promise((done) => setTimeout(done, 1e8))",
        "export default () => { for (;;) {} }",
        "export default async () => { for (;;) await 0 }",
        "export default { get run() { for (;;) {} } }",
        "/^(a+)+$/.test('a'.repeat(40) + 'b')",
        "/(x+x+)+y/.exec('x'.repeat(60))",
        "new Proxy({}, { get() { for (;;) {} } }).x",
        "export default () => ({ toJSON() { for (;;) {} } })",
        "const e = new Error(); Object.defineProperty(e, 'message', { get() { for (;;) {} } }); throw e",
        "function* g() { for (;;) yield 1 } for (const x of g()) {}",
        "[1].sort.call({ length: 1e9, get 0() { for (;;) {} } })",
    ] {
        let error = ended(&bench, source, SHORT);
        assert!(matches!(error, ScriptError::Limited { limit: Limit::Time, .. }), "{source}: {error:?}");
    }
}

pub(crate) fn what_ends_badly_says_why() {
    let bench = Bench::new();
    for source in [
        "const a = []; for (;;) a.push(new Array(1e6).fill(0))",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })",
        "export default () => { globalThis.a = []; for (;;) a.push(new Uint8Array(1e6)) }",
        "const p = []; for (;;) p.push(new Promise(() => {}))",
    ] {
        let error = ended(&bench, source, PATIENCE);
        let named = matches!(&error, ScriptError::Threw { error, .. } if error.contains("memory"))
            || matches!(error, ScriptError::Limited { limit: Limit::Memory, .. });
        assert!(named, "{source}: {error:?}");
    }
    for source in [
        "for (;;) console.log('x'.repeat(1e5))",
        "for (;;) console.error('x'.repeat(1e6))",
        "for (;;) { try { console.log('x'.repeat(1e5)) } catch {} }",
        "for (;;) process.stdout.write('x'.repeat(4096))",
        "export default () => 'x'.repeat(2e6)",
        "export default () => new Array(1e6).fill(0)",
    ] {
        let error = ended(&bench, source, PATIENCE);
        assert!(matches!(error, ScriptError::Limited { limit: Limit::Output, .. }), "{source}: {error:?}");
    }
    for source in [
        "(function f() { f() })()",
        "const f = () => [1].map(f); f()",
        "class A { get x() { return this.x } } new A().x",
        "const a = []; a.toString = () => `${a}`; a.toString()",
        "JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))",
        "export default () => { let o: any = {}; let p = o; for (let i = 0; i < 1e6; i++) { p.n = {}; p = p.n } return o }",
        "new ArrayBuffer(2 ** 40)",
        "'x'.repeat(2 ** 32)",
        "new Array(-1)",
        "let s = 'x'; for (;;) s += s + Math.random()",
        "new RegExp('('.repeat(1e5))",
    ] {
        let error = ended(&bench, source, PATIENCE);
        let named = matches!(&error, ScriptError::Threw { error, .. } if error.contains("Error: ") || error.contains("memory"))
            || matches!(error, ScriptError::Limited { limit: Limit::Memory, .. });
        assert!(named, "{source}: {error:?}");
    }
    for source in ["export default () => new Promise(() => {})", "await new Promise(() => {})"] {
        assert!(matches!(ended(&bench, source, PATIENCE), ScriptError::Stuck), "{source}");
    }
    // A depth that programs need is there.
    let deep = "const depth = (n: number): number => n === 0 ? 0 : 1 + depth(n - 1); return depth(5000)";
    assert_eq!(bench.run(&function(deep)).unwrap().content, "5000");
}

/// The processes that run scripts of this test.
pub(crate) fn scripts() -> Vec<String> {
    let running = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).filter_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let own = std::env::current_exe().unwrap();
        line.windows(8).any(|word| word == b"__script").then_some(())?;
        line.starts_with(own.as_os_str().as_encoded_bytes()).then(|| entry.file_name().to_string_lossy().into_owned())
    });
    running.collect()
}

pub(crate) fn who_is_cancelled_leaves_nothing() {
    let bench = Bench::new();
    let (nothing, arguments) = (Permissions::default(), json!({}));
    let script =
        Script { source: "for (;;) {}", arguments: &arguments, permissions: &nothing, limits: Limits::default() };
    let cancel = Cancel::new();
    let error = block_on(async {
        let run = bench.engine.run(&script, &(), &cancel);
        let stop = async {
            while scripts().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            cancel.cancel();
        };
        tokio::join!(run, stop).0
    });
    assert!(matches!(error, Err(ScriptError::Cancelled)), "{error:?}");
    // As when the future is dropped.
    block_on(
        async {
            let run = bench.engine.run(&script, &(), &Cancel::new().clone()).await;
            drop(run);
        }
        .or_dropped(),
    );
    until("no process is left", || scripts().is_empty());
}

trait OrDropped: Future + Sized {
    /// Polls until a script runs, then drops it.
    async fn or_dropped(self) {
        let begun = async {
            while scripts().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! { _ = self => {}, () = begun => {} }
    }
}

impl<F: Future> OrDropped for F {}
