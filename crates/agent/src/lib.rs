//! The loop: an agent works on a task with a model and a gate.
//!
//! A [`Turn`] asks a model, submits its calls to the gate, and returns the results to it, until the model has finished or a
//! limit is reached. It runs no tool itself, reads no configuration and prints nothing: front ends watch through a
//! [`Sink`], and the result is [`Ended`].

mod agents;
mod answer;
mod budget;
mod context;
mod event;
mod event_line;
mod prompt;
mod report;
pub mod session;
mod subagent;
mod turn;

pub use agents::{Agent, AgentDefinition, Agents, Allowed, UnknownAgent};
pub use answer::{AnswerForm, json_in};
pub use budget::{
    Allowance, Lasting, Ledger, Limited, Limits, Over, RequestEstimate, Reservation, Source, summary_line,
};
pub use context::{ContextLimits, Conversation, History};
pub use event::{Event, Level, NoSink, Output, Sink};
pub use event_line::{EventLine, event_schema};
pub use prompt::{
    BotLanguage, BotMode, BotPrompt, Improving, Instructions, Role, Section, Soul, improving, system_prompt,
};
pub use report::{BySource, Costs, RunReport, Status, StopReason, ToolUse};
pub use subagent::{Asked, Models, OtherBots, Profile, SubagentLimits, SubagentParts, SubagentPool, Watch, headline};
pub use turn::{Ended, Inbox, Resumption, Settings, Turn, Worker, arguments_line};
