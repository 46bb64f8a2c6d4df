//! Running programs, and speaking to those in the background.

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::shell::{self, Action, Actions, Asks, Form, HINTS, MAX_SECONDS, Manner, Order, Speak};
use palanca_core::call::{Network, TerminalSize};
use palanca_core::tool::Repetition;
use std::collections::BTreeMap;
use std::time::Duration;

/// What `run_command` has arguments for.
const ASKS: Asks = Asks { terminal: true, writes: true };

#[derive(Args)]
pub(crate) struct RunCommand {
    /// The command, as bash reads it (`/bin/sh` where there is no bash).
    command: String,
    /// Folder to run it in, relative to the workspace.
    #[arg(default = ".")]
    cwd: String,
    /// Time limit in seconds, 1 to 600; the output so far is shown. Leave out for the configured default (120).
    #[arg(min = 1, max = MAX_SECONDS)]
    timeout: Option<u64>,
    /// Additional environment variables. Variables that change what a program loads are refused.
    env: Option<BTreeMap<String, String>>,
    /// true: start it and return at once with a session id for the tool `process`. `timeout` does not apply.
    #[arg(default = false)]
    background: bool,
    /// true: give it a terminal of 24 lines and 80 columns, with stdout and stderr combined.
    #[arg(default = false)]
    terminal: bool,
    /// true: request network access, which commands do not have otherwise; a person is asked. Not needed for known network
    /// commands (`cargo fetch`, `pip install`, `git push`, `curl`).
    #[arg(default = false)]
    network: bool,
    /// Protected files that the command must change, relative to the workspace; a person is asked. When a write was refused
    /// that can be requested here, the result says so.
    writes: Option<Vec<String>>,
}

impl Offer for RunCommand {
    const NAME: &'static str = "run_command";
    const DESCRIPTION: &'static str = "Run a shell command in the workspace and show stdout, stderr and exit_code. stdin is empty and there is no terminal: use options that avoid prompts (-y, --yes, --no-pager). Long output is shortened in the middle. To read, search or change files, use the other tools.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(Duration::from_secs(MAX_SECONDS))
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let time = self.timeout.map_or(options.commands.default_timeout, Duration::from_secs);
        Order {
            shell: options.commands.shell,
            command: &self.command,
            directory: &self.cwd,
            environment: self.env.as_ref(),
            terminal: self.terminal.then(TerminalSize::default),
            manner: if self.background { Manner::Background } else { Manner::Wait(time) },
            network: if self.network { Network::Open } else { Network::None },
            writes: self.writes.as_deref().unwrap_or_default(),
            form: Form::Sections(ASKS),
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct Process {
    /// `list`: all background processes. `poll`: new output of one since the last poll. `write`: send `input` to it.
    /// `send_keys`: send `keys`. `kill`: end it. `clear`: remove an ended one from the list.
    action: Action,
    /// The session id; every action but `list` needs it.
    session_id: Option<String>,
    /// For `write`: the text, sent exactly as given. End it with a newline if the program waits for one.
    input: Option<String>,
    /// For `send_keys`: each is one of enter, tab, escape, space, backspace, delete, up, down, left, right, home, end, pageup,
    /// pagedown, c-a to c-z, a single character, or `text:` followed by the text to type.
    keys: Option<Vec<String>>,
}

impl Offer for Process {
    const NAME: &'static str = "process";
    const DESCRIPTION: &'static str =
        "Work with background processes started by run_command: list, poll, write, send_keys, kill, clear.";
    const ANNOTATIONS: Annotations = HINTS;
    const REPETITION: Repetition = Repetition::Watches;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(shell::SPEAKING)
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Actions {
            action: self.action,
            session: self.session_id.as_deref(),
            speak: Speak { input: self.input.as_deref(), keys: self.keys.as_deref() },
            room: shell::room(options.commands.max_output_lines.clamp(10, 5000)),
            asks: ASKS,
        }
    }
}
