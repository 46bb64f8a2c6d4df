//! `palanca cron` and `palanca memory`: the bot's own tools, called by a person. They go through the gate like any call.

mod history;
mod jobs;
mod soul;

use crate::args::bots::{Cron, CronCommand, Memory, MemoryCommand};
use crate::args::{Call, Global};
use crate::commands::call::call;
use crate::exit::Ended;
use palanca_core::ToolsetName;
use serde_json::{Value, json};

pub fn cron(global: Global, args: Cron) -> Ended {
    let (arguments, json) = match args.what {
        CronCommand::List { all, json } => {
            let arguments = json!({"action": "list", "includeDisabled": all});
            if !json {
                return jobs::list(global, &arguments);
            }
            (arguments, json)
        }
        CronCommand::History { job, max, json } => return history::history(global, job.as_deref(), max, json),
        CronCommand::Run { job, json } => (json!({"action": "run", "jobId": job}), json),
        CronCommand::Remove { job, json } => (json!({"action": "remove", "jobId": job}), json),
    };
    called(global, "cron", &arguments, json)
}

pub fn memory(global: Global, args: Memory) -> Ended {
    match args.what {
        MemoryCommand::Show { file } => soul::show(&global, file.as_deref()),
        MemoryCommand::Restore { file, time } => soul::restore(global, &file, time.as_deref()),
        MemoryCommand::Search { query, max, json } => {
            let mut arguments = json!({"query": query});
            if let (Some(max), Some(object)) = (max, arguments.as_object_mut()) {
                object.insert("maxResults".to_owned(), max.into());
            }
            called(global, "memory_search", &arguments, json)
        }
    }
}

fn called(global: Global, tool: &str, arguments: &Value, json: bool) -> Ended {
    in_toolset(global, ToolsetName::Bots, (tool, arguments), json)
}

fn in_toolset(global: Global, toolset: ToolsetName, (tool, arguments): (&str, &Value), json: bool) -> Ended {
    let global = Global { toolset: Some(toolset.name().to_owned()), ..global };
    let (tool, arguments) = (Some(tool.to_owned()), vec![arguments.to_string()]);
    call(&global, Call { tool, arguments, batch: None, jobs: 1, network: None, json, shape: None })
}
