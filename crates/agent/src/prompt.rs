//! The system prompt: role, guidance for the tools that it really has, facts about the place.
//!
//! The words are in `prompts/*.md`. A prompt that names a tool that is not offered teaches a model to fail, so every
//! sentence about a tool is bound to it, and a test walks every subset of tools.

mod bots;
mod template;

pub use bots::{BotLanguage, BotMode, BotPrompt, Soul};
use palanca_core::Toolset;
use palanca_models::{Misread, MisreadCause};

/// The roles that are built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Changes the workspace to do a task.
    Build,
    /// Writes a plan and changes nothing.
    Plan,
    /// Reports problems and changes nothing.
    Review,
    /// Summarises and changes nothing.
    Resume,
    /// Does a part of another agent's task.
    Worker,
    /// Explores for another agent.
    Explore,
    /// Finds out for another agent whether something works.
    Test,
}

impl Role {
    /// The role's file, and the guidance that follows it.
    const fn files(self) -> &'static [&'static str] {
        const SEARCH: &str = include_str!("../prompts/search.md");
        match self {
            Self::Build => &[
                include_str!("../prompts/build.md"),
                include_str!("../prompts/edit.md"),
                SEARCH,
                include_str!("../prompts/commands.md"),
            ],
            Self::Plan => &[include_str!("../prompts/plan.md"), SEARCH],
            Self::Review => &[include_str!("../prompts/review.md"), SEARCH],
            Self::Resume => &[include_str!("../prompts/resume.md"), SEARCH],
            Self::Worker => &[
                include_str!("../prompts/worker.md"),
                include_str!("../prompts/edit.md"),
                SEARCH,
                include_str!("../prompts/commands.md"),
            ],
            Self::Explore => &[include_str!("../prompts/explore.md"), SEARCH],
            Self::Test => &[include_str!("../prompts/test.md"), SEARCH, include_str!("../prompts/commands.md")],
        }
    }
}

/// Where an agent's instructions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// A built-in role, with guidance for the tools that are offered.
    Role(Role),
    /// The instructions of the agent's definition, unchanged.
    Own(String),
    /// A bot, with guidance for the tools that are offered.
    Bot(BotPrompt),
}

/// A further piece of the system prompt: the workspace's path, a project's own notes, a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// The whole system prompt.
#[must_use]
pub fn system_prompt(instructions: &Instructions, toolset: &Toolset, sections: &[Section]) -> String {
    let mut parts: Vec<String> = match instructions {
        Instructions::Own(words) => vec![words.trim_end().to_owned()],
        Instructions::Role(role) => {
            role.files().iter().map(|file| template::render(file, &|name| toolset.offers(name))).collect()
        }
        Instructions::Bot(bot) => bot.parts(&|name| toolset.offers(name)),
    };
    parts.extend(sections.iter().map(|section| format!("## {}\n{}", section.title, section.text.trim_end())));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// What a model is asked when the run ends before its work does. `reason` is a stop reason's name.
pub(crate) fn closing(reason: &str) -> String {
    template::render(include_str!("../prompts/close.md"), &|name| name == reason)
}

/// What a model is told that must answer in JSON.
pub(crate) fn json() -> &'static str {
    include_str!("../prompts/json.md").trim_end()
}

/// What it is told when it did not.
pub(crate) fn json_again() -> &'static str {
    include_str!("../prompts/json_again.md").trim_end()
}

/// What a model is told that sums up the older part of a conversation.
pub(crate) fn summarise() -> &'static str {
    include_str!("../prompts/summary.md").trim_end()
}

/// What a model is told after an answer with nothing in it.
pub(crate) fn nudge() -> &'static str {
    include_str!("../prompts/nudge.md").trim_end()
}

/// What a model is told after a call in its text that cannot be read.
pub(crate) fn misread(misread: &Misread) -> String {
    let cause = match &misread.cause {
        MisreadCause::CutOff => "it is incomplete".to_owned(),
        MisreadCause::Unreadable => format!("it is not in the form {}", misread.form),
        MisreadCause::UnknownTool(name) => format!("there is no tool '{name}'"),
    };
    let prompt = include_str!("../prompts/misread.md").trim_end();
    prompt.replace("{cause}", &cause).replace("{example}", misread.example)
}

/// What a model is told when a session goes on without a new task after the model's own words.
pub(crate) fn go_on() -> &'static str {
    include_str!("../prompts/go_on.md").trim_end()
}

/// How somebody revises a bot's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Improving {
    /// In the folder that it is in.
    InPlace,
    /// By an answer with the new texts, after it was told the present ones.
    AsJson,
}

/// What one is told that revises a bot's files, of which only these may change. `context` is the bot's word on it.
#[must_use]
pub fn improving(how: Improving, files: &[&str], context: &str) -> String {
    let how = match how {
        Improving::InPlace => include_str!("../prompts/improve_in_place.md"),
        Improving::AsJson => include_str!("../prompts/improve_as_json.md"),
    };
    let mut prompt = format!("{}{how}", include_str!("../prompts/improve.md")).replace("{files}", &files.join(", "));
    if !context.trim().is_empty() {
        prompt.push_str("\n## What the assistant says about it\n");
        prompt.push_str(context.trim());
    }
    prompt.trim_end().to_owned()
}

#[cfg(test)]
mod tests;
