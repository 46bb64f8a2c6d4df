//! One file a command: each reads its arguments, asks `wire` for what it needs, and prints.

pub mod agents;
pub mod approvals;
pub mod arguments;
pub mod audit;
pub mod call;
pub mod check;
pub mod config;
pub mod doctor;
pub mod explain;
pub mod generated;
pub mod ids;
pub mod init;
pub mod input;
pub mod models;
pub mod run;
pub mod sessions;
pub mod skills;
pub mod store;
pub mod tools;
