//! OpenAI's Responses, used without state on the server: every request carries the whole conversation.
//!
//! Sources: the API reference of `POST /responses` and the Open Responses specification; llama.cpp leaves indices out.

mod parse;
mod render;

pub(super) use parse::Parser;
pub(super) use render::render;
