//! One file per command: each reads its arguments, gets what it needs from `wire`, and prints.

pub mod agents;
pub mod approvals;
pub mod arguments;
pub mod audit;
pub mod bot_tools;
pub mod bots;
pub mod call;
pub mod chat;
pub mod check;
pub mod config;
pub mod doctor;
pub mod dynamic;
pub mod explain;
pub mod generated;
pub mod ids;
pub mod init;
pub mod input;
pub mod mcp;
pub mod models;
pub mod run;
pub mod serve;
pub mod sessions;
pub mod skills;
pub mod store;
pub mod tokens;
pub mod tools;
