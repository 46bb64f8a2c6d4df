//! Which programs get the network, in every mode and setting: the real reader in the real gate, with a door that starts
//! nothing.

use crate::support::options;
use palanca_core::call::Network;
use palanca_core::gate::NetworkAccess;
use palanca_core::ports::Answer as Says;
use palanca_core::{ConfirmMode, RunMode, ToolResult};
use palanca_policy::commands::{CommandJudge, Rules};
use palanca_testkit::{Answers, FakeProcesses, TempWorkspace, TestGate};
use palanca_tools::{ToolsetName, registry};
use serde_json::{Value, json};
use std::sync::Arc;

struct Place {
    gate: TestGate,
    programs: Arc<FakeProcesses>,
    _workspace: TempWorkspace,
}

fn place(access: NetworkAccess, mode: ConfirmMode, run: RunMode) -> Place {
    let workspace = TempWorkspace::with(&[("a.txt", "a\n")]);
    let programs = Arc::new(FakeProcesses::default());
    let gate = TestGate::builder(&workspace, registry(ToolsetName::Palanca, &options()).unwrap())
        .processes(Arc::clone(&programs) as _)
        .reader(CommandJudge::new(Rules::default(), (workspace.root(), Vec::new()), None))
        .answers(Answers::always(Says::Yes))
        .mode(mode)
        .with(|gate| gate.program_network(access).run_mode(run))
        .build();
    Place { gate, programs, _workspace: workspace }
}

impl Place {
    async fn run(&self, arguments: Value) -> ToolResult {
        self.gate.call("run_command", arguments).await
    }

    /// What the program got, or `refused`.
    async fn gives(&self, arguments: Value) -> &'static str {
        let before = self.programs.launches().len();
        self.run(arguments).await;
        match self.programs.launches().get(before).map(|launch| launch.network) {
            Some(Network::Open) => "network",
            Some(Network::None) => "none",
            None => "refused",
        }
    }
}

#[tokio::test]
async fn a_program_gets_the_network_as_configured() {
    use ConfirmMode::{ConfirmAll, ConfirmSensitive, Yolo};
    use NetworkAccess::{Ask, Off, On};
    let cases = [
        // Access, mode; what a safe command gets that asks for it, one whose text needs it, and any other.
        (Off, Yolo, ["refused", "refused", "none"]),
        (Off, ConfirmSensitive, ["refused", "refused", "none"]),
        (Off, ConfirmAll, ["refused", "refused", "none"]),
        (Ask, Yolo, ["refused", "refused", "none"]),
        (Ask, ConfirmSensitive, ["network", "network", "none"]),
        (Ask, ConfirmAll, ["network", "network", "none"]),
        (On, Yolo, ["network", "network", "none"]),
        (On, ConfirmSensitive, ["network", "network", "none"]),
        (On, ConfirmAll, ["network", "network", "none"]),
    ];
    for (access, mode, expected) in cases {
        let place = place(access, mode, RunMode::Real);
        let asks = place.gives(json!({"command": "ls", "network": true})).await;
        let needs = place.gives(json!({"command": "cargo fetch"})).await;
        let neither = place.gives(json!({"command": "make all"})).await;
        assert_eq!([asks, needs, neither], expected, "{access:?} {mode:?}");
    }
}

#[tokio::test]
async fn the_question_says_so_and_names_the_hosts() {
    let place = place(NetworkAccess::Ask, ConfirmMode::ConfirmSensitive, RunMode::Real);
    place.run(json!({"command": "git clone https://git.example/a"})).await;
    place.run(json!({"command": "ls", "network": true})).await;
    let asked = place.gate.answers.asked();
    let reasons = |at: usize| {
        let question = &asked[at];
        let said = question.reasons.iter().find(|reason| reason.rule == "network.ask").unwrap().words.to_string();
        (said, question.effects.iter().next().unwrap().to_string())
    };
    let (said, effect) = reasons(0);
    assert!(said.contains("hosts=git.example"), "{said}");
    assert_eq!(effect, "run `git clone https://git.example/a` in ., with network");
    let (said, effect) = reasons(1);
    assert!(said.contains("named=no"), "{said}");
    assert_eq!(effect, "run `ls` in ., with network");
}

#[tokio::test]
async fn what_needs_it_and_cannot_have_it_fails_at_once_with_the_setting() {
    for (access, expected) in [(NetworkAccess::Off, "commands.network is off"), (NetworkAccess::Ask, "yolo mode")] {
        let place = place(access, ConfirmMode::Yolo, RunMode::Real);
        let said = place.run(json!({"command": "pip install x"})).await.for_model();
        assert!(said.contains("needs the network") && said.contains(expected), "{said}");
        assert_eq!(place.programs.launches().len(), 0);
        // A command has a loopback of its own.
        for here in ["curl localhost:3000/health", "curl http://[::1]:8000 http://127.0.0.1/"] {
            let said = place.run(json!({"command": here})).await.for_model();
            assert!(!said.contains("network"), "{said}");
        }
        assert_eq!(place.programs.launches().len(), 2);
        let said = place.run(json!({"command": "make all"})).await.for_model();
        assert!(!said.contains("network"), "{said}");
        let refused = place.run(json!({"command": "make all", "network": true})).await.for_model();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[tokio::test]
async fn a_dry_run_makes_no_connection() {
    for run in [RunMode::DryRun, RunMode::Rehearsal] {
        let place = place(NetworkAccess::On, ConfirmMode::Yolo, run);
        assert_eq!(place.gives(json!({"command": "cargo fetch"})).await, "refused", "{run:?}");
        let said = place.run(json!({"command": "cargo fetch"})).await.for_model();
        assert!(said.contains("with network"), "{said}");
    }
}
