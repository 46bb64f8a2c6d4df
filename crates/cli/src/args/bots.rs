//! `palanca bots`, and a bot's own tools for its person: `palanca cron`, `palanca memory`.

use super::Listing;
use clap::{Args, Subcommand};

#[derive(Args)]
#[command(after_help = "Examples:\n  palanca bots list\n  palanca bots show ana\n  palanca bots check")]
pub struct Bots {
    #[command(subcommand)]
    pub what: BotsCommand,
}

#[derive(Subcommand)]
pub enum BotsCommand {
    /// Ids, names, models and what they are for
    List(Listing),
    /// One bot: what it has of its own, its files, its tools, its system prompt
    Show {
        /// The bot's id
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Build every bot, and report what is wrong with each
    Check,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca cron list --all\n  palanca cron run 1f3a9c02\n  palanca cron remove 'water the plants'\n  palanca --bot ana cron history tea"
)]
pub struct Cron {
    #[command(subcommand)]
    pub what: CronCommand,
}

#[derive(Subcommand)]
pub enum CronCommand {
    /// The jobs, by when they are due
    #[command(after_help = "Example:\n  palanca cron list --json | jq -r .content")]
    List {
        /// Those that rest, too
        #[arg(long)]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// What became of jobs that were due, the newest first
    #[command(after_help = "Examples:\n  palanca cron history\n  palanca --bot ana cron history tea --json")]
    History {
        /// The id of a job, or its name [default: all]
        job: Option<String>,
        /// The most rows
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
        max: u16,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run a job now and print what it says
    #[command(after_help = "Example:\n  palanca cron run 1f3a9c02")]
    Run {
        /// The id of a job, or its name
        job: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a job
    #[command(after_help = "Example:\n  palanca cron remove 1f3a9c02")]
    Remove {
        /// The id of a job, or its name
        job: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca memory search 'where does Ana live'\n  palanca --bot ana memory show\n  palanca --bot ana memory restore SOUL.md"
)]
pub struct Memory {
    #[command(subcommand)]
    pub what: MemoryCommand,
}

#[derive(Subcommand)]
pub enum MemoryCommand {
    /// The bot's files and their earlier versions, or one of them
    #[command(after_help = "Examples:\n  palanca memory show\n  palanca memory show memory/2026-11-28.md")]
    Show {
        /// A file, from the bot's folder [default: a list of all]
        file: Option<String>,
    },
    /// Put an earlier version of a file back; it is asked for and undone like any change
    #[command(
        after_help = "Examples:\n  palanca memory restore SOUL.md\n  palanca memory restore GOALS.md 2026-11-28T09-15"
    )]
    Restore {
        /// A file, from the bot's folder
        file: String,
        /// How the time of the version begins [default: the newest]
        time: Option<String>,
    },
    /// What the bot has noted about something, best match first
    #[command(after_help = "Example:\n  palanca memory search 'where does Ana live' --max 10 --json")]
    Search {
        /// What is looked for
        query: String,
        /// The most results [default: `soul.search.maxResults`]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
        max: Option<u32>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}
