//! Protected files that a command asks for while it runs: judged as if they had been requested before, and answered once.

use crate::support::{builder, options};
use futures_util::future::BoxFuture;
use palanca_core::call::{CallId, Launch, RawArguments, Scope, SessionId};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{
    Answer, Asker, Decision, Exit, Finished, Guard, Hook, HookReply, ProcessError, Processes, Question, Run, Verdict,
    WriteAnswer, WriteQuestions,
};
use palanca_core::tool::Cancel;
use palanca_core::{Call, ConfirmMode, Gate, Message, Origin, ToolResult};
use palanca_testkit::processes::finished;
use palanca_testkit::{Answers, KeptQuestions, TempWorkspace, TestGate, TestGateBuilder};
use palanca_tools::{ToolsetName, registry};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A door whose programs ask for the words of their text, all at once, and print the answers. `dies` ends before it has one.
struct Asks;

impl Processes for Asks {
    fn isolation(&self) -> &'static str {
        "full"
    }

    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(async move {
            let text = launch.typed();
            let Some(questions) = run.questions else { return Ok(finished(Exit::Code(0), "nobody to ask", "")) };
            let mut awaited: Vec<_> = text.split(' ').filter_map(|name| questions.ask(Path::new(name))).collect();
            tokio::time::sleep(Duration::from_millis(50)).await;
            let mut said = Vec::new();
            while !text.starts_with("dies") && said.len() < awaited.len() {
                match awaited[said.len()].given() {
                    Some(answer) => said.push(answer),
                    None => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
            let said = said.iter().map(|answer| match answer {
                WriteAnswer::Yes => "yes",
                WriteAnswer::No(_) => "no",
                WriteAnswer::Unanswered => "unanswered",
            });
            Ok(finished(Exit::Code(0), said.collect::<Vec<_>>().join(" "), ""))
        })
    }

    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        _input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        self.run(launch, run)
    }
}

fn gate(workspace: &TempWorkspace) -> TestGateBuilder {
    builder(workspace, ToolsetName::Palanca, &options()).processes(Arc::new(Asks)).mode(ConfirmMode::ConfirmSensitive)
}

async fn run(gate: &TestGate, command: &str) -> ToolResult {
    gate.call("run_command", json!({"command": command})).await
}

#[tokio::test(start_paused = true)]
async fn a_yes_and_a_no_are_to_one_file_each_and_recorded() {
    let workspace = TempWorkspace::new();
    let answers = Answers::these([Answer::Yes, Answer::Yes, Answer::NoBecause("why".to_owned())]);
    let gate = gate(&workspace).answers(answers).build();
    let result = run(&gate, ".vscode/a .mcp.json").await;
    assert!(result.output.contains("yes no"), "{}", result.output);
    let asked = gate.answers.asked();
    let [before, first, second] = &asked[..] else { panic!("{asked:?}") };
    assert!(!before.drafts.is_empty() || first.drafts.is_empty());
    for (question, file) in [(first, ".vscode/a"), (second, ".mcp.json")] {
        let effect = question.effects.iter().next().unwrap().to_string();
        assert!(effect.ends_with(&format!(", may change {file}")), "{effect}");
        assert_eq!(question.reasons[0].rule, "writes.ask");
        assert!(question.drafts.is_empty(), "no rule answers this");
        assert_ne!(question.digest, before.digest);
    }
    assert_ne!(first.digest, second.digest);
    let record = &gate.recorded.records()[0];
    let effects = record["effects"].as_array().unwrap();
    assert_eq!(effects[1..], [json!("may change .vscode/a")]);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_where_the_request_would_be_refused_without_a_question() {
    let workspace = TempWorkspace::new();
    for (mode, file, said) in [
        (ConfirmMode::Yolo, ".mcp.json", "nobody to ask"),
        (ConfirmMode::ConfirmSensitive, ".env", "no"),
        (ConfirmMode::ConfirmAll, ".ssh/id_rsa", "no"),
    ] {
        let gate = gate(&workspace).mode(mode).build();
        let result = run(&gate, file).await;
        assert!(result.output.starts_with(&format!("stdout:\n{said}\n")), "{file}: {}", result.output);
        assert!(gate.answers.asked().len() <= 1, "{file}");
    }
    let dry = gate(&workspace).dry_run(&workspace).build();
    run(&dry, ".mcp.json").await;
    assert!(dry.answers.asked().is_empty());
}

/// Refuses what may change a file.
struct Refuses;

fn may_change(call: &CheckedCall) -> bool {
    call.effects().iter().any(|effect| effect.to_string().contains("may change"))
}

impl Guard for Refuses {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        may_change(call).then(|| Verdict {
            decision: Decision::Deny,
            rule: "test.deny".to_owned(),
            to_model: Message::new("tool-failed").with("reason", "a guard"),
            to_operator: String::new(),
        })
    }
}

/// The same, or tries to change the call.
struct Around(HookReply);

impl Hook for Around {
    fn name(&self) -> &str {
        "around"
    }

    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        let reply = if may_change(call) { self.0.clone() } else { HookReply::Continue };
        Box::pin(async { reply })
    }

    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { None })
    }
}

#[tokio::test(start_paused = true)]
async fn guards_and_hooks_judge_it_as_a_request() {
    let workspace = TempWorkspace::new();
    let other = HookReply::Change { arguments: json!({"command": "other"}), note: None };
    let same = HookReply::Change { arguments: json!({"command": ".mcp.json"}), note: None };
    let hook = |reply| gate(&workspace).hook(Arc::new(Around(reply))).build();
    for (gate, said, questions) in [
        (gate(&workspace).guard(Refuses).build(), "no", 1),
        (hook(HookReply::Block("no".to_owned())), "no", 1),
        (hook(other), "no", 1),
        (hook(HookReply::Continue), "yes", 2),
        (hook(same), "yes", 2),
    ] {
        let result = run(&gate, ".mcp.json").await;
        assert!(result.output.starts_with(&format!("stdout:\n{said}\n")), "{}", result.output);
        assert_eq!(gate.answers.asked().len(), questions);
    }
}

/// Says yes to the command, and then this, or never a word.
struct Person(Option<Answer>);

impl Asker for Person {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        let later = question.reasons.iter().any(|reason| reason.rule == "writes.ask");
        match self.0.clone() {
            answer if later && answer.is_some() => Box::pin(async { answer }),
            _ if later => Box::pin(std::future::pending()),
            _ => Box::pin(async { Some(Answer::Yes) }),
        }
    }
}

struct Kept {
    _workspace: TempWorkspace,
    questions: Arc<KeptQuestions>,
    cancel: Cancel,
    gate: Gate,
}

fn kept(asker: impl Asker + 'static) -> Kept {
    let (workspace, cancel, questions) = (TempWorkspace::new(), Cancel::new(), Arc::new(KeptQuestions::default()));
    let gate = Gate::builder(Arc::new(registry(ToolsetName::Palanca, &options()).unwrap()))
        .files(workspace.door())
        .processes(Arc::new(Asks))
        .questions(Arc::clone(&questions) as _)
        .asker(Arc::new(asker))
        .cancel(cancel.clone())
        .build();
    Kept { _workspace: workspace, questions, cancel, gate }
}

impl Kept {
    async fn run(&self, command: &str) -> ToolResult {
        let call = Call {
            id: CallId::new("c"),
            tool: "run_command".to_owned(),
            arguments: RawArguments::Json(json!({ "command": command })),
            origin: Origin::Model { step: 1 },
            scope: Scope::session(SessionId::new("s")),
        };
        self.gate.submit(&self.gate.registry().snapshot(), call).await
    }

    async fn is_asked(&self) {
        while !self.questions.open_ones().iter().any(|open| open.reasons[0].rule == "writes.ask") {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_ends_with_its_time_and_the_command_goes_on() {
    let kept = kept(Person(None));
    let started = tokio::time::Instant::now();
    let result = kept.run(".mcp.json .vscode/a").await;
    assert!(result.output.starts_with("stdout:\nunanswered unanswered\n"), "{}", result.output);
    let waited = started.elapsed();
    assert!(waited >= WriteQuestions::TIME && waited < WriteQuestions::TIME * 2, "{waited:?}");
    assert!(kept.questions.open_ones().is_empty(), "taken back");
}

#[tokio::test(start_paused = true)]
async fn where_nobody_answers_now_the_question_is_taken_back_and_nothing_is_parked() {
    struct Later;
    impl Asker for Later {
        fn can_answer(&self, _question: &Question) -> bool {
            true
        }
        fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
            let later = question.reasons[0].rule == "writes.ask";
            Box::pin(async move { (!later).then_some(Answer::Yes) })
        }
    }
    let kept = kept(Later);
    let result = kept.run(".mcp.json").await;
    assert!(result.output.starts_with("stdout:\nunanswered\n"), "{}", result.output);
    assert!(kept.questions.open_ones().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_program_that_no_longer_waits_withdraws_its_question() {
    let kept = kept(Person(None));
    let result = kept.run("dies .mcp.json").await;
    assert!(result.success, "{result:?}");
    assert!(kept.questions.open_ones().is_empty());
}

#[tokio::test(start_paused = true)]
async fn cancelling_and_aborting_end_the_call_and_its_question() {
    let kept_open = kept(Person(None));
    let (result, ()) = tokio::join!(kept_open.run(".mcp.json"), async {
        kept_open.is_asked().await;
        kept_open.cancel.cancel();
    });
    assert_eq!(result.outcome.name(), "stopped");
    assert!(kept_open.questions.open_ones().is_empty());
    let aborted = kept(Person(Some(Answer::Abort))).run(".mcp.json").await;
    assert_eq!((aborted.outcome.name(), aborted.code.as_deref()), ("stopped", Some("cancelled")));
}

#[tokio::test(start_paused = true)]
async fn an_answer_from_elsewhere_counts() {
    let kept = kept(Person(None));
    let (result, ()) = tokio::join!(kept.run(".mcp.json"), async {
        kept.is_asked().await;
        let question = kept.questions.open_ones().pop().unwrap();
        palanca_core::ports::wait(palanca_core::ports::Questions::settle(&*kept.questions, &question, Answer::Yes))
            .unwrap();
    });
    assert!(result.output.starts_with("stdout:\nyes\n"), "{}", result.output);
}
