//! One file a command: each reads its arguments, asks `wire` for what it needs, and prints.

pub mod call;
pub mod explain;
pub mod input;
pub mod check;
pub mod tools;
pub mod run;
pub mod agents;
pub mod doctor;
pub mod config;
