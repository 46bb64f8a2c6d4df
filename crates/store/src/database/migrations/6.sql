-- What people show to be let in: tokens, links that log in once, and the sessions that began with either. The keys themselves are
-- nowhere, only their SHA-256.

CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    person TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    -- The key that this one was made with; it ends with that one.
    parent TEXT,
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    ended_by TEXT,
    ended_ms INTEGER
) STRICT, WITHOUT ROWID;
