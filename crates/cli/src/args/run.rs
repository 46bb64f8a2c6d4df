//! `palanca run`, and what it has in common with `palanca sessions resume`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca run \"Add a test for parse()\" --model openai:gpt-4.1 --mode yolo\n  palanca run \"What does this project do?\" --agent plan --model ollama:qwen3\n  palanca run \"Fix the bug\" --model replay:session.jsonl --dry-run\n  cat task.md | palanca run\n  palanca run \"Now document it\" --session latest\n  palanca run \"Review this\" --agent review --context-git-diff main --report-file review.md"
)]
pub struct Run {
    /// What to do; `-` reads it from stdin, and so does a pipe without a prompt
    pub prompt: Option<String>,
    /// Go on in this session with a new prompt: its id, the beginning of it, or `latest`
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    #[command(flatten)]
    pub flags: RunFlags,
}

/// What may be said for one run.
#[derive(Args, Default)]
pub struct RunFlags {
    /// The role: build, plan, review, resume, or one of the configuration [default: build, or the session's]
    #[arg(short, long)]
    pub agent: Option<String>,
    /// PROVIDER:MODEL: openai:, openai-responses:, anthropic:, ollama:, or replay:FILE
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// The address of a compatible server
    #[arg(long, value_name = "URL")]
    pub api_base: Option<String>,
    /// Model calls of this run at most
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u32>,
    /// Tokens at most, in and out together, over the whole session
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// US dollars at most, over the whole session
    #[arg(long, value_name = "USD", value_parser = dollars, allow_negative_numbers = true)]
    pub budget: Option<f64>,
    /// Seconds at most for the whole run
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Let the agent run commands, whatever `commands.enabled` says
    #[arg(long, overrides_with = "no_commands")]
    pub allow_commands: bool,
    /// No tool that runs commands
    #[arg(long, overrides_with = "allow_commands")]
    pub no_commands: bool,
    /// Tell the agent nothing of AGENTS.md and its kin
    #[arg(long)]
    pub no_project_notes: bool,
    /// What the answer is: whatever the model says, or one JSON value cut out of it
    #[arg(long, value_enum, value_name = "FORM")]
    pub answer: Option<Answer>,
    /// Wait for whole answers
    #[arg(long)]
    pub no_stream: bool,
    /// Print the report as JSON; nothing is streamed
    #[arg(long)]
    pub json: bool,
    /// Print what happens as JSON, one event a line; the last one holds the report
    #[arg(long, conflicts_with = "json")]
    pub json_events: bool,
    /// The exit code when the task was only partly done
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub exit_code_on_partial: u8,
    /// Show the agent what changed since this commit, branch or tag
    #[arg(long, value_name = "REF")]
    pub context_git_diff: Option<String>,
    /// A report of the run in this form, on stderr unless a file is named
    #[arg(long, value_enum, value_name = "FORM")]
    pub report: Option<ReportForm>,
    /// Write the report to this file; without --report its ending says the form (.json, .md, .html)
    #[arg(long, value_name = "FILE")]
    pub report_file: Option<PathBuf>,
}

fn dollars(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or("write US dollars as a number of at least 0, such as 2.50")
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| *number > 0.0 && Duration::try_from_secs_f64(*number).is_ok());
    number.ok_or("write seconds as a number above 0, such as 600")
}

/// What a run's answer is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Answer {
    Text,
    Json,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// For programs
    Json,
    /// For people
    Markdown,
    /// For a comment on a pull request
    Github,
}
