//! Made tools among the tools of a bot: looked at before each step, so that an approval counts in conversations that run, whoever gave it.

use super::made::MadeTool;
use super::{DynamicTools, leave};
use crate::agent::{Extension, bots, toolset};
use crate::notices::Notices;
use crate::workspace::Workspace;
use palanca_config::Config;
use palanca_core::gate::GateBuilder;
use palanca_core::registry::{Override, Source};
use palanca_core::{AnyTool, Message, Registry, ToolsetName};
use palanca_dynamic::Kind;
use palanca_tools::{ToolOptions, Vouched, made_command, made_script};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Lets the made tools join the tools of a bot, where the configuration has them.
pub(crate) fn join(workspace: &Workspace, config: &Config, registry: &Registry) {
    let Some(bot) = bots::id(config).filter(|_| config.dynamic_tools.enabled) else { return };
    debug_assert_eq!(config.toolset, ToolsetName::Bots);
    registry.follow(Arc::new(Joined {
        tools: DynamicTools::open(workspace, config),
        bot: bot.to_owned(),
        disabled: bots::disabled(config).to_vec(),
        options: Arc::new(toolset::options(config)),
        notices: Arc::clone(workspace.host.notices()),
        known: Mutex::default(),
    }));
}

/// A made tool as a tool.
fn made(tool: &MadeTool, vouched: Arc<dyn Vouched>, options: &Arc<ToolOptions>) -> Result<Arc<dyn AnyTool>, Message> {
    match tool.manifest.kind {
        Kind::Command => made_command(&tool.manifest, &tool.source, vouched, options),
        Kind::Typescript => Ok(made_script(&tool.manifest, &tool.source, vouched)),
    }
}

struct Joined {
    tools: DynamicTools,
    bot: String,
    disabled: Vec<String>,
    options: Arc<ToolOptions>,
    notices: Arc<dyn Notices>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// By name: the digest, and the tool in the registry.
    joined: BTreeMap<String, (String, Arc<dyn AnyTool>)>,
    /// Names of which it was said why they are absent.
    absent: HashSet<String>,
    /// What people were told.
    told: HashSet<String>,
}

impl Source for Joined {
    fn refresh(&self, registry: &Registry) {
        let mut known = self.known.lock();
        let listing = self.tools.list().unwrap_or_else(|fault| {
            self.tell(&mut known, &fault.message);
            Default::default()
        });
        listing.unreadable.iter().for_each(|(_, why)| self.tell(&mut known, why));
        let (mut wanted, mut absent) = (BTreeMap::new(), HashSet::new());
        for tool in &listing.tools {
            let name = tool.manifest.name.as_str();
            if !tool.manifest.is_for(&self.bot) || self.disabled.iter().any(|disabled| disabled == name) {
                continue;
            }
            match tool.why_not() {
                None => drop(wanted.insert(name.to_owned(), tool)),
                Some(why) => {
                    registry.explain_absence(name, Some(why));
                    absent.insert(name.to_owned());
                }
            }
        }
        known.joined.retain(|name, (digest, tool)| {
            let stays = wanted.get(name).is_some_and(|now| now.digest == *digest);
            if !stays {
                leave(registry, tool);
            }
            stays
        });
        for (name, tool) in wanted {
            if !known.joined.contains_key(&name) {
                self.add(registry, &mut known, tool);
            }
        }
        known
            .absent
            .iter()
            .filter(|name| !absent.contains(*name))
            .for_each(|name| registry.explain_absence(name, None));
        known.absent = absent;
    }
}

impl Joined {
    fn add(&self, registry: &Registry, known: &mut Known, tool: &MadeTool) {
        let (name, digest) = (tool.manifest.name.clone(), tool.digest.clone());
        let pinned = Pinned::of(&self.tools, tool, Needs::Approval);
        let made = made(tool, Arc::new(pinned), &self.options).and_then(|made| {
            let taken = |_| Message::new("dynamic-name-taken").with("name", name.as_str());
            registry.register_any(Arc::clone(&made), Override::Refuse).map_err(taken)?;
            Ok(made)
        });
        match made {
            Ok(made) => drop(known.joined.insert(name, (digest, made))),
            Err(why) => self.tell(known, &why),
        }
    }

    /// Once.
    fn tell(&self, known: &mut Known, why: &Message) {
        if known.told.insert(why.to_string()) {
            self.notices.warn(why);
        }
    }
}

/// What a call of a made tool needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// That it is approved as it is.
    Approval,
    /// That it is as it was shown.
    Sameness,
}

/// Holds a tool against its files and what was decided, each time.
struct Pinned {
    tools: DynamicTools,
    id: String,
    digest: String,
    needs: Needs,
}

impl Pinned {
    fn of(tools: &DynamicTools, tool: &MadeTool, needs: Needs) -> Self {
        Self { tools: tools.clone(), id: tool.manifest.id.clone(), digest: tool.digest.clone(), needs }
    }
}

impl Vouched for Pinned {
    fn holds(&self) -> Result<(), Message> {
        let name = self.id.as_str();
        let tool = self.tools.read(name)?.ok_or_else(|| Message::new("dynamic-unknown").with("name", name))?;
        if tool.digest != self.digest {
            return Err(Message::new("dynamic-is-changed").with("name", name).with("note", ""));
        }
        match tool.why_not() {
            Some(why) if self.needs == Needs::Approval => Err(why),
            _ => Ok(()),
        }
    }
}

/// One tool, for one session of a person who tries it.
struct Trial(Arc<dyn AnyTool>);

pub(super) fn on_trial(tools: &DynamicTools, tool: &MadeTool, config: &Config) -> Result<Arc<dyn Extension>, Message> {
    let pinned = Pinned::of(tools, tool, Needs::Sameness);
    Ok(Arc::new(Trial(made(tool, Arc::new(pinned), &Arc::new(toolset::options(config)))?)))
}

impl Extension for Trial {
    fn extend(self: Arc<Self>, registry: &Arc<Registry>, gate: GateBuilder) -> GateBuilder {
        // What is approved joins first, so that it finds its name free.
        drop(registry.snapshot());
        // It is tried under its own name; what else has that name is out of the way for this session.
        // ignored: name and schema of a manifest that could be read are such that every registry takes them.
        let _ = registry.register_any(Arc::clone(&self.0), Override::Allow);
        gate
    }
}
