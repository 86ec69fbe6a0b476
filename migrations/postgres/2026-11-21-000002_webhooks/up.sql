-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Times are microseconds since 1970 UTC, documents are JSON.

-- Transactions commit in another order than they mint identifiers. position is one that only grows from
-- commit to commit as far as readers are shown: the number of the writing transaction. Events from before
-- have 0.
ALTER TABLE events ADD COLUMN position BIGINT NOT NULL DEFAULT 0;

CREATE INDEX events_by_position ON events (account_id, position, id);

-- secret and previous_secret are sealed with the master key. A deleted subscription stays until its
-- deliveries are gone.
CREATE TABLE subscriptions (
    account_id            TEXT COLLATE "C" NOT NULL,
    id                    TEXT COLLATE "C" NOT NULL,
    url                   TEXT NOT NULL,
    events                TEXT NOT NULL,
    description           TEXT,
    secret                TEXT NOT NULL,
    previous_secret       TEXT,
    previous_secret_until BIGINT,
    disabled_at           BIGINT,
    disabled_reason       TEXT CHECK (disabled_reason IN ('manual', 'failures')),
    consecutive_failures  BIGINT NOT NULL CHECK (consecutive_failures >= 0),
    created_at            BIGINT NOT NULL,
    updated_at            BIGINT NOT NULL,
    deleted_at            BIGINT,
    version               BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- The queue is this table: what is waiting has a next_attempt_at. A claim changes no indexed column, so that
-- it costs no more than the row.
CREATE TABLE deliveries (
    account_id      TEXT COLLATE "C" NOT NULL,
    subscription_id TEXT COLLATE "C" NOT NULL,
    id              TEXT COLLATE "C" NOT NULL,
    event_id        TEXT COLLATE "C" NOT NULL,
    event_name      TEXT NOT NULL,
    state           TEXT COLLATE "C" NOT NULL CHECK (state IN ('attempting', 'delivered', 'failed')),
    attempts        BIGINT NOT NULL CHECK (attempts >= 0),
    next_attempt_at BIGINT,
    claim_id        TEXT COLLATE "C",
    claimed_until   BIGINT,
    retry_of        TEXT COLLATE "C",
    created_at      BIGINT NOT NULL,
    finished_at     BIGINT,
    PRIMARY KEY (account_id, subscription_id, id),
    CHECK ((state = 'attempting') = (next_attempt_at IS NOT NULL)),
    CHECK ((claim_id IS NULL) = (claimed_until IS NULL))
);

CREATE INDEX deliveries_due ON deliveries (account_id, subscription_id, next_attempt_at, id)
    WHERE next_attempt_at IS NOT NULL;
CREATE INDEX deliveries_failed ON deliveries (account_id, subscription_id, id) WHERE state = 'failed';

CREATE TABLE attempts (
    account_id  TEXT COLLATE "C" NOT NULL,
    delivery_id TEXT COLLATE "C" NOT NULL,
    number      BIGINT NOT NULL CHECK (number > 0),
    started_at  BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    status      BIGINT,
    error       TEXT,
    answer      TEXT,
    PRIMARY KEY (account_id, delivery_id, number)
);

-- Replays under way: the place of the last event that was looked at, and the position behind which none is
-- wanted.
CREATE TABLE replays (
    account_id      TEXT COLLATE "C" NOT NULL,
    id              TEXT COLLATE "C" NOT NULL,
    subscription_id TEXT COLLATE "C" NOT NULL,
    since           BIGINT NOT NULL,
    until           BIGINT NOT NULL,
    events          TEXT NOT NULL,
    after_position  BIGINT NOT NULL,
    after_event     TEXT COLLATE "C" NOT NULL,
    until_position  BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- Rows are updated twice, the first time within their page if it has room, and deleted in bulk: vacuum before
-- a fifth of the table is dead.
ALTER TABLE deliveries SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
