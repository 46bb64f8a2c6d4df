//! `palanca tools`: what a model would be offered.

use crate::args::{Global, Tools, ToolsCommand};
use crate::exit::{Ended, Exit, Failure};
use crate::render::stdout;
use crate::say::say;
use crate::wire::settings;
use palanca_core::registry::render_schema;
use palanca_core::{Message, SchemaFormat, Toolset};
use palanca_host::agent::toolset;
use serde_json::{Value, json};

pub fn tools(global: &Global, args: Tools) -> Ended {
    let loaded = settings::load(global, &[])?;
    let offered = toolset::registry(&loaded.config)?.snapshot();
    match args.what {
        ToolsCommand::List(listing) if listing.json => stdout::json(&json!(
            offered.iter().map(|tool| render_schema(&**tool, SchemaFormat::Mcp)).collect::<Vec<_>>()
        ))?,
        ToolsCommand::List(_) => {
            let rows = offered.iter().map(|tool| {
                let spec = tool.spec();
                format!("{:<14} {}\n", spec.name, spec.description.lines().next().unwrap_or_default())
            });
            stdout::text(&rows.collect::<String>())?;
        }
        ToolsCommand::Schema { names, format } => {
            let schemas: Vec<Value> = if names.is_empty() {
                offered.schemas(format)
            } else {
                let found = names.iter().map(|name| Ok(render_schema(&**find(&offered, name)?, format)));
                found.collect::<Result<_, Failure>>()?
            };
            stdout::json(&Value::Array(schemas))?;
        }
        ToolsCommand::Show { name } => {
            let tool = find(&offered, &name)?;
            let spec = tool.spec();
            let time = say(&Message::new("cli-tool-time").with("seconds", spec.timeout.as_secs()));
            stdout::text(&format!("{}\n\n{}\n\n{time}\n", spec.name, spec.description))?;
            stdout::json(tool.schema())?;
        }
    }
    Ok(Exit::Success)
}

fn find<'a>(offered: &'a Toolset, name: &str) -> Result<&'a std::sync::Arc<dyn palanca_core::AnyTool>, Failure> {
    offered.get(name).ok_or_else(|| {
        if let Some(why) = offered.why_absent(name) {
            return Failure::said(&why);
        }
        let near = offered.nearest(name);
        let listed = if near.is_empty() { offered.names().collect() } else { near };
        Failure::said(&Message::new("cli-tool-unknown").with("name", name).with("names", listed.join(", ")))
    })
}
