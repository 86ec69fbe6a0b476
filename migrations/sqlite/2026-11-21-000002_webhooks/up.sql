-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Times are microseconds since 1970 UTC, documents are JSON.

-- Counts an account's events in the order of their commits. Events from before have 0.
ALTER TABLE events ADD COLUMN position INTEGER NOT NULL DEFAULT 0;

CREATE INDEX events_by_position ON events (account_id, position, id);

-- secret and previous_secret are sealed with the master key. A deleted subscription stays until its
-- deliveries are gone.
CREATE TABLE subscriptions (
    account_id            TEXT NOT NULL,
    id                    TEXT NOT NULL,
    url                   TEXT NOT NULL,
    events                TEXT NOT NULL,
    description           TEXT,
    secret                TEXT NOT NULL,
    previous_secret       TEXT,
    previous_secret_until INTEGER,
    disabled_at           INTEGER,
    disabled_reason       TEXT CHECK (disabled_reason IN ('manual', 'failures')),
    consecutive_failures  INTEGER NOT NULL CHECK (consecutive_failures >= 0),
    created_at            INTEGER NOT NULL,
    updated_at            INTEGER NOT NULL,
    deleted_at            INTEGER,
    version               INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

-- The queue is this table: what is waiting has a next_attempt_at. A claim changes no indexed column, so that
-- it costs no more than the row.
CREATE TABLE deliveries (
    account_id      TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    id              TEXT NOT NULL,
    event_id        TEXT NOT NULL,
    event_name      TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('attempting', 'delivered', 'failed')),
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at INTEGER,
    claim_id        TEXT,
    claimed_until   INTEGER,
    retry_of        TEXT,
    created_at      INTEGER NOT NULL,
    finished_at     INTEGER,
    PRIMARY KEY (account_id, subscription_id, id),
    CHECK ((state = 'attempting') = (next_attempt_at IS NOT NULL)),
    CHECK ((claim_id IS NULL) = (claimed_until IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_due ON deliveries (account_id, subscription_id, next_attempt_at, id)
    WHERE next_attempt_at IS NOT NULL;
CREATE INDEX deliveries_failed ON deliveries (account_id, subscription_id, id) WHERE state = 'failed';

CREATE TABLE attempts (
    account_id  TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    number      INTEGER NOT NULL CHECK (number > 0),
    started_at  INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status      INTEGER,
    error       TEXT,
    answer      TEXT,
    PRIMARY KEY (account_id, delivery_id, number)
) STRICT, WITHOUT ROWID;

-- Replays under way: the place of the last event that was looked at, and the position behind which none is
-- wanted.
CREATE TABLE replays (
    account_id      TEXT NOT NULL,
    id              TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    since           INTEGER NOT NULL,
    until           INTEGER NOT NULL,
    events          TEXT NOT NULL,
    after_position  INTEGER NOT NULL,
    after_event     TEXT NOT NULL,
    until_position  INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
