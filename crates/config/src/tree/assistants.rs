//! The bots and their tools, in the letter case of the bots document: durations in milliseconds unless said otherwise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Language;
use super::section::section;
use super::text::SecretText;
use palanca_core::ConfirmMode;

section! {
    /// The bots' shell tool.
    #[serde(rename_all = "camelCase")]
    ExecSettings {
        /// Whether bots may run commands.
        enabled: bool = false,
        /// Milliseconds.
        timeout: u64 = 30_000,
        /// Maximum characters of output.
        max_output_length: u64 = 10_000,
        /// The folder in which commands run. Unset: the workspace.
        workdir: Option<String> = None,
        /// Regular expressions; if any is given, other commands are refused.
        allowed_patterns: Vec<String> = Vec::new(),
        /// Regular expressions of commands that are refused.
        denied_patterns: Vec<String> = Vec::new(),
    }
}

section! {
    /// The bots' file tools.
    #[serde(rename_all = "camelCase")]
    FileToolSettings {
        /// Whether bots may read and write files.
        enabled: bool = false,
        /// The folder they work in.
        base_path: String = "./".to_owned(),
        /// Maximum file size, in bytes.
        max_file_size_bytes: u64 = 1_048_576,
        /// Regular expressions of paths that are refused.
        denied_patterns: Vec<String> = Vec::new(),
    }
}

section! {
    /// The bots' background processes.
    #[serde(rename_all = "camelCase")]
    ProcessToolSettings {
        /// Whether bots may keep processes.
        enabled: bool = false,
        /// Maximum number at once.
        #[schemars(range(min = 1, max = 1000))]
        max_sessions: u32 = 10,
        /// Milliseconds that an ended one is kept.
        finished_ttl_ms: u64 = 600_000,
        /// Maximum characters of output kept of each.
        max_output_chars: u64 = 200_000,
    }
}

section! {
    /// The clock tool.
    DatetimeSettings {
        /// Whether it is offered.
        enabled: bool = true,
        /// IANA name of the time zone.
        timezone: String = "America/Argentina/Buenos_Aires".to_owned(),
        /// Language and region of written dates.
        locale: String = "es-AR".to_owned(),
    }
}

section! {
    /// Phone calls through Twilio.
    #[serde(rename_all = "camelCase")]
    PhoneSettings {
        /// Whether bots may call.
        enabled: bool = false,
        /// Account of the telephone service.
        account_sid: Option<String> = None,
        /// Its token.
        auth_token: Option<SecretText> = None,
        /// The number that calls.
        from_number: Option<String> = None,
        /// The number to call if none is named.
        default_number: String = String::new(),
        /// Language of the voice.
        language: String = "es-MX".to_owned(),
        /// The voice.
        voice: String = "Polly.Mia".to_owned(),
        /// The file of names and numbers, within the workspace.
        contacts_file: String = "./data/contacts.json".to_owned(),
        /// Maximum number of calls of one bot within an hour.
        #[schemars(range(min = 1, max = 1000))]
        max_calls_per_hour: u32 = 10,
        /// Address of the telephone service. Unset: Twilio's own; set it for a compatible server.
        base_url: Option<String> = None,
    }
}

section! {
    /// Scheduled jobs.
    #[serde(rename_all = "camelCase")]
    CronSettings {
        /// Whether bots may have jobs.
        enabled: bool = true,
        /// The folder that holds them, within the workspace, with one folder for each bot.
        store_path: String = "./data/cron".to_owned(),
    }
}

section! {
    /// The files that define a bot's identity.
    SoulSettings {
        /// Whether bots have them.
        enabled: bool = true,
        /// The folder, with one folder for each bot.
        dir: String = "./config/soul".to_owned(),
        /// Older versions.
        versioning: SoulVersioning = SoulVersioning::default(),
        /// Search in them.
        search: SoulSearch = SoulSearch::default(),
    }
}

section! {
    /// Older versions of soul files.
    #[serde(rename_all = "camelCase")]
    SoulVersioning {
        /// Whether they are kept.
        enabled: bool = true,
        /// Newest versions kept of each file; older ones go when somebody next talks with the bot.
        #[schemars(range(min = 1, max = 1000))]
        max_versions_per_file: u32 = 10,
    }
}

section! {
    /// Search in soul files.
    #[serde(rename_all = "camelCase")]
    SoulSearch {
        /// Whether `memory_search` and `memory_get` are offered.
        enabled: bool = true,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 100))]
        max_results: u32 = 5,
        /// Results with a lower score are left out.
        #[schemars(range(min = 0.0, max = 1.0))]
        min_score: f64 = 0.1,
        /// What a bot's memory has on each message, in its prompt without a call.
        auto_rag: AutoRag = AutoRag::default(),
        /// Search by meaning, beside that by words.
        embeddings: EmbeddingSettings = EmbeddingSettings::default(),
    }
}

section! {
    /// A model that turns texts into vectors. Notes, conversations and questions are sent to it.
    #[serde(rename_all = "camelCase")]
    EmbeddingSettings {
        /// The model, `openai:NAME` or `ollama:NAME`; a name without a provider is one of Ollama's. Unset: search is by words alone.
        model: Option<String> = None,
        /// Base URL of its API, as `llm.api_base`. Unset: for Ollama `ollama.baseUrl`, else the provider's own, or its `*_BASE_URL` variable.
        base_url: Option<String> = None,
        /// The API key, usually `${VARIABLE}`. Unset: the provider's usual variable.
        api_key: Option<SecretText> = None,
        /// Time limit of one request, in milliseconds.
        #[schemars(range(min = 1, max = 60_000))]
        timeout: u64 = 30_000,
    }
}

section! {
    /// Recall into the prompt.
    #[serde(rename_all = "camelCase")]
    AutoRag {
        /// Whether a search is made for each message.
        enabled: bool = false,
        /// Maximum number of passages.
        #[schemars(range(min = 1, max = 20))]
        max_results: u32 = 3,
        /// Passages with a lower score are left out.
        #[schemars(range(min = 0.0, max = 1.0))]
        min_score: f64 = 0.25,
        /// Maximum characters of all passages.
        #[schemars(range(min = 100, max = 20_000))]
        max_chars: u32 = 2_000,
    }
}

/// What a bot may change about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImproveFocus {
    /// What it remembers.
    Memory,
    /// Who it is.
    Soul,
    /// What drives it.
    Motivations,
    /// How it presents itself.
    Identity,
    /// Everything.
    All,
}

section! {
    /// A bot's work on its own soul.
    #[serde(rename_all = "camelCase")]
    ImproveSettings {
        /// Whether it is offered.
        enabled: bool = false,
        /// The program that revises; empty for the bot's own model.
        claude_path: String = "claude".to_owned(),
        /// Milliseconds.
        #[schemars(range(min = 1, max = 300_000))]
        timeout: u64 = 120_000,
        /// Maximum characters of its report.
        max_output_length: u64 = 15_000,
        /// The folder of the files, with one folder for each bot. Unset: each bot's own.
        soul_dir: Option<String> = None,
        /// What may be changed.
        allowed_focus: Vec<ImproveFocus> = vec![
            ImproveFocus::Memory, ImproveFocus::Soul, ImproveFocus::Motivations, ImproveFocus::Identity, ImproveFocus::All,
        ],
    }
}

section! {
    /// Bots that talk to each other.
    #[serde(rename_all = "camelCase")]
    CollaborationSettings {
        /// Whether they may.
        enabled: bool = false,
        /// Messages before a pause.
        #[schemars(range(min = 1, max = 20))]
        max_rounds: u32 = 5,
        /// Milliseconds of the pause.
        cooldown_ms: u64 = 30_000,
        /// Time limit of an answer, in milliseconds.
        internal_query_timeout: u64 = 60_000,
        /// Whether the answering bot may use tools.
        enable_target_tools: bool = true,
        /// Maximum number of turns in one conversation.
        #[schemars(range(min = 1, max = 10))]
        max_converse_turns: u32 = 3,
        /// Milliseconds that a conversation is kept.
        session_ttl_ms: u64 = 600_000,
        /// Maximum number of turns in a conversation that people see.
        #[schemars(range(min = 1, max = 10))]
        visible_max_turns: u32 = 3,
    }
}

section! {
    /// Tools that bots write and people approve.
    #[serde(rename_all = "camelCase")]
    DynamicToolSettings {
        /// Whether bots may.
        enabled: bool = false,
        /// The folder that holds them.
        store_path: String = "./data/tools".to_owned(),
        /// Maximum number of tools of one bot.
        #[schemars(range(min = 1, max = 1000))]
        max_tools_per_bot: u32 = 20,
    }
}

/// An assistant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bot {
    /// Its short name, unique: up to 64 ASCII letters, digits, `-` and `_`.
    pub id: String,
    /// Its name for people.
    #[serde(default)]
    pub name: String,
    /// Its token at Telegram, usually `${VARIABLE}`. Unset: it has no chats there.
    #[serde(default)]
    pub token: Option<SecretText>,
    /// Whether it runs.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Who may talk to it at Telegram and decide for it: numbers, or names with or without `@`. `*` lets everyone else talk, as strangers; so
    /// does an empty list.
    #[serde(default)]
    pub allowed_users: Vec<String>,
    /// Where Telegram brings its messages: the `https` address of this server's console, as others reach it. Unset: they are asked for.
    #[serde(default)]
    pub webhook_url: Option<String>,
    /// What it is good at, as other bots see it.
    #[serde(default)]
    pub skills: Vec<String>,
    /// Regular expressions on messages that call it in a group, beside its name and replies to it; letter case does not count.
    #[serde(default)]
    pub mention_patterns: Vec<String>,
    /// Its model, or models to try in order; a name without a provider is one of Ollama's. Unset: `llm.model`, else
    /// `ollama.models`.
    #[serde(default)]
    #[schemars(extend("x-oneIsEnough" = true))]
    pub model: Vec<String>,
    /// The folder of its soul files. Unset: below `soul.dir`.
    #[serde(default)]
    pub soul_dir: Option<String>,
    /// What it is for, as other bots see it.
    #[serde(default)]
    pub description: Option<String>,
    /// Tools that it is neither offered nor allowed to run.
    #[serde(default)]
    pub disabled_tools: Vec<String>,
    /// When a person is asked before a call of it runs. Unset: `mode`.
    #[serde(default)]
    pub confirm_mode: Option<ConfirmMode>,
    /// The folder that its file tools and commands work in. Unset: `fileTools.basePath` and `exec.workdir`.
    #[serde(default)]
    pub folder: Option<String>,
    /// IANA name of its time zone. Unset: `datetime.timezone`.
    #[serde(default)]
    pub timezone: Option<String>,
    /// The language of its prompt, results and questions. Unset: `language`.
    #[serde(default)]
    pub language: Option<Language>,
    /// What one conversation of it may cost, in US dollars. Unset: `costs.budget_usd`.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub budget_usd: Option<f64>,
}

section! {
    /// A local model server for bots.
    #[serde(rename_all = "camelCase")]
    OllamaSettings {
        /// Its address. Unset: `OLLAMA_HOST`.
        base_url: Option<String> = None,
        /// Its models.
        models: OllamaModels = OllamaModels::default(),
    }
}

section! {
    /// Models of the local server.
    OllamaModels {
        /// The one to use.
        primary: Option<String> = None,
        /// Models to try if it fails, in order.
        fallbacks: Vec<String> = Vec::new(),
    }
}

section! {
    /// Bots at Telegram.
    #[serde(rename_all = "camelCase")]
    TelegramSettings {
        /// Address of the Bot API. Unset: Telegram's own; set it for a server of your own.
        api_url: Option<String> = None,
    }
}

section! {
    /// How quickly typed messages are joined.
    #[serde(rename_all = "camelCase")]
    BufferSettings {
        /// Milliseconds of silence before messages are answered, those of one person together.
        inbound_debounce_ms: u64 = 1500,
        /// The same for messages that came during an answer.
        queue_debounce_ms: u64 = 1000,
        /// Maximum number of messages that are answered together; further ones are answered next.
        #[schemars(range(min = 1, max = 1000))]
        queue_cap: u32 = 10,
    }
}

fn yes() -> bool {
    true
}
