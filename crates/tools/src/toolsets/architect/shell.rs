//! Running commands.

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::shell::{Asks, Form, HINTS, MAX_SECONDS, Manner, Order};
use palanca_core::call::{Network, Shell};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Written out for one thing that `#[derive(Args)]` does not say: a default that is shown, while the operator may set another.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct RunCommand {
    /// Command to run, as a shell reads it.
    command: String,
    /// Working directory, relative to the workspace root.
    #[serde(default = "here")]
    cwd: String,
    /// Seconds, 1 to 600. Leave out for the configured default.
    #[serde(default)]
    #[schemars(with = "u64", range(min = 1, max = MAX_SECONDS), extend("default" = 30))]
    timeout: Option<u64>,
    /// Additional environment variables.
    #[serde(default)]
    env: Option<BTreeMap<String, String>>,
}

impl Args for RunCommand {}

fn here() -> String {
    ".".to_owned()
}

impl Offer for RunCommand {
    const NAME: &'static str = "run_command";
    const DESCRIPTION: &'static str = "Run a command in the workspace and show stdout, stderr and exit_code. It has no stdin and no terminal: use options that ask nothing.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(Duration::from_secs(MAX_SECONDS))
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Order {
            shell: Shell::Sh,
            command: &self.command,
            directory: &self.cwd,
            environment: self.env.as_ref(),
            terminal: None,
            manner: Manner::Wait(self.timeout.map_or(options.commands.default_timeout, Duration::from_secs)),
            network: Network::None,
            writes: &[],
            form: Form::Sections(Asks { terminal: false, writes: false }),
            options,
        }
    }
}
