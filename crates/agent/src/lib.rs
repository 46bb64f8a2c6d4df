//! The loop: turn, context window, budgets, agents.
