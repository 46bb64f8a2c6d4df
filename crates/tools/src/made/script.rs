//! A made script as a tool. It has no effects of its own: it runs nothing and opens nothing, and whatever it asks for is a call of its own, judged
//! as such ([`CallsHandle`]). Who runs it is a door that only a program with a script engine brings.

use super::Vouched;
use super::command::{MARGIN, TIME, vouched_for};
use futures_util::future::BoxFuture;
use palanca_core::call::{Annotations, Cancel, Claims, ErrorKind, Scope, Spec};
use palanca_core::gate::CallsHandle;
use palanca_core::tool::{AnyTool, Prepared, PreviewCx};
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};
use palanca_dynamic::{Manifest, Permissions};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// A script with the arguments of one call.
#[derive(Clone, Debug)]
pub struct ScriptCall {
    /// The tool's name.
    pub tool: String,
    /// The script.
    pub source: Arc<str>,
    /// What it may ask for.
    pub permissions: Permissions,
    /// Its arguments.
    pub arguments: Value,
    /// How long it may take.
    pub time: Duration,
}

/// Runs scripts.
pub trait Scripts: Send + Sync {
    /// Runs it, once. What it asks for is submitted through `calls`.
    fn run<'a>(
        &'a self,
        script: &'a ScriptCall,
        calls: &'a CallsHandle,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>>;

    /// Whether a source can be read; nothing of it is run. A program without an engine has nothing against any.
    ///
    /// # Errors
    /// Where it cannot be read, and why.
    fn check<'a>(&'a self, source: &'a str, cancel: &'a Cancel) -> BoxFuture<'a, Result<(), Message>>;
}

palanca_core::handle! {
    /// Whoever runs scripts, for one call.
    pub(super) struct ScriptsHandle: dyn Scripts
}

impl ScriptsHandle {
    /// As [`Scripts::check`].
    pub(super) async fn check(&self, source: &str) -> Result<(), Message> {
        match &self.port {
            Some(port) => port.check(source, self.grant.cancel()).await,
            None => Ok(()),
        }
    }
}

struct MadeScript {
    spec: Spec,
    schema: Value,
    source: Arc<str>,
    permissions: Permissions,
    vouched: Arc<dyn Vouched>,
}

/// The tool.
#[must_use]
pub fn made_script(manifest: &Manifest, source: &str, vouched: Arc<dyn Vouched>) -> Arc<dyn AnyTool> {
    let spec = Spec::new(manifest.name.clone(), manifest.description.trim().to_owned());
    let annotations = hints(&manifest.permissions);
    let makes_calls = !manifest.permissions.is_empty();
    let spec = Spec { annotations, timeout: TIME + MARGIN, joins_lists: true, makes_calls, ..spec };
    let (source, permissions) = (source.into(), manifest.permissions.clone());
    Arc::new(MadeScript { spec, schema: manifest.parameters.schema(&[]), source, permissions, vouched })
}

/// What it may ask for is the most that it does.
fn hints(permissions: &Permissions) -> Annotations {
    let (sends, calls) = (!permissions.hosts.is_empty(), !permissions.tools.is_empty());
    Annotations { read_only: !sends && !calls, destructive: calls, idempotent: !sends && !calls, open_world: sends }
}

impl AnyTool for MadeScript {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let script = ScriptCall {
            tool: self.spec.name.clone().into_owned(),
            source: Arc::clone(&self.source),
            permissions: self.permissions.clone(),
            arguments: arguments.clone(),
            time: TIME,
        };
        Ok(Box::new(Prescribed { script, vouched: Arc::clone(&self.vouched) }))
    }
}

struct Prescribed {
    script: ScriptCall,
    vouched: Arc<dyn Vouched>,
}

impl Prepared for Prescribed {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        vouched_for(&*self.vouched)?;
        Ok(Claims::none())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(async move {
            vouched_for(&*self.vouched)?;
            let ScriptsHandle { port, grant } = cx.door();
            let none = || Message::new("dynamic-no-engine").with("name", self.script.tool.as_str());
            let port = port.ok_or_else(|| ToolError::new(ErrorKind::NotConfigured, none()))?;
            let calls = cx.door();
            port.run(&self.script, &calls, grant.cancel()).await
        })
    }
}
