-- Raised where a statement finds that what it was planned on has changed: the driver tells it by its code.
CREATE FUNCTION premises_changed() RETURNS INTEGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what was loaded has changed meanwhile' USING ERRCODE = 'serialization_failure';
END
$$;

-- Work that outlives a request. due_at is absent once it has ended; of open tasks with the same exclusive_key an
-- account has one at most.
CREATE TABLE tasks (
    account_id          TEXT COLLATE "C" NOT NULL,
    id                  TEXT COLLATE "C" NOT NULL,
    kind                TEXT COLLATE "C" NOT NULL,
    subject             TEXT COLLATE "C" NOT NULL,
    exclusive_key       TEXT COLLATE "C",
    payload_version     BIGINT NOT NULL CHECK (payload_version > 0),
    payload             TEXT NOT NULL,
    state               TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'succeeded', 'failed', 'cancelled')),
    due_at              BIGINT,
    attempts            BIGINT NOT NULL CHECK (attempts >= 0),
    is_doubtful         BIGINT NOT NULL CHECK (is_doubtful IN (0, 1)),
    claim_id            TEXT COLLATE "C",
    claimed_until       BIGINT,
    is_cancel_requested BIGINT NOT NULL CHECK (is_cancel_requested IN (0, 1)),
    done                BIGINT NOT NULL CHECK (done >= 0),
    total               BIGINT,
    message             TEXT,
    outcome             TEXT,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    ended_at            BIGINT,
    PRIMARY KEY (account_id, id),
    CHECK ((claim_id IS NULL) = (claimed_until IS NULL)),
    CHECK ((state = 'open') = (due_at IS NOT NULL)),
    CHECK ((state = 'open') = (ended_at IS NULL))
);

-- Workers look for what is due in all accounts at once.
CREATE INDEX tasks_due ON tasks (due_at, account_id) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX tasks_exclusive ON tasks (account_id, exclusive_key) WHERE exclusive_key IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (account_id, ended_at) WHERE ended_at IS NOT NULL;

-- What operators did beside the rules. Only ever added to.
CREATE TABLE audit_entries (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    actor      TEXT NOT NULL,
    action     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    note       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX audit_entries_by_subject ON audit_entries (account_id, subject, id);
