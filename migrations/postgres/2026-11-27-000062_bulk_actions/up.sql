-- What bulk actions do with each row, and how far they are. What is to be done is the payload of their task.
CREATE TABLE bulk_actions (
    account_id   TEXT COLLATE "C" NOT NULL,
    task_id      TEXT COLLATE "C" NOT NULL,
    is_collected BIGINT NOT NULL,
    total        BIGINT NOT NULL,
    done         BIGINT NOT NULL,
    refused      BIGINT NOT NULL,
    skipped      BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    PRIMARY KEY (account_id, task_id)
);

CREATE INDEX bulk_actions_expired ON bulk_actions (account_id, expires_at);

CREATE TABLE bulk_action_rows (
    account_id TEXT COLLATE "C" NOT NULL,
    task_id    TEXT COLLATE "C" NOT NULL,
    position   BIGINT NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    label      TEXT NOT NULL,
    outcome    TEXT COLLATE "C",
    code       TEXT COLLATE "C",
    english    TEXT,
    spanish    TEXT,
    made       TEXT COLLATE "C",
    PRIMARY KEY (account_id, task_id, position)
);
