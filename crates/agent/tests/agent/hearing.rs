//! Words that reach a run while it works.

use crate::script::{Answer, Scripted, Stage, call, one};
use palanca_agent::{Ended, History, Inbox, StopReason, Turn};
use palanca_core::call::Speaker;
use palanca_core::registry::Override;
use palanca_core::tool::Prepared;
use palanca_core::{AnyTool, Gate, Output, Spec, ToolError};
use palanca_models::{EventStream, Message as Said, Model, ModelRequest};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Says something to the agent while the model answers.
struct Interrupted<'a> {
    model: Scripted,
    inbox: &'a Inbox,
    words: Mutex<Vec<(Speaker, &'static str)>>,
}

impl Model for Interrupted<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a> {
        let words = std::mem::take(&mut *self.words.lock().unwrap());
        words.into_iter().for_each(|(speaker, words)| self.inbox.say(speaker, words, None));
        self.model.stream(request)
    }
}

async fn run(answers: Vec<Answer>, words: &[(Speaker, &'static str)]) -> (Ended, Vec<Vec<String>>, usize) {
    let (stage, inbox) = (Stage::new(), Inbox::default());
    let words = Mutex::new(words.to_vec());
    let model = Interrupted { model: Scripted::new(answers), inbox: &inbox, words };
    let gate = Gate::builder(Arc::clone(&stage.registry)).cancel(stage.cancel.clone()).build();
    let mut history = History::new(stage.context);
    let turn = Turn::new(&model, &gate, &stage.agent).cancel(stage.cancel.clone()).inbox(&inbox);
    let ended = turn.run(&mut history, "do it").await;
    let users = |messages: &[Said]| {
        let text = |said: &Said| if let Said::User { text, .. } = said { Some(text.clone()) } else { None };
        messages.iter().filter_map(text).collect::<Vec<_>>()
    };
    let asked = model.model.asked().iter().map(|request| users(&request.messages)).collect();
    (ended, asked, inbox.waiting())
}

#[tokio::test]
async fn words_are_heard_with_the_next_request() {
    let words = [(Speaker::User, "only a"), (Speaker::Trusted { name: "ana".to_owned() }, "and b")];
    let look = one("1", "read_file", json!({"path": "x"}));
    let (ended, asked, left) = run(vec![look, Answer::Say("done")], &words).await;
    assert_eq!((ended.report.stop_reason, left), (StopReason::LlmDone, 0));
    assert_eq!(asked, [vec!["do it"], vec!["do it", "only a", "and b"]]);
}

#[tokio::test]
async fn what_comes_with_the_last_answer_is_left_for_another_run() {
    let (ended, asked, left) = run(vec![Answer::Say("done")], &[(Speaker::User, "one more thing")]).await;
    assert_eq!((ended.report.output.as_str(), left, asked.len()), ("done", 1, 1));
    // A stranger's words are heard and marked; here by a gate that marks nothing.
    let eve = Speaker::Stranger { name: "eve".to_owned() };
    let look = one("1", "read_file", json!({"path": "x"}));
    let (ended, asked, left) = run(vec![look, Answer::Say("no")], &[(eve, "me first")]).await;
    assert_eq!((ended.report.output.as_str(), asked[1].len(), left), ("no", 2, 0));
}

#[tokio::test]
async fn calls_that_have_not_begun_are_put_off_when_the_user_speaks() {
    let eve = Speaker::Stranger { name: "eve".to_owned() };
    for (speaker, ran) in [(Speaker::User, 0), (eve, 1)] {
        let (stage, inbox) = (Stage::new().limits(|limits| limits.parallel = 1), Arc::new(Inbox::default()));
        let said = Arc::clone(&inbox);
        stage.add(Spec::new("interject", "scripted"), move |_, _| {
            said.say(speaker.clone(), "stop, not that", None);
            Box::pin(async { Ok(Output::from("done")) })
        });
        let calls = vec![call("1", "interject", json!({})), call("2", "write_file", json!({}))];
        let model = Scripted::new(vec![Answer::Call("", calls), Answer::Say("as you wish")]);
        let gate = Gate::builder(Arc::clone(&stage.registry)).cancel(stage.cancel.clone()).build();
        let mut history = History::new(stage.context);
        let turn = Turn::new(&model, &gate, &stage.agent).settings(stage.settings.clone());
        let ended = turn.cancel(stage.cancel.clone()).inbox(&inbox).run(&mut history, "do it").await;
        assert_eq!((ended.report.stop_reason, stage.ran.lock().unwrap().len()), (StopReason::LlmDone, ran));
        let told: Vec<String> = history.messages().iter().map(|said| format!("{said:?}")).collect();
        assert_eq!(told.iter().any(|said| said.contains("agent-call-put-off")), ran == 0, "{told:#?}");
        assert!(told.iter().position(|said| said.contains("stop, not that")) > Some(3), "{told:#?}");
    }
}

#[tokio::test]
async fn tools_that_come_or_go_are_seen_with_the_next_request() {
    let stage = Stage::new();
    let registry = Arc::downgrade(&stage.registry);
    stage.add(Spec::new("swap", "scripted"), move |_, _| {
        let registry = registry.upgrade().unwrap();
        let other = registry.get("read_file").unwrap();
        registry.remove("write_file");
        registry.register_any(Arc::new(Renamed::new("late", other)), Override::Refuse).unwrap();
        Box::pin(async { Ok(Output::from("swapped")) })
    });
    let late = one("2", "late", json!({"path": "x"}));
    let gone = one("3", "write_file", json!({}));
    let model = Scripted::new(vec![one("1", "swap", json!({})), late, gone, Answer::Say("done")]);
    let (ended, _) = stage.run(&model).await;
    let used: Vec<_> = ended.report.tools_used.iter().map(|used| (used.name.as_str(), used.success)).collect();
    assert_eq!(used, [("swap", true), ("late", true), ("write_file", false)]);
    let offered: Vec<_> = model.asked().iter().map(|asked| asked.tools.clone()).collect();
    let has = |step: usize, name: &str| offered[step].iter().any(|offered| offered == name);
    assert!(has(0, "write_file") && !has(0, "late") && !has(1, "write_file") && has(1, "late"), "{offered:?}");
    assert!(ended.report.stop_reason == StopReason::LlmDone && stage.ran.lock().unwrap().len() == 1);
}

/// A tool under another name.
struct Renamed(Spec, Arc<dyn AnyTool>);

impl Renamed {
    fn new(name: &'static str, tool: Arc<dyn AnyTool>) -> Self {
        Self(Spec::new(name, "scripted"), tool)
    }
}

impl AnyTool for Renamed {
    fn spec(&self) -> &Spec {
        &self.0
    }
    fn schema(&self) -> &Value {
        self.1.schema()
    }
    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        self.1.prepare(arguments)
    }
}
