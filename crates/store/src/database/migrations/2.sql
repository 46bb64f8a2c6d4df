-- Sessions with their events, and long texts that are kept whole. Every row carries the scope that it belongs to; a text that
-- several sessions kept is there once, and each of them has a row that refers to it.

CREATE TABLE sessions (
    session TEXT NOT NULL PRIMARY KEY,
    bot TEXT,
    chat TEXT,
    channel TEXT,
    parent TEXT,
    workspace TEXT,
    task TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT,
    started_ms INTEGER NOT NULL,
    status TEXT NOT NULL,
    stop_reason TEXT,
    steps INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    dollars REAL,
    last INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT;

-- Not WITHOUT ROWID: events are long, and such a table keeps long rows apart from its pages.
CREATE TABLE session_events (
    session TEXT NOT NULL REFERENCES sessions (session) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    bot TEXT,
    chat TEXT,
    channel TEXT,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    call TEXT,
    body TEXT NOT NULL,
    UNIQUE (session, number)
) STRICT;

CREATE INDEX session_events_kind ON session_events (session, kind, number);

CREATE TABLE artifacts (
    id TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    kept_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX artifacts_kept ON artifacts (kept_ms);

-- In parts, so that a page of a long text costs a page.
CREATE TABLE artifact_parts (
    artifact TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (artifact, part)
) STRICT;

CREATE TABLE artifact_references (
    session TEXT NOT NULL,
    artifact TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
    bot TEXT,
    chat TEXT,
    channel TEXT,
    call TEXT NOT NULL,
    source TEXT,
    kept_ms INTEGER NOT NULL,
    PRIMARY KEY (session, artifact)
) STRICT, WITHOUT ROWID;

CREATE INDEX artifact_references_artifact ON artifact_references (artifact);

-- What all texts take, so that keeping one need not count the others.
CREATE TABLE artifact_total (bytes INTEGER NOT NULL) STRICT;
INSERT INTO artifact_total VALUES (0);
CREATE TRIGGER artifacts_come AFTER INSERT ON artifacts BEGIN
    UPDATE artifact_total SET bytes = bytes + new.bytes;
END;
CREATE TRIGGER artifacts_go AFTER DELETE ON artifacts BEGIN
    UPDATE artifact_total SET bytes = bytes - old.bytes;
END;
