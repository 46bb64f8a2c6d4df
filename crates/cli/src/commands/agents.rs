//! `palanca agents`: the roles.

use crate::args::{Global, Listing};
use crate::exit::{Ended, Exit};
use crate::render::stdout;
use crate::say::say;
use crate::wire::settings;
use palanca_agent::{Agent, Allowed};
use palanca_core::Message;
use palanca_host::agent::toolset;
use palanca_host::configuration;
use serde_json::json;

pub fn agents(global: &Global, args: &Listing) -> Ended {
    let loaded = settings::load(global, &[])?;
    let agents = configuration::agents(&loaded.config);
    let offered = toolset::registry(&loaded.config)?.snapshot();
    let tools = |agent: &Agent| {
        let (toolset, unknown) = agent.offered(&offered);
        (toolset.names().map(str::to_owned).collect::<Vec<_>>(), unknown)
    };
    if args.json {
        let rows = agents.iter().map(|agent| {
            let (offered, unavailable) = tools(agent);
            json!({
                "name": agent.name, "tools": offered, "unavailable": unavailable,
                "every_tool": agent.allowed == Allowed::Every, "confirm_mode": agent.confirm_mode, "max_steps": agent.max_steps,
            })
        });
        stdout::json(&rows.collect())?;
        return Ok(Exit::Success);
    }
    let rows = agents.iter().map(|agent| {
        let mode = serde_json::to_value(agent.confirm_mode).unwrap_or_default();
        let mode = mode.as_str().unwrap_or_default().to_owned();
        let steps = say(&Message::new("cli-agent-steps").with("steps", agent.max_steps));
        format!("{:<10} {mode:<18} {steps:>9}  {}\n", agent.name, tools(agent).0.join(" "))
    });
    stdout::text(&rows.collect::<String>())?;
    Ok(Exit::Success)
}
