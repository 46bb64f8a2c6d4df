//! `palanca mcp`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

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
    /// Connect one server and show its tools: exit code 1 if it cannot be reached
    #[command(after_help = "Example:\n  palanca mcp test tickets")]
    Test {
        /// The server's name in the configuration
        #[arg(value_name = "SERVER")]
        server: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Call a server's tool by its own name, as `palanca call mcp_SERVER_TOOL` does
    #[command(
        after_help = "Examples:\n  palanca mcp call tickets get_issue number=7\n  palanca mcp call tickets search '{\"text\": \"login\"}' --json"
    )]
    Call {
        /// The server's name in the configuration
        #[arg(value_name = "SERVER")]
        server: String,
        /// The tool's name, as the server calls it
        #[arg(value_name = "TOOL")]
        tool: String,
        /// Its arguments: one JSON object, `-` to read one from stdin, or `key=value` pairs [default: {}]
        #[arg(value_name = "JSON|-|KEY=VALUE")]
        arguments: Vec<String>,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Take over the servers of another program's file, of the form `{"mcpServers": {…}}`, into your own configuration
    ///
    /// Shows what will be written; asks first on a terminal.
    #[command(
        after_help = "Examples:\n  palanca mcp import ~/.cursor/mcp.json\n  palanca mcp import .vscode/mcp.json --project\n  palanca --dry-run mcp import ~/.claude.json"
    )]
    Import {
        /// A file of Claude, Cursor, VS Code and others
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Into the workspace's configuration, which counts once it is trusted
        #[arg(long)]
        project: bool,
    },
    /// Agree to a server as it is now, after its command line, its address or the definitions of its tools have changed
    ///
    /// Starts it once, and shows what is other than what was agreed to before as a diff; asks first on a terminal. With --dry-run it
    /// agrees to nothing.
    #[command(after_help = "Examples:\n  palanca mcp trust tickets\n  palanca --dry-run mcp trust tickets")]
    Trust {
        /// The server's name in the configuration
        #[arg(value_name = "SERVER")]
        server: String,
    },
}
