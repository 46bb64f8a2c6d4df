//! From what a model wrote to arguments that fit the schema: parse, repair once, check everything at once.
//!
//! Repairs are made only where they cannot change a meaning: a number in quotes, a known alias, JSON inside a string. Every
//! repair is reported to the model, so that it learns the right form; what is left is reported as errors, all at once.

mod aliases;
mod check;
mod example;
mod parse;
mod repair;

pub use check::Checker;
pub use example::example;
pub use parse::{ParseError, parse};
pub use repair::{Repair, repair};

#[cfg(test)]
mod tests;
