//! What is allowed, and guards on it: `secrets`, `taint`, `commands`, `approvals`, `guardrails`, `hooks`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::section::section;

section! {
    /// Which paths count as secret, beyond the built-in rules.
    SecretPathSettings {
        /// More secret paths, as globs. They are never read, written or found by searches.
        deny: Vec<String> = Vec::new(),
        /// Exceptions from the built-in rules, as globs that name the paths. `deny` takes precedence.
        allow: Vec<String> = Vec::new(),
        /// Names of environment variables whose values never appear in results and logs, in addition to those
        /// recognised by name.
        values: Vec<String> = Vec::new(),
    }
}

/// What happens to a call that could carry data out after foreign text was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaintSetting {
    /// Nothing.
    Off,
    /// It runs, and the model is told.
    Warn,
    /// A person must approve; in the mode yolo, which never asks, the model is told.
    #[default]
    Ask,
    /// It is refused: for unattended runs.
    Block,
}

section! {
    /// The declaration of a tool for `taint`; see docs/taint.md. Only from outside the workspace, or trusted.
    ToolSettings {
        /// Of a source: fields of its results whose values may be used if the task refers to them; `*` for all.
        trusted: Option<Vec<String>> = None,
        /// Words by which tasks refer to the source's content, such as `bill`.
        roles: Vec<String> = Vec::new(),
        /// Arguments that say where a call goes or what it acts on; the other arguments are text.
        targets: Option<Vec<String>> = None,
        /// Whether its effects stay with the user and its results are the user's own.
        closed: bool = false,
    }
}

/// How strictly programs must be isolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IsolationSetting {
    /// As strictly as this machine allows: never below the kernel's filters for files and system calls.
    #[default]
    Best,
    /// Namespaces and filters, or no command at all.
    Full,
}

/// What happens to a question when nobody is there to answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AbsentSetting {
    /// The call is refused.
    #[default]
    Refuse,
    /// The call waits for the answer, and the run ends.
    Park,
    /// The call waits for the answer, and the run with it.
    Wait,
}

/// Whether commands may have network access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NetworkSetting {
    /// Never.
    Off,
    /// A person is asked about each command that needs or requests it; in the mode `yolo`, which never asks, no command
    /// gets it.
    #[default]
    Ask,
    /// Each command that needs or requests it gets it, without a separate question.
    On,
}

section! {
    /// Running commands.
    CommandSettings {
        /// Whether a tool that runs commands is offered.
        enabled: bool = true,
        /// Time limit in seconds of a `run_command` that sets none. Unset: 120 in the toolset `palanca`, 30 in `architect`.
        #[schemars(range(min = 1, max = 600))]
        default_timeout: Option<u32> = None,
        /// Maximum lines of output shown to the model.
        #[schemars(range(min = 10, max = 5000))]
        max_output_lines: u32 = 200,
        /// More commands that are always refused, as regular expressions.
        blocked_patterns: Vec<String> = Vec::new(),
        /// More commands that need no confirmation, by prefix.
        safe_commands: Vec<String> = Vec::new(),
        /// Whether all commands except safe and development commands are refused.
        allowed_only: bool = false,
        /// A file with more rules, each with its own examples; see docs/command-rules.md. Only from outside the workspace.
        rules_file: Option<String> = None,
        /// How strictly commands must be isolated.
        isolation: IsolationSetting = IsolationSetting::Best,
        /// Whether commands may run without isolation if this machine has none. Only from outside the workspace.
        unsandboxed: bool = false,
        /// Whether commands may have network access; see docs/commands.md. Only from outside the workspace.
        network: NetworkSetting = NetworkSetting::Ask,
        /// Absolute folders that commands may read and run programs from, such as toolchains below the home directory.
        /// Their `bin` folders join the path. Only from outside the workspace.
        readable: Vec<String> = Vec::new(),
        /// Whether commands find the programs on your `PATH`: virtual environments, and toolchains below the home directory,
        /// which they can read but not change.
        toolchains: bool = true,
        /// Names of additional environment variables for commands. Only from outside the workspace.
        environment: Vec<String> = Vec::new(),
        /// Resource limits of one command.
        limits: CommandLimits = CommandLimits::default(),
    }
}

section! {
    /// Resource limits of one command, together with everything that it starts. A command that reaches a limit is
    /// ended, and its result names the limit.
    CommandLimits {
        /// Mebibytes of memory, the private `/tmp` included. Unset: three quarters of the machine's.
        #[schemars(range(min = 16))]
        memory: Option<u64> = None,
        /// Processes and threads.
        #[schemars(range(min = 8, max = 1_000_000))]
        processes: u32 = 4096,
        /// Mebibytes by which the free space of a file system may shrink while the command runs. Unset: nine tenths of
        /// the free space when it starts.
        #[schemars(range(min = 1))]
        disk: Option<u64> = None,
    }
}

section! {
    /// Questions to people before calls run, and the rules made by answering them.
    ApprovalSettings {
        /// Seconds for which a question can be answered, here or from elsewhere; then the call is refused.
        #[schemars(range(min = 1, max = 604_800))]
        ttl_seconds: u32 = 3600,
        /// What happens to a question when nobody is at a terminal: its call is refused; or the `run` ends and goes on with the
        /// answer; or it waits for an answer from elsewhere, such as the console; see docs/approvals.md.
        when_absent: AbsentSetting = AbsentSetting::Refuse,
        /// A file of rules on effects, each with its own examples; see docs/approval-rules.md. Only from outside the
        /// workspace.
        rules_file: Option<String> = None,
        /// Days for which a rule made by answering "always" applies.
        #[schemars(range(min = 1, max = 365))]
        remember_days: u32 = 30,
        /// Days after which `store clean` removes a question that is settled.
        #[schemars(range(min = 1, max = 3650))]
        keep_days: u32 = 90,
    }
}

section! {
    /// The audit log.
    AuditSettings {
        /// Days after which `store clean` removes a closed file of the log, 16 MiB of lines; for ever unless set.
        #[schemars(range(min = 1, max = 3650))]
        keep_days: Option<u32> = None,
    }
}

/// The effect of violating a code rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The write happens, and the result says so.
    #[default]
    Warn,
    /// The write is refused.
    Block,
}

/// A regular expression over written text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeRule {
    /// The regular expression.
    pub pattern: String,
    /// The message if it matches.
    pub message: String,
    /// The effect if it matches.
    #[serde(default)]
    pub severity: Severity,
}

/// A command that must succeed before the agent may finish.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QualityGate {
    /// The name in reports.
    pub name: String,
    /// The shell command.
    pub command: String,
    /// Whether a failure makes the run fail.
    #[serde(default = "yes")]
    pub required: bool,
    /// Seconds.
    #[serde(default = "gate_timeout")]
    #[schemars(range(min = 1, max = 3600))]
    pub timeout: u32,
}

section! {
    /// Rules that no model and no approval can lift.
    GuardrailSettings {
        /// Whether guardrails are enabled. Unset: as soon as any rule is set.
        enabled: Option<bool> = None,
        /// Globs of files that tools may read but never change.
        protected_files: Vec<String> = Vec::new(),
        /// Globs of files that tools may neither read nor change.
        sensitive_files: Vec<String> = Vec::new(),
        /// Commands that are always refused, as regular expressions, any letter case.
        blocked_commands: Vec<String> = Vec::new(),
        /// Maximum number of files that one run may change.
        max_files_modified: Option<u32> = None,
        /// Maximum number of lines that one run may change.
        max_lines_changed: Option<u32> = None,
        /// Maximum number of commands that one run may start.
        max_commands_executed: Option<u32> = None,
        /// Whether a test must run between edits.
        require_test_after_edit: bool = false,
        /// Commands that count as tests, by prefix, such as `./scripts/check.sh`. They replace the known test programs.
        test_commands: Vec<String> = Vec::new(),
        /// Commands that must succeed before the work is done.
        quality_gates: Vec<QualityGate> = Vec::new(),
        /// Regular expressions over written text.
        code_rules: Vec<CodeRule> = Vec::new(),
    }
}

/// A command that runs at an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    /// The name in logs and results.
    #[serde(default)]
    pub name: String,
    /// The shell command; `{file}` stands for the changed file.
    pub command: String,
    /// Regular expression or glob that the whole tool name must match.
    #[serde(default = "anything")]
    pub matcher: String,
    /// Globs of file names. Empty: any call; otherwise only calls with a matching path.
    #[serde(default)]
    pub file_patterns: Vec<String>,
    /// Seconds. Unset: 10, and 15 for `post_edit`.
    #[serde(default)]
    #[schemars(range(min = 1, max = 300))]
    pub timeout: Option<u32>,
    /// Whether the hook runs in the background; it cannot block then.
    #[serde(default, rename = "async")]
    pub background: bool,
    /// Whether the hook's own failure (a crash, a timeout, an unreadable answer) is a refusal.
    #[serde(default)]
    pub required: bool,
    /// Whether the hook runs at all.
    #[serde(default = "yes")]
    pub enabled: bool,
}

/// A program that runs as long as the session and communicates by JSON-RPC lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HookProcess {
    /// The name in logs and results.
    #[serde(default)]
    pub name: String,
    /// The shell command that starts it.
    pub command: String,
    /// Its modes: `observe`, `llm`, `tool`, `approve`.
    #[serde(default = "hook_modes")]
    pub modes: Vec<String>,
    /// Regular expression or glob that the whole tool name must match.
    #[serde(default = "anything")]
    pub matcher: String,
    /// Time limit of a notification, in milliseconds.
    #[serde(default = "observe_timeout")]
    #[schemars(range(min = 10, max = 60_000))]
    pub observe_timeout_ms: u32,
    /// Time limit of an answer about a call or a model request, in milliseconds.
    #[serde(default = "intercept_timeout")]
    #[schemars(range(min = 10, max = 300_000))]
    pub intercept_timeout_ms: u32,
    /// Time limit of an approval, in milliseconds; then it is refused.
    #[serde(default = "approve_timeout")]
    #[schemars(range(min = 10, max = 3_600_000))]
    pub approve_timeout_ms: u32,
    /// Whether its failure to answer is a refusal. For approvals it always is.
    #[serde(default)]
    pub required: bool,
    /// Whether it runs at all.
    #[serde(default = "yes")]
    pub enabled: bool,
}

section! {
    /// Programs that observe or control calls, by event, in the order in which they run.
    HookSettings {
        /// Before a call; may block it or change its arguments.
        pre_tool_use: Vec<Hook> = Vec::new(),
        /// After a call; may add to its result.
        post_tool_use: Vec<Hook> = Vec::new(),
        /// After an edit: `post_tool_use` of the editing tools, by its older name.
        post_edit: Vec<Hook> = Vec::new(),
        /// Before a request to the model; may stop the turn.
        pre_llm_call: Vec<Hook> = Vec::new(),
        /// After the model answered.
        post_llm_call: Vec<Hook> = Vec::new(),
        /// When a session begins.
        session_start: Vec<Hook> = Vec::new(),
        /// When a session ends.
        session_end: Vec<Hook> = Vec::new(),
        /// When a run fails.
        on_error: Vec<Hook> = Vec::new(),
        /// When costs pass `costs.warn_at_usd`.
        budget_warning: Vec<Hook> = Vec::new(),
        /// When older turns are summarised.
        context_compress: Vec<Hook> = Vec::new(),
        /// When the agent says it is done.
        agent_complete: Vec<Hook> = Vec::new(),
        /// Programs that run as long as the session and communicate by JSON-RPC lines.
        processes: Vec<HookProcess> = Vec::new(),
    }
}

fn yes() -> bool {
    true
}

fn anything() -> String {
    "*".to_owned()
}

fn hook_modes() -> Vec<String> {
    ["observe", "llm", "tool", "approve"].map(str::to_owned).to_vec()
}

fn observe_timeout() -> u32 {
    500
}

fn intercept_timeout() -> u32 {
    5_000
}

fn approve_timeout() -> u32 {
    60_000
}

fn gate_timeout() -> u32 {
    60
}

section! {
    /// What is saved so that it can be undone with `sessions undo`.
    UndoSettings {
        /// Whether the old content of files is saved before commands change them. For file tools it always is.
        commands: bool = true,
        /// Bytes that one command may overwrite in place if a copy must be saved; more is refused. Contents saved
        /// without copying do not count.
        max_bytes: u64 = 268_435_456,
        /// Bytes of old contents stored for all commands together; the oldest are deleted first, the last command's
        /// stay.
        keep_bytes: u64 = 4_294_967_296,
    }
}
