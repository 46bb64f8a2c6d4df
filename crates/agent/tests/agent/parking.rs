//! Calls that wait for an answer: the run ends, and another one goes on with it.

use crate::script::{Answer as Says, Scripted, Stage, call};
use crate::shelf::Shared;
use futures_util::future::BoxFuture;
use palanca_agent::session::{Keeper, Progress, Restored, Session, Terms};
use palanca_agent::{Ended, History, StopReason, Turn};
use palanca_core::call::{Annotations, Sensitivity, SessionId};
use palanca_core::message::Keys;
use palanca_core::ports::{Answer, AsItIs, Asker, Guard, NoRecorder, Question, Questions as _, SystemClock, wait};
use palanca_core::{Gate, Output, Scope, Spec};
use palanca_testkit::KeptQuestions;
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Nobody is there now, and somebody may come.
struct Away;

impl Asker for Away {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(async { None })
    }
}

struct Bench {
    stage: Stage,
    shelf: Shared,
    questions: Arc<KeptQuestions>,
    acted: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    fn new() -> Self {
        let stage = Stage::new();
        let acted: Arc<Mutex<Vec<String>>> = Arc::default();
        let done = Arc::clone(&acted);
        // Recorded before it begins, as whatever does more than read.
        let annotations = Annotations { open_world: true, ..Annotations::READ_ONLY };
        let spec = Spec { annotations, sensitivity: Sensitivity::Always, ..Spec::new("act", "acts") };
        stage.add(spec, move |arguments, _| {
            done.lock().unwrap().push(arguments["name"].as_str().unwrap().to_owned());
            Box::pin(async { Ok(Output::from("acted")) })
        });
        Self { stage, shelf: Shared::default(), questions: Arc::default(), acted }
    }

    fn session(&self, shelf: &Shared) -> Arc<Session> {
        let keeper = Keeper {
            store: Arc::new(shelf.clone()),
            redactor: Arc::new(AsItIs),
            clock: Arc::new(SystemClock::default()),
        };
        Arc::new(Session::new(keeper, Scope::session(SessionId::new("s"))))
    }

    fn gate(&self, session: &Arc<Session>) -> Gate {
        let cancel = self.stage.cancel.child_token();
        session.stop_with(cancel.clone());
        Gate::builder(Arc::clone(&self.stage.registry))
            .recorder(session.recorder(Arc::new(NoRecorder)))
            .guard(Arc::clone(session) as Arc<dyn Guard>)
            .questions(Arc::clone(&self.questions) as _)
            .asker(Arc::new(Away))
            .cancel(cancel)
            .build()
    }

    async fn run(&self, model: &Scripted) -> Ended {
        let session = self.session(&self.shelf);
        session.begin("do it", Terms::default(), None).await.unwrap();
        let gate = self.gate(&session);
        let mut settings = self.stage.settings.clone();
        settings.scope = session.scope().clone();
        let turn = Turn::new(model, &gate, &self.stage.agent).catalogue(&Keys).session(&session).settings(settings);
        turn.run(&mut History::new(self.stage.context), "do it").await
    }

    async fn resume(&self, shelf: &Shared, model: &Scripted) -> (Ended, String) {
        let session = self.session(shelf);
        let restored = session.resume(Terms::default()).await.unwrap();
        let gate = self.gate(&session);
        let mut settings = self.stage.settings.clone();
        settings.scope = session.scope().clone();
        let turn = Turn::new(model, &gate, &self.stage.agent).catalogue(&Keys).session(&session).settings(settings);
        let (ended, history) = turn.resume(self.stage.context, restored.state, None).await;
        (ended, format!("{:?}", history.messages()))
    }

    fn open(&self) -> Vec<Question> {
        let mut open = self.questions.open_ones();
        open.sort_by_key(|question| question.call.to_string());
        open
    }

    fn answer(&self, answer: Answer) {
        for question in self.open() {
            wait(self.questions.settle(&question, answer.clone())).unwrap();
        }
    }

    fn acted(&self) -> Vec<String> {
        self.acted.lock().unwrap().clone()
    }
}

fn asks() -> Scripted {
    Scripted::new([Says::Call(
        "on it",
        vec![call("1", "read_file", json!({"path": "a"})), call("2", "act", json!({"name": "x"}))],
    )])
}

#[tokio::test]
async fn a_question_that_nobody_answers_ends_the_run_and_its_answer_is_spent_on_the_call() {
    for (answer, acted, told) in [
        (Answer::Yes, &["x"][..], "acted"),
        (Answer::No, &[], "confirm declined"),
        (Answer::NoBecause("take y".to_owned()), &[], "take y"),
    ] {
        let bench = Bench::new();
        let ended = bench.run(&asks()).await;
        assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::Parked, "on it"));
        assert!(bench.acted().is_empty() && bench.open().len() == 1);
        // Nobody answered yet: it waits again, and the model is not asked.
        let (again, _) = bench.resume(&bench.shelf, &Scripted::new([])).await;
        assert_eq!((again.report.stop_reason, bench.open().len()), (StopReason::Parked, 1));
        bench.answer(answer);
        let model = Scripted::new([Says::Say("done")]);
        let (ended, history) = bench.resume(&bench.shelf, &model).await;
        assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
        assert_eq!(bench.acted(), acted);
        assert!(history.contains(told) && history.contains("content of a"), "{told}: {history}");
        // What was answered is over: nothing of it comes again.
        bench.resume(&bench.shelf, &Scripted::new([Says::Say("done")])).await;
        assert_eq!(bench.acted(), acted);
    }
}

#[tokio::test]
async fn an_answer_that_comes_too_late_refuses_the_call() {
    let bench = Bench::new();
    bench.run(&asks()).await;
    bench.questions.let_pass(Duration::from_secs(3_600));
    let (ended, history) = bench.resume(&bench.shelf, &Scripted::new([Says::Say("then not")])).await;
    assert_eq!((ended.report.stop_reason, bench.acted().len()), (StopReason::LlmDone, 0));
    assert!(history.contains("confirm expired"), "{history}");
}

#[tokio::test]
async fn calls_behind_one_that_waits_stay_open_and_run_after_it_in_their_order() {
    let bench = Bench::new();
    let calls = vec![
        call("1", "act", json!({"name": "first"})),
        call("2", "act", json!({"name": "second"})),
        call("3", "write_file", json!({})),
    ];
    bench.run(&Scripted::new([Says::Call("", calls)])).await;
    let open = wait(Restored::read(&bench.shelf, &SessionId::new("s"))).unwrap().state.open;
    assert!(matches!(open[0].progress, Progress::Parked(_)), "{open:?}");
    let mut rounds = 0;
    let ended = loop {
        bench.answer(Answer::Yes);
        rounds += 1;
        let (ended, _) = bench.resume(&bench.shelf, &Scripted::new([Says::Say("done")])).await;
        if ended.report.stop_reason != StopReason::Parked {
            break ended;
        }
        assert!(rounds < 3, "each answer brings it further");
    };
    assert_eq!((ended.report.stop_reason, bench.acted()), (StopReason::LlmDone, vec!["first".into(), "second".into()]));
}

#[tokio::test]
async fn killed_after_any_row_the_answer_runs_the_call_once_or_never_and_says_which() {
    let whole = Bench::new();
    whole.run(&asks()).await;
    whole.answer(Answer::Yes);
    whole.resume(&whole.shelf, &Scripted::new([Says::Say("done")])).await;
    let rows = whole.shelf.rows().len();
    for kept in 2..=rows {
        // The yes was spent whatever row was the last one: a process may be killed right after that.
        let shelf = whole.shelf.cut(kept);
        let before = whole.acted().len();
        let model = Scripted::new([Says::Say("done"), Says::Say("done")]);
        let (_, history) = whole.resume(&shelf, &model).await;
        assert_eq!(whole.acted().len(), before, "after {kept} rows");
        let parked = whole.shelf.rows()[..kept].iter().any(|row| row.kind == "parked");
        let told = ["acted", "question spent", "agent-call-interrupted", "call parked"];
        assert!(!parked || told.iter().any(|told| history.contains(told)), "after {kept} rows: {history}");
    }
}
