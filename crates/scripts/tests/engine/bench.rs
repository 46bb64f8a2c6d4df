//! An engine on a door of its own, and short ways to use it.

use palanca_core::message::Keys;
use palanca_core::ports::Processes;
use palanca_core::tool::Cancel;
use palanca_sandbox::{Isolation, Sandbox, SandboxSettings};
use palanca_scripts::{Engine, Limits, Outcome, Permissions, Requests, Script, ScriptError};
use palanca_testkit::PATIENCE;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
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

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// A module whose function has this body.
pub(crate) fn function(body: &str) -> String {
    format!("export default async function run(args: any) {{ {body} }}")
}

/// Runs a file, for whoever tries something out.
pub(crate) fn try_out(path: &str) {
    let bench = Bench::new();
    let source = std::fs::read_to_string(path).unwrap();
    for _ in 0..3 {
        let begun = std::time::Instant::now();
        let ran = bench.run(&source);
        println!("{:?}", begun.elapsed());
        match ran {
            Ok(outcome) => println!("{}\n{}\n{}", outcome.success, outcome.content, outcome.log),
            Err(error) => println!("{error}\n{}", error.message()),
        }
    }
}
