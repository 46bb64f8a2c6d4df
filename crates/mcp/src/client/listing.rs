//! What a server lists: taken, or left out and why, and made known to every registry.

use super::change::Change;
use super::pins::Held;
use super::results;
use super::server::{Server, State};
use super::tool::ForeignTool;
use palanca_core::registry::Override;
use palanca_core::{Message, Registry};
use palanca_host::unusable;
use rmcp::model::Tool;
use rmcp::service::{Peer, RoleClient};
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

/// Tools that are taken of one server.
const MOST_TOOLS: usize = 1_000;

impl Server {
    /// Asks for its tools and tells every registry which came, went or are others.
    pub(super) async fn list(&self, peer: &Peer<RoleClient>) -> Result<(), Message> {
        let listed = peer.list_all_tools().await.map_err(|error| results::trouble(&error))?;
        let (mut left_out, mut changes) = (Vec::new(), Vec::new());
        let mut tools: BTreeMap<String, Arc<ForeignTool>> = BTreeMap::new();
        let mut state = self.state.lock();
        // ignored: what was read before holds.
        let _ = state.pins.read();
        let is_first = state.pins.is_first();
        state.pins.begin();
        for tool in listed {
            let (raw, original) = (tool.clone(), tool.name.clone().into_owned());
            let is_taken = self.takes(&tool);
            match ForeignTool::new(&self.name, tool, self.time) {
                Err(why) if is_taken => left_out.push(why),
                Ok(_) if is_taken && tools.len() == MOST_TOOLS => {
                    left_out.push(Message::new("mcp-tool-too-many").with("tool", original).with("most", MOST_TOOLS))
                }
                Ok(tool) if is_taken && tools.contains_key(tool.name()) => {
                    left_out.push(Message::new("mcp-tool-name-taken").with("tool", original))
                }
                Ok(tool) if is_taken => {
                    let (key, before) = match state.pins.hold(&raw, |pinned| self.is_same(&tool, pinned)) {
                        Held::Same => {
                            let same = state.tools.get(tool.name()).filter(|before| ***before == tool).cloned();
                            tools.insert(tool.name().to_owned(), same.unwrap_or_else(|| Arc::new(tool)));
                            continue;
                        }
                        Held::Changed(before) => ("mcp-tool-changed", Some(before)),
                        Held::New => ("mcp-tool-new", None),
                    };
                    changes.push(Change::of_tool(before, raw));
                    left_out.push(Message::new(key).with("tool", original).with("server", self.name.as_str()));
                }
                // Agreed to with the others, so that who allows it later is not asked.
                Ok(tool) if state.pins.has_room() => {
                    state.pins.hold(&raw, |pinned| self.is_same(&tool, pinned));
                }
                _ => {}
            }
        }
        left_out.extend(state.pins.keep(&self.reach).err().map(|error| unusable(&error)));
        let State { tools: before, registries, .. } = &mut *state;
        registries.retain(|registry| registry.strong_count() > 0);
        for registry in registries.iter().filter_map(Weak::upgrade) {
            let is_other = |name: &String| tools.get(name) != before.get(name);
            before.iter().filter(|(name, _)| is_other(name)).for_each(|(_, tool)| leave(&registry, tool));
            let new = tools.iter().filter(|(name, tool)| before.get(*name) != Some(tool));
            left_out.extend(new.filter_map(|(_, tool)| register(&registry, tool)));
        }
        if is_first {
            let (server, count) = (self.name.as_str(), tools.len());
            self.notices.note(&Message::new("mcp-pinned").with("server", server).with("count", count));
        }
        (state.tools, state.left_out, state.changes) = (tools, left_out, changes);
        self.tell_changes(&mut state);
        Ok(())
    }

    fn is_same(&self, tool: &ForeignTool, pinned: &Tool) -> bool {
        ForeignTool::new(&self.name, pinned.clone(), self.time).is_ok_and(|pinned| pinned == *tool)
    }

    pub(super) fn takes(&self, tool: &Tool) -> bool {
        let named = |names: &[String]| names.iter().any(|name| *name == tool.name);
        (self.allow.is_empty() || named(&self.allow)) && !named(&self.deny)
    }
}

/// Or says why not: the name is that of another tool, which stays.
pub(super) fn register(registry: &Registry, tool: &Arc<ForeignTool>) -> Option<Message> {
    let refused = registry.register_any(Arc::clone(tool) as _, Override::Refuse).err();
    refused.map(|_| Message::new("mcp-tool-name-taken").with("tool", tool.name()))
}

/// Only what is this tool goes, and not another one of its name.
fn leave(registry: &Registry, tool: &Arc<ForeignTool>) {
    let known = registry.get(tool.name());
    if known.is_ok_and(|known| std::ptr::addr_eq(Arc::as_ptr(&known), Arc::as_ptr(tool))) {
        registry.remove(tool.name());
    }
}
