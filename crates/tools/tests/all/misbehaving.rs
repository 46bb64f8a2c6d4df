//! Tools that panic, hang, return too much or say one thing and do another: an ordinary failed result, and the next call
//! works.

use palanca_core::call::{Claims, Effect, Scope, WriteKind};
use palanca_core::ports::{Change, Expect, FileErrorKind, Visit, WalkOptions};
use palanca_core::tool::{Annotations, Lane};
use palanca_core::{Args, ConfirmMode, Output, Registry, Spec, Tool, ToolCx, ToolError};
use palanca_testkit::{TempWorkspace, TestGate};
use serde_json::json;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}
impl Args for Nothing {}

type Run = fn(&ToolCx, &Gate) -> Result<Output, ToolError>;

/// Holds a thread until the test lets it go.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
    finished: AtomicBool,
}

impl Gate {
    fn wait(&self) {
        let open = self.open.lock().unwrap();
        drop(self.changed.wait_while(open, |open| !*open).unwrap());
    }

    fn release(&self) {
        *self.open.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

/// A tool that claims one thing and does another.
struct Misbehaving {
    name: &'static str,
    claims: Vec<Effect<String>>,
    limit: Duration,
    gate: Arc<Gate>,
    run: Run,
}

impl Tool for Misbehaving {
    type Args = Nothing;

    fn spec(&self) -> Spec {
        let spec = Spec::new(Cow::Borrowed(self.name), "misbehaves").annotated(Annotations::WRITES);
        spec.timeout(self.limit).blocking()
    }

    fn effects(&self, _args: &Nothing, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(self.claims.iter().cloned().collect())
    }

    async fn run(&self, _args: Nothing, cx: ToolCx) -> Result<Output, ToolError> {
        (self.run)(&cx, &self.gate)
    }
}

/// One that tells whose thread it runs on.
struct Where(Lane);

impl Tool for Where {
    type Args = Nothing;

    fn spec(&self) -> Spec {
        Spec { lane: self.0, ..Spec::new(format!("{:?}", self.0), "tells its thread") }
    }

    fn effects(&self, _args: &Nothing, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::ReadFile("a.txt".to_owned()).into())
    }

    async fn run(&self, _args: Nothing, _cx: ToolCx) -> Result<Output, ToolError> {
        Ok(Output::text(format!("{:?}", std::thread::current().id())))
    }
}

#[tokio::test]
async fn a_thread_is_started_for_what_may_hold_it() {
    let here = format!("{:?}", std::thread::current().id());
    for (lane, size, expected) in [
        (Lane::Cooperative, 1, true),
        (Lane::Reading, 1, true),
        (Lane::Reading, 200 << 10, false),
        (Lane::Blocking, 1, false),
    ] {
        let workspace = TempWorkspace::with(&[("a.txt", &"a".repeat(size))]);
        let registry = Registry::new();
        registry.register(Where(lane)).unwrap();
        let gate = TestGate::builder(&workspace, registry).build();
        let result = gate.call(&format!("{lane:?}"), json!({})).await;
        assert_eq!(result.output == here, expected, "{lane:?}, {size} bytes: {}", result.output);
    }
}

/// One that waits for ever without holding its thread.
struct Pending;

impl Tool for Pending {
    type Args = Nothing;

    fn spec(&self) -> Spec {
        Spec::new("pending", "never ends").timeout(Duration::from_millis(50))
    }

    fn effects(&self, _args: &Nothing, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, _args: Nothing, _cx: ToolCx) -> Result<Output, ToolError> {
        std::future::pending().await
    }
}

fn write(cx: &ToolCx, path: &str) -> Result<Output, ToolError> {
    let path = cx.files().locate(path)?;
    let content = b"written".to_vec();
    cx.files().commit(&[Change::Write { path, content, expect: Expect::Anything, mode: None }])?;
    Ok(Output::text("wrote"))
}

struct Tried {
    workspace: TempWorkspace,
    held: Arc<Gate>,
    gate: TestGate,
}

fn tried(claims: Vec<Effect<String>>, limit: Duration, run: Run) -> Tried {
    let workspace = TempWorkspace::with(&[("a.txt", "a"), ("b.txt", "b"), ("d/c.txt", "c")]);
    let registry = Registry::new();
    let held = Arc::new(Gate::default());
    let tool = Misbehaving { name: "misbehaving", claims, limit, gate: Arc::clone(&held), run };
    registry.register(tool).unwrap();
    registry.register(Pending).unwrap();
    palanca_tools::register_all(&registry, palanca_tools::ToolsetName::Palanca, &palanca_tools::ToolOptions::default())
        .unwrap();
    let gate = TestGate::builder(&workspace, registry).mode(ConfirmMode::Yolo).build();
    Tried { workspace, held, gate }
}

impl Tried {
    /// The tool fails like this, changes nothing, and the next call works.
    async fn fails(&self, outcome: &str, code: &str) -> String {
        let before = self.workspace.everything();
        let result = self.gate.call("misbehaving", json!({})).await;
        assert_eq!((result.outcome.name(), result.code.as_deref()), (outcome, Some(code)), "{}", result.for_model());
        assert_eq!(self.workspace.everything(), before);
        self.next_works().await;
        result.for_model()
    }

    async fn next_works(&self) {
        let next = self.gate.call("write_file", json!({"path": "a.txt", "content": "next"})).await;
        assert!(next.success, "{}", next.for_model());
        assert_eq!(self.workspace.text("a.txt"), "next");
    }
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn lies_about_effects_are_refused_by_the_door() {
    let read = |path: &str| vec![Effect::ReadFile(path.to_owned())];
    let edit = |path: &str| vec![Effect::WriteFile { path: path.to_owned(), kind: WriteKind::Edit }];
    let lies: Vec<(Vec<Effect<String>>, Run)> = vec![
        (vec![], |cx, _| write(cx, "b.txt")),
        (read("b.txt"), |cx, _| write(cx, "b.txt")),
        (edit("a.txt"), |cx, _| write(cx, "b.txt")),
        (vec![Effect::ReadTree(".".to_owned())], |cx, _| write(cx, "d/c.txt")),
        (read("a.txt"), |cx, _| {
            let path = cx.files().locate("b.txt")?;
            cx.files().open(&path)?;
            Ok("read".into())
        }),
        (read("d"), |cx, _| {
            let path = cx.files().locate("d/c.txt")?;
            cx.files().open(&path)?;
            Ok("read".into())
        }),
        (read("d"), |cx, _| {
            let path = cx.files().locate("d")?;
            let options = WalkOptions { max_depth: 9, ignore_files: Visit::Show, hidden: Visit::Show };
            cx.files().walk(&path, options, &|_| palanca_core::ports::Flow::Continue)?;
            Ok("walked".into())
        }),
        (edit("a.txt"), |cx, _| {
            let from = cx.files().locate("a.txt")?;
            let to = cx.files().locate("moved.txt")?;
            cx.files().commit(&[Change::Move { from, to }])?;
            Ok("moved".into())
        }),
    ];
    for (claims, run) in lies {
        let text = tried(claims, LONG, run).fails("refused", "not_granted").await;
        assert!(text.contains("not among the paths that this call declared"), "{text}");
    }
    let escaping = tried(edit("a.txt"), LONG, |cx, _| match cx.files().locate("../x") {
        Err(error) if error.kind == FileErrorKind::Outside => Err(error.into()),
        other => panic!("{other:?}"),
    });
    escaping.fails("refused", "outside_workspace").await;
}

#[tokio::test]
async fn a_panic_is_a_failed_result() {
    let panics = tried(vec![], LONG, |_, _| panic!("private detail"));
    let text = panics.fails("failed", "panicked").await;
    assert!(!text.contains("private detail"), "{text}");
    let records = panics.gate.recorded.records();
    assert_eq!(records[0]["detail"], "private detail");
}

#[tokio::test]
async fn what_hangs_is_left_behind() {
    let hangs = tried(vec![], SHORT, |_, held| {
        held.wait();
        Ok("late".into())
    });
    let text = hangs.fails("stopped", "timeout").await;
    assert!(text.contains("0.05 seconds"), "{text}");
    hangs.held.release();
    let pending = hangs.gate.call("pending", json!({})).await;
    assert_eq!((pending.outcome.name(), pending.code.as_deref()), ("stopped", Some("timeout")));
    hangs.next_works().await;
}

#[tokio::test]
async fn what_was_left_behind_changes_nothing_any_more() {
    let edit = vec![Effect::WriteFile { path: "b.txt".to_owned(), kind: WriteKind::Edit }];
    let late = tried(edit, SHORT, |cx, held| {
        held.wait();
        let result = write(cx, "b.txt");
        held.finished.store(true, Ordering::SeqCst);
        result
    });
    let result = late.gate.call("misbehaving", json!({})).await;
    assert_eq!(result.outcome.name(), "stopped");
    late.held.release();
    while !late.held.finished.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    assert_eq!(late.workspace.text("b.txt"), "b");
}

#[tokio::test]
async fn a_huge_result_is_bounded() {
    let huge = tried(vec![], LONG, |_, _| Ok(Output::text("x".repeat(64 << 20)).with_diff("y".repeat(2 << 20))));
    let result = huge.gate.call("misbehaving", json!({})).await;
    assert!(result.success && result.truncated);
    assert!(result.output.len() < (1 << 20) + 200, "{}", result.output.len());
    assert!(result.output.contains("of 67108864 bytes omitted"));
    assert_eq!(result.diff, None);
    huge.next_works().await;
    let failing = tried(vec![], LONG, |_, _| Err(ToolError::from("no").with_output("z".repeat(8 << 20))));
    let result = failing.gate.call("misbehaving", json!({})).await;
    assert!(!result.success && result.output.len() < (1 << 20) + 200);
    assert_eq!(result.error.as_deref(), Some("no"));
}
