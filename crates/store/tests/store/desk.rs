//! The life of a question.

use crate::home::{HOUR, Hides, Home, opened};
use palanca_core::Message;
use palanca_core::call::{BotId, CanonicalPath, ChannelId, ChatId, Effect, QuestionId, Root};
use palanca_core::message::Text;
use palanca_core::ports::{Answer, Lasts, Questions as _, Reason, RuleDraft, Ruling, Undoable, wait};
use palanca_store::{Approvals as _, Given, QuestionState, Settled, Which};
use palanca_testkit::{expired_questions_conform, questions_conform};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn questions_in_the_database_conform() {
    let home = Home::in_memory();
    questions_conform(|| home.fresh_desk(HOUR)).await;
    expired_questions_conform(|| home.fresh_desk(Duration::ZERO)).await;
}

#[test]
fn a_question_is_kept_with_all_that_a_person_needs_and_without_secrets() {
    let home = Home::new();
    let desk = home.desk().redactor(Arc::new(Hides("hunter2")));
    let mut question = palanca_testkit::questions::question(1);
    let long = format!("hunter2{}", "x".repeat(600));
    question.arguments = json!({"password": "hunter2", "content": long, "list": [1, "é"]});
    question.effects =
        [Effect::ReadFile(CanonicalPath::new(Root::Workspace, "a/hunter2".into()))].into_iter().collect();
    question.diff = Some(format!("+hunter2\n{}", "+a line\n".repeat(10_000)));
    question.undo = Undoable::No(Message::new("undo-not-kept"));
    question.changed = Some(Message::new("changed-files").with("files", "A hunter2"));
    question.reasons = vec![Reason { rule: "confirm.all".to_owned(), words: Message::new("confirm-why-all") }];
    question.drafts = vec![
        RuleDraft { rule: "reads a".to_owned(), words: Text::from("reading hunter2"), lasts: Lasts::Session },
        RuleDraft { rule: "reads hunter2".to_owned(), words: Text::from("b"), lasts: Lasts::For(HOUR) },
    ];
    question.scope = question.scope.in_chat(ChannelId::new("telegram"), ChatId::new("42"));
    question.scope.bot = Some(BotId::new("anna"));
    wait(desk.open(&mut question)).unwrap();

    let kept = wait(home.desk().question(&question.id)).unwrap().unwrap();
    assert_eq!((&kept.id, &kept.scope, &kept.tool), (&question.id, &question.scope, &question.tool));
    assert_eq!((kept.digest.clone(), kept.workspace.as_deref()), (question.digest.to_hex(), Some("/w")));
    assert_eq!((kept.asked_ms, kept.expires_ms), (1_000_000_000_000, 1_000_003_600_000));
    assert_eq!(kept.state, QuestionState::Open);
    let shown = &kept.shown;
    assert_eq!(shown.arguments["password"], "[hidden]");
    assert!(shown.arguments["content"].as_str().unwrap().ends_with("x… (608 bytes)"), "{}", shown.arguments);
    assert_eq!(shown.arguments["list"], json!([1, "é"]));
    assert_eq!(shown.effects, ["effect-read(path=a/[hidden])"]);
    assert_eq!(shown.changed.as_deref(), Some("changed-files(files=A [hidden])"));
    let diff = shown.diff.as_deref().unwrap();
    assert!(diff.len() < 66_000 && diff.starts_with("+[hidden]\n+a line\n") && diff.ends_with(" bytes)\n"));
    assert_eq!((shown.undo.as_str(), shown.reasons[0].words.as_str()), ("undo-not-kept", "confirm-why-all"));
    assert_eq!(shown.drafts.iter().map(|draft| draft.words.as_str()).collect::<Vec<_>>(), ["reading [hidden]"]);
    let whole = serde_json::to_value(&kept).unwrap();
    assert_eq!((&whole["state"], &whole["session"], &whole["chat"]), (&json!("open"), &json!("test"), &json!("42")));
    for name in ["palanca.db", "palanca.db-wal"] {
        let bytes = std::fs::read(home.state().join(name)).unwrap();
        assert!(!bytes.windows(7).any(|window| window == b"hunter2"), "{name}");
    }
}

#[test]
fn an_expired_question_cannot_be_answered() {
    let home = Home::new();
    let (desk, elsewhere) = (home.desk(), home.desk());
    let question = opened(&desk);
    let state = || wait(elsewhere.question(&question.id)).unwrap().unwrap().state;
    home.clock.advance(HOUR - Duration::from_millis(1));
    assert_eq!((state(), wait(elsewhere.questions(Which::Active)).unwrap().len()), (QuestionState::Open, 1));
    home.clock.advance(Duration::from_millis(1));
    assert_eq!((state(), wait(elsewhere.questions(Which::Active)).unwrap().len()), (QuestionState::Expired, 0));
    assert_eq!(wait(elsewhere.answer(&question.id, &Answer::Yes, "bea")).unwrap(), Settled::Expired);
    assert_eq!(wait(desk.settle(&question, Answer::Yes)), Ok(Ruling::Expired));
    assert_eq!(wait(desk.spend(&question)).unwrap_err().key(), "question-no-yes");
    assert_eq!(wait(elsewhere.questions(Which::All)).unwrap().len(), 1);
}

#[test]
fn who_answers_second_is_told_who_was_first_and_when() {
    let home = Home::new();
    let desk = home.desk();
    let question = opened(&desk);
    home.clock.advance(Duration::from_secs(5));
    assert_eq!(wait(home.desk().answer(&question.id, &Answer::No, "bea (web)")).unwrap(), Settled::Counts);
    let given = Given { answer: Answer::No, answered_by: "bea (web)".to_owned(), answered_ms: 1_000_000_005_000 };
    assert_eq!(wait(home.desk().answer(&question.id, &Answer::Yes, "carl")).unwrap(), Settled::Already(given.clone()));
    assert_eq!(wait(desk.settle(&question, Answer::Yes)), Ok(Ruling::Answered(Answer::No)));
    assert_eq!(wait(desk.question(&question.id)).unwrap().unwrap().state, QuestionState::Answered(given));
    assert_eq!(wait(desk.answer(&QuestionId::new("other"), &Answer::Yes, "x")).unwrap(), Settled::Unknown);
}

#[test]
fn a_yes_is_spent_once_and_shows_when() {
    let home = Home::new();
    let desk = home.desk();
    let question = opened(&desk);
    wait(desk.settle(&question, Answer::Yes)).unwrap();
    home.clock.advance(Duration::from_secs(1));
    wait(desk.spend(&question)).unwrap();
    assert_eq!(wait(home.desk().spend(&question)).unwrap_err().key(), "question-spent");
    let QuestionState::Spent { given, spent_ms } = wait(desk.question(&question.id)).unwrap().unwrap().state else {
        panic!()
    };
    assert_eq!((given.answered_by.as_str(), spent_ms), ("ana", 1_000_000_001_000));
}

/// Lesson 9: stale prompts are answered, approvals are lost. Whoever waits hears of an answer from elsewhere.
#[tokio::test(start_paused = true)]
async fn an_answer_from_elsewhere_arrives_within_a_quarter_of_a_second() {
    let home = Home::new();
    let (desk, elsewhere) = (home.desk(), home.desk());
    let question = opened(&desk);
    let start = tokio::time::Instant::now();
    let (ruling, answered) = tokio::join!(desk.ruling(&question), async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        wait(elsewhere.answer(&question.id, &Answer::Yes, "bea")).unwrap()
    });
    assert_eq!((ruling, answered), (Ruling::Answered(Answer::Yes), Settled::Counts));
    assert!(start.elapsed() <= Duration::from_millis(250), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_hears_that_it_expired() {
    let home = Home::new();
    let desk = home.desk();
    let question = opened(&desk);
    let (ruling, ()) = tokio::join!(desk.ruling(&question), async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        home.clock.advance(HOUR);
    });
    assert_eq!(ruling, Ruling::Expired);
}

/// Lesson 11: sender and chat are bound, ids are not guessed. Nothing that is not asked for is made.
#[test]
fn queries_do_not_create_a_database() {
    let home = Home::new();
    let desk = home.desk();
    assert_eq!(wait(desk.questions(Which::All)).unwrap(), []);
    assert_eq!(wait(desk.question(&QuestionId::new("x"))).unwrap(), None);
    assert_eq!(wait(desk.answer(&QuestionId::new("x"), &Answer::Yes, "x")).unwrap(), Settled::Unknown);
    assert_eq!(wait(desk.rules(Which::All)).unwrap(), []);
    assert!(!home.state().exists());
}
