//! Anthropic's Messages.
//!
//! Source: the API reference of `POST /v1/messages`, version 2023-06-01, and its streaming events.

mod parse;
mod render;

pub(super) use parse::Parser;
pub(super) use render::render;
