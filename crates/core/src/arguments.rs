//! From what a model wrote to arguments that fit the schema: parse, repair once, check everything at once.
//!
//! Repairs are made only where they cannot change a meaning: a number in quotes, a known alias, JSON inside a string. A
//! repaired value prints as the text that was sent; one that would not is refused with the reason. Every repair is
//! reported to the model, so that it learns the right form; the remaining problems are reported as errors, all at once.
//!
//! | sent | wanted | becomes |
//! |---|---|---|
//! | `"7"`, `" 7 "`, `"0.5"` | number | 7, 7, 0.5 |
//! | `"007"`, `"1e3"`, `"1.10"`, `"7.0"` for an integer | number | refused: it would print as 7, 1000, 1.1, 7 |
//! | `7.0`, `7e0` | integer | 7 |
//! | `1.10`, `12345678901234567890123` | string | the same digits |
//! | an integer beyond 64 bits | integer | refused: its last digits would be lost |
//! | `"true"`, `"False"`, `"yes"`, `"no"` | boolean | true, false, true, false |
//! | `"[1, 2]"`, `"{…}"` | array, object | its JSON, where every number prints as it did |
//! | `"vegan"` | array of strings | one item |
//! | `"vegan, x"`, `"New York"`, `""`, `"none"` | array of strings | refused: one item, several or none |

mod aliases;
mod bounds;
mod check;
mod contradiction;
mod digits;
mod example;
mod parse;
mod plain;
mod raw;
mod references;
mod repair;
mod work;

pub use check::Checker;
pub use contradiction::contradiction;
pub use example::example;
pub use parse::{ParseError, parse};
pub(crate) use plain::plainly_fits;
pub use raw::RawArguments;
pub use repair::{Doubt, Repair, Repairs, repair};

#[cfg(test)]
mod tests;
