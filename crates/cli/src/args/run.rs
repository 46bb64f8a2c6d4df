//! `palanca run`, and the flags that it shares with `palanca sessions resume`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca run \"Add a test for parse()\" --model openai:gpt-4.1 --mode yolo\n  palanca run \"What does this project do?\" --agent plan --model ollama:qwen3\n  palanca run \"Fix the bug\" --model replay:session.jsonl --dry-run\n  cat task.md | palanca run\n  palanca run \"Now document it\" --session latest\n  palanca run \"Review this\" --agent review --context-git-diff main --report-file review.md"
)]
pub struct Run {
    /// What to do; `-`, or a pipe without a prompt, reads it from stdin
    pub prompt: Option<String>,
    /// Continue this session with a new prompt: its id, a unique prefix, or `latest`
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    #[command(flatten)]
    pub flags: RunFlags,
}

/// Flags for one run.
#[derive(Args, Default)]
pub struct RunFlags {
    #[command(flatten)]
    pub with: AgentFlags,
    /// Time limit for the whole run, in seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// The form of the answer: the model's text, or one JSON value extracted from it
    #[arg(long, value_enum, value_name = "FORM")]
    pub answer: Option<Answer>,
    /// Print the report as JSON; nothing is streamed
    #[arg(long)]
    pub json: bool,
    /// Print events as JSON, one per line; the last one contains the report
    #[arg(long, conflicts_with = "json")]
    pub json_events: bool,
    /// The exit code if the task was only partly done
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub exit_code_on_partial: u8,
    /// Show the agent what changed since this commit, branch or tag
    #[arg(long, value_name = "REF")]
    pub context_git_diff: Option<String>,
    /// Write a report of the run in this format, to stderr unless a file is given
    #[arg(long, value_enum, value_name = "FORM")]
    pub report: Option<ReportForm>,
    /// Write the report to this file; without --report its extension sets the format (.json, .md, .html)
    #[arg(long, value_name = "FILE")]
    pub report_file: Option<PathBuf>,
}

/// Who works, with what, within which limits.
#[derive(Args, Default)]
pub struct AgentFlags {
    /// The role: build, plan, review, resume, or one from the configuration [default: build, or the session's]
    #[arg(short, long)]
    pub agent: Option<String>,
    /// PROVIDER:MODEL: openai:, openai-responses:, anthropic:, ollama:, claude-cli:, or replay:FILE
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// The address of a compatible server
    #[arg(long, value_name = "URL")]
    pub api_base: Option<String>,
    /// Without the tools of the configured MCP servers
    #[arg(long)]
    pub disable_mcp: bool,
    /// Maximum number of model calls for one task
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u32>,
    /// Maximum number of tokens, input plus output, over the whole session
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// Maximum cost in US dollars, over the whole session
    #[arg(long, value_name = "USD", value_parser = dollars, allow_negative_numbers = true)]
    pub budget: Option<f64>,
    /// Let the agent run commands, whatever `commands.enabled` says
    #[arg(long, overrides_with = "no_commands")]
    pub allow_commands: bool,
    /// Offer no tool that runs commands
    #[arg(long, overrides_with = "allow_commands")]
    pub no_commands: bool,
    /// Whether commands get the network: never, after a question, or without one [default: `commands.network`, else ask]
    #[arg(long, value_name = "off|ask|on", value_parser = ["off", "ask", "on"])]
    pub network: Option<String>,
    /// Leave AGENTS.md and similar notes out of the prompt
    #[arg(long)]
    pub no_project_notes: bool,
    /// Without quality gates
    #[arg(long)]
    pub no_gates: bool,
    /// Do not stream answers
    #[arg(long)]
    pub no_stream: bool,
}

fn dollars(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or("write US dollars as a number of at least 0, such as 2.50")
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| *number > 0.0 && Duration::try_from_secs_f64(*number).is_ok());
    number.ok_or("write seconds as a number above 0, such as 600")
}

/// The form of a run's answer.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Answer {
    Text,
    Json,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// For programs
    Json,
    /// For people
    Markdown,
    /// For a comment on a pull request
    Github,
}
