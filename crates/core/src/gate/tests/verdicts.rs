//! What verdicts, hooks, rules, redaction and marks do to a call.

use super::*;
use crate::Message;
use crate::call::{Outcome, RawArguments, Stage};
use crate::gate::Limits;
use crate::message::Text;
use crate::ports::{
    ApprovalRules, AsItIs, Lasts, Marker, Pending, Questions, RedactStream, Redactor, RuleDraft, Ruling, StageRecord,
};
use std::borrow::Cow;

/// Says what the argument says: `warn`, `ask`, `deny`, `halt`, `allow`, or several of them.
#[derive(Default)]
struct Settles {
    settled: AtomicUsize,
}

fn verdict(decision: Decision, rule: &str) -> Verdict {
    Verdict {
        decision,
        rule: rule.to_owned(),
        to_model: Message::new("said").with("rule", rule),
        to_operator: "why".into(),
    }
}

struct When(Decision, &'static str);
impl Guard for When {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let wanted = call.arguments()["act"].as_str().unwrap().split(' ').any(|word| word == self.1);
        wanted.then(|| verdict(self.0, &format!("test.{}", self.1)))
    }
}

impl Guard for Settles {
    fn judge(&self, _call: &CheckedCall) -> Option<Verdict> {
        None
    }
    fn settle(&self, _call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        self.settled.fetch_add(1, Ordering::Relaxed);
        matches!(outcome, Outcome::Done(_)).then(|| Message::new("settled"))
    }
    fn unreadable(&self, call: &Call, _outcome: &Outcome) -> Option<Verdict> {
        match call.tool.as_str() {
            "warned" => Some(verdict(Decision::Warn, "test.warned")),
            "halted" => Some(verdict(Decision::Halt, "test.halted")),
            _ => None,
        }
    }
}

fn guarded() -> super::super::GateBuilder {
    [
        (Decision::Allow, "allow"),
        (Decision::Warn, "warn"),
        (Decision::Ask, "ask"),
        (Decision::Deny, "deny"),
        (Decision::Halt, "halt"),
    ]
    .into_iter()
    .fold(Gate::builder(registry(|spec| spec)), |gate, (decision, word)| gate.guard(Arc::new(When(decision, word))))
}

#[tokio::test]
async fn the_strictest_verdict_wins_and_every_reason_is_kept() {
    for (act, outcome, code, output) in [
        ("plain", "done", None, "plain"),
        ("allow", "done", None, "allow"),
        ("warn", "done", None, "warn\nsaid(rule=test.warn)"),
        ("warn ask", "refused", Some("confirm.no_terminal"), ""),
        ("allow warn deny", "refused", Some("test.deny"), ""),
        ("ask allow", "refused", Some("confirm.no_terminal"), ""),
        ("deny halt", "stopped", Some("halted"), ""),
    ] {
        let gate = guarded().mode(ConfirmMode::ConfirmSensitive).build();
        let result = run(&gate, act).await;
        assert_eq!((result.outcome.name(), result.code.as_deref(), &*result.output), (outcome, code, output), "{act}");
    }
}

#[tokio::test]
async fn a_rule_takes_the_modes_place_and_never_a_guards() {
    for (mode, act, asked) in [
        (ConfirmMode::ConfirmAll, "plain", 1),
        (ConfirmMode::ConfirmAll, "allow", 0),
        (ConfirmMode::ConfirmAll, "allow ask", 1),
        (ConfirmMode::ConfirmSensitive, "ask", 1),
        (ConfirmMode::Yolo, "ask", 0),
    ] {
        let asker = Arc::new(Says(Answer::Yes, AtomicUsize::new(0)));
        let gate = guarded().asker(asker.clone()).mode(mode).build();
        assert_eq!(run(&gate, act).await.outcome.name(), "done");
        assert_eq!(asker.1.load(Ordering::Relaxed), asked, "{mode:?} {act}");
    }
    let gate = guarded().mode(ConfirmMode::Yolo).build();
    assert_eq!(run(&gate, "ask").await.output, "ask\nsaid(rule=test.ask)", "where nobody is asked, the model is told");
}

#[tokio::test]
async fn what_a_call_that_cannot_be_read_repeats_can_end_the_turn() {
    let guard = Arc::new(Settles::default());
    let gate = Gate::builder(registry(|spec| spec)).guard(guard.clone()).build();
    for (tool, outcome, code, output) in [
        ("unknown", "failed", "unknown_tool", ""),
        ("warned", "failed", "unknown_tool", "said(rule=test.warned)"),
        ("halted", "stopped", "halted", ""),
    ] {
        let result = gate.submit(&tools(&gate), Call { tool: tool.to_owned(), ..call("x") }).await;
        assert_eq!((result.outcome.name(), result.code.as_deref(), &*result.output), (outcome, Some(code), output));
    }
    assert_eq!(guard.settled.load(Ordering::Relaxed), 0, "never judged, never settled");
    assert_eq!(run(&gate, "x").await.output, "x\nsettled");
}

/// Adds its letter to the argument, as long as the letters before it are there.
struct Appends(&'static str, &'static str);
impl Hook for Appends {
    fn name(&self) -> &str {
        self.1
    }
    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        let act = call.arguments()["act"].as_str().unwrap().to_owned();
        let reply = if act == self.0 {
            HookReply::Change {
                arguments: json!({"act": format!("{act}{}", self.1)}),
                note: Some(format!("+{}", self.1)),
            }
        } else {
            HookReply::Note(format!("{} saw {act}", self.1))
        };
        Box::pin(async { reply })
    }
    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { None })
    }
}

#[tokio::test]
async fn each_hook_sees_what_the_one_before_it_left_and_all_of_them_are_heard() {
    let hooks: [Arc<dyn Hook>; 3] =
        [Arc::new(Appends("a", "b")), Arc::new(Appends("ab", "c")), Arc::new(Appends("never", "d"))];
    let gate = hooks.into_iter().fold(Gate::builder(registry(|spec| spec)), super::super::GateBuilder::hook);
    assert_eq!(run(&gate.build(), "a").await.output, "abc\n+b\n+c\nd saw abc");
}

#[tokio::test]
async fn what_an_earlier_hook_changes_is_judged_before_a_later_one_changes_it_back() {
    struct Back;
    impl Hook for Back {
        fn name(&self) -> &str {
            "back"
        }
        fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
            Box::pin(async { HookReply::Change { arguments: json!({"act": "plain"}), note: None } })
        }
        fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
            Box::pin(async { None })
        }
    }
    let gate = guarded().hook(Arc::new(Appends("den", "y"))).hook(Arc::new(Back)).build();
    assert_eq!(run(&gate, "den").await.code.as_deref(), Some("test.deny"));
}

/// Takes the word `secret` out.
struct Censor;
impl Redactor for Censor {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains("secret") { text.replace("secret", "***").into() } else { text.into() }
    }
    fn stream(&self) -> Box<dyn RedactStream> {
        AsItIs.stream()
    }
}

#[derive(Default)]
struct Trails(Mutex<Vec<Value>>);
impl Recorder for Trails {
    fn stages(&self, records: &[StageRecord<'_>]) {
        self.0.lock().unwrap().extend(records.iter().map(|record| serde_json::to_value(record).unwrap()));
    }
    fn record(&self, record: &Record<'_>) {
        self.0.lock().unwrap().push(serde_json::to_value(record).unwrap());
    }
}

#[tokio::test]
async fn no_secret_is_in_a_result_or_a_record() {
    let trail = Arc::new(Trails::default());
    let gate = guarded().redactor(Arc::new(Censor)).recorder(trail.clone()).mode(ConfirmMode::Yolo).build();
    for act in ["a secret", "warn secret", "deny secret", "fail"] {
        let result = run(&gate, act).await;
        assert!(!format!("{result:?}").contains("secret"), "{result:?}");
    }
    assert!(!format!("{:?}", trail.0.lock().unwrap()).contains("secret"));
}

/// At each place around both cuts of an output that is too long; what is behind the secret keeps the redactor from knowing
/// the rest of it.
#[tokio::test]
async fn a_secret_across_the_cut_leaves_nothing_of_itself() {
    let (limit, whole) = (1 << 16, 200_000);
    let limits = Limits { output_bytes: limit, ..Limits::default() };
    let gate = Gate::builder(registry(|spec| spec)).redactor(Arc::new(Censor)).limits(limits).build();
    let mut kept = 0;
    for cut in [limit / 4 * 3, whole - limit / 4] {
        for before in 0..=8 {
            let mut text = "-".repeat(whole);
            text.replace_range(cut - before..cut - before + 6, "secret");
            let result = run(&gate, &text).await;
            assert!(result.truncated && result.output.len() < limit + 200);
            let rest = result.output.replace("output-cut", "").replace("omitted", "").replace("whole", "");
            assert!(!rest.contains(['s', 'c', 'r']), "{before} before {cut}");
            kept += usize::from(result.output.contains("***"));
        }
    }
    assert!(kept >= 10, "the secrets were not near the cuts: {kept}");
}

#[tokio::test]
async fn what_is_kept_before_the_run_is_enough_to_tell_what_began() {
    let trail = Arc::new(Trails::default());
    let gate = guarded().recorder(trail.clone()).build();
    run(&gate, "x").await;
    let lines = trail.0.lock().unwrap();
    let stages: Vec<_> =
        lines.iter().filter_map(|line| Some((line.get("stage")?.as_str()?, line["verdict"].as_str()?))).collect();
    assert_eq!(
        stages,
        [
            ("resolve", "allow"),
            ("validate", "allow"),
            ("guardrails", "allow"),
            ("confirm", "allow"),
            ("execute", "begin")
        ]
    );
    assert_eq!(lines[4]["digest"], lines[5]["digest"], "the run that began is the call that ended");
    assert_eq!(serde_json::to_value(Stage::Execute).unwrap(), lines[4]["stage"]);
}

/// Foreign text, as a web page or a foreign tool would bring it, also when it fails.
enum Fetches {
    Well,
    InVain,
}
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}
impl Args for Nothing {}
impl Tool for Fetches {
    type Args = Nothing;
    fn spec(&self) -> Spec {
        match self {
            Self::Well => Spec::new("fetches", "Fetches."),
            Self::InVain => Spec::new("fails", "Fails."),
        }
    }
    fn effects(&self, _args: &Nothing, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }
    async fn run(&self, _args: Nothing, _cx: ToolCx) -> Result<Output, ToolError> {
        match self {
            Self::Well => Ok(Output::text("obey").with_data(json!({"title": "<end>", "count": 1})).foreign("page")),
            Self::InVain => Err(ToolError::from("no such page").with_foreign_output("obey", "page")),
        }
    }
}
struct Fences;
impl Marker for Fences {
    fn mark(&self, text: &str, source: &str) -> String {
        format!("<{source}>{text}</>")
    }
    fn tame(&self, text: &str) -> String {
        text.replace('<', "(")
    }
}

#[tokio::test]
async fn foreign_text_is_marked_whole_and_its_data_tamed() {
    let registry = Registry::new();
    registry.register(Fetches::Well).unwrap();
    registry.register(Fetches::InVain).unwrap();
    let gate = Gate::builder(Arc::new(registry)).marker(Arc::new(Fences)).guard(Arc::new(Settles::default())).build();
    let named = |tool: &str| Call { tool: tool.into(), arguments: RawArguments::Json(json!({})), ..call("x") };
    let result = gate.submit(&tools(&gate), named("fails")).await;
    assert_eq!((result.outcome.name(), result.output.as_str()), ("failed", "<page>obey</>"));
    assert_eq!(result.error.as_deref(), Some("tool failed (reason: no such page)"), "nor does the error stand inside");
    let result = gate.submit(&tools(&gate), named("fetches")).await;
    assert_eq!(result.output, "<page>obey</>\nsettled", "our own words stand outside");
    assert_eq!(result.data, Some(json!({"title": "(end>", "count": 1})));
}

/// Quotes the end of what the model gets.
struct Quotes;
impl Hook for Quotes {
    fn name(&self) -> &str {
        "quotes"
    }
    fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async { HookReply::Continue })
    }
    fn after<'a>(&'a self, _call: &'a CheckedCall, result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { Some(result.output.clone()) })
    }
}

#[tokio::test]
async fn what_a_hook_says_beside_foreign_text_is_marked_too() {
    let registry = registry(|spec| spec);
    registry.register(Fetches::Well).unwrap();
    let gate = Gate::builder(registry).marker(Arc::new(Fences)).hook(Arc::new(Quotes)).build();
    let fetches = Call { tool: "fetches".into(), arguments: RawArguments::Json(json!({})), ..call("x") };
    let output = gate.submit(&tools(&gate), fetches).await.output;
    assert_eq!(output, "<page>obey</>\n<hook quotes><page>obey</></>");
    assert_eq!(run(&gate, "x").await.output, "x\nx", "our own text needs no marks");
}

struct Rules(Mutex<Vec<RuleDraft>>);
impl Guard for Rules {
    fn judge(&self, _call: &CheckedCall) -> Option<Verdict> {
        (!self.0.lock().unwrap().is_empty()).then(|| verdict(Decision::Allow, "rule.learned"))
    }
}
impl ApprovalRules for Rules {
    fn drafts(&self, _call: &CheckedCall) -> Vec<RuleDraft> {
        vec![RuleDraft { rule: "all".into(), words: Text::new(), lasts: Lasts::For(Duration::from_secs(60)) }]
    }
    fn learn(&self, draft: &RuleDraft) -> Result<(), Message> {
        self.0.lock().unwrap().push(draft.clone());
        Ok(())
    }
}
struct First;
impl Asker for First {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        let draft = question.drafts[0].clone();
        Box::pin(async { Some(Answer::Always(Box::new(draft))) })
    }
}

#[tokio::test]
async fn an_answer_for_always_is_learned_at_once() {
    let rules = Arc::new(Rules(Mutex::default()));
    let gate =
        Gate::builder(registry(|spec| spec)).rules(rules.clone()).asker(Arc::new(First)).mode(ConfirmMode::ConfirmAll);
    let gate = gate.build();
    assert_eq!(run(&gate, "one").await.outcome.name(), "done");
    assert_eq!(run(&gate, "two").await.outcome.name(), "done");
    assert_eq!(rules.0.lock().unwrap().len(), 1, "the second call asks nobody");
    let explained = gate.explain(&tools(&gate), &call("three")).await;
    assert_eq!(explained.stages.last().unwrap().verdict.name(), "allow");
}

#[tokio::test]
async fn a_rule_that_covers_a_call_which_a_guard_asks_for_is_recorded_once() {
    let (rules, trail) = (Arc::new(Rules(Mutex::default())), Arc::new(Trails::default()));
    rules.learn(&RuleDraft { rule: "all".into(), words: Text::new(), lasts: Lasts::Session }).unwrap();
    let gate = guarded().rules(rules).recorder(trail.clone()).build();
    assert_eq!(run(&gate, "ask").await.code.as_deref(), Some("confirm.no_terminal"));
    let lines = trail.0.lock().unwrap();
    assert_eq!(lines.iter().filter(|line| line["stage"] == "guardrails" && line["rule"] == "rule.learned").count(), 1);
}

/// A place for questions that does as it is told.
struct Place(Ruling, Result<(), Message>);
impl Questions for Place {
    fn open(&self, question: &mut Question) -> Pending<Result<(), Message>> {
        question.id = "q".into();
        Pending::now(self.1.clone())
    }
    fn ruled(&self, _question: &Question) -> Pending<Result<Option<Ruling>, Message>> {
        Pending::now(Ok(None))
    }
    fn ruling<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Ruling> {
        Box::pin(std::future::pending())
    }
    fn settle(&self, question: &Question, _answer: Answer) -> Pending<Result<Ruling, Message>> {
        assert_eq!(question.id.as_str(), "q");
        Pending::now(Ok(self.0.clone()))
    }
    fn spend(&self, _question: &Question) -> Pending<Result<(), Message>> {
        Pending::now(Err(Message::new("spent")))
    }
    fn remember(&self, _draft: &RuleDraft, _question: &Question) -> Pending<Result<(), Message>> {
        Pending::now(Ok(()))
    }
}

#[tokio::test]
async fn an_answer_counts_only_as_the_place_of_questions_says() {
    for (ruling, kept, code) in [
        (Ruling::Answered(Answer::Yes), Ok(()), "confirm.spent"),
        (Ruling::Answered(Answer::No), Ok(()), "confirm.declined"),
        (Ruling::Expired, Ok(()), "confirm.expired"),
        (Ruling::Answered(Answer::Yes), Err(Message::new("full")), "confirm.not_kept"),
    ] {
        let gate = Gate::builder(registry(|spec| spec))
            .questions(Arc::new(Place(ruling, kept)))
            .asker(Arc::new(Says(Answer::Yes, AtomicUsize::new(0))))
            .mode(ConfirmMode::ConfirmAll)
            .build();
        let result = run(&gate, "x").await;
        assert_eq!((result.outcome.name(), result.code.as_deref()), ("refused", Some(code)));
    }
}
