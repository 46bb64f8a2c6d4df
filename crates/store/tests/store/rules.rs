//! Rules that people made by answering.

use crate::home::{HOUR, Hides, Home, opened};
use palanca_core::call::{BotId, ChannelId, ChatId, Scope};
use palanca_core::message::Text;
use palanca_core::ports::{Answer, Lasts, Question, Questions as _, RuleDraft, wait};
use palanca_store::{Approvals as _, Revocation, Revoked, Which};
use std::sync::Arc;
use std::time::Duration;

fn draft(rule: &str, lasts: Lasts) -> RuleDraft {
    RuleDraft { rule: rule.to_owned(), words: Text::from(format!("whatever {rule} covers")), lasts }
}

fn day() -> Lasts {
    Lasts::For(24 * HOUR)
}

/// Lesson 2: durable rules expire, are listed with where they come from, and can be taken back.
#[test]
fn rules_expire_are_listed_and_revocable() {
    let home = Home::new();
    let desk = home.desk();
    let question = opened(&desk);
    let always = Answer::Always(Box::new(draft("a", day())));
    wait(home.desk().answer(&question.id, &always, "bea (web)")).unwrap();
    wait(desk.remember(&draft("a", day()), &question)).unwrap();
    home.clock.advance(Duration::from_millis(1));
    wait(desk.remember(&draft("b", Lasts::For(HOUR)), &question)).unwrap();
    wait(desk.remember(&draft("c", Lasts::Session), &question)).unwrap();

    let names = |which| wait(desk.rules(which)).unwrap().into_iter().map(|rule| rule.rule).collect::<Vec<_>>();
    assert_eq!(names(Which::All), ["b", "a"], "a rule of one session is nobody else's");
    let rules = wait(home.desk().rules_for(&question.scope)).unwrap();
    let [a, b] = rules.as_slice() else { panic!("{rules:?}") };
    assert_eq!((a.rule.as_str(), a.words.as_str(), a.made_by.as_str()), ("a", "whatever a covers", "bea (web)"));
    assert_eq!((a.made_ms, a.expires_ms), (1_000_000_000_000, 1_000_086_400_000));
    assert_eq!((&a.question, a.workspace.as_deref(), &a.revoked), (&question.id, Some("/w"), &None));
    home.clock.advance(HOUR);
    assert_eq!((names(Which::Active), names(Which::All)), (vec!["a".to_owned()], vec!["b".into(), "a".into()]));

    assert_eq!(wait(home.desk().revoke(&a.id, "carl")).unwrap(), Revocation::Done);
    let revoked = Revoked { by: "carl".to_owned(), at_ms: 1_000_003_600_001 };
    assert_eq!(wait(desk.revoke(&a.id, "ana")).unwrap(), Revocation::Already(revoked.clone()));
    assert_eq!(wait(desk.revoke("other", "ana")).unwrap(), Revocation::Unknown);
    assert_eq!((names(Which::Active), wait(desk.rules_for(&question.scope)).unwrap()), (vec![], vec![]));
    assert_eq!(wait(desk.rules(Which::All)).unwrap()[1].revoked, Some(revoked));
    assert_ne!(a.id, b.id);
}

/// Lesson 13: what is allowed in one chat is not allowed in another.
#[test]
fn rules_stay_in_their_scope() {
    let home = Home::new();
    let desk = home.desk();
    let chat = |bot: &str, chat: &str| {
        let mut scope = Scope::session("one".into()).in_chat(ChannelId::new("telegram"), ChatId::new(chat));
        scope.bot = Some(BotId::new(bot));
        scope
    };
    let question = Question { scope: chat("anna", "1"), ..opened(&desk) };
    wait(desk.remember(&draft("a", day()), &question)).unwrap();
    let holds = |desk: &palanca_store::Desk, scope: &Scope| wait(desk.rules_for(scope)).unwrap().len();
    let later = Scope { session: "two".into(), ..chat("anna", "1") };
    assert_eq!(holds(&desk, &later), 1, "another session of the same chat");
    assert_eq!(holds(&desk, &chat("anna", "2")), 0);
    assert_eq!(holds(&desk, &chat("bert", "1")), 0);
    assert_eq!(holds(&desk, &Scope::session("one".into())), 0);
    assert_eq!(holds(&home.desk().workspace("/elsewhere"), &later), 0);
}

#[test]
fn a_rule_that_would_hold_a_secret_is_not_kept() {
    let home = Home::new();
    let desk = home.desk().redactor(Arc::new(Hides("hunter2")));
    let question = opened(&desk);
    let refused = wait(desk.remember(&draft("curl hunter2", day()), &question)).unwrap_err();
    assert_eq!((refused.key(), wait(desk.rules(Which::All)).unwrap().len()), ("rule-holds-secret", 0));
    let always = Answer::Always(Box::new(draft("curl hunter2", day())));
    wait(desk.answer(&question.id, &always, "ana")).unwrap();
    let state = serde_json::to_value(wait(desk.question(&question.id)).unwrap()).unwrap();
    assert_eq!(state["answer"], "yes", "it is still a yes to this one call");
}

#[test]
fn without_rules_the_database_is_not_opened_for_them() {
    let home = Home::new();
    let desk = home.desk();
    let question = opened(&desk);
    let kept = std::fs::read(home.file()).unwrap();
    std::fs::write(home.file(), "whoever opens this is told that it is damaged ".repeat(10)).unwrap();
    assert_eq!(wait(home.desk().rules_for(&question.scope)).unwrap(), []);
    std::fs::write(home.file(), kept).unwrap();
    wait(desk.remember(&draft("a", day()), &question)).unwrap();
    std::fs::remove_file(home.state().join("palanca.db-rules")).unwrap();
    assert_eq!(wait(home.desk().rules_for(&question.scope)).unwrap(), []);
    assert_eq!(wait(home.desk().rules(Which::Active)).unwrap().len(), 1);
    assert_eq!(wait(home.desk().rules_for(&question.scope)).unwrap().len(), 1, "what is listed holds");
}

#[test]
fn what_was_taken_back_or_ran_out_is_told_until_it_stands_again() {
    let home = Home::new();
    let desk = home.desk();
    let question = opened(&desk);
    let withdrawn = |desk: &palanca_store::Desk| desk.withdrawn(&question.scope).unwrap();
    assert!(withdrawn(&desk).is_empty(), "nothing was ever allowed");
    wait(desk.remember(&draft("a", day()), &question)).unwrap();
    wait(desk.remember(&draft("b", Lasts::For(HOUR)), &question)).unwrap();
    assert!(withdrawn(&desk).is_empty());
    let a = wait(desk.rules_for(&question.scope)).unwrap().into_iter().find(|rule| rule.rule == "a").unwrap();
    wait(home.desk().revoke(&a.id, "carl")).unwrap();
    assert_eq!(withdrawn(&desk), ["a"]);
    home.clock.advance(HOUR);
    assert_eq!(withdrawn(&desk), ["a", "b"]);
    wait(desk.remember(&draft("a", day()), &question)).unwrap();
    assert_eq!(withdrawn(&desk), ["b"], "somebody allowed it again");
    let elsewhere = Scope { bot: Some(BotId::new("other")), ..question.scope.clone() };
    assert!(desk.withdrawn(&elsewhere).unwrap().is_empty());
}
