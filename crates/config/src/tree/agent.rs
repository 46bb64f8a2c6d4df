//! The agent and its model: `agents`, `llm`, `costs`, `context`, `evaluation`, `sessions`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConfirmMode;
use super::section::section;

/// What an agent's answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerForm {
    /// Whatever the model says.
    Text,
    /// One JSON value, cut out of what the model says.
    Json,
}

section! {
    /// An agent. For build, plan, review and resume only the keys that are set change something.
    AgentSettings {
        /// The instructions of the agent. A new agent needs them.
        system_prompt: Option<String> = None,
        /// Names of the tools that it is offered and may run. Empty, or unset for a new agent: every tool.
        allowed_tools: Option<Vec<String>> = None,
        /// When a person is asked. A new agent: `confirm-sensitive`.
        confirm_mode: Option<ConfirmMode> = None,
        /// Most model turns of one run. A new agent: 20.
        #[schemars(range(min = 1, max = 1000))]
        max_steps: Option<u32> = None,
        /// What its answer is: `text`, or `json` for one JSON value without anything around it. A new agent: `text`.
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
        /// Base URL of the API. Unset: the provider's own, or its `*_BASE_URL` variable.
        api_base: Option<String> = None,
        /// Name of the environment variable that holds the API key. Unset: the provider's usual one.
        api_key_env: Option<String> = None,
        /// Seconds that one request may take.
        #[schemars(range(min = 1, max = 3600))]
        timeout: u32 = 60,
        /// Further tries after a rate limit, a server error or a lost connection.
        #[schemars(range(max = 10))]
        retries: u32 = 2,
        /// Whether answers are shown while they arrive.
        stream: bool = true,
        /// Whether prompts are marked for the provider's cache where it wants marks (Anthropic). OpenAI caches without them.
        prompt_caching: bool = true,
    }
}

section! {
    /// Prices and budgets, in US dollars.
    CostSettings {
        /// Whether dollars are counted. Off: nothing has a price, and no budget can be set.
        enabled: bool = true,
        /// A JSON file with prices per million tokens, before the built-in ones: `{"MODEL": {"input": 2.5, "output": 10}}`.
        prices_file: Option<String> = None,
        /// The most that a run and its subagents may cost. What an answer may cost is set aside before it is asked for; a
        /// model without a known price is not asked then.
        #[schemars(range(min = 0.0))]
        budget_usd: Option<f64> = None,
        /// A warning is shown once a run has cost this.
        #[schemars(range(min = 0.0))]
        warn_at_usd: Option<f64> = None,
        /// The most tokens that a run and its subagents may read and write.
        #[schemars(range(min = 1))]
        max_total_tokens: Option<u64> = None,
    }
}

section! {
    /// What is kept in the model's context window. 0 switches a limit off.
    ContextSettings {
        /// Most tokens of one tool result; the middle of a longer one is cut.
        max_tool_result_tokens: u32 = 2000,
        /// Older turns are summarised after this many.
        summarize_after_steps: u32 = 8,
        /// Turns that are never summarised.
        keep_recent_steps: u32 = 4,
        /// Size of the whole context, in tokens.
        max_context_tokens: u32 = 80_000,
        /// Whether reads of one turn run side by side.
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
    /// The question, then runs that correct what it found.
    Full,
}

section! {
    /// The agent's check of its own result.
    Evaluation {
        /// `off`, `basic` or `full`.
        mode: SelfCheck = SelfCheck::Off,
        /// Most correcting runs of `full`.
        #[schemars(range(min = 1, max = 5))]
        max_retries: u32 = 2,
        /// Below this the result does not count as done.
        #[schemars(range(min = 0.0, max = 1.0))]
        confidence_threshold: f64 = 0.8,
    }
}

section! {
    /// What is kept of a run.
    SessionSettings {
        /// Whether runs are kept, so that they can be shown and resumed, and outputs that are too long to be shown whole.
        auto_save: bool = true,
        /// Days after which `sessions clean` removes a run, and after which a kept output leaves.
        #[schemars(range(min = 1, max = 365))]
        cleanup_after_days: u32 = 7,
    }
}
