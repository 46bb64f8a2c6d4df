//! The configuration while the process runs: read again when a file of it changes, and taken up bot by bot.

use super::{Part, Served, told};
use crate::exit::Failure;
use crate::render::{stderr, stdout};
use crate::wire::settings;
use palanca_core::Message;
use palanca_host::configuration::{Current, Needs, unused};
use palanca_host::{Fault, Notices as _};
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked whether a file has changed.
const EACH: Duration = Duration::from_secs(2);

/// # Errors
/// What is wrong with the configuration.
pub fn part(served: Served) -> Result<Part, Failure> {
    let global = &served.global;
    let current = Current::open(settings::places(global)?, settings::folder(global), &settings::flags(global))?;
    let current = Arc::new(current);
    Ok(Box::pin(async move {
        let mut said = None;
        loop {
            tokio::select! {
                () = served.cancel.cancelled() => return Ok(()),
                () = tokio::time::sleep(EACH) => {}
            }
            let (current, of) = (Arc::clone(&current), served.clone());
            let looked = tokio::task::spawn_blocking(move || look(&current, &of)).await?;
            let fault = looked.err();
            if let Some(fault) = fault.as_ref().filter(|fault| said.as_ref() != Some(*fault)) {
                let why = Failure::from(fault.clone()).to_string();
                stderr::warn(&Message::new("serve-not-reloaded").with("why", why));
            }
            said = fault;
        }
    }))
}

/// Reads every file again, and where a value is another one now, builds the bots again.
fn look(current: &Current, served: &Served) -> Result<(), Fault> {
    let resolved = current.resolve_again()?;
    if resolved.changes.is_empty() {
        return Ok(());
    }
    let notices = settings::notices(&served.global);
    unused(&resolved.unused).iter().for_each(|told| notices.advise(told));
    let keys = resolved.changes.iter().map(|change| change.key.as_str()).collect::<Vec<_>>().join(", ");
    notices.note(&Message::new("serve-reloaded").with("keys", keys));
    for change in resolved.changes.iter().filter(|change| change.needs == Needs::Restart) {
        stderr::warn(&Message::new("serve-needs-restart").with("key", &change.key));
    }
    let reloaded = served.bots.reload()?;
    for id in &reloaded.changed {
        // ignored: without a reader the bot works all the same.
        let _ = told(served, id).map(|line| stdout::text(&line));
    }
    for id in &reloaded.gone {
        notices.note(&Message::new("serve-bot-gone").with("bot", id));
    }
    for (id, fault) in reloaded.refused {
        let why = Failure::from(fault).to_string();
        stderr::warn(&Message::new("serve-bot-keeps").with("bot", id).with("why", why));
    }
    Ok(())
}
