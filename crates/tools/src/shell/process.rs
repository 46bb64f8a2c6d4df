//! Programs in the background: list them, read their output, send input, end them, clear them.
//!
//! The door knows the owner of a program: an unknown name and another owner's look the same. Listing and reading need no
//! approval; input is a command and is read as one.

use super::capture::{Room, joined, show, whole_start};
use super::order::code;
use super::sections::Asks;
use super::{keys, screen};
use crate::files::one_line;
use crate::operation::Operation;
use palanca_core::call::{Claims, Effect, ErrorKind, ProcessId};
use palanca_core::ports::{Captured, Exit, Polled, ProcessError, ProcessStatus};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use palanca_derive::Args;
use serde_json::{Value, json};

/// Characters of a command that a list shows.
const SHOWN: usize = 200;

/// What is done with one program.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    List,
    Poll,
    Write,
    #[arg(rename = "send_keys")]
    SendKeys,
    Kill,
    Clear,
}

pub(crate) struct Actions<'a> {
    pub(crate) action: Action,
    pub(crate) session: Option<&'a str>,
    pub(crate) speak: Speak<'a>,
    /// How much of what a program printed is shown.
    pub(crate) room: Room,
    /// What the tool that starts programs has arguments for.
    pub(crate) asks: Asks,
}

/// What is sent to a program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Speak<'a> {
    pub(crate) input: Option<&'a str>,
    pub(crate) keys: Option<&'a [String]>,
}

impl Operation for Actions<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        match self.action {
            Action::List => Ok(Claims::none()),
            Action::Poll => self.session().map(|_| Claims::none()),
            Action::Write | Action::SendKeys => {
                Ok(Effect::Feed { process: self.session()?, input: self.input()? }.into())
            }
            Action::Kill | Action::Clear => Ok(Effect::Stop(self.session()?).into()),
        }
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let processes = cx.processes();
        let done = match self.action {
            Action::List => return Ok(list(&processes.list())),
            Action::Poll => processes.poll(&self.session()?).map(|polled| self.polled(&polled)),
            Action::Write | Action::SendKeys => {
                let (id, input) = (self.session()?, self.input()?);
                processes.write(&id, &input).await.map(|bytes| {
                    let text = Message::new("process-sent").with("bytes", bytes).with("id", id.as_str());
                    Output::from(text).with_data(json!({"session_id": id, "bytes": bytes}))
                })
            }
            Action::Kill => processes.kill(&self.session()?).await.map(|status| {
                let text = Message::new("process-killed").with("id", status.id.as_str()).with("pid", pid(&status));
                Output::from(text).with_data(facts(&status))
            }),
            Action::Clear => {
                let id = self.session()?;
                processes.clear(&id).map(|()| {
                    let text = Message::new("process-cleared").with("id", id.as_str());
                    Output::from(text).with_data(json!({"session_id": id}))
                })
            }
        };
        done.map_err(ProcessError::into_tool_error)
    }
}

impl Actions<'_> {
    fn session(&self) -> Result<ProcessId, ToolError> {
        let id = self.session.map(str::trim).filter(|id| !id.is_empty());
        id.map(ProcessId::from).ok_or_else(|| invalid(Message::new("process-session-missing")))
    }

    fn input(&self) -> Result<String, ToolError> {
        if self.action == Action::SendKeys {
            return keys::bytes(self.speak.keys.unwrap_or_default());
        }
        let input = self.speak.input.filter(|input| !input.is_empty());
        input.map(str::to_owned).ok_or_else(|| invalid(Message::new("process-input-missing")))
    }

    fn polled(&self, polled: &Polled) -> Output {
        let status = &polled.status;
        let head = match status.exit {
            None => format!("[RUNNING] PID {}", pid(status)),
            Some(exit) => format!("[FINISHED] PID {} — {}", pid(status), ended(exit, "exit code")),
        };
        let stream = from_a_character(&polled.output);
        let shown = show(&screen::plain(&stream), self.room);
        let mut text = Text::from(head).paragraph(match shown.text.is_empty() {
            true => Text::from("(no new output)"),
            false => shown.text,
        });
        if shown.mended {
            text = text.paragraph(Message::new("command-mended"));
        }
        let askable = self.asks.askable(&polled.written);
        text = polled.notes.iter().cloned().chain(askable).fold(text, Text::paragraph);
        let output = Output::text(text).with_data(facts(status));
        if shown.cut { output.truncated() } else { output }
    }
}

/// What was drained before may have ended inside a character: its rest is not shown as damage.
fn from_a_character(output: &Captured) -> Captured {
    let whole = joined(output);
    match output.omitted_bytes {
        0 => Captured { head: whole_start(&whole).to_vec(), tail: Vec::new(), ..output.clone() },
        _ => Captured { head: whole_start(&output.head).to_vec(), ..output.clone() },
    }
}

fn list(statuses: &[ProcessStatus]) -> Output {
    let data = Value::from(statuses.iter().map(facts).collect::<Vec<_>>());
    if statuses.is_empty() {
        return Output::from("No background processes.").with_data(data);
    }
    let lines: Vec<String> = statuses.iter().map(line).collect();
    Output::text(lines.join("\n")).with_data(data)
}

fn line(status: &ProcessStatus) -> String {
    let (id, pid, seconds) = (&status.id, pid(status), status.age.as_secs());
    let command = one_line(&status.command);
    let shown: String = command.chars().take(SHOWN).collect();
    let more = if shown.len() < command.len() { "…" } else { "" };
    match status.exit {
        None => format!("[RUNNING] {id} — PID {pid} — {seconds}s — {shown}{more}"),
        Some(exit) => format!("[FINISHED] {id} — PID {pid} — {} — {seconds}s — {shown}{more}", ended(exit, "exit")),
    }
}

fn ended(exit: Exit, word: &str) -> String {
    match exit {
        Exit::Code(code) => format!("{word} {code}"),
        Exit::Signal(number) => {
            format!("{word} {} ({})", code(exit).unwrap_or(number), screen::signal(number))
        }
        Exit::TimedOut => format!("{word} timeout"),
        Exit::Killed => format!("{word} killed"),
        Exit::Limited(met) => format!("{word} limit ({})", met.limit.key()),
        Exit::Lost => format!("{word} lost"),
    }
}

fn pid(status: &ProcessStatus) -> String {
    status.pid.map_or_else(|| "?".to_owned(), |pid| pid.to_string())
}

fn facts(status: &ProcessStatus) -> Value {
    json!({
        "session_id": status.id,
        "pid": status.pid,
        "running": status.exit.is_none(),
        "exit": status.exit,
        "exit_code": status.exit.and_then(code),
        "age_s": status.age.as_secs(),
        "command": status.command,
    })
}

fn invalid(message: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}
