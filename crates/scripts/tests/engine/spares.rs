//! The process that waits for the next script: it is used once or not at all, has seen nothing, and never outlives what it is for.

use crate::bench::Bench;
use crate::limits::scripts;
use palanca_core::tool::Cancel;
use palanca_scripts::{Limits, Outcome, Permissions, Script, ScriptError};
use palanca_testkit::until;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

async fn run(bench: &Bench, source: &str, limits: Limits) -> Result<Outcome, ScriptError> {
    let (arguments, permissions) = (json!({"n": 1}), Permissions::default());
    let script = Script { source, arguments: &arguments, permissions: &permissions, limits };
    let ran = bench.engine.run(&script, &(), &Cancel::new()).await;
    ENDED.store(uptime(), Ordering::Relaxed);
    ran
}

/// When the last script ended, in hundredths of a second since the start of the machine. Its process may be there a moment longer; the
/// one that waits was started later.
static ENDED: AtomicU64 = AtomicU64::new(0);

fn uptime() -> u64 {
    let text = std::fs::read_to_string("/proc/uptime").unwrap();
    text.split(' ').next().unwrap().replace('.', "").parse().unwrap()
}

/// When a process was started, in the same measure.
fn started(pid: &str) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(") ").next()?.split(' ').nth(19)?.parse().ok()
}

fn found() -> Option<String> {
    let ended = ENDED.load(Ordering::Relaxed);
    scripts().into_iter().find(|pid| started(pid).is_some_and(|started| started > ended))
}

fn content(bench: &Bench, runtime: &Runtime, source: &str) -> String {
    runtime.block_on(run(bench, source, Limits::default())).unwrap().content
}

/// The process that waits, once there is one.
fn waiting() -> String {
    let mut waits = None;
    until("one waits", || {
        waits = found();
        waits.is_some()
    });
    waits.unwrap()
}

pub(crate) fn one_waits_and_serves_one_script() {
    let (bench, runtime) = (Bench::new(), runtime());
    assert!(scripts().is_empty(), "none before the first script");
    let leaves = "globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = () => 'left'; \
                  process.argv.push('left'); setInterval(() => {}, 1e6); console.log('left'); process.exit(0)";
    let looks = "console.log(JSON.stringify([typeof left, [1].map((x) => x + 1), process.argv.slice(2), performance.now() < 1e4]))";
    for _ in 0..3 {
        assert_eq!(content(&bench, &runtime, leaves).trim(), "left");
        let first = waiting();
        assert_eq!(content(&bench, &runtime, looks).trim(), r#"["undefined",[2],["{\"n\":1}"],true]"#);
        until("it is gone", || !scripts().contains(&first));
        let second = waiting();
        // What cannot be read, what throws, and what is only checked uses it up, too.
        let error = runtime.block_on(run(&bench, "export default () => {", Limits::default())).unwrap_err();
        assert!(matches!(error, ScriptError::Syntax(_)), "{error:?}");
        until("it is gone", || !scripts().contains(&second));
        let third = waiting();
        runtime.block_on(bench.engine.check("export default () => 1", &Cancel::new())).unwrap();
        ENDED.store(uptime(), Ordering::Relaxed);
        until("it is gone", || !scripts().contains(&third));
        waiting();
    }
}

pub(crate) fn it_is_used_with_its_own_limits_only() {
    let (bench, runtime) = (Bench::new(), runtime());
    content(&bench, &runtime, "console.log(1)");
    let usual = waiting();
    let small = Limits { memory: 16 << 20, ..Limits::default() };
    let allocates =
        "const all = []; for (let i = 0; i < 8; i++) all.push(new Uint8Array(8e6).fill(1)); console.log(all.length)";
    let error = runtime.block_on(run(&bench, allocates, small));
    assert!(error.is_err(), "{error:?}");
    until("it is gone", || !scripts().contains(&usual));
    let small = waiting();
    assert_eq!(content(&bench, &runtime, allocates).trim(), "8");
    until("it is gone", || !scripts().contains(&small));
    // One that was killed is missed by nobody.
    let killed = waiting();
    std::process::Command::new("kill").args(["-9", &killed]).status().unwrap();
    until("it is gone", || !scripts().contains(&killed));
    until("a script runs", || {
        let ran = runtime.block_on(run(&bench, "console.log(2)", Limits::default()));
        ran.is_ok_and(|outcome| outcome.content.trim() == "2")
    });
}

/// Threads and descriptors of ours.
fn held() -> [usize; 2] {
    ["task", "fd"].map(|what| std::fs::read_dir(format!("/proc/self/{what}")).unwrap().count())
}

pub(crate) fn it_ends_with_its_runtime_or_its_engine() {
    let before = held();
    let (bench, short, own) = (Bench::new(), runtime(), runtime());
    content(&bench, &short, "console.log(1)");
    waiting();
    drop(short);
    until("it ends with the runtime", || scripts().is_empty());
    content(&bench, &own, "console.log(2)");
    let last = waiting();
    let clone = bench.engine.clone();
    drop(bench);
    assert!(scripts().contains(&last), "a clone is the same engine");
    drop(clone);
    until("it ends with the engine", || scripts().is_empty());
    drop(own);
    until("nothing is held", || held().iter().zip(before).all(|(now, before)| *now <= before));
}

pub(crate) fn it_does_not_wait_for_ever() {
    let bench = Bench::new();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        run(&bench, "console.log(1)", Limits::default()).await.unwrap();
        while found().is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::pause();
        while !scripts().is_empty() {
            // The clock runs by itself while there is nothing to do.
            tokio::time::sleep(Duration::from_secs(1)).await;
            std::thread::sleep(Duration::from_millis(5));
        }
        tokio::time::resume();
        let again = run(&bench, "console.log(2)", Limits::default()).await.unwrap();
        assert_eq!(again.content.trim(), "2");
    });
}
