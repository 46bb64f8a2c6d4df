//! A tool that speaks to a program: only to the one that was judged, with no wider reach, and for no longer than its call.

use futures_util::future::BoxFuture;
use palanca_core::call::{CanonicalPath, Claims, Effect, Launch, Root, Shell, ToolError};
use palanca_core::ports::{Ended, Exit, Profile, WorkspaceAccess, Written};
use palanca_core::registry::Override;
use palanca_core::tool::{AnyTool, FileDelta, Prepared, PreviewCx};
use palanca_core::{ConfirmMode, Output, Preview, Registry, Scope, Spec, ToolCx};
use palanca_testkit::{FakeProcesses, TempWorkspace, TestGate};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Claims the program `server`, says `ping` to the program `start` and shows the answer. With `readable`, it asks for a folder
/// that was not judged.
struct Speaks {
    spec: Spec,
    schema: Value,
}

struct Speaking {
    start: String,
    profile: Profile,
}

impl AnyTool for Speaks {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let readable = arguments["readable"].as_str().map(Into::into);
        let profile = Profile { readable: readable.into_iter().collect(), ..Profile::alone() };
        Ok(Box::new(Speaking { start: arguments["start"].as_str().unwrap().to_owned(), profile }))
    }
}

impl Prepared for Speaking {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::Run(Box::new(Launch::script(Shell::Sh, "server", ".".to_owned()))).into())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(async move {
            let launch = Launch::script(Shell::Sh, self.start.clone(), CanonicalPath::new(Root::Workspace, "".into()));
            let attached = cx.processes().attach(&launch, &self.profile).await;
            let mut server = attached.map_err(palanca_core::ports::ProcessError::into_tool_error)?;
            let mut stdin = server.stdin.take().unwrap();
            stdin.write_all(b"ping").await.unwrap();
            stdin.flush().await.unwrap();
            let mut answer = [0; 4];
            server.stdout.as_mut().unwrap().read_exact(&mut answer).await.unwrap();
            drop(stdin);
            let exit = server.wait().await.exit;
            Ok(Output::text(format!("{} {exit:?}", String::from_utf8_lossy(&answer))))
        })
    }
}

fn gate(workspace: &TempWorkspace, door: &Arc<FakeProcesses>) -> TestGate {
    let text = json!({"type": "string"});
    let schema = json!({"type": "object", "properties": {"start": text, "readable": text}, "required": ["start"]});
    let registry = Registry::new();
    let tool = Speaks { spec: Spec::new("speak", "Speaks to a program."), schema };
    registry.register_any(Arc::new(tool), Override::Refuse).unwrap();
    TestGate::builder(workspace, registry).processes(Arc::clone(door) as _).mode(ConfirmMode::Yolo).build()
}

#[tokio::test]
async fn only_what_was_judged_is_spoken_to_and_its_changes_are_the_calls() {
    let (workspace, door) = (TempWorkspace::new(), Arc::new(FakeProcesses::default()));
    let gate = gate(&workspace, &door);
    for arguments in [json!({"start": "another"}), json!({"start": "server", "readable": "/etc"})] {
        assert_eq!(gate.call("speak", arguments).await.code.as_deref(), Some("not_granted"));
    }
    assert_eq!(door.launches(), []);
    let delta = FileDelta {
        path: CanonicalPath::new(Root::Workspace, "a.txt".into()),
        from: None,
        added: 1,
        removed: 0,
        before: None,
        after: Some(b"a\n".to_vec()),
    };
    let play = async {
        let mut far = loop {
            match door.attached() {
                Some(far) => break far,
                None => tokio::task::yield_now().await,
            }
        };
        assert_eq!(far.profile.workspace, WorkspaceAccess::None);
        let mut said = [0; 4];
        far.stdin.read_exact(&mut said).await.unwrap();
        assert_eq!(&said, b"ping");
        far.stdout.write_all(b"pong").await.unwrap();
        // The rest is end of file.
        assert_eq!(far.stdin.read(&mut said).await.unwrap(), 0);
        far.ends(Ended { exit: Exit::Code(0), written: Written { changed: vec![delta], refused: Vec::new() } });
    };
    let (result, ()) = tokio::join!(gate.call("speak", json!({"start": "server"})), play);
    assert_eq!(result.output, "pong Code(0)\nChanged: A a.txt");
}

#[tokio::test]
async fn it_ends_with_its_call() {
    let (workspace, door) = (TempWorkspace::new(), Arc::new(FakeProcesses::default()));
    let gate = gate(&workspace, &door);
    let mut call = Box::pin(gate.call("speak", json!({"start": "server"})));
    let far = loop {
        assert!(futures_util::poll!(&mut call).is_pending());
        match door.attached() {
            Some(far) => break far,
            None => tokio::task::yield_now().await,
        }
    };
    assert!(!far.stop.is_cancelled());
    drop(call);
    far.stop.cancelled().await;
}
