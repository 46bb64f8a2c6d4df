//! One request and its facts: who asked, which tool, what it would touch, how it ended.

mod act;
mod delegation;
mod effect;
mod error;
mod http;
mod ids;
mod launch;
mod origin;
mod outcome;
mod outgoing;
mod output;
mod part;
mod path;
mod request;
mod result;
mod scope;
mod speaker;
mod spec;
mod timing;

pub use act::{Act, ActKind, Direction};
pub use delegation::{Delegation, Waiting};
pub use effect::{Access, Claim, Claims, Effect, Effects, WriteKind};
pub use error::{ErrorKind, ToolError};
pub use http::{Chosen, HttpAccess, Method, shown_origin};
pub use ids::{ArtifactId, BotId, CallId, ChannelId, ChatId, Digest, ProcessId, QuestionId, SessionId, TaskId};
pub use launch::{CommandLine, Launch, Lifetime, Network, Shell, TerminalSize};
pub use origin::Origin;
pub use outcome::{Outcome, OutcomeKind, Refusal, Stage, StopReason};
pub use outgoing::Outgoing;
pub use output::{Extent, FileDelta, Output, Preview, Provenance, is_of_tools};
pub use part::{Content, Link, Media, MediaKind, Part, PartError, Resource, Sense};
pub use path::{CanonicalPath, Root};
pub use request::Call;
pub use result::{ToolResult, ToolsetName};
pub use scope::Scope;
pub use speaker::Speaker;
pub use spec::{Annotations, Exposure, Icon, Lane, Repetition, Sensitivity, Spec};
pub use timing::{Phase, Timing, shown_time};

pub use crate::arguments::RawArguments;
pub use tokio_util::sync::CancellationToken as Cancel;
