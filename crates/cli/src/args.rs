//! The command line, as one declarative list: the parser and `--help` come from it.

pub mod agent_files;
pub mod approvals;
pub mod audit;
pub mod generated;
pub mod mistyped;
pub mod run;
pub mod sessions;
pub mod store;

use clap::{Args, Parser, Subcommand, ValueEnum};
use palanca_core::{ConfirmMode, ResultShape, SchemaFormat};
use std::path::PathBuf;

/// The tool system of an LLM agent: tools defined, judged, executed and recorded by one gate.
#[derive(Parser)]
#[command(
    name = "palanca",
    version,
    propagate_version = true,
    after_help = "Example:\n  palanca call read_file path=README.md"
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command, before or after its name.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The folder that the tools work in [default: the configuration's `workspace.root`, else `.`]
    #[arg(short, long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// A configuration file; it counts as your own word
    #[arg(short, long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// When to ask before a call: yolo, confirm-sensitive, confirm-all
    #[arg(short, long, global = true, value_enum, visible_alias = "confirm-mode")]
    pub mode: Option<Mode>,
    /// Change nothing: writes stay in memory, later reads see them, diffs are shown. Commands are described, or run
    /// on a layer with `--dry-run=commands`
    #[arg(long, global = true, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "files")]
    pub dry_run: Option<DryRun>,
    /// The vocabulary of tools
    #[arg(long, global = true, value_enum)]
    pub toolset: Option<ToolsetArg>,
    /// The language of results, errors and questions
    #[arg(long, global = true, value_enum)]
    pub lang: Option<Lang>,
    /// More on stderr (-v, -vv, -vvv)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Nothing on stderr but errors
    #[arg(long, global = true)]
    pub quiet: bool,
    /// How much the log says
    #[arg(long, global = true, value_enum)]
    pub log_level: Option<LogLevel>,
    /// Write what runs and calls do to this file, as JSON lines
    #[arg(long, global = true, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
}

impl Global {
    /// Whether nothing may really change.
    pub const fn is_dry(&self) -> bool {
        self.dry_run.is_some()
    }
}

/// What a dry run does with commands.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DryRun {
    /// Describes them
    Files,
    /// Runs them on a layer over the workspace, which takes what they change
    Commands,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Mode {
    /// Never ask
    Yolo,
    /// Ask before calls that change something
    ConfirmSensitive,
    /// Ask before every call
    ConfirmAll,
}

impl From<Mode> for ConfirmMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Yolo => Self::Yolo,
            Mode::ConfirmSensitive => Self::ConfirmSensitive,
            Mode::ConfirmAll => Self::ConfirmAll,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ToolsetArg {
    /// The union, in the field's usual names
    Palanca,
    /// As the architect agent's documents say
    Architect,
    /// As the bots' documents say: so far exec and process
    Bots,
    /// As picoclaw's documents say
    Picoclaw,
    /// As the contracts document says: JSON in and out, for reading and planning
    Contracts,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    En,
    Es,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum LogLevel {
    Error,
    Warn,
    Human,
    Info,
    Debug,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Shape {
    Palanca,
    Architect,
    Bots,
    Picoclaw,
    Contracts,
}

impl From<Shape> for ResultShape {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Palanca => Self::Palanca,
            Shape::Architect => Self::Architect,
            Shape::Bots => Self::Bots,
            Shape::Picoclaw => Self::Picoclaw,
            Shape::Contracts => Self::Contracts,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    Openai,
    Anthropic,
    Mcp,
}

impl From<Format> for SchemaFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Openai => Self::OpenAi,
            Format::Anthropic => Self::Anthropic,
            Format::Mcp => Self::Mcp,
        }
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// One tool call, or a batch of them, through the whole gate
    Call(Call),
    /// Judge a call without running it
    Explain(Explain),
    /// The policy's test bench: verdicts for JSON lines
    Check(Check),
    /// What a model would be offered
    Tools(Tools),
    /// The agent: a model that reads, searches, edits and patches
    Run(Box<run::Run>),
    /// A project's first configuration and notes, by preset
    Init(agent_files::Init),
    /// Instructions for kinds of work, in folders: Agent Skills
    Skills(agent_files::Skills),
    /// The roles that `run --agent` knows
    Agents(Listing),
    /// Providers, the model that a run would use, and prices
    #[command(after_help = "Examples:\n  palanca models\n  palanca models --json | jq '.prices.models[] | .model'")]
    Models(Listing),
    /// What this machine really enforces
    Doctor(Listing),
    /// Configuration, with the origin of every value
    Config(Config),
    /// What happened, going on with it, and taking it back
    Sessions(sessions::Sessions),
    /// Questions that wait for an answer, and rules that people made by answering
    Approvals(approvals::Approvals),
    /// The audit log: shown, and checked
    Audit(audit::Audit),
    /// The database of what is kept: checked, copied, restored
    Store(store::Store),
    /// Completions for a shell
    Completions(generated::Completions),
    /// The manual page of palanca, or of one command, as roff
    Man(generated::Man),
}

impl Command {
    /// Whether `--log-file` has an effect.
    pub const fn writes_log(&self) -> bool {
        let resumes = matches!(self, Self::Sessions(sessions::Sessions { what: sessions::SessionsCommand::Resume(_) }));
        resumes || matches!(self, Self::Call(_) | Self::Run(_))
    }
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca call grep '{\"pattern\": \"TODO\"}'\n  palanca call read_file path=README.md start_line=10\n  echo '{\"path\": \"a.txt\"}' | palanca call read_file -\n  palanca call --batch calls.jsonl --jobs 4"
)]
pub struct Call {
    /// The tool's name
    #[arg(required_unless_present = "batch")]
    pub tool: Option<String>,
    /// Its arguments: one JSON object, `-` to read that from stdin, or `key=value` for each; none means {}
    #[arg(value_name = "JSON|-|KEY=VALUE")]
    pub arguments: Vec<String>,
    /// Calls as JSON lines {"id"?, "tool", "args"} from this file, or `-` for stdin; results in the same order
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tool", "arguments"])]
    pub batch: Option<String>,
    /// Calls of a batch that run side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// The shape of that JSON [default: the toolset's]
    #[arg(long, value_enum)]
    pub shape: Option<Shape>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca explain write_file path=a.txt content=x\n  palanca explain run_command '{\"command\": \"git push\"}' --json"
)]
pub struct Explain {
    /// The tool's name
    pub tool: String,
    /// Its arguments: one JSON object, `-` to read that from stdin, or `key=value` for each; none means {}
    #[arg(value_name = "JSON|-|KEY=VALUE")]
    pub arguments: Vec<String>,
    /// Print the judgement as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  echo '{\"input\": \"../x\", \"op\": \"read\", \"expect\": \"deny\"}' | palanca check paths -\n  echo '{\"input\": \"git status; rm -rf ~\", \"expect\": \"blocked\"}' | palanca check commands -"
)]
pub struct Check {
    /// What the lines are
    #[arg(value_enum)]
    pub what: Checked,
    /// JSON lines with `input`, and perhaps `id`, `op` and `expect`; `-` reads stdin
    #[arg(default_value = "-")]
    pub file: String,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Checked {
    /// Shell commands: safe, dev, dangerous or blocked
    Commands,
    /// A file of rules on effects: its examples are tried, its rules listed; FILE is that file
    Rules,
    /// Text from elsewhere: redact or pass, and the marked and redacted text as `output`
    Text,
    /// Addresses: allow or deny, as far as can be said without asking anybody
    Urls,
    /// Paths, judged for `op`: read, write, append, edit, delete, list, glob, search, mkdir, move, copy, patch
    Paths,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  palanca tools list\n  palanca tools schema read_file --format anthropic")]
pub struct Tools {
    #[command(subcommand)]
    pub what: ToolsCommand,
}

#[derive(Subcommand)]
pub enum ToolsCommand {
    /// Names and descriptions
    List(Listing),
    /// The schemas that a model gets
    Schema {
        /// Only these tools
        names: Vec<String>,
        /// The provider's form
        #[arg(long, value_enum, default_value = "openai")]
        format: Format,
    },
    /// Everything about one tool
    Show {
        /// The tool's name
        name: String,
    },
}

#[derive(Args)]
pub struct Listing {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  palanca config show\n  palanca config explain llm.model")]
pub struct Config {
    #[command(subcommand)]
    pub what: ConfigCommand,
}

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// The configuration in force; secrets are not shown
    Show(Listing),
    /// Read every file and report every fault
    Check,
    /// One key: its value and where it comes from
    Explain {
        /// For example llm.model
        key: String,
    },
    /// The JSON Schema of configuration files
    Schema,
    /// Accept the workspace's own files as they are now: configuration, notes, skills. Until then the configuration may
    /// only make things stricter
    Trust,
}
