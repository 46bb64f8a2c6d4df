//! Calls whose caller goes, and calls that are cancelled alone, at every moment of their way.

use super::*;
use crate::Message;
use crate::call::Outcome;
use crate::gate::CallOrder;
use crate::ports::{Pending, Questions, RuleDraft, Ruling};
use std::collections::HashMap;

/// How often a call was begun and settled.
#[derive(Default)]
struct Shares(Mutex<HashMap<String, (u8, u8)>>);

impl Guard for Shares {
    fn judge(&self, _: &CheckedCall) -> Option<Verdict> {
        None
    }
    fn begin(&self, call: &CheckedCall) -> Option<Verdict> {
        self.0.lock().unwrap().entry(call.id().to_string()).or_default().0 += 1;
        None
    }
    fn settle(&self, call: &CheckedCall, _: &Outcome) -> Option<Message> {
        self.0.lock().unwrap().entry(call.id().to_string()).or_default().1 += 1;
        None
    }
}

/// Takes its time before and after a call.
struct Yields;
impl Hook for Yields {
    fn name(&self) -> &str {
        "yields"
    }
    fn before<'a>(&'a self, _: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async {
            tokio::task::yield_now().await;
            HookReply::Continue
        })
    }
    fn after<'a>(&'a self, _: &'a CheckedCall, _: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async {
            tokio::task::yield_now().await;
            None
        })
    }
}

/// Answers after a while.
struct Hesitates;
impl Asker for Hesitates {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }
    fn ask<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(async {
            tokio::task::yield_now().await;
            Some(Answer::Yes)
        })
    }
}

#[derive(Default)]
struct Counts(Mutex<HashMap<String, Vec<String>>>);
impl Recorder for Counts {
    fn record(&self, record: &Record<'_>) {
        self.0.lock().unwrap().entry(record.call.to_owned()).or_default().push(record.outcome.name().to_owned());
    }
}

async fn after(yields: usize) {
    for _ in 0..yields {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn whenever_its_caller_goes_a_call_is_settled_and_recorded_once() {
    go_at_every_moment(1_000).await;
}

mod stress {
    #[tokio::test]
    #[ignore = "cargo xtask stress"]
    async fn whenever_its_caller_goes_a_call_is_settled_and_recorded_once() {
        super::go_at_every_moment(100_000).await;
    }
}

async fn go_at_every_moment(calls: usize) {
    let (shares, counts) = (Arc::new(Shares::default()), Arc::new(Counts::default()));
    let gate = Gate::builder(registry(|spec| spec))
        .guard(shares.clone())
        .hook(Arc::new(Yields))
        .asker(Arc::new(Hesitates))
        .mode(ConfirmMode::ConfirmAll)
        .recorder(counts.clone())
        .build();
    let tools = tools(&gate);
    let (mut ended, mut gone, mut stopped) = (0, 0, 0);
    for number in 0..calls {
        let call = Call { id: CallId::new(number.to_string()), ..call("slow") };
        let moment = number % 14;
        if number % 2 == 0 {
            tokio::select! {
                biased;
                result = gate.submit(&tools, call) => ended += usize::from(result.success),
                () = after(moment) => gone += 1,
            }
        } else {
            let cancel = Cancel::new();
            let ticket = CallOrder::new().ticket().cancelled_by(cancel.clone());
            let cancelling = async {
                after(moment).await;
                cancel.cancel();
            };
            let (result, ()) = tokio::join!(gate.submit_in_order(ticket, &tools, call), cancelling);
            match result.success {
                true => ended += 1,
                false => stopped += 1,
            }
        }
    }
    assert!(ended > calls / 10 && gone > calls / 10 && stopped > calls / 10, "{ended} {gone} {stopped}");
    let counts = counts.0.lock().unwrap();
    assert_eq!(counts.len(), calls);
    assert!(counts.values().all(|outcomes| outcomes.len() == 1));
    assert!(shares.0.lock().unwrap().values().all(|(begun, settled)| *begun <= 1 && *settled == 1));
    let done = counts.values().flatten().filter(|outcome| *outcome == "done").count();
    assert!(done >= ended, "{done} {ended}");
}

/// What became of questions.
#[derive(Default)]
struct Settled(Mutex<Vec<Answer>>);
impl Questions for Settled {
    fn open(&self, _: &mut Question) -> Pending<Result<(), Message>> {
        Pending::now(Ok(()))
    }
    fn ruled(&self, _: &Question) -> Pending<Result<Option<Ruling>, Message>> {
        Pending::now(Ok(None))
    }
    fn ruling<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Ruling> {
        Box::pin(std::future::pending())
    }
    fn spend(&self, _: &Question) -> Pending<Result<(), Message>> {
        Pending::now(Ok(()))
    }
    fn remember(&self, _: &RuleDraft, _: &Question) -> Pending<Result<(), Message>> {
        Pending::now(Ok(()))
    }
    fn settle(&self, _: &Question, answer: Answer) -> Pending<Result<Ruling, Message>> {
        self.0.lock().unwrap().push(answer.clone());
        Pending::now(Ok(Ruling::Answered(answer)))
    }
}

#[tokio::test]
async fn a_question_whose_caller_goes_is_taken_back() {
    let questions = Arc::new(Settled::default());
    let gate = Gate::builder(registry(|spec| spec))
        .asker(Arc::new(Hesitates))
        .questions(questions.clone())
        .mode(ConfirmMode::ConfirmAll)
        .build();
    let tools = tools(&gate);
    tokio::select! {
        biased;
        _ = gate.submit(&tools, call("slow")) => panic!("it waits"),
        () = after(0) => {}
    }
    assert_eq!(*questions.0.lock().unwrap(), [Answer::Abort]);
    assert!(gate.submit(&tools, call("slow")).await.success);
    assert_eq!(*questions.0.lock().unwrap(), [Answer::Abort, Answer::Yes]);
}

#[tokio::test]
async fn a_call_is_cancelled_alone() {
    let gate = Gate::builder(registry(|spec| spec)).build();
    let (tools, cancel, order) = (tools(&gate), Cancel::new(), CallOrder::new());
    let first = gate.submit_in_order(order.ticket().cancelled_by(cancel.clone()), &tools, call("hang"));
    let second = gate.submit_in_order(order.ticket(), &tools, call("slow"));
    let ((), first, second) = tokio::join!(async { cancel.cancel() }, first, second);
    assert_eq!((first.outcome.name(), first.code.as_deref()), ("stopped", Some("cancelled")));
    assert!(second.success && !gate.cancel().is_cancelled());
}
