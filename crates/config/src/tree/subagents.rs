//! Agents that work for an agent: `subagents`.

use super::section::section;

section! {
    /// Agents that work for an agent, started by `spawn` and `dispatch_subagent`. Each spends from the budget of its parent and
    /// may do no more than it.
    SubagentSettings {
        /// Whether the tools are offered.
        enabled: bool = true,
        /// Levels below the first agent.
        #[schemars(range(min = 1, max = 8))]
        max_depth: u8 = 3,
        /// Subagents that work at the same time for one parent; more wait.
        #[schemars(range(min = 1, max = 1000))]
        max_concurrent: u32 = 5,
        /// Seconds that a call waits for a place among them.
        #[schemars(range(max = 3600))]
        wait: u32 = 30,
        /// Seconds of the work on one task.
        #[schemars(range(min = 1, max = 86_400))]
        timeout: u32 = 300,
        /// Model calls on one task.
        #[schemars(range(min = 1, max = 1000))]
        max_steps: u32 = 15,
        /// Tokens of one task, in and out. Unset: what its parent has left.
        max_total_tokens: Option<u64> = None,
        /// US dollars of one task. Unset: what its parent has left.
        #[schemars(range(min = 0.0))]
        budget_usd: Option<f64> = None,
    }
}
