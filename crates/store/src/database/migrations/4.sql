-- The claim that may add to a session: the number of the last one that was given.

ALTER TABLE sessions ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;

-- Why a person said no.

ALTER TABLE questions ADD COLUMN reason TEXT;
