//! The binary as a person uses it: arguments in, stdout, stderr and the exit code out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stderr,
    missing_docs
)]

mod agent_files;
mod aimock;
mod approval_rules;
mod approvals;
mod audit;
mod bots;
mod budgets;
mod call;
mod channels;
mod chat;
mod check;
mod commands;
mod config;
mod console;
mod contracts;
mod defects;
mod dry_run;
mod dynamic;
mod git;
mod guards;
mod harness;
mod hooks;
mod hostile_repository;
mod jobs;
mod kills;
mod language;
mod lasting;
mod live;
mod mcp;
mod model_address;
mod npm;
mod own_word;
mod phone;
mod picoclaw;
mod presets;
mod programs;
mod reaching;
mod recovering;
mod replay;
mod serve;
mod sessions;
mod skills;
mod store;
mod telegram;
mod terminal;
mod toolchains;
mod web;
mod words;
