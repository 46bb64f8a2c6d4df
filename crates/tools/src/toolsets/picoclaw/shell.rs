//! `exec`, argument for argument as documented.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::shell::{self, Counted, Form, HINTS, MAX_SECONDS, Manner, Order, Status};
use palanca_core::call::{Network, Shell};
use palanca_core::tool::Annotations;
use palanca_derive::Args;
use std::time::Duration;

/// As the document writes a result.
pub(crate) const EXEC: shell::Exec =
    shell::Exec { status: Status::Below, stderr: "STDERR:", counted: Counted::More, timeout: "exec-timeout" };

#[derive(Args)]
pub(crate) struct ExecArgs {
    /// Command to run.
    command: String,
    /// Seconds, 1 to 600.
    #[arg(default = 30, min = 1, max = MAX_SECONDS)]
    timeout: u64,
    /// Folder to run it in, relative to the workspace.
    working_dir: Option<String>,
}

pub(crate) struct Exec;

impl Offer for Exec {
    type Args = ExecArgs;
    type Operation<'a> = Order<'a>;
    const NAME: &'static str = "exec";
    const DESCRIPTION: &'static str =
        "Run a shell command and return its output. It has no stdin and no terminal: use options that ask nothing.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(Duration::from_secs(MAX_SECONDS))
    }

    fn operation<'a>(args: &'a ExecArgs, options: &'a ToolOptions) -> Order<'a> {
        Order {
            shell: Shell::Sh,
            command: &args.command,
            directory: args.working_dir.as_deref().unwrap_or_default(),
            environment: None,
            terminal: None,
            manner: Manner::Wait(Duration::from_secs(args.timeout)),
            network: Network::None,
            writes: &[],
            form: Form::Exec(EXEC),
            options,
        }
    }
}
