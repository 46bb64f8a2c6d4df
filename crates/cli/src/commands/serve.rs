//! `palanca serve`: one process that keeps all bots of a configuration alive until it is asked to end.
//!
//! What it does beside waiting is a list of [parts](parts). A further one is a file of this folder and a line of that list.

mod chats;
mod configuration;
#[cfg(feature = "console")]
mod console;
#[cfg(not(feature = "console"))]
#[path = "serve/no_console.rs"]
mod console;
mod health;
mod jobs;

use crate::args::Global;
use crate::args::serve::Serve;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::open::{AT_ONCE, traces};
use crate::wire::runtime::{self, Threads};
use crate::wire::{settings, signals};
use futures_util::future::BoxFuture;
use palanca_bots::Bots;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::tool::Cancel;
use palanca_host::agent::bots;
use palanca_host::{Drained, Fault, Host, Notices as _};
use std::sync::Arc;
use std::time::Duration;

/// What the parts of the process share.
#[derive(Clone)]
pub struct Served {
    /// What the command line said.
    pub global: Global,
    pub host: Arc<Host>,
    /// The configuration as it was when the process began, which no bot acts in.
    pub config: Arc<Config>,
    pub bots: Arc<Bots>,
    /// Cancelled when the process is asked to end. Calls under way are given time after it.
    pub cancel: Cancel,
}

/// One thing that the process does until [`Served::cancel`] is cancelled; it returns soon after that. A part that fails ends the
/// process: whoever watches it must know.
pub type Part = BoxFuture<'static, Result<(), Failure>>;

/// Everything that the process does, in the order in which it begins. Each may refuse to begin.
async fn parts(served: &Served, args: &Serve) -> Result<Vec<Part>, Failure> {
    let console = console::console(served, args).await?;
    let own = [
        clean(served.clone()),
        jobs::part(served.clone()),
        chats::part(served.clone()),
        configuration::part(served.clone())?,
        health::part(served.clone()),
    ];
    Ok(own.into_iter().chain(console).collect())
}

/// Removes what is older than the configuration keeps it.
fn clean(Served { host, config, cancel, .. }: Served) -> Part {
    Box::pin(async move {
        host.keep_clean(&config, &cancel).await;
        Ok(())
    })
}

pub fn serve(global: Global, args: Serve) -> Ended {
    let refused = global.bot.as_ref().map(|_| "--bot").or_else(|| global.is_dry().then_some("--dry-run"));
    if let Some(flag) = refused {
        return Err(Failure::said(&Message::new("serve-refused").with("flag", flag)));
    }
    let config = Arc::new(settings::load(&global, &[])?.config);
    let host = settings::host(&global)?;
    host.make_room(AT_ONCE);
    host.trace(&config, traces(&global, &config)?);
    let bots = Arc::new(Bots::open(&host, settings::folder(&global), &settings::flags(&global))?);
    let served = Served { global, host, config, bots, cancel: Cancel::new() };
    tell(&served)?;
    runtime::block_on(Threads::Cores, live(served, args))
}

async fn live(served: Served, args: Serve) -> Ended {
    signals::cancel_on_interrupt(&served.cancel);
    let mut running = tokio::task::JoinSet::new();
    for part in parts(&served, &args).await? {
        running.spawn(part);
    }
    settings::notices(&served.global).note(&Message::new("serve-ready"));
    let mut failed = None;
    loop {
        tokio::select! {
            () = served.cancel.cancelled() => break,
            Some(ended) = running.join_next() => {
                failed = failure(ended).or(failed);
                if failed.is_some() {
                    served.cancel.cancel();
                }
            }
        }
    }
    let drained = served.host.drain(Duration::from_secs(args.drain)).await;
    while let Some(ended) = running.join_next().await {
        failed = failed.or_else(|| failure(ended));
    }
    cut_off(&drained);
    failed.map_or(Ok(Exit::Success), Err)
}

fn failure(ended: Result<Result<(), Failure>, tokio::task::JoinError>) -> Option<Failure> {
    ended.map_err(Failure::from).and_then(|part| part).err()
}

/// What could not end in time.
fn cut_off(drained: &Drained) {
    for session in &drained.cut_off {
        stderr::warn(&Message::new("serve-cut-off").with("session", session.to_string()));
    }
    for command in &drained.programs {
        stderr::note(&Message::new("serve-program-ended").with("command", command));
    }
}

/// The line of a bot that is ready.
fn told(served: &Served, id: &str) -> Result<String, Fault> {
    let bot = served.bots.bot(id)?;
    let (name, model) = (bots::name(&bot.config), bot.config.llm.model.as_deref().unwrap_or_default());
    let about = [name, model].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    Ok(format!("{id}: {} ({about})\n", say(&Message::new("cli-bot-ready"))))
}

/// One line for each bot. What is wrong with one stops no other.
fn tell(served: &Served) -> Result<(), Failure> {
    let ids = served.bots.ids();
    for id in &ids {
        match told(served, id) {
            Ok(line) => stdout::text(&line)?,
            Err(fault) => {
                let failure = Failure::from(fault);
                stderr::error(&Failure::new(failure.exit, anyhow::anyhow!("{id}: {failure}")));
            }
        }
    }
    if ids.is_empty() {
        stderr::warn(&Message::new("serve-no-bot"));
    }
    Ok(())
}
