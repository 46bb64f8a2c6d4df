//! Made scripts are run by the script engine, each in a process of its own. What a script asks for is a call like any other, through the gate
//! and in the scope of the script's own call: rules, mode, ceilings, taint, questions, budget and records hold for it.
//!
//! The permissions that a person approved are checked first, by the engine; nothing that is not among them becomes a call. A script gets
//! the same as a model that makes the call: secrets are taken out, and foreign text taints the session.

use futures_util::future::BoxFuture;
use palanca_core::arguments::RawArguments;
use palanca_core::call::ErrorKind;
use palanca_core::gate::CallsHandle;
use palanca_core::registry::Override;
use palanca_core::tool::Cancel;
use palanca_core::{Message, Output, Registry, ToolError, ToolResult, Toolset, ToolsetName};
use palanca_scripts::{Answer, Engine, Limit, Limits, Permissions, Request, Requests, Script, ScriptError};
use palanca_tools::{FETCH, READ, ScriptCall, Scripts, asked_by_scripts};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The engine as the door of made scripts.
pub(crate) struct Runner(pub(crate) Engine);

impl Scripts for Runner {
    fn run<'a>(
        &'a self,
        script: &'a ScriptCall,
        calls: &'a CallsHandle,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let palanca_dynamic::Permissions { hosts, reads, tools } = script.permissions.clone();
            let permissions = Permissions { hosts, reads, tools };
            let limits = Limits { time: script.time, ..Limits::default() };
            let run =
                Script { source: &script.source, arguments: &script.arguments, permissions: &permissions, limits };
            let failed = |kind| ToolError::new(kind, Message::new("dynamic-script-failed").with("name", &*script.tool));
            let asked = Asked::new(calls, &permissions);
            match self.0.run(&run, &asked, cancel).await {
                Ok(outcome) if outcome.success => Ok(Output::text(outcome.content).foreign(script.tool.as_str())),
                Ok(outcome) => {
                    Err(failed(ErrorKind::Failed).with_foreign_output(outcome.content, script.tool.as_str()))
                }
                Err(ScriptError::NotBuilt) => {
                    let none = Message::new("dynamic-no-engine").with("name", script.tool.as_str());
                    Err(ToolError::new(ErrorKind::NotConfigured, none))
                }
                Err(error) => Err(failed(kind(&error)).with_foreign_output(error.message(), script.tool.as_str())),
            }
        })
    }

    fn check<'a>(&'a self, source: &'a str, cancel: &'a Cancel) -> BoxFuture<'a, Result<(), Message>> {
        Box::pin(async move {
            let checked = self.0.check(source, cancel).await;
            checked.err().as_ref().and_then(fault_of_source).map_or(Ok(()), Err)
        })
    }
}

/// What the source is guilty of; that it could not be checked is said when it runs.
fn fault_of_source(error: &ScriptError) -> Option<Message> {
    matches!(error, ScriptError::Syntax(_) | ScriptError::TooLong(_) | ScriptError::Nested).then(|| error.message())
}

const fn kind(error: &ScriptError) -> ErrorKind {
    match error {
        ScriptError::Cancelled => ErrorKind::Cancelled,
        ScriptError::Limited { limit: Limit::Time, .. } => ErrorKind::Timeout,
        _ => ErrorKind::Failed,
    }
}

/// Makes a call of each request.
struct Asked<'a> {
    calls: &'a CallsHandle,
    /// The tools that fetch and read for scripts.
    own: Toolset,
}

impl<'a> Asked<'a> {
    fn new(calls: &'a CallsHandle, permissions: &Permissions) -> Self {
        let (registry, permissions) = (Registry::new(), permissions.clone());
        if calls.toolset().is_some() {
            for tool in asked_by_scripts(Arc::new(move |url| permissions.allow_fetching(url))) {
                // ignored: these two names and schemas are ours, and such that every registry takes them.
                let _ = registry.register_any(tool, Override::Refuse);
            }
        }
        Self { calls, own: registry.snapshot() }
    }

    async fn submit(&self, toolset: &Toolset, tool: &str, arguments: RawArguments) -> Result<ToolResult, Message> {
        let result = self.calls.submit(toolset, tool, arguments).await;
        result.ok_or_else(|| Message::new("script-nobody-answers"))
    }

    async fn own(&self, tool: &str, arguments: Value) -> Result<ToolResult, Message> {
        let result = self.submit(&self.own, tool, RawArguments::Json(arguments)).await?;
        match result.error {
            Some(error) => Err(Message::new("script-request-failed").with("error", error)),
            None => Ok(result),
        }
    }
}

/// An answer to a fetch, as its tool tells it.
#[derive(Deserialize)]
struct Fetched {
    status: u16,
    url: String,
    headers: Vec<(String, String)>,
    body: String,
    encoded: bool,
}

impl Fetched {
    fn answer(self) -> Option<Answer> {
        let body = match self.encoded {
            true => data_encoding::BASE64.decode(self.body.as_bytes()).ok()?,
            false => self.body.into_bytes(),
        };
        Some(Answer::Response { status: self.status, url: self.url, headers: self.headers, body })
    }
}

impl Requests for Asked<'_> {
    fn answer<'a>(&'a self, request: Request) -> BoxFuture<'a, Result<Answer, Message>> {
        Box::pin(async move {
            match request {
                Request::Fetch { url, method, headers, body } => {
                    let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                    let arguments = json!({"url": url, "method": method, "headers": headers, "body": body});
                    let result = self.own(FETCH, arguments).await?;
                    let fetched = result.data.and_then(|data| serde_json::from_value::<Fetched>(data).ok());
                    // Without data it was described, not done: a dry run.
                    let none = || Message::new("script-request-failed").with("error", result.output);
                    fetched.and_then(Fetched::answer).ok_or_else(none)
                }
                Request::Read { path } => {
                    let result = self.own(READ, json!({ "path": path })).await?;
                    Ok(Answer::Text(result.output))
                }
                Request::Call { tool, arguments } => {
                    let toolset = self.calls.toolset().ok_or_else(|| Message::new("script-nobody-answers"))?;
                    let result = self.submit(toolset, &tool, RawArguments::Text(arguments)).await?;
                    let told = result.to_json(ToolsetName::Bots);
                    let content = told.get("content").and_then(Value::as_str).unwrap_or_default().to_owned();
                    Ok(Answer::Result { success: result.success, content })
                }
            }
        })
    }
}
