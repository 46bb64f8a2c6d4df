//! The agent and its model: `agents`, `llm`, `costs`, `context`, `evaluation`, `sessions`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConfirmMode;
use super::section::section;

/// The form of an agent's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerForm {
    /// The model's text.
    Text,
    /// One JSON value, extracted from the model's text.
    Json,
}

section! {
    /// An agent. For build, plan, review and resume, only keys that are set have an effect.
    AgentSettings {
        /// The agent's instructions. Required for a new agent.
        system_prompt: Option<String> = None,
        /// Names of the tools that it is offered and may run. Empty, or unset for a new agent: every tool.
        allowed_tools: Option<Vec<String>> = None,
        /// When a person is asked. A new agent: `confirm-sensitive`.
        confirm_mode: Option<ConfirmMode> = None,
        /// Maximum number of model calls in one run. A new agent: 20.
        #[schemars(range(min = 1, max = 1000))]
        max_steps: Option<u32> = None,
        /// The form of its answer: `text`, or `json` for a single JSON value. A new agent: `text`.
        answer: Option<AnswerForm> = None,
    }
}

/// How the model is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LlmRoute {
    /// At its provider.
    Direct,
    /// Through a proxy that speaks the OpenAI protocol at `llm.api_base`.
    Proxy,
}

/// Whether a model is shown images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VisionSetting {
    /// If it is known to see them, by its name.
    Auto,
    /// It is.
    On,
    /// It is told in words.
    Off,
}

/// How a model is offered tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ToolsSetting {
    /// As tools; in words if the server refuses them.
    Auto,
    /// As tools.
    Native,
    /// In words, for servers that ignore tools: it answers with JSON in which it can name one.
    Json,
}

section! {
    /// The language model.
    LlmSettings {
        /// `openai`, `anthropic`, `ollama`, `replay`, or `litellm` for any OpenAI-compatible server. Unset: from
        /// `llm.model`, then from the API keys that are present.
        provider: Option<String> = None,
        /// Whether the model is reached at its provider or through a proxy.
        mode: LlmRoute = LlmRoute::Direct,
        /// The model, as `NAME` or `PROVIDER:NAME`. Unset: the first provider whose key or server is found.
        model: Option<String> = None,
        /// Models that answer, in this order, while the one before cannot be reached, is overloaded or takes too long; each at
        /// its provider's own address, with its provider's usual key.
        fallbacks: Vec<String> = Vec::new(),
        /// Base URL of the API. Unset: the provider's own, or its `*_BASE_URL` variable.
        api_base: Option<String> = None,
        /// Name of the environment variable that holds the API key. Unset: the provider's usual one.
        api_key_env: Option<String> = None,
        /// The program of `claude-cli:NAME`, by its name or absolute path.
        claude_path: String = "claude".to_owned(),
        /// Time limit of one request, in seconds.
        #[schemars(range(min = 1, max = 3600))]
        timeout: u32 = 60,
        /// Retries after a rate limit, a server error or a lost connection.
        #[schemars(range(max = 10))]
        retries: u32 = 2,
        /// Whether answers are shown as they arrive.
        stream: bool = true,
        /// Whether prompts are marked for the provider's cache if it needs marks (Anthropic). OpenAI caches without
        /// them.
        prompt_caching: bool = true,
        /// Whether the model is shown the images of results: `auto` by its name, never with `ollama`; `on`; or `off`, so that it is
        /// told in words what there was.
        vision: VisionSetting = VisionSetting::Auto,
        /// How the model is offered tools: `auto`, as its provider does, unless the server refuses them; `native`, always so; or
        /// `json`, in words, for servers that ignore tools: the model answers with JSON in which it can name one.
        tools: ToolsSetting = ToolsSetting::Auto,
    }
}

section! {
    /// Prices and budgets, in US dollars.
    CostSettings {
        /// Whether dollars are counted. Off: no model has a price, and no budget can be set.
        enabled: bool = true,
        /// A JSON file with prices per million tokens, which take precedence over the built-in ones: `{"MODEL":
        /// {"input": 2.5, "output": 10}}`.
        prices_file: Option<String> = None,
        /// Maximum cost of a run and its subagents. The maximum cost of each answer is reserved in advance; a model
        /// with no known price is not called then.
        #[schemars(range(min = 0.0))]
        budget_usd: Option<f64> = None,
        /// Cost at which a run shows a warning, once.
        #[schemars(range(min = 0.0))]
        warn_at_usd: Option<f64> = None,
        /// Maximum tokens, input plus output, of a run and its subagents.
        #[schemars(range(min = 1))]
        max_total_tokens: Option<u64> = None,
    }
}

section! {
    /// What is kept in the model's context window. 0 disables a limit.
    ContextSettings {
        /// Maximum tokens of one tool result; the middle of a longer one is omitted.
        max_tool_result_tokens: u32 = 2000,
        /// Number of turns after which older ones are summarised.
        summarize_after_steps: u32 = 8,
        /// Number of newest turns that are never summarised.
        keep_recent_steps: u32 = 4,
        /// Maximum size of the conversation, in tokens.
        max_context_tokens: u32 = 80_000,
        /// Whether reads of one turn run in parallel.
        parallel_tools: bool = true,
    }
}

/// How thoroughly the agent checks its own result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SelfCheck {
    /// Not at all.
    Off,
    /// One question; an unsure answer makes the run partial.
    Basic,
    /// The question, then runs that correct the findings.
    Full,
}

section! {
    /// The agent's check of its own result.
    Evaluation {
        /// `off`, `basic` or `full`.
        mode: SelfCheck = SelfCheck::Off,
        /// Maximum number of correcting runs of `full`.
        #[schemars(range(min = 1, max = 5))]
        max_retries: u32 = 2,
        /// Below this the result does not count as done.
        #[schemars(range(min = 0.0, max = 1.0))]
        confidence_threshold: f64 = 0.8,
    }
}

section! {
    /// Stored runs.
    SessionSettings {
        /// Whether runs are stored, so that they can be shown and resumed, and long outputs in full.
        auto_save: bool = true,
        /// Days after which `sessions clean` and `store clean` remove a run, and after which a stored output is removed.
        #[schemars(range(min = 1, max = 365))]
        cleanup_after_days: u32 = 7,
    }
}
