//! One program that a call wants to start: waited for, or left in the background.
//!
//! The meaning of a shell text is not examined here. Only texts that cannot be started are refused: no text, a NUL, a
//! variable without a name.

use super::exec::{self, Exec};
use super::sections::{self, Asks};
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{Claims, Effect, ErrorKind, Launch, Lifetime, Network, Shell, TerminalSize};
use palanca_core::ports::{Exit, Finished, ProcessError, ProcessErrorKind, ProcessStatus, RunLimits};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// The longest time that a call may ask for, in seconds.
pub(crate) const MAX_SECONDS: u64 = 600;

/// How long a program is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// To its end, at most this long.
    Wait(Duration),
    /// Not at all.
    Background,
}

/// How the result is written.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// Each stream and the exit code apart, below their names.
    Sections(Asks),
    /// As the documents of `exec` have it.
    Exec(Exec),
}

pub(crate) struct Order<'a> {
    pub(crate) shell: Shell,
    pub(crate) command: &'a str,
    /// Relative to the workspace; blank is the workspace.
    pub(crate) directory: &'a str,
    pub(crate) environment: Option<&'a BTreeMap<String, String>>,
    pub(crate) terminal: Option<TerminalSize>,
    pub(crate) manner: Manner,
    pub(crate) network: Network,
    /// Protected files that it asks to change.
    pub(crate) writes: &'a [String],
    pub(crate) form: Form,
    pub(crate) options: &'a ToolOptions,
}

impl Operation for Order<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        if self.command.trim().is_empty() {
            return Err(invalid(Message::new("command-empty")));
        }
        let environment = self.environment.into_iter().flatten();
        if self.command.contains('\0') || environment.clone().any(|(_, value)| value.contains('\0')) {
            return Err(invalid(Message::new("command-nul")));
        }
        if let Some((name, _)) = environment.clone().find(|(name, _)| !is_name(name)) {
            return Err(invalid(Message::new("command-variable").with("name", name.escape_debug().to_string())));
        }
        let directory = if self.directory.trim().is_empty() { "." } else { self.directory };
        let launch = Launch {
            environment: environment.map(|(name, value)| (name.clone(), value.clone())).collect(),
            terminal: self.terminal,
            network: self.network,
            writes: self.writes.to_vec(),
            lifetime: match self.manner {
                Manner::Wait(_) => Lifetime::Call,
                Manner::Background => Lifetime::Session,
            },
            ..Launch::script(self.shell, self.command, directory.to_owned())
        };
        Ok(Effect::Run(Box::new(launch)).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let processes = cx.processes();
        let Some(launch) = processes.granted().next() else {
            let refused = ProcessError::new(ProcessErrorKind::NotGranted, self.command);
            return Err(refused.into_tool_error());
        };
        match self.manner {
            Manner::Wait(time) => {
                let limits = RunLimits { time, keep: self.keep() };
                let finished = processes.run(launch, limits).await.map_err(ProcessError::into_tool_error)?;
                self.report(&finished, time)
            }
            Manner::Background => {
                let status = processes.start(launch).await.map_err(ProcessError::into_tool_error)?;
                Ok(started(&status))
            }
        }
    }
}

impl Order<'_> {
    fn keep(&self) -> palanca_core::ports::Keep {
        match self.form {
            Form::Sections(_) => sections::keep(&self.options.commands),
            Form::Exec(_) => exec::keep(&self.options.exec),
        }
    }

    fn report(&self, finished: &Finished, limit: Duration) -> Result<Output, ToolError> {
        let told = match self.form {
            Form::Sections(asks) => asks.report(self, finished, limit),
            Form::Exec(form) => form.report(finished, &self.options.exec, limit),
        };
        told.map(|output| output.with_data(facts(finished)))
    }
}

/// What a program may want to know of a run.
fn facts(finished: &Finished) -> serde_json::Value {
    let mut facts = json!({
        "exit_code": code(finished.exit),
        "time_ms": u64::try_from(finished.time.as_millis()).unwrap_or(u64::MAX),
        "stdout_bytes": finished.stdout.total_bytes(),
        "stderr_bytes": finished.stderr.total_bytes(),
    });
    for (key, stream) in [("stdout_whole", &finished.stdout), ("stderr_whole", &finished.stderr)] {
        if let (Some(whole), Some(facts)) = (&stream.whole, facts.as_object_mut()) {
            facts.insert(key.to_owned(), whole.as_str().into());
        }
    }
    facts
}

/// The exit code as a shell would say it; none when the program did not end by itself.
pub(super) const fn code(exit: Exit) -> Option<i32> {
    match exit {
        Exit::Code(code) => Some(code),
        Exit::Signal(signal) => Some(signal.saturating_add(128)),
        Exit::TimedOut | Exit::Killed | Exit::Limited(_) | Exit::Lost => None,
    }
}

fn started(status: &ProcessStatus) -> Output {
    let text = Text::from(Message::new("command-started"))
        .line(format!("Session ID: {}", status.id))
        .line(format!("PID: {}", status.pid.map_or_else(|| "?".to_owned(), |pid| pid.to_string())))
        .line(Message::new("command-started-then"));
    Output::text(text).with_data(json!({"session_id": status.id, "pid": status.pid}))
}

/// What every shell takes as a name. Others can smuggle a function into a shell that reads them.
fn is_name(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn invalid(message: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}
