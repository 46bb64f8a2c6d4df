//! What a tool is, what a call is, the registry, the gate and its permit.
//!
//! This room does no I/O: it owns the contract that every other room uses and the only way to run a tool.
//! [`gate::Gate`] takes a [`call::Call`] through the ten stages; only it can make a [`gate::Permit`], and a tool cannot
//! run without the [`tool::ToolCx`] that is built from one.

pub mod arguments;
pub mod call;
pub mod gate;
pub mod message;
mod platform;
pub mod ports;
pub mod registry;
pub mod tool;

pub use call::{
    Access, Call, CallId, CanonicalPath, Claim, Claims, Effect, Effects, ErrorKind, Origin, Outcome, Refusal, Scope,
    Stage, ToolError, ToolResult, ToolsetName,
};
pub use gate::{ConfirmMode, Gate, Permit, RunMode};
pub use message::{Catalogue, Message, Text};
pub use registry::{Registry, RegistryError, SchemaFormat, Toolset};
pub use tool::{AnyTool, Args, Output, Preview, Spec, Tool, ToolCx};

/// What the derive macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::tool::argument::{Argument, ShowJson, ShowWord, Shown, Word, words};
    pub use schemars;
    pub use serde;
    pub use serde_json;
}
