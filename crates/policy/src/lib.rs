//! Pure judgement: given a fact about a call, is it allowed, and by which rule. Nothing here reads the disk, the clock,
//! the environment or the network, so every answer can be repeated in a test and explained by `palanca explain`.

pub mod address;
pub mod commands;
pub mod git;
pub mod guardrails;
pub mod loops;
pub mod marking;
pub mod paths;
mod patterns;
mod port;
pub mod rules;
pub mod secrets;
pub mod taint;
mod texts;
