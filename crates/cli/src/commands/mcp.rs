//! `palanca mcp`: our tools for the clients of others, and the servers whose tools are ours.

mod import;

use crate::args::mcp::{Mcp, McpCommand};
use crate::args::{Call, Global};
use crate::commands::call::call;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::wire::lookout::Shown;
use crate::wire::open::{Asked, asked_by, takes_tasks};
use crate::wire::runtime::{self, Threads};
use crate::wire::{settings, signals};
use palanca_agent::{Allowance, Ledger};
use palanca_core::ports::Asker;
use palanca_core::tool::Cancel;
use palanca_core::{Catalogue as _, Message};
use palanca_host::Session;
use palanca_host::configuration::catalogue;
use palanca_mcp::{Needed, Server, ServerStatus, Servers, Standing, tool_name};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

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
        McpCommand::Trust { server } => {
            let config = settings::load(global, &[])?.config;
            Servers::trust(&*settings::host(global)?, &config, server)?;
            stderr::note(&Message::new("mcp-trusted").with("server", server.as_str()));
            Ok(Exit::Success)
        }
    }
}

/// Beyond a server's own time limit, until it is told of.
const SETTLING: Duration = Duration::from_secs(5);

fn list(global: &Global, needed: Needed<'_>, as_json: bool) -> Ended {
    let config = Arc::new(settings::load(global, &[])?.config);
    let catalogue = catalogue(&config);
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
    let longest = config.mcp.servers.iter().map(|server| server.timeout).max().unwrap_or_default();
    servers.wait(Duration::from_secs(longest) + SETTLING);
    let status = servers.status();
    let say = |message: &Message| catalogue.render(message);
    if as_json {
        let row = |server: &ServerStatus| {
            let (why, left_out) = (server.standing.why(), server.left_out.iter().map(say).collect::<Vec<_>>());
            let (connected, error) = (why.is_none(), why.as_ref().map(say));
            json!({"name": server.name, "connected": connected, "error": error, "tools": server.tools, "left_out": left_out})
        };
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
        }
    }
    let all = status.iter().all(|server| server.standing == Standing::Connected);
    Ok(if all { Exit::Success } else { Exit::Failed })
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
