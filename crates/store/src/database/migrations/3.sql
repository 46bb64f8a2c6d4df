-- Where the lines of a session are in files of the audit log that were put aside. The log is the truth: every row here can be
-- made again from it. A session that an event of the log names need not be one of the sessions that are kept.

CREATE TABLE audit_files (
    file TEXT NOT NULL PRIMARY KEY,
    stamp TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_lines (
    session TEXT NOT NULL,
    file TEXT NOT NULL REFERENCES audit_files (file) ON DELETE CASCADE,
    begins INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    PRIMARY KEY (session, file)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_lines_file ON audit_lines (file);
