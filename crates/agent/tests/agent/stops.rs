//! Every way in which a run ends.

use crate::script::{Answer, Scripted, Stage, assert_whole, call, one, results};
use futures_util::future::BoxFuture;
use palanca_agent::{Status, StopReason};
use palanca_core::ports::{Answer as Reply, Asker, Question};
use palanca_models::{Message, ModelErrorKind};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

fn read(id: &str) -> Answer {
    one(id, "read_file", json!({"path": id}))
}

/// The closing request: it has no tools and ends with the instruction.
fn closing(model: &Scripted) -> Option<String> {
    let last = model.asked().pop()?;
    match last.messages.last()? {
        Message::User { text, .. } if text.starts_with("[SYSTEM]") && last.tools.is_empty() => Some(text.clone()),
        _ => None,
    }
}

#[tokio::test]
async fn the_model_is_done() {
    let stage = Stage::new();
    let model = Scripted::new([read("a"), Answer::Say("All is well.")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Success, StopReason::LlmDone));
    assert_eq!((ended.report.output.as_str(), ended.report.steps), ("All is well.", 2));
    assert!(ended.error.is_none());
    assert_whole(history.messages());
    assert_eq!(results(history.messages()), ["content of a"]);
}

#[tokio::test]
async fn steps_run_out_and_the_model_sums_up() {
    let stage = Stage::new().max_steps(2);
    let model = Scripted::new([read("a"), read("b"), Answer::Say("Read a and b.")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::MaxSteps));
    assert_eq!((ended.report.output.as_str(), ended.report.steps), ("Read a and b.", 2));
    assert!(closing(&model).unwrap().contains("limit of steps"));
    assert!(ended.report.costs.unwrap().by_source.summary.is_some());
    assert_whole(history.messages());
}

#[tokio::test]
async fn last_words_are_paid_for_and_named() {
    let stage = Stage::new().max_steps(2);
    let (ended, _) = stage.run(&Scripted::new([read("a"), read("b"), Answer::Say("Read a and b.")])).await;
    let costs = ended.report.costs.unwrap();
    let (agent, summary) = (costs.by_source.agent.unwrap(), costs.by_source.summary.unwrap());
    assert!(agent > 0.0 && summary > 0.0, "{agent} {summary}");
    assert!((costs.total_cost_usd.unwrap() - agent - summary).abs() < 1e-12, "{costs:?}");
}

#[tokio::test]
async fn a_server_that_was_never_reached_costs_nothing() {
    for kind in [ModelErrorKind::Unreachable, ModelErrorKind::Timeout, ModelErrorKind::Auth] {
        let stage = Stage::new().limits(|limits| limits.budget_usd = Some(1.0));
        let (ended, _) = stage.run(&Scripted::new([Answer::Fail(kind)])).await;
        assert_eq!(ended.report.stop_reason, StopReason::LlmError);
        let costs = ended.report.costs.unwrap_or_default();
        assert_eq!((costs.total_tokens, costs.total_cost_usd.unwrap_or(0.0)), (0, 0.0), "{kind:?}");
    }
}

#[tokio::test]
async fn no_limit_of_steps_is_zero() {
    let stage = Stage::new().max_steps(0);
    let answers = (0..60).map(|number| read(&number.to_string())).chain([Answer::Say("done")]);
    let (ended, _) = stage.run(&Scripted::new(answers)).await;
    assert_eq!((ended.report.stop_reason, ended.report.steps), (StopReason::LlmDone, 61));
}

#[tokio::test]
async fn a_call_that_cost_more_than_was_left_is_entered_and_nothing_follows() {
    // 600 · 2.5 + 400 · 1.25 + 100 · 10 dollars a million: 0.003 a call, which nobody could foresee of the first one.
    let stage = Stage::new().limits(|limits| {
        limits.budget_usd = Some(0.002);
        limits.warn_at_usd = Some(0.001);
    });
    let model = Scripted::new([read("a"), Answer::Say("never")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::BudgetExceeded));
    assert_eq!(model.asked().len(), 1, "no last words are bought");
    assert!(stage.ran.lock().unwrap().is_empty(), "calls over budget are not run");
    assert!((ended.report.cost.unwrap() - 0.003).abs() < 1e-9);
    assert_whole(history.messages());
    assert!(results(history.messages())[0].contains("agent-reason-budget"), "{:?}", results(history.messages()));
    let warnings = stage.watch.notices();
    assert_eq!(warnings.iter().filter(|line| line.starts_with("agent-budget-warning")).count(), 1);
}

#[tokio::test]
async fn what_the_budget_does_not_pay_for_is_not_asked() {
    let stage = Stage::new().limits(|limits| limits.budget_usd = Some(0.005));
    let model = Scripted::new([read("a"), read("b"), Answer::Say("never")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.steps), (StopReason::BudgetExceeded, 1));
    assert_eq!(*stage.ran.lock().unwrap(), ["a"]);
    assert!((ended.report.cost.unwrap() - 0.003).abs() < 1e-9);
    assert_whole(history.messages());
    let why = "agent-over-dollars(limit=0.005, spent=0.0030, needed=1";
    assert!(stage.watch.notices().last().unwrap().starts_with(why), "{:?}", stage.watch.notices());
    assert!(ended.report.output.contains(why), "{}", ended.report.output);
}

#[tokio::test]
async fn a_model_without_price_is_not_asked_under_a_budget() {
    let stage = Stage::new().limits(|limits| limits.budget_usd = Some(1.0));
    let model = Scripted::new([Answer::Say("never")]).named("openai:gpt-99");
    let (ended, _) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.steps), (StopReason::BudgetExceeded, 0));
    assert!(model.asked().is_empty() && ended.report.costs.is_none());
    assert_eq!(stage.watch.notices(), ["agent-price-unknown(model=openai:gpt-99)", "agent-over-unpriced(limit=1)"]);
}

#[tokio::test]
async fn an_unknown_price_is_said_once() {
    let stage = Stage::new();
    let model = Scripted::new([read("a"), Answer::Say("done")]).named("openai:gpt-99");
    stage.run(&model).await;
    assert_eq!(stage.watch.notices(), ["agent-price-unknown(model=openai:gpt-99)"]);
}

#[tokio::test]
async fn the_token_limit() {
    let stage = Stage::new().limits(|limits| limits.max_total_tokens = Some(2000));
    let model = Scripted::new([read("a"), read("b"), Answer::Say("never")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::TokenLimit));
    assert_eq!(serde_json::to_value(&ended.report).unwrap()["stop_reason"], "budget_exceeded");
    assert_eq!(model.asked().len(), 1, "the second request alone would be more than what is left");
    assert_eq!(ended.report.costs.unwrap().total_tokens, 1100);
    assert_whole(history.messages());
    let asked = model.asked()[0].max_output_tokens.unwrap();
    assert!((1500..2000).contains(&asked), "the model may write what is left: {asked}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_hangs_cannot_outlive_the_run() {
    let stage = Stage::new().limits(|limits| limits.timeout = Some(Duration::from_secs(60)));
    let model = Scripted::new([
        Answer::Call("", vec![call("1", "read_file", json!({"path": "a"})), call("2", "hang", json!({}))]),
        Answer::Say("The second one hung."),
    ]);
    let start = tokio::time::Instant::now();
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::Timeout));
    assert_eq!(ended.report.output, "The second one hung.");
    assert!(start.elapsed() <= Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(start.elapsed() >= Duration::from_secs(54));
    assert!(closing(&model).unwrap().contains("time for this run"));
    assert_whole(history.messages());
    assert_eq!(results(history.messages()), ["content of a", "Error: tool-cancelled(tool=hang)"]);
}

#[tokio::test(start_paused = true)]
async fn last_words_also_where_gate_and_run_share_a_token() {
    let mut stage = Stage::new().limits(|limits| limits.timeout = Some(Duration::from_secs(60)));
    stage.gate_cancel = Some(stage.cancel.clone());
    let model = Scripted::new([one("1", "hang", json!({})), Answer::Say("It hung.")]);
    let (ended, _) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::Timeout, "It hung."));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_hangs_cannot_outlive_the_run() {
    let stage = Stage::new().limits(|limits| limits.timeout = Some(Duration::from_secs(60)));
    let model = Scripted::new([Answer::Hang("I begin")]);
    let start = tokio::time::Instant::now();
    let (ended, history) = stage.run(&model).await;
    assert_eq!(ended.report.stop_reason, StopReason::Timeout);
    assert_eq!(ended.report.output, "I begin", "what was said is not lost");
    assert_eq!(start.elapsed().as_secs(), 60);
    assert_eq!(model.asked().len(), 1, "a model that hangs is not asked for last words");
    assert_eq!(history.messages().last().unwrap(), &Message::assistant("I begin"));
}

#[tokio::test(start_paused = true)]
async fn doors_prepare_while_a_model_thinks_that_is_offered_tools() {
    let stage = Stage::new().limits(|limits| limits.timeout = Some(Duration::from_secs(60)));
    stage.run(&Scripted::new([read("a"), Answer::Say("at once")])).await;
    assert_eq!(stage.processes.looks_ahead(), 0, "there is no time for it");
    stage.run(&Scripted::new([read("a"), Answer::Hang("I think")])).await;
    assert_eq!(stage.processes.looks_ahead(), 1);

    let stage = Stage::new().max_steps(1).limits(|limits| limits.timeout = Some(Duration::from_secs(60)));
    stage.run(&Scripted::new([read("a"), Answer::Hang("My last words")])).await;
    assert_eq!(stage.processes.looks_ahead(), 0, "nothing was offered");
}

#[tokio::test(start_paused = true)]
async fn time_is_checked_between_steps() {
    let stage = Stage::new().limits(|limits| limits.timeout = Some(Duration::from_secs(10)));
    let slow = || one("s", "slow", json!({"ms": 4000}));
    let model = Scripted::new([slow(), slow(), slow(), Answer::Say("Slow.")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::Timeout, "Slow."));
    assert!(ended.report.duration_seconds < 10.0);
    assert_whole(history.messages());
}

#[tokio::test]
async fn an_interrupt_in_the_middle_of_a_batch_leaves_nothing_open() {
    let mut stage = Stage::new();
    stage.settings.limits.parallel = 1;
    let model = Scripted::new([
        Answer::Call(
            "Working.",
            vec![
                call("1", "read_file", json!({"path": "a"})),
                call("2", "interrupt", json!({})),
                call("3", "write_file", json!({})),
            ],
        ),
        Answer::Say("never"),
    ]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::UserInterrupt));
    assert_eq!((model.asked().len(), ended.report.output.as_str()), (1, "Working."));
    assert_eq!(*stage.ran.lock().unwrap(), ["a"]);
    assert_whole(history.messages());
    assert_eq!(
        results(history.messages()),
        [
            "content of a",
            "Error: tool-cancelled(tool=interrupt)",
            "Error: agent-call-not-run(reason=agent-reason-user-interrupt)",
        ]
    );
}

#[tokio::test]
async fn an_interrupt_before_the_first_step() {
    let stage = Stage::new();
    stage.cancel.cancel();
    let model = Scripted::new([Answer::Say("never")]);
    let (ended, _) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.steps), (StopReason::UserInterrupt, 0));
    assert!(model.asked().is_empty());
    assert_eq!(ended.report.output, "agent-stopped(reason=agent-reason-user-interrupt)");
    assert!(ended.report.costs.is_none());
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_while_the_model_speaks() {
    let stage = Stage::new();
    let cancel = stage.cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cancel.cancel();
    });
    let model = Scripted::new([Answer::Hang("Half a")]);
    let (ended, _) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::UserInterrupt, "Half a"));
}

struct Aborter;

impl Asker for Aborter {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Reply>> {
        Box::pin(async { Some(Reply::Abort) })
    }
}

#[tokio::test]
async fn a_person_who_aborts_ends_the_run_and_the_other_calls() {
    let mut stage = Stage::new();
    stage.asker = Some(Arc::new(Aborter));
    let model = Scripted::new([
        Answer::Call(
            "",
            vec![
                call("1", "hang", json!({})),
                call("2", "ask", json!({})),
                call("3", "hang", json!({})),
                call("4", "hang", json!({})),
                call("5", "write_file", json!({})),
            ],
        ),
        Answer::Say("never"),
    ]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::Aborted));
    assert_eq!(model.asked().len(), 1);
    assert!(stage.ran.lock().unwrap().is_empty());
    assert_whole(history.messages());
}

#[tokio::test]
async fn a_missing_terminal_is_a_result_that_the_model_reads() {
    let stage = Stage::new();
    let model = Scripted::new([one("1", "ask", json!({})), Answer::Say("I could not.")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
    assert!(results(history.messages())[0].contains("confirm-no-terminal"));
    assert!(!ended.report.tools_used[0].success);
}

#[tokio::test]
async fn a_model_that_cannot_be_used_fails_the_run() {
    for kind in [
        ModelErrorKind::Auth,
        ModelErrorKind::Unreachable,
        ModelErrorKind::Timeout,
        ModelErrorKind::Malformed,
        ModelErrorKind::ReplayEnded,
    ] {
        let stage = Stage::new();
        let model = Scripted::new([read("a"), Answer::Fail(kind)]);
        let (ended, history) = stage.run(&model).await;
        assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Failed, StopReason::LlmError));
        assert_eq!(ended.error.unwrap().kind(), kind);
        assert!(ended.report.output.starts_with("agent-model-failed"), "{}", ended.report.output);
        assert_whole(history.messages());
    }
}

#[tokio::test]
async fn a_context_that_cannot_be_made_to_fit() {
    let stage = Stage::new().context(500, 0);
    let model = Scripted::new([one("1", "lines", json!({"count": 400})), Answer::Say("Too long for me.")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::ContextFull));
    assert_eq!(ended.report.output, "Too long for me.");
    assert!(closing(&model).unwrap().contains("context"));
    assert_whole(history.messages());
}

#[tokio::test]
async fn a_server_that_wants_tools_described_gets_them_for_the_last_words() {
    let stage = Stage::new().max_steps(1);
    let model = Scripted::new([read("a"), Answer::Fail(ModelErrorKind::BadRequest), Answer::Say("Read a.")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::MaxSteps, "Read a."));
    let offered: Vec<bool> = model.asked().iter().map(|asked| !asked.tools.is_empty()).collect();
    assert_eq!(offered, [true, false, true]);
    assert_whole(history.messages());
}

#[tokio::test]
async fn last_words_that_fail_leave_what_was_said_before() {
    let stage = Stage::new().max_steps(1);
    let model = Scripted::new([
        Answer::Call("Reading.", vec![call("1", "read_file", json!({"path": "a"}))]),
        Answer::Fail(ModelErrorKind::ServerError),
    ]);
    let (ended, _) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::MaxSteps, "Reading."));
    assert!(ended.error.is_none());
    assert!(stage.watch.notices().iter().any(|notice| notice.starts_with("agent-closing-failed")));
}

#[test]
fn a_run_can_move_between_threads() {
    fn sendable<T: Send>(_: &T) {}
    let stage = Stage::new();
    let model = Scripted::new([]);
    sendable(&stage.run(&model));
}
