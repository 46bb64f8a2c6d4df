//! An engine on a door of its own, and short ways to use it.

use palanca_core::message::Keys;
use palanca_core::ports::Processes;
use palanca_core::tool::Cancel;
use palanca_sandbox::{Isolation, Sandbox, SandboxSettings};
use palanca_scripts::{Engine, Limits, Outcome, Permissions, Requests, Script, ScriptError};
use palanca_testkit::PATIENCE;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) struct Bench {
    _directory: TempDir,
    pub(crate) engine: Engine,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let workspace = directory.path().join("ws");
        std::fs::create_dir_all(&workspace).unwrap();
        std::fs::write(workspace.join("note.txt"), "CANARY").unwrap();
        let door: Arc<dyn Processes> =
            Arc::new(Sandbox::new(SandboxSettings::new(workspace, Isolation::Best)).unwrap());
        Self { _directory: directory, engine: Engine::new(door, Arc::new(Keys)) }
    }

    pub(crate) fn run(&self, source: &str) -> Result<Outcome, ScriptError> {
        self.run_with(source, &json!({}))
    }

    pub(crate) fn run_with(&self, source: &str, arguments: &Value) -> Result<Outcome, ScriptError> {
        self.run_as((source, arguments), (&Permissions::default(), &()), PATIENCE)
    }

    pub(crate) fn run_as(
        &self,
        (source, arguments): (&str, &Value),
        (permissions, requests): (&Permissions, &dyn Requests),
        time: Duration,
    ) -> Result<Outcome, ScriptError> {
        let limits = Limits { time, ..Limits::default() };
        let script = Script { source, arguments, permissions, limits };
        block_on(self.engine.run(&script, requests, &Cancel::new()))
    }

    pub(crate) fn check(&self, source: &str) -> Result<(), ScriptError> {
        block_on(self.engine.check(source, &Cancel::new()))
    }
}

/// How many scripts run at a time where each is a case of its own: they mostly wait.
const AT_ONCE: usize = 4;

/// Does the same with each case, several at a time.
pub(crate) fn each<T: Sync>(cases: &[T], work: impl Fn(&Bench, &T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let bench = Bench::new();
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(&bench, case);
                }
            });
        }
    });
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// A module whose function has this body.
pub(crate) fn function(body: &str) -> String {
    format!("export default async function run(args: any) {{ {body} }}")
}

/// Runs a file, for whoever tries something out: once, and then again and again with pauses, as a model calls a tool. The same by `node`,
/// where it is there.
pub(crate) fn try_out(path: &str) {
    const AGAIN: usize = 15;
    let bench = Bench::new();
    let source = std::fs::read_to_string(path).unwrap();
    let (arguments, permissions) = (json!({}), Permissions::default());
    let script =
        Script { source: &source, arguments: &arguments, permissions: &permissions, limits: Limits::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut took = Vec::new();
    for round in 0..=AGAIN {
        let begun = Instant::now();
        let ran = runtime.block_on(bench.engine.run(&script, &(), &Cancel::new()));
        took.push(begun.elapsed());
        match ran {
            Ok(outcome) if round == 0 => println!("{}\n{}\n{}", outcome.success, outcome.content, outcome.log),
            Ok(_) => {}
            Err(error) => println!("{error}\n{}", error.message()),
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    let middle = |times: &mut [Duration]| {
        times.sort_unstable();
        (times[times.len() / 2], times[0])
    };
    let (first, later) = took.split_at_mut(1);
    println!("first {:?}; later, median and best {:?}", first[0], middle(later));
    let node = || {
        let begun = Instant::now();
        let node = std::process::Command::new("node").args([path, "{}"]).output();
        node.ok().filter(|ran| ran.status.success()).map(|_| begun.elapsed())
    };
    match (0..AGAIN).map(|_| node()).collect::<Option<Vec<_>>>() {
        Some(mut times) => println!("node, median and best {:?}", middle(&mut times)),
        None => println!("node does not run it"),
    }
}
