-- What became of each moment at which a job was due, and what jobs have said in chats. A run is taken once: its key is the moment.

CREATE TABLE job_runs (
    workspace TEXT NOT NULL,
    bot TEXT NOT NULL,
    job TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- running, ok, error, skipped
    state TEXT NOT NULL,
    -- The process that runs it.
    owner TEXT,
    -- How often it was begun. More than once: it may have been done in part before.
    attempt INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    error TEXT,
    session TEXT,
    PRIMARY KEY (workspace, bot, job, due_ms)
) STRICT;

CREATE INDEX job_runs_by_time ON job_runs (workspace, bot, started_ms);

CREATE TABLE job_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    bot TEXT NOT NULL,
    channel TEXT NOT NULL,
    chat TEXT NOT NULL,
    job TEXT NOT NULL,
    name TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    -- Whether it may hold what others wrote.
    foreign_text INTEGER NOT NULL,
    text TEXT NOT NULL,
    -- When it became a row of the chat's session, and when a person saw it there.
    delivered_ms INTEGER,
    shown_ms INTEGER
) STRICT;

CREATE INDEX job_messages_open ON job_messages (workspace, bot, channel, chat) WHERE delivered_ms IS NULL OR shown_ms IS NULL;

-- Processes that keep bots. One that lives holds a lock that is named by its row.

CREATE TABLE servers (
    owner TEXT PRIMARY KEY,
    workspace TEXT NOT NULL,
    pid INTEGER NOT NULL,
    bots TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL
) STRICT;
