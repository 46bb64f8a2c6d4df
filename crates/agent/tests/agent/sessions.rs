//! Sessions: what is kept of a run, what a crash after any row leaves, and how it goes on.

mod provider_state;
mod seen;

use crate::script::{Answer, Scripted, Stage, assert_whole, call, one};
use crate::shelf::Shared;
use palanca_agent::session::{Entry, Keeper, KeptLimits, Restored, Session, State, Terms};
use palanca_agent::{ContextLimits, Ended, History, StopReason, Turn};
use palanca_core::call::SessionId;
use palanca_core::message::Keys;
use palanca_core::ports::{
    AsItIs, Guard, NoRecorder, RedactStream, Redactor, StoreFault, StoredEvent, SystemClock, wait,
};
use palanca_core::tool::Annotations;
use palanca_core::{CallId, ConfirmMode, Gate, Output, Scope, Spec};
use palanca_models::{Message, Model, ModelErrorKind, Usage};
use serde_json::json;
use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const ID: &str = "0199";

fn terms() -> Terms {
    Terms {
        agent: "custom".into(),
        model: Some("openai:gpt-4o".into()),
        mode: ConfirmMode::ConfirmSensitive,
        toolset: "palanca".into(),
        workspace: "/w".into(),
        limits: KeptLimits { budget_usd: Some(2.0), ..KeptLimits::default() },
        ..Terms::default()
    }
}

/// A workshop whose tool `act` does what cannot be done twice.
struct Bench {
    stage: Stage,
    shelf: Shared,
    acted: Arc<Mutex<Vec<String>>>,
    redactor: Arc<dyn Redactor>,
}

impl Bench {
    fn new() -> Self {
        Self::over(Shared::default())
    }

    fn over(shelf: Shared) -> Self {
        let stage = Stage::new();
        let acted: Arc<Mutex<Vec<String>>> = Arc::default();
        let done = Arc::clone(&acted);
        let annotations = Annotations { open_world: true, ..Annotations::READ_ONLY };
        stage.add(Spec { annotations, ..Spec::new("act", "acts") }, move |arguments, _| {
            done.lock().unwrap().push(arguments["name"].as_str().unwrap().to_owned());
            Box::pin(async { Ok(Output::from("acted").with_diff("-a\n+b")) })
        });
        Self { stage, shelf, acted, redactor: Arc::new(AsItIs) }
    }

    fn keeper(&self) -> Keeper {
        Keeper {
            store: Arc::new(self.shelf.clone()),
            redactor: Arc::clone(&self.redactor),
            clock: Arc::new(SystemClock::default()),
        }
    }

    fn session(&self) -> Session {
        Session::new(self.keeper(), Scope::session(SessionId::new(ID)))
    }

    async fn run(&self, model: &dyn Model) -> (Ended, History) {
        let session = self.session();
        wait(session.begin("do it", terms(), None)).unwrap();
        self.go(session, model, (State::default(), Some("do it"))).await
    }

    async fn resume(&self, model: &dyn Model, task: Option<&str>) -> (Ended, History) {
        let session = self.session();
        let restored = wait(session.resume(terms())).unwrap();
        self.go(session, model, (restored.state, task)).await
    }

    async fn go(&self, session: Session, model: &dyn Model, (state, task): (State, Option<&str>)) -> (Ended, History) {
        let session = Arc::new(session);
        let cancel = self.stage.cancel.child_token();
        session.stop_with(cancel.clone());
        let gate = Gate::builder(Arc::clone(&self.stage.registry))
            .mode(self.stage.agent.confirm_mode)
            .recorder(session.recorder(Arc::new(NoRecorder)))
            .guard(Arc::clone(&session) as Arc<dyn Guard>)
            .cancel(cancel)
            .build();
        let mut settings = self.stage.settings.clone();
        settings.scope = session.scope().clone();
        Turn::new(model, &gate, &self.stage.agent)
            .catalogue(&Keys)
            .cancel(self.stage.cancel.clone())
            .session(&session)
            .sink(&self.stage.watch)
            .settings(settings)
            .resume(self.stage.context, state, task)
            .await
    }

    fn state(&self) -> State {
        wait(Restored::read(&self.shelf, &SessionId::new(ID))).unwrap().state
    }

    fn acted(&self) -> Vec<String> {
        self.acted.lock().unwrap().clone()
    }
}

fn script() -> Vec<Answer> {
    vec![
        Answer::Call(
            "Looking.",
            vec![
                call("c1", "read_file", json!({"path": "a"})),
                call("c2", "act", json!({"name": "one"})),
                call("c3", "fail", json!({})),
            ],
        ),
        one("c1", "act", json!({"name": "two"})),
        Answer::Say("All done."),
    ]
}

fn kinds(rows: &[StoredEvent]) -> Vec<&str> {
    rows.iter().map(|row| row.kind.as_str()).collect()
}

/// Every row folded, from the first.
fn folded(rows: &[StoredEvent]) -> State {
    let mut state = State::default();
    rows.iter().for_each(|row| state.add(Entry::read(row).unwrap().unwrap()));
    state
}

fn said(history: &History) -> Vec<Message> {
    history.messages().iter().filter(|message| !matches!(message, Message::System { .. })).cloned().collect()
}

#[tokio::test(start_paused = true)]
async fn the_rows_of_a_run_are_the_run() {
    let bench = Bench::new();
    let (ended, history) = bench.run(&Scripted::new(script())).await;
    let rows = bench.shelf.rows();
    assert_eq!(
        kinds(&rows)[..3],
        ["began", "prompt", "answered"],
        "an answer is kept before its calls run: {:?}",
        kinds(&rows)
    );
    assert_eq!(
        {
            let mut sorted = kinds(&rows);
            sorted.sort_unstable();
            sorted
        },
        [
            "answered", "answered", "answered", "began", "begun", "begun", "ended", "prompt", "result", "result",
            "result", "result"
        ]
    );
    let state = bench.state();
    assert_eq!(state.conversation.messages, said(&history));
    assert_eq!(Some(&state.totals.costs), ended.report.costs.as_ref());
    let totals = &state.totals;
    assert_eq!((totals.steps, totals.answers, totals.calls, totals.lines), (3, 3, 4, 4));
    assert_eq!(totals.terms, terms());
    assert_eq!(totals.ended.as_ref().unwrap().stop_reason, "llm_done");
    let summary = bench.shelf.session().summary;
    assert_eq!((summary.status.name(), summary.stop_reason.as_deref()), ("success", Some("llm_done")));
    assert_eq!((summary.steps, summary.calls, summary.tokens), (3, 4, 3300));
    assert_eq!(summary.dollars, ended.report.cost);
    assert_eq!(ended.report.session, Some(SessionId::new(ID)));
}

/// The heart of it: killed after any row, a session goes on; each call has one result, what never began is done once, what
/// began is not done again, and every kept answer is paid once.
#[tokio::test(start_paused = true)]
async fn killed_after_any_row_a_session_goes_on() {
    let whole = Bench::new();
    whole.run(&Scripted::new(script())).await;
    let rows = whole.shelf.rows();
    for cut in 1..=rows.len() {
        let bench = Bench::over(whole.shelf.cut(cut));
        let before = folded(&rows[..cut]);
        let answers = before.totals.answers as usize;
        let model = Scripted::new(script().into_iter().skip(answers));
        // A session that was over already gets something to do.
        let task = (answers == 3).then_some("more");
        let (ended, history) = bench.resume(&model, task).await;
        assert_whole(history.messages());
        assert_eq!(ended.report.stop_reason, StopReason::LlmDone, "{cut}");
        for (id, name) in [("c2", "one"), ("c1-2", "two")] {
            let begun = rows[..cut].iter().any(|row| row.kind == "begun" && row.call == Some(CallId::new(id)));
            let acted = bench.acted().iter().filter(|acted| *acted == name).count();
            assert_eq!(acted, usize::from(!begun), "{cut}: {name}");
        }
        let state = bench.state();
        assert_eq!(state.conversation.messages, said(&history), "{cut}");
        assert_eq!(state.open, [], "{cut}");
        let answered = bench.shelf.rows().iter().filter(|row| row.kind == "answered").count() as u64;
        assert_eq!(state.totals.costs.total_tokens, answered * 1100, "{cut}");
        assert_eq!(Some(&state.totals.costs), ended.report.costs.as_ref(), "{cut}");
        assert_eq!(ended.report.steps, answered as u32, "{cut}");
        // Nothing that was kept before is changed or kept twice.
        assert_eq!(bench.shelf.rows()[..cut], rows[..cut], "{cut}");
        let results = bench.shelf.rows().iter().filter(|row| row.kind == "result").count();
        assert_eq!(results, 4, "{cut}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_began_is_told_to_be_looked_after() {
    let whole = Bench::new();
    whole.run(&Scripted::new([one("c1", "act", json!({"name": "one"})), Answer::Say("Done.")])).await;
    let begun = kinds(&whole.shelf.rows()).iter().position(|kind| *kind == "begun").unwrap();
    let bench = Bench::over(whole.shelf.cut(begun + 1));
    let model = Scripted::new([Answer::Say("I looked.")]);
    let (_, history) = bench.resume(&model, None).await;
    assert_eq!(
        said(&history)[1..],
        [
            Message::calling(
                "",
                match &said(&history)[1] {
                    Message::Assistant { calls, .. } => calls.clone(),
                    other => panic!("{other:?}"),
                }
            ),
            Message::Tool {
                call_id: "c1".into(),
                name: "act".into(),
                content: "Error: agent-call-interrupted".into(),
                is_error: true,
                parts: Vec::new()
            },
            Message::assistant("I looked."),
        ]
    );
    assert_eq!(bench.acted(), [] as [String; 0]);
    let row = bench.shelf.rows().into_iter().rfind(|row| row.kind == "result").unwrap();
    let Some(Entry::CallEnded(ended)) = Entry::read(&row).unwrap() else { panic!("{row:?}") };
    assert_eq!((ended.outcome.name(), ended.code.as_deref()), ("interrupted", Some("interrupted")));
}

/// Whatever row does not fit: the run ends with its own reason, and nothing is done that is not kept.
#[tokio::test(start_paused = true)]
async fn a_full_disk_ends_the_run_in_order() {
    let whole = Bench::new();
    whole.run(&Scripted::new(script())).await;
    let rows = whole.shelf.rows().len();
    for room in 2..rows {
        let bench = Bench::new();
        bench.shelf.room(room);
        let (ended, history) = bench.run(&Scripted::new(script())).await;
        assert_whole(history.messages());
        let kept = bench.shelf.rows();
        assert_eq!(kept.len(), room);
        if room == rows - 1 {
            // Only the last row, which says how it ended, did not fit.
            continue;
        }
        assert_eq!(ended.report.stop_reason, StopReason::StoreFailed, "{room}");
        assert!(ended.report.output.contains("agent-store-failed"), "{}", ended.report.output);
        let begun = kept.iter().filter(|row| row.kind == "begun").count();
        assert!(bench.acted().len() <= begun, "{room}: {:?} of {begun}", bench.acted());
    }
    let bench = Bench::new();
    bench.shelf.room(0);
    let refused = wait(bench.session().begin("t", terms(), None));
    assert!(matches!(refused, Err(StoreFault::Broken(_))));
}

#[tokio::test(start_paused = true)]
async fn every_end_is_kept() {
    for (answer, reason) in [
        (Answer::Fail(ModelErrorKind::Unreachable), StopReason::LlmError),
        (Answer::Hang("half an an"), StopReason::Timeout),
        (one("c1", "interrupt", json!({})), StopReason::UserInterrupt),
        (one("c1", "ask", json!({})), StopReason::LlmDone),
        (one("c1", "hang", json!({})), StopReason::Timeout),
    ] {
        let mut bench = Bench::new();
        bench.stage.settings.limits.timeout = Some(Duration::from_secs(5));
        let (ended, history) = bench.run(&Scripted::new([answer, Answer::Say("Without it, then.")])).await;
        assert_eq!(ended.report.stop_reason, reason);
        let state = bench.state();
        assert_eq!(state.conversation.messages, said(&history), "{reason:?}");
        assert_eq!((state.open.len(), state.totals.ended.unwrap().stop_reason.as_str()), (0, reason.name()));
        assert_eq!(bench.shelf.session().summary.stop_reason.as_deref(), Some(reason.name()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_goes_on_with_a_new_task_and_what_it_used() {
    let bench = Bench::new();
    let first = bench.run(&Scripted::new(script())).await.0.report;
    let model = Scripted::new([Answer::Say("Again.")]);
    let (second, history) = bench.resume(&model, Some("and now?")).await;
    let asked = &model.asked()[0].messages;
    assert_eq!(asked.last(), Some(&Message::user("and now?")));
    assert_eq!(asked.len(), history.messages().len() - 1, "the whole conversation is sent");
    assert_eq!(second.report.steps, first.steps + 1);
    assert_eq!(second.report.tools_used, []);
    assert_eq!(second.report.costs.unwrap().total_tokens, first.costs.unwrap().total_tokens + 1100);
    assert_eq!(bench.state().totals.told, ["do it", "and now?"]);
    // Without a task, the model's own words are not the last: it is told to go on.
    let model = Scripted::new([Answer::Say("There is nothing left.")]);
    bench.resume(&model, None).await;
    assert!(
        matches!(model.asked()[0].messages.last(), Some(Message::User { text, .. }) if text.starts_with("[SYSTEM]"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_budget_is_the_whole_sessions_and_steps_are_the_runs() {
    let mut bench = Bench::new();
    bench.stage.agent.max_steps = 1;
    let answers = || vec![one("c1", "act", json!({"name": "one"})), Answer::Say("Stopped.")];
    let usage = Usage { input: 100_000, output: 1000, ..Usage::default() };
    let (ended, _) = bench.run(&Scripted::new(answers()).usage(usage)).await;
    assert_eq!(ended.report.stop_reason, StopReason::MaxSteps);
    let (ended, _) = bench.resume(&Scripted::new(answers()).usage(usage), None).await;
    assert_eq!((ended.report.stop_reason, ended.report.steps), (StopReason::MaxSteps, 2));
    bench.stage.settings.limits.budget_usd = Some(0.3);
    let (ended, _) = bench.resume(&Scripted::new(answers()).usage(usage), None).await;
    assert_eq!((ended.report.stop_reason, ended.report.steps), (StopReason::BudgetExceeded, 2), "nothing is spent");
}

#[tokio::test(start_paused = true)]
async fn what_left_the_conversation_is_not_read_again() {
    let mut bench = Bench::new();
    bench.stage.context = ContextLimits {
        max_context_tokens: 600,
        max_tool_result_tokens: 100,
        summarize_after_steps: 0,
        ..ContextLimits::default()
    };
    let steps =
        (0..40).map(|step| one(&format!("c{step}"), "lines", json!({"count": 20}))).chain([Answer::Say("Done.")]);
    bench.stage.agent.max_steps = 0;
    let (_, history) = bench.run(&Scripted::new(steps)).await;
    assert!(history.left_out() > 0);
    let rows = bench.shelf.rows();
    assert!(kinds(&rows).contains(&"compacted"));
    let state = bench.state();
    assert_eq!(state, folded(&rows), "from the last compaction or from the first row: the same");
    assert_eq!(state.conversation.messages, said(&history));
    assert_eq!(state.conversation.left_out, history.left_out());
    let model = Scripted::new([Answer::Say("On.")]);
    let (_, history) = bench.resume(&model, Some("go on")).await;
    assert_whole(history.messages());
    let Message::User { text, .. } = &said(&history)[0] else { panic!("{history:?}") };
    assert_eq!(text.matches("agent-context-left-out").count(), 1, "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_session_goes_on_with_its_summary_and_what_it_cost() {
    let mut bench = Bench::new();
    bench.stage.context = ContextLimits { max_context_tokens: 2500, ..ContextLimits::default() };
    bench.stage.agent.max_steps = 0;
    let looks = |from: u32, count: u32| {
        (from..from + count).map(|step| one(&format!("c{step}"), "lines", json!({"count": 100})))
    };
    let script = looks(0, 9).chain([Answer::Say("SUMMARY"), Answer::Say("Done.")]);
    let (ended, history) = bench.run(&Scripted::new(script)).await;
    let rows = bench.shelf.rows();
    let state = bench.state();
    assert_eq!(state, folded(&rows), "from the last compaction or from the first row: the same");
    assert_eq!(state.conversation.messages, said(&history));
    assert_eq!((state.conversation.summarised, history.summarised()), (10, 10));
    assert_eq!((state.totals.answers, state.totals.steps), (11, 10), "the summary is paid for and is no step");
    let costs = ended.report.costs.unwrap();
    assert_eq!((&state.totals.costs, costs.by_source.summary.is_some()), (&costs, true));
    let model = Scripted::new(looks(20, 5).chain([Answer::Say("SUMMARY TWO"), Answer::Say("On.")]));
    let (ended, history) = bench.resume(&model, Some("go on")).await;
    assert_eq!(ended.report.output, "On.");
    let Message::User { text, .. } = &model.asked()[5].messages[1] else { panic!() };
    assert!(text.starts_with("# The summary so far\nSUMMARY\n"), "{text}");
    let words = said(&history);
    let Message::User { text, .. } = &words[1] else { panic!("{words:?}") };
    assert!(text.ends_with("SUMMARY TWO"), "{text}");
    assert_eq!(bench.state().conversation.messages, words);
}

#[tokio::test(start_paused = true)]
async fn only_one_process_works_on_a_session() {
    let bench = Bench::new();
    bench.run(&Scripted::new(script())).await;
    let held = bench.session();
    wait(held.resume(terms())).unwrap();
    let other = wait(bench.session().resume(terms()));
    assert!(matches!(other, Err(palanca_agent::session::RestoreError::Store(StoreFault::Held { .. }))));
    drop(held);
    assert!(wait(bench.session().resume(terms())).is_ok());
}

pub struct NoHunter2;

impl Redactor for NoHunter2 {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains("hun\"ter2") {
            Cow::Owned(text.replace("hun\"ter2", "[REDACTED]"))
        } else {
            Cow::Borrowed(text)
        }
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        AsItIs.stream()
    }
}

#[tokio::test(start_paused = true)]
async fn no_row_holds_a_secret_and_what_is_not_whole_is_not_repeated() {
    let mut whole = Bench::new();
    whole.redactor = Arc::new(NoHunter2);
    let answers = [one("c1", "act", json!({"name": "hun\"ter2"})), Answer::Say("It is hun\"ter2.")];
    whole.run(&Scripted::new(answers)).await;
    let rows = whole.shelf.rows();
    let text: String = rows.iter().map(|row| row.body.as_str()).collect();
    assert!(!text.contains("ter2") && text.contains("[REDACTED]"), "{text}");
    let answered = kinds(&rows).iter().position(|kind| *kind == "answered").unwrap();
    let bench = Bench::over(whole.shelf.cut(answered + 1));
    let (_, history) = bench.resume(&Scripted::new([Answer::Say("Then not.")]), None).await;
    assert_eq!(bench.acted(), [] as [String; 0]);
    assert!(matches!(&said(&history)[2], Message::Tool { content, .. } if content.contains("agent-call-withheld")));
}

#[test]
fn a_row_that_is_no_row_is_named_and_a_later_kind_is_skipped() {
    let row = |kind: &str, body: &str| StoredEvent {
        number: palanca_core::ports::EventNumber(7),
        at_ms: 0,
        kind: kind.into(),
        call: None,
        body: body.into(),
    };
    assert_eq!(Entry::read(&row("from_the_future", "{}")).unwrap(), None);
    let error = palanca_agent::session::entry(&SessionId::new(ID), &row("answered", "{")).unwrap_err();
    assert!(error.message().to_string().contains("session-row-unreadable"), "{}", error.message());
    assert!(error.to_string().contains("event 7 (answered) of session 0199"), "{error}");
}
