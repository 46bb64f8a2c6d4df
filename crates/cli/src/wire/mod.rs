//! Composition: what a command needs is put together here, one file a concern. No other room builds a gate.

pub mod asker;
pub mod channels;
pub mod closed;
pub mod commands;
pub mod contracts;
pub mod disk;
pub mod gate;
pub mod guards;
pub mod hooks;
pub mod limits;
pub mod model;
pub mod net;
pub mod notes;
pub mod processes;
pub mod rehearsal;
pub mod rules;
pub mod runtime;
pub mod settings;
pub mod signals;
pub mod snapshots;
pub mod state;
pub mod store;
pub mod subagents;
pub mod toolset;
pub mod web;
pub mod words;
