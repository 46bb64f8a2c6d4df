//! What guardrails add to one call: `cargo bench --package palanca-policy`.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout)]

use futures_util::FutureExt as _;
use palanca_core::ports::{Guard, StageDecision};
use palanca_core::{Call, CallId, ConfirmMode, Gate, Origin, Registry, Scope};
use palanca_files::Disk;
use palanca_policy::commands::{CommandJudge, Rules};
use palanca_policy::guardrails::{self, CodeRule, GuardrailSettings, Severity};
use palanca_policy::loops::{LoopSettings, Loops};
use palanca_policy::paths::PathRules;
use palanca_testkit::{FakeProcesses, TempWorkspace};
use palanca_tools::{ToolOptions, ToolsetName, register_all};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many rules, a quarter of each kind.
fn settings(rules: usize) -> GuardrailSettings {
    let each = |make: &dyn Fn(usize) -> String| (0..rules / 4).map(make).collect::<Vec<_>>();
    GuardrailSettings {
        unvouched: std::collections::BTreeSet::new(),
        protected_files: each(&|n| match n % 3 {
            0 => format!("*.locked{n}"),
            1 => format!("ci/part{n}/**"),
            _ => format!("name{n}.cfg"),
        }),
        sensitive_files: each(&|n| match n % 2 {
            0 => format!("secret{n}.*"),
            _ => format!("vault{n}"),
        }),
        blocked_commands: each(&|n| match n % 2 {
            0 => format!(r"git\s+push\s+origin{n}\b"),
            _ => format!(r"tool{n}\s+(deploy|publish)"),
        }),
        code_rules: each(&|n| format!(r"forbidden_{n}\("))
            .into_iter()
            .map(|pattern| CodeRule { message: pattern.clone(), pattern, severity: Severity::Block })
            .collect(),
        max_files_modified: (rules > 0).then_some(1_000_000),
        max_lines_changed: (rules > 0).then_some(1_000_000_000),
        max_commands_executed: (rules > 0).then_some(1_000_000_000),
        require_test_after_edit: false,
        test_commands: Vec::new(),
    }
}

fn gate(workspace: &TempWorkspace, rules: usize) -> Gate {
    let registry = Registry::new();
    register_all(&registry, ToolsetName::Palanca, &ToolOptions::default()).unwrap();
    let settings = settings(rules);
    let start = Instant::now();
    let globs = guardrails::files(&settings).unwrap();
    let paths = PathRules::new(&[], &[], None).unwrap().guarding(Arc::clone(&globs));
    let door = Disk::open(&workspace.root(), &[], Arc::new(paths)).unwrap();
    let root = door.workspace().to_owned();
    let mut guards = guardrails::guards(&settings, globs, root.clone().into()).unwrap();
    println!("{rules} rules compiled in {:.1?}", start.elapsed());
    if rules > 0 {
        guards.push(Arc::new(Loops::new(LoopSettings::default()).unwrap()) as Arc<dyn Guard>);
    }
    let gate = Gate::builder(Arc::new(registry))
        .files(Arc::new(door))
        .processes(Arc::new(FakeProcesses::printing("", "")))
        .reader(Arc::new(CommandJudge::new(Rules::default(), (root, Vec::new()), None)))
        .mode(ConfirmMode::Yolo);
    guards.into_iter().fold(gate, |gate, guard| gate.guard(guard)).build()
}

/// Judging alone, as `explain` does it: the same stages without what a run costs.
fn judged(gate: &Gate, tool: &str, arguments: &Value) -> Duration {
    let toolset = gate.registry().snapshot();
    let call = Call {
        id: CallId::new("1"),
        tool: tool.to_owned(),
        arguments: palanca_core::call::RawArguments::Json(arguments.clone()),
        origin: Origin::Model { step: 1 },
        scope: Scope::session("bench".into()),
    };
    let mut times: Vec<Duration> = (0..2_000)
        .map(|_| {
            let start = Instant::now();
            let explained = gate.explain(&toolset, &call).now_or_never().expect("the arguments fit plainly");
            let time = start.elapsed();
            assert!(explained.stages.iter().all(|stage| stage.verdict != StageDecision::Deny), "{explained:?}");
            time
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let text: String = (0..40).map(|line| format!("let line_{line} = call({line});\n")).collect();
    let workspace = TempWorkspace::with(&[("src/a.rs", &text)]);
    let calls = [
        ("read_file", json!({ "path": "src/a.rs" })),
        ("run_command", json!({ "command": "cargo build --release 2>&1 | tail -20" })),
        ("edit_file", json!({ "path": "src/a.rs", "old_str": "line_7 ", "new_str": "seven " })),
        ("write_file", json!({ "path": "src/b.rs", "content": text })),
    ];
    let gates = [0, 100, 10_000].map(|rules| (rules, gate(&workspace, rules)));
    for (tool, arguments) in &calls {
        let mut bare = Duration::ZERO;
        for (rules, gate) in &gates {
            let median = judged(gate, tool, arguments);
            if *rules == 0 {
                bare = median;
            }
            println!(
                "{tool:<12} {rules:>6} rules: judged in {median:>9.1?}, of which guardrails {:>9.1?}",
                median.saturating_sub(bare)
            );
        }
    }
}
