-- Every row carries the scope that it belongs to. Times are milliseconds since 1970.

CREATE TABLE undo (
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    call TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE questions (
    id TEXT NOT NULL PRIMARY KEY,
    session TEXT NOT NULL,
    bot TEXT,
    chat TEXT,
    channel TEXT,
    workspace TEXT,
    call TEXT NOT NULL,
    tool TEXT NOT NULL,
    digest TEXT NOT NULL,
    asked TEXT NOT NULL,
    asked_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'expired', 'spent')),
    answer TEXT,
    draft TEXT,
    answered_by TEXT,
    answered_ms INTEGER,
    spent_ms INTEGER,
    CHECK ((answer IS NULL) = (state IN ('open', 'expired')))
) STRICT;

CREATE INDEX questions_asked ON questions (asked_ms);

CREATE TABLE rules (
    id TEXT NOT NULL PRIMARY KEY,
    session TEXT NOT NULL,
    bot TEXT,
    chat TEXT,
    channel TEXT,
    workspace TEXT,
    rule TEXT NOT NULL,
    words TEXT NOT NULL,
    question TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    revoked_by TEXT,
    revoked_ms INTEGER
) STRICT;

CREATE INDEX rules_made ON rules (made_ms);
