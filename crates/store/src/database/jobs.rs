//! Runs of jobs that were due, and what they have said.
//!
//! A run is a row whose key is the moment, so each is taken once, whichever processes are alive: taking it is one insert. The process
//! that works on it holds a lock on a file; where that lock is gone and the row still says that it runs, another process takes the row over by one
//! compare-and-set, and the row counts how often it was begun. What a job says is a row of its own, in the same transaction as the end of its run.

use super::claims::{self, Lock};
use super::{Database, milliseconds};
use crate::error::StoreError;
use palanca_core::call::SessionId;
use palanca_core::ports::StoreFault;
use rusqlite::{Connection, Row, TransactionBehavior, named_params, params};
use serde::Serialize;

/// Rows of a run that are told at most.
const MOST_SAID: usize = 200;

/// A moment at which a job was due.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobKey {
    /// The absolute path of the workspace.
    pub workspace: String,
    /// The bot's id.
    pub bot: String,
    /// The job's id.
    pub job: String,
    /// Milliseconds since 1970.
    pub due_ms: i64,
}

/// What a process takes runs by: as long as it lives, nobody else takes them over.
pub struct JobOwner {
    id: String,
    _lock: Lock,
}

impl JobOwner {
    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

/// What came of claiming a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobClaim {
    /// It is this process's to do; for the so-many-th time, from 1.
    Mine(u32),
    /// Another process, which lives, works on it.
    Taken,
    /// It is over, and this is why it failed.
    Over(Option<String>),
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It is done.
    Ok,
    /// It failed.
    Error,
    /// It was too late for it.
    Skipped,
}

impl JobState {
    /// As its row says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }
}

/// As the row of a run that is not over says it.
const RUNNING: &str = "running";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobEnd {
    /// What became of it.
    pub state: JobState,
    /// Why it failed.
    pub error: Option<String>,
    /// The session that it worked in.
    pub session: Option<String>,
    /// What it says, and where.
    pub says: Option<JobWords>,
}

/// What a job says in a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobWords {
    /// The channel of the chat.
    pub channel: String,
    /// The chat's name there.
    pub chat: String,
    /// The words.
    pub text: String,
    /// Whether they may hold what others wrote.
    pub foreign: bool,
}

/// The same, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobMessage {
    /// Its number: later ones are higher.
    pub id: i64,
    /// The bot.
    pub bot: String,
    /// The job's id.
    pub job: String,
    /// The job's name.
    pub name: String,
    /// When the job was due.
    pub due_ms: i64,
    /// What is said.
    pub words: JobWords,
}

/// Which messages.
#[derive(Clone, Copy, Debug)]
pub enum JobInbox<'a> {
    /// Those that are no rows of their chat's session yet.
    Undelivered,
    /// Those that nobody has seen in this chat, by channel and name.
    Unseen(&'a str, &'a str),
    /// Those that nobody has seen in any chat of this channel.
    UnseenAt(&'a str),
}

/// One run, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobRun {
    /// The bot.
    pub bot: String,
    /// The job's id.
    pub job: String,
    /// The job's name.
    pub name: String,
    /// Milliseconds since 1970.
    pub due_ms: i64,
    /// `running`, `ok`, `error`, `skipped`.
    pub state: String,
    /// How often it was begun: more than once, it may have been done in part before.
    pub attempt: u32,
    /// Milliseconds since 1970.
    pub started_ms: i64,
    /// Milliseconds since 1970; none while it runs.
    pub ended_ms: Option<i64>,
    /// Why it failed.
    pub error: Option<String>,
    /// The session that it worked in.
    pub session: Option<String>,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobMark {
    /// It is a row of the chat's session.
    Delivered,
    /// A person saw it in the chat.
    Shown,
}

const BEGIN: &str = "INSERT INTO job_runs
        (workspace, bot, job, due_ms, name, state, owner, attempt, started_ms, ended_ms, error, session)
    VALUES (:workspace, :bot, :job, :due_ms, :name, :state, :owner, 1, :now, :ended, :error, NULL)
    ON CONFLICT DO NOTHING";

const TAKE_OVER: &str = "UPDATE job_runs SET owner = ?6, attempt = attempt + 1, started_ms = ?7
    WHERE workspace = ?1 AND bot = ?2 AND job = ?3 AND due_ms = ?4 AND state = 'running' AND owner = ?5
    RETURNING attempt";

const END: &str = "UPDATE job_runs SET state = ?6, ended_ms = ?7, error = ?8, session = ?9, owner = NULL
    WHERE workspace = ?1 AND bot = ?2 AND job = ?3 AND due_ms = ?4 AND state = 'running' AND owner = ?5";

const SAY: &str = "INSERT INTO job_messages
        (workspace, bot, channel, chat, job, name, due_ms, at_ms, foreign_text, text)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

const MESSAGES: &str = "SELECT id, bot, channel, chat, job, name, due_ms, foreign_text, text
    FROM job_messages WHERE workspace = ?1 AND bot = ?2 AND";

const RUNS: &str = "SELECT bot, job, name, due_ms, state, attempt, started_ms, ended_ms, error, session FROM job_runs
    WHERE workspace = ?1 AND (?2 IS NULL OR bot = ?2) AND (?3 IS NULL OR job = ?3 OR name = ?3 COLLATE NOCASE)
    ORDER BY started_ms DESC, due_ms DESC LIMIT ?4";

impl Database {
    /// What this process takes runs by.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn job_owner(&self) -> Result<JobOwner, StoreFault> {
        let id = format!("jobs {}", uuid::Uuid::now_v7());
        let lock = claims::lock(self.path(), &SessionId::new(id.as_str()))?;
        Ok(JobOwner { id, _lock: lock })
    }

    /// Claims a run that takes time. It must be [ended](Self::end_job).
    ///
    /// # Errors
    /// Why it cannot be kept; then it is nobody's.
    pub fn claim_job(&self, key: &JobKey, name: &str, owner: &JobOwner) -> Result<JobClaim, StoreError> {
        let now = self.now_ms();
        let held = self.with("claim a run of a job", |connection| {
            if begin(connection, key, name, Begun::Runs(owner), now)? {
                return Ok(Ok(JobClaim::Mine(1)));
            }
            let found = "SELECT state, owner, error FROM job_runs WHERE workspace = ?1 AND bot = ?2 AND job = ?3 AND due_ms = ?4";
            let found = connection.prepare_cached(found)?.query_row(of(key), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            });
            let (state, held, error): (String, Option<String>, Option<String>) = found?;
            Ok(if state == RUNNING { Err(held.unwrap_or_default()) } else { Ok(JobClaim::Over(error)) })
        })?;
        let before = match held {
            Ok(claim) => return Ok(claim),
            Err(before) => before,
        };
        // In doubt it lives.
        if before == owner.id || claims::is_held(self.path(), &SessionId::new(before.as_str())).unwrap_or(true) {
            return Ok(JobClaim::Taken);
        }
        self.with("take over a run of a job", |connection| {
            let (workspace, bot, job, due) = of(key);
            let mut statement = connection.prepare_cached(TAKE_OVER)?;
            let mut rows = statement.query(params![workspace, bot, job, due, before, owner.id, now])?;
            let attempt = rows.next()?.map(|row| row.get(0)).transpose()?;
            while rows.next()?.is_some() {}
            Ok(attempt.map_or(JobClaim::Taken, JobClaim::Mine))
        })
    }

    /// Ends a run that this process has claimed, and keeps what it says with it. Returns whether it was this process's still.
    ///
    /// # Errors
    /// Why it cannot be kept; then it was not ended.
    pub fn end_job(&self, key: &JobKey, name: &str, owner: &JobOwner, end: &JobEnd) -> Result<bool, StoreError> {
        let now = self.now_ms();
        self.with("end a run of a job", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (workspace, bot, job, due) = of(key);
            let values = params![workspace, bot, job, due, owner.id, end.state.name(), now, end.error, end.session];
            let ended = transaction.prepare_cached(END)?.execute(values)? == 1;
            if ended {
                say(&transaction, key, name, end, now)?;
            }
            transaction.commit()?;
            Ok(ended)
        })
    }

    /// Claims a run and ends it, both at once: for what takes no time. Returns whether this process was the first.
    ///
    /// # Errors
    /// Why it cannot be kept; then nothing was.
    pub fn settle_job(&self, key: &JobKey, name: &str, end: &JobEnd) -> Result<bool, StoreError> {
        let now = self.now_ms();
        self.with("keep a run of a job", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let first = begin(&transaction, key, name, Begun::Over(end), now)?;
            if first {
                say(&transaction, key, name, end, now)?;
            }
            transaction.commit()?;
            Ok(first)
        })
    }

    /// What jobs of a bot have said, the oldest first.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn job_messages(&self, workspace: &str, bot: &str, which: JobInbox<'_>) -> Result<Vec<JobMessage>, StoreError> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        self.read("read what jobs have said", |connection| {
            let (open, chat) = match which {
                JobInbox::Undelivered => ("delivered_ms IS NULL AND ?3 IS NULL AND ?4 IS NULL", (None, None)),
                JobInbox::Unseen(channel, chat) => {
                    ("shown_ms IS NULL AND channel = ?3 AND chat = ?4", (Some(channel), Some(chat)))
                }
                JobInbox::UnseenAt(channel) => {
                    ("shown_ms IS NULL AND channel = ?3 AND ?4 IS NULL", (Some(channel), None))
                }
            };
            let (channel, chat) = chat;
            let mut statement = connection.prepare_cached(&format!("{MESSAGES} {open} ORDER BY id LIMIT ?5"))?;
            statement.query_map(params![workspace, bot, channel, chat, MOST_SAID], message)?.collect()
        })
    }

    /// Notes what has become of a message.
    ///
    /// # Errors
    /// Why it cannot be kept.
    pub fn mark_job_message(&self, id: i64, mark: JobMark) -> Result<(), StoreError> {
        let now = self.now_ms();
        let sql = match mark {
            JobMark::Delivered => "UPDATE job_messages SET delivered_ms = ?2 WHERE id = ?1 AND delivered_ms IS NULL",
            JobMark::Shown => "UPDATE job_messages SET shown_ms = ?2 WHERE id = ?1 AND shown_ms IS NULL",
        };
        self.with("mark what a job has said", |connection| connection.prepare_cached(sql)?.execute(params![id, now]))?;
        Ok(())
    }

    /// Runs of a workspace's jobs, the newest first; of one bot, of one job by id or name.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn job_runs(
        &self,
        workspace: &str,
        bot: Option<&str>,
        job: Option<&str>,
        limit: usize,
    ) -> Result<Vec<JobRun>, StoreError> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        self.read("read the runs of jobs", |connection| {
            connection.prepare_cached(RUNS)?.query_map(params![workspace, bot, job, limit], run)?.collect()
        })
    }

    pub(super) fn now_ms(&self) -> i64 {
        i64::try_from(milliseconds(&*self.clock)).unwrap_or(i64::MAX)
    }
}

fn of(key: &JobKey) -> (&str, &str, &str, i64) {
    (&key.workspace, &key.bot, &key.job, key.due_ms)
}

/// A run as it begins.
#[derive(Clone, Copy)]
enum Begun<'a> {
    /// It takes time: whose it is.
    Runs(&'a JobOwner),
    /// It is over at once.
    Over(&'a JobEnd),
}

/// Whether the row is new.
fn begin(connection: &Connection, key: &JobKey, name: &str, begun: Begun<'_>, now: i64) -> rusqlite::Result<bool> {
    let (state, owner, ended, error) = match begun {
        Begun::Runs(owner) => (RUNNING, Some(owner.id()), None, None),
        Begun::Over(end) => (end.state.name(), None, Some(now), end.error.as_deref()),
    };
    let values = named_params! {
        ":workspace": key.workspace, ":bot": key.bot, ":job": key.job, ":due_ms": key.due_ms, ":name": name,
        ":state": state, ":owner": owner, ":now": now, ":ended": ended, ":error": error,
    };
    Ok(connection.prepare_cached(BEGIN)?.execute(values)? == 1)
}

fn say(connection: &Connection, key: &JobKey, name: &str, end: &JobEnd, now: i64) -> rusqlite::Result<()> {
    let Some(JobWords { channel, chat, text, foreign }) = &end.says else { return Ok(()) };
    let values = params![key.workspace, key.bot, channel, chat, key.job, name, key.due_ms, now, foreign, text];
    connection.prepare_cached(SAY)?.execute(values)?;
    Ok(())
}

fn message(row: &Row<'_>) -> rusqlite::Result<JobMessage> {
    Ok(JobMessage {
        id: row.get(0)?,
        bot: row.get(1)?,
        words: JobWords { channel: row.get(2)?, chat: row.get(3)?, foreign: row.get(7)?, text: row.get(8)? },
        job: row.get(4)?,
        name: row.get(5)?,
        due_ms: row.get(6)?,
    })
}

fn run(row: &Row<'_>) -> rusqlite::Result<JobRun> {
    Ok(JobRun {
        bot: row.get(0)?,
        job: row.get(1)?,
        name: row.get(2)?,
        due_ms: row.get(3)?,
        state: row.get(4)?,
        attempt: row.get(5)?,
        started_ms: row.get(6)?,
        ended_ms: row.get(7)?,
        error: row.get(8)?,
        session: row.get(9)?,
    })
}
