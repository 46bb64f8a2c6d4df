//! Sizes and prices from the configuration: of the conversation, of single results, of stored outputs; of tokens.

use super::model::fallbacks;
use crate::fault::Fault;
use palanca_agent::{ContextLimits, Limits as OfConversation};
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::gate::Limits;
use palanca_files::read_text;
use palanca_models::{Lookup, Prices};
use std::path::Path;

/// A file of prices beyond this is a mistake.
const MAX_PRICES: u64 = 1 << 20;

/// Characters of a token, as the conversation counts them; so many bytes at least.
const PER_TOKEN: usize = 4;
/// Bytes of one page of a kept output at most.
const LONGEST_PAGE: usize = 32_000;

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

/// What a conversation may use. It has no time limit of its own.
#[must_use]
pub fn conversation(config: &Config) -> OfConversation {
    let usual = OfConversation::default();
    OfConversation {
        max_total_tokens: config.costs.max_total_tokens,
        budget_usd: config.costs.budget_usd,
        warn_at_usd: config.costs.warn_at_usd,
        parallel: if config.context.parallel_tools { usual.parallel } else { 1 },
        ..usual
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
    Limits { artifact_bytes, ..usual }
}

/// Bytes of one page of a kept output, so that the conversation shows it whole.
pub fn page(config: &Config) -> usize {
    match config.context.max_tool_result_tokens as usize {
        0 => LONGEST_PAGE,
        tokens => (tokens * PER_TOKEN / 4 * 3).min(LONGEST_PAGE),
    }
}

/// What tokens cost: the configured file, then the built-in table.
///
/// # Errors
/// A file that cannot be read or is no table of prices, or a budget where nothing is counted.
pub fn prices(config: &Config) -> Result<Prices, Fault> {
    let costs = &config.costs;
    if !costs.enabled {
        return match costs.budget_usd {
            None => Ok(Prices::off()),
            Some(budget) => Err(Fault::said(Message::new("cli-budget-not-counted").with("limit", budget.to_string()))),
        };
    }
    let mut prices = Prices::default();
    if let Some(file) = &costs.prices_file {
        let text = read_text(Path::new(file), MAX_PRICES)?;
        prices.add_file(&text).map_err(|fault| {
            Fault::said(Message::new("cli-prices-bad").with("path", file).with("reason", fault.message()))
        })?;
    }
    Ok(prices)
}

/// A budget holds only where the prices of the model, and of those that may answer for it, are known.
///
/// # Errors
/// A budget for a model without a price.
pub fn can_hold_budget(config: &Config, prices: &Prices, model: &str) -> Result<(), Fault> {
    let Some(budget) = config.costs.budget_usd else { return Ok(()) };
    let others = fallbacks(config)?.into_iter().map(|spec| spec.to_string());
    let mut models = std::iter::once(model.to_owned()).chain(others);
    let Some(model) = models.find(|model| prices.named(model) == Lookup::Unknown) else { return Ok(()) };
    let message = Message::new("cli-budget-unpriced").with("limit", budget.to_string()).with("model", model);
    Err(Fault::said(message))
}
