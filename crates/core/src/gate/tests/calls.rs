//! Calls that a running tool makes.

use super::*;
use crate::gate::CallsHandle;
use crate::message::Message;
use tokio::sync::Notify;

/// Calls these tools, each with the argument `act`, and says what came of it.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Each {
    calls: Vec<(String, String)>,
}
impl Args for Each {}

struct Caller(Spec);

impl Tool for Caller {
    type Args = Each;

    fn spec(&self) -> Spec {
        self.0.clone()
    }

    fn effects(&self, _args: &Each, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, args: Each, cx: ToolCx) -> Result<Output, ToolError> {
        let calls: CallsHandle = cx.door();
        let Some(toolset) = calls.toolset() else { return Ok("none".into()) };
        let mut said = Vec::new();
        for (tool, act) in args.calls {
            let arguments =
                if tool == "act" || tool == "ask" { json!({ "act": act }) } else { json!({"calls": [[act, "echo"]]}) };
            let result = calls.submit(toolset, &tool, RawArguments::Json(arguments)).await.unwrap();
            said.push(format!("{}: {}", result.code.unwrap_or_default(), result.output));
        }
        Ok(said.join(", ").into())
    }
}

fn house(timeout: Duration) -> Arc<Registry> {
    let registry = registry(|spec| spec);
    for name in ["one", "two", "three"] {
        let spec = Spec { makes_calls: true, ..Spec::new(name, "Calls.").timeout(timeout) };
        registry.register(Caller(spec)).unwrap();
    }
    registry.register(Caller(Spec::new("alone", "Calls nobody."))).unwrap();
    let ask = Spec { sensitivity: Sensitivity::Always, ..Spec::new("ask", "Needs a person.") };
    registry.register(Actor { spec: ask }).unwrap();
    registry
}

fn calls(tool: &str, calls: &[(&str, &str)]) -> Call {
    let arguments = RawArguments::Json(json!({ "calls": calls }));
    Call { tool: tool.into(), arguments, origin: Origin::Model { step: 1 }, ..call("") }
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn each_is_a_call_of_its_own_beneath_the_same_guards() {
    let log = Arc::new(Log::default());
    let gate = Gate::builder(house(LONG)).guard(Arc::new(Denies("never"))).recorder(log.clone()).build();
    let all = [("act", "hello"), ("act", "never"), ("act", "fail"), ("nothing", ""), ("ask", "x")];
    let result = gate.submit(&tools(&gate), calls("one", &all)).await;
    let said = ": hello, test.never: , io: 3 tests failed, unknown_tool: , confirm.no_terminal: ";
    assert_eq!(result.output, said);
    let lines = log.lines.lock().unwrap();
    let told: Vec<_> = lines.iter().map(|line| (line["call"].clone(), line["origin"]["kind"].clone())).collect();
    let mut expected: Vec<_> = (1..=5).map(|number| (json!(format!("c1.{number}")), json!("script"))).collect();
    expected.push((json!("c1"), json!("model")));
    assert_eq!(told, expected);
    assert_eq!(lines[0]["origin"]["tool"], "one");
}

#[tokio::test]
async fn tools_that_make_calls_do_not_go_in_circles_and_not_deep() {
    let gate = Gate::builder(house(LONG)).build();
    for (tool, made, said) in [
        ("one", ("one", "act"), "calls.within: "),
        ("one", ("two", "act"), ": : echo"),
        ("one", ("two", "one"), ": calls.within: "),
        ("one", ("two", "three"), ": calls.within: "),
        ("alone", ("act", "hello"), "none"),
    ] {
        let result = gate.submit(&tools(&gate), calls(tool, &[made])).await;
        assert_eq!(result.output, said, "{tool} {made:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_stands_while_a_call_is_under_way() {
    let registry = house(Duration::from_secs(2));
    registry.register(Waits).unwrap();
    let gate = Gate::builder(registry).build();
    let result = gate.submit(&tools(&gate), calls("one", &[("waits", "x"), ("waits", "x")])).await;
    assert!(result.success, "{result:?}");
}

/// Takes longer than its caller may.
struct Waits;
impl Tool for Waits {
    type Args = Each;
    fn spec(&self) -> Spec {
        Spec::new("waits", "Waits.")
    }
    fn effects(&self, _args: &Each, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }
    async fn run(&self, _args: Each, _cx: ToolCx) -> Result<Output, ToolError> {
        tokio::time::sleep(Duration::from_secs(30)).await;
        Ok("waited".into())
    }
}

struct Halts;
impl Guard for Halts {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        (call.arguments()["act"] == "loop").then(|| Verdict {
            decision: Decision::Halt,
            rule: "test.halt".to_owned(),
            to_model: Message::new("halted"),
            to_operator: String::new(),
        })
    }
}

#[tokio::test]
async fn who_ends_everything_ends_the_run_that_made_the_call() {
    let log = Arc::new(Log::default());
    let asker = Arc::new(Says(Answer::Abort, AtomicUsize::new(0)));
    let gate = Gate::builder(house(LONG)).guard(Arc::new(Halts)).asker(asker).recorder(log.clone()).build();
    for (made, code) in [(("ask", "x"), "cancelled"), (("act", "loop"), "halted")] {
        let result = gate.submit(&tools(&gate), calls("one", &[made, ("act", "hang")])).await;
        assert_eq!((result.outcome.name(), result.code.as_deref()), ("stopped", Some(code)), "{result:?}");
    }
}

/// Says that it runs, and does not end.
struct Hangs(Arc<Notify>);
impl Tool for Hangs {
    type Args = Each;
    fn spec(&self) -> Spec {
        Spec::new("hangs", "Hangs.")
    }
    fn effects(&self, _args: &Each, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }
    async fn run(&self, _args: Each, _cx: ToolCx) -> Result<Output, ToolError> {
        self.0.notify_one();
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_call_that_is_cancelled_takes_those_that_it_made_along() {
    let (cancel, log, runs) = (Cancel::new(), Arc::new(Log::default()), Arc::new(Notify::new()));
    let registry = house(LONG);
    registry.register(Hangs(Arc::clone(&runs))).unwrap();
    let gate = Gate::builder(registry).cancel(cancel.clone()).recorder(log.clone()).build();
    let tools = tools(&gate);
    let begun = async {
        runs.notified().await;
        cancel.cancel();
    };
    let (result, ()) = tokio::join!(gate.submit(&tools, calls("one", &[("hangs", "x")])), begun);
    assert_eq!(result.outcome.name(), "stopped");
    let recorded = async {
        while log.lines.lock().unwrap().len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, recorded).await.unwrap();
    let lines = log.lines.lock().unwrap();
    assert!(lines.iter().any(|line| line["call"] == "c1.1" && line["outcome"] == "stopped"), "{lines:?}");
}
