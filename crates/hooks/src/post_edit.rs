//! `post_edit`, the older form of a hook after an edit: its verdict and its output are part of the result, word for word as
//! documented, in the documents' language.
//!
//! Which calls are edits is decided by what they did to files, so that a foreign tool that writes is one, too.

use crate::answer::{REPORTED, cut, joined, reported};
use crate::around::{self, HookRun, Note, Program, RunVerdict};
use crate::failure::{Failure, NOT_FOUND};
use crate::files::Which;
use crate::occasion;
use crate::once::Once;
use crate::placeholder;
use crate::settings::Waiting;
use crate::tool;
use futures_util::future::BoxFuture;
use palanca_core::call::{Stage, ToolResult};
use palanca_core::gate::CheckedCall;
use palanca_core::message::Message;
use palanca_core::ports::{Exit, Hook, HookReply, Keep, StageDecision};

/// Enough for that, however much is printed.
const KEEP: Keep = Keep { head: 8 << 10, tail: 8 << 10 };

/// A hook after edits.
pub(crate) struct PostEdit(pub(crate) Once);

impl Hook for PostEdit {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        Box::pin(async { HookReply::Continue })
    }

    fn after<'a>(&'a self, call: &'a CheckedCall, result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move {
            if !result.success {
                return None;
            }
            let files = self.0.files_of(call, Which::Written).filter(|files| !files.is_empty())?;
            let payload = tool::ended(tool::describe(call, &files), result, &*self.0.around.redactor);
            let about = crate::once::About {
                call: call.id(),
                tool: &call.spec().name,
                files: &files,
                cancel: &self.0.around.cancel,
            };
            if self.0.settings.waiting == Waiting::Goes {
                // ignored: its answer has no effect.
                let _ = self.0.ask(about, payload).await;
                return None;
            }
            self.verdict(about, payload).await
        })
    }
}

impl PostEdit {
    async fn verdict(&self, about: crate::once::About<'_>, payload: occasion::PostToolUse) -> Option<String> {
        let (hook, around) = (&self.0, &*self.0.around);
        let (object, input) = hook.told(payload);
        let names: Vec<String> = about.files.iter().map(|file| file.whole.to_string_lossy().into_owned()).collect();
        let begun = around.clock.elapsed();
        let ended = match placeholder::fill(&hook.settings.command, &names) {
            Ok(filled) => {
                let mut variables = hook.variables(&object, about.files);
                variables.extend(filled.variables);
                let program = Program {
                    command: &filled.command,
                    variables,
                    input: &input,
                    time: hook.settings.timeout,
                    keep: KEEP,
                    call: about.call,
                    cancel: about.cancel,
                };
                around.run(program).await.map_err(Failure::Start)
            }
            Err(failure) => Err(failure),
        };
        let time = around.clock.elapsed().saturating_sub(begun);
        let (code, shown) = match &ended {
            Ok(finished) => match finished.exit {
                Exit::Code(0) => (Some(0), RunVerdict::Passed),
                Exit::Code(NOT_FOUND) => (Some(NOT_FOUND), failed(&Failure::NotThere(hook.settings.command.clone()))),
                Exit::Code(code) => (Some(code), failed(&Failure::Exit(code, String::new()))),
                exit => (Some(-1), failed(&Failure::of_exit(exit, hook.settings.timeout, String::new()))),
            },
            Err(failure) => (None, failed(failure)),
        };
        let verdict = if code == Some(0) { StageDecision::Allow } else { StageDecision::Fail };
        let how = code.map_or_else(|| "did not start".to_owned(), |code| format!("exit {code}"));
        around.note(&Note {
            stage: Stage::PostHooks,
            call: about.call.as_str(),
            tool: about.tool,
            name: hook.name(),
            verdict,
            evidence: around::evidence(&hook.settings.command, &how, time),
        });
        let late = ended.as_ref().is_ok_and(|finished| finished.exit == Exit::TimedOut);
        let run = HookRun { name: hook.name(), event: hook.settings.event.name(), verdict: shown, time };
        if code != Some(NOT_FOUND) || hook.is_news() {
            around.watcher.ended(&run);
        }
        let finished = ended.ok()?;
        let mut output = joined(&finished.stdout, &finished.stderr);
        if late {
            let limit = format!("{}", hook.settings.timeout.as_secs_f64());
            let line = around.render(&Message::new("hook-failure-timeout").with("seconds", limit));
            output = if output.is_empty() { line } else { format!("{line}\n{output}") };
        }
        let code = code.filter(|code| *code != NOT_FOUND)?;
        Some(reported(hook.name(), code, &cut(&output, REPORTED, &*around.catalogue)))
    }
}

fn failed(failure: &Failure) -> RunVerdict {
    RunVerdict::Failed(failure.message())
}
