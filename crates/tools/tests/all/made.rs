//! Tools that bots make: `create_tool`, and a made command as a tool.

mod corpus;

use crate::support::{builder, done, failed, options};
use palanca_core::registry::Override;
use palanca_core::{Message, Registry};
use palanca_dynamic::Manifest;
use palanca_testkit::{FakeProcesses, TempWorkspace, TestGate};
use palanca_tools::{ToolOptions, ToolsetName, Vouched, made_command, made_script};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::sync::Arc;

fn word_count() -> Value {
    json!({
        "name": "word_count", "description": "Counts words.", "type": "command", "source": "printf %s {{text}} | wc -w",
        "parameters": {"text": {"type": "string", "description": "The text", "required": true}},
    })
}

fn with(change: Value) -> Value {
    let mut tool = word_count();
    for (key, value) in change.as_object().unwrap() {
        tool[key] = value.clone();
    }
    tool
}

fn on(workspace: &TempWorkspace, most: usize) -> TestGate {
    let mut options = options();
    options.dynamic.most = most;
    options.bots.own = "ana".to_owned();
    builder(workspace, ToolsetName::Bots, &options).build()
}

#[tokio::test]
async fn a_tool_is_made_as_two_files_and_pending() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace, 20);
    let made = done(&gate, "create_tool", word_count()).await;
    assert_eq!(made.data, Some(json!({"id": "word_count", "status": "pending"})));
    assert!(made.output.contains("palanca dynamic approve word_count"), "{}", made.output);
    let diff = made.diff.unwrap();
    assert!(diff.contains("+printf %s {{text}} | wc -w") && diff.contains("+  \"createdBy\": \"ana\""), "{diff}");
    assert_eq!(workspace.text("data/tools/word_count/tool.sh"), "printf %s {{text}} | wc -w");
    let meta = workspace.text("data/tools/word_count/meta.json");
    let manifest = Manifest::parse("word_count", &meta).unwrap();
    assert_eq!((manifest.scope.as_str(), manifest.created_by.as_str()), ("all", "ana"));
    let (code, text) = failed(&gate, "create_tool", word_count()).await;
    assert!(code == "exists" && text.contains("pending"), "{text}");
}

#[tokio::test]
async fn what_no_tool_may_be_is_refused_before_anybody_is_asked() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace, 20);
    for (change, said) in [
        (json!({"name": "Word"}), "snake_case"),
        (json!({"name": "exec"}), "name of another tool"),
        (json!({"name": "read_file"}), "name of another tool"),
        (json!({"name": "mcp_x_y"}), "name of another tool"),
        (json!({"name": "../x"}), "snake_case"),
        (json!({"description": " "}), "`description` is empty"),
        (json!({"scope": "nobody"}), "all, ana, eva"),
        (json!({"source": "{{text}} -l"}), "must name its programs"),
        (json!({"source": "rm -rf {{text}}"}), "rm -rf"),
        (json!({"source": "cat {{file}}"}), "there is no parameter `file`"),
        (json!({"parameters": {"text": {"type": "exec"}}}), "`text`"),
        (json!({"permissions": {"hosts": ["example.com"]}}), "for scripts"),
        (json!({"type": "typescript", "source": "process.exit(0)"}), "process.exit"),
    ] {
        let (code, text) = failed(&gate, "create_tool", with(change.clone())).await;
        assert_eq!(code, "invalid_arguments", "{change}: {text}");
        assert!(text.contains(said), "{change}: {text}");
    }
    assert!(!workspace.has("data"));
}

#[tokio::test]
async fn there_are_never_more_than_the_limit() {
    let workspace = TempWorkspace::new();
    let gate = Arc::new(on(&workspace, 3));
    let all = (0..12).map(|number| {
        let gate = Arc::clone(&gate);
        async move { gate.call("create_tool", with(json!({"name": format!("tool_{number}")}))).await.success }
    });
    let made = futures_util::future::join_all(all).await.into_iter().filter(|made| *made).count();
    let kept = workspace.everything().keys().filter(|path| path.ends_with("meta.json")).count();
    assert!(made <= 3 && kept == made, "{made} {kept}");
    while gate
        .call("create_tool", with(json!({"name": format!("more_{}", workspace.everything().len())})))
        .await
        .success
    {}
    assert_eq!(workspace.everything().keys().filter(|path| path.ends_with("meta.json")).count(), 3);
    let (_, text) = failed(&gate, "create_tool", with(json!({"name": "last"}))).await;
    assert!(text.contains("(the limit: 3)"), "{text}");
}

/// Vouches until it is told otherwise.
#[derive(Default)]
struct Until(Mutex<Option<Message>>);

impl Vouched for Until {
    fn holds(&self) -> Result<(), Message> {
        self.0.lock().clone().map_or(Ok(()), Err)
    }
}

fn manifest(kind: &str) -> Manifest {
    let mut meta = word_count();
    for (key, value) in [
        ("id", json!("word_count")),
        ("type", json!(kind)),
        ("status", json!("pending")),
        ("createdBy", json!("ana")),
        ("createdAt", json!("")),
        ("updatedAt", json!("")),
    ] {
        meta[key] = value;
    }
    meta.as_object_mut().unwrap().shift_remove("source");
    Manifest::parse("word_count", &meta.to_string()).unwrap()
}

fn made(workspace: &TempWorkspace, programs: &Arc<FakeProcesses>, vouched: &Arc<Until>) -> TestGate {
    let registry = Registry::with_shape(ToolsetName::Bots);
    let options = Arc::new(ToolOptions::default());
    let tool = made_command(&manifest("command"), "printf %s {{text}} | wc -w", Arc::clone(vouched) as _, &options);
    registry.register_any(tool.unwrap(), Override::Refuse).unwrap();
    TestGate::builder(workspace, registry).processes(Arc::clone(programs) as _).build()
}

#[tokio::test]
async fn a_made_command_runs_with_its_value_as_one_argument() {
    let (workspace, vouched) = (TempWorkspace::new(), Arc::new(Until::default()));
    let programs = Arc::new(FakeProcesses::printing("3\n", ""));
    let gate = made(&workspace, &programs, &vouched);
    let result = done(&gate, "word_count", json!({"text": "a; rm -rf / 'b' $(id)"})).await;
    assert!(result.output.contains('3') && result.foreign, "{result:?}");
    let launches = programs.launches();
    assert_eq!(launches[0].command.argv()[2], r"printf %s 'a; rm -rf / '\''b'\'' $(id)' | wc -w");
    let (code, _) = failed(&gate, "word_count", json!({})).await;
    assert_eq!(code, "invalid_arguments");
    *vouched.0.lock() = Some(Message::new("dynamic-is-changed").with("name", "word_count").with("note", ""));
    let (code, text) = failed(&gate, "word_count", json!({"text": "x"})).await;
    assert!(code == "disabled" && text.contains("was changed"), "{text}");
    assert_eq!(programs.launches().len(), 1);
}

#[tokio::test]
async fn without_an_engine_a_made_script_says_so() {
    let workspace = TempWorkspace::new();
    let registry = Registry::with_shape(ToolsetName::Bots);
    let tool = made_script(&manifest("typescript"), "export default () => 1", Arc::new(Until::default()));
    registry.register_any(tool, Override::Refuse).unwrap();
    let gate = TestGate::builder(&workspace, registry).build();
    let (code, text) = failed(&gate, "word_count", json!({"text": "x"})).await;
    assert!(code == "not_configured" && text.contains("no script engine"), "{text}");
}
