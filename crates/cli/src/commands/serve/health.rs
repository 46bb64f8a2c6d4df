//! A row in the store that says that this process lives and what it keeps, for `palanca doctor`.

use super::{Part, Served};
use crate::render::stderr;
use palanca_host::workspace::disk;
use std::time::Duration;

/// How often the row is written.
const EACH: Duration = Duration::from_secs(30);

pub fn part(Served { host, config, bots, cancel, .. }: Served) -> Part {
    Box::pin(async move {
        let Some(database) = host.database(&config).cloned() else { return Ok(()) };
        let workspace = disk::here(&config)?;
        let server = database.server().map_err(|fault| anyhow::anyhow!("{}", crate::say::say(&fault.message())))?;
        let mut said = false;
        loop {
            if let Err(error) = database.server_seen(&server, &workspace, &bots.ids())
                && !std::mem::replace(&mut said, true)
            {
                stderr::warn(&error.message());
            }
            tokio::select! {
                () = cancel.cancelled() => break,
                () = tokio::time::sleep(EACH) => {}
            }
        }
        if let Err(error) = database.server_left(&server) {
            stderr::warn(&error.message());
        }
        Ok(())
    })
}
