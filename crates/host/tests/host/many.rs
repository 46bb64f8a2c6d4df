//! Many sessions of one agent.

use crate::house::{House, agent_of, asked, block_on, call, host_at, session};
use palanca_agent::session::Terms;
use palanca_config::Config;
use palanca_core::call::OutcomeKind;
use palanca_core::ports::{Answer, Asker, NoAsker, Question, SessionFilter, Sessions, wait};
use palanca_core::tool::Cancel;
use palanca_host::{Session, SessionSettings};
use parking_lot::Mutex;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

pub fn each_is_judged_as_if_it_were_alone() {
    let house = House::new();
    let agent = house.agent("work", |config| config.guardrails.max_files_modified = Some(1));
    block_on(async {
        let sessions: Vec<_> = (0..1_200).map(|_| session(&agent)).collect();
        for (number, one) in sessions.iter().enumerate() {
            let first = call(one, "write_file", json!({"path": format!("{number}.txt"), "content": "x"})).await;
            assert!(first.success, "{number}: {first:?}");
        }
        for one in &sessions {
            let second = call(one, "write_file", json!({"path": "more.txt", "content": "x"})).await;
            assert_eq!(second.outcome, OutcomeKind::Refused, "{second:?}");
        }
    });
}

pub fn one_that_was_let_go_begins_anew() {
    let house = House::new();
    let agent = house.agent("work", |config| config.guardrails.max_files_modified = Some(1));
    block_on(async {
        for round in 0..3 {
            let one = session(&agent);
            let written = call(&one, "write_file", json!({"path": format!("{round}.txt"), "content": "x"})).await;
            assert!(written.success, "{written:?}");
            one.leave();
        }
    });
    assert_eq!(house.heard.keys(), [""; 0]);
}

pub fn what_is_old_goes_and_what_is_worked_on_stays() {
    let house = House::new();
    let agent = house.agent("work", |config| config.sessions.cleanup_after_days = 0);
    let kept = || Session::new(&agent, SessionSettings::default()).unwrap();
    let terms = || Terms { workspace: "/w".to_owned(), ..Terms::default() };
    let (worked_on, over) = (kept(), kept());
    for one in [&worked_on, &over] {
        wait(one.kept().unwrap().begin("a task", terms(), None)).unwrap();
    }
    over.leave();
    std::thread::sleep(Duration::from_millis(2));
    let mut config = Config::default();
    config.sessions.cleanup_after_days = 0;
    let cancel = Cancel::new();
    cancel.cancel();
    block_on(house.host.keep_clean(&Arc::new(config.clone()), &cancel));
    let listed = house.host.database(&config).unwrap();
    let listed = wait(Sessions::sessions(&**listed, &SessionFilter::default())).unwrap();
    let left: Vec<_> = listed.into_iter().map(|kept| kept.began.scope.session).collect();
    assert_eq!(left, [worked_on.scope().session.clone()]);
    assert_eq!(house.heard.keys(), [""; 0]);
}

/// Says "always" with the widest rule that is offered.
#[derive(Default)]
struct Always(Mutex<u32>);

impl Asker for Always {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, question: &'a Question) -> futures_util::future::BoxFuture<'a, Option<Answer>> {
        *self.0.lock() += 1;
        let widest = question.drafts.last().unwrap().clone();
        Box::pin(async move { Some(Answer::Always(Box::new(widest))) })
    }
}

pub fn a_rule_holds_at_once_in_every_session_that_it_covers() {
    let house = House::new();
    let agent = house.agent("work", |_| ());
    let person = Arc::new(Always::default());
    let (first, second) = (asked(&agent, Arc::clone(&person) as _), asked(&agent, Arc::new(NoAsker)));
    // As another process has it.
    let (host, _) = host_at(house.path("state"));
    let third = asked(&agent_of(&host, house.path("work"), |_| ()), Arc::new(NoAsker));
    let write = json!({"path": "notes/a.txt", "content": "x"});
    block_on(async {
        for other in [&second, &third] {
            let refused = call(other, "write_file", write.clone()).await;
            assert_eq!(refused.outcome, OutcomeKind::Refused, "{refused:?}");
        }
        assert!(call(&first, "write_file", write.clone()).await.success);
        assert_eq!(*person.0.lock(), 1);
        for other in [&second, &third] {
            let allowed = call(other, "write_file", write.clone()).await;
            assert!(allowed.success, "{allowed:?}");
        }
        let elsewhere = call(&third, "write_file", json!({"path": "b.txt", "content": "x"})).await;
        assert_eq!(elsewhere.outcome, OutcomeKind::Refused, "not covered: {elsewhere:?}");
        // It is remembered for those that come later, too.
        let later = asked(&agent, Arc::new(NoAsker));
        assert!(call(&later, "write_file", write).await.success);
    });
}
