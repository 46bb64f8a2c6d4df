//! The typed configuration: every key with its type, default, limits and documentation. Sections of the four systems
//! keep the names and letter case of their documents (`commands.default_timeout`, `webTools.maxToolRounds`).
//!
//! It holds no logic: layering, trust and messages are in other modules and work on the JSON Schema made from these
//! types.

mod agent;
mod assistants;
mod connect;
mod contracts;
mod loops;
mod net;
mod safety;
mod section;
mod subagents;
mod text;
mod workflow;
mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use agent::{
    AgentSettings, AnswerForm, ContextSettings, CostSettings, Evaluation, LlmRoute, LlmSettings, SelfCheck,
    SessionSettings, ToolsSetting, VisionSetting,
};
pub use assistants::{
    Bot, BufferSettings, CollaborationSettings, CronSettings, DatetimeSettings, DynamicToolSettings, EmbeddingSettings,
    ExecSettings, FileToolSettings, ImproveFocus, ImproveSettings, OllamaModels, OllamaSettings, PhoneSettings,
    ProcessToolSettings, SoulSearch, SoulSettings, SoulVersioning, TelegramSettings,
};
pub use connect::{
    ChannelKind, ChannelSettings, McpServer, McpSettings, SearchProviderName, WebFetchSettings, WebSearchSettings,
    WebToolSettings,
};
pub use contracts::{ContractSettings, FileSource, GithubSettings, ProductSettings};
pub use loops::LoopSettings;
pub use net::NetSettings;
pub use palanca_core::{ConfirmMode, ToolsetName};
pub use safety::{
    AbsentSetting, ApprovalSettings, AuditSettings, CodeRule, CommandLimits, CommandSettings, GuardrailSettings, Hook,
    HookProcess, HookSettings, IsolationSetting, NetworkSetting, QualityGate, SecretPathSettings, Severity,
    TaintSetting, ToolSettings, UndoSettings,
};
pub use subagents::SubagentSettings;
pub use text::SecretText;
pub use workflow::{
    AutoReviewSettings, CheckpointSettings, HealthSettings, IndexerSettings, LlmCacheSettings, MemorySettings,
    NoteSettings, ParallelSettings, RalphSettings, SkillSettings, TelemetryExporter, TelemetrySettings,
};
pub use workspace::{FileLimits, LogLevel, LoggingSettings, SearchSettings, WorkspaceSettings};

use section::{schema_of, section, tree, written};

/// Language of results, errors and questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    En,
    /// Spanish.
    Es,
}

tree! {
    /// The configuration of Palanca, resolved from all layers.
    #[schemars(title = "Palanca configuration")]
    Config {
        /// When a person is asked before a call runs. Unset: each agent's own mode.
        mode: Option<ConfirmMode> = None,
        /// The vocabulary of tools offered to the model.
        toolset: ToolsetName = ToolsetName::Palanca,
        /// Language of results, errors and questions.
        language: Language = Language::En,
        /// The folder that tools work in.
        workspace: WorkspaceSettings = WorkspaceSettings::default(),
        /// Whether the file tools are restricted to the workspace. false: they may also read elsewhere on this machine,
        /// by absolute path; they never write there, and commands keep their own limits.
        restrict_to_workspace: bool = true,
        /// Limits of the file tools.
        files: FileLimits = FileLimits::default(),
        /// Defaults of the search tools.
        search: SearchSettings = SearchSettings::default(),
        /// Which paths and values count as secret, in addition to recognised ones.
        secrets: SecretPathSettings = SecretPathSettings::default(),
        /// What happens to a call that could carry data out after foreign text was read.
        taint: TaintSetting = TaintSetting::Ask,
        /// Declarations of tools for `taint`, by name or by prefix and `*`: sources, targets of calls, closed tools.
        tools: BTreeMap<String, ToolSettings> = BTreeMap::new(),
        /// Agents by name: new ones, or changes to build, plan, review and resume.
        agents: BTreeMap<String, AgentSettings> = BTreeMap::new(),
        /// Subagents.
        subagents: SubagentSettings = SubagentSettings::default(),
        /// The language model.
        llm: LlmSettings = LlmSettings::default(),
        /// Prices and budgets, in US dollars.
        costs: CostSettings = CostSettings::default(),
        /// What is kept in the model's context window.
        context: ContextSettings = ContextSettings::default(),
        /// The agent's check of its own result.
        evaluation: Evaluation = Evaluation::default(),
        /// Stored runs.
        sessions: SessionSettings = SessionSettings::default(),
        /// Logs on stderr and in a file.
        logging: LoggingSettings = LoggingSettings::default(),
        /// Running commands.
        commands: CommandSettings = CommandSettings::default(),
        /// Questions to people before calls run.
        approvals: ApprovalSettings = ApprovalSettings::default(),
        /// The audit log.
        audit: AuditSettings = AuditSettings::default(),
        /// What can be undone.
        undo: UndoSettings = UndoSettings::default(),
        /// Rules that no model and no approval can lift.
        guardrails: GuardrailSettings = GuardrailSettings::default(),
        /// Limits on a model's repetitions of the same call with the same result.
        loops: LoopSettings = LoopSettings::default(),
        /// Programs that observe or control calls.
        hooks: HookSettings = HookSettings::default(),
        /// Foreign tools over the Model Context Protocol.
        mcp: McpSettings = McpSettings::default(),
        /// What the agent learns from corrections.
        memory: MemorySettings = MemorySettings::default(),
        /// Notes for agents: `AGENTS.md` and similar files.
        notes: NoteSettings = NoteSettings::default(),
        /// Instruction packages.
        skills: SkillSettings = SkillSettings::default(),
        /// The iterate-until-checks-pass loop.
        ralph: RalphSettings = RalphSettings::default(),
        /// Several workers on one task.
        parallel: ParallelSettings = ParallelSettings::default(),
        /// Code health before and after.
        health: HealthSettings = HealthSettings::default(),
        /// The map of the repository in the prompt.
        indexer: IndexerSettings = IndexerSettings::default(),
        /// Traces for an observability system.
        telemetry: TelemetrySettings = TelemetrySettings::default(),
        /// Answers of the model kept on disk.
        llm_cache: LlmCacheSettings = LlmCacheSettings::default(),
        /// Restore points during a run.
        checkpoints: CheckpointSettings = CheckpointSettings::default(),
        /// A second look at finished changes.
        auto_review: AutoReviewSettings = AutoReviewSettings::default(),
        /// Which hosts a call may reach.
        net: NetSettings = NetSettings::default(),
        /// Ways to reach people, by name.
        channels: BTreeMap<String, ChannelSettings> = BTreeMap::new(),
        /// Web search and fetch.
        web_tools as "webTools": WebToolSettings = WebToolSettings::default(),
        /// The contracts toolset.
        contracts: ContractSettings = ContractSettings::default(),
        /// The connection to GitHub.
        github: GithubSettings = GithubSettings::default(),
        /// The bots' shell tool.
        exec: ExecSettings = ExecSettings::default(),
        /// The bots' file tools.
        file_tools as "fileTools": FileToolSettings = FileToolSettings::default(),
        /// The bots' background processes.
        process_tools as "processTools": ProcessToolSettings = ProcessToolSettings::default(),
        /// The clock tool.
        datetime: DatetimeSettings = DatetimeSettings::default(),
        /// Phone calls.
        phone_call as "phoneCall": PhoneSettings = PhoneSettings::default(),
        /// Scheduled jobs.
        cron: CronSettings = CronSettings::default(),
        /// The files that define a bot's identity.
        soul: SoulSettings = SoulSettings::default(),
        /// A bot's work on its own soul.
        improve: ImproveSettings = ImproveSettings::default(),
        /// Bots that talk to each other.
        collaboration: CollaborationSettings = CollaborationSettings::default(),
        /// Tools that bots write and people approve.
        dynamic_tools as "dynamicTools": DynamicToolSettings = DynamicToolSettings::default(),
        /// The assistants.
        bots: Arc<Vec<Bot>> = Arc::default(),
        /// Which of `bots` acts. Unset: the first that is enabled.
        bot: Option<String> = None,
        /// A local model server for bots.
        ollama: OllamaSettings = OllamaSettings::default(),
        /// Bots at Telegram.
        telegram: TelegramSettings = TelegramSettings::default(),
        /// How quickly typed messages are joined.
        buffer: BufferSettings = BufferSettings::default(),
    } beside {
        /// Texts that occur only in an untrusted project's file: no sentence repeats them as our own.
        unvouched: BTreeSet<String> = BTreeSet::new(),
        /// What all bots have in common, where one of them acts.
        common: Option<Arc<Config>> = None,
        /// Every secret of the layers with its dotted key; a key of a list or table with its number or name.
        secret_values: Vec<(String, SecretText)> = Vec::new(),
    }
}
