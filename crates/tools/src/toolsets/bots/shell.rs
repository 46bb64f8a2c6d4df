//! `exec` and `process`, argument for argument as documented.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::shell::{self, Action, Actions, Asks, Counted, Form, HINTS, Manner, Order, Room, Speak, Status};
use palanca_core::call::{Network, Shell};
use palanca_core::tool::{Annotations, Repetition};
use palanca_derive::Args;
use std::time::Duration;

/// As the document writes a result.
pub(crate) const EXEC: shell::Exec = shell::Exec {
    status: Status::Above,
    stderr: "--- stderr ---",
    counted: Counted::Total,
    timeout: "exec-timeout-fixed",
};

#[derive(Args)]
pub(crate) struct ExecArgs {
    /// The shell command, read by bash.
    command: String,
    /// Folder to run it in, relative to the workspace.
    workdir: Option<String>,
    /// true: start it and return at once with a session id; go on with the tool `process`.
    #[arg(default = false)]
    background: bool,
}

pub(crate) struct Exec;

impl Offer for Exec {
    type Args = ExecArgs;
    type Operation<'a> = Order<'a>;
    const NAME: &'static str = "exec";
    const DESCRIPTION: &'static str = "Run a shell command and show its exit code, stdout and stderr. It has no stdin and no terminal: use options that ask nothing. What runs for long goes into the background with background=true.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(options.exec.timeout)
    }

    fn operation<'a>(args: &'a ExecArgs, options: &'a ToolOptions) -> Order<'a> {
        let configured = options.exec.workdir.as_deref().unwrap_or_default();
        // Without the tool `process` nobody could reach it there again.
        let behind = args.background && options.process.enabled;
        Order {
            shell: Shell::Bash,
            command: &args.command,
            directory: args.workdir.as_deref().filter(|folder| !folder.trim().is_empty()).unwrap_or(configured),
            environment: None,
            terminal: None,
            manner: if behind { Manner::Background } else { Manner::Wait(options.exec.timeout) },
            network: Network::None,
            writes: &[],
            form: Form::Exec(EXEC),
            options,
        }
    }
}

#[derive(Args, Clone, Copy)]
pub(crate) enum ProcessAction {
    List,
    Poll,
    Write,
    Kill,
    Clear,
}

#[derive(Args)]
pub(crate) struct ProcessArgs {
    /// `list`: all background processes. `poll`: what one printed since the last time. `write`: send `input` to it, as it
    /// is. `kill`: end it. `clear`: forget one that has ended.
    action: ProcessAction,
    /// The session id; every action but `list` needs it.
    session_id: Option<String>,
    /// For `write`: the text to send. No newline is added.
    input: Option<String>,
}

pub(crate) struct Process;

impl Offer for Process {
    type Args = ProcessArgs;
    type Operation<'a> = Actions<'a>;
    const NAME: &'static str = "process";
    const DESCRIPTION: &'static str =
        "Work with the processes that exec has started with background=true: list, poll, write, kill, clear.";
    const ANNOTATIONS: Annotations = HINTS;
    const REPETITION: Repetition = Repetition::Watches;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(shell::SPEAKING)
    }

    fn operation<'a>(args: &'a ProcessArgs, options: &'a ToolOptions) -> Actions<'a> {
        Actions {
            action: match args.action {
                ProcessAction::List => Action::List,
                ProcessAction::Poll => Action::Poll,
                ProcessAction::Write => Action::Write,
                ProcessAction::Kill => Action::Kill,
                ProcessAction::Clear => Action::Clear,
            },
            session: args.session_id.as_deref(),
            speak: Speak { input: args.input.as_deref(), keys: None },
            room: Room { lines: usize::MAX, bytes: options.process.max_output_chars },
            asks: Asks { terminal: false, writes: false },
        }
    }
}
