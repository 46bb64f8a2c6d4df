//! An answer is spent once, in time, on exactly the call that was shown.

use crate::support::options;
use futures_util::future::BoxFuture;
use palanca_core::call::{CallId, RawArguments, Scope, SessionId};
use palanca_core::ports::{Answer, Asker, Pending, Question, Questions, RuleDraft, Ruling, wait};
use palanca_core::{Call, Gate, Message, Origin, ToolResult};
use palanca_testkit::questions::question;
use palanca_testkit::{FakeProcesses, KeptQuestions, TempWorkspace};
use palanca_tools::{ToolsetName, registry};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Somebody is there; says this, or never a word.
struct Person(Option<Answer>);

impl Asker for Person {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        match self.0.clone() {
            Some(answer) => Box::pin(async { Some(answer) }),
            None => Box::pin(std::future::pending()),
        }
    }
}

struct Harness {
    _workspace: TempWorkspace,
    programs: Arc<FakeProcesses>,
    gate: Gate,
}

fn harness(place: Arc<dyn Questions>, person: Person) -> Harness {
    let workspace = TempWorkspace::new();
    let programs = Arc::new(FakeProcesses::printing("out\n", ""));
    let gate = Gate::builder(Arc::new(registry(ToolsetName::Palanca, &options()).unwrap()))
        .files(workspace.door())
        .processes(Arc::clone(&programs) as _)
        .questions(place)
        .asker(Arc::new(person))
        .build();
    Harness { _workspace: workspace, programs, gate }
}

impl Harness {
    async fn run(&self, command: &str) -> ToolResult {
        let call = Call {
            id: CallId::new("c"),
            tool: "run_command".to_owned(),
            arguments: RawArguments::Json(json!({ "command": command })),
            origin: Origin::Model { step: 1 },
            scope: Scope::session(SessionId::new("s")),
        };
        self.gate.submit(&self.gate.registry().snapshot(), call).await
    }
}

async fn shown(place: &KeptQuestions) -> Question {
    loop {
        if let Some(question) = place.open_ones().pop() {
            return question;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn of_a_hundred_answers_at_once_one_runs_the_call() {
    for _ in 0..20 {
        let place = Arc::new(KeptQuestions::default());
        let harness = harness(Arc::clone(&place) as _, Person(None));
        let counted = AtomicUsize::new(0);
        let (result, ()) = tokio::join!(harness.run("make two"), async {
            let question = shown(&place).await;
            std::thread::scope(|threads| {
                for _ in 0..100 {
                    threads.spawn(|| {
                        let ruling = wait(place.settle(&question, Answer::Yes)).unwrap();
                        counted.fetch_add(usize::from(ruling == Ruling::Answered(Answer::Yes)), Ordering::Relaxed);
                    });
                }
            });
        });
        assert!(result.success, "{result:?}");
        assert_eq!((harness.programs.launches().len(), counted.into_inner()), (1, 100));
    }
}

#[tokio::test]
async fn when_yes_and_no_race_the_run_follows_what_counted() {
    for round in 0..50 {
        let place = Arc::new(KeptQuestions::default());
        let harness = harness(Arc::clone(&place) as _, Person(None));
        let (result, first) = tokio::join!(harness.run("make two"), async {
            let question = shown(&place).await;
            std::thread::scope(|threads| {
                for number in 0..10 {
                    let answer = if (number + round) % 2 == 0 { Answer::Yes } else { Answer::No };
                    threads.spawn(|| wait(place.settle(&question, answer)).unwrap());
                }
            });
            wait(place.settle(&question, Answer::No)).unwrap()
        });
        let yes = first == Ruling::Answered(Answer::Yes);
        assert_eq!((result.success, harness.programs.launches().len()), (yes, usize::from(yes)));
    }
}

/// Keeps the question as one about something else: what was shown is not what would run.
struct Swaps(KeptQuestions, AtomicUsize);

impl Questions for Swaps {
    fn open(&self, asked: &mut Question) -> Pending<Result<(), Message>> {
        let number = u32::try_from(self.1.fetch_add(1, Ordering::Relaxed)).unwrap();
        let mut other = question(number);
        let opened = self.0.open(&mut other);
        asked.id = other.id;
        opened
    }

    fn ruled(&self, question: &Question) -> Pending<Result<Option<Ruling>, Message>> {
        self.0.ruled(question)
    }

    fn ruling<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Ruling> {
        self.0.ruling(question)
    }

    fn settle(&self, question: &Question, answer: Answer) -> Pending<Result<Ruling, Message>> {
        self.0.settle(question, answer)
    }

    fn spend(&self, question: &Question) -> Pending<Result<(), Message>> {
        self.0.spend(question)
    }

    fn remember(&self, draft: &RuleDraft, question: &Question) -> Pending<Result<(), Message>> {
        self.0.remember(draft, question)
    }
}

#[tokio::test]
async fn a_yes_to_other_arguments_never_runs() {
    let place = Arc::new(Swaps(KeptQuestions::default(), AtomicUsize::new(0)));
    let harness = harness(place, Person(Some(Answer::Yes)));
    for number in 0..10_000 {
        let result = harness.run(&format!("make t{number}")).await;
        assert_eq!((result.outcome.name(), result.code.as_deref()), ("refused", Some("confirm.spent")));
    }
    assert!(harness.programs.launches().is_empty());
}

#[tokio::test]
async fn an_answer_that_comes_too_late_runs_nothing() {
    let place = Arc::new(KeptQuestions::default());
    let harness = harness(Arc::clone(&place) as _, Person(None));
    let (result, late) = tokio::join!(harness.run("make two"), async {
        let question = shown(&place).await;
        place.let_pass(Duration::from_secs(3_600));
        wait(place.settle(&question, Answer::Yes)).unwrap()
    });
    assert_eq!((result.code.as_deref(), late), (Some("confirm.expired"), Ruling::Expired));
    assert!(harness.programs.launches().is_empty());
}

#[tokio::test]
async fn each_yes_is_for_one_run() {
    let place = Arc::new(KeptQuestions::default());
    let harness = harness(Arc::clone(&place) as _, Person(Some(Answer::Yes)));
    for runs in 1..=3 {
        assert!(harness.run("make two").await.success);
        assert_eq!(harness.programs.launches().len(), runs, "the same call is asked about again");
    }
    assert!(place.open_ones().is_empty());
}
