//! The one list of built-in tools: the registry, the command line's listing, the reference page and the test that walks
//! every tool through every stage all come from it.

use crate::meta;
use crate::operation::{Offer, Offered};
use crate::options::{ChannelFrom, ToolOptions};
use crate::people;
use crate::plan;
use crate::soul::{Dated, ImproveArgs};
use crate::team;
use crate::toolsets::{ToolsetName, architect, bots, contracts, palanca, picoclaw};
use palanca_core::tool::Typed;
use palanca_core::{AnyTool, Registry, RegistryError};
use serde::Serialize;
use std::sync::Arc;

/// What a tool is about; also its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Whole files and directories.
    Files,
    /// Parts of files.
    Edit,
    /// Finding things.
    Search,
    /// Running programs.
    Shell,
    /// The web.
    Web,
    /// Plans, and answers of an agreed form.
    Plan,
    /// Other agents.
    Team,
    /// What a bot is, remembers and intends.
    Soul,
    /// Telling people something.
    People,
    /// About the tools themselves.
    Meta,
}

/// Whether the mode `confirm-sensitive` asks a person first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// It runs.
    Allow,
    /// A person is asked.
    Ask,
}

type Make = fn(&Arc<ToolOptions>) -> Arc<dyn AnyTool>;

/// One row of the list.
#[derive(Clone, Copy)]
pub struct BuiltIn {
    /// The tool's name, the same in every toolset that has it.
    pub name: &'static str,
    /// What it is about.
    pub family: Family,
    /// What happens in the usual mode, where the operator has said nothing else.
    pub permission: Permission,
    off: fn(ToolsetName, &ToolOptions) -> Option<&'static str>,
    palanca: Option<Make>,
    architect: Option<Make>,
    bots: Option<Make>,
    picoclaw: Option<Make>,
    contracts: Option<Make>,
}

impl BuiltIn {
    /// The tool as this toolset offers it; nothing when it does not, or the operator has switched it off.
    #[must_use]
    pub fn build(&self, toolset: ToolsetName, options: &Arc<ToolOptions>) -> Option<Arc<dyn AnyTool>> {
        let make = self.make(toolset).filter(|_| self.switched_off(toolset, options).is_none())?;
        Some(make(options))
    }

    /// The setting that would switch the tool on, as `key: value`; nothing when it is on.
    #[must_use]
    pub fn switched_off(&self, toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
        (self.off)(toolset, options)
    }

    /// Whether this toolset has the tool.
    #[must_use]
    pub const fn is_in(&self, toolset: ToolsetName) -> bool {
        self.make(toolset).is_some()
    }

    /// The row with a tool of picoclaw's toolset.
    const fn and_picoclaw<O: Offer>(self) -> Self {
        let make: Option<Make> = Some(offered::<O>);
        Self { picoclaw: make, ..self }
    }

    const fn and_contracts<O: Offer>(self) -> Self {
        let make: Option<Make> = Some(offered::<O>);
        Self { contracts: make, ..self }
    }

    const fn make(&self, toolset: ToolsetName) -> Option<Make> {
        match toolset {
            ToolsetName::Palanca => self.palanca,
            ToolsetName::Architect => self.architect,
            ToolsetName::Bots => self.bots,
            ToolsetName::Picoclaw => self.picoclaw,
            ToolsetName::Contracts => self.contracts,
        }
    }
}

fn offered<O: Offer>(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(Offered::<O>::new(Arc::clone(options))))
}

fn set_plan(_options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(plan::SetPlan))
}

fn echo(_options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(meta::Echo))
}

fn spawn(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(team::Spawn::new(Arc::clone(options))))
}

fn spawn_and_wait(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(team::SpawnAndWait::new(Arc::clone(options))))
}

fn dispatch(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(team::DispatchSubagent::new(Arc::clone(options))))
}

fn subagents(_options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(team::SubagentStatus))
}

fn message(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(people::Tell::new(Arc::clone(options))))
}

fn message_or_say(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(people::Tell::or_here(Arc::clone(options))))
}

/// Where the operator has set up no way to reach people, models of our own vocabulary are not told of one.
fn channels(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    let reachable = toolset == ToolsetName::Picoclaw
        || options.message.channels.iter().any(|channel| channel.from == ChannelFrom::Operator);
    (!reachable).then_some("channels: {NAME: …}")
}

/// The document of the contracts knows six tools.
fn artifacts(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    let is_off = toolset == ToolsetName::Contracts && !options.artifacts;
    is_off.then_some("contracts.artifacts: true")
}

const fn always(_toolset: ToolsetName, _options: &ToolOptions) -> Option<&'static str> {
    None
}

/// Without programs there is nothing to run, wait for or speak to.
fn commands(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.commands.enabled).then_some("commands.enabled: true")
}

fn exec(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    let own = (toolset == ToolsetName::Bots && !options.exec.enabled).then_some("exec.enabled: true");
    commands(toolset, options).or(own)
}

fn process(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    let own = (toolset == ToolsetName::Bots && !options.process.enabled).then_some("processTools.enabled: true");
    commands(toolset, options).or(own)
}

fn file_tools(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.file_tools.enabled).then_some("fileTools.enabled: true")
}

fn soul(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.soul.enabled).then_some("soul.enabled: true")
}

fn recall(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    soul(toolset, options).or((!options.soul.search.enabled).then_some("soul.search.enabled: true"))
}

fn cron(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.cron.enabled).then_some("cron.enabled: true")
}

fn phone(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.phone.enabled).then_some("phoneCall.enabled: true").or(options.phone.missing)
}

fn dynamic(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.dynamic.enabled).then_some("dynamicTools.enabled: true")
}

fn improve(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.improve.enabled).then_some("improve.enabled: true")
}

fn datetime(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.datetime.enabled).then_some("datetime.enabled: true")
}

/// The document of picoclaw always offers them: there the call says what is missing.
fn web(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.web.enabled && toolset != ToolsetName::Picoclaw).then_some("webTools.enabled: true")
}

/// A bot is offered no search that has nobody to ask; elsewhere the call says what is missing.
fn search(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    let has_nobody = toolset == ToolsetName::Bots && options.web.search.providers.is_empty();
    web(toolset, options).or_else(|| has_nobody.then_some("webTools.search.apiKey"))
}

fn team(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    (!options.subagents.enabled).then_some("subagents.enabled: true")
}

fn delegate(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(team::DelegateToBot::new(Arc::clone(options))))
}

/// The tools by which bots reach each other: a bot that is asked by another does not have them, or questions would go in circles.
pub const BETWEEN_BOTS: [&str; 2] = ["collaborate", "delegate_to_bot"];

fn collaborate(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(team::Collaborate::new(Arc::clone(options))))
}

fn collaboration(toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    let is_off = options.bots.collaboration.is_none();
    is_off.then_some("collaboration.enabled: true").or_else(|| other_bots(toolset, options))
}

/// One that is alone has nobody to ask.
fn other_bots(_toolset: ToolsetName, options: &ToolOptions) -> Option<&'static str> {
    options.bots.others.is_empty().then_some("bots: at least two")
}

const fn nowhere(name: &'static str, family: Family, permission: Permission) -> BuiltIn {
    BuiltIn {
        name,
        family,
        permission,
        off: always,
        palanca: None,
        architect: None,
        bots: None,
        picoclaw: None,
        contracts: None,
    }
}

const fn row<P: Offer, A: Offer>(family: Family, permission: Permission) -> BuiltIn {
    let palanca: Option<Make> = Some(offered::<P>);
    BuiltIn { palanca, architect: Some(offered::<A>), ..nowhere(P::NAME, family, permission) }
}

/// In every toolset, documented there or not.
const fn everywhere<O: Offer>(family: Family, permission: Permission) -> BuiltIn {
    let make: Option<Make> = Some(offered::<O>);
    BuiltIn {
        palanca: make,
        architect: make,
        bots: make,
        picoclaw: make,
        contracts: make,
        ..nowhere(O::NAME, family, permission)
    }
}

use Family::{Edit, Files, Meta, People, Plan, Search, Shell, Soul, Team, Web};
use Permission::{Allow, Ask};

/// Every built-in tool, by family.
pub const BUILT_IN: &[BuiltIn] = &[
    row::<palanca::ReadFile, architect::ReadFile>(Files, Allow)
        .and_picoclaw::<picoclaw::ReadFile>()
        .and_contracts::<contracts::ReadFile>(),
    row::<palanca::WriteFile, architect::WriteFile>(Files, Ask).and_picoclaw::<picoclaw::WriteFile>(),
    row::<palanca::DeleteFile, architect::DeleteFile>(Files, Ask),
    row::<palanca::ListFiles, architect::ListFiles>(Files, Allow).and_contracts::<contracts::ListFiles>(),
    nowhere("list_dir", Files, Allow).and_picoclaw::<picoclaw::ListDir>(),
    nowhere("list_dirs", Files, Allow).and_contracts::<contracts::ListDirs>(),
    BuiltIn { off: file_tools, bots: Some(offered::<bots::FileRead>), ..nowhere("file_read", Files, Allow) },
    BuiltIn { off: file_tools, bots: Some(offered::<bots::FileWrite>), ..nowhere("file_write", Files, Ask) },
    BuiltIn { off: file_tools, bots: Some(offered::<bots::FileEdit>), ..nowhere("file_edit", Edit, Ask) },
    row::<palanca::EditFile, architect::EditFile>(Edit, Ask).and_picoclaw::<picoclaw::EditFile>(),
    row::<palanca::ApplyPatch, architect::ApplyPatch>(Edit, Ask),
    row::<palanca::SearchCode, architect::SearchCode>(Search, Allow).and_contracts::<contracts::SearchCode>(),
    row::<palanca::Grep, architect::Grep>(Search, Allow),
    row::<palanca::FindFiles, architect::FindFiles>(Search, Allow),
    BuiltIn {
        off: commands,
        palanca: Some(offered::<palanca::RunCommand>),
        architect: Some(offered::<architect::RunCommand>),
        ..nowhere("run_command", Shell, Ask)
    },
    BuiltIn {
        off: exec,
        bots: Some(offered::<bots::Exec>),
        picoclaw: Some(offered::<picoclaw::Exec>),
        ..nowhere("exec", Shell, Ask)
    },
    BuiltIn {
        off: process,
        palanca: Some(offered::<palanca::Process>),
        bots: Some(offered::<bots::Process>),
        ..nowhere("process", Shell, Ask)
    },
    BuiltIn {
        off: search,
        palanca: Some(offered::<palanca::WebSearch>),
        bots: Some(offered::<bots::WebSearch>),
        picoclaw: Some(offered::<picoclaw::WebSearch>),
        ..nowhere("web_search", Web, Allow)
    },
    BuiltIn {
        off: web,
        palanca: Some(offered::<palanca::WebFetch>),
        bots: Some(offered::<bots::WebFetch>),
        picoclaw: Some(offered::<picoclaw::WebFetch>),
        ..nowhere("web_fetch", Web, Allow)
    },
    BuiltIn { contracts: Some(set_plan), ..nowhere("todo_manager", Plan, Allow) },
    nowhere("validate_output", Plan, Allow).and_contracts::<contracts::ValidateOutput>(),
    BuiltIn { off: team, palanca: Some(spawn), picoclaw: Some(spawn_and_wait), ..nowhere("spawn", Team, Allow) },
    BuiltIn { off: team, palanca: Some(dispatch), ..nowhere("dispatch_subagent", Team, Allow) },
    BuiltIn {
        off: team,
        palanca: Some(subagents),
        picoclaw: Some(subagents),
        ..nowhere("subagent_status", Team, Allow)
    },
    BuiltIn { off: other_bots, bots: Some(delegate), ..nowhere("delegate_to_bot", Team, Allow) },
    BuiltIn { off: collaboration, bots: Some(collaborate), ..nowhere("collaborate", Team, Ask) },
    // A shortened output names it for the rest.
    BuiltIn { off: artifacts, ..everywhere::<meta::ReadArtifact>(Meta, Allow) },
    BuiltIn {
        off: channels,
        palanca: Some(message),
        picoclaw: Some(message_or_say),
        ..nowhere("message", People, Ask)
    },
    BuiltIn { off: phone, bots: Some(offered::<bots::PhoneCall>), ..nowhere("phone_call", People, Ask) },
    BuiltIn { off: soul, bots: Some(offered::<Dated<bots::SaveMemory>>), ..nowhere("save_memory", Soul, Ask) },
    BuiltIn { off: soul, bots: Some(offered::<Dated<bots::UpdateSoul>>), ..nowhere("update_soul", Soul, Ask) },
    BuiltIn { off: soul, bots: Some(offered::<Dated<bots::UpdateIdentity>>), ..nowhere("update_identity", Soul, Ask) },
    BuiltIn { off: soul, bots: Some(offered::<Dated<bots::ManageGoals>>), ..nowhere("manage_goals", Soul, Ask) },
    BuiltIn { off: improve, bots: Some(offered::<Dated<ImproveArgs>>), ..nowhere("improve", Soul, Ask) },
    BuiltIn { off: recall, bots: Some(offered::<bots::MemorySearch>), ..nowhere("memory_search", Soul, Allow) },
    BuiltIn { off: recall, bots: Some(offered::<bots::MemoryGet>), ..nowhere("memory_get", Soul, Allow) },
    BuiltIn { off: cron, bots: Some(offered::<Dated<bots::Cron>>), ..nowhere("cron", Soul, Ask) },
    BuiltIn { off: dynamic, bots: Some(offered::<Dated<bots::CreateTool>>), ..nowhere("create_tool", Meta, Ask) },
    BuiltIn { off: datetime, bots: Some(offered::<meta::GetDatetime>), ..nowhere("get_datetime", Meta, Allow) },
    BuiltIn { palanca: Some(echo), picoclaw: Some(echo), ..nowhere("echo", Meta, Allow) },
];

/// Registers every tool of this toolset that the operator has not switched off, and how to switch on the others.
///
/// # Errors
/// [`RegistryError::Duplicate`] when a tool of the same name is there already; those before it stay registered.
pub fn register_all(registry: &Registry, toolset: ToolsetName, options: &ToolOptions) -> Result<(), RegistryError> {
    let options = Arc::new(options.clone());
    for tool in BUILT_IN {
        match (tool.make(toolset), tool.switched_off(toolset, &options)) {
            (Some(_), Some(setting)) => registry.switch_off(tool.name, setting),
            (Some(make), None) => {
                let options = Arc::clone(&options);
                registry.register_later(tool.name, move || make(&options))?;
            }
            (None, _) => {}
        }
    }
    Ok(())
}

/// A registry with every tool of this toolset, whose results have the toolset's shape.
///
/// # Errors
/// None in practice: the names in the list are different and valid, which a test holds.
pub fn registry(toolset: ToolsetName, options: &ToolOptions) -> Result<Registry, RegistryError> {
    let registry = Registry::with_shape(toolset);
    register_all(&registry, toolset, options)?;
    Ok(registry)
}
