//! One request and everything that is said about it: who asked, what it would touch, how it ended.

mod delegation;
mod effect;
mod error;
mod http;
mod ids;
mod launch;
mod origin;
mod outcome;
mod outgoing;
mod request;
mod result;
mod scope;

pub use delegation::{Delegation, Waiting};
pub use effect::{Access, CanonicalPath, Claim, Claims, Effect, Effects, Root, WriteKind};
pub use error::{ErrorKind, ToolError};
pub use http::{Chosen, HttpAccess, Method};
pub use ids::{ArtifactId, BotId, CallId, ChannelId, ChatId, Digest, ProcessId, QuestionId, SessionId, TaskId};
pub use launch::{CommandLine, Launch, Lifetime, Network, Shell, TerminalSize};
pub use origin::Origin;
pub use outcome::{Outcome, Refusal, Stage, StopReason};
pub use outgoing::Outgoing;
pub use request::{Call, RawArguments};
pub use result::{ResultShape, ToolResult};
pub use scope::Scope;
