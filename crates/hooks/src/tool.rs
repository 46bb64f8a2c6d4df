//! Hooks around calls, as called by the gate.

use crate::event::Event;
use crate::files::{File, Which};
use crate::occasion::{OUTPUT_CHARS, PostToolUse, PreToolUse, first};
use crate::once::{About, Effective, Once};
use futures_util::future::BoxFuture;
use palanca_core::call::{Effect, ToolResult};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{Hook, HookReply, Redactor};
use serde_json::Value;

impl Once {
    fn about<'a>(&'a self, call: &'a CheckedCall, files: &'a [File]) -> About<'a> {
        About { call: call.id(), tool: &call.spec().name, files, cancel: &self.around.cancel }
    }

    /// The files of the call if this hook runs for it.
    pub(crate) fn files_of(&self, call: &CheckedCall, which: Which) -> Option<Vec<File>> {
        self.applies(&call.spec().name, self.around.places.files(call, which))
    }
}

impl Hook for Once {
    fn name(&self) -> &str {
        &self.name
    }

    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async move {
            if self.settings.event != Event::PreToolUse {
                return HookReply::Continue;
            }
            let Some(files) = self.files_of(call, Which::Touched) else { return HookReply::Continue };
            let about = self.about(call, &files);
            match self.ask(about, describe(call, &files)).await {
                Effective::Block(reason) => HookReply::Block(reason),
                Effective::Go { arguments: Some(arguments), context } => HookReply::Change { arguments, note: context },
                Effective::Go { context: Some(context), .. } => HookReply::Note(context),
                Effective::Go { .. } => HookReply::Continue,
            }
        })
    }

    fn after<'a>(&'a self, call: &'a CheckedCall, result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move {
            match self.settings.event {
                Event::PostToolUse => {
                    let files = self.files_of(call, Which::Touched)?;
                    let payload = ended(describe(call, &files), result, &*self.around.redactor);
                    match self.ask(self.about(call, &files), payload).await {
                        Effective::Go { context, .. } => context,
                        Effective::Block(reason) => Some(reason),
                    }
                }
                _ => None,
            }
        })
    }
}

/// A call as hooks see it.
pub(crate) fn describe(call: &CheckedCall, files: &[File]) -> PreToolUse {
    let command = call.effects().iter().find_map(|effect| match effect {
        Effect::Run(launch) => Some(launch.command.to_string()),
        Effect::Feed { input, .. } => Some(input.clone()),
        _ => None,
    });
    let reach = call.effects().iter().find_map(|effect| match effect {
        Effect::Http(reach) => Some(reach),
        _ => None,
    });
    PreToolUse {
        call: call.id().as_str().to_owned(),
        tool_name: call.spec().name.to_string(),
        tool_input: call.arguments().clone(),
        effects: call.effects().iter().map(ToString::to_string).collect(),
        files: files.iter().map(|file| file.shown.clone()).collect(),
        file_path: files.first().map(|file| file.shown.clone()),
        command,
        url: reach.map(|reach| reach.url.clone()),
        host: reach.map(|reach| reach.host().to_owned()),
        // ignored: an origin always serialises.
        origin: serde_json::to_value(call.origin()).unwrap_or(Value::Null),
    }
}

/// The same once it ran.
pub(crate) fn ended(call: PreToolUse, result: &ToolResult, redactor: &dyn Redactor) -> PostToolUse {
    let clean = |text: &str| first(&redactor.redact(text), OUTPUT_CHARS);
    PostToolUse {
        call,
        tool_output: clean(&result.output),
        success: result.success,
        error: result.error.as_deref().map(clean),
    }
}
