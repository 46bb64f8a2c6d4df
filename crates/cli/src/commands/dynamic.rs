//! `palanca dynamic`: what bots made, for the person who decides about it.

use super::arguments::arguments;
use super::call::{exit, show as show_result};
use crate::args::Global;
use crate::args::dynamic::{Dynamic, DynamicCommand};
use crate::exit::{Ended, Exit};
use crate::render::{stderr, stdout};
use crate::say::{catalogue, say};
use crate::wire::asker::agreed;
use crate::wire::open::calls_with;
use crate::wire::runtime::{self, Threads};
use crate::wire::{settings, signals};
use palanca_config::Config;
use palanca_core::{CallId, Message, ToolsetName};
use palanca_host::dynamic::{Decision, DynamicTools, MadeTool, Standing};
use serde_json::json;
use std::sync::Arc;

/// The front end, for the record of who decided.
const BY: &str = "terminal";

pub fn dynamic(global: &Global, args: Dynamic) -> Ended {
    let global = Global { toolset: Some(ToolsetName::Bots.name().to_owned()), ..global.clone() };
    let config = Arc::new(settings::load(&global, &[])?.config);
    let tools = DynamicTools::open(&*settings::host(&global)?.workspace(&config)?, &config);
    if !config.dynamic_tools.enabled {
        stderr::note(&Message::new("dynamic-off"));
    }
    let told = |key, tool: &MadeTool| stderr::note(&Message::new(key).with("name", tool.manifest.name.as_str()));
    match args.what {
        DynamicCommand::List { json } => list(&tools, json),
        DynamicCommand::Show { name, json } => {
            let tool = tools.show(&name)?;
            if json {
                stdout::json(&tool.to_json(catalogue()))?
            } else {
                stdout::text(&page(&tool))?
            }
            Ok(Exit::Success)
        }
        DynamicCommand::Approve { name, digest } => approve(&global, &tools, (&name, digest)),
        DynamicCommand::Reject { name, note } => {
            if global.is_dry() {
                tools.show(&name)?;
                return Ok(Exit::Success);
            }
            told("dynamic-rejected", &tools.reject(&name, note.as_deref(), BY)?);
            Ok(Exit::Success)
        }
        DynamicCommand::Test { name, arguments, json } => test(&global, (&config, &tools), (&name, &arguments), json),
        DynamicCommand::Delete { name } => {
            if !global.is_dry() {
                tools.delete(&name, BY)?;
                stderr::note(&Message::new("dynamic-deleted").with("name", name));
            }
            Ok(Exit::Success)
        }
    }
}

fn list(tools: &DynamicTools, as_json: bool) -> Ended {
    let listing = tools.list()?;
    if as_json {
        let all: Vec<_> = listing.tools.iter().map(|tool| tool.to_json(catalogue())).collect();
        let unreadable = listing.unreadable.iter().map(|(folder, why)| json!({"folder": folder, "error": say(why)}));
        stdout::json(&json!({"tools": all, "unreadable": unreadable.collect::<Vec<_>>()}))?;
    } else {
        if listing.tools.is_empty() && listing.unreadable.is_empty() {
            stderr::note(&Message::new("dynamic-none"));
        }
        for MadeTool { manifest, standing, .. } in &listing.tools {
            let kind = manifest.kind.file();
            let (name, made_by, scope) = (&manifest.name, &manifest.created_by, &manifest.scope);
            let about = plain(&manifest.description);
            stdout::text(&format!("{:<9} {name}  ({kind}, {made_by} → {scope})  {about}\n", standing.name()))?;
        }
        for (_, why) in &listing.unreadable {
            stderr::warn(why);
        }
    }
    Ok(if listing.unreadable.is_empty() { Exit::Success } else { Exit::Failed })
}

fn approve(global: &Global, tools: &DynamicTools, (name, digest): (&str, Option<String>)) -> Ended {
    let tool = tools.show(name)?;
    let digest = digest.unwrap_or_else(|| tool.digest.clone());
    stdout::text(&page(&tool))?;
    if global.is_dry() {
        return Ok(Exit::Success);
    }
    if !agreed(&Message::new("dynamic-approve-ask").with("name", name))? {
        stderr::note(&Message::new("dynamic-not-approved").with("name", name));
        return Ok(Exit::Failed);
    }
    tools.approve(name, &digest, BY)?;
    stderr::note(&Message::new("dynamic-approved").with("name", name));
    Ok(Exit::Success)
}

fn test(
    global: &Global,
    (config, tools): (&Arc<Config>, &DynamicTools),
    (name, given): (&str, &[String]),
    as_json: bool,
) -> Ended {
    let tool = tools.show(name)?;
    let trial = tools.on_trial(name, &tool.digest, config)?;
    let session = calls_with(global, config, trial)?;
    let arguments = arguments(session.toolset(), name, given)?;
    let shape = session.toolset().shape();
    let name = name.to_owned();
    let result = runtime::block_on(Threads::One, async move {
        signals::cancel_on_interrupt(session.gate().cancel());
        let call = session.call(CallId::new("1"), name, arguments);
        let result = session.gate().submit(session.toolset(), call).await;
        session.end().await;
        Ok(result)
    })?;
    show_result(&result, as_json.then_some(shape))?;
    Ok(exit(&result))
}

/// A tool as a person reads it before deciding. What is printed is escaped, so that nothing the bot wrote hides in a terminal.
fn page(tool: &MadeTool) -> String {
    let MadeTool { manifest, source, digest, standing, history } = tool;
    let analysis = tool.analysis();
    let row = |key: &str, value: &str| format!("{key:<12} {}\n", plain(value));
    let mut page = row("name", &manifest.name) + &row("standing", standing.name()) + &row("digest", digest);
    page += &row("made by", &format!("{} ({})", manifest.created_by, manifest.created_at));
    page += &row("for", &manifest.scope);
    page += &row("description", &manifest.description);
    for (name, parameter) in manifest.parameters.iter() {
        let described = serde_json::to_string(parameter).unwrap_or_default();
        page += &row("parameter", &format!("{name} {described}"));
    }
    if !manifest.permissions.is_empty() {
        page += &row("may ask for", &serde_json::to_string(&manifest.permissions).unwrap_or_default());
    }
    page.push_str(&format!("\n{}:\n", manifest.kind.file()));
    source.lines().for_each(|line| page.push_str(&format!("    {line}\n")));
    page.push('\n');
    for finding in analysis.refused.iter().chain(&analysis.findings) {
        page.push_str(&format!("! {}\n", say(finding)));
    }
    if *standing == Standing::Changed {
        page.push_str(&format!("\n{}\n", say(&Message::new("dynamic-since"))));
        tool.diff().lines().for_each(|line| page.push_str(&format!("    {line}\n")));
    }
    for Decision { at, what, by, note, digest, .. } in history {
        let note = note.as_deref().map(|note| format!(": {}", plain(note))).unwrap_or_default();
        page.push_str(&format!("{at}  {} by {by}, {}{note}\n", what.name(), digest.get(..12).unwrap_or_default()));
    }
    page
}

/// On one line.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
