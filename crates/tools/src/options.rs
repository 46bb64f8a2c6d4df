//! The operator's options of the built-in tools. Plain values: the wiring fills them in from the configuration, which this
//! room does not know.

mod others;

pub use others::{CollaborationOptions, ImproveOptions, OtherBot, OtherBotsOptions, PhoneOptions};

use crate::files::DeniedPaths;
use crate::web::SearchProvider;
use palanca_core::call::{ChannelId, ChatId, Shell};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// Settings of the built-in tools, the same for every call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOptions {
    /// Whether `delete_file` may delete anything (`workspace.allow_delete`). Off unless set.
    pub allow_delete: bool,
    /// The `file_pattern` of searches that do not give one (`search.default_file_pattern`). Unset, each toolset has its
    /// own: none in `palanca`, `*.py` for `search_code` in `architect`.
    pub default_file_pattern: Option<String>,
    /// Bytes of a file that one `read_file` shows; the rest is there by paging. 128 KiB unless set.
    pub max_read_bytes: usize,
    /// The largest file that is changed in place, in bytes. 64 MiB unless set.
    pub max_edit_bytes: u64,
    /// The longest search; what was found until then is shown. 20 s unless set.
    pub search_time: Duration,
    /// Names of directories that a recursive search or listing does not enter, beside what ignore files say.
    pub skipped_directories: Vec<String>,
    /// JSON Schemas that `validate_output` knows by name, beside the built-in types (`contracts.outputTypes`).
    pub output_types: BTreeMap<String, Value>,
    /// Whether the contracts toolset has `read_artifact` beside its six tools. Not unless set.
    pub artifacts: bool,
    /// Bytes of a kept output that one `read_artifact` shows. 6,000 unless set: three quarters of what a conversation shows
    /// of a result.
    pub artifact_page_bytes: usize,
    /// Running programs (`commands`).
    pub commands: CommandOptions,
    /// `exec` of the bots (`exec`).
    pub exec: ExecOptions,
    /// `process` of the bots (`processTools`).
    pub process: ProcessOptions,
    /// The file tools of the bots (`fileTools`).
    pub file_tools: FileToolOptions,
    /// `get_datetime` of the bots (`datetime`).
    pub datetime: DatetimeOptions,
    /// What a bot is and remembers (`soul`).
    pub soul: SoulOptions,
    /// Its jobs (`cron`).
    pub cron: CronOptions,
    /// Tools that it makes (`dynamicTools`).
    pub dynamic: DynamicOptions,
    /// Searching and reading the web (`webTools`).
    pub web: WebOptions,
    /// Tasks for other agents (`subagents`).
    pub subagents: SubagentOptions,
    /// Telling people something (`channels`).
    pub message: MessageOptions,
    /// Calls by telephone (`phoneCall`).
    pub phone: PhoneOptions,
    /// Having its own files revised (`improve`).
    pub improve: ImproveOptions,
    /// Asking other bots (`bots`).
    pub bots: OtherBotsOptions,
}

/// `message`: what it knows of the gate's channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageOptions {
    /// Every channel of the gate. Where none is named, nothing is known of them: the gate's channels say themselves what is
    /// not there, and every call names its own or comes from a conversation.
    pub channels: Vec<KnownChannel>,
}

/// One channel of the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChannel {
    /// Its name.
    pub name: ChannelId,
    /// The default recipient.
    pub default_to: Option<ChatId>,
    /// Where it comes from.
    pub from: ChannelFrom,
}

/// Where a channel comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelFrom {
    /// The operator has set it up: it may be meant without being named.
    Operator,
    /// It is always there: only who names it means it.
    BuiltIn,
}

/// How programs are run, in every toolset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOptions {
    /// Whether any tool starts programs. Off, no toolset has one, whatever else is set.
    pub enabled: bool,
    /// Who reads the text of a `run_command` of the toolset `palanca`. `/bin/sh` unless set.
    pub shell: Shell,
    /// The time of a `run_command` that names none. 30 s unless set.
    pub default_timeout: Duration,
    /// Lines of stdout that a result shows, 10 to 5000; of stderr a quarter. 200 unless set.
    pub max_output_lines: usize,
}

/// `exec` as bots have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecOptions {
    /// Whether bots have the tool. The library's default is on, a configuration's is off.
    pub enabled: bool,
    /// The time of every command that is waited for. 30 s unless set.
    pub timeout: Duration,
    /// Characters of output that a result shows; of `exec` in `picoclaw`, too. 10,000 unless set.
    pub max_output_length: usize,
    /// Where a command runs that names no folder, relative to the workspace. Unset: the workspace.
    pub workdir: Option<String>,
}

/// `process` as bots have it. How many sessions there may be and for how long is the door's to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessOptions {
    /// Whether bots have the tool, and `exec` may leave a command in the background. In `palanca` the tool comes with
    /// `run_command`. The library's default is on, a configuration's is off.
    pub enabled: bool,
    /// Characters of output that one `poll` shows. 200,000 unless set.
    pub max_output_chars: usize,
}

/// `file_read`, `file_write` and `file_edit` as bots have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileToolOptions {
    /// Whether bots have the tools. The library's default is on, a configuration's is off.
    pub enabled: bool,
    /// The folder that they work in, from the workspace's root. The workspace unless set.
    pub base: String,
    /// Paths that they refuse.
    pub denied: DeniedPaths,
}

/// What a bot is and remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct SoulOptions {
    /// Whether bots have the tools.
    pub enabled: bool,
    /// The folder of this bot's files, from the workspace's root.
    pub dir: String,
    /// Whether what a tool replaces is kept below `.versions`.
    pub versions: bool,
    /// Searching and reading their memory.
    pub search: MemorySearchOptions,
}

/// `cron`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CronOptions {
    /// Whether bots have the tool.
    pub enabled: bool,
    /// The folder of this bot's jobs, from the workspace's root.
    pub dir: String,
}

/// `create_tool`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicOptions {
    /// Whether bots have the tool. The library's default is on, a configuration's is off.
    pub enabled: bool,
    /// The folder of all made tools, from the workspace's root.
    pub dir: String,
    /// Tools of one bot, whatever was decided about them.
    pub most: usize,
}

/// `memory_search` and `memory_get`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemorySearchOptions {
    /// Whether bots have the tools.
    pub enabled: bool,
    /// Results of a search that names no number. 5 unless set.
    pub max_results: u32,
    /// The lowest score, 0 to 1, of a search that names none. 0.1 unless set.
    pub min_score: f64,
}

/// `get_datetime`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatetimeOptions {
    /// Whether bots have the tool.
    pub enabled: bool,
    /// IANA name of the time zone that a call without one means.
    pub timezone: String,
    /// Language and region of written dates: Spanish is written in Spanish, everything else in English.
    pub locale: String,
}

/// Tasks for other agents. Their number and their permissions are limited by the runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubagentOptions {
    /// Whether any toolset has the tools.
    pub enabled: bool,
    /// The longest that a call waits for an answer: longer than an agent may work on a task. Six minutes unless set.
    pub longest: Duration,
}

/// The web, in every toolset that has it. Which hosts may be reached is the network door's to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebOptions {
    /// Whether any toolset has the tools. The library's default is on, a configuration's is off.
    pub enabled: bool,
    /// `web_search`.
    pub search: SearchOptions,
    /// `web_fetch`.
    pub fetch: FetchOptions,
}

/// `web_search`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Who is asked, in this order, until one answers. The network door must know each by its name and address. None:
    /// the tool says what to set.
    pub providers: Vec<SearchProvider>,
    /// Results of a search that names no number, 1 to 20. 5 unless set.
    pub max_results: usize,
    /// The time of one provider. 30 s unless set.
    pub timeout: Duration,
    /// How long an answer is good for. 15 minutes unless set; the door may keep it for less.
    pub fresh: Duration,
}

/// `web_fetch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOptions {
    /// The most characters of a page that one call shows. 50,000 unless set.
    pub max_content_length: usize,
    /// The time of a page; `picoclaw` has its own, 60 s. 30 s unless set.
    pub timeout: Duration,
    /// How long a page is good for. 15 minutes unless set; the door may keep it for less.
    pub fresh: Duration,
}

const QUARTER_OF_AN_HOUR: Duration = Duration::from_secs(15 * 60);

impl Default for WebOptions {
    fn default() -> Self {
        Self { enabled: true, search: SearchOptions::default(), fetch: FetchOptions::default() }
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { providers: Vec::new(), max_results: 5, timeout: Duration::from_secs(30), fresh: QUARTER_OF_AN_HOUR }
    }
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self { max_content_length: 50_000, timeout: Duration::from_secs(30), fresh: QUARTER_OF_AN_HOUR }
    }
}

impl Default for SubagentOptions {
    fn default() -> Self {
        Self { enabled: true, longest: Duration::from_secs(6 * 60) }
    }
}

impl Default for CommandOptions {
    fn default() -> Self {
        Self { enabled: true, shell: Shell::Sh, default_timeout: Duration::from_secs(30), max_output_lines: 200 }
    }
}

impl Default for ExecOptions {
    fn default() -> Self {
        Self { enabled: true, timeout: Duration::from_secs(30), max_output_length: 10_000, workdir: None }
    }
}

impl Default for ProcessOptions {
    fn default() -> Self {
        Self { enabled: true, max_output_chars: 200_000 }
    }
}

impl Default for FileToolOptions {
    fn default() -> Self {
        Self { enabled: true, base: "./".to_owned(), denied: DeniedPaths::default() }
    }
}

impl Default for SoulOptions {
    fn default() -> Self {
        Self {
            enabled: true,
            dir: "config/soul/default".to_owned(),
            versions: true,
            search: MemorySearchOptions::default(),
        }
    }
}

impl Default for CronOptions {
    fn default() -> Self {
        Self { enabled: true, dir: "data/cron/default".to_owned() }
    }
}

impl Default for DynamicOptions {
    fn default() -> Self {
        Self { enabled: true, dir: "data/tools".to_owned(), most: 20 }
    }
}

impl Default for MemorySearchOptions {
    fn default() -> Self {
        Self { enabled: true, max_results: 5, min_score: 0.1 }
    }
}

impl Default for DatetimeOptions {
    fn default() -> Self {
        Self { enabled: true, timezone: "America/Argentina/Buenos_Aires".to_owned(), locale: "es-AR".to_owned() }
    }
}

impl Default for ToolOptions {
    fn default() -> Self {
        Self {
            allow_delete: false,
            default_file_pattern: None,
            max_read_bytes: 128 << 10,
            max_edit_bytes: 64 << 20,
            search_time: Duration::from_secs(20),
            skipped_directories: vec![".git".to_owned()],
            output_types: BTreeMap::new(),
            artifacts: false,
            artifact_page_bytes: 6_000,
            commands: CommandOptions::default(),
            exec: ExecOptions::default(),
            process: ProcessOptions::default(),
            phone: PhoneOptions::default(),
            improve: ImproveOptions::default(),
            bots: OtherBotsOptions::default(),
            file_tools: FileToolOptions::default(),
            datetime: DatetimeOptions::default(),
            soul: SoulOptions::default(),
            cron: CronOptions::default(),
            dynamic: DynamicOptions::default(),
            web: WebOptions::default(),
            subagents: SubagentOptions::default(),
            message: MessageOptions::default(),
        }
    }
}
