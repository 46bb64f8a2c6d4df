//! What the configuration says of sizes: of the conversation, of single results, of what is kept whole.

use palanca_agent::ContextLimits;
use palanca_config::Config;
use palanca_core::gate::Limits;

/// Characters of a token, as the conversation counts them; so many bytes at least.
const PER_TOKEN: usize = 4;
/// Bytes of one page of a kept output at most.
const LONGEST_PAGE: usize = 32_000;
/// Calls of one turn that run side by side.
const PARALLEL: usize = 4;

/// The size of a conversation.
pub fn context(config: &Config) -> ContextLimits {
    let context = &config.context;
    ContextLimits {
        max_context_tokens: context.max_context_tokens as usize,
        max_tool_result_tokens: context.max_tool_result_tokens as usize,
        summarize_after_steps: context.summarize_after_steps as usize,
        keep_recent_steps: context.keep_recent_steps as usize,
    }
}

/// The gate's limits: whatever the conversation will cut is kept whole before.
pub fn gate(config: &Config) -> Limits {
    let usual = Limits::default();
    let artifact_bytes = match config.context.max_tool_result_tokens as usize {
        0 => usual.artifact_bytes,
        // A result is a little more than its output.
        tokens => (tokens * PER_TOKEN / 10 * 9).min(usual.artifact_bytes),
    };
    Limits { parallel: if config.context.parallel_tools { PARALLEL } else { 1 }, artifact_bytes, ..usual }
}

/// Bytes of one page of a kept output, so that the conversation shows it whole.
pub fn page(config: &Config) -> usize {
    match config.context.max_tool_result_tokens as usize {
        0 => LONGEST_PAGE,
        tokens => (tokens * PER_TOKEN / 4 * 3).min(LONGEST_PAGE),
    }
}
