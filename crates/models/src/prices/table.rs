//! The built-in prices: what the providers publish for requests without a batch or priority tier.
//!
//! Sources: stored copies of <https://platform.claude.com/docs/en/about-claude/pricing> with its model pages, and of
//! the page of gpt-5-mini under <https://developers.openai.com/api/docs/models>; the other rows of OpenAI are quoted by
//! third parties. Models whose price depends on the length of the prompt are left out, because one row cannot represent
//! them, as is every model without a price in these sources.

/// The day on which the rows were last compared with those sources.
pub const PUBLISHED: &str = "2026-11-22";

/// A row: the model, then USD per million tokens.
pub(super) struct Published {
    pub(super) maker: &'static str,
    pub(super) model: &'static str,
    pub(super) input: f64,
    pub(super) output: f64,
    pub(super) cache_read: f64,
    /// As `input` if absent.
    pub(super) cache_write: Option<f64>,
}

/// Five minutes of cache cost a quarter more than the input; each row says so itself.
const fn anthropic(model: &'static str, [input, output, cache_read, cache_write]: [f64; 4]) -> Published {
    Published { maker: "anthropic", model, input, output, cache_read, cache_write: Some(cache_write) }
}

/// Writing to the cache is free for these.
const fn openai(model: &'static str, [input, output, cache_read]: [f64; 3]) -> Published {
    Published { maker: "openai", model, input, output, cache_read, cache_write: None }
}

pub(super) const ROWS: [Published; 26] = [
    anthropic("claude-opus-5-5", [4.0, 20.0, 0.2, 5.0]),
    anthropic("claude-opus-5", [5.0, 25.0, 0.5, 6.25]),
    anthropic("claude-opus-4-8", [5.0, 25.0, 0.5, 6.25]),
    anthropic("claude-opus-4-7", [5.0, 25.0, 0.5, 6.25]),
    anthropic("claude-opus-4-6", [5.0, 25.0, 0.5, 6.25]),
    anthropic("claude-opus-4-5", [5.0, 25.0, 0.5, 6.25]),
    anthropic("claude-opus-4-1", [15.0, 75.0, 1.5, 18.75]),
    anthropic("claude-sonnet-5-5", [2.0, 10.0, 0.1, 2.5]),
    anthropic("claude-sonnet-5", [2.0, 10.0, 0.2, 2.5]),
    anthropic("claude-sonnet-4-6", [3.0, 15.0, 0.3, 3.75]),
    anthropic("claude-sonnet-4-5", [3.0, 15.0, 0.3, 3.75]),
    anthropic("claude-haiku-4-5", [1.0, 5.0, 0.1, 1.25]),
    openai("gpt-5.2", [1.75, 14.0, 0.175]),
    openai("gpt-5.1", [1.25, 10.0, 0.125]),
    openai("gpt-5", [1.25, 10.0, 0.125]),
    openai("gpt-5-mini", [0.25, 2.0, 0.025]),
    openai("gpt-5-nano", [0.05, 0.4, 0.005]),
    openai("gpt-4.1", [2.0, 8.0, 0.5]),
    openai("gpt-4.1-mini", [0.4, 1.6, 0.1]),
    openai("gpt-4.1-nano", [0.1, 0.4, 0.025]),
    openai("gpt-4o", [2.5, 10.0, 1.25]),
    openai("gpt-4o-mini", [0.15, 0.6, 0.075]),
    openai("o1", [15.0, 60.0, 7.5]),
    openai("o3", [2.0, 8.0, 0.5]),
    openai("o3-mini", [1.1, 4.4, 0.55]),
    openai("o4-mini", [1.1, 4.4, 0.275]),
];
