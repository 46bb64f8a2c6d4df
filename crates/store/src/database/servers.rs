//! Processes that keep bots, one row each. Whether one lives tells the lock that it holds; what it was the last time, its row.

use super::claims;
use super::{Database, JobOwner};
use crate::error::StoreError;
use palanca_core::call::SessionId;
use palanca_core::ports::StoreFault;
use rusqlite::params;

/// A process that keeps bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The absolute path of its workspace.
    pub workspace: String,
    /// Its process id.
    pub pid: u32,
    /// The ids of its bots.
    pub bots: Vec<String>,
    /// Milliseconds since 1970.
    pub started_ms: i64,
    /// When it last said that it lives; milliseconds since 1970.
    pub seen_ms: i64,
    /// Whether it lives.
    pub lives: bool,
}

const SEEN: &str =
    "INSERT INTO servers (owner, workspace, pid, bots, started_ms, seen_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
    ON CONFLICT (owner) DO UPDATE SET bots = ?4, seen_ms = ?5";

impl Database {
    /// What a process that keeps bots is known by, as long as it lives.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn server(&self) -> Result<JobOwner, StoreFault> {
        self.job_owner()
    }

    /// It lives, in this workspace, and keeps these bots.
    ///
    /// # Errors
    /// Why that cannot be kept.
    pub fn server_seen(&self, server: &JobOwner, workspace: &str, bots: &[String]) -> Result<(), StoreError> {
        let (now, bots) = (self.now_ms(), bots.join(" "));
        self.with("say that a server lives", |connection| {
            connection.prepare_cached(SEEN)?.execute(params![server.id(), workspace, std::process::id(), bots, now])
        })?;
        Ok(())
    }

    /// It ends in order. What is left of those that did not goes with it.
    ///
    /// # Errors
    /// Why that cannot be kept.
    pub fn server_left(&self, server: &JobOwner) -> Result<(), StoreError> {
        let mut gone: Vec<String> =
            self.server_rows()?.into_iter().filter(|(_, row)| !row.lives).map(|(id, _)| id).collect();
        gone.push(server.id().to_owned());
        self.with("say that a server ends", |connection| {
            for id in &gone {
                connection.prepare_cached("DELETE FROM servers WHERE owner = ?1")?.execute([id])?;
            }
            Ok(())
        })
    }

    /// Those that live, and those that ended without a word.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn servers(&self) -> Result<Vec<Server>, StoreError> {
        Ok(self.server_rows()?.into_iter().map(|(_, server)| server).collect())
    }

    fn server_rows(&self) -> Result<Vec<(String, Server)>, StoreError> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        let mut rows = self.read("read which servers live", |connection| {
            let all = "SELECT owner, workspace, pid, bots, started_ms, seen_ms FROM servers ORDER BY started_ms";
            let server = |row: &rusqlite::Row<'_>| {
                let bots: String = row.get(3)?;
                let server = Server {
                    workspace: row.get(1)?,
                    pid: row.get(2)?,
                    bots: bots.split_whitespace().map(str::to_owned).collect(),
                    started_ms: row.get(4)?,
                    seen_ms: row.get(5)?,
                    lives: false,
                };
                Ok((row.get(0)?, server))
            };
            connection.prepare_cached(all)?.query_map([], server)?.collect::<rusqlite::Result<Vec<(String, Server)>>>()
        })?;
        for (id, server) in &mut rows {
            server.lives = claims::is_held(self.path(), &SessionId::new(id.as_str())).unwrap_or_default();
        }
        Ok(rows)
    }
}
