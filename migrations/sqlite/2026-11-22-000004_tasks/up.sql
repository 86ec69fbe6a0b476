-- Work that outlives a request. due_at is absent once it has ended; of open tasks with the same exclusive_key an
-- account has one at most.
CREATE TABLE tasks (
    account_id          TEXT NOT NULL,
    id                  TEXT NOT NULL,
    kind                TEXT NOT NULL,
    subject             TEXT NOT NULL,
    exclusive_key       TEXT,
    payload_version     INTEGER NOT NULL CHECK (payload_version > 0),
    payload             TEXT NOT NULL,
    state               TEXT NOT NULL CHECK (state IN ('open', 'succeeded', 'failed', 'cancelled')),
    due_at              INTEGER,
    attempts            INTEGER NOT NULL CHECK (attempts >= 0),
    is_doubtful         INTEGER NOT NULL CHECK (is_doubtful IN (0, 1)),
    claim_id            TEXT,
    claimed_until       INTEGER,
    is_cancel_requested INTEGER NOT NULL CHECK (is_cancel_requested IN (0, 1)),
    done                INTEGER NOT NULL CHECK (done >= 0),
    total               INTEGER,
    message             TEXT,
    outcome             TEXT,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    ended_at            INTEGER,
    PRIMARY KEY (account_id, id),
    CHECK ((claim_id IS NULL) = (claimed_until IS NULL)),
    CHECK ((state = 'open') = (due_at IS NOT NULL)),
    CHECK ((state = 'open') = (ended_at IS NULL))
) STRICT;

-- Workers look for what is due in all accounts at once.
CREATE INDEX tasks_due ON tasks (due_at, account_id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX tasks_exclusive ON tasks (account_id, exclusive_key) WHERE exclusive_key IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (account_id, ended_at) WHERE ended_at IS NOT NULL;

-- What operators did beside the rules. Only ever added to.
CREATE TABLE audit_entries (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    actor      TEXT NOT NULL,
    action     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    note       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT;

CREATE INDEX audit_entries_by_subject ON audit_entries (account_id, subject, id);
