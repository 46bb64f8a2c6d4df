//! `palanca mcp`.

use clap::{Args, Subcommand};

#[derive(Args)]
#[command(after_help = "Examples:\n  palanca mcp serve --workspace ~/project\n  palanca mcp list")]
pub struct Mcp {
    #[command(subcommand)]
    pub what: McpCommand,
}

#[derive(Subcommand)]
pub enum McpCommand {
    /// Serve the tools to one client on stdin and stdout, until it ends the connection
    #[command(
        after_help = "Examples:\n  palanca mcp serve\n  palanca mcp serve --workspace ~/project --mode confirm-all\n  claude mcp add palanca -- palanca mcp serve --workspace ~/project"
    )]
    Serve,
    /// Connect the configured servers and show their tools: exit code 1 if one cannot be reached
    #[command(after_help = "Examples:\n  palanca mcp list\n  palanca mcp list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Agree to a server's tools as they are now, after their definitions have changed
    #[command(after_help = "Example:\n  palanca mcp trust tickets")]
    Trust {
        /// The server's name in the configuration
        #[arg(value_name = "SERVER")]
        server: String,
    },
}
