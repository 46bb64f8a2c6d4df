//! OpenAI's Chat Completions, the language of most servers.
//!
//! Sources: the API reference of `POST /chat/completions`, and what llama.cpp, vLLM, Ollama and Mistral send instead.

mod parse;
mod render;
mod state;

pub(super) use parse::Parser;
pub(super) use render::render;
