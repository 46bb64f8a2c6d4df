//! The command line, as one declarative list: the parser and `--help` come from it.

pub mod agent_files;
pub mod approvals;
pub mod audit;
pub mod bots;
pub mod chat;
pub mod dynamic;
pub mod generated;
pub mod mcp;
pub mod mistyped;
pub mod run;
pub mod serve;
pub mod sessions;
pub mod store;
pub mod tokens;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use palanca_core::{SchemaFormat, ToolsetName};
use palanca_host::Cleaning;
use serde::de::DeserializeOwned;
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

/// Options of every command, given before or after its name.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The folder that the tools work in [default: `workspace.root` in the configuration, else `.`]
    #[arg(short, long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// A configuration file, trusted like your own
    #[arg(short, long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// When to ask before a call: yolo, confirm-sensitive, confirm-all
    #[arg(short, long, global = true, value_parser = names(MODES), visible_alias = "confirm-mode")]
    pub mode: Option<String>,
    /// Change nothing: writes stay in memory where later reads see them, and diffs are shown. Commands are described, or run
    /// on a temporary layer with `--dry-run=commands`
    #[arg(long, global = true, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "files")]
    pub dry_run: Option<DryRun>,
    /// The set of tools, by names and arguments
    #[arg(long, global = true, value_parser = names(TOOLSETS))]
    pub toolset: Option<String>,
    /// The bot that acts, of `bots` in the configuration; with its tools
    #[arg(long, global = true, value_name = "ID")]
    pub bot: Option<String>,
    /// The language of results, errors and questions
    #[arg(long, global = true, value_parser = ["en", "es"])]
    pub lang: Option<String>,
    /// Print more on stderr (-v, -vv, -vvv)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Print only errors on stderr
    #[arg(long, global = true)]
    pub quiet: bool,
    /// The log level
    #[arg(long, global = true, value_parser = ["error", "warn", "human", "info", "debug"])]
    pub log_level: Option<String>,
    /// Log runs and calls to this file, as JSON lines
    #[arg(long, global = true, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
}

impl Global {
    /// Whether this is a dry run.
    pub const fn is_dry(&self) -> bool {
        self.dry_run.is_some()
    }

    /// What becomes of what is too old.
    pub const fn cleaning(&self) -> Cleaning {
        if self.is_dry() { Cleaning::OnlyTells } else { Cleaning::Removes }
    }
}

/// What a dry run does with commands.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DryRun {
    /// Describes them
    Files,
    /// Runs them on a temporary layer over the workspace, which receives their changes
    Commands,
}

/// What `--mode` may be: the configuration's words, and what they mean.
const MODES: &[(&str, &str)] = &[
    ("yolo", "Never ask"),
    ("confirm-sensitive", "Ask before calls that change something"),
    ("confirm-all", "Ask before every call"),
];

/// What `--toolset` may be.
const TOOLSETS: &[(&str, &str)] = &[
    ("palanca", "The union, in the field's usual names"),
    ("architect", "As the architect agent's documents say"),
    ("bots", "As the bots' documents say: an assistant that remembers"),
    ("picoclaw", "As picoclaw's documents say"),
    ("contracts", "As the contracts document says: JSON in and out, for reading and planning"),
];

fn names(rows: &'static [(&str, &str)]) -> PossibleValuesParser {
    PossibleValuesParser::new(rows.iter().map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// One of these words, which the type reads as configurations spell it.
fn word<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value(word.into()))
}

#[derive(Subcommand)]
pub enum Command {
    /// One tool call, or a batch of them, through the whole gate
    Call(Call),
    /// Judge a call without running it
    Explain(Explain),
    /// Test the policy: verdicts for JSON lines
    Check(Check),
    /// The tools that a model is offered
    Tools(Tools),
    /// Talk with the agent, or with a bot: lines in, answers out
    Chat(Box<chat::Chat>),
    /// The bots of the configuration: list, show, check
    Bots(bots::Bots),
    /// Keep the bots alive until it is asked to end
    Serve(serve::Serve),
    /// Run the agent: a model that reads, searches, edits and runs commands
    Run(Box<run::Run>),
    /// Create a project's configuration and notes from a preset
    Init(agent_files::Init),
    /// Agent skills: folders with instructions for particular tasks
    Skills(agent_files::Skills),
    /// The roles for `run --agent`
    Agents(Listing),
    /// Providers, the model that a run would use, and prices
    #[command(after_help = "Examples:\n  palanca models\n  palanca models --json | jq '.prices.models[] | .model'")]
    Models(Listing),
    /// What this machine enforces
    Doctor(Listing),
    /// The configuration, with the origin of every value
    Config(Config),
    /// Past sessions: show, resume, undo, export
    Sessions(sessions::Sessions),
    /// Open questions, and rules created by answering them
    Approvals(approvals::Approvals),
    /// The audit log: show or verify it
    Audit(audit::Audit),
    /// A bot's jobs: list, run, remove, history
    Cron(bots::Cron),
    /// Tools that bots made: list, show, approve, reject, test, delete
    Dynamic(dynamic::Dynamic),
    /// What a bot has noted: search it, show its files, put earlier versions back
    Memory(bots::Memory),
    /// Who is let in at the console: make, list and revoke tokens
    Tokens(tokens::Tokens),
    /// The database: check, back up, restore
    Store(store::Store),
    /// The Model Context Protocol: serve the tools to a client; the servers whose tools are used
    Mcp(mcp::Mcp),
    /// Shell completions
    Completions(generated::Completions),
    /// The manual page of palanca, or of one command, as roff
    Man(generated::Man),
}

impl Command {
    /// Whether `--log-file` has an effect.
    pub const fn writes_log(&self) -> bool {
        let resumes = matches!(self, Self::Sessions(sessions::Sessions { what: sessions::SessionsCommand::Resume(_) }));
        resumes || matches!(self, Self::Call(_) | Self::Run(_) | Self::Serve(_))
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
    /// Its arguments: one JSON object, `-` to read one from stdin, or `key=value` pairs [default: {}]
    #[arg(value_name = "JSON|-|KEY=VALUE")]
    pub arguments: Vec<String>,
    /// Calls as JSON lines {"id"?, "tool", "args"} from this file, or `-` for stdin; results in the same order
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tool", "arguments"])]
    pub batch: Option<String>,
    /// Number of calls of a batch that run in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
    /// Whether commands get the network: never, after a question, or without one [default: `commands.network`, else ask]
    #[arg(long, value_name = "off|ask|on", value_parser = ["off", "ask", "on"])]
    pub network: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// The shape of the JSON result [default: the toolset's]
    #[arg(long, value_parser = word::<ToolsetName>(ToolsetName::ALL.map(ToolsetName::name)))]
    pub shape: Option<ToolsetName>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca explain write_file path=a.txt content=x\n  palanca explain run_command '{\"command\": \"git push\"}' --json"
)]
pub struct Explain {
    /// The tool's name
    pub tool: String,
    /// Its arguments: one JSON object, `-` to read one from stdin, or `key=value` pairs [default: {}]
    #[arg(value_name = "JSON|-|KEY=VALUE")]
    pub arguments: Vec<String>,
    /// Print the verdict as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  echo '{\"input\": \"../x\", \"op\": \"read\", \"expect\": \"deny\"}' | palanca check paths -\n  echo '{\"input\": \"git status; rm -rf ~\", \"expect\": \"blocked\"}' | palanca check commands -"
)]
pub struct Check {
    /// What the lines contain
    #[arg(value_enum)]
    pub what: Checked,
    /// JSON lines with `input`, and optionally `id`, `op` and `expect`; `-` reads stdin
    #[arg(default_value = "-")]
    pub file: String,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Checked {
    /// Shell commands: safe, dev, dangerous or blocked
    Commands,
    /// FILE is a file of rules on effects: tests its examples and lists its rules
    Rules,
    /// Foreign text: redact or pass, and the marked and redacted text as `output`
    Text,
    /// Addresses: allow or deny, without resolving names
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
    /// The schemas sent to a model
    Schema {
        /// Only these tools
        names: Vec<String>,
        /// The provider's format
        #[arg(long, value_parser = word::<SchemaFormat>(["openai", "anthropic", "mcp"]), default_value = "openai")]
        format: SchemaFormat,
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
    /// The effective configuration, without secrets
    Show(Listing),
    /// Read every file and report every error
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
