//! The operator's programs around calls and turns: when they run, their input and their output.
//!
//! A hook is a program of the operator. It is started through the process door, sandboxed like every command, and not
//! judged by guardrails; its changes to a call are. Nothing here decides by itself: a hook that says nothing changes
//! nothing, and one that fails is a warning, unless it is required.

mod answer;
mod around;
mod event;
mod failure;
mod files;
mod gates;
mod hooks;
mod in_flight;
mod matcher;
mod occasion;
mod once;
mod placeholder;
mod post_edit;
mod schemas;
mod settings;
mod talk;
mod tool;

pub use around::{Around, HookRun, NoWatcher, RunVerdict, Watcher};
pub use event::Event;
pub use gates::{GateReport, GateSettings, Need, QualityGates};
pub use hooks::{Hooks, Told};
pub use matcher::{FilePatterns, Matcher};
pub use occasion::{
    AgentComplete, BudgetWarning, ContextCompress, Occasion, OnError, PostLlmCall, PreLlmCall, SessionEnd, SessionStart,
};
pub use schemas::schemas;
pub use settings::{ConfigError, Fault, HookSettings, OnFailure, ProcessSettings, Switch, Waiting};
