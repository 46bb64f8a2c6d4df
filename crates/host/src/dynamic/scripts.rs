//! Made scripts are run by the script engine, each in a process of its own. Nothing answers what a script asks for.

use futures_util::future::BoxFuture;
use palanca_core::call::{ErrorKind, Scope};
use palanca_core::ports::Voice;
use palanca_core::tool::Cancel;
use palanca_core::{Message, Output, ToolError};
use palanca_scripts::{Answer, Engine, Limit, Limits, Permissions, Request, Requests, Script, ScriptError};
use palanca_tools::{ScriptCall, Scripts};

/// The engine as the door of made scripts.
pub(crate) struct Runner(pub(crate) Engine);

impl Scripts for Runner {
    fn run<'a>(
        &'a self,
        script: &'a ScriptCall,
        (_, cancel): (&'a Scope, &'a Cancel),
        _voice: &'a Voice,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let palanca_dynamic::Permissions { hosts, reads, tools } = script.permissions.clone();
            let permissions = Permissions { hosts, reads, tools };
            let limits = Limits { time: script.time, ..Limits::default() };
            let run =
                Script { source: &script.source, arguments: &script.arguments, permissions: &permissions, limits };
            let failed = |kind| ToolError::new(kind, Message::new("dynamic-script-failed").with("name", &*script.tool));
            match self.0.run(&run, &Unanswered, cancel).await {
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
}

const fn kind(error: &ScriptError) -> ErrorKind {
    match error {
        ScriptError::Cancelled => ErrorKind::Cancelled,
        ScriptError::Limited { limit: Limit::Time, .. } => ErrorKind::Timeout,
        _ => ErrorKind::Failed,
    }
}

/// What a script is told that fetches, reads or calls.
struct Unanswered;

impl Requests for Unanswered {
    fn answer<'a>(&'a self, _: Request) -> BoxFuture<'a, Result<Answer, Message>> {
        Box::pin(async { Err(Message::new("dynamic-script-asks")) })
    }
}
