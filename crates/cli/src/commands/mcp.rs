//! `palanca mcp`: our tools for the clients of others, and the servers whose tools are ours.

mod import;

use crate::args::mcp::{Mcp, McpCommand};
use crate::args::{Call, Global};
use crate::commands::call::call;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::asker::agreed;
use crate::wire::lookout::Shown;
use crate::wire::open::{Asked, asked_by, takes_tasks};
use crate::wire::runtime::{self, Threads};
use crate::wire::{settings, signals};
use palanca_agent::{Allowance, Ledger};
use palanca_core::Message;
use palanca_core::ports::Asker;
use palanca_core::tool::Cancel;
use palanca_host::Session;
use palanca_mcp::{Change, Needed, Server, ServerStatus, Servers, Standing, tool_name};
use serde_json::{Value, json};
use std::sync::Arc;

pub fn mcp(global: &Global, args: &Mcp) -> Ended {
    match &args.what {
        McpCommand::Serve => serve(global.clone()),
        McpCommand::List { json } => list(global, Needed::All, *json),
        McpCommand::Test { server, json } => {
            Servers::check_name(&settings::load(global, &[])?.config, server)?;
            list(global, Needed::Named(server), *json)
        }
        McpCommand::Call { server, tool, arguments, json } => {
            Servers::check_name(&settings::load(global, &[])?.config, server)?;
            let (tool, batch, shape) = (Some(tool_name(server, tool)), None, None);
            call(global, Call { tool, arguments: arguments.clone(), batch, jobs: 1, json: *json, shape, network: None })
        }
        McpCommand::Import { file, project } => import::import(global, file, *project),
        McpCommand::Trust { server } => trust(global, server),
    }
}

fn trust(global: &Global, server: &str) -> Ended {
    let config = Arc::new(settings::load(global, &[])?.config);
    Servers::check_name(&config, server)?;
    let host = settings::host(global)?;
    let place = host.workspace(&config)?;
    let mut failed = None;
    let agrees = |changes: &[Change]| {
        shown(changes)
            .and_then(|()| Ok(!global.is_dry() && agreed(&Message::new("mcp-trust-ask").with("server", server))?))
            .unwrap_or_else(|failure| {
                failed = Some(failure);
                false
            })
    };
    let trusted = Servers::trust((&host, &place), &config, server, agrees)?;
    if let Some(failure) = failed {
        return Err(failure);
    }
    match trusted {
        Some(status) => {
            if let Some(why) = status.standing.why() {
                stderr::warn(&Message::new("mcp-not-connected").with("server", server).with("why", why));
            }
            stderr::note(&Message::new("mcp-trusted").with("server", server));
            Ok(Exit::Success)
        }
        None => {
            stderr::note(&Message::new("mcp-not-trusted").with("server", server));
            Ok(if global.is_dry() { Exit::Success } else { Exit::Failed })
        }
    }
}

/// What a server was agreed to as, and what it is now.
fn shown(changes: &[Change]) -> Result<(), Failure> {
    changes.iter().try_for_each(|change| {
        let diff = if change.diff.is_empty() {
            format!("{}\n", say(&Message::new("mcp-change-hidden")))
        } else {
            change.diff.clone()
        };
        let of = change.tool.iter().map(|tool| format!("  {tool}\n"));
        let lines = diff.lines().map(|line| format!("    {line}\n"));
        stdout::text(&of.chain(lines).collect::<String>())
    })
}

fn list(global: &Global, needed: Needed<'_>, as_json: bool) -> Ended {
    let config = Arc::new(settings::load(global, &[])?.config);
    let host = settings::host(global)?;
    let servers = Servers::start(&host, &host.workspace(&config)?, &config, needed)?;
    let Some(servers) = servers else {
        if as_json {
            stdout::json(&json!([]))?;
        } else {
            stderr::note(&Message::new("mcp-none"));
        }
        return Ok(Exit::Success);
    };
    // Who asks wants the answer, not a quick one.
    servers.wait_for_all();
    let status = servers.status();
    if as_json {
        stdout::json(&status.iter().map(row).collect::<Vec<_>>().into())?;
    } else {
        for server in &status {
            let (name, count) = (server.name.as_str(), server.tools.len());
            stdout::text(&say(&match server.standing.why() {
                None => Message::new("mcp-row-connected").with("server", name).with("count", count),
                Some(why) => Message::new("mcp-row-gone").with("server", name).with("why", why),
            }))?;
            server.tools.iter().try_for_each(|tool| stdout::text(&format!("  {tool}")))?;
            server.left_out.iter().try_for_each(|why| stdout::text(&format!("  ! {}", say(why))))?;
            shown(&server.changes)?;
        }
    }
    let all = status.iter().all(|server| server.standing == Standing::Connected);
    Ok(if all { Exit::Success } else { Exit::Failed })
}

fn row(server: &ServerStatus) -> Value {
    let (why, left_out) = (server.standing.why(), server.left_out.iter().map(say).collect::<Vec<_>>());
    let changes = server.changes.iter().map(|change| json!({"tool": change.tool, "diff": change.diff}));
    let changes: Vec<_> = changes.collect();
    let (connected, error) = (why.is_none(), why.as_ref().map(say));
    let ServerStatus { name, tools, .. } = server;
    json!({"name": name, "connected": connected, "error": error, "tools": tools, "left_out": left_out, "changes": changes})
}

/// What a call needs is opened with the first one, so that a client which only begins is answered at once.
fn serve(global: Global) -> Ended {
    runtime::block_on(Threads::Worker, async move {
        let cancel = Cancel::new();
        signals::cancel_on_interrupt(&cancel);
        let opener = {
            let cancel = cancel.child_token();
            Arc::new(move |asker| {
                opened(&global, asker, &cancel).map_err(|failure| {
                    stderr::problem(&failure.to_string());
                    failure.to_string()
                })
            })
        };
        let (read, write) = (tokio::io::stdin(), tokio::io::stdout());
        Server::new(opener).serve(read, write, cancel.clone()).await?;
        Ok(if cancel.is_cancelled() { Exit::Interrupted } else { Exit::Success })
    })
}

fn opened(global: &Global, asker: Arc<dyn Asker>, cancel: &Cancel) -> Result<Session, Failure> {
    let config = Arc::new(settings::load(global, &[])?.config);
    let asked = Asked { mode: config.mode.unwrap_or_default(), asker, front: "mcp", cancel: cancel.clone() };
    let session = asked_by(global, &config, asked)?;
    let purse = Allowance { dollars: config.costs.budget_usd, ..Allowance::default() };
    takes_tasks(&session, Ledger::root(purse), Shown::Nothing);
    if !global.is_dry() {
        let (host, cancel) = (Arc::clone(session.host()), cancel.clone());
        tokio::spawn(async move { host.keep_clean(&config, &cancel).await });
    }
    Ok(session)
}
