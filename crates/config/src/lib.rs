//! Configuration: one typed tree, resolved from layers (defaults < user < project < named file < environment < flags),
//! with the origin of every value. Unknown keys are errors, keys without effect are warnings, and an untrusted
//! project file can only make things stricter. It never opens a file: callers pass path and text.
//!
//! ```
//! use palanca_config::{Layers, Source};
//!
//! let loaded = Layers::new()
//!     .with_environment([("MODEL".to_owned(), "ollama:small".to_owned())])
//!     .file(Source::User, "palanca.yaml", "llm:\n  model: ${MODEL}\n")
//!     .flag("--retries", "llm.retries", "5")
//!     .resolve()?;
//! assert_eq!(loaded.config.llm.model.as_deref(), Some("ollama:small"));
//! assert_eq!(loaded.config.llm.retries, 5);
//! # Ok::<(), palanca_config::ConfigErrors>(())
//! ```

mod check;
mod document;
mod edit;
mod environment;
mod handed_out;
mod layers;
mod loaded;
mod nearest;
mod node;
mod not_yet;
mod origin;
mod parse;
mod problem;
mod reference;
mod schema;
mod substitute;
mod tree;
mod trust;

pub use document::is_bots_document;
pub use edit::with_disabled_tools;
pub use layers::{Layers, Source};
pub use loaded::{Entry, Explanation, Loaded, Step};
pub use nearest::closest;
pub use not_yet::NOT_YET;
pub use origin::{Origin, Place, Trust};
pub use problem::{ConfigErrors, Problem, Warning, WarningKind};
pub use reference::{Effect, KeyDefault, KeyReference};
pub use tree::*;

#[cfg(test)]
mod tests;
