#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod calls;
mod dropped;
mod foreign;
mod handovers;
mod parts;
mod timings;
mod verdicts;

use super::{ConfirmMode, Gate};
use crate::call::{Call, CallId, Claims, Origin, RawArguments, Scope, SessionId, ToolError, ToolsetName};
use crate::message::Keys;
use crate::ports::{Answer, Asker, Clock, Decision, Guard, Hook, HookReply, Question, Record, Recorder, Verdict};
use crate::registry::{Registry, Toolset};
use crate::tool::{Annotations, Args, Cancel, Output, Sensitivity, Spec, Tool, ToolCx};
use crate::{ToolResult, gate::CheckedCall};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// Ends the tools that block their thread, so that the test's runtime can end too.
static RELEASED: AtomicBool = AtomicBool::new(false);

/// What the one test tool should do.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Act {
    /// echo, panic, hang, block, slow, fail, huge, or cancelled.
    act: String,
}
impl Args for Act {}

struct Actor {
    spec: Spec,
}

impl Tool for Actor {
    type Args = Act;

    fn spec(&self) -> Spec {
        self.spec.clone()
    }

    fn effects(&self, _args: &Act, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, args: Act, cx: ToolCx) -> Result<Output, ToolError> {
        match args.act.as_str() {
            "panic" => panic!("deliberate"),
            "hang" => std::future::pending().await,
            "block" => {
                while !RELEASED.load(Ordering::Relaxed) {
                    std::thread::park_timeout(Duration::from_millis(5));
                }
                Ok("late".into())
            }
            "slow" => {
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
                Ok("slow".into())
            }
            "fail" => Err(ToolError::from("exit 1").with_output("3 tests failed")),
            "huge" => Ok("é".repeat(3 << 20).into()),
            "cancelled" => {
                cx.cancel().cancelled().await;
                Ok("told".into())
            }
            other => Ok(other.into()),
        }
    }
}

fn registry(change: impl Fn(Spec) -> Spec) -> Arc<Registry> {
    let registry = Registry::new();
    registry.register(Actor { spec: change(Spec::new("act", "Acts.")) }).unwrap();
    registry.speaks(|| Arc::new(Keys));
    Arc::new(registry)
}

fn call(act: &str) -> Call {
    Call {
        id: CallId::new("c1"),
        tool: "act".into(),
        arguments: RawArguments::Json(json!({ "act": act })),
        origin: Origin::Person,
        scope: Scope::session(SessionId::new("s")),
    }
}

fn tools(gate: &Gate) -> Toolset {
    gate.registry().snapshot()
}

async fn run(gate: &Gate, act: &str) -> ToolResult {
    gate.submit(&tools(gate), call(act)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_tool_that_misbehaves_is_an_ordinary_failure_and_the_next_call_works() {
    for lane in [Spec::blocking as fn(Spec) -> Spec, |spec| spec] {
        for (act, code) in [("panic", "panicked"), ("hang", "timeout"), ("block", "timeout"), ("fail", "io")] {
            // Only what never ends must wait for its limit; a panic is slow to print on a busy machine.
            let limit = if code == "timeout" { Duration::from_millis(50) } else { Duration::from_secs(60) };
            let registry = registry(move |spec| lane(spec).timeout(limit));
            registry.register(Actor { spec: lane(Spec::new("next", "Acts, too.")) }).unwrap();
            let gate = Gate::builder(registry).build();
            let result = run(&gate, act).await;
            assert_eq!((result.success, result.code.as_deref()), (false, Some(code)), "{act}");
            let next = gate.submit(&tools(&gate), Call { tool: "next".into(), ..call("hello") }).await;
            assert_eq!(next.output, "hello", "after {act}");
        }
    }
    RELEASED.store(true, Ordering::Relaxed);
}

#[tokio::test]
async fn the_model_gets_the_error_and_the_output() {
    let gate = Gate::builder(registry(|spec| spec)).build();
    let result = run(&gate, "fail").await;
    assert_eq!(result.for_model(), "Error: tool-failed(reason=exit 1)\n3 tests failed");
}

#[tokio::test]
async fn without_a_catalogue_texts_are_readable() {
    let gate = Gate::builder(Arc::new(Registry::new())).build();
    let error = gate.execute("nope", json!({})).await.error.unwrap();
    assert!(error == "tool none offered (tool: nope)", "{error}");
}

#[tokio::test]
async fn a_huge_output_keeps_head_and_tail_within_the_limit() {
    let gate = Gate::builder(registry(|spec| spec)).build();
    let result = run(&gate, "huge").await;
    assert!(result.success && result.truncated);
    assert!(result.output.len() <= (1 << 20) + 200, "{}", result.output.len());
    assert!(result.output.contains("output-cut(omitted="));
}

#[tokio::test]
async fn cancelling_the_gate_stops_a_running_call() {
    let cancel = Cancel::new();
    let gate = Gate::builder(registry(|spec| spec)).cancel(cancel.clone()).build();
    let tools = tools(&gate);
    let ((), result) = tokio::join!(async { cancel.cancel() }, gate.submit(&tools, call("hang")));
    assert_eq!((result.outcome.name(), result.code.as_deref()), ("stopped", Some("cancelled")));
}

#[tokio::test]
async fn what_a_turn_does_not_offer_cannot_run() {
    let gate = Gate::builder(registry(|spec| spec)).build();
    let (nothing, unknown) = tools(&gate).restrict(["other"]);
    assert_eq!(unknown, ["other"]);
    let result = gate.submit(&nothing, call("hello")).await;
    assert_eq!((result.success, result.code.as_deref()), (false, Some("unknown_tool")));
}

#[derive(Default)]
struct Log {
    lines: Mutex<Vec<Value>>,
}
impl Recorder for Log {
    fn record(&self, record: &Record<'_>) {
        self.lines.lock().unwrap().push(serde_json::to_value(record).unwrap());
    }
}

struct Says(Answer, AtomicUsize);
impl Asker for Says {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }
    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Some(self.0.clone()) })
    }
}

#[tokio::test]
async fn modes_decide_who_is_asked_and_every_call_is_recorded_once() {
    use Answer::{Abort, No, Yes};
    use ConfirmMode::{ConfirmAll, ConfirmSensitive, Yolo};
    let sensitive = |spec: Spec| Spec { sensitivity: Sensitivity::Always, annotations: Annotations::WRITES, ..spec };
    for (mode, sensitivity, answer, asked, outcome) in [
        (Yolo, true, No, 0, "done"),
        (ConfirmSensitive, false, No, 0, "done"),
        (ConfirmSensitive, true, No, 1, "refused"),
        (ConfirmSensitive, true, Yes, 1, "done"),
        (ConfirmAll, false, Abort, 1, "stopped"),
    ] {
        let registry = registry(|spec| if sensitivity { sensitive(spec) } else { spec });
        let (asker, log) = (Arc::new(Says(answer.clone(), AtomicUsize::new(0))), Arc::new(Log::default()));
        let gate = Gate::builder(registry).asker(asker.clone()).recorder(log.clone()).mode(mode).build();
        let result = run(&gate, "hello").await;
        assert_eq!((result.outcome.name(), asker.1.load(Ordering::Relaxed)), (outcome, asked), "{mode:?} {answer:?}");
        let lines = log.lines.lock().unwrap();
        assert_eq!(lines.iter().map(|line| line["outcome"].clone()).collect::<Vec<_>>(), [json!(outcome)]);
    }
}

/// A clock that moves while a person thinks.
#[derive(Default)]
struct Thinks(Mutex<Duration>);
impl Clock for Thinks {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    fn elapsed(&self) -> Duration {
        *self.0.lock().unwrap()
    }
}
impl Asker for Thinks {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }
    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        *self.0.lock().unwrap() += Duration::from_secs(60);
        Box::pin(async { Some(Answer::Yes) })
    }
}

#[tokio::test]
async fn a_call_does_not_take_the_time_that_a_person_thinks() {
    let person = Arc::new(Thinks::default());
    let gate = Gate::builder(registry(|spec| spec)).mode(ConfirmMode::ConfirmAll);
    let gate = gate.asker(Arc::clone(&person) as _).clock(Arc::clone(&person) as _).build();
    let result = run(&gate, "hello").await;
    assert_eq!((result.outcome.name(), result.duration), ("done", Duration::ZERO));
}

#[tokio::test]
async fn without_an_asker_a_question_is_refused_at_once() {
    let gate = Gate::builder(registry(|spec| spec)).mode(ConfirmMode::ConfirmAll).build();
    let result = run(&gate, "hello").await;
    assert_eq!((result.outcome.name(), result.code.as_deref()), ("refused", Some("confirm.no_terminal")));
}

struct Denies(&'static str);
impl Guard for Denies {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        (call.arguments()["act"] == self.0).then(|| Verdict {
            decision: Decision::Deny,
            rule: format!("test.{}", self.0),
            to_model: crate::Message::new("denied"),
            to_operator: String::new(),
        })
    }
}

struct Rewrites;
impl Hook for Rewrites {
    fn name(&self) -> &str {
        "rewrites"
    }
    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        let reply = match call.arguments()["act"].as_str().unwrap() {
            "change" => HookReply::Change { arguments: json!({"act": "changed"}), note: None },
            "smuggle" => HookReply::Change { arguments: json!({"act": "forbidden"}), note: None },
            "break" => HookReply::Change { arguments: json!({"act": 5, "more": 1}), note: None },
            "block" => HookReply::Block("not today".into()),
            _ => HookReply::Continue,
        };
        Box::pin(async { reply })
    }
    fn after<'a>(&'a self, _call: &'a CheckedCall, result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { result.success.then(|| "linted".to_owned()) })
    }
}

#[tokio::test]
async fn what_a_hook_changes_is_validated_and_judged_again() {
    let guards: [Arc<dyn Guard>; 2] = [Arc::new(Denies("forbidden")), Arc::new(Denies("never"))];
    let [one, two] = guards;
    let gate = Gate::builder(registry(|spec| spec)).guard(one).guard(two).hook(Arc::new(Rewrites)).build();
    for (act, code, output) in [
        ("plain", None, "plain\nlinted"),
        ("change", None, "changed\nlinted"),
        ("smuggle", Some("test.forbidden"), ""),
        ("forbidden", Some("test.forbidden"), ""),
        ("break", Some("invalid_arguments"), ""),
        ("block", Some("hook.rewrites"), ""),
    ] {
        let result = run(&gate, act).await;
        assert_eq!((result.code.as_deref(), result.output.as_str()), (code, output), "{act}");
    }
}

#[tokio::test]
async fn every_shape_has_its_documented_form() {
    let gate = Gate::builder(registry(|spec| spec)).build();
    let (good, bad) = (run(&gate, "hi").await, run(&gate, "fail").await);
    let error = "tool-failed(reason=exit 1)";
    for (shape, done, failed) in [
        (
            ToolsetName::Architect,
            json!({"success": true, "output": "hi", "error": null}),
            json!({"success": false, "output": "3 tests failed", "error": error}),
        ),
        (
            ToolsetName::Bots,
            json!({"success": true, "content": "hi"}),
            json!({"success": false, "content": format!("{error}\n3 tests failed")}),
        ),
        (ToolsetName::Picoclaw, json!("hi"), json!({"error": format!("{error}\n3 tests failed")})),
        (
            ToolsetName::Contracts,
            json!({"name": "act", "input": {"act": "hi"}, "output": "hi"}),
            json!({"name": "act", "input": {"act": "fail"}, "error": format!("{error}\n3 tests failed")}),
        ),
    ] {
        assert_eq!((good.to_json(shape), bad.to_json(shape)), (done, failed), "{shape:?}");
    }
}
