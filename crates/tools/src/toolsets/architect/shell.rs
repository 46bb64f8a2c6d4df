//! Running commands.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::shell::{Asks, Form, HINTS, MAX_SECONDS, Manner, Order};
use palanca_core::call::{Network, Shell};
use palanca_core::tool::Annotations;
use palanca_derive::Args;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct RunArgs {
    /// Command to run, as a shell reads it.
    command: String,
    /// Working directory, relative to the workspace root.
    #[arg(default = ".")]
    cwd: String,
    /// Seconds, 1 to 600. Leave out for the configured default (30).
    #[arg(min = 1, max = MAX_SECONDS)]
    timeout: Option<u64>,
    /// Additional environment variables.
    env: Option<BTreeMap<String, String>>,
}

pub(crate) struct RunCommand;

impl Offer for RunCommand {
    type Args = RunArgs;
    type Operation<'a> = Order<'a>;
    const NAME: &'static str = "run_command";
    const DESCRIPTION: &'static str = "Run a command in the workspace and show stdout, stderr and exit_code. It has no stdin and no terminal: use options that ask nothing.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(Duration::from_secs(MAX_SECONDS))
    }

    fn operation<'a>(args: &'a RunArgs, options: &'a ToolOptions) -> Order<'a> {
        Order {
            shell: Shell::Sh,
            command: &args.command,
            directory: &args.cwd,
            environment: args.env.as_ref(),
            terminal: None,
            manner: Manner::Wait(args.timeout.map_or(options.commands.default_timeout, Duration::from_secs)),
            network: Network::None,
            writes: &[],
            form: Form::Sections(Asks { terminal: false, writes: false }),
            options,
        }
    }
}
