//! The library crate of Palanca: re-exports behind features, and English where no other language is set.
//!
//! Start with [`macro@tool`], [`Registry`] and [`Gate`]; the README's example shows the three together, and `examples/` has a tool
//! with state, a guard, an asker, a channel, a repository on GitHub as source, at most 60 lines each; an agent; two agents in one
//! process; and a server.
//!
//! | feature | module | what |
//! |---|---|---|
//! | always | the root | the contract, the registry, the gate, [`text`] |
//! | `tools` | [`tools`] | the built-in tools in every toolset |
//! | `files` (with `tools`) | [`files`], [`policy`] | the file door; rules on paths, commands, secrets |
//! | `github` | [`github`] | a repository on GitHub as file door |
//! | `processes` | [`processes`] | the process door: the sandbox that commands run in |
//! | `net` | [`net`] | the network door, the HTTP client for models and channels, and [`net::listen`] for servers |
//! | `channels` | [`channels`] | ways to reach people |
//! | `models` | [`models`] | model providers, replay, prices |
//! | `agent` | [`agent`], [`hooks`], [`notes`] | the loop: turns, context, budgets, subagents |
//! | `sessions` | [`sessions`] | sessions, questions, rules and the audit log on SQLite |
//! | `host` (with all of the above) | [`host`], [`bots`], [`config`] | one process with many workspaces, agents, sessions and bots |
//! | `otel` (with `host`) | [`host::traces`] | the export of spans to an OpenTelemetry collector |
//! | `full` | | all of them |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod english;
#[cfg(feature = "tools")]
pub mod tools;

pub use english::english;
#[cfg(feature = "agent")]
pub use palanca_agent as agent;
#[cfg(feature = "host")]
pub use palanca_bots as bots;
#[cfg(feature = "channels")]
pub use palanca_channels as channels;
#[cfg(feature = "host")]
pub use palanca_config as config;
pub use palanca_core::*;
pub use palanca_derive::{Args, tool};
#[cfg(feature = "files")]
pub use palanca_files as files;
#[cfg(feature = "github")]
pub use palanca_github as github;
#[cfg(feature = "agent")]
pub use palanca_hooks as hooks;
#[cfg(feature = "host")]
pub use palanca_host as host;
#[cfg(feature = "models")]
pub use palanca_models as models;
#[cfg(feature = "net")]
pub use palanca_net as net;
#[cfg(feature = "agent")]
pub use palanca_notes as notes;
#[cfg(feature = "files")]
pub use palanca_policy as policy;
#[cfg(feature = "processes")]
pub use palanca_sandbox as processes;
#[cfg(feature = "sessions")]
pub use palanca_store as sessions;
pub use palanca_text as text;

/// What the derive macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::english::words;
    pub use palanca_core::__private::{Argument, ShowJson, ShowWord, Shown, Word, schemars, serde, serde_json};
}

#[cfg(doctest)]
mod pages;
