//! A model that says what a test wants, tools that do what a test wants, and what was seen of the run.

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream;
use palanca_agent::{
    Agent, AgentDefinition, Agents, ContextLimits, Ended, Event, History, Level, Limits, Settings, Sink, Turn,
};
use palanca_core::message::{Catalogue, Keys};
use palanca_core::ports::{AsItIs, Asker, Inquiry, Redactor};
use palanca_core::registry::Override;
use palanca_core::tool::{Cancel, Prepared, PreviewCx, Sensitivity};
use palanca_core::{
    AnyTool, CallId, Claims, ConfirmMode, ErrorKind, Gate, Message as Sentence, Output, Preview, Registry, Scope, Spec,
    ToolCx, ToolError,
};
use palanca_models::{
    EventStream, Message, Misread, MisreadCause, Model, ModelError, ModelErrorKind, ModelEvent, ModelRequest, Notice,
    Place, Stop, ToolCall, Usage,
};
use palanca_testkit::FakeProcesses;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One answer.
#[derive(Clone, Debug)]
pub enum Answer {
    Say(&'static str),
    /// Text and calls as `(id, tool, arguments)`.
    Call(&'static str, Vec<(String, String, String)>),
    /// One retry, then this.
    Fail(ModelErrorKind),
    /// Some text, then never an end.
    Hang(&'static str),
    /// Cut at the provider's limit.
    Cut(&'static str),
    /// The same, within the last of these calls.
    CutCall(Vec<(String, String, String)>),
    /// Words, then a call that cannot be read.
    Misread(&'static str, &'static str),
}

pub fn call(id: &str, tool: &str, arguments: Value) -> (String, String, String) {
    (id.into(), tool.into(), arguments.to_string())
}

pub fn one(id: &str, tool: &str, arguments: Value) -> Answer {
    Answer::Call("", vec![call(id, tool, arguments)])
}

/// What the model was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub messages: Vec<Message>,
    pub tools: Vec<String>,
    pub max_output_tokens: Option<u32>,
}

pub struct Scripted {
    name: String,
    answers: Mutex<VecDeque<Answer>>,
    usage: Usage,
    remembers: bool,
    asked: Mutex<Vec<Asked>>,
}

impl Scripted {
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            name: "openai:gpt-4o".into(),
            answers: Mutex::new(answers.into_iter().collect()),
            usage: Usage { input: 1000, cached: 400, output: 100, ..Usage::default() },
            remembers: true,
            asked: Mutex::default(),
        }
    }

    pub fn named(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// For measurements: what it is asked is not kept.
    pub fn forgetful(mut self) -> Self {
        self.remembers = false;
        self
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    fn events(&self, answer: Answer) -> Vec<Result<ModelEvent, ModelError>> {
        let end = |stop| [ModelEvent::Usage(self.usage), ModelEvent::Done { stop }];
        let events: Vec<ModelEvent> = match answer {
            Answer::Say(text) => text
                .split_inclusive(' ')
                .map(|word| ModelEvent::TextDelta(word.into()))
                .chain(end(Stop::Answer))
                .collect(),
            Answer::Cut(text) => std::iter::once(ModelEvent::TextDelta(text.into())).chain(end(Stop::Length)).collect(),
            Answer::Misread(text, call) => [
                ModelEvent::TextDelta(text.into()),
                ModelEvent::Misread(Misread {
                    text: call.into(),
                    cause: MisreadCause::CutOff,
                    form: "Hermes",
                    example: "<tool_call>…</tool_call>",
                }),
            ]
            .into_iter()
            .chain(end(Stop::Answer))
            .collect(),
            Answer::CutCall(calls) => calls
                .into_iter()
                .map(|(id, name, arguments)| ModelEvent::ToolCall(ToolCall { id: CallId::new(id), name, arguments }))
                .chain(end(Stop::Length))
                .collect(),
            Answer::Call(text, calls) => {
                let text = (!text.is_empty()).then(|| ModelEvent::TextDelta(text.into()));
                text.into_iter()
                    .chain(calls.into_iter().map(|(id, name, arguments)| {
                        ModelEvent::ToolCall(ToolCall { id: CallId::new(id), name, arguments })
                    }))
                    .chain(end(Stop::ToolCalls))
                    .collect()
            }
            Answer::Fail(kind) => {
                let place = Arc::new(Place {
                    endpoint: "http://127.0.0.1:9".into(),
                    model: self.name.clone(),
                    base_variable: "BASE",
                    key_variable: "KEY".into(),
                    timeout_setting: "llm.timeout",
                });
                let (attempt, wait) = (1, Duration::ZERO);
                let again = Notice::Retrying { attempt, wait, reason: "scripted".into() };
                return vec![Ok(ModelEvent::Notice(again)), Err(ModelError::new(kind, &place, "scripted"))];
            }
            Answer::Hang(text) => vec![ModelEvent::TextDelta(text.into())],
        };
        events.into_iter().map(Ok).collect()
    }
}

impl Scripted {
    /// One answer as a model's stream.
    pub fn play(&self, answer: Answer) -> EventStream<'static> {
        let hangs = matches!(answer, Answer::Hang(_));
        let events = stream::iter(self.events(answer));
        if hangs { events.chain(stream::pending()).boxed() } else { events.boxed() }
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a> {
        if self.remembers {
            self.asked.lock().unwrap().push(Asked {
                messages: request.messages.to_vec(),
                tools: request.tools.iter().map(|tool| tool.name().to_owned()).collect(),
                max_output_tokens: request.max_output_tokens,
            });
        }
        let answer = self.answers.lock().unwrap().pop_front().unwrap_or(Answer::Say("out of script"));
        self.play(answer)
    }
}

/// What a scripted tool does with its arguments.
type Work = Arc<dyn Fn(Value, ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> + Send + Sync>;

pub struct Scene {
    spec: Spec,
    schema: Value,
    work: Work,
}

struct Prop {
    arguments: Value,
    work: Work,
}

impl AnyTool for Scene {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(Prop { arguments: arguments.clone(), work: Arc::clone(&self.work) }))
    }
}

impl Prepared for Prop {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        (self.work)(self.arguments, cx)
    }
}

/// A workshop: tools, and everything a run needs.
pub struct Stage {
    pub registry: Arc<Registry>,
    pub cancel: Cancel,
    pub running: Arc<AtomicUsize>,
    pub most: Arc<AtomicUsize>,
    pub ran: Arc<Mutex<Vec<String>>>,
    pub agent: Agent,
    pub settings: Settings,
    pub context: ContextLimits,
    pub asker: Option<Arc<dyn Asker>>,
    pub redactor: Arc<dyn Redactor>,
    /// The gate's cancel token; a child of the run's where not set.
    pub gate_cancel: Option<Cancel>,
    pub watch: Watch,
    pub processes: Arc<FakeProcesses>,
}

impl Stage {
    /// An agent with every tool: `read_file` echoes, `slow` takes a while, `fail` fails with output, `hang` never ends,
    /// `interrupt` presses Ctrl-C, `ask` needs a person, `write_file` writes down that it ran.
    pub fn new() -> Self {
        let stage = Self {
            registry: Arc::new(Registry::new()),
            cancel: Cancel::new(),
            running: Arc::default(),
            most: Arc::default(),
            ran: Arc::default(),
            agent: custom(20),
            settings: Settings { limits: Limits::default(), ..Settings::default() },
            context: ContextLimits::default(),
            asker: None,
            redactor: Arc::new(AsItIs),
            gate_cancel: None,
            watch: Watch::default(),
            processes: Arc::default(),
        };
        let ran = Arc::clone(&stage.ran);
        stage.tool("read_file", move |arguments, _| {
            let path = arguments["path"].as_str().unwrap_or("?").to_owned();
            ran.lock().unwrap().push(path.clone());
            Box::pin(async move { Ok(Output::from(format!("content of {path}"))) })
        });
        let ran = Arc::clone(&stage.ran);
        stage.tool("write_file", move |_, _| {
            ran.lock().unwrap().push("written".into());
            Box::pin(async { Ok(Output::from("written").with_diff("+line")) })
        });
        let (running, most) = (Arc::clone(&stage.running), Arc::clone(&stage.most));
        stage.tool("slow", move |arguments, _| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            Box::pin(async move {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                let wait = arguments["ms"].as_u64().unwrap_or(10);
                tokio::time::sleep(Duration::from_millis(wait)).await;
                running.fetch_sub(1, Ordering::SeqCst);
                Ok(Output::from(format!("waited {wait}")))
            })
        });
        stage.tool("fail", |_, _| {
            Box::pin(async {
                Err(ToolError::new(ErrorKind::Conflict, Sentence::new("tool-failed").with("reason", "3 tests fail"))
                    .with_output("test a: expected 1, got 2"))
            })
        });
        stage.tool("hang", |_, _| Box::pin(std::future::pending()));
        let cancel = stage.cancel.clone();
        stage.tool("interrupt", move |_, _| {
            cancel.cancel();
            Box::pin(std::future::pending())
        });
        stage.tool("lines", |arguments, _| {
            let count = arguments["count"].as_u64().unwrap_or(1);
            let text: String = (1..=count).map(|line| format!("line {line}\n")).collect();
            Box::pin(async move { Ok(Output::from(text)) })
        });
        stage.add(Spec { sensitivity: Sensitivity::Always, ..Spec::new("ask", "needs a person") }, |_, _| {
            Box::pin(async { Ok(Output::from("allowed")) })
        });
        stage
    }

    fn tool(
        &self,
        name: &'static str,
        work: impl Fn(Value, ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> + Send + Sync + 'static,
    ) {
        self.add(Spec::new(name, "scripted"), work);
    }

    pub fn add(
        &self,
        spec: Spec,
        work: impl Fn(Value, ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> + Send + Sync + 'static,
    ) {
        let scene = Scene { spec, schema: json!({"type": "object"}), work: Arc::new(work) };
        self.registry.register_any(Arc::new(scene), Override::Refuse).unwrap();
    }

    pub fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.settings.limits);
        self
    }

    pub fn context(mut self, max_context_tokens: usize, max_tool_result_tokens: usize) -> Self {
        let without = ContextLimits { summarize_after_steps: 0, ..ContextLimits::default() };
        self.context = ContextLimits { max_context_tokens, max_tool_result_tokens, ..without };
        self
    }

    /// As by default, but with a small context.
    pub fn small(mut self, max_context_tokens: usize) -> Self {
        self.context = ContextLimits { max_context_tokens, ..ContextLimits::default() };
        self
    }

    pub fn agent(mut self, name: &str) -> Self {
        self.agent = Agents::built_in().get(name).unwrap().clone();
        self
    }

    pub fn max_steps(mut self, max_steps: u32) -> Self {
        self.agent.max_steps = max_steps;
        self
    }

    pub async fn run_any(&self, model: &dyn Model) -> (Ended, History) {
        let mut history = History::new(self.context);
        let ended = self.go_on(&Keys, model, &mut history, "do it").await;
        (ended, history)
    }

    pub async fn run(&self, model: &Scripted) -> (Ended, History) {
        self.run_in(&Keys, model).await
    }

    pub async fn run_in(&self, catalogue: &'static (impl Catalogue + Clone), model: &Scripted) -> (Ended, History) {
        let mut history = History::new(self.context);
        let ended = self.go_on(catalogue, model, &mut history, "do it").await;
        (ended, history)
    }

    pub async fn go_on(
        &self,
        catalogue: &'static (impl Catalogue + Clone),
        model: &dyn Model,
        history: &mut History,
        task: &str,
    ) -> Ended {
        let mut gate = Gate::builder(Arc::clone(&self.registry))
            .mode(self.agent.confirm_mode)
            .catalogue(Arc::new(catalogue.clone()))
            .redactor(Arc::clone(&self.redactor))
            .processes(Arc::clone(&self.processes) as _)
            .cancel(self.gate_cancel.clone().unwrap_or_else(|| self.cancel.child_token()));
        if let Some(asker) = &self.asker {
            gate = gate.asker(Arc::clone(asker));
        }
        let gate = gate.build();
        Turn::new(model, &gate, &self.agent)
            .catalogue(catalogue)
            .cancel(self.cancel.clone())
            .sink(&self.watch)
            .settings(self.settings.clone())
            .run(history, task)
            .await
    }
}

pub fn custom(max_steps: u32) -> Agent {
    let mut agents = Agents::built_in();
    agents.define(
        "custom",
        AgentDefinition {
            system_prompt: Some("Do as you are told.".into()),
            confirm_mode: Some(ConfirmMode::ConfirmSensitive),
            max_steps: Some(max_steps),
            ..AgentDefinition::default()
        },
    );
    agents.get("custom").unwrap().clone()
}

/// Keeps what was seen, one line an event.
#[derive(Default)]
pub struct Watch {
    lines: Mutex<Vec<String>>,
}

impl Watch {
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    pub fn notices(&self) -> Vec<String> {
        self.lines().into_iter().filter_map(|line| line.strip_prefix("! ").map(str::to_owned)).collect()
    }
}

impl Sink for Watch {
    fn output(&self) -> palanca_agent::Output {
        palanca_agent::Output::Watched
    }

    fn asked(&self, call: &CallId, inquiry: Inquiry) {
        self.lines.lock().unwrap().push(format!("? {call} {}", inquiry.text));
        if inquiry.text == "which?" {
            inquiry.reply(json!("this one"));
        }
    }

    fn event(&self, event: &Event<'_>) {
        let line = match event {
            Event::StepStarted { step } => format!("step {step}"),
            Event::TextDelta { text } => format!("text {text}"),
            Event::ReasoningDelta { text } => format!("thinks {text}"),
            Event::TextVoided => "void".to_owned(),
            Event::ToolStarted { call } => format!("> {} {}", call.id, call.name),
            Event::ToolOutput { call, tail } => format!("| {call} {tail}"),
            Event::ToolProgress { call, progress } => format!("% {call} {}", progress.done),
            Event::ToolLog { call, line } => format!("log {call} {}", line.text),
            Event::ToolEnded { result } => format!("< {} {}", result.id, result.outcome.name()),
            Event::QualityGate { report } => format!("gate {} {}", report.name, report.failure.is_none()),
            Event::Usage { usage, .. } => format!("usage {} {}", usage.input, usage.output),
            Event::Notice { level, message } => {
                assert!(matches!(level, Level::Note | Level::Warning));
                format!("! {message}")
            }
            Event::Appended { message } => match message {
                Message::System { .. } => "+ system".to_owned(),
                Message::User { .. } => "+ user".to_owned(),
                Message::Assistant { .. } => "+ assistant".to_owned(),
                Message::Tool { call_id, .. } => format!("+ tool {call_id}"),
            },
            Event::Compacted { left, summary, .. } => format!("compacted {left} {}", summary.unwrap_or("-")),
            Event::Ended { reason, steps, .. } => format!("ended {} {steps}", reason.name()),
        };
        self.lines.lock().unwrap().push(line);
    }
}

/// Every call has exactly one result, directly behind it and in order; no result is without its call; no id comes twice.
pub fn assert_whole(messages: &[Message]) {
    let mut seen = std::collections::HashSet::new();
    let mut rest = messages;
    while let Some((message, behind)) = rest.split_first() {
        rest = behind;
        match message {
            Message::Tool { call_id, .. } => panic!("result {call_id} without a call in {messages:#?}"),
            Message::Assistant { text, calls, .. } => {
                assert!(!(text.is_empty() && calls.is_empty()), "an empty answer was kept");
                for call in calls {
                    assert!(seen.insert(call.id.clone()), "id {} twice", call.id);
                    let Some((Message::Tool { call_id, name, .. }, behind)) = rest.split_first() else {
                        panic!("call {} without a result in {messages:#?}", call.id)
                    };
                    assert_eq!((call_id, name), (&call.id, &call.name));
                    rest = behind;
                }
            }
            Message::System { .. } | Message::User { .. } => {}
        }
    }
}

/// The text of every tool message.
pub fn results(messages: &[Message]) -> Vec<&str> {
    messages
        .iter()
        .filter_map(|message| match message {
            Message::Tool { content, .. } => Some(content.as_str()),
            _ => None,
        })
        .collect()
}
