//! Many runs under one budget.

use crate::script::{Scripted, Stage};
use futures_util::StreamExt as _;
use futures_util::stream;
use palanca_agent::{Allowance, Ledger, StopReason};
use palanca_core::CallId;
use palanca_models::{EventStream, Message, Model, ModelEvent, ModelRequest, Stop, ToolCall, Usage};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reads what it is sent, at four bytes a token, writes all that it may, and always wants to go on.
struct Greedy {
    calls: AtomicU64,
    used: AtomicU64,
}

impl Model for Greedy {
    fn name(&self) -> &'static str {
        "openai:gpt-4o"
    }

    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a> {
        let read = |message: &Message| serde_json::to_string(message).unwrap().len() as u64 / 4;
        let input = request.messages.iter().map(read).sum();
        let output = request.max_output_tokens.map_or(u64::MAX / 2, u64::from);
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        self.used.fetch_add(input + output, Ordering::SeqCst);
        let call = ToolCall {
            id: CallId::new(number.to_string()),
            name: "read_file".into(),
            arguments: format!(r#"{{"path": "{number}"}}"#),
        };
        let events = [
            ModelEvent::ToolCall(call),
            ModelEvent::Usage(Usage { input, output, ..Usage::default() }),
            ModelEvent::Done { stop: Stop::ToolCalls },
        ];
        // Others have their turn between question and answer.
        let later = stream::once(tokio::task::yield_now()).filter_map(|()| async { None });
        later.chain(stream::iter(events.map(Ok))).boxed()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_agents_never_use_more_than_their_one_budget() {
    const LIMIT: u64 = 300_000;
    let root = Ledger::root(Allowance { tokens: Some(LIMIT), ..Allowance::default() });
    let model = Arc::new(Greedy { calls: AtomicU64::new(0), used: AtomicU64::new(0) });
    let runs = (0..100).map(|_| {
        let (model, root) = (Arc::clone(&model), root.clone());
        tokio::spawn(async move {
            let mut stage = Stage::new().max_steps(0);
            stage.settings.ledger = Some(root.child(Allowance { tokens: Some(50_000), ..Allowance::default() }));
            stage.settings.limits.max_output_tokens = Some(500);
            let (ended, _) = stage.run_any(&*model).await;
            (ended.report.stop_reason, ended.report.costs.map_or(0, |costs| costs.total_tokens))
        })
    });
    let mut sum = 0;
    for run in runs.collect::<Vec<_>>() {
        let (reason, used) = run.await.unwrap();
        assert_eq!(reason, StopReason::TokenLimit);
        assert!(used <= 50_000);
        sum += used;
    }
    assert_eq!((root.spent().total_tokens, model.used.load(Ordering::SeqCst)), (sum, sum));
    assert_eq!((root.reserved_tokens(), u64::from(root.calls())), (0, model.calls.load(Ordering::SeqCst)));
    assert!(sum <= LIMIT && sum > LIMIT * 9 / 10, "{sum}");
}

#[tokio::test]
async fn a_session_that_goes_on_pays_with_what_it_has_left() {
    let model = Scripted::new([crate::script::Answer::Say("done")]);
    let mut stage = Stage::new();
    let first = Ledger::root(Allowance { tokens: Some(3000), ..Allowance::default() });
    stage.settings.ledger = Some(first.clone());
    stage.run(&model).await;
    assert_eq!(first.spent().total_tokens, 1100);
    let kept = serde_json::to_string(&first.spent()).unwrap();
    let costs = serde_json::from_str(&kept).unwrap();
    let second = Ledger::going_on(*first.allowance(), costs, first.calls());
    stage.settings.ledger = Some(second);
    let (ended, _) = stage.run(&Scripted::new([crate::script::Answer::Say("again")])).await;
    let costs = ended.report.costs.unwrap();
    assert_eq!((costs.total_tokens, ended.report.steps), (2200, 1));
    assert!((costs.total_cost_usd.unwrap() - 0.006).abs() < 1e-9);
}
