//! LLM providers behind one trait.
//!
//! A [`Model`] takes a borrowed [`ModelRequest`] and answers with a stream of [`ModelEvent`]s, or with a collected
//! [`Reply`]. [`HttpModel`] speaks three wire formats through the [`palanca_core::ports::http::Http`] port;
//! [`ClaudeCli`] starts a program through [`palanca_core::ports::Processes`]; [`ReplayModel`] plays a recorded session.
//! This room opens no connection and reads no file or environment variable: callers pass them in.

mod answer;
mod arguments;
mod assemble;
mod claude_cli;
mod constrained;
mod embedded;
mod endpoint;
mod error;
mod estimate;
mod event;
mod fallback;
mod halves;
mod live;
mod message;
mod model;
mod names;
mod ollama;
mod parts;
mod prices;
mod provider_state;
mod random;
mod replay;
mod request;
mod retry;
mod senses;
mod spec;
mod sse;
mod thoughts;
mod wire;

#[cfg(test)]
mod tests;

pub use claude_cli::ClaudeCli;
pub use endpoint::{ApiKey, Endpoint, EndpointError, Overrides, default_spec};
pub use error::{ModelError, ModelErrorKind, Place};
pub use estimate::{estimate_parts, estimate_reply, estimate_request, estimate_tokens};
pub use event::{Misread, MisreadCause, ModelEvent, Notice, Sign, Stop, Usage, UsageBasis};
pub use fallback::Fallbacks;
pub use live::{EmbeddingModel, HttpModel, ModelOptions, ToolSupport};
pub use message::{Content, Message, ToolCall};
pub use model::{EventStream, Model, Reply};
pub use ollama::{installed_models, ollama_base};
pub use prices::{Cost, Lookup, PUBLISHED, Price, PriceFault, PriceOrigin, Prices};
pub use provider_state::{ProviderState, StateItem, StatePlace};
pub use replay::{ReplayError, ReplayModel};
pub use request::{Delivery, ModelRequest, PromptCaching, ToolChoice, ToolOffer};
pub use retry::{Pacer, RetryPolicy, TokioPacer};
pub use senses::Vision;
pub use spec::{ModelSpec, Provider, SpecError};
pub use wire::WireFormat;
