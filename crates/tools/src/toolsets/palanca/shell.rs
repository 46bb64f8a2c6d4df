//! Running programs, and speaking to those in the background.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::shell::{self, Action, Actions, Asks, Form, HINTS, MAX_SECONDS, Manner, Order, Speak};
use palanca_core::call::{Network, Shell, TerminalSize};
use palanca_core::tool::{Annotations, Repetition};
use palanca_derive::Args;
use std::collections::BTreeMap;
use std::time::Duration;

/// What `run_command` has arguments for.
const ASKS: Asks = Asks { terminal: true, writes: true };

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The command, as a shell (`/bin/sh -c`) reads it.
    command: String,
    /// Folder to run it in, relative to the workspace.
    #[arg(default = ".")]
    cwd: String,
    /// Seconds until it is ended, 1 to 600. What it printed until then is shown. Leave out for the configured default (30).
    #[arg(min = 1, max = MAX_SECONDS)]
    timeout: Option<u64>,
    /// Environment variables beside the usual ones. Variables that change what a program loads are refused.
    env: Option<BTreeMap<String, String>>,
    /// true: start it and return at once with a session id; go on with the tool `process`. `timeout` does not count.
    #[arg(default = false)]
    background: bool,
    /// true: give it a terminal of 24 lines of 80 characters. stdout and stderr are then one.
    #[arg(default = false)]
    terminal: bool,
    /// true: it needs the network, which commands do not have otherwise; a person is asked. Known network commands (`cargo
    /// fetch`, `pip install`, `git push`, `curl`) need not say it.
    #[arg(default = false)]
    network: bool,
    /// Protected files that the command must change, relative to the workspace; a person is asked. A result says when a
    /// write was refused that can be asked for.
    writes: Option<Vec<String>>,
}

pub(crate) struct RunCommand;

impl Offer for RunCommand {
    type Args = RunArgs;
    type Operation<'a> = Order<'a>;
    const NAME: &'static str = "run_command";
    const DESCRIPTION: &'static str = "Run a shell command in the workspace and show stdout, stderr and exit_code. stdin is empty and there is no terminal: use options that ask nothing (-y, --yes, --no-pager). A long output is shortened in the middle. To read, search or change files use the other tools.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(Duration::from_secs(MAX_SECONDS))
    }

    fn operation<'a>(args: &'a RunArgs, options: &'a ToolOptions) -> Order<'a> {
        let time = args.timeout.map_or(options.commands.default_timeout, Duration::from_secs);
        Order {
            shell: Shell::Sh,
            command: &args.command,
            directory: &args.cwd,
            environment: args.env.as_ref(),
            terminal: args.terminal.then(TerminalSize::default),
            manner: if args.background { Manner::Background } else { Manner::Wait(time) },
            network: if args.network { Network::Open } else { Network::None },
            writes: args.writes.as_deref().unwrap_or_default(),
            form: Form::Sections(ASKS),
            options,
        }
    }
}

#[derive(Args, Clone, Copy)]
pub(crate) enum ProcessAction {
    List,
    Poll,
    Write,
    #[arg(rename = "send_keys")]
    SendKeys,
    Kill,
    Clear,
}

#[derive(Args)]
pub(crate) struct ProcessArgs {
    /// `list`: all background processes. `poll`: what one printed since the last time. `write`: send `input` to it.
    /// `send_keys`: send `keys`. `kill`: end it. `clear`: forget one that has ended.
    action: ProcessAction,
    /// The session id; every action but `list` needs it.
    session_id: Option<String>,
    /// For `write`: the text, exactly as it is sent. End it with a newline where the program waits for one.
    input: Option<String>,
    /// For `send_keys`: each one of enter, tab, escape, space, backspace, delete, up, down, left, right, home, end, pageup,
    /// pagedown, c-a to c-z, a single character, or `text:` with what to type.
    keys: Option<Vec<String>>,
}

pub(crate) struct Process;

impl Offer for Process {
    type Args = ProcessArgs;
    type Operation<'a> = Actions<'a>;
    const NAME: &'static str = "process";
    const DESCRIPTION: &'static str = "Work with the processes that run_command has started in the background: list, poll, write, send_keys, kill, clear.";
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
                ProcessAction::SendKeys => Action::SendKeys,
                ProcessAction::Kill => Action::Kill,
                ProcessAction::Clear => Action::Clear,
            },
            session: args.session_id.as_deref(),
            speak: Speak { input: args.input.as_deref(), keys: args.keys.as_deref() },
            room: shell::room(options.commands.max_output_lines.clamp(10, 5000)),
            asks: ASKS,
        }
    }
}
