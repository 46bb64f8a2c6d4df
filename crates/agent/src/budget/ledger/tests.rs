#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_models::Price;
use proptest::prelude::*;

const PRICE: Lookup = Lookup::Known(Price::new(2.5, 10.0));

fn estimate(input: u64, least_output: u64, most_output: u64) -> RequestEstimate {
    RequestEstimate { input, least_output, most_output, price: PRICE }
}

fn usage(input: u64, output: u64) -> Usage {
    Usage { input, output, ..Usage::default() }
}

fn tokens(limit: u64) -> Allowance {
    Allowance { tokens: Some(limit), ..Allowance::default() }
}

fn why(reserved: Result<Reservation, Over>) -> (Limited, Lasting) {
    let over = reserved.unwrap_err();
    (over.what, over.lasting)
}

#[test]
fn an_answer_is_granted_what_is_left() {
    let ledger = Ledger::root(tokens(1000));
    let first = ledger.reserve(&estimate(100, 10, 500)).unwrap();
    assert_eq!((first.output(), ledger.reserved_tokens(), ledger.tokens_left()), (Some(500), 600, Some(400)));
    let second = ledger.reserve(&estimate(100, 10, 500)).unwrap();
    assert_eq!((second.output(), ledger.reserved_tokens()), (Some(300), 1000));
    assert_eq!(why(ledger.reserve(&estimate(0, 1, 1))), (Limited::Tokens, Lasting::UntilOthersSettle));
    second.settle(Source::Agent, &usage(100, 300), Some(0.001));
    drop(first);
    assert_eq!((ledger.reserved_tokens(), ledger.tokens_left(), ledger.calls()), (0, Some(600), 1));
    assert_eq!(why(ledger.reserve(&estimate(500, 101, 101))), (Limited::Tokens, Lasting::ForGood));
}

#[test]
fn nothing_limits_an_answer_where_there_is_no_limit() {
    let ledger = Ledger::default();
    let reserved = ledger.child(Allowance::default()).reserve(&estimate(100, 10, 500)).unwrap();
    assert_eq!((reserved.output(), ledger.reserved_tokens(), ledger.tokens_left()), (None, 100, None));
}

#[test]
fn a_child_is_limited_by_all_above_it_and_they_know_what_it_used() {
    let root = Ledger::root(tokens(1000));
    let child = root.child(tokens(400)).child(Allowance::default());
    let reserved = child.reserve(&estimate(100, 10, 500)).unwrap();
    assert_eq!((reserved.output(), root.reserved_tokens()), (Some(300), 400));
    reserved.settle(Source::Summary, &usage(90, 30), Some(0.5));
    let (above, own) = (root.spent(), child.spent());
    assert_eq!((above.total_tokens, own.total_tokens, root.reserved_tokens()), (120, 120, 0));
    assert_eq!((own.by_source.summary, own.by_source.subagent), (Some(0.5), None));
    assert_eq!((above.by_source.summary, above.by_source.subagent), (None, Some(0.5)));
    drop(root.reserve(&estimate(800, 10, 10)).unwrap());
    assert_eq!(why(child.reserve(&estimate(280, 1, 1))), (Limited::Tokens, Lasting::ForGood));
}

#[test]
fn dollars_buy_tokens() {
    let ledger = Ledger::root(Allowance { dollars: Some(0.01), ..Allowance::default() });
    // 1000 · 2.5 + 750 · 10 dollars a million.
    let reserved = ledger.reserve(&estimate(1000, 10, 5000)).unwrap();
    assert_eq!(reserved.output(), Some(749), "never a token more than the money buys");
    reserved.settle(Source::Agent, &usage(1000, 100), Some(0.0035));
    assert!((ledger.spent().total_cost_usd.unwrap() - 0.0035).abs() < 1e-12);
    assert_eq!(why(ledger.reserve(&estimate(2600, 1, 1))), (Limited::Dollars, Lasting::ForGood));
    let unpriced = RequestEstimate { price: Lookup::Unknown, ..estimate(1, 1, 1) };
    assert_eq!(why(ledger.reserve(&unpriced)), (Limited::Price, Lasting::ForGood));
    let free = RequestEstimate { price: Lookup::Known(Price::FREE), ..estimate(1 << 40, 1, 9) };
    assert_eq!(ledger.reserve(&free).unwrap().output(), None);
}

#[test]
fn what_was_used_before_counts() {
    let before = Costs { total_tokens: 990, total_input_tokens: 990, total_cost_usd: Some(0.2), ..Costs::default() };
    let ledger = Ledger::going_on(tokens(1000), before, 7);
    assert_eq!((ledger.tokens_left(), ledger.calls(), ledger.overspent()), (Some(10), 7, None));
    let reserved = ledger.reserve(&estimate(5, 5, 50)).unwrap();
    assert_eq!(reserved.output(), Some(5));
    reserved.settle(Source::Agent, &usage(50, 5), None);
    assert_eq!(
        (ledger.spent().total_tokens, ledger.overspent()),
        (1045, Some(Limited::Tokens)),
        "the truth is entered"
    );
    assert_eq!(ledger.child(Allowance::default()).overspent(), Some(Limited::Tokens));
}

#[test]
fn calls_are_limited() {
    let ledger = Ledger::root(Allowance { calls: Some(2), ..Allowance::default() });
    let first = ledger.reserve(&estimate(1, 1, 1)).unwrap();
    let second = ledger.reserve(&estimate(1, 1, 1)).unwrap();
    assert_eq!(why(ledger.reserve(&estimate(1, 1, 1))), (Limited::Calls, Lasting::UntilOthersSettle));
    drop(first);
    second.settle(Source::Agent, &usage(1, 1), None);
    ledger.reserve(&estimate(1, 1, 1)).unwrap().settle(Source::Agent, &usage(1, 1), None);
    assert_eq!(why(ledger.reserve(&estimate(1, 1, 1))), (Limited::Calls, Lasting::ForGood));
}

#[tokio::test(start_paused = true)]
async fn a_child_never_has_more_time() {
    let now = Instant::now();
    let within = |seconds| Allowance { deadline: Some(now + Duration::from_secs(seconds)), ..Allowance::default() };
    let root = Ledger::root(within(10));
    assert_eq!(root.child(within(60)).time_left(), Some(Duration::from_secs(10)));
    assert_eq!(root.child(within(5)).time_left(), Some(Duration::from_secs(5)));
    assert_eq!(root.child(Allowance::default()).time_left(), Some(Duration::from_secs(10)));
    tokio::time::advance(Duration::from_secs(6)).await;
    assert_eq!(why(root.child(within(5)).reserve(&estimate(1, 1, 1))), (Limited::Time, Lasting::ForGood));
    assert!(root.reserve(&estimate(1, 1, 1)).is_ok());
}

#[tokio::test]
async fn one_who_waits_gets_what_others_give_back() {
    let ledger = Ledger::root(tokens(100));
    let all = ledger.reserve(&estimate(0, 100, 100)).unwrap();
    let waiting = tokio::spawn({
        let child = ledger.child(Allowance::default());
        async move { child.reserve_in_turn(&estimate(0, 80, 80)).await.map(|reserved| reserved.output()) }
    });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    all.settle(Source::Agent, &usage(0, 20), None);
    assert_eq!(waiting.await.unwrap(), Ok(Some(80)));
    let over = ledger.reserve_in_turn(&estimate(0, 81, 81)).await.unwrap_err();
    assert_eq!(over.message().to_string(), "agent-over-tokens(limit=100, left=80, needed=81)");
}

/// Some spend all that they were allowed, some less, some give up; accounts lie up to three deep.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_at_once_never_pass_one_limit() {
    const LIMIT: u64 = 200_000;
    let root = Ledger::root(tokens(LIMIT));
    let tasks = (0..100_u64).map(|task| {
        let team = root.child(tokens(60_000));
        let above = root.clone();
        let own = if task % 2 == 0 { team.child(Allowance::default()) } else { team };
        tokio::spawn(async move {
            for turn in 0..100_u64 {
                let Ok(reserved) = own.reserve_in_turn(&estimate(50 + task, 64, 900)).await else { return own };
                assert!(above.account().tokens() <= LIMIT);
                tokio::task::yield_now().await;
                let allowed = reserved.output().unwrap();
                match (task + turn) % 3 {
                    0 => drop(reserved),
                    1 => reserved.settle(Source::Agent, &usage(50 + task, allowed), None),
                    _ => reserved.settle(Source::Agent, &usage(40, allowed / 3), None),
                }
            }
            own
        })
    });
    let mut sum = 0;
    for task in tasks.collect::<Vec<_>>() {
        let own = task.await.unwrap();
        sum += own.spent().total_tokens;
        assert_eq!(own.reserved_tokens(), 0);
    }
    assert_eq!((root.spent().total_tokens, root.reserved_tokens()), (sum, 0));
    assert!(sum <= LIMIT && sum > LIMIT - 2000, "{sum}");
}

proptest! {
    #[test]
    fn no_order_of_events_passes_a_limit_or_leaves_something_set_aside(
        steps in proptest::collection::vec((0..4_usize, 0..300_u64, 0..400_u64, 0..3_u8), 1..80),
        limits in proptest::collection::vec(proptest::option::of(0..4000_u64), 4),
        dollars in proptest::option::of(0.0..0.02_f64),
    ) {
        let allowance = |at: usize| Allowance { tokens: limits[at], ..Allowance::default() };
        let root = Ledger::root(Allowance { dollars, ..allowance(0) });
        let left = root.child(allowance(1));
        let accounts = [left.child(allowance(2)), root.child(allowance(3)), left, root];
        let mut open = Vec::new();
        for (at, input, output, then) in steps {
            if let Ok(reserved) = accounts[at].reserve(&estimate(input, 1, output.max(1))) {
                open.push((reserved, input, output.max(1), then));
            }
            for account in &accounts {
                let (allowance, account) = (account.allowance(), account.account());
                prop_assert!(allowance.tokens.is_none_or(|limit| account.tokens() <= limit));
                let limit = allowance.dollars.map(Picodollars::of_limit);
                prop_assert!(limit.is_none_or(|limit| account.money_and_held() <= limit), "{:?} {:?}", limit, account);
            }
            if open.len() > 3 || then == 0 {
                let Some((reserved, input, most, then)) = open.pop() else { continue };
                let output = reserved.output().unwrap_or(most);
                prop_assert!(output <= most);
                let price = Price::new(2.5, 10.0);
                let usage = usage(input, output);
                if then < 2 {
                    reserved.settle(Source::Agent, &usage, Some(price.cost(&usage)));
                }
            }
        }
        drop(open);
        for account in &accounts {
            prop_assert_eq!(account.account().held, Held::default());
        }
    }
}
