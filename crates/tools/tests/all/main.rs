//! The built-in tools through the real gate on real files: one binary, one module a concern.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod answering;
mod artifacts;
mod background;
mod bots;
mod contracts;
mod conversations;
mod cron;
mod documented;
mod editing;
mod explained;
mod git_forms;
mod injection;
mod listing;
mod made;
mod matrix;
mod meaning;
mod meanwhile;
mod messages;
mod misbehaving;
mod network;
mod ordering;
mod outputs;
mod patching;
mod picoclaw;
mod products;
mod reaching;
mod reading;
mod recall;
mod running;
mod searching;
mod speaking;
mod support;
mod taint;
mod web;
mod workspace_text;
mod writing;
