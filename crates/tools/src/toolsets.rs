//! The vocabularies in which the tools are offered: names, arguments, defaults and texts of each toolset.
//!
//! A toolset holds no behaviour: it maps an argument list to an operation. Only [`crate::list`] says what is offered
//! where. All are complete except `bots`, which so far has only the tools that run programs and those of the web.

pub(crate) mod architect;
pub(crate) mod bots;
pub(crate) mod contracts;
pub(crate) mod palanca;
pub(crate) mod picoclaw;

pub use palanca_core::ToolsetName;
