-- What bulk actions do with each row, and how far they are. What is to be done is the payload of their task.
CREATE TABLE bulk_actions (
    account_id   TEXT NOT NULL,
    task_id      TEXT NOT NULL,
    is_collected INTEGER NOT NULL,
    total        INTEGER NOT NULL,
    done         INTEGER NOT NULL,
    refused      INTEGER NOT NULL,
    skipped      INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    PRIMARY KEY (account_id, task_id)
) STRICT;

CREATE INDEX bulk_actions_expired ON bulk_actions (account_id, expires_at);

CREATE TABLE bulk_action_rows (
    account_id TEXT NOT NULL,
    task_id    TEXT NOT NULL,
    position   INTEGER NOT NULL,
    subject    TEXT NOT NULL,
    label      TEXT NOT NULL,
    outcome    TEXT,
    code       TEXT,
    english    TEXT,
    spanish    TEXT,
    made       TEXT,
    PRIMARY KEY (account_id, task_id, position)
) STRICT, WITHOUT ROWID;
