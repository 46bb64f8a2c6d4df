//! Subagents: `subagents`.

use super::section::section;

section! {
    /// Subagents, started by `spawn` and `dispatch_subagent`. Each spends from its parent's budget and may do no more
    /// than its parent.
    SubagentSettings {
        /// Whether the tools are offered.
        enabled: bool = true,
        /// Maximum levels below the first agent.
        #[schemars(range(min = 1, max = 8))]
        max_depth: u8 = 3,
        /// Maximum number running at once for one parent; others wait.
        #[schemars(range(min = 1, max = 1000))]
        max_concurrent: u32 = 5,
        /// Seconds that a call waits for a free slot.
        #[schemars(range(max = 3600))]
        wait: u32 = 30,
        /// Time limit of one task, in seconds.
        #[schemars(range(min = 1, max = 86_400))]
        timeout: u32 = 300,
        /// Maximum number of model calls for one task.
        #[schemars(range(min = 1, max = 1000))]
        max_steps: u32 = 15,
        /// Maximum tokens of one task, input plus output. Unset: the parent's remaining ones.
        max_total_tokens: Option<u64> = None,
        /// Maximum US dollars of one task. Unset: the parent's remaining ones.
        #[schemars(range(min = 0.0))]
        budget_usd: Option<f64> = None,
    }
}
