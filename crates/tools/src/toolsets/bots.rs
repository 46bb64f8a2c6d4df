//! The toolset of a bot in a chat, argument for argument as documented: files, the clock, programs, the web, the telephone, what a bot is and remembers, and tools that it makes.

mod cron;
mod files;
mod improve;
mod made;
mod phone;
mod recall;
mod soul;

pub(crate) use cron::Cron;
pub(crate) use files::{FileEdit, FileRead, FileWrite};
pub(crate) use made::CreateTool;
pub(crate) use phone::PhoneCall;
pub(crate) use recall::{MemoryGet, MemorySearch};
pub(crate) use soul::{ManageGoals, SaveMemory, UpdateIdentity, UpdateSoul};

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::shell::{self, Action, Actions, Asks, Counted, Form, Manner, Order, Room, Speak, Status};
use crate::toolsets::palanca;
use crate::web::{self, Extent, Fetch, Format, Listing, Search, Shape};
use palanca_core::call::{Network, Shell};
use palanca_core::ports::WebLimits;
use palanca_core::tool::Repetition;
use std::time::Duration;

/// As the document writes a result.
pub(crate) const EXEC: shell::Exec = shell::Exec {
    status: Status::Above,
    stderr: "--- stderr ---",
    counted: Counted::Total,
    timeout: "exec-timeout-fixed",
};

#[derive(Args)]
pub(crate) struct Exec {
    /// The shell command, read by bash.
    command: String,
    /// Folder to run it in, relative to the workspace.
    workdir: Option<String>,
    /// true: start it and return at once with a session id; go on with the tool `process`.
    #[arg(default = false)]
    background: bool,
}

impl Offer for Exec {
    const NAME: &'static str = "exec";
    const DESCRIPTION: &'static str = "Run a shell command and show its exit code, stdout and stderr. It has no stdin and no terminal: use options that ask nothing. What runs for long goes into the background with background=true.";
    const ANNOTATIONS: Annotations = shell::HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(options.exec.timeout)
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let configured = options.exec.workdir.as_deref().unwrap_or_default();
        // Without the tool `process` it could not be reached again.
        let behind = self.background && options.process.enabled;
        Order {
            shell: Shell::Bash,
            command: &self.command,
            directory: self.workdir.as_deref().filter(|folder| !folder.trim().is_empty()).unwrap_or(configured),
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
pub(crate) struct Process {
    /// `list`: all background processes. `poll`: what one printed since the last time. `write`: send `input` to it, as it
    /// is. `kill`: end it. `clear`: forget one that has ended.
    action: ProcessAction,
    /// The session id; every action but `list` needs it.
    session_id: Option<String>,
    /// For `write`: the text to send. No newline is added.
    input: Option<String>,
}

impl Offer for Process {
    const NAME: &'static str = "process";
    const DESCRIPTION: &'static str =
        "Work with the processes that exec has started with background=true: list, poll, write, kill, clear.";
    const ANNOTATIONS: Annotations = shell::HINTS;
    const REPETITION: Repetition = Repetition::Watches;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(shell::SPEAKING)
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Actions {
            action: match self.action {
                ProcessAction::List => Action::List,
                ProcessAction::Poll => Action::Poll,
                ProcessAction::Write => Action::Write,
                ProcessAction::Kill => Action::Kill,
                ProcessAction::Clear => Action::Clear,
            },
            session: self.session_id.as_deref(),
            speak: Speak { input: self.input.as_deref(), keys: None },
            room: Room { lines: usize::MAX, bytes: options.process.max_output_chars },
            asks: Asks { terminal: false, writes: false },
        }
    }
}

/// How results are listed.
const LISTING: Listing = Listing { origin: false, ..palanca::LISTING };

#[derive(Args)]
pub(crate) struct WebSearch {
    /// The search query.
    query: String,
}

impl Offer for WebSearch {
    const NAME: &'static str = "web_search";
    const DESCRIPTION: &'static str =
        "Search the web and show titles, addresses and descriptions. Read a page itself with web_fetch.";
    const ANNOTATIONS: Annotations = web::HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(web::longest_search(options))
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Search { query: &self.query, count: None, listing: LISTING, options }
    }
}

#[derive(Args)]
pub(crate) struct WebFetch {
    /// The address of the page, with http:// or https://.
    url: String,
}

impl Offer for WebFetch {
    const NAME: &'static str = "web_fetch";
    const DESCRIPTION: &'static str = "Fetch a web page and read its content as plain text.";
    const ANNOTATIONS: Annotations = web::HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(options.web.fetch.timeout)
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let (format, extent) = (Format::Text, Extent::Main);
        Fetch {
            url: &self.url,
            format,
            extent,
            max_length: usize::MAX,
            offset: 0,
            shape: Shape::Plain,
            limits: WebLimits { time: options.web.fetch.timeout, ..WebLimits::default() },
            options,
        }
    }
}
