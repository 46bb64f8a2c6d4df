-- How many sessions were removed, so that whoever has read all of them can tell whether one is gone.

CREATE TABLE session_removals (count INTEGER NOT NULL) STRICT;
INSERT INTO session_removals VALUES (0);
CREATE TRIGGER sessions_go AFTER DELETE ON sessions WHEN old.status <> 'removed' BEGIN
    UPDATE session_removals SET count = count + 1;
END;
