//! Agent definitions: the tools of each, when it asks a person, its limits.
//!
//! Four are built in. A definition of the same name changes only what it sets, so `build: {max_steps: 80}` keeps the
//! prompt and the tools. An agent's list of tools is a ceiling that the gate holds, not a hint for the model.

use crate::answer::AnswerForm;
use crate::prompt::{Instructions, Role};
use palanca_core::registry::nearest;
use palanca_core::{ConfirmMode, Toolset};
use std::collections::BTreeMap;

/// The tools of the agents that only look.
const READING: [&str; 8] =
    ["read_file", "list_files", "list_dir", "list_dirs", "search_code", "grep", "find_files", "read_artifact"];
/// The tools of `build`.
const BUILDING: [&str; 23] = [
    "read_file",
    "list_files",
    "list_dir",
    "list_dirs",
    "search_code",
    "grep",
    "find_files",
    "edit_file",
    "apply_patch",
    "write_file",
    "delete_file",
    "run_command",
    "exec",
    "process",
    "web_search",
    "web_fetch",
    "todo_manager",
    "validate_output",
    "spawn",
    "dispatch_subagent",
    "subagent_status",
    "read_artifact",
    "message",
];
/// Model calls of an agent that does not say how many.
const CUSTOM_STEPS: u32 = 20;

/// What an agent may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Every registered tool.
    Every,
    /// The tools of these names; a name that is not registered is skipped and said.
    Named(Vec<String>),
    /// As far as the toolset and the configuration have them: none was requested by name, so none is reported as
    /// missing.
    Usual(&'static [&'static str]),
}

/// A role with its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// What it is told.
    pub instructions: Instructions,
    /// What it may use.
    pub allowed: Allowed,
    /// When a person is asked; applied when the gate is built.
    pub confirm_mode: ConfirmMode,
    /// Model calls in one run; 0 for no limit.
    pub max_steps: u32,
    /// What its answer is.
    pub answer: AnswerForm,
}

impl Agent {
    fn built_in(role: Role, name: &str, confirm_mode: ConfirmMode, max_steps: u32) -> Self {
        let tools: &'static [&'static str] = match role {
            Role::Build => &BUILDING,
            _ => &READING,
        };
        Self {
            name: name.to_owned(),
            instructions: Instructions::Role(role),
            allowed: Allowed::Usual(tools),
            confirm_mode,
            max_steps,
            answer: AnswerForm::Text,
        }
    }

    /// The tools of `all` that this agent may use, and the names on its list that are not among them.
    #[must_use]
    pub fn offered(&self, all: &Toolset) -> (Toolset, Vec<String>) {
        let joining = || all.iter().map(|tool| tool.spec()).filter(|spec| spec.joins_lists).map(|spec| &*spec.name);
        match &self.allowed {
            Allowed::Every => (all.clone(), Vec::new()),
            Allowed::Usual(names) => (all.restrict(names.iter().copied().chain(joining())).0, Vec::new()),
            Allowed::Named(names) => {
                let (toolset, unknown) = all.restrict(names.iter().map(String::as_str).chain(joining()));
                (toolset, unknown.into_iter().map(str::to_owned).collect())
            }
        }
    }
}

/// What a configuration says of an agent: only what is set counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentDefinition {
    /// Replaces the instructions.
    pub system_prompt: Option<String>,
    /// Replaces the list of tools; an empty list means every registered tool.
    pub allowed_tools: Option<Vec<String>>,
    /// Replaces the mode.
    pub confirm_mode: Option<ConfirmMode>,
    /// Replaces the limit; 0 for none.
    pub max_steps: Option<u32>,
    /// Replaces the form.
    pub answer: Option<AnswerForm>,
}

/// No agent of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no agent is called '{name}': use {}", near.join(", "))]
pub struct UnknownAgent {
    /// The name as asked for.
    pub name: String,
    /// Names that are close to it, or else every name.
    pub near: Vec<String>,
}

/// Every agent, by name.
#[derive(Clone, Debug)]
pub struct Agents {
    agents: BTreeMap<String, Agent>,
}

impl Default for Agents {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Agents {
    /// `build`, `plan`, `resume` and `review`.
    #[must_use]
    pub fn built_in() -> Self {
        let agents = [
            Agent::built_in(Role::Build, "build", ConfirmMode::ConfirmSensitive, 50),
            Agent::built_in(Role::Plan, "plan", ConfirmMode::Yolo, 20),
            Agent::built_in(Role::Resume, "resume", ConfirmMode::Yolo, 15),
            Agent::built_in(Role::Review, "review", ConfirmMode::Yolo, 20),
        ];
        Self { agents: agents.into_iter().map(|agent| (agent.name.clone(), agent)).collect() }
    }

    /// Adds an agent, or changes what the definition sets of the one that has this name. A new agent that sets nothing has
    /// the instructions of `build`, every registered tool, `confirm-sensitive` and 20 steps.
    pub fn define(&mut self, name: impl Into<String>, definition: AgentDefinition) {
        let name = name.into();
        let agent = self.agents.entry(name.clone()).or_insert_with(|| Agent {
            name,
            instructions: Instructions::Role(Role::Build),
            allowed: Allowed::Every,
            confirm_mode: ConfirmMode::ConfirmSensitive,
            max_steps: CUSTOM_STEPS,
            answer: AnswerForm::Text,
        });
        if let Some(words) = definition.system_prompt {
            agent.instructions = Instructions::Own(words);
        }
        match definition.allowed_tools {
            None => {}
            Some(names) if names.is_empty() => agent.allowed = Allowed::Every,
            // The same list again, as a layer of the configuration repeats it, asks for nothing by name.
            Some(names) if matches!(agent.allowed, Allowed::Usual(usual) if names == *usual) => {}
            Some(names) => agent.allowed = Allowed::Named(names),
        }
        agent.confirm_mode = definition.confirm_mode.unwrap_or(agent.confirm_mode);
        agent.max_steps = definition.max_steps.unwrap_or(agent.max_steps);
        agent.answer = definition.answer.unwrap_or(agent.answer);
    }

    /// Adds an agent as it is, in place of one of its name.
    pub fn add(&mut self, agent: Agent) {
        self.agents.insert(agent.name.clone(), agent);
    }

    /// The agent of this name.
    ///
    /// # Errors
    /// [`UnknownAgent`] with the names that are close.
    pub fn get(&self, name: &str) -> Result<&Agent, UnknownAgent> {
        self.agents.get(name).ok_or_else(|| {
            let known = || self.agents.keys().map(String::as_str);
            let mut near = nearest(name, known(), 3);
            if near.is_empty() {
                near = known().collect();
            }
            UnknownAgent { name: name.to_owned(), near: near.into_iter().map(str::to_owned).collect() }
        })
    }

    /// Every agent, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Agent> {
        self.agents.values()
    }
}

#[cfg(test)]
mod tests;
