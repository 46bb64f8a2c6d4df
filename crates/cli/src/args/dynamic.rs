//! `palanca dynamic`.

use clap::{Args, Subcommand};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca dynamic list\n  palanca dynamic show word_count\n  palanca dynamic approve word_count"
)]
pub struct Dynamic {
    #[command(subcommand)]
    pub what: DynamicCommand,
}

#[derive(Subcommand)]
pub enum DynamicCommand {
    /// All tools that bots made: where each stands, who made it, who has it
    #[command(
        after_help = "Example:\n  palanca dynamic list --json | jq -r '.tools[] | select(.standing == \"pending\") | .name'"
    )]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// One tool: its parameters, its source, what the source shows, what was decided about it
    #[command(after_help = "Example:\n  palanca dynamic show word_count")]
    Show {
        /// The tool's name
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Approve a tool exactly as it is now: its bots have it from their next step on
    ///
    /// Shows what is approved; asks first on a terminal. A tool that is changed afterwards does not run before it is approved again.
    #[command(
        after_help = "Examples:\n  palanca dynamic approve word_count\n  palanca dynamic approve word_count --digest 5f2c…"
    )]
    Approve {
        /// The tool's name
        name: String,
        /// Only if this is the digest that `show` printed
        #[arg(long)]
        digest: Option<String>,
    },
    /// Reject a tool: its bots lose it at their next step, and its name stays taken
    #[command(after_help = "Example:\n  palanca dynamic reject word_count --note 'use memory_search'")]
    Reject {
        /// The tool's name
        name: String,
        /// Why: bots that call it read this
        #[arg(long)]
        note: Option<String>,
    },
    /// Run a tool once, approved or not, as a call of your own that is judged like any other
    #[command(after_help = "Example:\n  palanca dynamic test word_count text='one two three'")]
    Test {
        /// The tool's name
        name: String,
        /// Its arguments: one JSON object, `-` to read one from stdin, or `key=value` pairs [default: {}]
        #[arg(value_name = "JSON|-|KEY=VALUE")]
        arguments: Vec<String>,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a tool with its folder: its name is free again
    #[command(after_help = "Example:\n  palanca dynamic delete word_count")]
    Delete {
        /// The tool's name
        name: String,
    },
}
