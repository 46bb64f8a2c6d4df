//! Where a call's time went.

use super::*;
use crate::call::{Phase, Timing};
use crate::gate::CallOrder;

/// A clock that moves while a person thinks, and by a hook's own time.
#[derive(Default)]
struct Clockwork {
    now: Mutex<Duration>,
    before: Duration,
    after: Duration,
}

impl Clockwork {
    fn moves(&self, time: Duration) {
        *self.now.lock().unwrap() += time;
    }
}

impl Clock for Clockwork {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    fn elapsed(&self) -> Duration {
        *self.now.lock().unwrap()
    }
}

impl Asker for Clockwork {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }
    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        self.moves(Duration::from_secs(60));
        Box::pin(async { Some(Answer::Yes) })
    }
}

impl Hook for Clockwork {
    fn name(&self) -> &str {
        "lint"
    }
    fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        self.moves(self.before);
        Box::pin(async { HookReply::Continue })
    }
    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        self.moves(self.after);
        Box::pin(async { None })
    }
}

fn timing(phase: Phase, name: Option<&str>, (from, took): (u64, u64)) -> Timing {
    Timing { phase, name: name.map(str::to_owned), from_us: from * 1000, took_us: took * 1000 }
}

#[tokio::test]
async fn a_result_says_where_its_time_went_and_nothing_of_what_took_none() {
    let millis = Duration::from_millis;
    let clock = Arc::new(Clockwork { before: millis(30), after: millis(7), ..Clockwork::default() });
    let gate = Gate::builder(registry(|spec| spec)).mode(ConfirmMode::ConfirmAll).hook(clock.clone());
    let result = run(&gate.asker(clock.clone()).clock(clock).build(), "hello").await;
    let spent = [
        timing(Phase::PreHook, Some("lint"), (0, 30)),
        timing(Phase::Question, Some("confirm.all"), (30, 60_000)),
        timing(Phase::PostHook, Some("lint"), (60_030, 7)),
    ];
    assert_eq!((result.timings, result.duration), (spent.to_vec(), millis(30)));

    let clock = Arc::new(Clockwork { before: Duration::from_micros(999), ..Clockwork::default() });
    let gate = Gate::builder(registry(|spec| spec)).hook(clock.clone()).clock(clock).build();
    assert_eq!(run(&gate, "hello").await.timings, []);
}

#[tokio::test]
async fn the_wait_for_an_earlier_call_is_part_of_it() {
    let clock = Arc::new(Clockwork::default());
    let gate = Gate::builder(registry(|spec| spec)).clock(clock.clone()).build();
    let (tools, order) = (tools(&gate), CallOrder::new());
    let (first, second) = (order.ticket(), order.ticket());
    let end_of_first = async {
        clock.moves(Duration::from_secs(5));
        drop(first);
    };
    let (result, ()) = tokio::join!(gate.submit_in_order(second, &tools, call("hello")), end_of_first);
    assert_eq!(result.timings, [timing(Phase::Order, None, (0, 5_000))]);
}
